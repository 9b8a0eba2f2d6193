"""An immutable mapping, so that frozen dataclasses can hold one and stay hashable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, NoReturn, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class FrozenDict(dict[Key, Value], Generic[Key, Value]):
    """A ``dict`` that cannot be changed. Hashing it needs hashable values.

    >>> table = FrozenDict({"tanyao": 1})
    >>> hash(table) == hash(FrozenDict(table)), table == {"tanyao": 1}
    (True, True)
    """

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[FrozenDict[Key, Value]], tuple[Mapping[Key, Value]]]:
        return FrozenDict, (dict(self),)

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("A FrozenDict cannot be changed: make a new one of dict(it).")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse
