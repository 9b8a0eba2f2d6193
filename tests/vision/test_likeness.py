"""A face in doubt between two kinds is the one whose sure tiles it looks like."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Array32
from vision.labels import CLASSES
from vision.likeness import FACTS, compare, evidence

THREE, SIX, FIVE, RED = (CLASSES.index(name) for name in ("3m", "6m", "5p", "0p"))
DOUBT = {SIX: 0.5, THREE: 0.42}


def probabilities(*tiles: str | dict[int, float]) -> Array32:
    """Faces that are sure, and what is in doubt."""
    table = np.full((len(tiles), len(CLASSES)), 1e-4, np.float32)
    for row, tile in enumerate(tiles):
        for face, chance in ({CLASSES.index(tile): 0.96} if isinstance(tile, str) else tile).items():
            table[row, face] = chance
    return table


def maps(*names: str, noise: float = 0.3, seed: int = 0) -> Array32:
    """What a network may see of these tiles, (n, 40, 20): what all share, what each kind has, and chance."""
    rng, shared = np.random.default_rng(seed), np.random.default_rng(99).normal(size=(40, 20))
    own = {name: np.random.default_rng(CLASSES.index(name)).normal(size=(40, 20)) for name in names}
    drawn = [shared + own[name] + noise * rng.normal(size=(40, 20)) for name in names]
    return np.asarray(np.maximum(drawn, 0), np.float32)


@pytest.mark.parametrize("truth", ["3m", "6m"])
def test_a_face_in_doubt_is_what_it_looks_like(truth: str) -> None:
    names = ["3m", "6m", "3m", "6m", "7s", "1z", "2p", truth]
    seen = probabilities(*names[:-1], DOUBT)
    told = compare(seen, maps(*names), np.zeros(8, int))
    three, six = told[-1, [THREE, SIX]]
    assert (three > 1.5 * six) if truth == "3m" else (six > 1.5 * three)
    assert np.array_equal(told[:-1], seen[:-1])


def test_only_the_two_kinds_share_anew() -> None:
    seen = probabilities("3m", "6m", {**DOUBT, RED: 0.05})
    told = compare(seen, maps("3m", "6m", "3m"), np.zeros(3, int))
    others = np.delete(np.arange(len(CLASSES)), [THREE, SIX])
    assert np.array_equal(told[2, others], seen[2, others]) and not np.array_equal(told[2], seen[2])
    assert told[2].sum() == pytest.approx(seen[2].sum(), rel=1e-5)


def test_red_and_plain_fives_are_one_kind() -> None:
    seen = probabilities("5p", "3m", {FIVE: 0.4, RED: 0.2, THREE: 0.35})
    told = compare(seen, maps("5p", "3m", "5p"), np.zeros(3, int))
    assert told[2, FIVE] > seen[2, FIVE] and told[2, RED] / told[2, FIVE] == pytest.approx(0.5)


def test_without_a_face_in_doubt_nothing_changes() -> None:
    seen = probabilities("3m", "6m", {CLASSES.index("back"): 0.5, THREE: 0.2, SIX: 0.2})
    assert compare(seen, maps("3m", "6m", "3m"), np.zeros(3, int)) is seen


@pytest.mark.parametrize(
    ("turns", "heard"), [((0, 0), True), ((0, 2), True), ((1, 3), True), ((0, 1), False)]
)
def test_head_down_it_is_held_against_what_stands_and_not_on_its_side(
    turns: tuple[int, int], heard: bool
) -> None:
    drawn = maps("3m", "3m", noise=0)
    drawn = np.stack([each[:, ::-1] if turn >= 2 else each for each, turn in zip(drawn, turns, strict=True)])
    seen = evidence(probabilities("3m", DOUBT), drawn, np.array(turns))
    assert seen.facts.shape == (heard, FACTS) and seen.tiles.tolist() == [1] * heard
    for kinds, facts in zip(seen.kinds, seen.facts, strict=True):
        assert kinds.tolist() == [SIX, THREE] and not facts[2:7].any(), "no six is sure"
        there, _, likest, *_ = facts[7:]
        assert there == 1 and likest == pytest.approx(1, abs=1e-4)


def test_a_face_in_doubt_of_which_no_sure_tile_is_seen_stays_as_it_is() -> None:
    seen = probabilities("7s", "1z", DOUBT)
    assert compare(seen, maps("7s", "1z", "3m"), np.zeros(3, int)) is seen
