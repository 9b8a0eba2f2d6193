"""From pixels to millimetres on the table: what makes a photo's perspective harmless.

Tiles that lie on a table are equal rectangles in one plane. Their quads alone therefore tell how that
plane is seen: how fast areas shrink tells its horizon, and how widths, heights and right angles are bent
tells the rest. In the plane rows are straight, gaps are millimetres and a turned tile is turned by 90°.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vision.arrays import Array
from vision.quads import areas, axes, project

TILE_WIDTH = 19.0
TILE_HEIGHT = 26.0
"""Millimetres of a riichi tile's face; the unit does not matter, the ratio (1.37) does."""

_TRIANGLES = np.array([[3, 0, 1], [0, 1, 2], [1, 2, 3], [2, 3, 0]])
_AREA_NOISE = 0.04
"""How far the cube root of a corner triangle's area strays, as a share (corners off by 3 % of a tile)."""
_HORIZON_PRIOR = 0.04
"""How much depth may change over one tile before the quads have to prove it: 26 mm seen from 60 cm."""
_UNTRUSTED = 0.1
"""What a quad without trust still weighs."""
_MISFIT = 0.2
"""Widths and heights this far from a tile's, as a log, make a quad count a quarter."""
_SIDE_NOISE = 0.08
"""How far sides, as a log, and right angles, as a cosine, stray."""
_TURN_NOISE = 0.04
"""Radians by which neighbours in a row lie turned, or seem to."""
_BESIDE = 2.0
"""Neighbours' centres are at most so many tiles apart in the photo."""
_ABOUT = 130.0
"""Millimetres around tiles in which others may have been missed: a meld of four set a little apart."""
_ROUNDS = 4
_STEPS = 5
_SETTLED = 0.03
"""No weight has changed by more: another round would find the same plane."""
_AGREED = 0.6
"""With less than this share of the quads in one plane, other planes are tried."""
_SEEDS = 8
_NEIGHBOURS = 12
_AS_LARGE = float(np.log(1.5))
"""How far the logs of the sizes of neighbours lie apart, at most."""


@dataclass(frozen=True, slots=True)
class Plane:
    """The table's plane. ``matrix``: 3×3, pixels to millimetres, up to a turn and a shift."""

    matrix: Array

    def apply(self, points: Array) -> Array:
        """Pixels (..., 2) to millimetres (..., 2); points beyond the horizon stay at its near side."""
        return project(points, self.matrix, 1e-3)

    def invert(self, points: Array) -> Array:
        """Millimetres (..., 2) to pixels (..., 2)."""
        matrix = np.linalg.inv(self.matrix)
        return project(points, matrix / matrix[2, 2], 1e-6)

    def from_above(self, quads: Array, side: float, most: int) -> tuple[Array, tuple[int, int]]:
        """How to see the tiles at ``quads`` (n, 4, 2) and what lies about them from straight above.

        Returns the homography (3, 3) from the photo's pixels to those of a picture in which tiles lie along
        the axes and are ``side`` pixels large (smaller where it would exceed ``most`` pixels), and the
        picture's width and height.
        """
        flat = self.apply(quads)
        across, along = axes(flat)
        fourfold = sum(np.exp(4j * np.arctan2(v[:, 1], v[:, 0])).sum() for v in (across, along))
        angle = -np.angle(fourfold) / 4
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        corners = flat.reshape(-1, 2) @ turn.T
        low, high = corners.min(axis=0) - _ABOUT, corners.max(axis=0) + _ABOUT
        scale = min(side / np.sqrt(TILE_WIDTH * TILE_HEIGHT), most / float((high - low).max()))
        place = np.eye(3)
        place[:2, :2], place[:2, 2] = scale * turn, -scale * low
        width, height = np.ceil((high - low) * scale).astype(int)
        return np.asarray(place @ self.matrix), (int(width), int(height))


def fit_plane(quads: Array, trust: Array) -> Plane:
    """The plane in which most of the quads are tiles.

    ``quads``: (n, 4, 2) pixels, clockwise from the face's own top left (or from its bottom right).
    ``trust``: (n,) 0 to 1; how sure it is that a quad is a face whose first edge is a short one. Quads
    without trust (backs may stand, and are alike any way up) say little until the others agree.
    """
    quads = np.asarray(quads, float)
    centre = quads.reshape(-1, 2).mean(axis=0)
    unit = max(float(np.sqrt(np.median(np.abs(areas(quads))) + 1e-9)), 1e-6)
    normal = (quads - centre) / unit  # one tile is about 1 in these
    share = _UNTRUSTED + np.asarray(trust, float)
    tries = _settle(normal, share[None], share)
    agreed = float(tries[2][0])
    if agreed < _AGREED * share.sum():
        # Tiles of several planes (standing, leaning): start again from each neighbourhood by itself.
        near = list(_neighbourhoods(normal, share))
        others = _settle(normal, share * np.array(near).reshape(-1, len(share)), share)
        if near and others[2].max() > agreed:
            tries = others
    best = int(tries[2].argmax())
    horizon, metric = _straightened(normal, share, tries[0][best], tries[1][best])
    to_normal = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, unit]]) / unit
    tilt = np.array([[1, 0, 0], [0, 1, 0], [horizon[0], horizon[1], 1.0]])
    stretch = np.eye(3)
    stretch[:2, :2] = metric
    return Plane(stretch @ tilt @ to_normal)


def _settle(quads: Array, weights: Array, share: Array) -> tuple[Array, Array, Array]:
    """Horizons (k, 2), metrics (k, 2, 2) and how much of ``share`` agrees (k,), found from the quads of each
    of the ``weights`` (k, n), all at once: of so few numbers the calls are what takes time."""
    triangles = quads[:, _TRIANGLES]  # (n, 4, 3, 2)
    root = np.cbrt(np.abs(areas(triangles)) + 1e-12).reshape(-1)
    place = triangles.mean(axis=2).reshape(-1, 2)
    count = len(weights)
    horizon, metric = np.zeros((count, 2)), np.tile(np.eye(2), (count, 1, 1))
    off, going = np.zeros(weights.shape), np.ones(count, bool)
    for _ in range(_ROUNDS):
        if not going.any():
            break
        slope = _horizon(root, place, weights[going], horizon[going])
        horizon[going] = slope
        level = quads / np.maximum(quads @ slope.T + 1.0, 0.05).transpose(2, 0, 1)[..., None]
        metric[going], off[going] = _metric(level, weights[going], share)
        before, weights = weights, np.where(going[:, None], share * _agreement(off), weights)
        going &= np.abs(weights - before).max(axis=1) >= _SETTLED
    return horizon, metric, np.asarray((share * _agreement(off)).sum(axis=1))


def _straightened(quads: Array, share: Array, horizon: Array, metric: Array) -> tuple[Array, Array]:
    """Horizon and metric, made better by what the areas of one row cannot tell: neighbours lie parallel.

    In a single row the depth across it is seen over one tile's height only, but tiles that lie side by side
    and fan out in the photo betray it. Robust Gauss-Newton steps on sides, right angles and the turns
    between neighbours (modulo a quarter), the last of which heaps disagree on and then say nothing.
    """
    level = quads / np.maximum(quads @ horizon + 1.0, 0.05)[..., None]
    wide, tall = (np.linalg.norm(edge @ metric.T, axis=1) for edge in axes(level))
    width = np.where(wide > tall, TILE_HEIGHT, TILE_WIDTH)
    height = TILE_WIDTH + TILE_HEIGHT - width
    sure = np.flatnonzero(share > 0.5)
    x, y = quads[sure].mean(axis=1).T
    near = np.triu((x - x[:, None]) ** 2 + (y - y[:, None]) ** 2 < _BESIDE**2, 1)
    one, other = (sure[each] for each in np.nonzero(near))
    corners = quads.transpose(2, 0, 1)[:, None].copy()  # (2, 1, n, 4)

    def residuals(values: Array) -> Array:
        """(k, m) of horizons and metrics (k, 5)."""
        tilt_x, tilt_y, x, y, z = values.T[..., None, None]
        flat = corners / np.maximum(tilt_x * corners[0] + tilt_y * corners[1] + 1.0, 0.05)
        a, b, c, d = np.moveaxis(np.stack([x * flat[0] + y * flat[1], z * flat[1]]), -1, 0)
        across, along = (b - a + c - d) / 2, (d - a + c - b) / 2  # (2, k, n)
        wide, tall = (np.maximum(np.hypot(*each), 1e-6) for each in (across, along))
        square = (across[0] * along[0] + across[1] * along[1]) / (wide * tall)
        angle = np.arctan2(across[1], across[0])
        turn = np.sin(4 * (angle[:, one] - angle[:, other])) / 4
        return np.concatenate([
            np.log(wide / width) / _SIDE_NOISE, np.log(tall / height) / _SIDE_NOISE, square / _SIDE_NOISE,
            turn / _TURN_NOISE, values[:, :2] / (2 * _HORIZON_PRIOR),
        ], axis=1)  # fmt: skip

    trust = np.concatenate([np.tile(share, 3), np.sqrt(share[one] * share[other]), np.ones(2)])
    best = np.array([*horizon, metric[0, 0], metric[0, 1], metric[1, 1]])
    step = np.array([1e-4, 1e-4, 1e-3, 1e-3, 1e-3])
    around = np.vstack([np.zeros(5), np.diag(step)])
    for _ in range(_STEPS):
        now, *moved = residuals(best + around)
        slopes = ((np.array(moved) - now) / step[:, None]).T
        heavy = trust / (1.0 + (now / 3) ** 2) ** 2
        normal = slopes.T @ (slopes * heavy[:, None])
        damped = normal + np.diag(1e-3 * np.diag(normal) + 1e-9)
        best = best - np.linalg.solve(damped, slopes.T @ (heavy * now))
    return best[:2], np.array([[best[2], best[3]], [0.0, best[4]]])


def _agreement(off: Array) -> Array:
    return np.asarray(1.0 / (1.0 + (off / _MISFIT) ** 2) ** 2)


def _neighbourhoods(quads: Array, share: Array) -> Iterator[Array]:
    """(n,) masks: the quads around some sure ones that lie apart from one another, those alone that are about
    as large: a card or a calculator among them, taken for a tile, would be the only one of its plane."""
    centre, size = quads.mean(axis=1), np.log(np.maximum(np.abs(areas(quads)), 1e-9)) / 2
    apart = np.linalg.norm(centre[:, None] - centre[None], axis=-1)
    open_seeds = share > 0.5
    for _ in range(_SEEDS):
        if not open_seeds.any():
            return
        seed = int(np.where(open_seeds, centre[:, 1], -np.inf).argmax())
        order = np.argsort(apart[seed])[:_NEIGHBOURS]
        order = order[np.abs(size[order] - size[seed]) < _AS_LARGE]
        near = np.zeros(len(quads))
        near[order] = 1.0
        open_seeds[order] = False
        yield near


def _horizon(root: Array, place: Array, weights: Array, slopes: Array) -> Array:
    """The gradients (k, 2) of relative nearness: a triangle's area is the product of nearness at its corners.

    So the cube root of the areas of equal triangles is linear in their place, up to second order. ``root``:
    (4n,) of the quads' corner triangles, which lie at ``place`` (4n, 2); ``weights``: (k, n) of the quads;
    ``slopes``: first guesses (k, 2).
    """
    share = np.repeat(weights, 4, axis=1)
    base = _weighted_medians(root / np.maximum(1 + slopes @ place.T, 0.05), share)[:, None]
    slopes = base * slopes
    design = np.column_stack([np.ones_like(root), place])
    for width in (0.4, 0.2, 0.12):
        expected = np.maximum(base + slopes @ place.T, 0.05 * base)
        off = (root - expected) / expected
        heavy = share / (1.0 + (off / width) ** 2) ** 2 / (_AREA_NOISE * expected) ** 2
        normal = (heavy[:, None] * design.T) @ design
        prior = 1.0 / (_HORIZON_PRIOR * base[:, 0]) ** 2
        normal[:, 1, 1] += prior
        normal[:, 2, 2] += prior
        found = _solved(normal, (heavy * root) @ design)
        base, slopes = found[:, :1], found[:, 1:]
    return np.asarray(slopes / base)


def _solved(matrices: Array, values: Array) -> Array:
    """(k, m) of equations (k, m, m) and their right sides (k, m)."""
    return np.asarray(np.linalg.solve(matrices, values[..., None])[..., 0])


def _weighted_medians(values: Array, weights: Array) -> Array:
    """(k,) of each row of values (k, m)."""
    rows, order = np.arange(len(values)), np.argsort(values, axis=1)
    total = np.cumsum(weights[rows[:, None], order], axis=1)
    middle = (total >= total[:, -1:] / 2).argmax(axis=1)
    return np.asarray(values[rows, order[rows, middle]])


def _metric(quads: Array, weights: Array, share: Array) -> tuple[Array, Array]:
    """The maps (k, 2, 2) that make the quads (k, n, 4, 2), already free of perspective, 19×26 rectangles, and
    their misfit (k, n).

    ``weights``: (k, n) of the quads; ``share``: (n,) above one half for those whose first edge is surely
    short.
    """
    across, along = (np.moveaxis(axis, -1, 0).copy() for axis in axes(quads))  # (2, k, n)
    tiles, held = weights.shape[1], weights
    # Of two edges u and v, uᵀ S v is what the rows are multiplied to by (S00, S01, S11), in mm².
    (ux, uy), (vx, vy) = (np.concatenate([across, along, each], axis=-1) for each in (across, along))
    rows = np.stack([ux * vx, ux * vy + uy * vx, uy * vy], axis=1)  # (k, 3, 3n)
    sure = np.where(share > 0.5, 0.5, 0.0)
    width, height = np.log(TILE_WIDTH), np.log(TILE_HEIGHT)
    square, lying = np.full(weights.shape, TILE_WIDTH * TILE_HEIGHT), np.zeros(weights.shape, bool)
    for _ in range(3):
        first, second = np.where(lying, TILE_HEIGHT, TILE_WIDTH), np.where(lying, TILE_WIDTH, TILE_HEIGHT)
        goal = np.concatenate([first * first, second * second, square], axis=1)
        heavy = (np.concatenate([weights] * 3, axis=1) + 1e-9) / goal
        normal = (rows * (heavy / goal)[:, None]) @ rows.transpose(0, 2, 1) + 1e-9 * np.eye(3)
        a, b, c = _solved(normal, (rows[..., : 2 * tiles] @ heavy[:, : 2 * tiles, None])[..., 0]).T
        x, y, z = (each[:, None] for each in _root(a, b, c))
        one, other = (
            np.log(np.maximum((x * edge[0] + y * edge[1]) ** 2 + (z * edge[1]) ** 2, 1e-12)) / 2
            for edge in (across, along)
        )
        wide, tall = np.where(lying, other, one), np.where(lying, one, other)
        misfit = np.abs(wide - width) + np.abs(tall - height)
        turned = np.abs(tall - width) + np.abs(wide - height)
        # A face that is sure of its short side has to be far off before it is taken to be wrong.
        lying ^= turned + sure < misfit
        off = np.minimum(misfit, turned)
        weights = held * _agreement(off)
    return np.concatenate([x, y, np.zeros_like(x), z], axis=1).reshape(-1, 2, 2), off


def _root(a: Array, b: Array, c: Array) -> tuple[Array, Array, Array]:
    """Of symmetric matrices S, ``a`` and ``c`` (k,) on their diagonals, the upper triangular R whose RᵀR they
    are: both of its diagonal and what lies between. An S that stretches one way hardly at all is widened."""
    middle, spread = (a + c) / 2, np.hypot((a - c) / 2, b)  # its eigenvalues are these, one plus the other
    least = 0.003 * np.maximum(middle + spread, 1e-9)
    low, high = np.maximum(middle - spread, least), np.maximum(middle + spread, least)
    share = (high - low) / np.maximum(2 * spread, 1e-12)
    more = (high + low) / 2 - share * middle
    a, b, c = share * a + more, share * b, share * c + more
    x = np.sqrt(a)
    return x, b / x, np.sqrt(c - (b / x) ** 2)
