"""Decision trees whose answers are added up: where features bend one another, which no sum of steps tells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import Array, Array32
from vision.layer import Stored


@dataclass(frozen=True, slots=True, eq=False)
class Forest(Stored):
    """t trees of n inner nodes each, all of one depth: ``features`` (t, n) the number of the feature that a
    node asks, ``values`` (t, n) above which the next node is 2i + 2, and 2i + 1 otherwise; ``leaves``
    (t, n + 1) logs of odds, added to ``start`` (). Fitted by :mod:`models.forest`."""

    features: Array32
    values: Array32
    leaves: Array32
    start: Array32

    def odds(self, seen: Array) -> Array:
        """(...) logs of odds by features (..., k)."""
        trees, nodes = np.arange(len(self.features)), self.features.shape[1]
        features, at = self.features.astype(np.intp), np.zeros((*seen.shape[:-1], len(trees)), np.intp)
        while at.min() < nodes:
            asked = np.take_along_axis(seen, features[trees, at], axis=-1)
            at = 2 * at + 1 + (asked > self.values[trees, at])
        return np.asarray(self.start + self.leaves[trees, at - nodes].sum(axis=-1), float)
