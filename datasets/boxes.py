"""Which detection is which truth, and how much two outlines overlap."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Array32, Indices
from vision.quads import bounds, box_iou


def match(scores: Array32, overlaps: Array32, least: float) -> list[tuple[int, int]]:
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


def apart(quads: Array32, boxes: Array32, least: float) -> Indices:
    """Indices of quads (n, 4, 2) that overlap each box (m, 4) by less than ``least`` and whose centre lies in
    none."""
    centre = quads.mean(1)[:, None]
    inside = np.all((centre >= boxes[None, :, :2]) & (centre <= boxes[None, :, 2:]), -1)
    return np.flatnonzero((box_iou(bounds(quads), boxes) < least).all(1) & ~inside.any(1))


def iou(a: NDArray[np.floating[Any]], b: NDArray[np.floating[Any]]) -> float:
    """Intersection over union of two convex quads (4, 2).

    Not ``cv2.intersectConvexConvex``: for touching tiles at 45 degrees it answers that they coincide.
    """
    # From a corner of one of them: far from the origin the area would be a difference of large numbers.
    first, second = ([(float(x), float(y)) for x, y in quad - a[0]] for quad in (a, b))
    shared = max(0.0, _area(_clip(first, second)))
    union = _area(first) + _area(second) - shared
    return shared / union if union > 0 else 0.0


_Polygon = list[tuple[float, float]]
"""Plain numbers: for so few corners they are faster than arrays."""


def _clip(polygon: _Polygon, quad: _Polygon) -> _Polygon:
    """Part of a convex polygon inside a convex quad, both clockwise (Sutherland and Hodgman)."""
    for k, (ax, ay) in enumerate(quad):
        bx, by = quad[(k + 1) % 4]
        depth = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in polygon]
        clipped: _Polygon = []
        for i, (x, y) in enumerate(polygon):
            (px, py), before, now = polygon[i - 1], depth[i - 1], depth[i]
            if (before < 0) != (now < 0):
                share = before / (before - now)
                clipped.append((px + share * (x - px), py + share * (y - py)))
            if now >= 0:
                clipped.append((x, y))
        polygon = clipped
    return polygon


def _area(polygon: _Polygon) -> float:
    """As :func:`vision.quads.areas`."""
    return sum(polygon[i - 1][0] * y - x * polygon[i - 1][1] for i, (x, y) in enumerate(polygon)) / 2
