"""Counts say how far the true share may be from them."""

from __future__ import annotations

import pytest

from models.shares import Share


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [
        (43, 50, 0.7381, 0.9305),
        (0, 300, 0.0, 0.0126),
        (1000, 1000, 0.9962, 1.0),
        (1, 2, 0.0945, 0.9055),
        (0, 0, 0.0, 1.0),
    ],
)
def test_score_intervals(count: int, n: int, low: float, high: float) -> None:
    assert Share(count, n).interval == pytest.approx((low, high), abs=1e-4)


def test_a_record_has_four_digits() -> None:
    record = Share(9, 93).to_record()
    assert record == {"count": 9, "n": 93, "share": 0.0968, "low": 0.0518, "high": 0.1738}
    assert Share(0, 0).share == 0.0
