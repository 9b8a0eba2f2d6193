"""What has ever broken a parser breaks none any more: ``tests/corpus`` has a folder for each target."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.fuzz import CORPUS, OF_VALUES, TARGETS

KEPT = [file for folder in sorted(CORPUS.iterdir()) for file in sorted(folder.iterdir())]


def test_every_folder_is_one_of_a_target() -> None:
    assert {file.parent.name for file in KEPT} <= set(TARGETS) - set(OF_VALUES)


@pytest.mark.parametrize("file", KEPT, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_it_is_answered_or_refused(file: Path) -> None:
    TARGETS[file.parent.name](file.read_bytes())
