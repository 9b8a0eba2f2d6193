"""Tables that fill themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

MOST: Final = 1 << 16
"""How much a table remembers unless it says otherwise; where there is more, it starts anew."""


class Memo(dict[_Key, _Value]):
    """What a function says of each key, worked out where it is asked for the first time.

    What is known costs a look-up in a dictionary and no call, which in the scorer's inner loop is the point.

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
