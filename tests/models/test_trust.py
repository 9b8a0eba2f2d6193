"""Steps bend trust as it must be, feature by feature, and believe few answers little."""

from __future__ import annotations

import numpy as np

from models.trust import LEAST, steps
from vision.arrays import Array, Mask
from vision.weights import Side, Steps


def drawn(count: int, seed: int) -> tuple[Array, Mask, Array]:
    """Features of answers, which are right, and how probable that was: by a bump of the first one and a step
    of the second, whatever the third is."""
    rng = np.random.default_rng(seed)
    seen = rng.uniform(-1, 1, size=(count, 3))
    chance = 0.1 + 0.5 * (np.abs(seen[:, 0]) < 0.4) + 0.3 * (seen[:, 1] > 0.5)
    return seen, rng.random(count) < chance, chance


def test_what_is_trusted_is_right_as_often_as_it_was() -> None:
    """No weight of the first feature tells anything."""
    trust = Side(steps(*drawn(6000, 1)[:2]), ())
    seen, _, chance = drawn(2000, 2)
    assert np.abs(trust.trust(seen) - chance).mean() < 0.05


def test_one_feature_bends_another() -> None:
    """What is right where two features are both high is not added up of what each tells."""
    rng = np.random.default_rng(6)
    seen, others = rng.uniform(-1, 1, size=(2, 4000, 3))
    chance, true = (0.1 + 0.8 * ((each[:, 0] > 0) & (each[:, 1] > 0)) for each in (seen, others))
    trust = Side(steps(seen, rng.random(4000) < chance), ())
    assert np.abs(trust.trust(others) - true).mean() < 0.03


def asked(found: Steps) -> set[int]:
    return {feature for *both, _ in found[1] for feature, _ in both}


def test_what_tells_nothing_adds_little_and_what_is_aside_nothing() -> None:
    seen, right, _ = drawn(3000, 3)
    trust = Side(steps(seen, right), ())
    moved = [seen.copy() for _ in range(3)]
    for feature, each in enumerate(moved):
        each[:, feature] = seen[::-1, feature]
    changes = [np.abs(trust.trust(each) - trust.trust(seen)).mean() for each in moved]
    assert changes[2] < 0.2 * changes[0]
    assert asked(steps(seen, right, aside=[0])) <= {1, 2}


def test_so_many_answers_lie_on_either_side_of_a_step() -> None:
    seen, right, _ = drawn(2 * LEAST + 20, 4)
    for *both, _ in steps(seen, right)[1]:
        for at, value in both:
            assert LEAST <= (seen[:, at] > value).sum() <= len(seen) - LEAST
    start, none = steps(seen[:LEAST], right[:LEAST])
    count = int(right[:LEAST].sum())
    assert not none and np.isclose(start, np.log((count + 1) / (LEAST - count + 1)))


def test_what_never_differs_steps_nowhere() -> None:
    seen, right, _ = drawn(300, 5)
    assert 3 not in asked(steps(np.column_stack([seen, np.ones(300)]), right))


def test_a_side_adds_its_steps_where_both_features_are_higher() -> None:
    first, second, other = (0, 1.0), (0, 2.0), (1, 0.0)
    side = Side(
        (0.5, ((first, first, 2.0), (first, second, -1.0), (first, other, 4.0))), ((0.0, 0.0), (1.0, 1.0))
    )
    seen = np.array([[0.0, 1.0], [1.0, 0.0], [1.5, 0.0], [3.0, 0.0], [3.0, 1.0]])
    odds = np.array([0.5, 0.5, 2.5, 1.5, 5.5])
    assert np.allclose(side.trust(seen), 1 / (1 + np.exp(-odds)))
    assert np.isclose(side.confidence(seen[2]), 1 / (1 + np.exp(-2.5)))
