"""The curve from the features of a reading to its confidence."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV is not installed")

from models.scene.calibrate import fit


def features(rng: np.random.Generator) -> np.ndarray:
    """Log odds of hands, and of their least sure faces."""
    return rng.normal(1, 2, (20_000, 2))


def test_odds_that_are_true_stay() -> None:
    rng = np.random.default_rng(0)
    found = features(rng)
    curve = fit(found, rng.random(20_000) < 1 / (1 + np.exp(-found[:, 0])))
    assert curve.slope == pytest.approx(1, abs=0.06) and curve.shift == pytest.approx(0, abs=0.08)
    assert curve.face == pytest.approx(0, abs=0.04), "faces that tell nothing count for nothing"


def test_odds_that_say_too_much_are_drawn_in() -> None:
    rng = np.random.default_rng(1)
    found = features(rng)
    curve = fit(3 * found, rng.random(20_000) < 1 / (1 + np.exp(-found.sum(axis=1))))
    assert curve.slope == pytest.approx(1 / 3, abs=0.03) and curve.face == pytest.approx(1 / 3, abs=0.03)


def test_where_all_are_right_nothing_is_certain() -> None:
    line = np.linspace(1, 9, 30)
    curve = fit(np.stack([line, line], 1), np.ones(30, bool))
    assert 0.9 < curve.confidence(5.0, 5.0) < 0.999
