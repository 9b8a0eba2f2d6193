"""What colour a crop's print, its middle and the ground around its print have, and how that compares with the
other tiles of its photo."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision import whites
from vision.arrays import Array32, Pixels
from vision.labels import FACES, WHITE_INDEX

_PARTS: Final = ((0.0, 0.1), (0.25, 0.75), (0.6, 0.9))
"""Shares of a crop's points, the darkest first: the print of a face, the middle of a blank, the ground."""

COLOURS: Final = 3 * len(_PARTS)
"""Numbers of a crop: brightness, red less green, blue less green of each part."""

_GROUND: Final = slice(COLOURS - 3, COLOURS)


def colours(crops: Pixels) -> Array32:
    """(n, COLOURS) of crops (n, H, W, 3), in logs of light. Every second pixel tells as much."""
    points = whites.lights(crops[:, ::2, ::2])
    parts = np.concatenate([whites.colours(points, part) for part in _PARTS], axis=1)
    return np.asarray(parts / 2, np.float32)


def compared(seen: Array32, shares: Array32) -> Array32:
    """Colours (n, COLOURS) less the ground that the photo's faces have. ``shares`` (n, classes): how likely
    each detection shows what; the ground is the mean by how likely a printed face is."""
    printed = np.delete(shares[:, : len(FACES)], WHITE_INDEX, axis=1).sum(axis=1)
    weight = (printed + 1e-3)[:, None]
    ground = (seen[:, _GROUND] * weight).sum(axis=0) / weight.sum() if len(seen) else np.zeros(3)
    return np.asarray(seen - np.tile(ground, len(_PARTS)), np.float32)
