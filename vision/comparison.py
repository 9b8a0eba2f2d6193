"""What a way to see the tiles is worth beside the others of its photo.

The weights of terms add up: each counts for as much whatever else is so. But a tile that lies far away has
won if no other would finish the hand, and is anybody's beside a row that needs none. A layer hears the terms
of a candidate, how far they are from those that are likely by the sum, and how likely it is itself, and adds
to its score.

What it has learnt, ``vision/comparison.npz``, is fitted on scenes by ``python -m models.habits
--compare``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from vision.arrays import Array, Array32
from vision.layer import Stored

FILE: Final = Path(__file__).with_name("comparison.npz")

_FAR = 5.0
"""Deviations from the middle beyond which a term is no odder: what no scene has shown is not guessed at."""

_BEHIND, _A_STEP = 20.0, 5.0
"""Logs of odds behind the likeliest candidate beyond which one is no unlikelier, and that count as one."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Stored):
    """The weights: of k terms their ``middle`` (k,) and ``spread`` (k,), of 2k + 2 facts ``hidden``
    (2k + 2, h) with ``hidden_bias`` (h,), of these ``last`` (h,). Fitted by :mod:`models.comparison`."""

    middle: Array32
    spread: Array32
    hidden: Array32
    hidden_bias: Array32
    last: Array32

    PRECISION = np.float16

    def scores(self, terms: Array, sums: Array) -> Array:
        """(m,) those of the candidates of a photo, at least one: the ``sums`` (m,) of their ``terms`` (m, k)
        by weight, and what they are worth beside one another."""
        heard = facts(self.middle, self.spread, terms, sums)
        cells = heard @ self.hidden + self.hidden_bias
        return np.asarray(sums + np.maximum(cells, 0) @ self.last)


def facts(middle: Array32, spread: Array32, terms: Array, sums: Array) -> Array32:
    """(m, 2k + 2) what is heard of candidates: the terms, in deviations; how far they are from their mean,
    weighed by how likely each is; the shares; how far each lies behind the likeliest."""
    odd = np.clip((terms - middle) / spread, -_FAR, _FAR)
    behind = sums - sums.max()
    shares = np.exp(behind)
    shares /= shares.sum()
    behind = np.maximum(behind, -_BEHIND) / _A_STEP
    return np.column_stack([odd, odd - shares @ odd, shares, behind]).astype(np.float32)
