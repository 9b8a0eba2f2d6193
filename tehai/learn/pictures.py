"""Small pictures of tiles to be named: from the atlas that travels with the program, or cut from a photo."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scorer.tiles import TILES, Tile

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

ATLAS: Final = Path(__file__).with_name("atlas.jpg")
"""A column a face, a row a drawing (``docs/learn_atlas.py``)."""

WIDTH: Final = 72
HEIGHT: Final = 96
MARGIN: Final = 1.2
"""Every picture has 72 × 96 pixels, of which the tile takes the middle 60 × 80."""

STYLES: Final = ("drawn", "rendered 1", "rendered 2", "rendered 3")
"""The rows of the atlas: our own drawings, and faces cut from rendered photographs of three sets."""


def column(tile: Tile) -> int:
    """Where the tile stands in the atlas."""
    return TILES.index(tile)  # the order of FACES is that of TILES with the red fives last


def from_atlas(tile: Tile, style: int) -> Picture:
    """The face as row ``style`` of the atlas shows it."""
    left, top = column(tile) * WIDTH, style * HEIGHT
    return _atlas().crop((left, top, left + WIDTH, top + HEIGHT))


@cache
def _atlas() -> Picture:
    from PIL import Image

    with Image.open(ATLAS) as picture:
        return picture.convert("RGB")
