"""Match the tiles of two lists by their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from vision.arrays import Array
from vision.quads import bounds, box_iou

SAME: Final = 0.5
"""The least IoU of two bounding boxes of the same tile."""

Tile = Mapping[str, Any]


def quads(tiles: Sequence[Tile]) -> Array:
    """The corners of tiles: (n, 4, 2) pixels."""
    return np.array([tile["quad"] for tile in tiles], float).reshape(-1, 4, 2)


def pairs(one: Sequence[Tile], other: Sequence[Tile]) -> list[tuple[int, int]]:
    """Pairs of indices of tiles in the same place, greatest IoU first, each tile at most once."""
    shared = box_iou(bounds(quads(one)), bounds(quads(other)))
    found = []
    while shared.size:
        at = np.unravel_index(int(shared.argmax()), shared.shape)
        if shared[at] < SAME:
            break
        found.append((int(at[0]), int(at[1])))
        shared[at[0]] = 0
        shared[:, at[1]] = 0
    return found
