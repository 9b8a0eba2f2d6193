"""What stands in for the networks: an reader that sees what a test wants it to."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PIL import Image

from vision.image import Photo
from vision.reading import Quad, Reading, Region, SeenTile

HAND = ("2m", "3m", "4m", "3p", "4p", "0p", "5p", "6p", "7p", "2s", "2s", "6s", "7s")
"""A hand that waits on 5s and 8s."""


def place(at: int) -> Quad:
    """Where the tile number ``at`` of a row lies."""
    x = 20.0 + 45 * at
    return (x, 100.0), (x + 40, 100.0), (x + 40, 154.0), (x, 154.0)


def seen(label: str, at: int, role: str = "hand", probability: float = 0.99, other: str = "9s") -> SeenTile:
    return SeenTile(place(at), label, probability, (other, (1 - probability) / 2), role)


def reading(win: str | None = "8s", width: int = 800, height: int = 600) -> Reading:
    """A row of :data:`HAND`, with the winning tile apart or with none."""
    tiles = [seen(label, at) for at, label in enumerate(HAND)]
    hand: dict[str, Any] = {"concealed": "234m340567p2267s", "melds": []}
    known = {"concealed": "seen", "melds": "seen"}
    if win is not None:
        tiles.append(seen(win, 15, "win"))
        hand["win_tile"], known["win_tile"] = win, "seen"
    status = "incomplete" if win is None else "ok"
    return Reading("", width, height, tuple(tiles), hand, known, status, "" if win else "13 tiles.")


@dataclass(slots=True)
class FakeReader:
    """Gives the readings in turn, the last one for ever; ``looks``: the size of what it was shown."""

    readings: list[Reading] = field(default_factory=lambda: [reading()])
    looks: list[tuple[int, int]] = field(default_factory=list)
    meanwhile: Callable[[], None] = lambda: None
    frames_read: int = 0
    tables: int = 0

    def read(self, photo: Photo, *, region: Region | None = None) -> Reading:
        self.looks.append((photo.width, photo.height))
        self.meanwhile()
        return self.readings.pop(0) if len(self.readings) > 1 else self.readings[0]

    def read_frame(self, photo: Photo) -> Reading:
        self.frames_read += 1
        return self.read(photo)

    def read_rivers(self, photo: Photo) -> Reading:
        self.tables += 1
        return self.read(photo)


def jpeg(width: int = 800, height: int = 600) -> bytes:
    """A photo without anything on it."""
    file = io.BytesIO()
    Image.fromarray(np.full((height, width, 3), 90, np.uint8)).save(file, "JPEG")
    return file.getvalue()
