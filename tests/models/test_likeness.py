"""What is learnt of faces in doubt believes the network as far as it was right."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="fitting needs PyTorch: pip install 'tehai[train]'")

from models.layer import Evidence
from models.likeness import LIKENESS
from vision.likeness import BOTH, EACH, FACTS


def drawn(count: int, seed: int) -> Evidence:
    """Tiles in doubt: of some a sure one of the first kind is seen, of others one of the second, and the more
    they are like it the likelier they are of its kind."""
    rng = np.random.default_rng(seed)
    odds, facts = rng.uniform(0, 3, count).astype(np.float32), np.zeros((count, FACTS), np.float32)
    side, like = rng.integers(0, 2, count), rng.uniform(0, 1, count)
    facts[:, 0] = odds
    for column, value in ((0, 1.0), (2, like)):
        facts[np.arange(count), BOTH + EACH * side + column] = value
    told = odds + 8 * (like - 0.5) * (1 - 2 * side)
    return Evidence(odds, facts, rng.random(count) < 1 / (1 + np.exp(-told)))


def test_a_tile_is_believed_to_be_what_it_is_like_as_often_as_it_is() -> None:
    layer, others = LIKENESS.fit(drawn(4000, 1), 20, 1), drawn(4000, 2)
    chance = layer.chance(others.odds, others.facts)
    for low, high in ((0.0, 0.3), (0.3, 0.7), (0.7, 0.9), (0.9, 1.0)):
        some = (chance >= low) & (chance < high)
        assert others.truth[some].mean() == pytest.approx(chance[some].mean(), abs=0.07)


def test_both_kinds_are_learnt_of_alike() -> None:
    """Though the likelier one mostly is the right one."""
    layer, facts = LIKENESS.fit(drawn(4000, 1), 20, 1), np.zeros((2, FACTS), np.float32)
    for side in range(2):
        facts[side, [BOTH + EACH * side, BOTH + EACH * side + 2]] = 1, 0.9
    first, second = layer.chance(np.zeros(2, np.float32), facts)
    assert first == pytest.approx(1 - second, abs=0.05) and first > 0.85
