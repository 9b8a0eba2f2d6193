"""Fives are told red or plain by what lies around them, and by nothing else."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from vision import fives
from vision.fives import COLOURS, Colours, among, by_maps, compare, evidence, one_red
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
    changed = compare(probabilities, maps_of(5), np.zeros(5, int))
    red, plain = CLASSES.index("0p"), CLASSES.index("5p")
    others = np.delete(np.arange(len(CLASSES)), [red, plain])
    assert changed[0, [red, plain]].sum() == pytest.approx(probabilities[0, [red, plain]].sum(), rel=1e-5)
    assert np.array_equal(changed[0, others], probabilities[0, others])
    assert np.array_equal(changed[2:], probabilities[2:])
    assert not np.array_equal(changed[:2], probabilities[:2])


def test_a_five_on_its_side_keeps_the_network_s_own_word() -> None:
    probabilities, turns = tiles("5p", "0m", "3s", "1z", "5s"), np.array([1, 0, 0, 0, 3])
    found, suits, alone = among(probabilities)
    assert found.tolist() == [0, 1, 4] and suits.tolist() == [1, 0, 2, -1, 2]
    told = by_maps(probabilities, maps_of(5), turns, alone)
    assert told[[0, 4]] == pytest.approx(alone[[0, 4]]) and told[1] != pytest.approx(alone[1])


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
    assert compare(probabilities, maps_of(2), np.zeros(2, int)) is probabilities


def test_weights_come_back_as_they_were_written(tmp_path: Path) -> None:
    COLOURS.write(tmp_path / "fives.npz")
    seen = evidence(tiles("5p", "0p", "3p"), maps_of(3), np.zeros(3, int))
    assert Colours.read(tmp_path / "fives.npz").red(seen) == pytest.approx(COLOURS.red(seen))


def test_a_file_that_lacks_an_array_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "fives.npz", hidden=np.zeros((2, 2)))
    with pytest.raises(KeyError, match="hidden_bias"):
        Colours.read(tmp_path / "fives.npz")
