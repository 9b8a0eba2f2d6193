"""Which tile of one list is which of another, by where they lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

SAME: Final = 0.5
"""Share of two bounding boxes (IoU) from which they show one tile."""

Array = NDArray[np.float64]
Tile = Mapping[str, Any]


def quads(tiles: Sequence[Tile]) -> Array:
    """The corners of tiles: (n, 4, 2) pixels."""
    return np.array([tile["quad"] for tile in tiles], float).reshape(-1, 4, 2)


def bounds(corners: Array) -> Array:
    """Axis-aligned boxes x0, y0, x1, y1 (n, 4) of quads (n, 4, 2)."""
    return np.concatenate([corners.min(1), corners.max(1)], 1) if len(corners) else np.zeros((0, 4))


def overlaps(one: Array, other: Array) -> Array:
    """IoU of each of n boxes with each of m boxes: (n, m)."""
    low = np.maximum(one[:, None, :2], other[None, :, :2])
    high = np.minimum(one[:, None, 2:], other[None, :, 2:])
    shared = np.prod(np.clip(high - low, 0, None), 2)
    areas = [np.prod(boxes[:, 2:] - boxes[:, :2], 1) for boxes in (one, other)]
    return np.asarray(shared / np.maximum(areas[0][:, None] + areas[1][None] - shared, 1e-9))


def pairs(one: Sequence[Tile], other: Sequence[Tile]) -> list[tuple[int, int]]:
    """Indices of tiles that lie in the same place, those that share most first, each at most once."""
    shared = overlaps(bounds(quads(one)), bounds(quads(other)))
    found = []
    while shared.size:
        at = np.unravel_index(int(shared.argmax()), shared.shape)
        if shared[at] < SAME:
            break
        found.append((int(at[0]), int(at[1])))
        shared[at[0]] = 0
        shared[:, at[1]] = 0
    return found


def is_clockwise(corners: Array) -> bool:
    """Whether a quad (4, 2) is convex and runs clockwise in the picture, whose y axis points down."""
    edges = np.roll(corners, -1, 0) - corners
    following = np.roll(edges, -1, 0)
    return bool((edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0] > 0).all())
