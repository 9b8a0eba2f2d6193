"""What lies around a hand that another reader read, by what the scene model says of the tiles it lists: the
table, and other players' hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.arrays import Array32
from vision.detections import Detections
from vision.faces import FaceReader
from vision.image import Photo
from vision.players import SeenTable
from vision.reading import Doubt
from vision.scene.classify import classify
from vision.scene.decode import Scene, decode
from vision.scene.judge import other_hands, placed
from vision.scene.relate import SceneNetwork
from vision.scene.table import table

FEWEST: Final = 4
"""Tiles beside the hand from which it is worth looking for rivers: fewer are indicators."""

_SCORE: Final = 0.9
"""Of each tile, as the finder's: it was sure of what a reading lists."""


@dataclass(frozen=True, slots=True)
class Beside:
    """``table``: None where no river is seen; ``hands``: doubts about other hands that may be finished."""

    table: SeenTable | None
    hands: tuple[Doubt, ...] = ()


def read_beside(
    faces: FaceReader, network: SceneNetwork, photo: Photo, quads: Array32, hand: Sequence[int]
) -> Beside:
    """What lies around the hand of a photo whose tiles lie at ``quads`` (n, 4, 2), in pixels of
    ``photo.pixels``. ``hand``: which of them are the near player's, indicators apart."""
    scores = np.full(len(quads), _SCORE, np.float32)
    found = classify(faces, photo.pixels, Detections(quads, scores))
    size = photo.pixels.shape[1], photo.pixels.shape[0]
    found = network.relate(found, size, framed=False)
    centres = quads.mean(axis=1)
    away = np.linalg.norm(found.quads.mean(axis=1)[:, None] - centres[None], axis=2)
    places = {i: int(place) for i, place in enumerate(away.argmin(axis=1))}
    near = [i for i, place in places.items() if place in {*hand}]
    scene = _near_first(decode(found, framed=False), near)
    hands = tuple(placed(each, places) for each in other_hands(scene, near, found.quads, size))
    return Beside(table(photo.pixels, found, scene, places, near=near), hands)


def _near_first(scene: Scene, near: Sequence[int]) -> Scene:
    """The players, first of them the one who has most of the near hand's tiles."""
    own = {*near}
    players = sorted(scene.players, key=lambda each: -len(own.intersection(each.best.tiles)))
    return replace(scene, players=tuple(players))
