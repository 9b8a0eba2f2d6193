"""Lines of a journal for tests."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from tehai.label import journal

MODELS = {
    "finder": {"name": "finder.onnx", "sha256": "f" * 64},
    "faces": {"name": "faces.onnx", "sha256": "a" * 64},
}


def tile(label: str, x: float = 100, y: float = 100, **fields: Any) -> dict[str, Any]:
    """A tile of 30 by 40 pixels whose top left is at x, y, leaning a little."""
    return {
        "quad": [[x, y], [x + 30, y + 3], [x + 27, y + 43], [x - 3, y + 40]],
        "label": label,
        "probability": 0.96,
        "margin": 0.93,
        "top3": [[label, 0.96], ["back", 0.03], ["none", 0.01]],
        "role": "other",
        "sideways": False,
        "upside_down": False,
        "source": "seen",
        **fields,
    }


def photo(
    path: str, *tiles: dict[str, Any], revision: int = 1, state: str = "unreviewed", **fields: Any
) -> journal.Line:
    """A photo's line; its content hash is made from its path."""
    return {
        "kind": "photo",
        "revision": revision,
        "sha256": hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest(),
        "path": path,
        "width": 640,
        "height": 480,
        "phash": hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest(),
        "tiles": list(tiles),
        "hand": None,
        "status": "incomplete",
        "message": "",
        "models": MODELS,
        "review": {
            "state": state,
            "by": "models" if state == "unreviewed" else "anna",
            "at": "2026-01-01T00:00:00+00:00",
        },
        **fields,
    }


def write(folder: Path, *lines: journal.Line) -> Path:
    """A journal with these lines."""
    file = folder / journal.NAME
    with journal.writing(file, folder) as opened:
        for line in lines:
            opened.append(line)
    return file
