"""Trees ask one feature after another, and what they answer is added up."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.forest import Forest

FOREST = Forest(
    features=np.array([[0, 1, 1], [2, 0, 0]], np.float32),
    values=np.array([[0.5, 0.5, -np.inf], [1.0, np.inf, np.inf]], np.float32),
    leaves=np.array([[1, 2, 3, 4], [10, 0, 20, 0]], np.float32),
    start=np.array(0.5, np.float32),
)
"""Two trees, each of three inner nodes: of the second all that is asked is the third feature."""


def test_a_tree_answers_by_what_is_higher() -> None:
    seen = np.array([[0, 0, 0], [0, 1, 0], [1, 9, 0], [0.5, 0.5, 1.5]], float)
    assert FOREST.odds(seen).tolist() == [0.5 + 1 + 10, 0.5 + 2 + 10, 0.5 + 4 + 10, 0.5 + 1 + 20]


def test_features_come_in_any_shape() -> None:
    seen = np.random.default_rng(0).normal(size=(3, 2, 3))
    each = [[float(FOREST.odds(row)) for row in rows] for rows in seen]
    assert FOREST.odds(seen).tolist() == each


def test_a_file_holds_all_of_it(tmp_path: Path) -> None:
    FOREST.write(tmp_path / "trees.npz")
    seen = np.random.default_rng(1).normal(size=(20, 3))
    assert np.array_equal(Forest.read(tmp_path / "trees.npz").odds(seen), FOREST.odds(seen))
