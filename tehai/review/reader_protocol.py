"""Read the tiles at quads that a person has drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from tehai.label.journal import Line
from tehai.label.labeller import tile_record
from tehai.review.edit import Quad
from tehai.review.hardness import in_doubt
from vision.arrays import Array, Array32
from vision.detections import Detections
from vision.faces import probabilities
from vision.image import Photo
from vision.labels import CLASSES, NOT_A_FACE_INDEX
from vision.quads import turns_between
from vision.reading import Reading, SeenTile


class TileReader(Protocol):
    """A reader of faces: :class:`vision.reader.Reader`, or a fake in tests."""

    def classify(self, photo: Photo, quads: Array32) -> Detections:
        """The tiles at quads (n, 4, 2), in pixels of ``photo.pixels``."""
        ...

    def read_tiles(self, photo: Photo, known: Detections, labels: Sequence[str] | None = None) -> Reading:
        """The reading of all these tiles, in their order."""
        ...


AWAY: Final = "The photo is away: its hand is read when you correct a tile after it is back."


@dataclass(frozen=True, slots=True)
class PhotoInspector:
    """Reads tiles of one photo with ``reader``. ``load``: returns the photo, or None if it cannot be read."""

    reader: TileReader
    load: Callable[[], Photo | None]

    def look(self, quads: Sequence[Quad]) -> list[Line] | None:
        """Tiles of the journal at quads in pixels of the upright photo, with the likeliest face of each."""
        photo = self.load()
        if photo is None:
            return None
        seen, _ = _faces(self.reader, photo, quads)
        return [_tile(quad, face) for quad, face in zip(quads, seen, strict=True)]

    def arrange(self, tiles: Sequence[Line]) -> dict[str, Any]:
        """The tiles with their roles, and their hand, status and message. Labels stay as they are; if a hand
        would need another label, there is no hand."""
        photo = self.load()
        if photo is None:
            return {"tiles": [*tiles], "hand": None, "status": "incomplete", "message": AWAY}
        known = self.reader.classify(photo, _in_pixels(photo, [tile["quad"] for tile in tiles]))
        reading = self.reader.read_tiles(photo, known, [tile["label"] for tile in tiles])
        if not reading.tiles:  # the tiles are too small
            return {"tiles": [*tiles], "hand": None, "status": "incomplete", "message": reading.message}
        placed = [
            {**tile, "role": seen.role, "sideways": seen.sideways, "upside_down": seen.upside_down}
            for tile, seen in zip(tiles, reading.tiles, strict=True)
        ]
        if any(
            s.role != "other" and s.label != t["label"] for t, s in zip(tiles, reading.tiles, strict=True)
        ):
            unreadable = "Tiles of the hand cannot be read: no hand record was made."
            return {"tiles": placed, "hand": None, "status": "incomplete", "message": unreadable}
        hand = None if reading.hand is None else {**reading.hand, "known": dict(reading.known)}
        return {"tiles": placed, "hand": hand, "status": reading.status, "message": reading.message}


def advise(reader: TileReader, photo: Photo, quads: Sequence[Quad]) -> list[Line]:
    """The likeliest face at each quad that a person draws. ``probability``: highest for the quad whose
    corners begin at the top of the face. ``doubt``: whether a person should check it."""
    faces, upright = _faces(reader, photo, quads)
    tiles = [_tile(quad, seen) for quad, seen in zip(quads, faces, strict=True)]
    return [
        {**tile, "probability": round(tile["probability"] * float(share), 4), "doubt": in_doubt(tile)}
        for tile, share in zip(tiles, upright, strict=True)
    ]


def _faces(reader: TileReader, photo: Photo, quads: Sequence[Quad]) -> tuple[Array, Array]:
    """Probabilities (n, 39) of the faces, and (n,) of the orientation of each quad relative to the
    likeliest."""
    given = _in_pixels(photo, quads)
    seen = reader.classify(photo, given)
    assert seen.turns is not None
    turned = turns_between(seen.quads.astype(float), given.astype(float))
    upright = seen.turns[np.arange(len(given)), -turned % 4] / seen.turns.max(axis=1)
    return probabilities(seen).astype(float), upright.astype(float)


def _in_pixels(photo: Photo, quads: Sequence[Any]) -> Array32:
    """Quads (n, 4, 2) of the upright photo in pixels of ``photo.pixels``."""
    return np.asarray((np.array(quads).reshape(-1, 4, 2) + 0.5) / photo.scale - 0.5, np.float32)


def _tile(quad: Quad, seen: Array) -> Line:
    likely = np.delete(np.arange(len(CLASSES)), NOT_A_FACE_INDEX)
    label = CLASSES[likely[seen[likely].argmax()]]
    a, b, c, d = quad
    return tile_record(SeenTile((a, b, c, d), label, 0.0, ("", 0.0)), seen)
