"""How far answers are to be trusted, taught by which were right: by steps that are added up.

A step asks whether one feature is higher than some value and another one, too. They are found by gradient
boosting of trees of four leaves for the logistic loss (Friedman 2001,
https://doi.org/10.1214/aos/1013203451), by Newton's method: what is trusted bends as it must, feature by
feature, and a feature bends another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Array, Mask
from vision.weights import Asked, Steps

ROUNDS = 200
"""Trees that are grown."""

RATE = 0.05
"""How much of a tree is taken."""

LEAST = 50
"""Answers on either side of a step, at least."""

CAUTION = 1.0
"""Added to what the answers on one side of a step weigh: the fewer they are the less is believed."""

BINS = 64
"""Values at which a feature may step, at most."""

_Sums = tuple[Array, Array]
"""Of each place what some answers come to at and below it, and above it."""


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

    def sums(self, weights: Array) -> _Sums:
        """What the answers' ``weights`` (n,) come to."""
        bins = np.bincount(self.below.ravel(), np.repeat(weights, self.below.shape[1]), len(self.values))
        total = np.cumsum(bins)
        start = np.concatenate([[0.0], total[self.last][:-1]])
        low = total - np.repeat(start, np.diff(np.flatnonzero(self.last), prepend=-1))
        return low, weights.sum() - low

    def asked(self, place: int) -> Asked:
        """What is asked at a place."""
        return int(self.feature[place]), float(self.values[place])


def _best(least: int, count: _Sums, pull: _Sums, weight: _Sums) -> tuple[int, float, float] | None:
    """The place that parts some answers best, ``least`` on either side, and what is added there; None without
    one."""
    allowed = np.minimum(*count) >= least
    if not allowed.any():
        return None
    gain = sum(each**2 / (mass + CAUTION) for each, mass in zip(pull, weight, strict=True))
    best = int(np.where(allowed, gain, -np.inf).argmax())
    low, high = (float(RATE * p[best] / (w[best] + CAUTION)) for p, w in zip(pull, weight, strict=True))
    return best, low, high


def steps(seen: Array, right: Mask, aside: Collection[int] = (), least: int = LEAST) -> Steps:
    """The steps that tell which answers, at least one, are right by their features (n, k), those but
    ``aside``. ``least``: answers on either side of a step."""
    places, count = _Places.of(seen, aside), len(right)
    odds = np.full(count, np.log((right.sum() + 1) / ((~right).sum() + 1)))
    start, found = float(odds[0]), defaultdict[tuple[Asked, Asked], float](float)
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-odds))
        facts = np.ones(count), right - chance, chance * (1 - chance)
        whole = [places.sums(each) for each in facts]
        if (root := _best(least, *whole)) is None:
            break
        first = places.asked(root[0])
        above = seen[:, first[0]] > first[1]
        upper = [places.sums(each * above) for each in facts]
        lower = [(a - c, b - d) for (a, b), (c, d) in zip(whole, upper, strict=True)]
        low, more_low, second = _branch(places, least, lower, root[1])
        high, more_high, third = _branch(places, least, upper, root[2])
        start += low
        found[first, first] += high - low
        found[second, second] += more_low
        found[first, second] -= more_low
        found[first, third] += more_high
        odds += np.where(
            above, high + more_high * (seen[:, third[0]] > third[1]),
            low + more_low * (seen[:, second[0]] > second[1]),
        )  # fmt: skip
    return start, tuple((*both, by) for both, by in sorted(found.items()) if by)


def _branch(places: _Places, least: int, some: list[_Sums], whole: float) -> tuple[float, float, Asked]:
    """What is added for some answers, what more above a value of a feature, and which; ``whole`` for all
    where nothing parts them."""
    best = _best(least, *some)
    if best is None:
        return whole, 0.0, (0, np.inf)
    place, low, high = best
    return low, high - low, places.asked(place)
