"""The colours around the prints of faces, which are their tiles': by these what is printed on cloth is told
from a tile."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Array32, Pixels

_RIM, _STRIDE = 0.18, 3
"""Share of a crop's sides that is left out at each end, where a tile ends and others begin, and the pixels
from one that counts to the next."""

_WHITE: Final = (0.6, 0.9)
"""Shares of a face's pixels, the darkest first, between which lies the white around its print."""

_BRIGHT: Final = 8.0
"""What is added to a light, of 255, before its log is taken."""


def ground(crops: Pixels) -> Array32:
    """The colours (n, 3) around the prints of faces, by their crops (n, H, W, 3), to be compared with others
    of their photo: in logs of light brightness, red less green, blue less green."""
    halved = crops[:, ::2, ::2]
    rims = [round(side * _RIM) for side in halved.shape[1:3]]
    down, across = (slice(rim, -rim, _STRIDE) for rim in rims)
    inner = halved[:, down, across].astype(np.float32)
    points = inner.reshape(len(inner), inner.shape[1] * inner.shape[2], 3)
    order = points.sum(axis=2).argsort(axis=1)
    first, last = (int(share * points.shape[1]) for share in _WHITE)
    white = np.take_along_axis(points, order[:, first:last, None], axis=1).mean(axis=1)
    logs = np.log(white + _BRIGHT)
    red, green, blue = (logs[..., channel] for channel in range(3))
    return np.asarray(
        np.stack([2 * logs.mean(axis=-1), 6 * (red - green), 6 * (blue - green)], -1), np.float32
    )
