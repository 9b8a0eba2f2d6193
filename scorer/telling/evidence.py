"""The tiles that make a yaku: the fewest groups that fulfil it alone, or the whole hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Final

from scorer.hand import Hand, Win
from scorer.readings import Reading
from scorer.rules import RuleSet
from scorer.tiles import Tile
from scorer.yaku import CONCEALED_ONLY, Prefilter, ReadingContext

NEVER_OPEN: Final = CONCEALED_ONLY - {"riichi", "menzen_tsumo"}
"""Yaku that obviously need a concealed hand. For riichi and menzen tsumo the lesson says so to beginners."""


def groups_of(
    yaku_id: str, hand: Hand, win: Win, reading: Reading, rules: RuleSet
) -> tuple[tuple[Tile, ...], ...]:
    """The groups of the reading that make the yaku; none for a yaku of the way of winning.

    >>> from scorer import Tile, load_rules, parse_tiles, format_tiles
    >>> from scorer.telling.near import all_readings
    >>> hand, win, rules = Hand(parse_tiles("112233m456p78s33z"), Tile.parse("9s")), Win(False), load_rules()
    >>> reading, *_ = all_readings(hand, win, rules)
    >>> [format_tiles(group) for group in groups_of("iipeikou", hand, win, reading, rules)]
    ['123m', '123m']
    """
    yaku = rules.row(yaku_id)
    if yaku.prefilter is Prefilter.WAY:
        return ()
    groups = reading.groups
    # A yaku that holds without any group depends on the form or on all tiles. Otherwise the groups know
    # whether the winning tile finished them, so win_group may be wrong.
    for size in range(len(groups) if not yaku.whole else 0):
        for chosen in combinations(groups, size):
            if yaku.test(ReadingContext(hand, win, replace(reading, groups=chosen, win_group=0), rules)):
                return tuple(group.tiles for group in chosen or groups)
    return tuple(group.tiles for group in groups)
