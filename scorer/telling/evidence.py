"""Which tiles make a yaku: the fewest groups that fulfil it by themselves, or the whole hand."""

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
"""Yaku that no open hand can have, so that nobody needs to be told; of these two a beginner asks."""


def groups_of(
    yaku_id: str, hand: Hand, win: Win, reading: Reading, rules: RuleSet
) -> tuple[tuple[Tile, ...], ...]:
    """The groups of the reading that make the yaku; none for what the way of winning earns.

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
    # what holds without any group is not of groups, but of the form or of all tiles; of the others, whether a
    # set was finished by the winning tile is in the set itself, so that the rest can be left out
    for size in range(len(groups) if not yaku.whole else 0):
        for chosen in combinations(groups, size):
            if yaku.test(ReadingContext(hand, win, replace(reading, groups=chosen, win_group=0), rules)):
                return tuple(group.tiles for group in chosen or groups)
    return tuple(group.tiles for group in groups)
