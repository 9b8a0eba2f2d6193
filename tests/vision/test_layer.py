"""A layer tells chances of whatever odds, without a warning."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from vision.layer import Layer


def test_odds_beyond_all_measure_are_chances_too() -> None:
    layer = Layer(*(np.zeros(shape, np.float32) for shape in ((1, 1), 1, 1, ())), np.ones((), np.float32))
    odds = np.array([-500, -1, 0, 1, 500], np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chances = layer.chance(odds, np.zeros((5, 1), np.float32))
    assert chances == pytest.approx([0, 0.2689, 0.5, 0.7311, 1], abs=1e-4)
