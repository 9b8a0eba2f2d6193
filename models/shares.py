"""Shares with 95 % confidence intervals, and Markdown tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, TypeVar

Z = 1.959964
"""Quantile of the normal distribution for a 95 % interval."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Share:
    """``count`` of ``n`` cases.

    >>> str(Share(43, 50))
    '43 of 50, 86.0 % (73.8 to 93.0)'
    """

    count: int
    n: int

    @classmethod
    def of(cls, some: Collection[T], test: Callable[[T], object]) -> Share:
        """The share of items that pass a test."""
        return cls(sum(bool(test(each)) for each in some), len(some))

    @property
    def share(self) -> float:
        """The share from 0 to 1; 0 if ``n`` is 0."""
        return self.count / self.n if self.n else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % score interval, which is reliable for shares near 0 and 1, too. (0, 1) if ``n`` is 0.

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
        """JSON values, shares with four digits."""
        shares = zip(("share", "low", "high"), (self.share, *self.interval), strict=True)
        return {"count": self.count, "n": self.n, **{name: round(value, 4) for name, value in shares}}

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.count} of {self.n}, {percent(self.share)} ({low * 100:.1f} to {high * 100:.1f})"


def percent(share: float) -> str:
    """A share in percent with one digit."""
    return f"{share * 100:.1f} %"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Lines of a Markdown table."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(map(str, row))} |" for row in rows)
