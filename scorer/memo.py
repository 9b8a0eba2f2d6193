"""A cache of a function as a dictionary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

MOST: Final = 1 << 16
"""The default size of a cache. A full cache is emptied."""


class Memo(dict[_Key, _Value]):
    """The results of a function by its argument, computed on first use.

    A cached result costs one dictionary look-up and no call. The scorer's inner loop needs that.

    >>> squares = Memo(lambda number: number * number)
    >>> squares[3], squares
    (9, {3: 9})
    """

    __slots__ = ("_most", "_work_out")

    def __init__(self, work_out: Callable[[_Key], _Value], most: int = MOST) -> None:
        super().__init__()
        self._work_out = work_out
        self._most = most

    def __missing__(self, key: _Key) -> _Value:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._work_out(key)
        return value
