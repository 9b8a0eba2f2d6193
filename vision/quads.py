"""Geometry of four-cornered outlines: edges, axes, areas, projection, overlap.

A quad is (4, 2): x and y of its corners, clockwise in the picture, whose y axis points down. The first edge
is the face's top (or bottom) where that is known. Arrays of quads are (n, 4, 2).
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Array, Array32, Indices, Mask
from vision.config import GEOMETRY

F = TypeVar("F", np.float32, np.float64)


def edges(quads: NDArray[F]) -> NDArray[F]:
    """From each corner to the next: (..., 4, 2)."""
    return np.roll(quads, -1, axis=-2) - quads


def lengths(quads: NDArray[F]) -> NDArray[F]:
    """Lengths (..., 4) of top, right, bottom and left."""
    along = edges(quads)
    return np.hypot(along[..., 0], along[..., 1])


def axes(quads: NDArray[F]) -> tuple[NDArray[F], NDArray[F]]:
    """Mean top-edge and side vectors, (..., 2) each: the sides of the parallelograms next to the quads."""
    a, b, c, d = (quads[..., k, :] for k in range(4))
    across: NDArray[F] = np.divide(b - a + c - d, 2)
    along: NDArray[F] = np.divide(d - a + c - b, 2)
    return across, along


def cross(a: NDArray[F], b: NDArray[F]) -> NDArray[F]:
    """Cross products (...) of vectors (..., 2), positive where ``b`` lies clockwise of ``a``."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def areas(polygons: NDArray[F]) -> NDArray[F]:
    """Areas (...) of polygons (..., k, 2), positive where they run clockwise in the picture."""
    twice = cross(polygons, np.roll(polygons, -1, axis=-2)).sum(axis=-1)
    area: NDArray[F] = np.divide(twice, 2)
    return area


def sizes(quads: NDArray[F]) -> NDArray[F]:
    """Square roots (...) of the quads' areas."""
    return np.sqrt(np.abs(cross(*axes(quads))))


def parallelograms(centre: NDArray[F], across: NDArray[F], along: NDArray[F]) -> NDArray[F]:
    """Quads (..., 4, 2), clockwise, about centres (..., 2), with the sides that :func:`axes` returns."""
    along = np.where(cross(across, along)[..., None] < 0, -along, along)
    corners = [centre + (a * across + b * along) / 2 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return np.stack(corners, -2)


def _bends(quads: NDArray[F]) -> NDArray[F]:
    """(..., 4): positive where quads (..., 4, 2) bend clockwise."""
    along = edges(quads)
    return cross(along, np.roll(along, -1, axis=-2))


def clockwise(quads: NDArray[F]) -> Mask:
    """Which quads (..., 4, 2) are convex and run clockwise."""
    return np.asarray((_bends(quads) > 0).all(axis=-1))


def convex(quads: NDArray[F]) -> Mask:
    """Which quads (..., 4, 2) are convex, whichever way they run."""
    bends = _bends(quads)
    return np.asarray((bends > 0).all(axis=-1) | (bends < 0).all(axis=-1))


def project(points: NDArray[F], matrix: Array) -> NDArray[F]:
    """Points (..., 2) through a homography (3, 3), or (n, k, 2) through n of them; those on the horizon come
    to the origin."""
    x, y = points[..., 0].astype(np.float64), points[..., 1].astype(np.float64)
    each = matrix if matrix.ndim == 2 else matrix[:, None]
    across, down, depth = (each[..., k, 0] * x + each[..., k, 1] * y + each[..., k, 2] for k in range(3))
    share = 1 / np.where(np.abs(depth) > _HORIZON, depth, np.inf)
    return np.stack([across * share, down * share], -1).astype(points.dtype)


_HORIZON = float(np.finfo(np.float32).eps)


def rotated(quads: NDArray[F], quarters: int | Indices) -> NDArray[F]:
    """The quads (..., 4, 2) with their corners shifted so that crops appear rotated clockwise by ``quarters``
    (...). ``rotated(rotated(quad, k), -k)`` is ``quad``."""
    order = (np.arange(4) - np.asarray(quarters)[..., None]) % 4
    return np.take_along_axis(quads, order[..., None], axis=-2)


def turns_between(quads: NDArray[F], others: NDArray[F]) -> Indices:
    """(n,) quarters by which :func:`rotated` takes each quad (n, 4, 2) to the order of the other."""
    ways = np.stack([np.roll(quads, quarters, axis=1) for quarters in range(4)], axis=1)
    return np.asarray(np.abs(ways - others[:, None]).sum(axis=(2, 3)).argmin(axis=1))


# --- overlap ------------------------------------------------------------------------------------------------


def bounds(quads: NDArray[F]) -> NDArray[F]:
    """Axis-aligned boxes x0, y0, x1, y1 (n, 4) of quads (n, 4, 2)."""
    return np.concatenate([quads.min(1), quads.max(1)], -1)


def box_iou(a: NDArray[F], b: NDArray[F]) -> NDArray[F]:
    """Intersection over union of every box of ``a`` (n, 4) with every box of ``b`` (m, 4): (n, m)."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    shared = np.prod(np.clip(high - low, 0, None), -1)
    first, second = (np.prod(boxes[:, 2:] - boxes[:, :2], -1) for boxes in (a, b))
    shares: NDArray[F] = shared / np.maximum(first[:, None] + second[None] - shared, 1e-9)
    return shares


def overlaps_any(quads: NDArray[F], others: NDArray[F], within: float = GEOMETRY.centre) -> Mask:
    """(n,) which quads (n, 4, 2) show the same tile as one of the others (k, 4, 2): the centre of one lies
    ``within`` so many sides of the other's centre."""
    return np.asarray((distances(quads, others) < within).any(axis=1), np.bool_)


def distances(quads: NDArray[F], others: NDArray[F]) -> NDArray[F]:
    """(n, k): distances between the centres of quads (n, 4, 2) and others (k, 4, 2), in sides of one of the
    two, whichever is less: 1/2 if a centre lies on the other's edge."""
    return np.minimum(_distances_in_sides(quads, others), _distances_in_sides(others, quads).T)


def _distances_in_sides(quads: NDArray[F], others: NDArray[F]) -> NDArray[F]:
    """The same in sides of the others."""
    across, along = axes(others)
    area = cross(across, along)
    safe = np.where(np.abs(area) < 1e-3, 1e-3, area)
    delta = quads.mean(1)[:, None] - others.mean(1)[None]
    sides: NDArray[F] = np.maximum(np.abs(cross(delta, along)), np.abs(cross(across, delta))) / np.abs(safe)
    return sides


def suppress(quads: NDArray[F]) -> Indices:
    """Indices of the quads that non-maximum suppression keeps; ``quads`` are sorted best first. Of two that
    show the same tile, the better stays."""
    if not len(quads):
        return np.zeros(0, np.intp)
    alive = np.ones(len(quads), bool)
    for i, j in np.argwhere(np.triu(distances(quads, quads) < GEOMETRY.centre, 1)).tolist():
        alive[j] &= not alive[i]
    return np.flatnonzero(alive)


def lies_sideways(quads: Array32) -> Mask:
    """(n,) which of a set's quads (n, 4, 2) lie on their side: at more than 45° to most of them."""
    across, _ = axes(quads)
    facing = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-6)
    # Upside down is not sideways: the sign does not matter.
    along = np.abs(facing @ facing.T) > np.cos(np.pi / 4)
    crosswise: Mask = ~along[along.sum(axis=1).argmax()]
    return crosswise


def largest_component(centres: Array, apart: Array | float, counted: Mask | bool = True) -> Mask:
    """(n,) which points (n, 2) are in the largest connected component, by its points that are ``counted``
    (n,). Two points are connected if they lie nearer than ``apart``, which may be (n, n)."""
    linked = np.linalg.norm(centres[:, None] - centres[None], axis=2) < apart
    for _ in range(len(centres).bit_length()):
        linked = linked @ linked
    return np.asarray(linked[(linked & counted).sum(axis=1).argmax()])
