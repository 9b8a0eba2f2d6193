"""The truth of rendered photographs."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasets.renders import read_renders


def test_a_folder_without_renders_is_told_and_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="holds no renders: draw some with python -m datasets render"):
        read_renders(tmp_path)
