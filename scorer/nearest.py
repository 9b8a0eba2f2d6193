"""The finished hands nearest to the tiles held, and the tiles that are missing.

The distance of a hand is how many tiles of the nearest finished hand it lacks. A finished hand is four sets
and a pair, seven different pairs or thirteen orphans (EMA 2008 §3.2). It has at most four of a tile: a hand
cannot wait for a tile of which it holds all four (EMA 2008 §3.4.2).

The search goes suit by suit. A *way* is one number for the missing tiles of finished suits: how many in its
upper bits (:data:`ONE`), which kinds in the lower ones. Ways of different suits add up. Of two ways the one
with fewer missing tiles counts; of two equal ones the kinds of both.
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
"""What each missing tile adds to a way."""

_FAR: Final = 64 * ONE
"""More than any hand lacks: an impossible way."""

_SETS: Final = 4
_PLACES: Final = 2 * (_SETS + 1)
"""The ways of a suit are a list. Index: twice the number of sets, plus one with the pair."""

_NOTHING: Final = (0, *[_FAR] * (_PLACES - 1))
_IMPOSSIBLE: Final = (_FAR,) * _PLACES

_ALIKE: Final = ((0, 0), (2, 1), (3, 2))
"""(tiles of one kind outside runs, how far they advance the index): nothing, the pair, a triplet. A pair and
a triplet of one kind would take five tiles."""

_Ranks = tuple[Counts, Counts, int, int, bool]
"""(count of each rank, maximum of each rank, runs begun one rank below, runs begun two ranks below, whether
runs are allowed)."""


def _ways(ranks: _Ranks) -> tuple[int, ...]:
    """The nearest ways of these ranks, by index."""
    counts, room, one, two, runs = ranks
    if not counts:
        return _IMPOSSIBLE if one or two else _NOTHING
    held, most = counts[0], room[0]
    this = 1 << len(counts) - 1  # bits count from the last rank, so that a cached suffix keeps its bits
    best = [_FAR] * _PLACES
    # three equal runs are three triplets too, so at most two runs begin at a rank
    for begun in range(3 if runs and len(counts) > 2 else 1):
        if one + two + begun > most:
            break
        above = WAYS[counts[1:], room[1:], begun, one, runs]
        for alike, places in _ALIKE:
            needed = one + two + begun + alike
            if needed > most:
                break
            lacks = (needed - held) * ONE + this if needed > held else 0
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
"""A cache of the ways of each suffix of a suit's ranks. A discard changes only the suffixes that contain
it."""


def _combine_suits(some: Sequence[int], others: Sequence[int]) -> list[int]:
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


def missing_kinds(way: int) -> list[int]:
    """The kinds that a way lacks, lowest first."""
    return sorted(kind for bit, kind in enumerate(_KIND_OF_BIT) if way >> bit & 1)


def _suit_ways(counts: Counts, room: Counts, suit: slice, runs: bool) -> list[int]:
    """The ways of one suit, with the bits of its kinds in their final position."""
    found = WAYS[counts[suit], room[suit], 0, 0, runs and suit.start < 27]
    missing = ~(ONE - 1)
    return [(way & missing) | (way & ONE - 1) << suit.start for way in found]


@dataclass(frozen=True, slots=True)
class Target:
    """Which finished hands count. ``sets``: how many sets the concealed tiles must form.

    ``room``: the maximum of each kind among the concealed tiles. ``runs``: whether the sets may be runs.
    ``honours``: whether the concealed tiles must contain honours.
    """

    sets: int
    room: Counts
    runs: bool = True
    honours: bool = False

    @property
    def has_other_forms(self) -> bool:
        """Whether the hand may be seven pairs or thirteen orphans, which have no declared set."""
        return self.sets == _SETS


def target_of(melds: Sequence[Meld] = (), players: int = 4) -> Target:
    """All finished hands with these melds, of the tiles that so many players use."""
    melded = count_kinds(tile for meld in melds for tile in meld.tiles)
    out = LEFT_OUT if players == 3 else frozenset[int]()
    room = tuple(0 if kind in out else max(0, COPIES - count) for kind, count in enumerate(melded))
    return Target(_SETS - len(melds), room)


def standard(counts: Counts, target: Target) -> int:
    """The nearest way to four sets and a pair."""
    m, p, s, z = (_suit_ways(counts, target.room, suit, target.runs) for suit in _SUITS)
    if target.honours:
        z[0] = _FAR
    return _combine_halves(_combine_suits(m, p), _combine_suits(s, z), target.sets)


def _combine_halves(some: Sequence[int], others: Sequence[int], sets: int) -> int:
    """The nearest way of two halves of the hand that together have ``sets`` sets and a pair."""
    whole = 2 * sets + 1
    best = _FAR
    for at in range(whole + 1):
        best = _nearer(best, some[at] + others[whole - at])
    return best


def _way(missing: int, kinds: Iterable[int]) -> int:
    return missing * ONE + sum(1 << _KIND_OF_BIT.index(kind) for kind in kinds)


def seven_pairs(counts: Counts, target: Target) -> int:
    """The nearest way to seven different pairs."""
    can = [kind for kind in range(KINDS) if target.room[kind] >= 2]
    singles = [kind for kind in can if counts[kind] == 1]
    none = [kind for kind in can if not counts[kind]]
    pairs = 7 - sum(1 for kind in can if counts[kind] >= 2)
    if pairs <= 0:
        return 0
    new = max(0, pairs - len(singles))
    if new > len(none):
        return _FAR
    return _way(pairs + new, (*singles, *none) if new else singles)


def thirteen_orphans(counts: Counts, target: Target) -> int:
    """The nearest way to one of each terminal and honour and one of them twice."""
    if any(target.room[kind] < 2 for kind in YAOCHUU):
        return _FAR
    missing = [kind for kind in YAOCHUU if not counts[kind]]
    if any(counts[kind] > 1 for kind in YAOCHUU):
        return _way(len(missing), missing)
    return _way(len(missing) + 1, YAOCHUU)


def nearest(counts: Counts, target: Target) -> dict[Form, int]:
    """The nearest way of each form that the hand can have."""
    found = {Form.STANDARD: standard(counts, target)}
    if target.has_other_forms:
        found[Form.SEVEN_PAIRS] = seven_pairs(counts, target)
        found[Form.THIRTEEN_ORPHANS] = thirteen_orphans(counts, target)
    return found


def missing_count(ways: Mapping[Form, int]) -> int:
    """The number of missing tiles of the nearest of these ways."""
    return min(ways.values()) >> KINDS


def without_each(counts: Counts, target: Target) -> Iterator[tuple[int, dict[Form, int]]]:
    """(kind, nearest ways without one such tile) for each kind of the hand. Other suits are combined once."""
    ways = [_suit_ways(counts, target.room, suit, target.runs) for suit in _SUITS]
    for at, suit in enumerate(_SUITS):
        held = [kind for kind in range(suit.start, suit.stop) if counts[kind]]
        if not held:
            continue
        first, second, third = (ways[other] for other in range(len(_SUITS)) if other != at)
        others = _combine_suits(_combine_suits(first, second), third)
        for kind in held:
            less = (*counts[:kind], counts[kind] - 1, *counts[kind + 1 :])
            found = {
                Form.STANDARD: _combine_halves(
                    _suit_ways(less, target.room, suit, target.runs), others, target.sets
                )
            }
            if target.has_other_forms:
                found[Form.SEVEN_PAIRS] = seven_pairs(less, target)
                found[Form.THIRTEEN_ORPHANS] = thirteen_orphans(less, target)
            yield kind, found
