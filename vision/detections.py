"""The value that goes through every stage of reading: the detections of a photo as parallel arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

import numpy as np

from vision.arrays import Array32, Indices, Mask
from vision.labels import WITH_FOREIGN

ROLES: Final[tuple[str, ...]] = ("hand", "called", "win", "dora", "ura", "river", "wall", "none")
"""Roles of a tile: in a hand, in a called set, the winning tile, an indicator of the dora or the ura dora, a
discard, part of a wall, or none of these."""

_SHAPES: Final[dict[str, tuple[int, ...]]] = {
    "quads": (4, 2),
    "scores": (),
    "logits": (len(WITH_FOREIGN),),
    "turns": (4,),
    "embeddings": (-1,),
    "faces": (len(WITH_FOREIGN),),
    "roles": (len(ROLES),),
}
"""The shape of each array without its first axis; -1: any length."""

_PAIRS: Final = ("same_player", "same_set")
"""Arrays (n, n)."""


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """n detections as parallel arrays; a stage that has not run yet leaves its arrays None.

    detect: ``quads`` (n, 4, 2) in pixels, clockwise; ``scores`` (n,), 0 to 1.
    classify: ``logits`` (n, 40) in the order of ``vision.labels.WITH_FOREIGN``; ``turns`` (n, 4),
    probabilities that the face is turned clockwise by 0 to 3 quarters against ``quads``; ``embeddings``
    (n, d), pooled features of the classifier's last layer but one.
    relate: ``faces`` (n, 40) and ``roles`` (n, 8), log probabilities given all tiles; ``same_player`` and
    ``same_set`` (n, n), logits of each pair.

    Raises ValueError for arrays of another shape or length, and for numbers that are not finite.

    >>> import numpy as np
    >>> found = Detections(np.zeros((3, 4, 2), np.float32), np.array([0.9, 0.8, 0.1], np.float32))
    >>> len(found), len(found[found.scores > 0.5])
    (3, 2)
    """

    quads: Array32
    scores: Array32
    logits: Array32 | None = None
    turns: Array32 | None = None
    embeddings: Array32 | None = None
    faces: Array32 | None = None
    roles: Array32 | None = None
    same_player: Array32 | None = None
    same_set: Array32 | None = None

    def __post_init__(self) -> None:
        count = len(self.quads)
        for name, array in self._arrays():
            wanted = (count, count) if name in _PAIRS else (count, *_SHAPES[name])
            fits = array.ndim == len(wanted)
            if not fits or any(b not in (a, -1) for a, b in zip(array.shape, wanted, strict=True)):
                raise ValueError(f"{name} has the shape {array.shape}, not {wanted}")
            if not np.isfinite(array).all():
                raise ValueError(f"{name} holds numbers that are not finite")

    def __len__(self) -> int:
        return len(self.quads)

    def __getitem__(self, which: Mask | Indices | slice | Sequence[int]) -> Detections:
        """Some of the detections, in the order of ``which``, with the pairs among them."""
        kept = np.arange(len(self))[which]
        return Detections(**{
            name: array[np.ix_(kept, kept)] if name in _PAIRS else array[kept]
            for name, array in self._arrays()
        })  # fmt: skip

    def concatenated(self, other: Detections) -> Detections:
        """These detections and then the others, with the arrays that both have, except those of pairs."""
        arrays = {name: array for name, array in other._arrays() if name not in _PAIRS}
        return Detections(**{
            name: np.concatenate([array, arrays[name]])
            for name, array in self._arrays() if name in arrays
        })  # fmt: skip

    def with_arrays(self, **arrays: Array32) -> Detections:
        """The same detections with further or other arrays."""
        return replace(self, **arrays)

    def with_related(self, which: Mask, part: Detections) -> Detections:
        """The same related detections, with what was related of those that ``which`` (n,) names alone."""
        related = {}
        for name in ("faces", "roles", *_PAIRS):
            related[name] = getattr(self, name).copy()
            related[name][np.ix_(which, which) if name in _PAIRS else which] = getattr(part, name)
        return self.with_arrays(**related)

    def _arrays(self) -> list[tuple[str, Array32]]:
        arrays = ((each.name, getattr(self, each.name)) for each in fields(self))
        return [(name, array) for name, array in arrays if array is not None]
