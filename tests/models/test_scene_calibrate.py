"""The curve from the features of a reading to its confidence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV is not installed")

from models.scene.calibrate import fit


@pytest.mark.parametrize(
    ("says", "true", "slope", "face"),
    [
        (1, lambda found: found[:, 0], 1, 0),  # faces that say nothing count for nothing
        (3, lambda found: found.sum(axis=1), 1 / 3, 1 / 3),  # odds that say too much are drawn in
    ],
)
def test_the_curve_has_the_true_slopes(says: float, true: Any, slope: float, face: float) -> None:
    rng = np.random.default_rng(0)
    found = rng.normal(1, 2, (20_000, 2))  # log odds of hands, and of their least sure faces
    curve = fit(says * found, rng.random(20_000) < 1 / (1 + np.exp(-true(found))))
    assert (curve.slope, curve.face) == pytest.approx((slope, face), abs=0.06)
    assert curve.shift == pytest.approx(0, abs=0.08)


def test_where_all_are_right_nothing_is_certain() -> None:
    line = np.linspace(1, 9, 30)
    curve = fit(np.stack([line, line], 1), np.ones(30, bool))
    assert 0.9 < curve.confidence(5.0, 5.0) < 0.999
