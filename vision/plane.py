"""From pixels to millimetres on the table: what makes a photo's perspective harmless.

Tiles that lie on a table are equal rectangles in one plane. Their quads alone therefore tell how that
plane is seen: how fast areas shrink tells its horizon, and how widths, heights and right angles are bent
tells the rest. In the plane rows are straight, gaps are millimetres and a turned tile is turned by 90°.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TILE_WIDTH = 19.0
TILE_HEIGHT = 26.0
"""Millimetres of a riichi tile's face; the unit does not matter, the ratio (1.37) does."""

_TRIANGLES = np.array([[3, 0, 1], [0, 1, 2], [1, 2, 3], [2, 3, 0]])
_AREA_NOISE = 0.04
"""How far the cube root of a corner triangle's area strays, as a share (corners off by 3 % of a tile)."""
_HORIZON_PRIOR = 0.04
"""How much depth may change over one tile before the quads have to prove it: 26 mm seen from 60 cm."""
_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Plane:
    """The table's plane. ``matrix``: 3×3, pixels to millimetres, up to a turn and a shift."""

    matrix: Array

    def apply(self, points: Array) -> Array:
        """Pixels (..., 2) to millimetres (..., 2); points beyond the horizon stay at its near side."""
        flat = points @ self.matrix[:2, :2].T + self.matrix[:2, 2]
        depth = points @ self.matrix[2, :2] + self.matrix[2, 2]
        return np.asarray(flat / np.maximum(depth, 1e-3)[..., None])

    def invert(self, points: Array) -> Array:
        """Millimetres (..., 2) to pixels (..., 2)."""
        matrix = np.linalg.inv(self.matrix)
        matrix = matrix / matrix[2, 2]
        flat = points @ matrix[:2, :2].T + matrix[:2, 2]
        depth = points @ matrix[2, :2] + matrix[2, 2]
        return np.asarray(flat / np.maximum(depth, 1e-6)[..., None])


def fit_plane(quads: Array, trust: Array) -> Plane:
    """The plane in which most of the quads are tiles.

    ``quads``: (n, 4, 2) pixels, clockwise from the face's own top left (or from its bottom right).
    ``trust``: (n,) at least 0; how sure it is that the first edge of a quad is a short one. Quads without
    trust help to find the horizon alone, until the others have told which of their edges are short.
    """
    quads = np.asarray(quads, float)
    centre = quads.reshape(-1, 2).mean(axis=0)
    unit = max(float(np.sqrt(np.median(np.abs(_areas(quads))) + 1e-9)), 1e-6)
    normal = (quads - centre) / unit  # one tile is about 1 in these
    horizon = _horizon(normal)
    level = normal / np.maximum(normal @ horizon + 1.0, 0.05)[..., None]
    metric = _metric(level, np.asarray(trust, float))
    to_normal = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, unit]]) / unit
    tilt = np.array([[1, 0, 0], [0, 1, 0], [horizon[0], horizon[1], 1.0]])
    stretch = np.eye(3)
    stretch[:2, :2] = metric
    return Plane(stretch @ tilt @ to_normal)


def _areas(quads: Array) -> Array:
    following = np.roll(quads, -1, axis=-2)
    cross = quads[..., 0] * following[..., 1] - quads[..., 1] * following[..., 0]
    return np.asarray(cross.sum(axis=-1) / 2)


def _quadratic(a: Array, b: Array) -> Array:
    """Rows whose product with (S00, S01, S11) is aᵀ S b."""
    return np.column_stack([a[:, 0] * b[:, 0], a[:, 0] * b[:, 1] + a[:, 1] * b[:, 0], a[:, 1] * b[:, 1]])


def _horizon(quads: Array) -> Array:
    """The gradient (2,) of relative nearness: a triangle's area is the product of nearness at its corners.

    So the cube root of the areas of equal triangles is linear in their place, up to second order.
    """
    triangles = quads[:, _TRIANGLES]  # (n, 4, 3, 2)
    root = np.cbrt(np.abs(_areas(triangles)) + 1e-12).reshape(-1)
    place = triangles.mean(axis=2).reshape(-1, 2)
    base, slope = float(np.median(root)), np.zeros(2)
    for width in np.geomspace(0.4, 0.1, _ROUNDS):
        expected = np.maximum(base + place @ slope, 0.05 * base)
        off = (root - expected) / expected
        weight = 1.0 / (1.0 + (off / width) ** 2) ** 2 / (_AREA_NOISE * expected) ** 2
        design = np.column_stack([np.ones_like(root), place])
        normal = design.T @ (design * weight[:, None])
        normal[1, 1] += 1.0 / (_HORIZON_PRIOR * base) ** 2
        normal[2, 2] += 1.0 / (_HORIZON_PRIOR * base) ** 2
        base, *gradient = np.linalg.solve(normal, design.T @ (weight * root))
        slope = np.array(gradient)
    return np.asarray(slope / base)


def _metric(quads: Array, trust: Array) -> Array:
    """The 2×2 map that makes the quads, already free of perspective, 19×26 rectangles."""
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    along = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    weight = trust.copy() if trust.sum() > 0 else np.ones(len(quads))
    result = np.eye(2) * TILE_WIDTH
    for _ in range(_ROUNDS):
        rows = np.concatenate([
            _quadratic(across, across) / TILE_WIDTH**2,
            _quadratic(along, along) / TILE_HEIGHT**2,
            _quadratic(across, along) / (TILE_WIDTH * TILE_HEIGHT),
        ])
        goal = np.concatenate([np.ones(2 * len(quads)), np.zeros(len(quads))])
        heavy = np.sqrt(np.tile(weight, 3)) + 1e-9
        (a, b, c), *_ = np.linalg.lstsq(rows * heavy[:, None], goal * heavy, rcond=None)
        values, vectors = np.linalg.eigh(np.array([[a, b], [b, c]]))
        values = np.maximum(values, 0.003 * max(float(values[1]), 1e-9))
        result = np.linalg.cholesky(vectors @ np.diag(values) @ vectors.T).T
        wide, tall = (np.linalg.norm(edge @ result.T, axis=1) for edge in (across, along))
        swapped = wide > tall
        across, along = (
            np.where(swapped[:, None], along, across), np.where(swapped[:, None], across, along),
        )  # fmt: skip
        off = np.abs(np.log(np.maximum(np.minimum(wide, tall), 1e-6) / TILE_WIDTH))
        off += np.abs(np.log(np.maximum(np.maximum(wide, tall), 1e-6) / TILE_HEIGHT))
        weight = (0.1 + trust) / (1.0 + (off / 0.15) ** 2)
    return np.asarray(result)
