"""What lies around a hand that another reader read, by what the scene model says of all tiles: indicators,
the table, and other players' hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.arrays import Array32
from vision.detections import Detections
from vision.faces import FaceReader
from vision.image import Photo
from vision.players import SeenTable
from vision.reading import Doubt, SeenTile
from vision.scene.classify import classify
from vision.scene.config import CONFIG, SceneConfig
from vision.scene.decode import Scene, decode
from vision.scene.judge import other_hands, placed
from vision.scene.naming import named_face
from vision.scene.relate import SceneNetwork
from vision.scene.table import table

_SCORE: Final = 0.9
"""Of each tile, as the finder's: the other reader was sure of them."""


@dataclass(frozen=True, slots=True)
class Beside:
    """All tiles of a photo as the scene model relates them. ``found``: its detections; ``tile``: of each of
    these which of the other reader's tiles it is; ``near``: those of the hand, that of the first player."""

    photo: Photo
    found: Detections
    scene: Scene
    tile: Mapping[int, int]
    near: tuple[int, ...]

    @classmethod
    def of(
        cls, faces: FaceReader, network: SceneNetwork, photo: Photo, quads: Array32, hand: Sequence[int]
    ) -> Beside:
        """``quads`` (n, 4, 2), in pixels of ``photo.pixels``: where the tiles lie; ``hand``: which of them
        are the near player's, indicators apart."""
        scores = np.full(len(quads), _SCORE, np.float32)
        found = classify(faces, photo.pixels, Detections(quads, scores))
        found = network.relate(found, _size(photo), framed=False)
        middles = quads.mean(axis=1)
        away = np.linalg.norm(found.quads.mean(axis=1)[:, None] - middles[None], axis=2)
        tile = {i: int(nearest) for i, nearest in enumerate(away.argmin(axis=1))}
        near = tuple(i for i, nearest in tile.items() if nearest in {*hand})
        return cls(photo, found, _near_first(decode(found, framed=False), near), tile, near)

    @property
    def indicators(self) -> tuple[list[int], list[int]]:
        """Tiles that surely are indicators of the dora, and those that may be."""
        sure, unsure = (
            [self.tile[i] for i, _ in some if i not in self.near]
            for some in (self.scene.dora, self.scene.unsure)
        )
        return sure, unsure

    def named(self, tiles: Sequence[SeenTile], config: SceneConfig = CONFIG) -> list[SeenTile]:
        """The other reader's ``tiles``, those of no hand with the faces that they have among all of them."""
        assert self.found.faces is not None
        shares, named = np.exp(self.found.faces), [*tiles]
        for i, at in self.tile.items():
            if tiles[at].role != "other":
                continue
            label, probability, runner_up = named_face(shares[i], None, config)
            named[at] = replace(tiles[at], label=label, probability=probability, runner_up=runner_up)
        return named

    def table(self, places: Mapping[int, int]) -> SeenTable | None:
        """The table, None where no river is seen. ``places``: of each tile that is listed its place."""
        listed = self._listed(places)
        return table(self.photo.pixels, self.found, self.scene, listed, near=self.near)

    def hands(self, places: Mapping[int, int]) -> tuple[Doubt, ...]:
        """Doubts about hands of others that may be finished, too. ``places`` as :meth:`table` takes them."""
        listed, size = self._listed(places), _size(self.photo)
        others = other_hands(self.scene, self.near, self.found.quads, size)
        return tuple(placed(each, listed) for each in others)

    def _listed(self, places: Mapping[int, int]) -> dict[int, int]:
        return {i: places[tile] for i, tile in self.tile.items() if tile in places}


def _size(photo: Photo) -> tuple[int, int]:
    return photo.pixels.shape[1], photo.pixels.shape[0]


def _near_first(scene: Scene, near: Sequence[int]) -> Scene:
    """The players, first of them the one who has most of the near hand's tiles."""
    own = {*near}
    players = sorted(scene.players, key=lambda each: -len(own.intersection(each.best.tiles)))
    return replace(scene, players=tuple(players))
