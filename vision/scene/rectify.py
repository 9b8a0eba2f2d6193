"""The homography that rectifies tiles to a view from above, from their quads alone."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array, Array32
from vision.config import GEOMETRY
from vision.quads import areas, axes


def rectifying(quads: Array32) -> Array:
    """The homography (3, 3) under which quads (n, 4, 2) of tiles have one area and the aspect of a tile; the
    identity if there is none, and nearly so for a photo from above.

    A homography scales areas by the inverse cube of depth, and depth is linear in position. So the cube roots
    of the areas give the horizon. The rest is affine, and follows from the tiles' shapes.
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
    shapes = np.stack([wide / GEOMETRY.aspect, high], axis=2)
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
