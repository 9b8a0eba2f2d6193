"""Which tiles make a yaku: the fewest groups that fulfil it by themselves, or the whole hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Final

from scorer.hand import Hand, Win
from scorer.readings import Reading
from scorer.rules import RuleSet
from scorer.tiles import Tile
from scorer.yaku import BY_ID, Case

OF_THE_WIN: Final = frozenset(
    (
        "riichi", "double_riichi", "open_riichi", "ippatsu", "menzen_tsumo", "rinshan", "chankan", "haitei",
        "houtei", "tenhou", "chiihou", "renhou", "paarenchan",
    )
)  # fmt: skip
"""Yaku of how and when the hand was won, which no tiles make."""

OF_THE_WHOLE: Final = frozenset(
    (
        "pinfu", "tanyao", "chanta", "junchan", "honitsu", "chinitsu", "honroutou", "chiitoitsu", "kokushi",
        "kokushi_13", "chuuren", "chuuren_9", "shiisan_budou", "daisharin", "ryuuiisou", "chinroutou",
        "tsuuiisou", "suuankou_tanki",
    )
)  # fmt: skip
"""Yaku that ask something of every group."""

NEVER_OPEN: Final = frozenset(
    (
        "double_riichi", "open_riichi", "ippatsu", "chiitoitsu", "kokushi", "kokushi_13", "tenhou", "chiihou",
        "renhou", "shiisan_budou", "suuankou", "suuankou_tanki",
    )
)  # fmt: skip
"""Yaku that no open hand can have, so that nobody needs to be told."""


def groups_of(
    yaku_id: str, hand: Hand, win: Win, reading: Reading, rules: RuleSet
) -> tuple[tuple[Tile, ...], ...]:
    """The groups of the reading that make the yaku; none for what the way of winning earns.

    >>> from scorer import Tile, load_rules, parse_tiles, format_tiles
    >>> from scorer.near import all_readings
    >>> hand, win, rules = Hand(parse_tiles("112233m456p78s33z"), Tile.parse("9s")), Win(False), load_rules()
    >>> reading, *_ = all_readings(hand, win, rules)
    >>> [format_tiles(group) for group in groups_of("iipeikou", hand, win, reading, rules)]
    ['123m', '123m']
    """
    if yaku_id in OF_THE_WIN:
        return ()
    groups = reading.groups
    if yaku_id not in OF_THE_WHOLE:
        # whether a set was finished by the winning tile is in the set itself, so the rest can be left out
        test = BY_ID[yaku_id].test
        for size in range(1, len(groups)):
            for chosen in combinations(groups, size):
                if test(Case(hand, win, replace(reading, groups=chosen, win_group=0), rules)):
                    return tuple(group.tiles for group in chosen)
    return tuple(group.tiles for group in groups)
