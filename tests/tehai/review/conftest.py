"""A journal under review, the server on it, and a network that sees what a test wants it to."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from tehai.label import journal
from tehai.review.app import make_app
from tehai.review.store import Store
from tests.tehai.label.lines import write
from vision.arrays import Array32
from vision.detections import Detections
from vision.image import Photo
from vision.labels import CLASSES, FOREIGN, WITH_FOREIGN
from vision.reading import Reading, SeenTile, quad_of

HERE = "http://localhost:8766"

ROTATION = (0.9, 0.054, 0.036, 0.01)
"""How likely a face stands turned clockwise by 0, 1, 2, 3 quarters from how the reader takes it."""


@dataclass(slots=True)
class FakeReader:
    """Sees ``label`` everywhere, upright in the photo, and takes what somebody says for so, each tile for one
    of a hand. ``looks``: the quads that it was asked about; ``said``: the labels."""

    label: str = "7z"
    looks: list[Array32] = field(default_factory=list)
    said: list[list[str]] = field(default_factory=list)

    def classify(self, photo: Photo, quads: Array32) -> Detections:
        self.looks.append(quads)
        count = len(quads)
        shares = np.full((count, len(WITH_FOREIGN)), 0.1 / (len(CLASSES) - 1), np.float32)
        shares[:, CLASSES.index(self.label)], shares[:, WITH_FOREIGN.index(FOREIGN)] = 0.9, 1e-9
        first = quads.sum(axis=2).argmin(axis=1)
        turned = [np.roll(quad, -k, axis=0) for quad, k in zip(quads, first, strict=True)]
        return Detections(
            np.array(turned, np.float32).reshape(-1, 4, 2), np.ones(count, np.float32), np.log(shares),
            np.tile(np.array(ROTATION, np.float32), (count, 1)), np.zeros((count, 120), np.float32),
        )  # fmt: skip

    def read_tiles(self, photo: Photo, known: Detections, labels: Sequence[str] | None = None) -> Reading:
        said = [*(labels or [""] * len(known))]
        self.said.append(said)
        tiles = [
            SeenTile(quad_of(quad), label if label in WITH_FOREIGN else self.label, 0.9, ("1m", 0.1), "hand")
            for quad, label in zip(photo.to_full(known.quads), said, strict=True)
        ]
        hand = {"concealed": "".join(tile.label for tile in tiles), "melds": []}
        told = f"{len(tiles)} tiles, but a finished hand has 14."
        return Reading(
            photo.name, photo.width, photo.height, tuple(tiles), hand, dict.fromkeys(hand, "seen"),
            "incomplete", told,
        )  # fmt: skip


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


Opening = Callable[[Path], Store]


@pytest.fixture
def opening() -> Iterator[Opening]:
    """Opens a journal for review, as one more process would."""
    with ExitStack() as stack:
        yield lambda file: Store(stack.enter_context(journal.writing(file)))


Serving = Callable[..., TestClient]


@pytest.fixture
def serving(tmp_path: Path, opening: Opening, reader: FakeReader) -> Serving:
    """A browser on this machine, and the server: of a journal with the lines given, or of the one there."""

    def served(*lines: journal.Line) -> TestClient:
        file = write(tmp_path, *lines) if lines else tmp_path / journal.NAME
        return TestClient(make_app(opening(file), reader, "anna"), base_url=HERE)

    return served


def key_of(path: str) -> str:
    """The content hash that ``tests.tehai.label.lines.photo`` makes of a path."""
    return hashlib.sha256(path.encode()).hexdigest()


def picture(kind: str = "JPEG", width: int = 200, height: int = 120, **options: Any) -> bytes:
    """A photo that is red on its left and blue on its right."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[:, : width // 2, 0] = pixels[:, width // 2 :, 2] = 200
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, kind, **options)
    return file.getvalue()


def put(client: TestClient, key: str, **body: Any) -> Any:
    """A review sent; the answer."""
    return client.put(f"/api/photos/{key}", json=body)


def sent(photo: dict[str, Any]) -> list[dict[str, Any]]:
    """The tiles of a photo as the page sends them back."""
    return [{"quad": tile["quad"], "label": tile["label"]} for tile in photo["tiles"]]
