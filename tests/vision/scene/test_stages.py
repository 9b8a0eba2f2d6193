"""From pixels to a reading, stage by stage, with the networks that are installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision import image, network
from vision.config import CONFIG
from vision.detections import Detections
from vision.faces import FaceReader
from vision.finder import Finder
from vision.maps import Candidates
from vision.quads import suppress
from vision.reader import Engine, Reader
from vision.scene.classify import classify
from vision.scene.detect import detect, detect_around, halves, second_pass, show_two_tiles

SAMPLE = Path(__file__).resolve().parents[3] / "tehai" / "hand" / "sample.jpg"


@pytest.fixture(scope="module")
def photo() -> image.Photo:
    return image.load(SAMPLE)


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder(network.load(network.FINDER, 1))


@pytest.fixture(scope="module")
def faces() -> FaceReader:
    return FaceReader(network.load(network.FACES, 1))


def test_faint_tiles_are_detections_too(photo: image.Photo, finder: Finder) -> None:
    found = detect(finder, photo.pixels)
    assert (np.diff(found.scores) <= 0).all() and len(found) <= CONFIG.max_detections
    assert found.scores.min() >= CONFIG.detection_threshold
    sure = finder.find(photo.pixels)
    assert (found.scores >= finder.settings.threshold).sum() == len(sure.scores)


def test_what_is_known_is_not_found_again(photo: image.Photo, finder: Finder) -> None:
    found = detect(finder, photo.pixels)
    half = found[: len(found) // 2]
    again = detect_around(finder, photo.pixels, found.quads, half.quads)
    both = half.concatenated(again)
    assert len(again) and len(suppress(both.quads)) >= 0.9 * len(both)


TILE = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)
ROW = np.stack([TILE + np.float32([31 * k, 0]) for k in range(5)])


def test_what_is_as_large_as_two_tiles_is_halved() -> None:
    beside = np.array([[155, -10], [195, -10], [195, 50], [155, 50]], np.float32)
    seen = np.concatenate([ROW, [beside, beside + np.float32([400, 0])]])
    assert show_two_tiles(seen, ROW).tolist() == [False] * 5 + [True, False], "far off nothing is one"
    assert halves(beside[None]).tolist() == [
        [[155, -10], [195, -10], [195, 20], [155, 20]],
        [[155, 20], [195, 20], [195, 50], [155, 50]],
    ]
    lying = np.array([[-10, 155], [-10, 195], [50, 195], [50, 155]], np.float32)
    assert show_two_tiles(lying[None], ROW[:, :, ::-1]).tolist() == [True]
    assert halves(lying[None]).tolist() == [
        [[-10, 155], [-10, 195], [20, 195], [20, 155]],
        [[20, 155], [20, 195], [50, 195], [50, 155]],
    ]
    assert not show_two_tiles(ROW, ROW[:0]).any() and halves(ROW[:0]).shape == (0, 4, 2)


def test_halves_are_looked_at_beside_what_is_new(photo: image.Photo, finder: Finder) -> None:
    found = detect(finder, photo.pixels)
    again = second_pass(finder, photo.pixels, found.quads[:14], found.quads, found.quads[:2])
    assert again.quads[-4:].tolist() == halves(found.quads[:2]).tolist()
    assert again.scores[-4:].tolist() == [CONFIG.likely] * 4


def test_what_straddles_two_tiles_of_a_hand_is_none() -> None:
    """Beside other tiles it may be one: these may lie across each other."""
    between = ROW[[1, 3]] + np.float32([15, 0])

    class Straddling:
        def find_rectified(self, *_: object) -> Candidates:
            return Candidates(np.concatenate([ROW, between]), np.ones(7, np.float32))

    finder: Any = Straddling()
    nothing = np.zeros((4, 4, 3), np.uint8)
    found = [
        second_pass(finder, nothing, hands, ROW, ROW[:0]).quads.tolist() for hands in (ROW, ROW[:3], ROW[3:])
    ]
    assert found == [[], between[1:].tolist(), between[:1].tolist()]


def test_nothing_is_classified_where_nothing_is_found(faces: FaceReader, photo: image.Photo) -> None:
    none = Detections(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))
    assert len(classify(faces, photo.pixels, none)) == 0


def test_the_sample_is_read(photo: image.Photo) -> None:
    reading = Reader(Engine(threads=1)).read(photo)
    assert reading.status == "ok" and reading.hand is not None
    assert sorted(reading.hand["concealed"]) == sorted("234m067p3488s")
    assert reading.hand["win_tile"] == "5s" and reading.hand["melds"][0]["tiles"] == "777z"
    assert reading.hand["dora_indicators"] == ["7s"]
    assert reading.confidence is not None and 0 <= reading.confidence <= 1
    roles = [tile.role for tile in reading.tiles]
    assert roles.count("hand") == 10 and roles.count("win") == 1 and roles.count("meld:0") == 3
