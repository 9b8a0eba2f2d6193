"""Outlines: what they measure, how much they share, how they lie to one another."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.boxes import iou
from scorer.tiles import TILES
from vision import labels
from vision.quads import (
    areas,
    axes,
    bounds,
    box_iou,
    clockwise,
    convex,
    lengths,
    overlaps_any,
    parallelograms,
    project,
    rotated,
    sizes,
    turns_between,
)

UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
SLANTED = np.array([[60, 40], [131, 52], [118, 150], [44, 131]], np.float32)


def test_a_rectangle_has_its_sides_and_its_area() -> None:
    quads = np.stack([UNIT * [3, 4], UNIT * [3, 4] + 100]).astype(np.float32)
    assert areas(quads).tolist() == [12, 12] and areas(quads[:, ::-1]).tolist() == [-12, -12]
    assert np.allclose(sizes(quads), np.sqrt(12)) and lengths(quads).tolist() == [[3, 4, 3, 4]] * 2
    across, along = axes(quads)
    assert across.tolist() == [[3, 0]] * 2 and along.tolist() == [[0, 4]] * 2
    assert across.dtype == along.dtype == areas(quads).dtype == np.float32
    assert np.array_equal(parallelograms(quads.mean(1), across, along), quads)
    assert clockwise(parallelograms(quads.mean(1), along, across)[0])


def test_a_quad_has_the_area_of_the_parallelogram_next_to_it() -> None:
    assert sizes(SLANTED) ** 2 == pytest.approx(float(areas(SLANTED)), rel=1e-5)


def test_which_way_round_and_whether_convex() -> None:
    assert clockwise(SLANTED) and convex(SLANTED)
    assert not clockwise(SLANTED[::-1]) and convex(SLANTED[::-1])
    dented = SLANTED.copy()
    dented[2] = [70, 60]
    for bad in (dented, SLANTED[[0, 2, 1, 3]], UNIT[[0, 1, 1, 3]]):
        assert not convex(bad) and not clockwise(bad)
        assert not cv2.isContourConvex(bad)


def test_projection_is_opencv_s() -> None:
    random = np.random.default_rng(0)
    matrix = np.array([[0.9, 0.1, -40], [-0.2, 1.1, 25], [2e-4, -1e-4, 1]])
    points = (random.random((500, 2)) * 3000).astype(np.float32)
    assert np.array_equal(project(points, matrix), cv2.perspectiveTransform(points[None], matrix)[0])
    assert project(points[:0], matrix).shape == (0, 2)
    each = np.stack([matrix, matrix + 0.5])
    two = points[:8].reshape(2, 4, 2)
    apart = [project(quad, one) for quad, one in zip(two, each, strict=True)]
    assert np.array_equal(project(two, each), apart)
    quads = points.reshape(-1, 4, 2).astype(float)
    back = project(project(quads, matrix), np.linalg.inv(matrix))
    assert np.allclose(back, quads) and back.dtype == np.float64


def test_points_on_the_horizon_come_to_the_origin() -> None:
    matrix = np.array([[1, 0, 0], [0, 1, 0], [0, -1.0, 1]])
    assert project(np.array([[3, 1.0]]), matrix).tolist() == [[0, 0]]


@pytest.mark.parametrize("quarters", range(4))
def test_how_a_quad_was_turned(quarters: int) -> None:
    noisy = rotated(SLANTED, -quarters) + np.float32(3)
    assert turns_between(noisy[None], SLANTED[None]).tolist() == [quarters]


def test_boxes_and_quads_share_the_same() -> None:
    quads = np.stack([UNIT, UNIT + np.float32([0.5, 0]), UNIT + 5])
    assert bounds(quads).tolist() == [[0, 0, 1, 1], [0.5, 0, 1.5, 1], [5, 5, 6, 6]]
    shared = box_iou(bounds(quads), bounds(quads))
    assert np.allclose(shared, [[1, 1 / 3, 0], [1 / 3, 1, 0], [0, 0, 1]])
    assert np.allclose(shared, [[iou(a, b) for b in quads] for a in quads])
    assert bounds(np.zeros((0, 4, 2))).shape == (0, 4)


def test_quads_of_one_tile_cover_each_other_whatever_their_sizes() -> None:
    tile, twice, beside = UNIT, UNIT * [2, 1], UNIT + np.float32([1, 0])
    found = overlaps_any(np.stack([tile + np.float32(0.2), beside, twice]), tile[None])
    assert found.tolist() == [True, False, True]
    assert overlaps_any(tile[None], np.stack([beside, twice * 0.5]).astype(np.float32)).tolist() == [True]
    assert overlaps_any(tile[None], np.zeros((0, 4, 2), np.float32)).tolist() == [False]
    between = tile + np.float32([0.6, 0])
    assert (overlaps_any(between[None], tile[None]), overlaps_any(between[None], tile[None], 0.7)) == (
        [False],
        [True],
    )


def test_faces_are_the_scorer_s_tiles() -> None:
    assert [str(tile) for tile in TILES] == list(labels.FACES)
    assert labels.PLAIN_OF == {"0m": "5m", "0p": "5p", "0s": "5s"}
    for tile in TILES:
        assert labels.plain(str(tile)) == labels.FACES[tile.kind]
    assert labels.plain(labels.BACK) == labels.BACK
    assert set(labels.CLASSES) > labels.LOOK_ALIKE_UPSIDE_DOWN
    # A red five is as hard to tell as its plain one.
    for red, five in labels.PLAIN_OF.items():
        assert (red in labels.LOOK_ALIKE_UPSIDE_DOWN) == (five in labels.LOOK_ALIKE_UPSIDE_DOWN)
