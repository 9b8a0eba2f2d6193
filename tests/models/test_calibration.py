"""How far answers are trusted becomes how probable it is that they are right."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="fitting needs scikit-learn: pip install 'tehai[train]'")
pytest.importorskip("scipy", reason="fitting needs scipy: pip install 'tehai[train]'")

from models.calibration import KNOTS, beta, isotonic


def test_the_map_ascends_and_believes_no_more_than_it_has_seen() -> None:
    rng = np.random.default_rng(0)
    share = np.concatenate([rng.uniform(0, 0.98, 400), np.full(98, 0.999)])
    right = np.concatenate([rng.random(400) < share[:400] ** 2, np.ones(98, bool)])
    points = beta(share, right)
    at, chances = zip(*points, strict=True)
    assert points[0] == (0, 0) and list(at) == sorted(at) and list(chances) == sorted(chances)
    assert max(chances) < 1 and chances[-1] >= 99 / 100
    assert np.interp(0.5, at, chances) == pytest.approx(0.25, abs=0.15)
    assert len(points) <= KNOTS + 1


def test_few_answers_that_are_all_right_are_believed_little() -> None:
    """The rule of succession: of n that are right the next one is with (n + 1) / (n + 2)."""
    assert beta(np.array([0.9, 0.95]), np.array([True, True]))[-1][1] == 0.75
    assert beta(np.full(98, 0.9), np.ones(98, bool))[-1][1] == 0.99
    assert beta(np.array([0.9]), np.array([False]))[-1][1] == pytest.approx(1 / 3, abs=1e-4)


def test_a_few_more_that_are_all_right_are_not_believed_less() -> None:
    share, right = np.concatenate([np.linspace(0.5, 0.6, 100), [0.9, 0.95]]), np.ones(102, bool)
    right[:40:8] = False
    chances = [chance for _, chance in beta(share, right)]
    assert chances == sorted(chances)
    right[-3] = False
    chances = [chance for _, chance in beta(share, right)]
    assert chances == sorted(chances) and chances[-1] > 0.9, "two of two alone would be 3 of 4"


def test_isotonic_chances_ascend_and_none_is_certain() -> None:
    rng = np.random.default_rng(6)
    trust = rng.random(4000)
    right = rng.random(4000) < np.where(trust < 0.3, 0.01, trust)
    at, chances = zip(*isotonic(trust, right), strict=True)
    assert list(at) == sorted(at) and list(chances) == sorted(chances)
    assert chances[0] > 0 and chances[-1] < 1
    assert np.interp(0.2, at, chances) == pytest.approx(0.01, abs=0.01), "a step that no smooth map has"
    assert np.interp([0.4, 0.6, 0.8], at, chances) == pytest.approx([0.4, 0.6, 0.8], abs=0.1)


@pytest.mark.parametrize(("right", "chance"), [(0, 1 / 42), (5, 0.25), (10, 0.5), (20, 41 / 42)])
def test_answers_trusted_alike_are_believed_by_how_many_are_right(right: int, chance: float) -> None:
    ((_, told),) = isotonic(np.full(20, 0.7), np.arange(20) < right)
    assert told == pytest.approx(chance, abs=1e-5)
