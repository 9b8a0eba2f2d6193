"""Groups of items by links between two items at a time (union-find)."""

from __future__ import annotations


class Chains:
    """``count`` things, each by itself until it is joined to others."""

    def __init__(self, count: int) -> None:
        self._before = list(range(count))

    def first(self, at: int) -> int:
        """The first of all that hang together with the one ``at``."""
        before = self._before
        while before[at] != at:
            before[at] = at = before[before[at]]
        return at

    def join(self, one: int, other: int) -> None:
        """Have two hang together from now on."""
        low, high = sorted((self.first(one), self.first(other)))
        self._before[high] = low

    def firsts(self) -> list[int]:
        """For each its first."""
        return [self.first(at) for at in range(len(self._before))]
