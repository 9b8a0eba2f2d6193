"""The face network's answer where a person says that a tile lies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tehai.label.journal import Line
from tehai.label.look import tile_record
from tehai.review.edit import Quad
from vision.faces import Faces
from vision.image import Photo
from vision.labels import CLASSES, NOT_A_FACE
from vision.reading import SeenTile

_NONE = CLASSES.index(NOT_A_FACE)


class Eye(Protocol):
    """What reads faces: :class:`vision.reader.Reader`, or a test's own."""

    def faces(self, photo: Photo, quads: NDArray[np.float32]) -> Faces:
        """The faces at quads (n, 4, 2), in pixels of ``photo.pixels``."""
        ...


def look(eye: Eye, photo: Photo, quads: Sequence[Quad], *, refined: bool = False) -> list[Line]:
    """Tiles of the journal at quads in pixels of the upright photo, with the likeliest face of each.

    ``refined``: at the corners that the network makes of them, turned so that the first is the face's own top
    left, instead of those given.
    """
    given = np.array(quads, np.float32).reshape(-1, 4, 2)
    faces = eye.faces(photo, np.asarray((given + 0.5) / photo.scale - 0.5, np.float32))
    lying = photo.to_full(faces.quads) if refined else given
    return [
        _tile(quad, probabilities)
        for quad, probabilities in zip(lying, faces.probabilities.astype(float), strict=True)
    ]


def _tile(quad: NDArray[np.float32], probabilities: NDArray[np.float64]) -> Line:
    likely = np.delete(np.arange(len(CLASSES)), _NONE)
    label = CLASSES[likely[probabilities[likely].argmax()]]
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return tile_record(SeenTile((a, b, c, d), label, 0.0, ("", 0.0)), probabilities)
