"""Blocks: pieces that were laid together, and are moved together to where there is room for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from datasets.render.layouts import Piece, Vector, about_z

Spot = tuple[float, float, float]
"""Where a block is moved to: x and y in mm, and radians anticlockwise about its own middle."""


@njit(cache=True)
def _nearest(ones, others, enough):  # type: ignore[no-untyped-def]
    """The least gap between the footprints (n, 6) and (m, 6), negative where two overlap; ``enough`` where it
    is no less."""
    least = enough
    for i in range(len(ones)):
        a = ones[i]
        for j in range(len(others)):
            b = others[j]
            dx, dy = b[0] - a[0], b[1] - a[1]
            if np.hypot(dx, dy) - np.hypot(a[4], a[5]) - np.hypot(b[4], b[5]) >= least:
                continue
            gap = -1e9
            c = a[2] * b[2] + a[3] * b[3]
            s = a[2] * b[3] - a[3] * b[2]
            c, s = abs(c), abs(s)
            for side in range(4):
                o = a if side < 2 else b
                ux, uy = (o[2], o[3]) if side % 2 == 0 else (-o[3], o[2])
                own, along, across = (
                    (o[4 + side % 2], b[4], b[5]) if side < 2 else (o[4 + side % 2], a[4], a[5])
                )
                reach = along * c + across * s if side % 2 == 0 else along * s + across * c
                gap = max(gap, abs(dx * ux + dy * uy) - own - reach)
            least = min(least, gap)
    return least


def footprints(pieces: Sequence[Piece]) -> Vector:
    """(n, 6) the footprint of each piece on the table: x, y, the direction (x, y) of its face's upper edge,
    and its half sizes along and across it.

    The pieces lie or stand with level edges.
    """
    axes = np.array([piece.axes for piece in pieces]).reshape(-1, 3, 3)
    size = np.array([piece.size for piece in pieces]).reshape(-1, 3)
    centre = np.array([piece.centre for piece in pieces]).reshape(-1, 3)
    deep = np.hypot(axes[:, 0, 1:], axes[:, 1, 1:])
    across = (deep * size[:, 1:]).sum(axis=1)
    prints = [centre[:, :2], axes[:, :2, 0], size[:, :1] / 2, across[:, None] / 2]
    return np.ascontiguousarray(np.concatenate(prints, axis=1))


def nearest(ones: Sequence[Piece], others: Sequence[Piece], enough: float = 1e6) -> float:
    """The least gap in mm between pieces of two groups seen from above, negative where two overlap;
    ``enough`` where it is no less."""
    return float(_nearest(footprints(ones), footprints(others), enough))


def move(pieces: Sequence[Piece], yaw: float, x: float = 0.0, y: float = 0.0) -> None:
    """Turn pieces about the origin, then shift them."""
    turn = about_z(yaw)
    for piece in pieces:
        piece.centre = turn @ piece.centre + np.array([x, y, 0.0])
        piece.axes = turn @ piece.axes


def bounds(pieces: Sequence[Piece]) -> tuple[float, float, float, float]:
    """x0, y0, x1, y1 of what pieces cover of the table."""
    prints = footprints(pieces)
    c, s = np.abs(prints[:, 2]), np.abs(prints[:, 3])
    reach = np.stack([prints[:, 4] * c + prints[:, 5] * s, prints[:, 4] * s + prints[:, 5] * c], 1)
    low, high = (prints[:, :2] - reach).min(axis=0), (prints[:, :2] + reach).max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def settle(
    block: Sequence[Piece], others: Sequence[Piece], spot: Callable[[], Spot], least: float, tries: int = 30
) -> bool:
    """Move a block to the first of some spots where it is ``least`` mm from all others; False if none is."""
    x0, y0, x1, y1 = bounds(block)
    move(block, 0.0, -(x0 + x1) / 2, -(y0 + y1) / 2)
    own, taken = footprints(block), footprints(others)
    for _ in range(tries):
        x, y, yaw = spot()
        if _nearest(_moved(own, x, y, yaw), taken, least) >= least:
            move(block, yaw, x, y)
            return True
    return False


def _moved(prints: Vector, x: float, y: float, yaw: float) -> Vector:
    turn: NDArray[np.float64] = about_z(yaw)[:2, :2].T
    moved = prints.copy()
    moved[:, :2] = prints[:, :2] @ turn + (x, y)
    moved[:, 2:4] = prints[:, 2:4] @ turn
    return moved
