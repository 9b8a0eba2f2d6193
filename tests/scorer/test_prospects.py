"""Yaku in reach are those of some nearest finished hand, found by finishing the hand in every way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.efficiency import random_hand
from scorer import Hand, Meld, Win, Wind, parse_tiles
from scorer.efficiency import ukeire
from scorer.prospects import dora_among, yaku_in_reach
from scorer.telling.near import held_yaku
from scorer.tiles import TILES, Tile
from tests.scorer.short_hands import EMA, TENHOU, meld

HOW = Win(tsumo=False, seat_wind=Wind.SOUTH)
_OF_THE_SHAPE = frozenset(
    ("tanyao", "iipeikou", "sanshoku_doujun", "ittsu", "yakuhai_haku", "yakuhai_hatsu", "yakuhai_chun",
     "sanshoku_doukou", "toitoi", "honroutou", "honitsu", "chinitsu", "yakuhai_round", "yakuhai_seat",
     "chiitoitsu", "kokushi")
)  # fmt: skip


def finished(concealed: tuple[Tile, ...], melds: tuple[Meld, ...]) -> Iterator[Hand]:
    """Every nearest finished hand of 13 tiles, by all exchanges."""
    found = ukeire(concealed, melds)
    for tile in found.tiles:
        if found.shanten == 0:
            yield Hand(concealed, tile, melds)
            continue
        for thrown in dict.fromkeys(concealed):
            at = concealed.index(thrown)
            rest = tuple(sorted((*concealed[:at], *concealed[at + 1 :], tile)))
            if ukeire(rest, melds).shanten < found.shanten:
                yield from finished(rest, melds)


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=True))
def test_what_is_in_reach_is_what_some_nearest_hand_has(random: object) -> None:
    sets = tuple(map(meld, ("pon:777z", "chi:234s", "pon:222p")))
    while True:
        dealt = random_hand(random)  # type: ignore[arg-type]
        if dealt.three or sum(dealt.counts) not in (13, 10, 7):
            continue
        concealed = tuple(TILES[kind] for kind, count in enumerate(dealt.counts) for _ in range(count))
        melds = sets[: 4 - sum(dealt.counts) // 3]
        if any((*concealed, *(t for m in melds for t in m.tiles)).count(tile) > 4 for tile in concealed):
            continue
        if ukeire(concealed, melds).shanten <= 1:
            break
    held: set[str] = set()
    for hand in set(finished(concealed, melds)):
        yaku = held_yaku(hand, HOW, TENHOU)
        held |= {"kokushi"} if "kokushi" in yaku else set(yaku)
    found = set(yaku_in_reach(concealed, melds, HOW, TENHOU))
    wanted = {yaku for yaku in held & _OF_THE_SHAPE if TENHOU.han(yaku, not melds)}
    assert found == wanted, (concealed, melds)


@pytest.mark.parametrize(
    ("concealed", "melds", "yaku"),
    [
        ("234m34567p3468s55p", (), {"tanyao", "sanshoku_doujun"}),
        ("456p78s112257z", ("chi:123m",), {"yakuhai_round", "yakuhai_seat"}),
        ("1133m5577p2268s4z", (), {"chiitoitsu"}),
    ],
)
def test_in_reach(concealed: str, melds: tuple[str, ...], yaku: set[str]) -> None:
    assert set(yaku_in_reach(parse_tiles(concealed), tuple(map(meld, melds)), HOW, TENHOU)) == yaku


def test_a_seat_that_nobody_told_has_no_wind() -> None:
    hand = parse_tiles("123m456p78s11225z")
    assert set(yaku_in_reach(hand, (), HOW, EMA)) == {"yakuhai_round", "yakuhai_seat"}
    assert set(yaku_in_reach(hand, (), replace(HOW, seat_wind=None), EMA)) == {"yakuhai_round"}


def test_dora_that_stay_are_counted_with_red_fives() -> None:
    hand = parse_tiles("123m405p")
    how = Win(tsumo=False, dora_indicators=parse_tiles("2m4p"))
    assert dora_among(hand, how, TENHOU, closed=True) == 1 + 2 + 1
