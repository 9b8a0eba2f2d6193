"""Messages about a photo that cannot be read as it is: what is wrong and what to do."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array32, Pixels
from vision.config import GEOMETRY
from vision.image import Photo
from vision.pixels import sharpness
from vision.quads import lengths
from vision.reading import Region

BLURRED = " The photo is blurred there: hold the camera still and focus on the tiles."


def no_tiles(photo: Photo, region: Region | None, side: int) -> str:
    """Why there is no tile. ``side``: pixels of the longer side at which sharpness is measured."""
    where = "in that region" if region else "in the photo"
    advice = "go closer, from above, in even light"
    if sharpness(photo.pixels, side) < GEOMETRY.sharp:
        advice = "it is blurred: hold the camera still"
    return f"No mahjong tiles were found {where}; {advice}."


def too_small(quads: Array32) -> str:
    """Why tiles (n, 4, 2) cannot be read; empty if they can."""
    if len(quads) and float(np.median(lengths(quads).mean(axis=1))) < GEOMETRY.readable:
        return "The tiles are too small to be read; come closer or send the photo in full size."
    return ""


def is_blurred(pixels: Pixels, quads: Array32, side: int) -> bool:
    """Whether a photo (H, W, 3) is blurred where tiles (n, 4, 2) lie; ``side`` as in :func:`no_tiles`."""
    low = np.maximum(np.floor(quads.reshape(-1, 2).min(axis=0)), 0).astype(int)
    high = np.ceil(quads.reshape(-1, 2).max(axis=0)).astype(int) + 1
    part = pixels[low[1] : high[1], low[0] : high[0]]
    return bool(part.size) and sharpness(np.ascontiguousarray(part), side) < GEOMETRY.sharp


def foreign_tiles(count: int) -> str:
    """The end of a message when ``count`` foreign tiles were left out; empty for none."""
    if not count:
        return ""
    if count == 1:
        return " 1 tile that no hand has (a flower, a joker) was left out."
    return f" {count} tiles that no hand has (flowers, jokers) were left out."
