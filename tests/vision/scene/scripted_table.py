"""Tiles in rows with what a scene model would say of them, all of it made up."""

from __future__ import annotations

import numpy as np

from scorer.tiles import parse_tiles
from vision.detections import ROLES, Detections
from vision.labels import WITH_FOREIGN
from vision.scene.decode import HandReading, decode

SURE = 6.0
"""Logit of what is sure, beside 0 of all else."""

WIDE, TALL, STEP, ROW = 20, 27, 21, 50
"""A tile's sides, from one to the next in its row, and from row to row; in pixels at scale 1."""


class Table:
    """Tiles laid one by one, each with its role, player and set. ``scale``: how large they are."""

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale
        self.faces: list[dict[str, float]] = []
        self.roles: list[dict[str, float]] = []
        self.players: list[int] = []
        self.sets: list[int] = []
        self.places: list[tuple[int, int]] = []

    def lay(
        self, tiles: str, role: str = "hand", player: int = 0, number: int = -1,
        also: dict[str, float] | None = None, *, row: int = 0,
    ) -> Table:  # fmt: skip
        """Tiles that surely have a role; ``also``: logits of other roles, the sure one has 6."""
        for tile in parse_tiles(tiles):
            self.put(str(tile), {role: SURE} | (also or {}), player, number, row=row)
        return self

    def put(
        self, face: str | dict[str, float], role: dict[str, float], player: int = 0, number: int = -1, *,
        row: int = 0,
    ) -> Table:  # fmt: skip
        """One tile with logits of faces and roles, at the end of its row."""
        self.faces.append({face: SURE + 2} if isinstance(face, str) else face)
        self.roles.append(role)
        self.players.append(player)
        self.sets.append(number)
        self.places.append((sum(y == row for _, y in self.places), row))
        return self

    def call(self, *faces: str | dict[str, float], number: int = 0, row: int = 0) -> Table:
        """The tiles of a called set."""
        for face in faces:
            self.put(face, {"called": SURE}, number=number, row=row)
        return self

    @property
    def quads(self) -> np.ndarray:
        """(n, 4, 2) where they lie, each from its face's top left."""
        tile = np.array([[0, 0], [WIDE, 0], [WIDE, TALL], [0, TALL]])
        places = np.array(self.places).reshape(-1, 1, 2) * [STEP, ROW]
        return np.asarray(self.scale * (tile + places) + 20, np.float32)

    def detections(self) -> Detections:
        """Related, as the scene model would have them."""
        count = len(self.faces)
        faces = np.zeros((count, len(WITH_FOREIGN)), np.float32)
        roles = np.zeros((count, len(ROLES)), np.float32)
        for i in range(count):
            for name, value in self.faces[i].items():
                faces[i, WITH_FOREIGN.index(name)] = value
            for name, value in self.roles[i].items():
                roles[i, ROLES.index(name)] = value
        players, sets = np.array(self.players), np.array(self.sets)
        same_player = np.where(players[:, None] == players, SURE, -SURE)
        same_set = np.where((sets[:, None] == sets) & (sets >= 0) & (same_player > 0), SURE, -SURE)
        return Detections(
            self.quads, np.ones(count, np.float32), faces=log_softmax(faces), roles=log_softmax(roles),
            same_player=same_player.astype(np.float32), same_set=same_set.astype(np.float32),
        )  # fmt: skip

    def read(self, *, framed: bool = False) -> list[HandReading]:
        """Each player's best reading."""
        return [each.best for each in decode(self.detections(), framed=framed).players]


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Log probabilities (n, classes) of logits."""
    return np.asarray(logits - np.logaddexp.reduce(logits, axis=1, keepdims=True), np.float32)
