"""A layer learns what only its facts tell, answers as it was taught, and its card says how well."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

from models.layer import Evidence, figures, fit
from models.whites import WHITES
from vision.layer import Layer

COUNT, FACTS = 2000, 6


def some(seed: int = 3) -> Evidence:
    """Tiles that are true where one fact is small; the network's own word says nothing."""
    rng = np.random.default_rng(seed)
    facts, truth = rng.normal(size=(COUNT, FACTS)).astype(np.float32), rng.random(COUNT) < 0.5
    facts[:, 4] = 50 + np.where(truth, 0.2, 2.0) + 0.2 * np.abs(facts[:, 4])
    return Evidence(rng.normal(size=COUNT).astype(np.float32), facts, truth)


def test_what_only_a_fact_tells_is_learnt() -> None:
    layer, others = fit(some(), rounds=20, seed=1), some(seed=4)
    assert ((layer.told(others.odds, others.facts) > 0) == others.truth).mean() > 0.97
    assert ((layer.chance(others.odds, others.facts) > 0.5) == others.truth).mean() > 0.97


def test_the_same_seed_gives_the_same_weights() -> None:
    first, again = (fit(some(), rounds=2, seed=1) for _ in range(2))
    assert first.hidden == pytest.approx(again.hidden) and first.last == pytest.approx(again.last)


def test_weights_and_evidence_come_back_as_they_were_written(tmp_path: Path) -> None:
    evidence, layer = some(), fit(some(), rounds=2, seed=1)
    layer.write(tmp_path / "layer.npz")
    evidence.write(tmp_path / "evidence.npz")
    back = Evidence.read(tmp_path / "evidence.npz")
    assert np.array_equal(back.truth, evidence.truth)
    told = Layer.read(tmp_path / "layer.npz").told(back.odds, back.facts)
    assert told == pytest.approx(layer.told(evidence.odds, evidence.facts))


def test_the_true_ones_are_also_counted_alone() -> None:
    layer = Layer(*(np.zeros(shape, np.float32) for shape in ((FACTS, 2), 2, 2, (), ())))
    few = Evidence(
        np.array([5, -1, -5], np.float32), np.zeros((3, FACTS), np.float32), np.array([True, True, False])
    )
    told = {name: right for name, right, *_ in figures(WHITES, few, layer)}
    assert told["blanks, alone"].startswith("2 of 3") and told["white dragons, alone"].startswith("1 of 2")
    assert told["white dragons, with the layer"].startswith("0 of 2")
