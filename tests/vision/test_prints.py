"""A face in doubt is told by a picture of its print, whatever is sure is left alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.test_inks import crops_of
from vision.arrays import Array32, Indices, Pixels
from vision.inks import pictures
from vision.labels import CLASSES, FACES
from vision.prints import PRINTS, SEE, Prints, compare, in_doubt, logs

WEST, SOUTH = CLASSES.index("3z"), CLASSES.index("2z")


def answers(*rows: dict[str, float]) -> Array32:
    """Probabilities (n, classes) of tiles, each by the few classes that it may be of."""
    told = np.full((len(rows), len(CLASSES)), 1e-5, np.float32)
    for row, likely in zip(told, rows, strict=True):
        for name, chance in likely.items():
            row[CLASSES.index(name)] = chance
    return told / told.sum(axis=1, keepdims=True)


def test_in_doubt_is_what_shows_some_face_and_none_surely() -> None:
    told = answers({"2z": 0.95}, {"2z": 0.6, "3z": 0.4}, {"back": 0.6, "5z": 0.4}, {"0p": 0.5, "5p": 0.45})
    assert in_doubt(told).tolist() == [1, 3]


def test_red_fives_and_plain_ones_are_of_one_kind() -> None:
    own = np.exp(logs(answers({"0p": 0.4, "5p": 0.4, "2z": 0.1, "back": 0.1})))
    assert own.shape == (1, 34) and own.sum() == pytest.approx(1, abs=0.01)
    assert own[0, CLASSES.index("5p")] == pytest.approx(0.8 / 0.9, abs=0.01)


def test_what_is_sure_or_shows_no_face_is_not_looked_at() -> None:
    def cut(_: Indices) -> Pixels:
        raise AssertionError("nobody asked")

    told = answers({"2z": 0.97, "3z": 0.02}, {"back": 0.7, "5z": 0.3})
    assert compare(told, in_doubt(told), cut) is told


def test_a_tile_in_doubt_shares_anew_what_faces_come_to_and_keeps_the_rest() -> None:
    told = answers({"2z": 0.97}, {"2z": 0.5, "3z": 0.2, "back": 0.3}, {"0p": 0.3, "5p": 0.5, "3p": 0.2})
    asked: list[int] = []

    def cut(tiles: Indices) -> Pixels:
        asked.extend(tiles.tolist())
        return crops_of(len(tiles))

    now = compare(told, in_doubt(told), cut)
    assert asked == [1, 2] and np.array_equal(now[0], told[0])
    assert now.sum(axis=1) == pytest.approx(1, abs=1e-3)
    faces = slice(len(FACES))
    assert now[:, faces].sum(axis=1) == pytest.approx(told[:, faces].sum(axis=1), abs=1e-3)
    assert now[1, len(FACES) :] == pytest.approx(told[1, len(FACES) :])
    red, plain = now[2, CLASSES.index("0p")], now[2, CLASSES.index("5p")]
    assert red / plain == pytest.approx(0.6, rel=1e-3), "its colour is told by others"


def test_a_picture_that_leaves_no_question_overrules_a_doubtful_word() -> None:
    """A clean drawing of a one of circles that the face network is said to have taken for a white dragon."""
    crop = np.full((1, 80, 64, 3), 235, np.uint8)
    down, across = np.mgrid[:80, :64]
    away = np.hypot(down - 40, across - 32)
    crop[0, (away < 18) & (away > 13)] = (30, 90, 60)
    crop[0, away < 8] = (170, 40, 40)
    now = compare(answers({"5z": 0.5, "1p": 0.4}), np.zeros(1, int), lambda _: crop)
    assert now[0, CLASSES.index("1p")] > 0.8


def test_weights_come_back_as_they_were_written(tmp_path: Path) -> None:
    PRINTS.write(tmp_path / "prints.npz")
    own = logs(answers({"2z": 0.6, "3z": 0.4}, {"5z": 0.7, "1p": 0.2}))
    seen = SEE(pictures(crops_of(2)))
    assert Prints.read(tmp_path / "prints.npz").told(own, seen) == pytest.approx(PRINTS.told(own, seen))
