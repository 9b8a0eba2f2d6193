"""Tiles that no hand has: flowers, seasons, jokers, spares, where the face network was taught to tell so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from vision.arrays import Array, Array32, Mask
from vision.faces import Faces
from vision.image import Photo
from vision.labels import CLASSES, FOREIGN, NOT_A_FACE_INDEX
from vision.quads import SAME_TILE, suppress
from vision.reading import SeenTile, quad_of


def _no_quads() -> Array32:
    return np.zeros((0, 4, 2), np.float32)


@dataclass(frozen=True, slots=True)
class ForeignSeen:
    """Tiles of no hand: quads (n, 4, 2), how likely they are such (n,), and the probabilities (n, 39) of what
    else they may be."""

    quads: Array32 = field(default_factory=_no_quads)
    chances: Array = field(default_factory=lambda: np.zeros(0))
    others: Array = field(default_factory=lambda: np.zeros((0, len(CLASSES))))

    @classmethod
    def of(cls, faces: Faces, which: Mask) -> ForeignSeen:
        """Those of the faces."""
        if not which.any():
            return cls()
        others = faces.probabilities[which].astype(float)
        others[:, NOT_A_FACE_INDEX] -= faces.foreign[which]
        return cls(faces.quads[which], faces.foreign[which].astype(float), others)


def is_foreign(faces: Faces) -> Mask:
    """(n,) where a tile is likelier one of no hand than any face, a back, or nothing."""
    if not len(faces.foreign):
        return np.zeros(len(faces.quads), bool)
    nothing = faces.probabilities[:, NOT_A_FACE_INDEX]
    no_hand = faces.probabilities.argmax(axis=1) == NOT_A_FACE_INDEX
    return np.asarray(no_hand & (faces.foreign > nothing - faces.foreign))


def foreign_tiles(photo: Photo, foreign: ForeignSeen, listed: Array32) -> Iterator[SeenTile]:
    """Tiles of no hand as a reading lists them; without those that lie on the quads ``listed`` (m, 4, 2):
    another look has seen something else there."""
    both = np.concatenate([listed, foreign.quads])
    kept = np.array([at - len(listed) for at in suppress(both, SAME_TILE) if at >= len(listed)], np.intp)
    quads = photo.to_full(foreign.quads)
    for at in np.sort(kept):
        second = int(foreign.others[at].argmax())
        other = (CLASSES[second], float(foreign.others[at, second]))
        yield SeenTile(quad_of(quads[at]), FOREIGN, float(foreign.chances[at]), other)


def left_out(count: int) -> str:
    """What the message of a hand that is not finished says of so many tiles of no hand."""
    if not count:
        return ""
    if count == 1:
        return " 1 tile that no hand has (a flower, a joker) was left out."
    return f" {count} tiles that no hand has (flowers, jokers) were left out."
