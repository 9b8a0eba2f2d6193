"""What candidates are worth beside one another is learnt from scenes in which no sum of terms tells it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

pytest.importorskip("torch", reason="learning needs PyTorch: pip install 'tehai[train]'")

from models.comparison import fit
from vision.arrays import Array, Mask
from vision.comparison import Comparison

TERMS = 3
HELD = np.array([False, False, True])


@dataclass(frozen=True)
class Scene:
    terms: Array
    right: Mask


def scenes(count: int, seed: int) -> list[Scene]:
    """Two candidates. The first has what the other lacks by as much as it is right, or wrong where both have
    the second term; the third term would give it away."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        terms = np.zeros((2, TERMS))
        first, both = rng.choice([-1.0, 1.0]), rng.choice([0.0, 1.0])
        terms[:, 0], terms[:, 1] = (first, -first), both
        right = (terms[:, 0] > 0) != (both > 0)
        terms[:, 2] = right
        found.append(Scene(terms, right))
    return found


def told(compared: Comparison, some: list[Scene]) -> float:
    """The share of scenes in which the right one has the higher score, the sums of all being alike."""
    hits = [each.right[compared.scores(each.terms, np.zeros(2)).argmax()] for each in some]
    return float(np.mean(hits))


def test_what_a_term_counts_for_beside_another_is_learnt_and_no_held_one_is_heard() -> None:
    compared = fit(scenes(600, 1), np.zeros(TERMS), HELD)
    others = scenes(200, 2)
    assert told(compared, others) > 0.98
    for each in others:
        each.terms[:, 2] = 1 - each.terms[:, 2]
    assert told(compared, others) > 0.98
    again = fit(scenes(600, 1), np.zeros(TERMS), HELD)
    assert np.array_equal(compared.hidden, again.hidden), "seeded"


def test_more_is_added_to_what_other_scenes_have_taught() -> None:
    """Few scenes that are like many others: what these have taught is not lost."""
    before = fit(scenes(600, 1), np.zeros(TERMS), HELD)
    few, others = scenes(8, 3), scenes(200, 2)
    further = fit(few, np.zeros(TERMS), HELD, before)
    assert told(further, others) > 0.98 > told(fit(few, np.zeros(TERMS), HELD), others)
    assert np.array_equal(further.middle, before.middle)
    assert further.hidden.shape[1] == 2 * before.hidden.shape[1]
