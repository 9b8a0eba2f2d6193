"""Which yaku an unfinished hand can still reach without more shanten.

A yaku has *frames*: the tiles, the runs and the sets that such a hand needs. The yaku is in reach if the
nearest finished hand of one frame is as near as the nearest of all (:mod:`scorer.nearest`). Yaku that depend
on the wait or on the way of winning, such as pinfu, have no frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorer.hand import Meld, MeldType, Win
from scorer.nearest import ONE, Counts, Target, nearest, seven_pairs, standard, target_of, thirteen_orphans
from scorer.rules import RuleSet
from scorer.tiles import HONOURS, KINDS, YAOCHUU, Tile, count_kinds, dora_of

_ALL: Final = frozenset(range(KINDS))
_SUITS: Final = tuple(frozenset(range(first, first + 9)) for first in (0, 9, 18))

_NEVER: Final = 14
"""More than any hand lacks."""

_Set = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Frame:
    """``kinds``: the allowed kinds. ``runs``: whether runs are allowed. ``sets``: the required sets, as
    kinds.
    ``honours``: whether honours are required. ``pairs``: whether seven pairs are allowed."""

    kinds: frozenset[int] = _ALL
    runs: bool = True
    sets: tuple[_Set, ...] = ()
    honours: bool = False
    pairs: bool = False


def _run(first: int) -> _Set:
    return first, first + 1, first + 2


def _triplet(kind: int) -> _Set:
    return kind, kind, kind


_FIRSTS: Final = tuple(first + rank for first in (0, 9, 18) for rank in range(7))

_FRAMES: Final[Mapping[str, tuple[Frame, ...]]] = {
    "tanyao": (Frame(_ALL - YAOCHUU, pairs=True),),
    "iipeikou": tuple(Frame(sets=(_run(first),) * 2) for first in _FIRSTS),
    "sanshoku_doujun": tuple(Frame(sets=tuple(_run(at + rank) for at in (0, 9, 18))) for rank in range(7)),
    "ittsu": tuple(Frame(sets=tuple(_run(first + at) for at in (0, 3, 6))) for first in (0, 9, 18)),
    "yakuhai_haku": (Frame(sets=(_triplet(31),)),),
    "yakuhai_hatsu": (Frame(sets=(_triplet(32),)),),
    "yakuhai_chun": (Frame(sets=(_triplet(33),)),),
    "sanshoku_doukou": tuple(
        Frame(sets=tuple(_triplet(at + rank) for at in (0, 9, 18))) for rank in range(9)
    ),
    "toitoi": (Frame(runs=False),),
    "honroutou": (Frame(YAOCHUU, runs=False, pairs=True),),
    "honitsu": tuple(Frame(suit | HONOURS, honours=True, pairs=True) for suit in _SUITS),
    "chinitsu": tuple(Frame(suit, pairs=True) for suit in _SUITS),
}
"""The alternative frames of each yaku. :func:`yaku_in_reach` adds those of the seat and round wind."""


def yaku_in_reach(
    concealed: Sequence[Tile],
    melds: Sequence[Meld],
    win: Win,
    rules: RuleSet,
    *,
    further: int = 0,
) -> tuple[str, ...]:
    """The yaku that 13 or 14 tiles can still reach without more shanten, in the order of the table above.

    Seven pairs and thirteen orphans count if the hand is nearest to them. ``further``: how many more tiles
    than the nearest hand a yaku may need.

    >>> from scorer import load_rules, parse_tiles
    >>> yaku_in_reach(parse_tiles("234m34p34s55567p8s"), (), Win(tsumo=False), load_rules("ema2008"))
    ('tanyao', 'sanshoku_doujun')
    """
    counts, target = count_kinds(concealed), target_of(melds, rules.players)
    least = min(nearest(counts, target).values()) // ONE + further
    closed = not any(meld.is_open for meld in melds)
    declared = [tuple(sorted(tile.kind for tile in meld.tiles[:3])) for meld in melds]
    of_winds = {"yakuhai_round": (Frame(sets=(_triplet(win.round_wind.kind),)),)}
    if win.seat_wind is not None:
        of_winds["yakuhai_seat"] = (Frame(sets=(_triplet(win.seat_wind.kind),)),)
    found = [
        yaku
        for yaku, frames in {**_FRAMES, **of_winds}.items()
        if rules.han(yaku, closed)
        and any(_is_as_near(frame, counts, target, melds, declared, least) for frame in frames)
    ]
    if target.has_other_forms:
        for yaku, way in (
            ("chiitoitsu", seven_pairs(counts, target)),
            ("kokushi", thirteen_orphans(counts, target)),
        ):
            if way // ONE <= least and rules.han(yaku, closed):
                found.append(yaku)
    return tuple(found)


def _is_as_near(
    frame: Frame,
    counts: Counts,
    target: Target,
    melds: Sequence[Meld],
    declared: Sequence[tuple[int, ...]],
    least: int,
) -> bool:
    """Whether the nearest hand of the frame lacks at most ``least`` tiles."""
    if any(not frame.kinds.issuperset(kinds) for kinds in declared):
        return False
    if not frame.runs and any(meld.type is MeldType.CHI for meld in melds):
        return False
    there, to_come = list(declared), []
    for one in frame.sets:
        if one in there:
            there.remove(one)
        else:
            to_come.append(one)
    fixed = count_kinds(kind for one in to_come for kind in one)
    lacks = sum(max(0, many - held) for many, held in zip(fixed, counts, strict=True))
    if len(to_come) > target.sets or lacks > least:
        return False
    if any(many > most for many, most in zip(fixed, target.room, strict=True)):
        return False
    room = tuple(
        most - many if kind in frame.kinds else 0
        for kind, (many, most) in enumerate(zip(fixed, target.room, strict=True))
    )
    rest = tuple(max(0, held - many) for held, many in zip(counts, fixed, strict=True))
    honours = frame.honours and not any(HONOURS.issuperset(kinds) for kinds in declared)
    within = Target(target.sets - len(to_come), room, frame.runs, honours)
    if lacks + standard(rest, within) // ONE <= least:
        return True
    return frame.pairs and target.has_other_forms and _pairs_lack(counts, room, honours) <= least


def _pairs_lack(counts: Counts, room: Counts, honours: bool) -> int:
    """How many tiles the nearest seven pairs within ``room`` lack. ``honours``: whether one must be
    honours."""
    lack = sorted((2 - min(2, counts[kind]), kind not in HONOURS) for kind in range(KINDS) if room[kind] >= 2)
    if honours:
        lack.sort(key=lambda one: one[1])  # the cheapest pair of honours is the first
        lack[1:] = sorted(lack[1:])
        if lack and lack[0][1]:
            return _NEVER
    return sum(missing for missing, _ in lack[:7]) if len(lack) >= 7 else _NEVER


def dora_among(tiles: Sequence[Tile], win: Win, rules: RuleSet, *, closed: bool) -> int:
    """The number of dora and red fives among the tiles (EMA 2008 §4.1), without ura dora."""
    if not (closed or rules.dora_open_hands):
        return 0
    counts = count_kinds(tiles)
    shown = win.dora_indicators if rules.kan_dora else win.dora_indicators[:1]
    reds = sum(tile.is_red for tile in tiles) if any(rules.red_fives) else 0
    return reds + sum(counts[dora_of(indicator, rules.players)] for indicator in shown)


def best_han(yaku: Sequence[str], rules: RuleSet, *, closed: bool) -> int:
    """The han of the best yaku. Yaku in reach may exclude each other, so their han do not add up."""
    return max((rules.han(one, closed) for one in yaku), default=0)
