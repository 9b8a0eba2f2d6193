"""Convolutions that need nothing but numpy, for the few tiles of a photo that are looked into."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vision.arrays import Array32

_TOGETHER = 4
"""So many pictures stay in a processor's cache while they are convolved."""


def staged(pictures: Array32, weights: Sequence[Array32], biases: Sequence[Array32]) -> Array32:
    """(m, k): the last maps of pictures (m, channels, H, W), one at least, after convolutions, one after
    another, each by ``weights`` (9 · channels, k) and ``biases`` (k,). Three are a stage: one with a stride
    of 2, and two that add to what it tells (He et al. 2016). Fitted by :mod:`models.stages`."""
    convolutions = list(zip(weights, biases, strict=True))
    last = np.ascontiguousarray(pictures.transpose(0, 2, 3, 1), np.float32)
    parts = (last[start : start + _TOGETHER] for start in range(0, len(last), _TOGETHER))
    return np.concatenate([_seen(part, convolutions) for part in parts])


def _seen(maps: Array32, convolutions: Sequence[tuple[Array32, Array32]]) -> Array32:
    for first, second, third in zip(*(convolutions[start::3] for start in range(3)), strict=True):
        maps = np.maximum(_convolved(maps, first, stride=2), 0)
        more = _convolved(np.maximum(_convolved(maps, second), 0), third)
        maps = np.maximum(maps + more, 0)
    return maps.transpose(0, 3, 1, 2).reshape(len(maps), -1)


def _convolved(maps: Array32, by: tuple[Array32, Array32], stride: int = 1) -> Array32:
    """A convolution of 3×3: (m, H, W, channels) to (m, H / stride, W / stride, k)."""
    weights, bias = by
    around = np.pad(maps, ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = sliding_window_view(around, (3, 3), axis=(1, 2))[:, ::stride, ::stride]
    # Copied with a place's channels together, which takes half as long as channel by channel.
    cells = windows.transpose(0, 1, 2, 4, 5, 3).reshape(-1, len(weights))
    return (cells @ weights + bias).reshape(*windows.shape[:3], len(bias))
