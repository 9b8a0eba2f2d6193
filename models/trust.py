"""How far answers are to be trusted, taught by which were right: by steps that are added up.

Every step asks one feature whether it is higher than some value. They are found by gradient boosting of
decision stumps for the logistic loss (Friedman 2001, https://doi.org/10.1214/aos/1013203451), by Newton's
method: what is trusted bends as it must, feature by feature, and no feature bends another.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Array, Mask
from vision.weights import Steps

ROUNDS = 400
"""Steps that are taken. 1,374 finished hands of seed 911 are told by those of 905, 906, 909 and 910, each
answered by what others taught, with a log likelihood of -0.0880 (200 steps -0.0882, 800 -0.0891), 1,636 of
seed 910 by the others with -0.0774 (-0.0783, -0.0774). Trees of eight leaves, in which features bend one
another, told no more than steps, weights of the features (logistic regression) less (seeds 905 and 906)."""

RATE = 0.05
"""How much of a step is taken."""

LEAST = 50
"""Answers on either side of a step, at least."""

CAUTION = 1.0
"""Added to what the answers on one side of a step weigh: the fewer they are the less is believed."""

BINS = 64
"""Values at which a feature may step, at most."""


@dataclass(frozen=True, slots=True)
class _Places:
    """Where features may step. ``below``: (n, k) in which bin of all features' each answer's value lies;
    ``values``: (bins,) the value above which the next bin begins; ``feature``: (bins,) of which feature a
    bin is; ``last``: (bins,) the last bin of a feature, above which nothing lies."""

    below: NDArray[np.intp]
    values: Array
    feature: NDArray[np.intp]
    last: Mask

    @classmethod
    def of(cls, seen: Array, aside: Collection[int]) -> _Places:
        below, values, feature = [], list[float](), list[int]()
        for number, column in enumerate(seen.T):
            if number in aside:
                continue
            edges = np.unique(np.quantile(column, np.linspace(0, 1, BINS + 1)[1:-1], method="lower"))
            below.append(len(values) + np.searchsorted(edges, column))
            values += [*edges.tolist(), np.inf]
            feature += [number] * (len(edges) + 1)
        ends = np.array(values) == np.inf
        return cls(np.column_stack(below), np.array(values), np.array(feature, np.intp), ends)

    def sums(self, weights: Array) -> tuple[Array, Array]:
        """(bins,) what the answers' ``weights`` (n,) come to at and below each place, and above it."""
        bins = np.bincount(self.below.ravel(), np.repeat(weights, self.below.shape[1]), len(self.values))
        total = np.cumsum(bins)
        start = np.concatenate([[0.0], total[self.last][:-1]])
        low = total - np.repeat(start, np.diff(np.flatnonzero(self.last), prepend=-1))
        return low, weights.sum() - low


def steps(seen: Array, right: Mask, aside: Collection[int] = ()) -> Steps:
    """The steps that tell which answers, at least one, are right by their features (n, k), those but
    ``aside``."""
    places = _Places.of(seen, aside)
    allowed = np.minimum(*places.sums(np.ones(len(right)))) >= LEAST
    start = float(np.log((right.sum() + 1) / ((~right).sum() + 1)))
    odds, found = np.full(len(right), start), dict[tuple[int, float], float]()
    for _ in range(ROUNDS if allowed.any() else 0):
        chance = 1 / (1 + np.exp(-odds))
        pull, weight = places.sums(right - chance), places.sums(chance * (1 - chance))
        gain = sum(each**2 / (mass + CAUTION) for each, mass in zip(pull, weight, strict=True))
        best = int(np.where(allowed, gain, -np.inf).argmax())
        low, high = (float(RATE * p[best] / (w[best] + CAUTION)) for p, w in zip(pull, weight, strict=True))
        feature, value = int(places.feature[best]), float(places.values[best])
        start += low
        found[feature, value] = found.get((feature, value), 0.0) + high - low
        odds += np.where(seen[:, feature] > value, high, low)
    return Steps(start, tuple((feature, value, by) for (feature, value), by in sorted(found.items())))
