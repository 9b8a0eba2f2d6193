"""How probable it is that answers are right, by how far they are trusted."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from vision.arrays import Array, Mask
from vision.weights import Curve

KNOTS = 48
"""Points of the map of beta calibration, at most."""

_LEAST = 1e-6
"""No trust is nearer to 0 or to 1."""


def beta(trust: Array, right: Mask) -> Curve:
    """Points (trust, probability), ascending from 0, with as many of some answers (n,), at least one, between
    one and the next; an answer that is trusted more than all of these is believed as the last.

    They lie on the map of beta calibration (Kull, Silva Filho, Flach 2017), fitted to Platt's targets (1999):
    of n answers that are right the next one is with (n + 1) / (n + 2).
    """
    count = int(right.sum())
    target = np.where(right, (count + 1) / (count + 2), 1 / (len(right) - count + 2))

    def seen(at: Array) -> Array:
        inside = np.clip(at, _LEAST, 1 - _LEAST)
        return np.column_stack([np.log(inside), -np.log1p(-inside), np.ones(len(at))])

    def loss(bent: Array) -> tuple[float, Array]:
        odds = seen(trust) @ bent
        chance = 1 / (1 + np.exp(-odds))
        value = float((np.logaddexp(0, odds) - target * odds).mean())
        return value, seen(trust).T @ (chance - target) / len(trust)

    found = minimize(
        loss, np.zeros(3), jac=True, method="L-BFGS-B", bounds=[(0, None), (0, None), (None, None)]
    )
    knots = np.unique(np.quantile(trust, np.linspace(0, 1, KNOTS)).round(6))
    chances = 1 / (1 + np.exp(-seen(knots) @ found.x))
    points = zip(knots.tolist(), chances.round(5).tolist(), strict=True)
    return ((0.0, 0.0), *((at, chance) for at, chance in points if at))


def isotonic(trust: Array, right: Mask) -> Curve:
    """Points (trust, probability), ascending, by some answers (n,), at least one, and which are right.

    They are the middles of the steps of isotonic regression (centred: Oron, Flournoy 2017,
    https://doi.org/10.1080/19466315.2017.1286256). Where all of the n answers of a step are right the next
    one is with (n + 1/2) / (n + 1), where none is with what that lacks to 1 (Krichevsky, Trofimov 1981). It
    bends as much as thousands of answers tell, which :func:`beta` does not.
    """
    from sklearn.isotonic import IsotonicRegression  # weights are fitted without scikit-learn

    level = IsotonicRegression().fit_transform(trust, right)
    _, step, count = np.unique(level, return_inverse=True, return_counts=True)
    middle, some = (np.bincount(step, each) for each in (trust, right))
    mixed = (some > 0) & (some < count)
    chance = np.maximum.accumulate(np.where(mixed, some / count, (some + 0.5) / (count + 1)))
    return tuple(zip((middle / count).round(6).tolist(), chance.round(5).tolist(), strict=True))
