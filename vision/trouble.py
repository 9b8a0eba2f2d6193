"""Why a photo tells less than it should, and what to do then."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array32, Pixels
from vision.image import Photo
from vision.pixels import sharpness
from vision.quads import lengths
from vision.reading import Region

_SMALLEST = 9.0
"""Pixels of a tile's side below which faces cannot be told apart."""

_SHARP, _SHARP_SIDE = 12.0, 640
"""Variance of the Laplacian below which a photo is called blurred, and pixels of the longer side at which it
is measured: of 60 training photos all had 80 and more, blurred by 2.5 pixels 95 % had 8 and less."""

BLURRED = " The photo is blurred there: hold the camera still and focus on the tiles."


def nothing_found(photo: Photo, region: Region | None) -> str:
    """Why there is no tile."""
    where = "in that region" if region else "in the photo"
    advice = "go closer, from above, in even light"
    if sharpness(photo.pixels, _SHARP_SIDE) < _SHARP:
        advice = "it is blurred: hold the camera still"
    return f"No mahjong tiles were found {where}; {advice}."


def too_small(quads: Array32) -> str:
    """Why tiles (n, 4, 2) cannot be read, empty where they can."""
    if len(quads) and float(np.median(lengths(quads).mean(axis=1))) < _SMALLEST:
        return "The tiles are too small to be read; come closer or send the photo in full size."
    return ""


def is_blurred(pixels: Pixels, quads: Array32) -> bool:
    """Whether the part of a photo (H, W, 3) is blurred in which tiles (n, 4, 2) lie."""
    low = np.maximum(np.floor(quads.reshape(-1, 2).min(axis=0)), 0).astype(int)
    high = np.ceil(quads.reshape(-1, 2).max(axis=0)).astype(int) + 1
    part = pixels[low[1] : high[1], low[0] : high[0]]
    return bool(part.size) and sharpness(np.ascontiguousarray(part), _SHARP_SIDE) < _SHARP


def left_out(count: int) -> str:
    """What the message of a hand that is not finished says of so many tiles that no hand has."""
    if not count:
        return ""
    if count == 1:
        return " 1 tile that no hand has (a flower, a joker) was left out."
    return f" {count} tiles that no hand has (flowers, jokers) were left out."
