"""Rows of the manifest of real photos."""

from __future__ import annotations

import json
from pathlib import Path


def add_row(folder: Path, file: str, box: object, label: str, **changes: object) -> None:
    """Append the row of a box to the manifest of a folder: of a photo to learn from, unless it is changed."""
    row = {
        "file": file, "box": box, "label": label, "style": "jp-tray", "src": Path(file).name, "aug": "none",
        "mirrored": False, "stretched_to_square": False, "use": "train",
    }  # fmt: skip
    with (folder / "manifest.jsonl").open("a", encoding="utf-8") as out:
        out.write(json.dumps({**row, **changes}) + "\n")
