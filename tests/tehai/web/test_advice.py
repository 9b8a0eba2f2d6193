"""What whoever holds the camera is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tehai.web.advice import advise
from tests.tehai.web.fakes import HAND
from vision.arrays import Pixels
from vision.image import Photo
from vision.reading import Quad, Reading, SeenTile


def scene(
    width: int = 30, height: int = 40, probability: float = 0.99, step: int = 32
) -> tuple[Photo, Reading]:
    """A row of tiles with a fine pattern on them, on a grey table."""
    pixels = np.full((480, 640, 3), 90, np.uint8)
    tiles = []
    for at, label in enumerate(HAND):
        x, y = 60 + at * step, 200
        face = np.full((height, width, 3), 225, np.uint8)
        face[4:-4:4, 4:-4] = 40
        pixels[y : y + height, x : x + width] = face
        corners: Quad = (x, y), (x + width, y), (x + width, y + height), (x, y + height)
        tiles.append(SeenTile(corners, label, probability, ("9m", 0.01), "hand"))
    hand = {"concealed": "234m340567p2267s", "melds": []}
    return Photo(pixels, 640, 480), Reading("", 640, 480, tuple(tiles), hand, {}, "incomplete", "13 tiles.")


def hints(photo: Photo, reading: Reading) -> list[str]:
    return [advice["id"] for advice in advise(photo, reading)]


def changed(photo: Photo, change: Callable[[Pixels], NDArray[np.uint8]]) -> Photo:
    return replace(photo, pixels=np.ascontiguousarray(change(photo.pixels.copy())))


def test_a_good_picture_needs_no_advice() -> None:
    assert hints(*scene()) == []


def test_without_tiles_one_is_told_where_to_point() -> None:
    nothing = Reading("", 640, 480, (), None, {}, "error", "No mahjong tiles were found in the photo.")
    photo, _ = scene()
    assert list(advise(photo, nothing)) == [{"id": "point", "text": nothing.message}]


def test_small_tiles_are_to_be_closer() -> None:
    assert hints(*scene(width=13, height=17)) == ["closer"]


def test_tiles_at_the_edge_are_cut_off() -> None:
    photo, reading = scene()
    first = reading.tiles[0]
    moved: Quad = tuple((x - 60, y) for x, y in first.quad)  # type: ignore[assignment]
    assert hints(photo, replace(reading, tiles=(replace(first, quad=moved), *reading.tiles[1:]))) == [
        "farther"
    ]


@pytest.mark.parametrize(("probability", "advice"), [(0.5, ["still"]), (0.99, [])])
def test_a_blur_matters_where_it_makes_doubtful(probability: float, advice: list[str]) -> None:
    photo, reading = scene(probability=probability)
    blurred = changed(photo, lambda pixels: np.asarray(cv2.GaussianBlur(pixels, (0, 0), 4), np.uint8))
    assert hints(blurred, reading) == advice


@pytest.mark.parametrize(("probability", "advice"), [(0.5, ["glare"]), (0.99, [])])
def test_glare_matters_where_it_makes_doubtful(probability: float, advice: list[str]) -> None:
    photo, reading = scene(probability=probability)

    def lamp(pixels: Pixels) -> Pixels:
        pixels[200:240, 60:110] = 255
        return pixels

    assert hints(changed(photo, lamp), reading) == advice


@pytest.mark.parametrize(("probability", "advice"), [(0.5, ["above"]), (0.99, [])])
def test_a_low_angle_matters_where_it_makes_doubtful(probability: float, advice: list[str]) -> None:
    assert hints(*scene(width=31, height=22, probability=probability)) == advice


def test_tiles_beside_the_hand_do_not_count() -> None:
    photo, reading = scene()
    far = SeenTile(((0, 0), (9, 0), (9, 12), (0, 12)), "1m", 0.2, ("9m", 0.1), "other")
    assert hints(photo, replace(reading, tiles=(*reading.tiles, far))) == []


def test_a_photo_made_smaller_is_measured_in_its_own_pixels() -> None:
    photo, reading = scene()
    large = tuple(
        replace(tile, quad=tuple((4 * x, 4 * y) for x, y in tile.quad))  # type: ignore[arg-type]
        for tile in reading.tiles
    )
    assert hints(replace(photo, width=2560, height=1920), replace(reading, tiles=large)) == []
