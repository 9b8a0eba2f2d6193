"""The riichi stick: a bright bar before a river, about four tiles long, with a darker surround.

A template of boxes compares its quarters with both sides, and the whole with what lies beyond its ends."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision import pixels
from vision.arrays import Array, Pixels
from vision.config import RIVERS
from vision.detections import Detections
from vision.quads import axes, project
from vision.scene.rivers import Compass, River, rightwards

_CORE: Final = RIVERS.stick_core
_GAP: Final = _CORE - 1
"""Pixels of the thickness of what is compared beside a stick."""
_LENGTH: Final = RIVERS.stick_length * RIVERS.stick_unit
_BESIDE: Final = (_CORE + _GAP, 2 * _CORE)
"""Pixels from the middle line of a stick to what lies beside it, for a thin and for a thick stick."""
_END: Final = _CORE + _GAP
_BEYOND: Final = _LENGTH // 2 + 2 * _END
"""Pixels from the middle of a stick to what lies beyond its ends."""
_SLANT: Final = 2 * _GAP
"""Pixels across, there, by which a longer bar that is a little turned still covers the place."""
_SHIFT: Final = _LENGTH // 2 + _GAP
"""Pixels to the left and the right that a stick's middle may be from the middle of the table."""
_WIDTH: Final = 2 * (_SHIFT + _BEYOND + _END)
"""Pixels of the part of the table that is searched; its height is the length of a stick."""
_WINDOWS: Final = np.stack([
    np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    @ np.array([[1, 0, -_WIDTH / 2], [0, 1, -_LENGTH / 2], [0, 0, 1]])
    for turn in np.radians(np.arange(-RIVERS.stick_turn, RIVERS.stick_turn + 1, RIVERS.stick_step))
])  # fmt: skip
"""(turns, 3, 3): from the pixels of the searched part to those about the place of a stick, at each turn."""


def stick_contrast(rgb: Pixels, found: Detections, river: River, compass: Compass) -> float:
    """Grey levels (0 to 255) by which the likeliest stick before a river is brighter than its surround, at
    the place of the least contrast. Without a stick it is rarely above 20."""
    windows = _stick_view(found, river, compass) @ _WINDOWS
    if np.abs(np.linalg.det(windows)).min() < _FLAT:
        return 0.0
    parts = pixels.warp(rgb, np.linalg.inv(windows).astype(np.float32), (_WIDTH, _LENGTH))
    return _contrast(parts.mean(axis=3))


_FLAT: Final = 1e-12


def _stick_view(found: Detections, river: River, compass: Compass) -> Array:
    """The homography (3, 3) to the photo from template pixels, centred where the river's stick should lie."""
    quads = project(found.quads[list(river.tiles)].astype(float), compass.plane)
    sides = np.sort(np.linalg.norm(np.stack(axes(quads)), axis=2), axis=0)
    wide, high = np.median(sides, axis=1)
    up = -compass.direction(river.owner)
    right = rightwards(up)
    first = quads.mean(axis=1)[: river.rows[0]]
    above = float(np.median(first @ up)) + RIVERS.stick_distance * high
    place = right * (compass.middle @ right) + up * above
    scale = wide / RIVERS.stick_unit
    frame = np.array([[right[0], -up[0], place[0]], [right[1], -up[1], place[1]], [0, 0, 1]])
    return np.asarray(np.linalg.inv(compass.plane) @ frame @ np.diag([scale, scale, 1.0]))


def _contrast(grey: Array) -> float:
    """The best contrast of the template, in grey levels, on pictures (n, h, w)."""
    parts, unit = RIVERS.stick_length, RIVERS.stick_unit
    offsets = [round((k - (parts - 1) / 2) * unit) for k in range(parts)]
    bar, thin = _box_means(grey, _CORE, unit), _box_means(grey, _GAP, unit)
    bars = [_shifted(bar, 0, x) for x in offsets]
    least = np.full(grey.shape, np.inf)
    for beside in _BESIDE:
        for side in (-beside, beside):
            for mean, x in zip(bars, offsets, strict=True):
                least = np.minimum(least, mean - _shifted(thin, side, x))
    whole, end = np.mean(bars, axis=0), _box_means(grey, _CORE, _END)
    for x in (-_BEYOND, _BEYOND):
        for y in (-_SLANT, 0, _SLANT):
            least = np.minimum(least, whole - _shifted(end, y, x))
    middle = grey.shape[2] // 2
    return float(np.nan_to_num(least[..., middle - _SHIFT : middle + _SHIFT], nan=-np.inf).max())


def _box_means(grey: Array, high: int, wide: int) -> Array:
    """The mean of the box around each pixel; NaN where the box crosses the edge."""
    total = np.pad(grey.cumsum(axis=1).cumsum(axis=2), ((0, 0), (1, 0), (1, 0)))
    rows = total[:, high:] - total[:, :-high]
    inner = rows[..., wide:] - rows[..., :-wide]
    means = np.full(grey.shape, np.nan)
    top, left = high // 2, wide // 2
    means[:, top : top + inner.shape[1], left : left + inner.shape[2]] = inner / (high * wide)
    return means


def _shifted(values: Array, down: int, right: int) -> Array:
    """For each pixel the value ``down`` pixels below and ``right`` pixels to the right of it; NaN outside."""
    moved = np.full(values.shape, np.nan)
    _, high, wide = values.shape
    to = slice(max(0, -down), high - max(0, down)), slice(max(0, -right), wide - max(0, right))
    of = slice(max(0, down), high + min(0, down)), slice(max(0, right), wide + min(0, right))
    moved[:, *to] = values[:, *of]
    return moved
