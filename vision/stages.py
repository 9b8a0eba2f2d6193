"""Convolutions that need nothing but numpy, for the few tiles of a photo that are looked into."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Array32


def staged(pictures: Array32, weights: Sequence[Array32], biases: Sequence[Array32]) -> Array32:
    """(m, k): the last maps of pictures (m, channels, H, W) after convolutions, one after another, each by
    ``weights`` (channels · 9, k) and ``biases`` (k,). Three are a stage: one with a stride of 2, and two that
    add to what it tells (He et al. 2016). Fitted by :mod:`models.stages`."""
    maps, convolutions = pictures, list(zip(weights, biases, strict=True))
    for first, second, third in zip(*(convolutions[start::3] for start in range(3)), strict=True):
        maps = np.maximum(_convolved(maps, first, stride=2), 0)
        more = _convolved(np.maximum(_convolved(maps, second), 0), third)
        maps = np.maximum(maps + more, 0)
    return np.asarray(maps.reshape(len(maps), -1), np.float32)


def _convolved(maps: Array32, by: tuple[Array32, Array32], stride: int = 1) -> Array32:
    """A convolution of 3×3: (m, channels, H, W) to (m, k, H / stride, W / stride) ``by`` weights
    (channels · 9, k) and bias (k,)."""
    weights, bias = by
    count, channels, height, width = maps.shape
    around = np.pad(maps, ((0, 0), (0, 0), (1, 1), (1, 1)))
    parts = [
        around[:, :, y : y + height : stride, x : x + width : stride] for y in range(3) for x in range(3)
    ]
    cells = np.stack(parts, axis=2).reshape(count, channels * 9, height * width // stride**2)
    told = np.matmul(weights.T, cells) + bias[:, None]
    return np.asarray(told.reshape(count, len(bias), height // stride, width // stride), np.float32)
