"""What lies around the rivers: hands that do not lie open, and the dead wall."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from vision.arrays import Array
from vision.detections import Detections
from vision.labels import BACK, WITH_FOREIGN
from vision.players import Seat
from vision.quads import axes, project
from vision.scene.config import RIVERS, RiverConfig
from vision.scene.rivers import Compass, River, largest_part

_BACK = WITH_FOREIGN.index(BACK)


def closed_hands(
    found: Detections, compass: Compass, seen: Sequence[River], taken: Collection[int],
    config: RiverConfig = RIVERS,
) -> Mapping[Seat, tuple[int, ...]]:  # fmt: skip
    """The tiles of hands that do not lie open, standing or face down, by their players: backs outside the
    walls, for which the scene model often takes them. ``taken``: detections that are something else."""
    assert found.faces is not None
    backs = found.faces.argmax(axis=1) == _BACK
    backs[[*taken]] = False
    away, high = _away(found, compass), _height(found, compass, seen)
    hands: dict[Seat, list[int]] = {}
    for k in np.flatnonzero(backs).tolist():
        seat = compass.seat_towards(float(np.arctan2(away[k, 1], away[k, 0])))
        if away[k] @ compass.way(seat) > config.outside * high:
            hands.setdefault(seat, []).append(k)
    for seat, tiles in hands.items():
        together = largest_part(away[tiles], config.apart * high)
        hands[seat] = [tile for tile, near in zip(tiles, together, strict=True) if near]
    return {seat: tuple(tiles) for seat, tiles in hands.items() if len(tiles) >= config.closed}


def dead_wall(
    found: Detections, compass: Compass, seen: Sequence[River], dora: Collection[int],
    config: RiverConfig = RIVERS,
) -> Seat | None:  # fmt: skip
    """Before whom the dead wall lies: the indicators are in it, between backs. None where they lie apart."""
    assert found.faces is not None
    backs = np.flatnonzero(found.faces.argmax(axis=1) == _BACK)
    if not dora or not len(backs):
        return None
    away, high = _away(found, compass), _height(found, compass, seen)
    near = np.linalg.norm(away[[*dora]][:, None] - away[backs], axis=2).min(axis=1)
    if near.min() > config.beside_wall * high:
        return None
    x, y = away[[*dora]].mean(axis=0)
    return compass.seat_towards(float(np.arctan2(y, x)))


def _away(found: Detections, compass: Compass) -> Array:
    """(n, 2) from the middle of the table to each tile, seen from above."""
    return np.asarray(project(found.quads.astype(float), compass.plane).mean(axis=1) - compass.middle)


def _height(found: Detections, compass: Compass, seen: Sequence[River]) -> float:
    """The longer side of a lying tile, seen from above."""
    tiles = [tile for river in seen for tile in river.tiles]
    quads = project(found.quads[tiles].astype(float), compass.plane)
    return float(np.median(np.linalg.norm(np.stack(axes(quads)), axis=2).max(axis=0)))
