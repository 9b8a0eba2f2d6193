"""A forest tells what no sum of steps does, and answers as scikit-learn's own."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="fitting needs scikit-learn: pip install 'tehai[train]'")

from sklearn.ensemble import GradientBoostingClassifier

from models import forest
from models.forest import fit
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
