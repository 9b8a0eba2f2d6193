"""Axis-aligned boxes: how much they share, and which detection is which truth."""

from __future__ import annotations

import numpy as np

from vision.finder import Array


def box_iou(a: Array, b: Array) -> Array:
    """IoU of every box of ``a`` (n, 4) with every box of ``b`` (m, 4), x0 y0 x1 y1: (n, m)."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    shared = np.prod(np.clip(high - low, 0, None), -1)
    areas = [np.prod(x[:, 2:] - x[:, :2], -1) for x in (a, b)]
    union = areas[0][:, None] + areas[1][None] - shared
    return np.asarray(shared / np.maximum(union, 1e-6), np.float32)


def bounds(quads: Array) -> Array:
    """Axis-aligned boxes (n, 4) of quads (n, 4, 2)."""
    return np.concatenate([quads.min(1), quads.max(1)], -1)


def match(scores: Array, overlaps: Array, least: float) -> list[tuple[int, int]]:
    """Pairs (detection, truth), best score first, one to one, of an overlap of at least ``least``."""
    pairs: list[tuple[int, int]] = []
    free = np.ones(overlaps.shape[1], bool)
    for i in np.argsort(-scores, kind="stable"):
        if not free.any():
            break
        j = int(np.argmax(np.where(free, overlaps[i], -1)))
        if overlaps[i, j] >= least:
            free[j] = False
            pairs.append((int(i), j))
    return pairs
