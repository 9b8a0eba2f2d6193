"""A forest tells what no sum of steps does, and answers as scikit-learn's own."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="fitting needs scikit-learn: pip install 'tehai[train]'")

from sklearn.ensemble import GradientBoostingClassifier

from models import forest
from models.forest import fit, isotonic
from vision.arrays import Array, Mask


def drawn(count: int, seed: int) -> tuple[Array, Mask]:
    """Answers that are right where two of four features have one sign, but for one of ten."""
    rng = np.random.default_rng(seed)
    seen = rng.normal(size=(count, 4)).astype(np.float32).astype(float)
    right = (seen[:, 0] * seen[:, 1] > 0) ^ (rng.random(count) < 0.1)
    return seen, right


def test_features_that_bend_one_another_are_told() -> None:
    told = fit(*drawn(1500, 1))
    seen, right = drawn(1500, 2)
    assert ((told.odds(seen) > 0) == right).mean() > 0.85


def test_it_answers_as_what_was_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted: list[GradientBoostingClassifier] = []

    class Kept(GradientBoostingClassifier):  # type: ignore[misc]
        def fit(self, *arguments: object) -> GradientBoostingClassifier:
            fitted.append(self)
            return super().fit(*arguments)

    monkeypatch.setattr(forest, "GradientBoostingClassifier", Kept)
    seen, right = drawn(200, 3)  # so few that branches end before their full depth
    told = fit(seen, right)
    (own,) = fitted
    assert min(tree.get_n_leaves() for (tree,) in own.estimators_) < 2**forest.DEPTH
    others = drawn(500, 4)[0]
    assert np.allclose(told.odds(others), own.decision_function(others), atol=1e-4)


def test_it_is_the_same_each_time() -> None:
    first, second = (fit(*drawn(200, 5)) for _ in range(2))
    assert np.array_equal(first.leaves, second.leaves) and np.array_equal(first.values, second.values)


def test_isotonic_chances_ascend_and_none_is_certain() -> None:
    rng = np.random.default_rng(6)
    trust = rng.random(4000)
    right = rng.random(4000) < np.where(trust < 0.3, 0.01, trust)
    at, chances = zip(*isotonic(trust, right), strict=True)
    assert list(at) == sorted(at) and list(chances) == sorted(chances)
    assert chances[0] > 0 and chances[-1] < 1
    assert np.interp(0.2, at, chances) == pytest.approx(0.01, abs=0.01), "a step that no smooth map has"
    assert np.interp([0.4, 0.6, 0.8], at, chances) == pytest.approx([0.4, 0.6, 0.8], abs=0.1)


@pytest.mark.parametrize(("right", "chance"), [(0, 1 / 42), (5, 0.25), (10, 0.5), (20, 41 / 42)])
def test_answers_trusted_alike_are_believed_by_how_many_are_right(right: int, chance: float) -> None:
    ((_, told),) = isotonic(np.full(20, 0.7), np.arange(20) < right)
    assert told == pytest.approx(chance, abs=1e-5)
