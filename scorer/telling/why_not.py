"""Why a hand lacks a yaku: the set, the pair or the tile that breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from scorer.hand import Hand, Win
from scorer.readings import Form, Group, GroupType, Reading, Wait
from scorer.rules import RuleSet
from scorer.telling.sentence import Name, Sentence, say
from scorer.telling.steps import WAIT_TERMS
from scorer.tiles import DRAGONS, TERMINALS, TILES, YAOCHUU, Tile

_FIRST_DRAGON: Final = 31


@dataclass(frozen=True, slots=True)
class _Case:
    hand: Hand
    win: Win
    reading: Reading

    @property
    def sets(self) -> tuple[Group, ...]:
        return tuple(one for one in self.reading.groups if one.type is not GroupType.PAIR)

    @property
    def runs(self) -> tuple[Group, ...]:
        return tuple(one for one in self.sets if one.type is GroupType.CHI)

    @property
    def triplets(self) -> tuple[Group, ...]:
        return tuple(one for one in self.sets if one.type in (GroupType.PON, GroupType.KAN))

    @property
    def pair(self) -> Group | None:
        return next((one for one in self.reading.groups if one.type is GroupType.PAIR), None)


def _sequence(case: _Case) -> Iterator[Sentence]:
    yield from (say("broken.chow", tiles=one.tiles) for one in case.runs)


def _set(case: _Case) -> Iterator[Sentence]:
    yield from _sequence(case)
    yield from (say("broken.pung", tiles=one.tiles) for one in case.triplets)


def _not_simple(case: _Case) -> Iterator[Sentence]:
    outside = dict.fromkeys(TILES[tile.kind] for tile in case.hand.tiles if tile.kind in YAOCHUU)
    yield from (say("broken.not_simple", tiles=(tile,)) for tile in outside)


def _no_pinfu(case: _Case) -> Iterator[Sentence]:
    yield from (say("broken.pung", tiles=one.tiles) for one in case.triplets)
    pair = case.pair
    if pair and pair.kind in (*DRAGONS, case.win.seat_kind, case.win.round_wind.kind):
        yield say("broken.value_pair", tiles=pair.tiles)
    if case.reading.wait is not Wait.RYANMEN:
        yield say("broken.wait", wait=Name(WAIT_TERMS[case.reading.wait]))


def _not_twins(case: _Case) -> Iterator[Sentence]:
    kinds = [one.kind for one in case.runs]
    if len(set(kinds)) == len(kinds):
        yield say("broken.no_twins")


def _other_suit(case: _Case, *, honours: bool) -> Iterator[Sentence]:
    """The tiles of the suit with the fewest tiles, or honours if the yaku allows none."""
    by_suit: dict[str, list[Tile]] = {}
    for tile in case.hand.tiles:
        by_suit.setdefault(tile.suit, []).append(tile)
    own = by_suit.pop("z", [])
    if len(by_suit) > 1:
        fewest = min(by_suit.values(), key=len)
        yield say("broken.suit", tiles=tuple(sorted(fewest)))
    elif own and not honours:
        yield say("broken.honours", tiles=tuple(sorted(own)))
    elif not own and honours:
        yield say("broken.no_honours")


def _value(kind: Callable[[_Case], int]) -> Callable[[_Case], Iterator[Sentence]]:
    def why(case: _Case) -> Iterator[Sentence]:
        if kind(case) < len(TILES) - 3:
            held = sum(tile.kind == kind(case) for tile in case.hand.tiles)
            yield say("broken.too_few", tiles=(TILES[kind(case)],), many=held)

    return why


def _lacks(case: _Case, wanted: Iterator[tuple[int, ...]]) -> Iterator[Sentence]:
    """The missing runs, for the alternative with the fewest missing."""
    there = {one.kind for one in case.runs}
    best = max(wanted, key=lambda starts: len(there.intersection(starts)))
    for start in best:
        if start not in there:
            yield say("broken.missing", tiles=tuple(TILES[start : start + 3]))


def _no_straight(case: _Case) -> Iterator[Sentence]:
    yield from _lacks(case, iter((first, first + 3, first + 6) for first in (0, 9, 18)))


def _no_triple(case: _Case) -> Iterator[Sentence]:
    yield from _lacks(case, iter((rank, rank + 9, rank + 18) for rank in range(7)))


def _inside(kinds: frozenset[int]) -> Callable[[_Case], Iterator[Sentence]]:
    def why(case: _Case) -> Iterator[Sentence]:
        for one in case.reading.groups:
            if kinds.isdisjoint(tile.kind for tile in one.tiles):
                yield say("broken.inside", tiles=one.tiles)

    return why


def _concealed_triplets(case: _Case) -> Iterator[Sentence]:
    yield from (say("broken.not_concealed", tiles=one.tiles) for one in case.triplets if not one.concealed)
    yield from _sequence(case)


_WHY: Final[Mapping[str, Callable[[_Case], Iterator[Sentence]]]] = {
    "toitoi": _sequence,
    "honroutou": _sequence,
    "sanankou": _concealed_triplets,
    "chiitoitsu": _set,
    "tanyao": _not_simple,
    "pinfu": _no_pinfu,
    "iipeikou": _not_twins,
    "ryanpeikou": _not_twins,
    "honitsu": lambda case: _other_suit(case, honours=True),
    "chinitsu": lambda case: _other_suit(case, honours=False),
    "yakuhai_haku": _value(lambda case: _FIRST_DRAGON),
    "yakuhai_hatsu": _value(lambda case: _FIRST_DRAGON + 1),
    "yakuhai_chun": _value(lambda case: _FIRST_DRAGON + 2),
    "yakuhai_seat": _value(lambda case: case.win.seat_kind),
    "yakuhai_round": _value(lambda case: case.win.round_wind.kind),
    "ittsu": _no_straight,
    "sanshoku_doujun": _no_triple,
    "chanta": _inside(YAOCHUU),
    "junchan": _inside(TERMINALS),
}
"""By yaku: the reasons that break it, the most obvious first. For other yaku the lesson has only the rule."""


_OF_TILES: Final = frozenset({"tanyao", "honitsu", "chinitsu"})
"""Yaku that depend on the tiles alone, in any form of the hand."""


def why_not(id_: str, hand: Hand, win: Win, reading: Reading, rules: RuleSet) -> Sentence | None:
    """The reason why the hand lacks a yaku; None if no short reason exists.

    >>> from scorer import Tile, load_rules, parse_tiles
    >>> from scorer.telling.near import all_readings
    >>> hand, win, rules = Hand(parse_tiles("345m777p99s222z11s"), Tile.parse("1s")), Win(False), load_rules()
    >>> why_not("toitoi", hand, win, all_readings(hand, win, rules)[0], rules)  # doctest: +ELLIPSIS
    Sentence(kind='broken.chow', values={'tiles': (Tile('3m'), Tile('4m'), Tile('5m'))})
    """
    if not hand.is_closed and rules.han(id_, closed=True) and not rules.han(id_, closed=False):
        return say("broken.called")
    if id_ not in _WHY or (reading.form is not Form.STANDARD and id_ not in _OF_TILES):
        return None
    return next(_WHY[id_](_Case(hand, win, reading)), None)
