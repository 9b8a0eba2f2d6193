"""Hands as people photograph them because they are rare: dealt from the tiles that are left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from numpy.random import Generator

_WINDS: Final = ("1z", "2z", "3z", "4z")
_DRAGONS: Final = ("5z", "6z", "7z")
_TERMINALS: Final = tuple(f"{rank}{suit}" for suit in "mps" for rank in (1, 9))
_ANY: Final = (*(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)), *_WINDS, *_DRAGONS)

Called = tuple[str, list[str]]
"""A set to be called: its type and its tiles."""


class Tiles(Protocol):
    """Those that have not been laid."""

    def available(self, plain: str, count: int) -> bool:
        """Whether so many are left."""
        ...

    def take(self, plain: str) -> str:
        """One of this face."""
        ...


@dataclass(frozen=True, slots=True)
class _Triplets:
    """Four triplets or kans and a pair.

    ``must``: faces of required sets. ``faces``: those of the other sets and of the pair. ``called``: the
    share of called sets. ``kans``: the share of kans among them.
    """

    must: tuple[str, ...]
    faces: tuple[str, ...]
    called: float = 0.5
    kans: float = 0.15


_TRIPLETS: Final = (
    _Triplets(_DRAGONS, _ANY),
    _Triplets(_WINDS, _ANY),
    _Triplets((), (*_WINDS, *_DRAGONS)),
    _Triplets((), _TERMINALS),
    _Triplets((), ("2s", "3s", "4s", "6s", "8s", "6z")),
    _Triplets((), _ANY, called=0.0),
    _Triplets((), _ANY, called=1.0, kans=1.0),
)
_ORPHANS: Final = (*_TERMINALS, *_WINDS, *_DRAGONS)
_GATES: Final = tuple(tuple(f"{rank}{suit}" for rank in "1112345678999") for suit in "mps")


def deal(tiles: Tiles, rng: Generator) -> tuple[list[str], list[Called]] | None:
    """A finished hand: its closed tiles, and the sets to be called; None where too few are left for it."""
    if rng.random() < 0.5:
        waiting = _ORPHANS if rng.random() < 0.6 else _GATES[int(rng.integers(len(_GATES)))]
        return _taken(tiles, [*waiting, waiting[int(rng.integers(len(waiting)))]], [])
    form = _TRIPLETS[int(rng.integers(len(_TRIPLETS)))]
    others = [face for face in rng.permutation(form.faces).tolist() if face not in form.must]
    *sets, pair = [*form.must, *others][:5]
    closed, called = [pair] * 2, list[tuple[str, str]]()
    for face in sets:
        if rng.random() >= form.called:
            closed += [face] * 3
        else:
            called.append(("kan" if rng.random() < form.kans else "pon", face))
    return _taken(tiles, closed, called)


def _taken(
    tiles: Tiles, closed: list[str], called: list[tuple[str, str]]
) -> tuple[list[str], list[Called]] | None:
    wanted = [*closed, *(face for kind, face in called for _ in range(4 if kind == "kan" else 3))]
    if not all(tiles.available(face, wanted.count(face)) for face in {*wanted}):
        return None
    sets = [(kind, [tiles.take(face) for _ in range(4 if kind == "kan" else 3)]) for kind, face in called]
    return [tiles.take(face) for face in closed], sets
