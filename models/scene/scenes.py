"""Scenes as the scene model learns from them: what lies on a table and, where a photo was drawn, what the
finder and the face network answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Array32
from vision.detections import ROLES
from vision.labels import BACK, WITH_FOREIGN

NOBODY = -1
"""The seat of a tile that no player's is, and the set of one that is in none."""

UNOWNED = -1
"""The role of a tile that is in no hand, where nobody noted whether it is a discard, a wall or neither."""

UNTAUGHT = -2
"""The role of a tile of which nothing is known."""

EMBEDDING = 120
"""Numbers of the face network's embedding."""

Tile = tuple[Array32, int, int, int, int, float]
"""Quad, label, role, seat, set, visible share."""


@dataclass(frozen=True, slots=True)
class Scenes:
    """S scenes of N tiles together; the tiles of a scene follow each other.

    A tile: ``quads`` (N, 4, 2) pixels; ``labels`` (N,) indices of ``WITH_FOREIGN``; ``roles`` (N,) indices of
    ``ROLES``, :data:`UNOWNED` or :data:`UNTAUGHT`; ``seats``, ``sets`` (N,); ``visible`` (N,) the share of it
    that can be seen, 0 where a detection shows no tile.
    What the networks answered: ``scores`` (N,), ``logits`` (N, 40), ``turns`` (N, 4), ``embeddings``
    (N, 120); of no length where a scene was not drawn.
    A scene: ``counts`` (S,) of its tiles; ``photos`` (S, 2) width and height in pixels; ``finished``,
    ``told`` (S,): a bit for each seat whose hand is finished, and whose winning tile can be told.
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
        """Those of several parts."""
        return cls(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(cls)))

    @classmethod
    def read(cls, file: Path) -> Self:
        """Those of a file."""
        with np.load(file) as arrays:
            return cls(*(arrays[each.name] for each in fields(cls)))

    def write(self, file: Path) -> None:
        """Into a file, which is there whole or not at all."""
        part = file.with_suffix(".part")
        with part.open("wb") as out:
            np.savez(out, **{each.name: getattr(self, each.name) for each in fields(self)})
        part.replace(file)

    @property
    def answered(self) -> bool:
        """Whether the networks' answers are there."""
        return len(self.logits) == len(self.quads)

    @property
    def starts(self) -> NDArray[np.int64]:
        """(S,) where each scene's tiles begin."""
        return np.cumsum(self.counts, dtype=np.int64) - self.counts

    def only(self, scenes: NDArray[np.intp]) -> Self:
        """Some of the scenes."""
        tiles = np.concatenate([
            np.arange(start, start + count)
            for start, count in zip(self.starts[scenes], self.counts[scenes], strict=True)
        ])  # fmt: skip
        per_tile = {name: getattr(self, name) for name in PER_TILE}
        per_scene = {name: getattr(self, name)[scenes] for name in PER_SCENE}
        return type(self)(**{n: a[tiles] if len(a) else a for n, a in per_tile.items()}, **per_scene)


PER_TILE = ("quads", "labels", "roles", "seats", "sets", "visible", "scores", "logits", "turns", "embeddings")
PER_SCENE = ("counts", "photos", "finished", "told")

_LABEL = {label: index for index, label in enumerate(WITH_FOREIGN)}
_ROLE = {role: index for index, role in enumerate(ROLES)}


def label_index(label: str) -> int:
    """The index of a truth's label."""
    return _LABEL[label]


def role_index(role: str, label: str, *, is_game: bool) -> int:
    """The index of a truth's role. In layouts that are no game nobody noted which loose tiles are discards,
    and of backs not always which are a wall."""
    if role.startswith("meld"):
        return _ROLE["called"]
    if role in _ROLE:
        return _ROLE[role]
    return _ROLE["none"] if is_game and label != BACK else UNOWNED


def seat_of(tile: Mapping[str, Any]) -> int:
    """Whose hand, or whose river, a truth's tile is of."""
    seat = tile.get("seat", tile.get("owner"))
    return NOBODY if seat is None else int(seat)


def set_index(role: str) -> int:
    """Which of its player's called sets a tile is in."""
    return int(role.split(":")[1]) if role.startswith("meld:") else NOBODY


def seats_of(hands: Sequence[Any], wanted: str) -> int:
    """The bits of the seats whose hand has something: ``finished``, ``win_tile``."""
    return sum(1 << hand["seat"] for hand in hands if hand[wanted])


def pack(
    tiles: Sequence[Tile], photo: tuple[int, int],
    hands: Sequence[Any], answers: tuple[Array32, Array32, Array32, Array32] | None = None,
) -> Scenes:  # fmt: skip
    """One scene. ``answers``: scores, logits, turns, embeddings."""
    quads, labels, roles, seats, sets, visible = zip(*tiles, strict=True)
    shapes = ((0,), (0, len(WITH_FOREIGN)), (0, 4), (0, EMBEDDING))
    given = answers or tuple(np.zeros(shape, np.float32) for shape in shapes)
    scores, logits, turns, embeddings = (np.asarray(each, np.float16) for each in given)
    return Scenes(
        np.array(quads, np.float32), np.array(labels, np.int8), np.array(roles, np.int8),
        np.array(seats, np.int8), np.array(sets, np.int8), np.array(visible, np.float16),
        scores, logits, turns, embeddings,
        np.array([len(tiles)], np.int32), np.array([photo], np.int32),
        np.array([seats_of(hands, "finished")], np.uint8), np.array([seats_of(hands, "win_tile")], np.uint8),
    )  # fmt: skip
