"""The truth of rendered photographs."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasets.renders import apart


def test_folders_of_one_name_are_not_taken_for_one_another() -> None:
    apart([Path("a/scenes"), Path("a/others")])
    with pytest.raises(ValueError, match="several folders are called scenes: rename all but one"):
        apart([Path("a/scenes"), Path("b/scenes")])
