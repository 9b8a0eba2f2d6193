"""The face network's answer where a person says that a tile lies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from tehai.label.journal import Line
from tehai.label.labeller import tile_record
from tehai.review.edit import Quad
from tehai.review.hardness import in_doubt
from vision.arrays import Array, Array32
from vision.faces import Faces
from vision.image import Photo
from vision.labels import CLASSES, NOT_A_FACE_INDEX
from vision.quads import turns_between
from vision.reading import SeenTile


class TileReader(Protocol):
    """What reads faces: :class:`vision.reader.Reader`, or a test's own."""

    def faces(self, photo: Photo, quads: Array32) -> Faces:
        """The faces at quads (n, 4, 2), in pixels of ``photo.pixels``."""
        ...


def look(reader: TileReader, photo: Photo, quads: Sequence[Quad]) -> list[Line]:
    """Tiles of the journal at quads in pixels of the upright photo, with the likeliest face of each."""
    return [_tile(quad, seen) for quad, seen in zip(quads, _faces(reader, photo, quads)[0], strict=True)]


def advise(reader: TileReader, photo: Photo, quads: Sequence[Quad]) -> list[Line]:
    """The same for who draws a tile: of four ways round the one in which the face stands has the highest
    ``probability``; ``doubt``: whether it should be looked at."""
    probabilities, upright = _faces(reader, photo, quads)
    tiles = [_tile(quad, seen) for quad, seen in zip(quads, probabilities, strict=True)]
    return [
        {**tile, "probability": round(tile["probability"] * float(share), 4), "doubt": in_doubt(tile)}
        for tile, share in zip(tiles, upright, strict=True)
    ]


def _faces(reader: TileReader, photo: Photo, quads: Sequence[Quad]) -> tuple[Array, Array]:
    """Probabilities (n, 39) of the faces, and (n,) of standing as the quads say, by the likeliest way's."""
    given = (np.array(quads).reshape(-1, 4, 2) + 0.5) / photo.scale - 0.5
    faces = reader.faces(photo, given.astype(np.float32))
    turned = turns_between(faces.quads.astype(float), given)
    upright = faces.rotation[np.arange(len(given)), -turned % 4] / faces.rotation.max(axis=1)
    return faces.probabilities.astype(float), upright.astype(float)


def _tile(quad: Quad, probabilities: Array) -> Line:
    likely = np.delete(np.arange(len(CLASSES)), NOT_A_FACE_INDEX)
    label = CLASSES[likely[probabilities[likely].argmax()]]
    a, b, c, d = quad
    return tile_record(SeenTile((a, b, c, d), label, 0.0, ("", 0.0)), probabilities)
