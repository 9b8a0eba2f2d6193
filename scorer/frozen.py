"""A mapping that cannot be changed, so that what holds it can be hashed, pickled and copied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, NoReturn, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class FrozenDict(dict[Key, Value], Generic[Key, Value]):
    """A ``dict`` without the methods that change one; its values must be hashable where it is hashed.

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
