"""What tells indicators is learnt from scenes as they are read: from faces beside the hand that was found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

from datasets.renders import Render
from models import dora
from models.dora import DORA, beside_hands
from models.layer import Evidence
from tests.vision.layouts import BACK, H, Laid, W, hand_of, line

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


def test_a_chance_is_as_rare_as_what_it_is_of() -> None:
    """Of faces beside hands few are indicators: where nothing tells, the layer says how few."""
    rng = np.random.default_rng(3)
    facts, truth = rng.normal(size=(4000, 6)).astype(np.float32), rng.random(4000) < 0.1
    some = Evidence(np.zeros(4000, np.float32), facts, truth)
    layer = DORA.fit(some, 10, 1)
    assert layer.chance(some.odds, facts).mean() == pytest.approx(0.1, abs=0.03)
