"""One small layer that tells which of two things a tile is, beside what the face network says of it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

import numpy as np

from vision.arrays import Array32


@dataclass(frozen=True, slots=True)
class Layer:
    """The weights: of k facts ``hidden`` (k, h) with ``hidden_bias`` (h,), of these ``last`` (h,) with
    ``last_bias`` (), and ``odds`` () of the network's own word. Fitted by :mod:`models.layer`."""

    hidden: Array32
    hidden_bias: Array32
    last: Array32
    last_bias: Array32
    odds: Array32

    @classmethod
    def read(cls, file: Path) -> Self:
        """Those of a file."""
        with np.load(file, allow_pickle=False) as arrays:
            return cls(*(arrays[each.name].astype(np.float32) for each in fields(cls)))

    def write(self, file: Path) -> None:
        """Into a file."""
        np.savez_compressed(file, **{each.name: getattr(self, each.name) for each in fields(self)})

    def told(self, odds: Array32, facts: Array32) -> Array32:
        """(m,) logs of odds, of the network's own (m,) and facts (m, k)."""
        seen = np.maximum(facts @ self.hidden + self.hidden_bias, 0) @ self.last + self.last_bias
        return np.asarray(seen + self.odds * odds, np.float32)

    def chance(self, odds: Array32, facts: Array32) -> Array32:
        """(m,) the probabilities of these odds."""
        return np.asarray(1 / (1 + np.exp(-self.told(odds, facts))), np.float32)
