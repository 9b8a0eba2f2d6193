"""The perceptual hash of a photo, from its lowest frequencies. They hardly change with size or light."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from vision.arrays import Array, Pixels
from vision.pixels import shrink

HASH_SIDE: Final = 16
"""Frequencies along each axis. The hash has the square of it in bits. With 8, other photos of the same table
look like copies."""

_SMALL: Final = 128
"""The side in pixels to which a photo is shrunk first, because the better filter after it is slow."""

_GREY: Final = 4 * HASH_SIDE
"""The side in pixels of the grey picture for the frequencies."""


def perceptual_hash(pixels: Pixels) -> str:
    """256 bits as 64 hex digits: which of the lowest frequencies are above their median.

    They hardly change if a photo is scaled, brightened or compressed again. The package imagehash 4.3 gives
    the same.
    """
    from PIL import Image

    grey = Image.fromarray(shrink(pixels, (_SMALL, _SMALL))).convert("L")
    small = np.asarray(grey.resize((_GREY, _GREY), Image.Resampling.LANCZOS), np.float64)
    lowest = _waves() @ small @ _waves().T
    return np.packbits(lowest > np.median(lowest)).tobytes().hex()


@cache
def _waves() -> Array:
    """The cosines (HASH_SIDE, _GREY) of the discrete cosine transform, type II."""
    frequency, at = np.arange(HASH_SIDE)[:, None], np.arange(_GREY)[None, :]
    return np.asarray(np.cos(np.pi * frequency * (2 * at + 1) / (2 * _GREY)), np.float64)
