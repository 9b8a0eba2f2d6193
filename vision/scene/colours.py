"""What colour a crop's print, its middle and the ground around its print have, and how that compares with the
other tiles of its photo."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Array32, Pixels
from vision.labels import FACES, WHITE_INDEX

_PARTS: Final = ((0.0, 0.1), (0.25, 0.75), (0.6, 0.9))
"""Shares of a crop's points, the darkest first: the print of a face, the middle of a blank, the ground."""

COLOURS: Final = 3 * len(_PARTS)
"""Numbers of a crop: brightness, red less green, blue less green of each part."""

_GROUND: Final = slice(COLOURS - 3, COLOURS)
_RIM, _STRIDE, _DIM = 0.18, 6, 8.0
"""Share of a crop's sides that is left out at each end, where other tiles begin; the pixels from one point to
the next; what is added to a light, of 255, before its log is taken."""


def colours(crops: Pixels) -> Array32:
    """(n, COLOURS) of crops (n, H, W, 3), in logs of light."""
    down, across = (slice(round(side * _RIM), -round(side * _RIM), _STRIDE) for side in crops.shape[1:3])
    inner = crops[:, down, across].astype(np.float32)
    points = inner.reshape(len(crops), inner.shape[1] * inner.shape[2], 3)
    points = np.take_along_axis(points, points.sum(axis=2).argsort(axis=1)[..., None], axis=1)
    parts = [
        points[:, int(first * points.shape[1]) : int(last * points.shape[1])].mean(axis=1)
        for first, last in _PARTS
    ]
    logs = np.log(np.stack(parts, axis=1) + _DIM)
    red, green, blue = np.moveaxis(logs, -1, 0)
    return np.stack([logs.mean(axis=-1), 3 * (red - green), 3 * (blue - green)], axis=-1).reshape(-1, COLOURS)


def compared(seen: Array32, shares: Array32) -> Array32:
    """Colours (n, COLOURS) less the ground that the photo's faces have. ``shares`` (n, classes): how likely
    each detection shows what; the ground is the mean by how likely a printed face is."""
    printed = np.delete(shares[:, : len(FACES)], WHITE_INDEX, axis=1).sum(axis=1)
    weight = (printed + 1e-3)[:, None]
    ground = (seen[:, _GROUND] * weight).sum(axis=0) / weight.sum() if len(seen) else np.zeros(3)
    return np.asarray(seen - np.tile(ground, len(_PARTS)), np.float32)
