"""Pictures of fives are held against those of the tiles around them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.arrays import Indices, Pixels
from vision.inks import INKS, SEE, Inks, evidence, pictures

M, P, NONE = 0, 1, -1


def crops_of(count: int, seed: int = 2) -> Pixels:
    """Crops of tiles, each with a grey of its own and a stain somewhere."""
    rng = np.random.default_rng(seed)
    crops = np.empty((count, 80, 64, 3), np.uint8)
    crops[:] = rng.integers(120, 250, (count, 1, 1, 1))
    for crop, y, x in zip(crops, rng.integers(10, 60, count), rng.integers(10, 44, count), strict=True):
        crop[y : y + 12, x : x + 12] = rng.integers(0, 255, 3)
    return crops


def test_a_five_is_held_against_those_of_its_kind_its_suit_and_other_suits() -> None:
    """5p 5p 3p 0m, a wind, 4m and 0p."""
    crops, suits = crops_of(7), np.array([P, P, P, M, NONE, M, P])
    odds = np.array([-2, -3, 0, 4, 0, 0, 5], np.float32)
    sideways = np.arange(7) == 1
    fives = np.array([0, 1, 3, 6])
    seen = evidence(fives, fives, suits, odds, sideways, lambda tiles: crops[tiles])
    own, kin, suit, others = seen.pictures[0]
    drawn = pictures(crops)
    assert own == pytest.approx(drawn[0])
    assert kin == pytest.approx(drawn[[1, 6]].mean(axis=0), abs=1e-5)
    assert suit == pytest.approx(drawn[2], abs=1e-5)
    assert others == pytest.approx(drawn[5], abs=1e-5), "a five of another suit may be red itself"
    assert seen.suits.tolist() == [P, P, M, P]
    assert seen.facts[0] == pytest.approx([-2, 1, -3, 4, 4, 0, 1, 1, 1, np.log(3), np.log(2)])
    assert seen.facts[:, 5].tolist() == [0, 1, 0, 0], "whether it lay on its side"
    assert seen.facts[2, 6:9].tolist() == [0, 1, 1], "the only five of its suit"
    assert seen.pictures[2, 1] == pytest.approx(drawn[3]), "is held against itself"
    some = evidence(fives[[3, 0]], fives, suits, odds, sideways, lambda tiles: crops[tiles])
    assert some.pictures == pytest.approx(seen.pictures[[3, 0]], abs=1e-5), (
        "asked about or not, the others count"
    )
    assert some.facts == pytest.approx(seen.facts[[3, 0]]) and some.suits.tolist() == [P, P]


def test_a_five_that_lies_alone_is_held_against_itself() -> None:
    crops = crops_of(1)
    seen = evidence(
        np.zeros(1, int),
        np.zeros(1, int),
        np.array([P]),
        np.ones(1, np.float32),
        np.zeros(1, bool),
        lambda _: crops,
    )
    assert all(part == pytest.approx(pictures(crops)[0]) for part in seen.pictures[0])
    assert seen.facts[0].tolist() == [1] + [0] * 10


def test_a_picture_is_of_what_differs_from_the_ground_whatever_the_light() -> None:
    crop = np.full((1, 80, 64, 3), 200, np.uint8)
    crop[0, 36:44, 28:36] = (160, 20, 30)
    bright, dark = pictures(crop)[0], pictures((crop * 0.6).astype(np.uint8))[0]
    assert bright.shape == (3, 80, 64) and abs(bright[:, 0, 0]).max() < 1e-3
    assert bright[0, 40, 32] < -1 and bright[1, 40, 32] > 5, "dark and red"
    assert dark[1:, 40, 32] == pytest.approx(bright[1:, 40, 32], rel=0.25)


def test_of_many_tiles_some_of_all_parts_of_the_photo_are_looked_at() -> None:
    asked: list[int] = []

    def cut(tiles: Indices) -> Pixels:
        asked.extend(tiles.tolist())
        return np.full((len(tiles), 80, 64, 3), 200, np.uint8)

    suits, odds = np.full(101, P), np.zeros(101, np.float32)
    evidence(np.array([50]), np.array([50]), suits, odds, np.zeros(101, bool), cut)
    others = asked[1:]
    assert asked[0] == 50 and others == sorted(others)
    assert 20 <= len(others) <= 24 and others[0] < 5 and others[-1] > 90


def test_a_five_that_is_drawn_otherwise_than_the_others_is_the_red_one() -> None:
    """A plain five of circles beside four tiles of its suit; then its middle and its corners are red."""
    crops = np.full((6, 80, 64, 3), 235, np.uint8)
    corners = [(y, x) for y in (26, 54) for x in (22, 42)]
    for y, x in [*corners, (40, 32)]:
        crops[:, y - 5 : y + 5, x - 5 : x + 5] = (40, 50, 90)
    suits, odds = np.full(6, P), np.zeros(6, np.float32)

    def red() -> float:
        seen = evidence(
            np.arange(2), np.arange(2), suits, odds, np.zeros(6, bool), lambda tiles: crops[tiles]
        )
        return float(INKS.red(seen, SEE)[0])

    plain = red()
    for y, x in [*corners, (40, 32)]:
        crops[0, y - 5 : y + 5, x - 5 : x + 5] = (190, 40, 40)
    assert plain < -2 and red() > plain + 2


def test_weights_come_back_as_they_were_written(tmp_path: Path) -> None:
    INKS.write(tmp_path / "inks.npz")
    crops, odds = crops_of(4), np.array([1, -1, 2, 0], np.float32)
    suits, fives = np.array([P, P, M, P]), np.arange(3)
    seen = evidence(fives, fives, suits, odds, np.zeros(4, bool), lambda tiles: crops[tiles])
    assert Inks.read(tmp_path / "inks.npz").red(seen, SEE) == pytest.approx(INKS.red(seen, SEE))
