"""The truth of rendered photographs."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasets.renders import apart, read_renders


def test_folders_of_one_name_are_not_taken_for_one_another() -> None:
    apart([Path("a/scenes"), Path("a/others")])
    with pytest.raises(ValueError, match="several folders are called scenes: rename all but one"):
        apart([Path("a/scenes"), Path("b/scenes")])


def test_a_folder_without_renders_is_told_and_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="holds no renders: draw some with python -m datasets render"):
        read_renders(tmp_path)
