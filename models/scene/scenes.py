"""Training data of the scene model: labelled tiles and, for photos, the answers of the two networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Array32
from vision.labels import WITH_FOREIGN

NONE = -1
"""Seat of a tile that belongs to no player, and number of the called set of a tile that is in none."""

LOOSE = -1
"""Role of a tile outside the hands that may be a discard, a wall tile or neither."""

UNLABELLED = -2
"""Role of a tile whose role is unknown."""

EMBEDDING = 120
"""Length of the face network's embedding."""

Tile = tuple[Array32, int, int, int, int, float]
"""Quad, label, role, seat, called set, visible share."""


@dataclass(frozen=True, slots=True)
class Scenes:
    """S scenes of N tiles in all, scene by scene.

    Of each tile: ``quads`` (N, 4, 2) pixels; ``labels`` (N,) indices of ``WITH_FOREIGN``; ``roles`` (N,)
    indices of ``ROLES``, :data:`LOOSE` or :data:`UNLABELLED`; ``seats`` and ``sets`` (N,), or :data:`NONE`;
    ``visible`` (N,) share of the face, 0 for a false detection.
    Answers of the networks, empty for laid scenes: ``scores`` (N,), ``logits`` (N, 40), ``turns`` (N, 4),
    ``embeddings`` (N, 120).
    Of each scene: ``counts`` (S,) of tiles; ``photos`` (S, 2) width and height in pixels; ``finished`` and
    ``told`` (S,): bit k is set if the hand of seat k is finished, and if its winning tile is known.
    """

    quads: Array32
    labels: NDArray[np.int8]
    roles: NDArray[np.int8]
    seats: NDArray[np.int8]
    sets: NDArray[np.int8]
    visible: NDArray[np.float16]
    scores: NDArray[np.float16]
    logits: NDArray[np.float16]
    turns: NDArray[np.float16]
    embeddings: NDArray[np.float16]
    counts: NDArray[np.int32]
    photos: NDArray[np.int32]
    finished: NDArray[np.uint8]
    told: NDArray[np.uint8]

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Join parts."""
        return cls(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(cls)))

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read an ``.npz`` file."""
        with np.load(file) as arrays:
            return cls(*(arrays[each.name] for each in fields(cls)))

    def write(self, file: Path) -> None:
        """Write an ``.npz`` file. After a crash it is whole or missing."""
        part = file.with_suffix(".part")
        with part.open("wb") as out:
            np.savez(out, **{each.name: getattr(self, each.name) for each in fields(self)})
        part.replace(file)

    @property
    def answered(self) -> bool:
        """Whether the scenes have answers of the networks."""
        return len(self.logits) == len(self.quads)

    @property
    def starts(self) -> NDArray[np.int64]:
        """(S,) index of each scene's first tile."""
        return np.cumsum(self.counts, dtype=np.int64) - self.counts

    def only(self, scenes: NDArray[np.intp]) -> Self:
        """The scenes of these indices."""
        tiles = np.concatenate([
            np.arange(start, start + count)
            for start, count in zip(self.starts[scenes], self.counts[scenes], strict=True)
        ])  # fmt: skip
        per_tile = {name: getattr(self, name) for name in PER_TILE}
        per_scene = {name: getattr(self, name)[scenes] for name in PER_SCENE}
        return type(self)(**{n: a[tiles] if len(a) else a for n, a in per_tile.items()}, **per_scene)


PER_TILE = ("quads", "labels", "roles", "seats", "sets", "visible", "scores", "logits", "turns", "embeddings")
PER_SCENE = ("counts", "photos", "finished", "told")


def pack(
    tiles: Sequence[Tile], photo: tuple[int, int],
    hands: Sequence[Any], answers: tuple[Array32, Array32, Array32, Array32] | None = None,
) -> Scenes:  # fmt: skip
    """One scene of a photo's width and height. ``hands``: those of its truth; ``answers``: scores, logits,
    turns and embeddings."""
    quads, labels, roles, seats, sets, visible = zip(*tiles, strict=True)
    shapes = ((0,), (0, len(WITH_FOREIGN)), (0, 4), (0, EMBEDDING))
    given = answers or tuple(np.zeros(shape, np.float32) for shape in shapes)
    scores, logits, turns, embeddings = (np.asarray(each, np.float16) for each in given)
    return Scenes(
        np.array(quads, np.float32), np.array(labels, np.int8), np.array(roles, np.int8),
        np.array(seats, np.int8), np.array(sets, np.int8), np.array(visible, np.float16),
        scores, logits, turns, embeddings,
        np.array([len(tiles)], np.int32), np.array([photo], np.int32),
        *(np.array([sum(1 << hand["seat"] for hand in hands if hand[name])], np.uint8)
          for name in ("finished", "win_tile")),
    )  # fmt: skip
