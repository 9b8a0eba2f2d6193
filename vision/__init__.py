"""Pixels to tiles: a photo to every tile in it, and to the hand that they make.

>>> from vision import read
>>> reading = read("photo.jpg")
>>> reading.status, reading.hand["concealed"], reading.hand["win_tile"]
('ok', '234m067p3488s', '5s')

Many photos share a :class:`Reader`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vision.reading import Doubt, Reading, SeenTile

if TYPE_CHECKING:
    from vision.reader import Engine, Reader, read

__all__ = ["Doubt", "Engine", "Reader", "Reading", "SeenTile", "read"]


def __getattr__(name: str) -> Any:
    # The networks' libraries take half a second to import: only who reads a photo waits for them.
    if name in ("Engine", "Reader", "read"):
        from vision import reader

        return getattr(reader, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
