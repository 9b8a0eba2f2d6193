"""Crops show what their quads enclose; a reader whose network knows the answer ends on the true corners."""

from __future__ import annotations

import json
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from vision.detections import Detections
from vision.faces import CropShape, FaceReader, cut, probabilities
from vision.labels import CLASSES, NOT_A_FACE_INDEX, WITH_FOREIGN
from vision.quads import project, rotated

SHAPE = CropShape()
SLANTED = np.array([[60, 40], [131, 52], [118, 150], [44, 131]], np.float32)


def painted(quad: np.ndarray, size: int = 256) -> np.ndarray:
    """A grey photo with one tile, whose red grows from left to right and green from top to bottom, also
    beyond its edges."""
    frame = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), frame)
    grid = np.stack(np.meshgrid(np.arange(size), np.arange(size)), -1).reshape(-1, 2).astype(np.float32)
    place = project(grid, np.asarray(matrix, float)).reshape(size, size, 2)
    red, green = (np.clip(100 + 70 * (place[..., k] - 0.5), 0, 255) for k in (0, 1))
    return np.stack([red, green, np.full_like(red, 60)], -1).round().astype(np.uint8)


class Knowing(FaceReader):
    """A reader whose network reads place and turn off the colours of :func:`painted`."""

    def __init__(self, passes: int, sure: float = 9.0) -> None:
        self.shape = SHAPE
        self._passes = passes
        self.sure = sure
        self.batches: list[int] = []

    def run(self, crops: np.ndarray) -> tuple[np.ndarray, ...]:
        self.batches.append(len(crops))
        labels = np.zeros((len(crops), len(CLASSES)), np.float32)
        labels[:, 4] = self.sure
        found = [self._look(crop) for crop in crops]
        maps = np.tile(np.array([[1.0, 3.0], [0.0, 4.0], [5.0, 5.0]], np.float32), (len(crops), 1, 1))
        return labels, np.stack([f[0] for f in found]), np.stack([f[1] for f in found]), maps

    def _look(self, crop: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        grid = np.stack(np.meshgrid(np.arange(SHAPE.width), np.arange(SHAPE.height)), -1).reshape(-1, 2)
        place = (crop[..., :2].reshape(-1, 2).astype(float) - 100) / 70 + 0.5
        matrix, _ = cv2.findHomography(place.astype(np.float32), grid.astype(np.float32), 0)
        corners = project(np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32), np.asarray(matrix, float))
        # The crop's top left corner shows the face's corner number -quarters.
        nearest = int(np.linalg.norm(corners - SHAPE.corners()[0], axis=1).argmin())
        quarters = -nearest % 4
        rotation = np.zeros(4, np.float32)
        rotation[quarters] = 6
        return rotation, SHAPE.encode(rotated(corners, quarters))


def test_offsets_are_undone() -> None:
    corners = SHAPE.corners() + np.array([[1, -2], [3, 0], [0.5, 4], [-3, 2]], np.float32)
    assert np.allclose(SHAPE.decode(SHAPE.encode(corners)), corners, atol=1e-4)
    assert not SHAPE.encode(SHAPE.corners()).any()


def test_a_crop_turned_by_one_quarter_shows_the_face_turned_clockwise() -> None:
    crop = cut(painted(SLANTED), rotated(SLANTED, 1)[None], SHAPE)[0].astype(int)
    # What was left to right (red) now runs from top to bottom.
    assert crop[60, 32, 0] > crop[20, 32, 0] + 20
    assert abs(crop[40, 50, 0] - crop[40, 14, 0]) < 6


def test_the_crop_shows_the_quad_in_its_middle() -> None:
    crop = cut(painted(SLANTED), SLANTED[None], SHAPE)[0].astype(float)
    assert abs(crop[40, 32, 0] - 100) < 3 and abs(crop[40, 32, 1] - 100) < 3
    left, top = SHAPE.corners()[0].astype(int)
    assert abs(crop[top, left, 0] - 65) < 4 and abs(crop[top, left, 1] - 65) < 4


@pytest.mark.parametrize("factor", [3, 7])
def test_large_tiles_are_shrunk_without_moving(factor: int) -> None:
    small = painted(SLANTED)
    large = np.asarray(cv2.resize(small, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC), np.uint8)
    quad = (SLANTED + 0.5) * factor - 0.5
    a, b = cut(small, SLANTED[None], SHAPE)[0], cut(large, quad[None], SHAPE)[0]
    assert np.abs(a.astype(int) - b.astype(int)).mean() < 1.5


def test_fine_patterns_turn_grey_instead_of_noise() -> None:
    board = (np.indices((600, 600)).sum(0) % 2 * 255).astype(np.uint8)
    quad = np.array([[100, 100], [400, 100], [400, 500], [100, 500]], np.float32)
    crop = cut(np.dstack([board] * 3), quad[None], SHAPE)[0]
    assert np.abs(crop.astype(int) - 127).max() <= 2


def test_outside_the_photo_its_edge_goes_on() -> None:
    photo = np.zeros((64, 64, 3), np.uint8)
    photo[:, :, 0] = 200
    for size in (20, 60, 900):
        quad = np.array([[40, 40], [40 + size, 40], [40 + size, 40 + size], [40, 40 + size]], np.float32)
        assert (cut(photo, quad[None], SHAPE)[0][..., 0] == 200).all()


def test_tiles_of_all_sizes_at_once() -> None:
    photo = painted(SLANTED * 2.5, 700)
    quads = np.stack([SLANTED * 2.5, SLANTED * 0.5, SLANTED])
    together = cut(photo, quads, SHAPE)
    assert np.array_equal(together[1], cut(photo, quads[1:2], SHAPE)[0])
    assert np.abs(together[0].astype(int) - cut(photo, quads[:1], SHAPE)[0]).mean() < 1


OFF = np.array([[4, -3], [-5, 2], [3, 5], [-2, -4]], np.float32)
"""By how much corners may be wrong, well less than makes a crop useless."""


@pytest.mark.parametrize("quarters", range(4))
def test_a_look_ends_on_the_true_corners(quarters: int) -> None:
    reader = Knowing(passes=2)
    seen = reader.classify(painted(SLANTED), rotated(SLANTED + 2 * OFF, quarters)[None])
    assert np.abs(seen.quads[0] - SLANTED).max() < 2
    assert seen.turns is not None and seen.turns[0].argmax() == 0 and seen.turns[0].sum() == pytest.approx(1)
    assert seen.logits is not None and seen.logits.shape == (1, len(WITH_FOREIGN))
    assert seen.logits[0].argmax() == 4 and seen.logits[0, -1] < -10, "a network that knows no foreign tiles"
    assert seen.embeddings is not None and seen.embeddings.tolist() == [[2, 2, 5]], "the mean of its maps"
    assert reader.batches == [1, 1], "two passes"


@pytest.mark.parametrize(
    ("sure", "off", "quarters", "passes"),
    [(9.0, 0, 1, 1), (9.0, 1, 0, 1), (9.0, 2, 0, 2), (3.0, 1, 0, 2), (3.0, 0, 0, 1), (3.0, 0, 1, 2)],
    ids=["turned", "off", "far off", "unsure and off", "unsure", "unsure and turned"],
)
def test_a_crop_is_cut_anew_where_that_shows_something_new(
    sure: float, off: int, quarters: int, passes: int
) -> None:
    reader = Knowing(passes=2, sure=sure)
    reader.classify(painted(SLANTED), rotated(SLANTED + off * OFF, quarters)[None])
    assert reader.batches == [1] * passes


def test_nothing_to_look_at() -> None:
    seen = Knowing(passes=2).classify(painted(SLANTED), np.zeros((0, 4, 2), np.float32))
    assert len(seen) == 0 and probabilities(seen).shape == (0, 39)
    assert cut(painted(SLANTED), np.zeros((0, 4, 2), np.float32), SHAPE).shape == (0, 80, 64, 3)


def test_a_tile_that_no_hand_has_counts_as_none() -> None:
    logits = np.log(np.full((1, len(WITH_FOREIGN)), 0.1 / 37, np.float32))
    logits[0, [4, NOT_A_FACE_INDEX, -1]] = np.log([0.5, 0.1, 0.3])
    shares = probabilities(Detections(SLANTED[None], np.ones(1, np.float32), logits))
    assert shares.shape == (1, len(CLASSES)) and shares.sum() == pytest.approx(1)
    assert shares[0, [4, NOT_A_FACE_INDEX]] == pytest.approx([0.5, 0.4])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"task": "finder"}, "no face classifier"),
        ({"settings": "{}"}, "incomplete"),
        ({"classes": json.dumps(["1m"])}, "other classes"),
    ],
)
def test_other_model_files_are_refused(change: dict[str, str], message: str) -> None:
    settings = {"crop": {"width": 64, "height": 80, "margin": 1.25}, "passes": 2}
    props = {"task": "faces", "classes": json.dumps(CLASSES), "settings": json.dumps(settings)}
    FaceReader(SimpleNamespace(metadata=props))
    with pytest.raises(ValueError, match=message):
        FaceReader(SimpleNamespace(metadata={**props, **change}))
