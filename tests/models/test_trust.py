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


def test_what_tells_nothing_adds_little_and_what_is_aside_nothing() -> None:
    seen, right, _ = drawn(3000, 3)
    found = steps(seen, right)
    added = [sum(abs(by) for at, _, by in found.some if at == feature) for feature in range(3)]
    assert added[2] < 0.1 * added[0]
    found = steps(seen, right, aside=[0])
    assert {at for at, _, _ in found.some} <= {1, 2}


def test_so_many_answers_lie_on_either_side_of_a_step() -> None:
    seen, right, _ = drawn(2 * LEAST + 20, 4)
    found = steps(seen, right)
    for at, value, _ in found.some:
        assert LEAST <= (seen[:, at] > value).sum() <= len(seen) - LEAST
    none = steps(seen[:LEAST], right[:LEAST])
    count = int(right[:LEAST].sum())
    assert not none.some and np.isclose(none.start, np.log((count + 1) / (LEAST - count + 1)))


def test_what_never_differs_steps_nowhere() -> None:
    seen, right, _ = drawn(300, 5)
    found = steps(np.column_stack([seen, np.ones(300)]), right)
    assert 3 not in {at for at, _, _ in found.some}


def test_a_side_adds_its_steps_where_a_feature_is_higher() -> None:
    some = Steps(0.5, ((0, 1.0, 2.0), (0, 2.0, -1.0), (1, 0.0, 4.0)))
    side = Side(some, ((0.0, 0.0), (1.0, 1.0)))
    seen = np.array([[0.0, 0.0], [1.0, 0.0], [1.5, 0.0], [3.0, 1.0]])
    odds = np.array([0.5, 0.5, 2.5, 5.5])
    assert np.allclose(side.trust(seen), 1 / (1 + np.exp(-odds)))
    assert np.isclose(side.confidence(seen[2]), 1 / (1 + np.exp(-2.5)))
