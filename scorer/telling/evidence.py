"""Which tiles make a yaku: the fewest groups that fulfil it by themselves, or the whole hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Final

from scorer.hand import Hand, Win
from scorer.readings import Reading
from scorer.rules import CONCEALED_ONLY, RuleSet
from scorer.tiles import Tile
from scorer.yaku import BY_ID, Case, Of

_WHOLE: Final = (Of.SIMPLES, Of.TILES, Of.SUIT, Of.HONOURS, Of.FLUSH, Of.FORM, Of.WAIT)
_EVERY_GROUP: Final = ("chanta", "junchan", "suuankou_tanki")
"""Yaku that look at groups as well, but ask something of every one."""

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
    yaku = BY_ID[yaku_id]
    if yaku.of is Of.WAY:
        return ()
    groups = reading.groups
    if yaku.of not in _WHOLE and yaku_id not in _EVERY_GROUP:
        # whether a set was finished by the winning tile is in the set itself, so the rest can be left out
        for size in range(1, len(groups)):
            for chosen in combinations(groups, size):
                if yaku.test(Case(hand, win, replace(reading, groups=chosen, win_group=0), rules)):
                    return tuple(group.tiles for group in chosen)
    return tuple(group.tiles for group in groups)
