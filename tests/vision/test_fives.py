"""Fives are told red or plain by what lies around them, and by nothing else."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from vision import fives
from vision.arrays import Array32, Indices, Pixels
from vision.fives import CLEAR, COLOURS, Colours, among, by_maps, compare, evidence, one_red, together
from vision.inks import Crops, Evidence
from vision.labels import CLASSES

CHANNELS, CELLS = COLOURS.cells.shape[1], (COLOURS.hidden.shape[0] - 12) // COLOURS.cells.shape[2]


def tiles(*names: str, sure: float = 0.9) -> np.ndarray:
    """Probabilities of faces that are rather sure; a five's other colour has half of the rest."""
    probabilities = np.full((len(names), len(CLASSES)), 1e-4, np.float32)
    for row, name in enumerate(names):
        probabilities[row, CLASSES.index(name)] = sure
        if name[0] in "05":
            probabilities[row, CLASSES.index({"0": "5", "5": "0"}[name[0]] + name[1])] = (1 - sure) / 2
    return probabilities


def maps_of(count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).random((count, CHANNELS, CELLS), np.float32)


def crops(tiles: Indices) -> Pixels:
    """Crops of so many tiles that are all the same."""
    return np.full((len(tiles), 80, 64, 3), 200, np.uint8)


def test_a_five_is_held_against_its_suit_all_suits_and_the_fives_of_its_kind() -> None:
    maps = maps_of(5)
    seen = evidence(tiles("5p", "5p", "3p", "0m", "1z"), maps, np.zeros(5, int))
    assert seen.tiles.tolist() == [0, 1, 3] and seen.suits.tolist() == [1, 1, 0]
    own, alike, others, fives = seen.maps[0]
    assert own == pytest.approx(maps[0])
    assert alike == pytest.approx(maps[[1, 2]].mean(axis=0), rel=1e-5)
    assert others == pytest.approx(maps[[1, 2, 3]].mean(axis=0), rel=1e-5), "a wind has no suit"
    assert fives == pytest.approx(maps[1])
    assert seen.facts[0, 1:4].tolist() == [1, 1, 1]
    assert seen.facts[0, 0] < 0 < seen.facts[2, 0], "a log of the odds that it is red"
    assert seen.facts[0, 6] == pytest.approx(seen.facts[2, 0]), "the reddest five of another suit"


def test_a_five_that_lies_alone_is_held_against_itself() -> None:
    maps = maps_of(1)
    seen = evidence(tiles("0s"), maps, np.zeros(1, int))
    assert all(part == pytest.approx(maps[0]) for part in seen.maps[0])
    assert seen.facts[0, 1:].tolist() == [0] * 8


def test_tiles_are_compared_with_those_that_were_turned_likewise() -> None:
    maps = maps_of(5)
    seen = evidence(tiles("5p", "0p", "3p", "4p", "5p"), maps, np.array([2, 0, 2, 0, 1]))
    assert seen.tiles.tolist() == [0, 1], "nor is one that lies on its side"
    assert seen.facts[:, 8].tolist() == [1, 0]
    assert seen.maps[0, :2] == pytest.approx(maps[[0, 2], :, ::-1]), "head down its cells go backwards"
    assert seen.maps[1, :2] == pytest.approx(maps[[1, 3]])
    assert seen.facts[0, 3] == 0 and seen.facts[0, 4] == pytest.approx(seen.facts[1, 0])


def test_only_the_colour_changes() -> None:
    probabilities = tiles("5p", "0m", "3s", "1z", "back")
    changed = compare(probabilities, maps_of(5), np.zeros(5, int), crops)
    red, plain = CLASSES.index("0p"), CLASSES.index("5p")
    others = np.delete(np.arange(len(CLASSES)), [red, plain])
    assert changed[0, [red, plain]].sum() == pytest.approx(probabilities[0, [red, plain]].sum(), rel=1e-5)
    assert np.array_equal(changed[0, others], probabilities[0, others])
    assert np.array_equal(changed[2:], probabilities[2:])
    assert not np.array_equal(changed[:2], probabilities[:2])


def test_a_five_on_its_side_is_compared_by_its_picture_alone() -> None:
    probabilities, turns = tiles("5p", "0m", "3s", "1z", "5s"), np.array([1, 0, 0, 0, 3])
    found, suits, alone = among(probabilities)
    assert found.tolist() == [0, 1, 4] and suits.tolist() == [1, 0, 2, -1, 2]
    told = by_maps(probabilities, maps_of(5), turns, alone)
    assert told[[0, 4]] == pytest.approx(alone[[0, 4]]) and told[1] != pytest.approx(alone[1])
    assert not np.array_equal(compare(probabilities, maps_of(5), turns, crops)[0], probabilities[0])


def test_only_fives_that_maps_leave_in_question_are_looked_at_closely(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    odds, asked = np.array([CLEAR + 1, 1, -CLEAR - 1, 0], np.float32), []

    def cut(some: Indices) -> Pixels:
        asked.append(some.tolist())
        return crops(some)

    def shares(crops: Crops | None = cut) -> np.ndarray:
        changed = compare(tiles("5p", "0m", "5s", "1z"), maps_of(4), np.zeros(4, int), crops)
        red, plain = (changed[range(3), [CLASSES.index(f"{n}{suit}") for suit in "pms"]] for n in "05")
        return np.log(red / plain)

    monkeypatch.setattr(fives, "by_maps", lambda *_: odds.copy())
    told = shares()
    assert [some[0] for some in asked] == [1]
    assert told[[0, 2]] == pytest.approx(odds[[0, 2]], abs=1e-3) and told[1] != pytest.approx(
        odds[1], abs=0.01
    )
    assert shares(None)[1] == pytest.approx(odds[1], abs=1e-3) and len(asked) == 1, "there is no time"
    odds[1] = -CLEAR
    assert shares()[1] == pytest.approx(-CLEAR, abs=1e-3) and len(asked) == 1, "nor is any crop cut"


def test_a_five_that_one_look_leaves_in_question_is_told_by_the_mean_of_several() -> None:
    pictures = np.zeros((2, 4, 3, 80, 64), np.float32)
    pictures[:, 0, 0, 0, 10] = 4, 80
    seen = Evidence(np.zeros(2, int), pictures, np.zeros((2, 11), np.float32))

    def at_one_place(seen: Evidence) -> Array32:
        """Sees a mark where it lay at first, and nothing once it was moved."""
        return seen.pictures[:, 0, 0, 0, 10]

    unsure, sure = fives.compared(np.zeros(2, np.float32), seen, at_one_place)
    assert sure == together(np.zeros(1), np.array([80.0]))
    assert unsure == pytest.approx(together(np.zeros(1), np.array([4 / 3]))[0])


def test_pictures_count_more_than_maps_and_red_more_than_where_both_learnt() -> None:
    none, maps, pictures = together(np.float32([0, 2, 0]), np.float32([0, 0, 2])).tolist()
    assert 0 < none < 1, "games have more red fives"
    assert none < maps < pictures and pictures + maps - 2 * none == pytest.approx(2)


def test_where_one_five_of_a_suit_is_red_the_others_hardly_are() -> None:
    odds, suits = np.array([4, 1, -6, 1], np.float32), np.array([0, 0, 0, 1])
    red, other, plain, stranger = one_red(odds, suits).tolist()
    assert other < 0 and plain < -6, "beside one that is surely red"
    assert 2 < red < 4, "which is a little less so"
    assert stranger == pytest.approx(1), "of another suit"
    assert (one_red(np.float32([9, 9]), np.array([2, 2])) > 2).all(), "two that surely are red stay so"
    assert (one_red(np.full(99, 16, np.float32), np.zeros(99, int)) > 9).all(), "a chart of red fives, too"


def test_the_odds_of_fives_are_those_of_all_ways_that_a_suit_may_be_red() -> None:
    odds = np.array([2, 0.5, -1], np.float32)
    ways = list(product((0, 1), repeat=3))
    weights = [np.exp(np.dot(way, odds)) * fives._SECOND ** max(sum(way) - 1, 0) for way in ways]
    chance = [sum(w for way, w in zip(ways, weights, strict=True) if way[k]) for k in range(3)]
    told = np.log(np.array(chance) / (sum(weights) - np.array(chance)))
    assert one_red(odds, np.zeros(3, int)) == pytest.approx(told, rel=1e-5)


def test_without_a_five_nothing_changes() -> None:
    probabilities = tiles("3s", "1z")
    assert compare(probabilities, maps_of(2), np.zeros(2, int), crops) is probabilities


def test_weights_come_back_as_they_were_written(tmp_path: Path) -> None:
    COLOURS.write(tmp_path / "fives.npz")
    seen = evidence(tiles("5p", "0p", "3p"), maps_of(3), np.zeros(3, int))
    assert Colours.read(tmp_path / "fives.npz").red(seen) == pytest.approx(COLOURS.red(seen))
