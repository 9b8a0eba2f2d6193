"""Tiles that show their backs: closed hands and the dead wall."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from vision.config import CONFIG, RiverConfig
from vision.detections import Detections
from vision.labels import BACK_INDEX
from vision.players import Seat
from vision.quads import largest_component
from vision.scene.rivers import Compass


def closed_hands(
    found: Detections, compass: Compass, taken: Collection[int], config: RiverConfig
) -> Mapping[Seat, tuple[int, ...]]:
    """The backs of closed hands, standing or face down, by player: those that lie outside the walls.
    ``taken``: detections that are something else."""
    assert found.faces is not None
    backs = found.faces.argmax(axis=1) == BACK_INDEX
    backs[[*taken]] = False
    quads = found.quads.astype(float)
    offsets = compass.offsets(quads)
    hands: dict[Seat, list[int]] = {}
    for k in np.flatnonzero(backs).tolist():
        seat = compass.seat_at(quads[[k]])
        if offsets[k] @ compass.direction(seat) > config.outside * compass.height:
            hands.setdefault(seat, []).append(k)
    for seat, tiles in hands.items():
        together = largest_component(offsets[tiles], config.apart * compass.height)
        hands[seat] = [tile for tile, near in zip(tiles, together, strict=True) if near]
    return {seat: tuple(tiles) for seat, tiles in hands.items() if len(tiles) > CONFIG.min_group}


def dead_wall(found: Detections, compass: Compass, dora: Collection[int], config: RiverConfig) -> Seat | None:
    """The player before whom the dead wall lies: it holds the indicators, between backs. None if no back is
    beside them."""
    assert found.faces is not None
    backs = np.flatnonzero(found.faces.argmax(axis=1) == BACK_INDEX)
    if not dora or not len(backs):
        return None
    quads = found.quads.astype(float)
    offsets = compass.offsets(quads)
    near = np.linalg.norm(offsets[[*dora]][:, None] - offsets[backs], axis=2).min(axis=1)
    if near.min() > config.beside * compass.height:
        return None
    return compass.seat_at(quads[[*dora]])
