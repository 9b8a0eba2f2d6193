"""The finished hands nearest to what is held, and the tiles that they have beside it.

A hand is as far away as the nearest finished hand lacks tiles. That hand holds no tile more often than there
are of it, as a wait on a tile of which the hand itself has all four is none (EMA 2008 §3.4.2), and is four
sets and a pair, seven different pairs, or thirteen orphans (EMA 2008 §3.2).

Nearest hands are found suit by suit. A *way* is a number that says how many tiles some finished suits lack
and which kinds: the count in its upper bits (:data:`ONE`), the kinds in the lower ones. Ways of different
suits add up; of two the nearer one counts, of two that are equally near all kinds of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorer.hand import Meld
from scorer.memo import Memo
from scorer.readings import Form
from scorer.tiles import COPIES, KINDS, LEFT_OUT, YAOCHUU, count_kinds

Counts = tuple[int, ...]

ONE: Final = 1 << KINDS
"""What a way has for each tile that is missing."""

_FAR: Final = 64 * ONE
"""More than any hand lacks: it cannot be made."""

_SETS: Final = 4
_PLACES: Final = 2 * (_SETS + 1)
"""The ways of a suit stand at twice the number of sets, and one more with the pair."""

_NOTHING: Final = (0, *[_FAR] * (_PLACES - 1))
_IMPOSSIBLE: Final = (_FAR,) * _PLACES

_ALIKE: Final = ((0, 0), (2, 1), (3, 2))
"""How many tiles of a kind are alike beside the runs, and how many places further that leads: nothing, the
pair, a triplet. Both together would be five."""

_Ranks = tuple[Counts, Counts, int, int, bool]
"""How many there are of each rank and of each at most; runs that began one rank and two ranks below; whether
there are runs at all."""


def _ways(ranks: _Ranks) -> tuple[int, ...]:
    """The nearest ways from the first of these ranks upwards, by place."""
    counts, room, one, two, runs = ranks
    if not counts:
        return _IMPOSSIBLE if one or two else _NOTHING
    held, most = counts[0], room[0]
    this = 1 << len(counts) - 1  # the bits are counted from the last rank, so that the others keep theirs
    best = [_FAR] * _PLACES
    # three runs alike are three triplets, too: two that begin at a rank are all that need be tried
    for begun in range(3 if runs and len(counts) > 2 else 1):
        if one + two + begun > most:
            break
        above = WAYS[counts[1:], room[1:], begun, one, runs]
        for alike, places in _ALIKE:
            wanted = one + two + begun + alike
            if wanted > most:
                break
            lacks = (wanted - held) * ONE + this if wanted > held else 0
            places += 2 * begun
            for at in range(0, _PLACES - places, 2 if alike == 2 else 1):
                way = above[at] + lacks
                before = best[at + places]
                if way ^ before < ONE:  # equally near
                    best[at + places] = way | before
                elif way < before:
                    best[at + places] = way
    return tuple(best)


WAYS: Final = Memo(_ways, 1 << 14)
"""The ways of the ranks of a suit, each suffix of them remembered: a discard changes those below it alone."""


def _joined(some: Sequence[int], others: Sequence[int]) -> list[int]:
    """The ways of two suits together."""
    best = [_FAR] * _PLACES
    for at, way in enumerate(some):
        if way < _FAR:
            for place in range(0, _PLACES - at, 1 + at % 2):  # one pair, not two
                both = way + others[place]
                before = best[at + place]
                if both ^ before < ONE:
                    best[at + place] = both | before
                elif both < before:
                    best[at + place] = both
    return best


def _nearer(way: int, other: int) -> int:
    return way | other if way ^ other < ONE else min(way, other)


_SUITS: Final = tuple(slice(first, min(first + 9, KINDS)) for first in range(0, KINDS, 9))
_KIND_OF_BIT: Final = tuple(kind for suit in _SUITS for kind in reversed(range(suit.start, suit.stop)))


def kinds_of(way: int) -> list[int]:
    """The kinds that a way lacks, lowest first."""
    return sorted(kind for bit, kind in enumerate(_KIND_OF_BIT) if way >> bit & 1)


def _suit_ways(counts: Counts, room: Counts, suit: slice, runs: bool) -> list[int]:
    """The ways of one suit, their kinds where those of the suit belong."""
    found = WAYS[counts[suit], room[suit], 0, 0, runs and suit.start < 27]
    missing = ~(ONE - 1)
    return [(way & missing) | (way & ONE - 1) << suit.start for way in found]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which finished hands are looked at. ``sets``: how many are still to be made of the concealed tiles.

    ``room``: how many of each kind those may have. ``runs``: whether runs may be among the sets. ``honours``:
    whether there must be honours among them.
    """

    sets: int
    room: Counts
    runs: bool = True
    honours: bool = False

    @property
    def has_other_forms(self) -> bool:
        """Whether the hand may be seven pairs or thirteen orphans, which have no declared set."""
        return self.sets == _SETS


def wanted(melds: Sequence[Meld] = (), players: int = 4) -> Wanted:
    """All finished hands with these declared sets, of the tiles that so many players use."""
    melded = count_kinds(tile for meld in melds for tile in meld.tiles)
    out = LEFT_OUT if players == 3 else frozenset[int]()
    room = tuple(0 if kind in out else max(0, COPIES - count) for kind, count in enumerate(melded))
    return Wanted(_SETS - len(melds), room)


def standard(counts: Counts, among: Wanted) -> int:
    """The nearest way to four sets and a pair."""
    m, p, s, z = (_suit_ways(counts, among.room, suit, among.runs) for suit in _SUITS)
    if among.honours:
        z[0] = _FAR
    return _meeting(_joined(m, p), _joined(s, z), among.sets)


def _meeting(some: Sequence[int], others: Sequence[int], sets: int) -> int:
    """The nearest of two halves that together have so many sets and a pair."""
    whole = 2 * sets + 1
    best = _FAR
    for at in range(whole + 1):
        best = _nearer(best, some[at] + others[whole - at])
    return best


def _way(missing: int, kinds: Iterable[int]) -> int:
    return missing * ONE + sum(1 << _KIND_OF_BIT.index(kind) for kind in kinds)


def seven_pairs(counts: Counts, among: Wanted) -> int:
    """The nearest way to seven different pairs."""
    can = [kind for kind in range(KINDS) if among.room[kind] >= 2]
    singles = [kind for kind in can if counts[kind] == 1]
    none = [kind for kind in can if not counts[kind]]
    pairs = 7 - sum(1 for kind in can if counts[kind] >= 2)
    if pairs <= 0:
        return 0
    new = max(0, pairs - len(singles))
    if new > len(none):
        return _FAR
    return _way(pairs + new, (*singles, *none) if new else singles)


def thirteen_orphans(counts: Counts, among: Wanted) -> int:
    """The nearest way to one of each terminal and honour and one of them twice."""
    if any(among.room[kind] < 2 for kind in YAOCHUU):
        return _FAR
    missing = [kind for kind in YAOCHUU if not counts[kind]]
    if any(counts[kind] > 1 for kind in YAOCHUU):
        return _way(len(missing), missing)
    return _way(len(missing) + 1, YAOCHUU)


def nearest(counts: Counts, among: Wanted) -> dict[Form, int]:
    """The nearest way of each form that the hand can have."""
    found = {Form.STANDARD: standard(counts, among)}
    if among.has_other_forms:
        found[Form.SEVEN_PAIRS] = seven_pairs(counts, among)
        found[Form.THIRTEEN_ORPHANS] = thirteen_orphans(counts, among)
    return found


def lacking(ways: Mapping[Form, int]) -> int:
    """How many tiles the nearest of these hands has beside what is held."""
    return min(ways.values()) >> KINDS


def without_each(counts: Counts, among: Wanted) -> Iterator[tuple[int, dict[Form, int]]]:
    """Each kind of the hand with the nearest ways without one of it; the other suits are joined once."""
    ways = [_suit_ways(counts, among.room, suit, among.runs) for suit in _SUITS]
    for at, suit in enumerate(_SUITS):
        held = [kind for kind in range(suit.start, suit.stop) if counts[kind]]
        if not held:
            continue
        first, second, third = (ways[other] for other in range(len(_SUITS)) if other != at)
        others = _joined(_joined(first, second), third)
        for kind in held:
            less = (*counts[:kind], counts[kind] - 1, *counts[kind + 1 :])
            found = {
                Form.STANDARD: _meeting(_suit_ways(less, among.room, suit, among.runs), others, among.sets)
            }
            if among.has_other_forms:
                found[Form.SEVEN_PAIRS] = seven_pairs(less, among)
                found[Form.THIRTEEN_ORPHANS] = thirteen_orphans(less, among)
            yield kind, found
