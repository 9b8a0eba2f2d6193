"""Networks that answer by script: what becomes of a photo is tested without any model."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.vision.scene.scripted_table import Table
from vision.arrays import Array32, Indices, Mask, Pixels
from vision.config import CONFIG, SceneConfig
from vision.detections import Detections
from vision.labels import NOT_A_FACE_INDEX, WITH_FOREIGN
from vision.maps import Candidates
from vision.observer import Observer, no_observer
from vision.quads import sizes
from vision.scene.reader import SceneReader
from vision.scene.relate import Calibration

NEVER = -16.0
"""Log probability, or logit of a pair, of what cannot be."""


def noise(width: int = 700, height: int = 320) -> Pixels:
    """A photo that is not blurred."""
    return np.random.default_rng(0).integers(0, 255, (height, width, 3), dtype=np.uint8)


class Scripted:
    """Stands for all three networks: they see what lies on a table and nothing beside it.

    ``missed``: tiles that the finder notices in its second look alone; ``also``: outlines that it notices
    beside those of tiles.
    """

    calibration = Calibration(slope=0.3, face=0.5, shift=0.7)
    settings = SimpleNamespace(long_side=640)

    def __init__(self, table: Table, *, missed: tuple[int, ...] = (), also: Array32 | None = None) -> None:
        self.told = table.detections()
        noticed = np.delete(self.told.quads, missed, axis=0)
        # The last one first, each from the corner across: in no order that a reading may keep.
        self.noticed = np.roll(noticed[::-1], 2, axis=1)
        self.also = np.zeros((0, 4, 2), np.float32) if also is None else also
        self.asked: list[str] = []
        """What was asked of them, in turn."""

    def find(self, rgb: Pixels, *, enlarge: bool = True, threshold: float | None = None) -> Candidates:
        self.asked.append("find" if enlarge else "find small")
        quads = np.concatenate([self.noticed, self.also])
        return Candidates(quads, np.full(len(quads), 0.9, np.float32))

    def find_rectified(self, *_: object) -> Candidates:
        self.asked.append("again")
        return Candidates(self.told.quads, np.full(len(self.told), 0.8, np.float32))

    def classify(self, rgb: Pixels, quads: Array32, config: SceneConfig = CONFIG) -> Detections:
        self.asked.append("classify")
        nearest, hit = self._shown(quads)
        assert self.told.faces is not None
        # Corners are made better where it is a tile as a whole that is seen.
        whole = hit & (np.abs(np.log(sizes(quads) / sizes(self.told.quads)[nearest])) < 0.2)
        corners = np.where(whole[:, None, None], self.told.quads[nearest], quads).astype(np.float32)
        nothing = NEVER * (np.arange(len(WITH_FOREIGN)) != NOT_A_FACE_INDEX)
        logits = np.where(hit[:, None], self.told.faces[nearest], nothing).astype(np.float32)
        turns = np.tile(np.array([0.97, 0.01, 0.01, 0.01], np.float32), (len(quads), 1))
        given = np.full(len(quads), 0.9, np.float32)
        return Detections(corners, given, logits, turns, np.zeros((len(quads), 4), np.float32))

    def relate(self, found: Detections, photo: tuple[int, int], *, framed: bool) -> Detections:
        self.asked.append("relate")
        nearest, hit = self._shown(found.quads)
        told = self.told
        assert told.roles is not None and told.same_player is not None and told.same_set is not None
        no_role = NEVER * (np.arange(told.roles.shape[1]) != told.roles.shape[1] - 1)
        both = hit[:, None] & hit
        pairs = np.ix_(nearest, nearest)
        assert found.logits is not None
        return found.with_arrays(
            roles=np.where(hit[:, None], told.roles[nearest], no_role).astype(np.float32),
            faces=found.logits,
            same_player=np.where(both, told.same_player[pairs], NEVER).astype(np.float32),
            same_set=np.where(both, told.same_set[pairs], NEVER).astype(np.float32),
        )

    def _shown(self, quads: Array32) -> tuple[Indices, Mask]:
        """The tile nearest to each of the quads (n, 4, 2), and whether it is the one that the quad shows."""
        away = np.linalg.norm(quads.mean(axis=1)[:, None] - self.told.quads.mean(axis=1), axis=2)
        return away.argmin(axis=1), np.asarray(away.min(axis=1) < 0.5 * sizes(self.told.quads)[0])

    def reader(self, config: SceneConfig = CONFIG, observer: Observer = no_observer) -> SceneReader:
        """A reader with these networks."""
        networks: Any = self
        return SceneReader(networks, networks, networks, config=config, observer=observer)
