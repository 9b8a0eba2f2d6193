"""The stick of a riichi: a bright bar before a river, some four tiles long, darker on all sides."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision import pixels
from vision.arrays import Array, Pixels
from vision.detections import Detections
from vision.quads import axes, project
from vision.scene.rivers import Compass, River, rightwards

_TILE: Final = 12
"""Pixels of a tile's width in which a stick is looked for: it is then some four thick."""
_WIDE, _HIGH = 11 * _TILE, 4 * _TILE
"""Of the part of the table that is looked at."""
_LONG: Final = 48
"""Pixels of a stick's length, a little less than its 86 mm: its ends are round."""
_PARTS: Final = 4
_THICK: Final = 3
_BESIDE: Final = (5, 6)
"""Pixels from the middle of a stick to what lies beside it, a thin one or a thick one."""
_BEYOND: Final = _LONG // 2 + 10
_ASLANT: Final = 4
"""Pixels by which a longer bar, a little turned, lies beside the middle of a stick there."""
_ASIDE: Final = 26
"""Pixels to the left and the right that a stick's middle may lie from the middle of the table."""
_TURNS: Final = np.radians(np.arange(-24, 25, 6))


def stick_contrast(rgb: Pixels, found: Detections, river: River, compass: Compass) -> float:
    """By how many grey levels (0 to 255) the likeliest stick before a river is brighter than what lies
    beside it and beyond its ends, where it is least so. Of what is no stick it is rarely above 20."""
    view = _view(found, river, compass)
    best = -np.inf
    for turn in _TURNS:
        c, s = np.cos(turn), np.sin(turn)
        turned = view @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        there = turned @ np.array([[1, 0, -_WIDE / 2], [0, 1, -_HIGH / 2], [0, 0, 1]])
        if abs(np.linalg.det(there)) < _FLAT:
            return 0.0
        part = pixels.warp(rgb, np.linalg.inv(there)[None].astype(np.float32), (_WIDE, _HIGH))[0]
        best = max(best, _contrast(part.mean(axis=2)))
    return float(best)


_FLAT: Final = 1e-12


def _view(found: Detections, river: River, compass: Compass) -> Array:
    """The homography (3, 3) to the photo from pixels about the place where the river's stick lies."""
    quads = project(found.quads[list(river.tiles)].astype(float), compass.plane)
    sides = np.sort(np.linalg.norm(np.stack(axes(quads)), axis=2), axis=0)
    wide, high = np.median(sides, axis=1)
    up = -compass.way(river.owner)
    right = rightwards(up)
    first = quads.mean(axis=1)[: river.rows[0]]
    above = float(np.median(first @ up)) + 1.25 * high
    place = right * (compass.middle @ right) + up * above
    scale = wide / _TILE
    frame = np.array([[right[0], -up[0], place[0]], [right[1], -up[1], place[1]], [0, 0, 1]])
    return np.asarray(np.linalg.inv(compass.plane) @ frame @ np.diag([scale, scale, 1.0]))


def _contrast(grey: Array) -> float:
    part = _LONG // _PARTS
    offsets = [round((k - (_PARTS - 1) / 2) * part) for k in range(_PARTS)]
    bar, thin = _means(grey, _THICK, part), _means(grey, 2, part)
    bars = [_moved(bar, 0, x) for x in offsets]
    least = np.full(grey.shape, np.inf)
    for beside in _BESIDE:
        for side in (-beside, beside):
            for mean, x in zip(bars, offsets, strict=True):
                least = np.minimum(least, mean - _moved(thin, side, x))
    whole, end = np.mean(bars, axis=0), _means(grey, _THICK, 5)
    for x in (-_BEYOND, _BEYOND):
        for y in (-_ASLANT, 0, _ASLANT):
            least = np.minimum(least, whole - _moved(end, y, x))
    middle = grey.shape[1] // 2
    return float(np.nan_to_num(least[:, middle - _ASIDE : middle + _ASIDE], nan=-np.inf).max())


def _means(grey: Array, high: int, wide: int) -> Array:
    """The mean of the box about each pixel; NaN where it reaches beyond the edge."""
    total = np.pad(grey.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    inner = total[high:, wide:] - total[:-high, wide:] - total[high:, :-wide] + total[:-high, :-wide]
    means = np.full(grey.shape, np.nan)
    top, left = high // 2, wide // 2
    means[top : top + inner.shape[0], left : left + inner.shape[1]] = inner / (high * wide)
    return means


def _moved(values: Array, down: int, right: int) -> Array:
    """For each pixel the value so far below and to the right of it."""
    moved = np.full(values.shape, np.nan)
    high, wide = values.shape
    to = slice(max(0, -down), high - max(0, down)), slice(max(0, -right), wide - max(0, right))
    of = slice(max(0, down), high + min(0, down)), slice(max(0, right), wide + min(0, right))
    moved[to] = values[of]
    return moved
