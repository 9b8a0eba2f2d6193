"""Small pictures of tiles to name: from the atlas in the package, or cut from a photo."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scorer.tiles import TILES, Tile

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

ATLAS: Final = Path(__file__).with_name("atlas.jpg")
"""A column for each face, a row for each style (``docs/learn_atlas.py``)."""

WIDTH: Final = 72
HEIGHT: Final = 96
MARGIN: Final = 1.2
"""The size of a picture relative to its tile: the tile is the middle 60 × 80 of 72 × 96 pixels."""

STYLES: Final = ("drawn", "rendered 1", "rendered 2", "rendered 3")
"""The rows of the atlas: our own drawings, and faces cut from rendered photographs of three sets."""


def column(tile: Tile) -> int:
    """The column of the tile in the atlas."""
    return TILES.index(tile)  # the order of FACES is that of TILES with the red fives last


def from_atlas(tile: Tile, style: int) -> Picture:
    """The face in row ``style`` of the atlas."""
    left, top = column(tile) * WIDTH, style * HEIGHT
    return _atlas().crop((left, top, left + WIDTH, top + HEIGHT))


@cache
def _atlas() -> Picture:
    from PIL import Image

    with Image.open(ATLAS) as picture:
        return picture.convert("RGB")
