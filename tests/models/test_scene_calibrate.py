"""The curve from log odds to a confidence."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV is not installed")

from models.scene.calibrate import fit


def test_odds_that_are_true_stay() -> None:
    rng = np.random.default_rng(0)
    odds = rng.normal(1, 3, 20_000)
    curve = fit(odds, rng.random(20_000) < 1 / (1 + np.exp(-odds)))
    assert curve.slope == pytest.approx(1, abs=0.06) and curve.shift == pytest.approx(0, abs=0.08)


def test_odds_that_say_too_much_are_drawn_in() -> None:
    rng = np.random.default_rng(1)
    true = rng.normal(1, 2, 20_000)
    curve = fit(3 * true, rng.random(20_000) < 1 / (1 + np.exp(-true)))
    assert curve.slope == pytest.approx(1 / 3, abs=0.03)


def test_where_all_are_right_nothing_is_certain() -> None:
    curve = fit(np.linspace(1, 9, 30), np.ones(30, bool))
    assert 0.9 < curve.confidence(5.0) < 0.999
