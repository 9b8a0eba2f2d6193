"""What lies around the rivers: hands that do not lie open, and the dead wall."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from vision.detections import Detections
from vision.labels import BACK_INDEX
from vision.players import Seat
from vision.scene.config import RiverConfig
from vision.scene.rivers import Compass, largest_part


def closed_hands(
    found: Detections, compass: Compass, taken: Collection[int], config: RiverConfig
) -> Mapping[Seat, tuple[int, ...]]:
    """The tiles of hands that do not lie open, standing or face down, by their players: backs outside the
    walls, for which the scene model often takes them. ``taken``: detections that are something else."""
    assert found.faces is not None
    backs = found.faces.argmax(axis=1) == BACK_INDEX
    backs[[*taken]] = False
    quads = found.quads.astype(float)
    away = compass.away(quads)
    hands: dict[Seat, list[int]] = {}
    for k in np.flatnonzero(backs).tolist():
        seat = compass.seat_at(quads[[k]])
        if away[k] @ compass.way(seat) > config.outside * compass.high:
            hands.setdefault(seat, []).append(k)
    for seat, tiles in hands.items():
        together = largest_part(away[tiles], config.apart * compass.high)
        hands[seat] = [tile for tile, near in zip(tiles, together, strict=True) if near]
    return {seat: tuple(tiles) for seat, tiles in hands.items() if len(tiles) >= config.closed}


def dead_wall(found: Detections, compass: Compass, dora: Collection[int], config: RiverConfig) -> Seat | None:
    """Before whom the dead wall lies: the indicators are in it, between backs. None where they lie apart."""
    assert found.faces is not None
    backs = np.flatnonzero(found.faces.argmax(axis=1) == BACK_INDEX)
    if not dora or not len(backs):
        return None
    quads = found.quads.astype(float)
    away = compass.away(quads)
    near = np.linalg.norm(away[[*dora]][:, None] - away[backs], axis=2).min(axis=1)
    if near.min() > config.beside_wall * compass.high:
        return None
    return compass.seat_at(quads[[*dora]])
