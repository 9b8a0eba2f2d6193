"""A count out of so many, and how far the true share may be from it."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from math import sqrt
from typing import Any

Z = 1.959964
"""Standard deviations either side of the mean of a normal distribution that hold 95 % of it."""


@dataclass(frozen=True, slots=True)
class Share:
    """``count`` of ``n``, at most that many.

    >>> str(Share(43, 50))
    '43 of 50, 86.0 % (73.8 to 93.0)'
    """

    count: int
    n: int

    @classmethod
    def of(cls, some: Sized, whole: Sized) -> Share:
        """How many of the whole some are."""
        return cls(len(some), len(whole))

    @property
    def share(self) -> float:
        """From 0 to 1; of nothing 0."""
        return self.count / self.n if self.n else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % score interval, from 0 to 1 where nothing was counted: it stays within bounds and holds
        what it says for shares near 0 and 1, too.

        E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, Journal of the
        American Statistical Association 22 (1927), 209–212.
        """
        if not self.n:
            return 0.0, 1.0
        widened = self.n + Z * Z
        centre = (self.count + Z * Z / 2) / widened
        reach = Z * sqrt(self.count * (1 - self.share) + Z * Z / 4) / widened
        return max(0.0, centre - reach), min(1.0, centre + reach)

    def to_record(self) -> dict[str, Any]:
        """As JSON values, shares to four digits."""
        low, high = self.interval
        return {
            "count": self.count,
            "n": self.n,
            "share": round(self.share, 4),
            "low": round(low, 4),
            "high": round(high, 4),
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Share:
        """What :meth:`to_record` wrote."""
        return cls(record["count"], record["n"])

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.count} of {self.n}, {self.share:.1%} ({low * 100:.1f} to {high * 100:.1f})".replace(
            "%", " %"
        )
