"""Small pictures of tiles to be named: from the atlas that travels with the program, or cut from a photo."""

from __future__ import annotations

import io
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Final

from PIL import Image

from scorer.tiles import TILES, Tile
from vision.faces import CropShape

ATLAS: Final = Path(__file__).with_name("atlas.jpg")
"""A column a face, a row a drawing (``docs/learn_atlas.py``)."""

SHAPE: Final = CropShape(72, 96, 1.2)
"""Every picture: 72 × 96 pixels, of which the tile takes the middle 60 × 80."""

STYLES: Final = ("drawn", "rendered 1", "rendered 2", "rendered 3")
"""The rows of the atlas: our own drawings, and faces cut from rendered photographs of three sets."""

Picture = Image.Image


def from_atlas(tile: Tile, style: int) -> Picture:
    """The face as row ``style`` of the atlas shows it."""
    # the order of FACES is that of TILES with the red fives last
    left, top = TILES.index(tile) * SHAPE.width, style * SHAPE.height
    return _atlas().crop((left, top, left + SHAPE.width, top + SHAPE.height))


@cache
def _atlas() -> Picture:
    with Image.open(ATLAS) as picture:
        return picture.convert("RGB")


def data_uri(picture: Picture) -> str:
    """The picture as the address of an ``<img>`` that needs no file."""
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=88)
    return "data:image/jpeg;base64," + b64encode(out.getvalue()).decode("ascii")
