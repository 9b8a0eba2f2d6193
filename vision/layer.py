"""Small layers that look into what the face network says of tiles: what all are kept as, and one that tells
which of two things a tile is."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from vision.arrays import Array32


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """Arrays of float32: the fields of what inherits from it. A file has them with ``PRECISION``."""

    PRECISION: ClassVar[type[np.floating[Any]]] = np.float32

    @classmethod
    def read(cls, file: Path) -> Self:
        """Those of a file. Raises KeyError for one that it lacks."""
        with np.load(file, allow_pickle=False) as arrays:
            return cls(*(arrays[each.name].astype(np.float32) for each in fields(cls)))

    def write(self, file: Path) -> None:
        """Into a file."""
        arrays: dict[str, Any] = {
            each.name: getattr(self, each.name).astype(self.PRECISION) for each in fields(self)
        }
        np.savez_compressed(file, **arrays)


@dataclass(frozen=True, slots=True)
class Layer(Stored):
    """The weights: of k facts ``hidden`` (k, h) with ``hidden_bias`` (h,), of these ``last`` (h,) with
    ``last_bias`` (), and ``odds`` () of the network's own word. Fitted by :mod:`models.layer`."""

    hidden: Array32
    hidden_bias: Array32
    last: Array32
    last_bias: Array32
    odds: Array32

    def told(self, odds: Array32, facts: Array32) -> Array32:
        """(m,) logs of odds, of the network's own (m,) and facts (m, k)."""
        seen = np.maximum(facts @ self.hidden + self.hidden_bias, 0) @ self.last + self.last_bias
        return np.asarray(seen + self.odds * odds, np.float32)

    def chance(self, odds: Array32, facts: Array32) -> Array32:
        """(m,) the probabilities of these odds."""
        return np.asarray(np.exp(-np.logaddexp(0, -self.told(odds, facts))), np.float32)
