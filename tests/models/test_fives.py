"""What compares fives learns a colour that only the neighbours tell, and answers as it was taught."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

from models.fives import Fives, fit, measured, told
from vision.fives import FACTS, Colours

COUNT, CHANNELS, CELLS = 600, 6, 4


def some(seed: int = 3) -> Fives:
    """Fives whose mark is red where the others of their suit have none, and whose own odds say nothing."""
    rng = np.random.default_rng(seed)
    marked, common = rng.random(COUNT) < 0.5, rng.random(COUNT) < 0.5
    maps = rng.random((COUNT, 4, CHANNELS, CELLS), np.float32) * 0.1
    maps[marked, 0, 2, 1] += 1
    maps[common, 1:, 2, 1] += 1
    suits = rng.integers(3, size=COUNT)
    facts = np.zeros((COUNT, FACTS), np.float32)
    return Fives(suits, maps.astype(np.float16), facts, marked & ~common)


def test_a_mark_that_the_others_have_makes_no_red_five() -> None:
    colours = fit(some(), rounds=30, seed=1)
    others = some(seed=4)
    assert ((told(others, colours) > 0) == others.red).mean() > 0.97


def test_the_same_seed_gives_the_same_weights() -> None:
    first, again = (fit(some(), rounds=2, seed=1) for _ in range(2))
    assert told(some(), first) == pytest.approx(told(some(), again))


def test_weights_and_fives_come_back_as_they_were_written(tmp_path: Path) -> None:
    fives, colours = some(), fit(some(), rounds=2, seed=1)
    colours.write(tmp_path / "weights.npz")
    fives.write(tmp_path / "fives.npz")
    back = Fives.read(tmp_path / "fives.npz")
    assert np.array_equal(back.red, fives.red) and np.array_equal(back.maps, fives.maps)
    assert told(back, Colours.read(tmp_path / "weights.npz")) == pytest.approx(told(fives, colours), abs=0.02)


def test_a_colour_is_sure_from_where_a_reading_is() -> None:
    odds = np.array([5.0, 1.0, -5.0, -1.0], np.float32)
    right, sure, wrong, _ = measured(odds, np.array([True, True, True, False]))
    assert right.startswith("3 of 4") and sure.startswith("2 of 4") and wrong.startswith("1 of 2")
