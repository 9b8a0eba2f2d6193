"""Tiles and sets as numbers whose fields add up, and every way to split a suit into sets.

A *tally* says how many there are of each face: byte 0 is 1m, byte 33 is 7z, and bytes 34–36 count the red
fives, which are among the fives too. The tally of a hand is the sum of its tiles' tallies.

A *composition* says all that yaku and minipoints ask of sets and the pair. That of a hand is the sum of its
groups' compositions: runs are counted in a nibble for each lowest kind, triplets and kongs in a bit for each
kind, and behind them lie the fields below.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from scorer.tiles import COPIES, KIND_OF, KINDS, TERMINALS, YAOCHUU

FACES: Final = len(KIND_OF)

# --- tallies ------------------------------------------------------------------------------------------------


def every(kinds: Iterable[int]) -> int:
    """The mask of a tally's bytes for the kinds."""
    return sum(0xFF << 8 * kind for kind in kinds)


TALLIES: Final = tuple(
    (1 << 8 * kind) + (1 << 8 * face if face >= KINDS else 0) for face, kind in enumerate(KIND_OF)
)
"""The tally of each face."""

SUIT: Final = every(range(9))
HONOURS: Final = every(range(7))
"""The masks of a suit and of the honours, shifted to the lowest byte."""

_tally_of: Final = TALLIES.__getitem__
_OVER: Final = sum(0x80 << 8 * face for face in range(FACES))


def tally(tiles: Iterable[int]) -> int:
    """The tally of the tiles (or face indices 0–36)."""
    return sum(map(_tally_of, tiles))


def room(red_fives: Sequence[int]) -> int:
    """What :func:`too_many` adds: with it a byte overflows where there are more tiles than there can be."""
    most = (*[COPIES] * KINDS, *red_fives)
    return sum(0x7F - limit << 8 * face for face, limit in enumerate(most))


def too_many(shown: int, room: int) -> bool:
    """Whether the tally holds more of any face than a set of tiles does; of at most 123 tiles."""
    return bool(shown + room & _OVER)


# --- compositions -------------------------------------------------------------------------------------------


class GroupType(StrEnum):
    CHI = "chi"
    PON = "pon"
    KAN = "kan"
    PAIR = "pair"
    ORPHANS = "orphans"


class Wait(StrEnum):
    """Which kind of wait the winning tile ended (EMA 2008 §4.1.1)."""

    RYANMEN = "ryanmen"
    KANCHAN = "kanchan"
    PENCHAN = "penchan"
    SHANPON = "shanpon"
    TANKI = "tanki"
    KOKUSHI = "kokushi"
    KOKUSHI_13 = "kokushi_13"


RUN: Final = 4
"""Bits for a kind's runs; a run of each kind fits into ``RUNS``, and ``ONE_EACH`` has the lowest bits."""
ONE_EACH: Final = sum(1 << RUN * kind for kind in range(27))
RUNS: Final = 15 * ONE_EACH

TRIPLETS_AT: Final = RUN * 27
KINDS_MASK: Final = (1 << KINDS) - 1

PAIR_AT: Final = TRIPLETS_AT + KINDS
"""Six bits: the pair's kind and one, 0 without a pair. After it three bits each:"""
RUN_COUNT_AT: Final = PAIR_AT + 6
CONCEALED_AT: Final = RUN_COUNT_AT + 3
"""Concealed triplets and kongs."""
KANS_AT: Final = CONCEALED_AT + 3
INSIDE_AT: Final = KANS_AT + 3
"""Groups without a terminal or honour."""
INNER_AT: Final = INSIDE_AT + 3
"""Groups without a terminal."""
FU_AT: Final = INNER_AT + 3
"""Minipoints of the sets and the wait, to the end of the number."""


def set_fu(type_: GroupType, kind: int, concealed: bool) -> int:
    """Minipoints of a set (EMA 2008 §4.1.1); runs earn none, and a pair depends on the winds."""
    if type_ not in (GroupType.PON, GroupType.KAN):
        return 0
    fu = 4 if kind in YAOCHUU else 2
    return fu * (2 if concealed else 1) * (4 if type_ is GroupType.KAN else 1)


def wait_fu(wait: Wait) -> int:
    """Minipoints of a wait (EMA 2008 §4.1.1)."""
    return 2 if wait in (Wait.KANCHAN, Wait.PENCHAN, Wait.TANKI) else 0


def _composition(type_: GroupType, kind: int, concealed: bool) -> int:
    kinds = (kind, kind + 1, kind + 2) if type_ is GroupType.CHI else (kind,)
    number = (YAOCHUU.isdisjoint(kinds) << INSIDE_AT) + (TERMINALS.isdisjoint(kinds) << INNER_AT)
    match type_:
        case GroupType.CHI:
            return number + (1 << RUN * kind) + (1 << RUN_COUNT_AT)
        case GroupType.PAIR:
            return number + (kind + 1 << PAIR_AT)
    number += (1 << TRIPLETS_AT + kind) + (concealed << CONCEALED_AT)
    return number + ((type_ is GroupType.KAN) << KANS_AT) + (set_fu(type_, kind, concealed) << FU_AT)


_COMPOSITIONS: Final = {
    (type_, concealed): tuple(_composition(type_, kind, concealed) for kind in range(KINDS))
    for type_ in (GroupType.CHI, GroupType.PON, GroupType.KAN, GroupType.PAIR)
    for concealed in (True, False)
}


def composition(type_: GroupType, kind: int, concealed: bool = True) -> int:
    """The composition of one set or pair."""
    return _COMPOSITIONS[type_, concealed][kind]


# an enum's member costs a look-up in its class each time
_CHI: Final = GroupType.CHI
_PON: Final = GroupType.PON
_RYANMEN: Final = Wait.RYANMEN

_OPENED: Final = tuple(
    composition(GroupType.PON, kind, False) - composition(GroupType.PON, kind) for kind in range(KINDS)
)
"""What a discard that finishes a triplet adds to the composition."""

# --- the ways to split a suit -------------------------------------------------------------------------------

Shape = tuple[tuple[GroupType, int], ...]
"""Types and lowest kinds of groups."""

Place = tuple[int, Wait, int, int]
"""A group (index) that the winning tile finishes, the wait, what a self-draw and a discard add to the
composition."""


class Part:
    """One way to split a suit: its groups in order of their lowest kind, the pair first."""

    __slots__ = ("_places", "composition", "groups")

    def __init__(self, groups: Shape, composition: int) -> None:
        self.groups = groups
        self.composition = composition
        self._places: dict[int, tuple[Place, ...]] = {}

    def places(self, win: int) -> tuple[Place, ...]:
        """Every different group that a winning tile of that kind can finish."""
        found = self._places.get(win)
        if found is None:
            found = self._places[win] = tuple(
                [
                    _place(at, group, win)
                    for at, group in enumerate(self.groups)
                    if group[1] <= win <= group[1] + (2 if group[0] is _CHI else 0)
                    and (not at or group not in self.groups[:at])
                ]
            )
        return found


def _place(at: int, group: tuple[GroupType, int], win: int) -> Place:
    type_, kind = group
    if type_ is _CHI:
        wait = _RYANMEN
        if win == kind + 1:
            wait = Wait.KANCHAN
        elif kind % 9 == (0 if win == kind + 2 else 6):
            wait = Wait.PENCHAN
    else:
        wait = Wait.TANKI if type_ is GroupType.PAIR else Wait.SHANPON
    fu = 0 if wait is _RYANMEN else wait_fu(wait) << FU_AT
    return at, wait, fu, fu + _OPENED[kind] if type_ is _PON else fu


def _each(type_: GroupType) -> tuple[tuple[Shape, int], ...]:
    """For each kind the group of that type alone, and its composition."""
    return tuple((((type_, kind),), composition(type_, kind)) for kind in range(KINDS))


_CHIS, _PONS, _PAIRS = _each(GroupType.CHI), _each(GroupType.PON), _each(GroupType.PAIR)

_Split = tuple[Shape, int]
"""Groups, and the composition of all."""


@lru_cache(maxsize=1 << 16)
def parts(suit: int, first: int) -> tuple[Part, ...]:
    """All ways to split one suit into sets and, where the number of tiles asks for it, one pair.

    ``suit``: its part of a tally. ``first``: its first kind; runs exist below the honours.
    """
    match suit % 3:  # the bytes' sum modulo 3, as 256 is one more than a multiple of 3
        case 0:
            return tuple([Part(*split) for split in _sets(suit, first)])
        case 2:
            found = []
            # sets add up to a multiple of 3, so the ranks of all tiles tell the pair's rank modulo 3
            thirds = suit % 0xFFFFFF
            ranks = (thirds >> 8) + (thirds >> 16)
            for rank in range(2 * ranks % 3, 9, 3):
                if suit >> 8 * rank & 0xFF >= 2:
                    pair, number = _PAIRS[first + rank]
                    for groups, others in _sets(suit - (2 << 8 * rank), first):
                        found.append(Part(pair + groups, number + others))
            return tuple(found)
    return ()


@lru_cache(maxsize=1 << 16)
def _sets(suit: int, first: int) -> tuple[_Split, ...]:
    """All ways to split the tiles into runs and triplets, groups in order of their lowest tile."""
    if not suit:
        return (((), 0),)
    at = (suit & -suit).bit_length() - 1 & ~7
    lowest = suit >> at
    kind = first + (at >> 3)
    found: list[_Split] = []
    if lowest & 0xFF >= 3:
        group, number = _PONS[kind]
        for groups, others in _sets(suit - (3 << at), first):
            found.append((group + groups, number + others))
    if first < 27 and lowest & 0xFF00 and lowest & 0xFF0000:
        group, number = _CHIS[kind]
        for groups, others in _sets(suit - (0x010101 << at), first):
            found.append((group + groups, number + others))
    return tuple(found)
