"""Networks that answer by script: what becomes of a photo is tested without any model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision import layouts
from tests.vision.layouts import Scene, Seen
from vision import reader
from vision.faces import Faces
from vision.habits import HABITS
from vision.labels import CLASSES, NOT_A_FACE
from vision.maps import Candidates
from vision.reader import Engine, Reader
from vision.watch import Watch, nobody

NO_MODEL = Path("none.onnx")
"""Where no scene model lies: no photo is read a second time, and no table."""


def photo_of(seen: Seen, side: int = 1200) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A noisy photo that holds the tiles, which are moved into it."""
    low, high = seen.quads.reshape(-1, 2).min(axis=0), seen.quads.reshape(-1, 2).max(axis=0)
    seen.quads[:] = (seen.quads - low + 20) * (side - 40) / float((high - low).max())
    return np.random.default_rng(0).integers(0, 255, (side, side, 3), dtype=np.uint8)


class Scripted:
    """Stands for both networks: answers what a scene says. ``found``: what the finder notices of it;
    ``also``: quads that are no tile's."""

    def __init__(self, seen: Seen, photo: np.ndarray[Any, Any]) -> None:
        self.seen, self.photo = seen, photo
        self.found = np.ones(len(seen.quads), bool)
        self.also: list[Any] = []
        self.named: list[int] = []
        self.briefly: list[bool] = []
        """How many quads the face network was asked for, each time."""

    widest = 1280

    def find(self, rgb: np.ndarray[Any, Any], *, briefly: bool = False) -> Candidates:
        # Which part of the noise is this? Its first two pixels are nowhere else (another photo has no part).
        start = (self.photo[:, :-1] == rgb[0, 0]) & (self.photo[:, 1:] == rgb[0, 1])
        corner = np.argwhere(start.all(axis=-1))[:1, ::-1].sum(axis=0)
        quads = [*self.seen.quads[self.found], *self.also]
        quads = (np.array(quads).reshape(-1, 4, 2) - corner).astype(np.float32)
        return Candidates(quads, np.ones(len(quads), np.float32))

    def read(
        self,
        rgb: np.ndarray[Any, Any],
        quads: np.ndarray[Any, Any],
        *,
        briefly: bool = False,
    ) -> Faces:
        self.named.append(len(quads))
        self.briefly.append(briefly)
        far = np.linalg.norm(quads.mean(1)[:, None] - self.seen.quads.mean(1)[None], axis=-1)
        nearest = far.argmin(axis=1)
        probabilities = self.seen.probabilities[nearest].copy()
        size = np.linalg.norm(quads[:, 1] - quads[:, 3], axis=1)
        nothing = far.min(axis=1) > 0.3 * size
        probabilities[nothing] = np.eye(len(CLASSES))[CLASSES.index(NOT_A_FACE)]
        # Corners are made better where it is a tile as a whole that is seen.
        true = self.seen.quads[nearest]
        whole = ~nothing & (abs(np.log(size / np.linalg.norm(true[:, 1] - true[:, 3], axis=1))) < 0.2)
        return Faces(np.where(whole[:, None, None], true, quads), probabilities, self.seen.rotations[nearest])


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A reader whose networks see a given scene, and the photo to give it."""

    def build(
        scene: Scene, *, missed: str = "", watch: Watch = nobody, **looks: Any
    ) -> tuple[Reader, np.ndarray[Any, Any], Seen]:
        seen = layouts.photograph(scene, np.random.default_rng(1), elevation=1.0, roll=0.1, doubt=0)
        photo = photo_of(seen)
        networks = Scripted(seen, photo)
        networks.found = np.array([tile.label not in missed.split() for tile in seen.scene.tiles])
        monkeypatch.setattr(reader, "Finder", lambda *_: networks)
        monkeypatch.setattr(reader, "FaceReader", lambda *_, **__: networks)
        habits = replace(HABITS, looks=replace(HABITS.looks, **looks))
        return (
            Reader(Engine(habits=habits, scene=NO_MODEL), load=lambda path, threads: networks, watch=watch),
            photo,
            seen,
        )

    return build
