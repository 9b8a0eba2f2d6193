"""What tells indicators is learnt from scenes as they are read: from faces beside the hand that was found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

from datasets.renders import Render
from models import dora
from models.dora import DORA, Beside, beside_hands, figures, fit, told
from tests.vision.layouts import BACK, H, Laid, W, hand_of, line
from vision.dora import Dora

RNG = np.random.default_rng(1)


def test_of_the_faces_beside_a_hand_those_are_true_that_the_scene_calls_indicators(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wall = [BACK, BACK, "4p", "9s", BACK, BACK]
    tiles = [*line("1m 2m 3m 6m 7m 8m 6p 7p 3s 7s 1z 1z 2z 3z")]
    tiles += [Laid(label, k * (W + 0.3), 4 * H) for k, label in enumerate(wall)]
    hand = hand_of(tiles)
    roles = ["hand"] * 14 + ["wall", "wall", "dora", "ura", "wall", "wall"]
    render = Render(
        Path("000000.jpg"), "game", hand.seen.quads, tuple(tile.label for tile in tiles), tuple(roles),
        np.ones(len(tiles), np.float32), None,
    )  # fmt: skip
    looks: list[Any] = [hand]
    monkeypatch.setattr(dora, "looks_at", lambda render: (None, looks))
    seen = beside_hands(render, RNG)
    assert seen is not None and seen.truth.tolist() == [True, False]
    looks.clear()
    assert beside_hands(render, RNG) is None


COUNT = 3000


def some(seed: int) -> Beside:
    """Faces of which a tenth are indicators: those that have a back right beside them."""
    rng = np.random.default_rng(seed)
    around = rng.normal(size=(COUNT, 5, 4)).astype(np.float16)
    around[..., 0] = rng.random((COUNT, 5)) < 0.8
    around[..., 3] = rng.random((COUNT, 5)) < 0.3
    near = (around[..., 0] > 0) & (around[..., 3] > 0) & (around[..., 1] > 1)
    around *= around[..., :1]
    facts = rng.normal(size=(COUNT, 3)).astype(np.float32) * np.array([1, 0, 50], np.float32)
    return Beside(np.zeros(COUNT, np.float32), facts, around, near.any(axis=1))


def test_what_a_neighbour_tells_is_learnt_and_serves_as_it_was_learnt(tmp_path: Path) -> None:
    layer, others = fit(some(1), 20, 1), some(2)
    odds = told(others, layer)
    assert ((odds > 0) == others.truth).mean() > 0.95
    layer.write(tmp_path / "dora.npz")
    assert told(others, Dora.read(tmp_path / "dora.npz")) == pytest.approx(odds, rel=0.02, abs=0.1)
    counts = {name: int(right.split()[0]) for name, right, *_ in figures(DORA, others, layer)}
    assert (
        counts["indicators, with the layer"]
        > 0.8 * others.truth.sum()
        > counts["indicators, the rules alone"]
    )


def test_a_chance_is_as_rare_as_what_it_is_of() -> None:
    """Of faces beside hands few are indicators: where nothing tells, the layer says how few."""
    few, rng = some(1), np.random.default_rng(3)
    few = replace(few, truth=rng.random(COUNT) < 0.1)
    odds = told(few, fit(few, 20, 1))
    assert (1 / (1 + np.exp(-odds))).mean() == pytest.approx(0.1, abs=0.03)
