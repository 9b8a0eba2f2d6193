"""Pixels to tiles.

>>> from vision import read
>>> reading = read("photo.jpg")  # doctest: +SKIP
>>> reading.hand  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vision.reading import Reading, SeenTile

if TYPE_CHECKING:
    from vision.reader import Engine, Reader, read

__all__ = ["Engine", "Reader", "Reading", "SeenTile", "read"]


def __getattr__(name: str) -> Any:
    # The networks' libraries take half a second to import: only who reads a photo waits for them.
    if name in ("Engine", "Reader", "read"):
        from vision import reader

        return getattr(reader, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
