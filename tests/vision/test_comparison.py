"""What a candidate is worth beside the others of its photo."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from tests.vision.layouts import hand_of, line
from tests.vision.test_reckoning import candidate, weighing
from vision.comparison import FILE, Comparison, facts
from vision.habits import HABITS
from vision.looks import decided
from vision.reckoning import reckon
from vision.weights import TERMS, WEIGHTS

COUNT = len(TERMS)


def listening(fact: int, by: float) -> Comparison:
    """Adds ``by`` for each unit of one fact above 0."""
    hidden = np.zeros((2 * COUNT + 2, 1), np.float32)
    hidden[fact] = 1
    ones, none = np.ones(COUNT, np.float32), np.zeros(1, np.float32)
    return Comparison(np.zeros(COUNT, np.float32), ones, hidden, none, np.array([by], np.float32))


def test_a_term_counts_by_how_far_it_is_from_what_is_likely() -> None:
    terms = np.zeros((2, COUNT))
    terms[:, 0] = 4, 0
    heard = facts(np.zeros(COUNT), np.ones(COUNT), terms, np.log([3.0, 1.0]))
    assert heard[:, 0].tolist() == [4, 0], "the term itself"
    assert heard[:, COUNT].tolist() == pytest.approx([1, -3]), "and beside a mean of 3"
    assert heard[:, -2].tolist() == pytest.approx([0.75, 0.25])
    assert heard[:, -1].tolist() == pytest.approx([0, -np.log(3) / 5])


def test_what_no_scene_has_shown_is_not_guessed_at() -> None:
    compared = listening(0, 1.0)
    odd, odder = np.zeros((1, COUNT)), np.zeros((1, COUNT))
    odd[0, 0], odder[0, 0] = 5, 5000
    alone = np.zeros(1)
    assert compared.scores(odd, alone) == compared.scores(odder, alone) == 5


def test_an_answer_may_be_likelier_for_what_lies_beside_it() -> None:
    """By the sums the first is; what it lacks beside the other one counts more."""
    some = [candidate("1m", runs=1.0), candidate("2m", runs=0.5, far=1.0)]
    assert reckon(some, weighing(runs=1.0))[0].candidate is some[0]
    beside = listening(COUNT + list(TERMS).index("far"), 2.0)
    first, second = reckon(some, replace(weighing(runs=1.0), comparison=beside))
    assert first.candidate is some[1] and first.share > 0.5 > second.share


def test_a_hand_of_earlier_tiles_is_never_taken_though_it_is_likelier_beside_others() -> None:
    """By the sum it was less likely than the hand that was mended; beside what that one now is it is not."""
    own, once = candidate("1m", runs=1.0), candidate("2m", runs=0.5, far=1.0)
    beside = replace(weighing(runs=1.0), comparison=listening(COUNT + list(TERMS).index("far"), 2.0))
    habits = replace(HABITS, weights=beside)
    tiles = hand_of(line("1m 1m 1m"), habits=habits)
    look = replace(tiles, candidates=(own,), answers=reckon([own], beside), earlier=(once,))
    assert reckon([own, once], beside)[0].candidate is once
    assert [each.candidate for each in decided([look]).answers] == [own]


def test_a_row_of_15_tiles_is_none_of_14_with_one_to_spare() -> None:
    """The layer does not hear of faces that are left out, and outweighs no more than a part of what they
    cost."""
    rng, sizes = np.random.default_rng(5), []
    while len(sizes) < 60:
        sets = [
            [f"{low + step * k}{suit}" for k in range(3)]
            for low, step, suit in zip(
                rng.integers(1, 8, 4), rng.integers(0, 2, 4), rng.choice([*"mps"], 4), strict=True
            )
        ]
        pair, spare = (f"{number}z" for number in rng.integers(1, 8, 2))
        hand = sorted([*chain(*sets), pair, pair], key=lambda tile: (tile[1], tile[0]))
        row = [*hand, spare] if rng.random() < 0.5 else [spare, *hand]
        if max(map(row.count, row)) > 4 or pair == spare:
            continue
        sizes.append(hand_of(line(" ".join(row))).layout.size)
    assert sizes == [15] * 60


def test_what_photos_are_read_with_hears_every_term_but_what_no_scene_teaches(tmp_path: Path) -> None:
    shipped = WEIGHTS.comparison
    assert shipped is not None and shipped.hidden.shape[0] == 2 * COUNT + 2
    spare = list(TERMS).index("spare")
    assert not shipped.hidden[[spare, COUNT + spare]].any() and np.count_nonzero(shipped.hidden) > COUNT
    shipped.write(tmp_path / "again.npz")
    assert np.array_equal(Comparison.read(tmp_path / "again.npz").hidden, shipped.hidden)
    assert FILE.stat().st_size < 100_000
