"""A homography under which the tiles of a hand look as from above, from their quads alone."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array, Array32
from vision.quads import areas, axes

_WIDE, _HIGH = 3.0, 4.0
"""A tile's face, roughly, in any unit."""


def rectifying(quads: Array32) -> Array:
    """The homography (3, 3), near the identity for what is seen from above, under which quads (n, 4, 2) of
    tiles are alike in area and as wide as high as tiles are; the identity where there is none.

    A homography's area goes with the inverse cube of its depth, and depth is linear in the place: the cube
    roots of the areas tell the horizon. What remains is affine, and the tiles' own shapes tell it.
    """
    middle = quads.mean(axis=(0, 1), dtype=float)
    spread = float(np.abs(quads - middle).max())
    corners = (quads - middle) / max(spread, 1e-9)
    centres = corners.mean(axis=1)
    design = np.concatenate([np.ones((len(centres), 1)), centres], axis=1)
    level, across, down = np.linalg.lstsq(design, np.cbrt(np.abs(areas(corners))), rcond=None)[0]
    if level <= 0:
        return np.eye(3)
    horizon = np.array([across, down]) / level
    depths = 1 + corners @ horizon
    if depths.min() <= 0:
        return np.eye(3)
    wide, high = axes(corners / depths[..., None])
    shapes = np.stack([wide / _WIDE, high / _HIGH], axis=2)
    squares = shapes @ shapes.transpose(0, 2, 1)
    unit = squares / np.sqrt(np.abs(np.linalg.det(squares)))[:, None, None]
    values, vectors = np.linalg.eigh(np.median(unit, axis=0))
    if values.min() <= 0:
        return np.eye(3)
    affine, towards = np.eye(3), np.eye(3)
    affine[:2, :2] = vectors @ np.diag(values**-0.5) @ vectors.T
    towards[2, :2] = horizon
    place = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, spread]]) / spread
    back = np.array([[spread, 0, middle[0]], [0, spread, middle[1]], [0, 0, 1]])
    return np.asarray(back @ affine @ towards @ place)
