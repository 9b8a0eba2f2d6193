"""Tiles that no hand has are named where the network tells them, and change nothing where it does not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tehai.label.labeller import readable, tile_record
from tests.vision.layouts import Laid, Scene
from vision.faces import FaceReader, Faces
from vision.foreign import ForeignSeen, foreign_tiles, is_foreign, left_out
from vision.image import Photo
from vision.labels import CLASSES, FOREIGN, NOT_A_FACE, NOT_A_FACE_INDEX, UNREADABLE, WITH_FOREIGN

QUAD = np.array([[30, 30], [60, 30], [60, 70], [30, 70]], np.float32)
PHOTO = np.full((120, 160, 3), 90, np.uint8)


class Answering:
    """A face network that always answers the same: ``sure``, the share of each class."""

    def __init__(self, classes: Sequence[str], **sure: float) -> None:
        names = {"none": NOT_A_FACE, **{f"_{label}": label for label in WITH_FOREIGN}, FOREIGN: FOREIGN}
        chances = np.full(len(classes), 1e-6)
        for name, chance in sure.items():
            chances[classes.index(names[name])] = chance
        self._logits = np.log(chances / chances.sum()).astype(np.float32)
        settings = {"crop": {"width": 64, "height": 80, "margin": 1.25}, "passes": 2}
        self.metadata: Mapping[str, str] = {
            "task": "faces",
            "classes": json.dumps(classes),
            "settings": json.dumps(settings),
        }

    def run(self, pictures: np.ndarray[Any, Any]) -> Sequence[np.ndarray[Any, Any]]:
        count = len(pictures)
        turns = np.tile(np.float32([9, 0, 0, 0]), (count, 1))
        return np.tile(self._logits, (count, 1)), turns, np.zeros((count, 8), np.float32)


def read(classes: Sequence[str], **sure: float) -> Faces:
    """What the network alone says of a photo that shows nothing."""
    reader = FaceReader(Answering(classes, **sure))
    return reader.read(PHOTO, QUAD[None])


def test_a_network_of_39_classes_knows_no_foreign_tiles() -> None:
    faces = read(CLASSES, none=0.9)
    assert faces.probabilities.shape == (1, len(CLASSES))
    assert not faces.foreign.any() and not is_foreign(faces).any()


def test_what_a_network_of_40_classes_takes_for_foreign_counts_as_no_face() -> None:
    faces = read(WITH_FOREIGN, foreign=0.8, _1s=0.2)
    assert faces.probabilities.shape == (1, len(CLASSES))
    assert faces.probabilities[0].argmax() == NOT_A_FACE_INDEX
    assert faces.probabilities.sum() == pytest.approx(1, abs=1e-5)
    assert faces.foreign[0] == pytest.approx(0.8, abs=0.01) and is_foreign(faces).all()


@pytest.mark.parametrize(
    ("sure", "named"),
    [
        ({"foreign": 0.5, "none": 0.3, "_1s": 0.2}, True),
        ({"foreign": 0.3, "none": 0.5, "_1s": 0.2}, False),
        ({"foreign": 0.3, "none": 0.05, "_1s": 0.6}, False),
    ],
)
def test_a_tile_is_foreign_where_that_is_likeliest(sure: dict[str, float], named: bool) -> None:
    assert is_foreign(read(WITH_FOREIGN, **sure)).tolist() == [named]


def test_a_foreign_tile_is_listed_with_what_else_it_may_be() -> None:
    faces = read(WITH_FOREIGN, foreign=0.7, _1s=0.2, none=0.1)
    seen = ForeignSeen.of(faces, is_foreign(faces))
    photo = Photo.decoded(PHOTO, (320, 240))
    (tile,) = foreign_tiles(photo, seen, np.zeros((0, 4, 2), np.float32))
    assert (tile.label, tile.role, tile.runner_up[0]) == (FOREIGN, "other", "1s")
    assert tile.probability == pytest.approx(0.7, abs=0.01)
    assert np.allclose(np.array(tile.quad), (QUAD + 0.5) * 2 - 0.5)
    assert not list(foreign_tiles(photo, seen, QUAD[None] + 2)), "another look has seen a face there"


def test_the_message_counts_them() -> None:
    assert left_out(0) == ""
    assert left_out(1).startswith(" 1 tile that no hand has") and "2 tiles" in left_out(2)


@pytest.mark.parametrize("short", [False, True])
def test_a_flower_beside_a_hand_is_named_and_no_part_of_it(scripted: Any, short: bool) -> None:
    closed = ["2m", "3m", "4m", "3p", "4p", "5p", "6p", "7p", "8p", "2s", "2s", "6s", "7s"]
    tiles = [Laid(label, 19.2 * k, 0.0, role="hand") for k, label in enumerate(closed)]
    tiles += [] if short else [Laid("8s", 19.2 * 13 + 12, 0.0, role="win")]
    reader, photo, seen = scripted(Scene([*tiles, Laid("1s", 40.0, 90.0)], closed, None if short else "8s"))
    flower = next(k for k, tile in enumerate(seen.scene.tiles) if tile.label == "1s")
    networks = reader._faces
    honest = networks.read

    def taught(rgb: Any, quads: Any, **how: Any) -> Faces:
        faces = honest(rgb, quads)
        there = np.linalg.norm(quads.mean(1) - seen.quads[flower].mean(0), axis=1) < 5
        faces.probabilities[there] = np.eye(len(CLASSES))[NOT_A_FACE_INDEX]
        return replace(faces, foreign=np.where(there, 0.98, 0.0).astype(np.float32))

    before = reader.read(photo)
    networks.read = taught
    reading = reader.read(photo)
    (listed,) = [tile for tile in reading.tiles if tile.label == FOREIGN]
    assert listed.role == "other" and listed.probability == pytest.approx(0.98, abs=0.01)
    assert reading.hand == before.hand and len(reading.tiles) == len(before.tiles)
    assert reading.status == before.status == ("incomplete" if short else "ok")
    assert ("1 tile that no hand has" in reading.message) == short


def test_a_journal_keeps_a_foreign_tile_as_one_without_a_name() -> None:
    faces = read(WITH_FOREIGN, foreign=0.9)
    seen = ForeignSeen.of(faces, is_foreign(faces))
    (tile,) = foreign_tiles(Photo.decoded(PHOTO, (160, 120)), seen, np.zeros((0, 4, 2), np.float32))
    assert readable(tile).label == UNREADABLE
    assert tile_record(readable(tile), faces.probabilities[0].astype(float))["label"] == UNREADABLE
