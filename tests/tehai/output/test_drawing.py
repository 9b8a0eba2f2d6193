"""A drawing keeps the photo, colours what it outlines, and marks what is doubtful."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tehai.output.drawing import COLOURS, DOUBT, MELD_COLOURS, draw
from vision.reading import Quad, Reading, SeenTile


def tile(x: float, role: str, probability: float = 0.99, size: float = 60, y: float = 100) -> SeenTile:
    quad: Quad = ((x, y), (x + size * 0.75, y), (x + size * 0.75, y + size), (x, y + size))
    return SeenTile(quad, "5p", probability, ("6p", 1 - probability), role)


def reading(*tiles: SeenTile, width: int = 400, height: int = 300) -> Reading:
    return Reading("", width, height, tiles, None, {}, "ok")


def has(picture: np.ndarray, colour: tuple[int, int, int]) -> bool:
    return bool((picture == np.array(colour, np.uint8)).all(axis=2).any())


BLACK = np.zeros((300, 400, 3), np.uint8)


def test_roles_have_their_colours_and_the_photo_is_kept() -> None:
    photo = BLACK.copy()
    picture = draw(photo, reading(tile(20, "hand"), tile(90, "win"), tile(160, "meld:1"), tile(230, "other")))
    assert picture.shape == photo.shape and not photo.any()
    for colour in (COLOURS["hand"], COLOURS["win"], MELD_COLOURS[1], COLOURS["other"]):
        assert has(picture, colour)
    assert not has(picture, DOUBT) and not has(picture, COLOURS["dora"])


@pytest.mark.parametrize("role", ["hand", "meld:3"])
def test_doubt_is_marked_only_in_the_hand(role: str) -> None:
    assert has(draw(BLACK, reading(tile(50, role, probability=0.6))), DOUBT)
    assert not has(draw(BLACK, reading(tile(50, "other", probability=0.6))), DOUBT)


def test_the_backs_of_a_wall_are_not_outlined() -> None:
    wall = [replace(tile(x, "other"), label="back") for x in (20, 90, 160)]
    assert (draw(BLACK, reading(*wall)) == BLACK).all()
    assert has(draw(BLACK, reading(replace(wall[0], role="meld:0"))), MELD_COLOURS[0])


def test_a_small_photo_is_enlarged_until_names_are_legible() -> None:
    small = np.zeros((75, 100, 3), np.uint8)
    picture = draw(small, reading(tile(10, "hand", size=12, y=30), width=100, height=75))
    assert picture.shape[1] > 300 and picture.shape[1] / picture.shape[0] == pytest.approx(4 / 3, rel=0.02)


def test_quads_are_in_full_resolution_pixels() -> None:
    half = draw(np.zeros((150, 200, 3), np.uint8), reading(tile(200, "win", size=160, y=60)))
    rows, columns = np.nonzero((half == np.array(COLOURS["win"], np.uint8)).all(axis=2))
    assert half.shape == (150, 200, 3)
    assert columns.min() == pytest.approx(100, abs=6) and rows.max() == pytest.approx(110, abs=6)


def test_labels_at_the_edge_stay_inside_and_nothing_is_fine_too() -> None:
    draw(BLACK, reading(tile(-30, "hand", probability=0.3, y=-20), tile(380, "win", y=280)))
    assert (draw(BLACK, reading()) == BLACK).all()
