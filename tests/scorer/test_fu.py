"""Minipoints item by item (EMA 2008 §4.1.1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer.tiles import format_tiles
from tests.scorer.short_hands import EMA, scored


def items(hand: str, how: str) -> list[tuple[int, str]]:
    """What each item earns and for which tiles, the way of winning first, the rounding left out."""
    earned = scored(hand, how).fu_items
    return [(item.fu, format_tiles(item.tiles)) for item in earned if not item.reason.startswith("rounded")]


@pytest.mark.parametrize(
    ("hand", "how", "earned", "fu"),
    [
        # ways of winning
        ("123m456p78s33z456s 9s", "ron", [(20, ""), (10, "")], 30),
        ("123m456p78s33z456s 9s", "tsumo", [(20, "")], 20),
        ("1133m5577p2288s4z 4z", "tsumo", [(25, "")], 25),
        ("19m19p19s1234567z 1m", "ron", [], None),
        ("456p78s33z456s 9s chi:123m", "ron houtei", [(20, ""), (2, "")], 30),  # open pinfu
        ("456p78s33z456s 9s chi:123m", "tsumo haitei", [(20, ""), (2, "9s")], 30),
        ("123m456p78s33z456s 9s", "ron riichi", [(20, ""), (10, "")], 30),
        # pungs and kongs: simples, terminals and honours, open and concealed
        ("222m456p78s33z456s 9s", "ron riichi", [(20, ""), (10, ""), (4, "222m")], 40),
        ("111m456p78s33z456s 9s", "ron riichi", [(20, ""), (10, ""), (8, "111m")], 40),
        ("456p78s33z456s 9s pon:222m", "ron houtei", [(20, ""), (2, "222m")], 30),
        ("456p78s33z456s 9s pon:444z", "ron houtei", [(20, ""), (4, "444z")], 30),
        ("456p78s33z456s 9s minkan:2222m", "ron houtei", [(20, ""), (8, "2222m")], 30),
        ("456p78s33z456s 9s kakan:4444z", "ron houtei", [(20, ""), (16, "4444z")], 40),
        ("456p78s33z456s 9s ankan:2222m", "ron riichi", [(20, ""), (10, ""), (16, "2222m")], 50),
        ("456p78s33z456s 9s ankan:4444z", "ron riichi", [(20, ""), (10, ""), (32, "4444z")], 70),
        # a pung finished by a discard is open, by a self-draw concealed
        ("22m456p33z456678s 2m", "ron riichi", [(20, ""), (10, ""), (2, "222m")], 40),
        ("22m456p33z456678s 2m", "tsumo", [(20, ""), (4, "222m"), (2, "2m")], 30),
        # pairs
        ("123m456p78s55z456s 9s", "ron riichi", [(20, ""), (10, ""), (2, "55z")], 40),
        ("123m456p78s22z456s 9s", "ron riichi", [(20, ""), (10, ""), (2, "22z")], 40),
        ("123m456p78s11z456s 9s", "ron riichi", [(20, ""), (10, ""), (2, "11z")], 40),
        ("123m456p78s11z456s 9s", "ron riichi seat_wind=E", [(20, ""), (10, ""), (4, "11z")], 40),
        # waits
        ("123m456p79s33z456s 8s", "ron riichi", [(20, ""), (10, ""), (2, "789s")], 40),
        ("123m456p89s33z456s 7s", "ron riichi", [(20, ""), (10, ""), (2, "789s")], 40),
        ("12m456p789s33z456s 3m", "ron riichi", [(20, ""), (10, ""), (2, "123m")], 40),
        ("123m456p789s3z456s 3z", "ron riichi", [(20, ""), (10, ""), (2, "33z")], 40),
        # red fives are named where they lie
        ("055m456p78s33z456s 9s", "ron riichi", [(20, ""), (10, ""), (4, "055m")], 40),
        # much of everything: 104, rounded up
        (
            "34m55z 5m ankan:1111m ankan:9999p ankan:2222s",
            "tsumo",
            [(20, ""), (32, "1111m"), (32, "9999p"), (16, "2222s"), (2, "55z"), (2, "5m")],
            110,
        ),
    ],
)
def test_items(hand: str, how: str, earned: list[tuple[int, str]], fu: int | None) -> None:
    assert items(hand, how) == earned
    assert scored(hand, how).fu == fu


def test_reasons_are_words() -> None:
    reasons = [item.reason for item in scored("12m55z 3m ankan:1111p minkan:9999p pon:777z", "ron").fu_items]
    assert reasons == [
        "base fu",
        "concealed kan of terminals or honours",
        "open kan of terminals or honours",
        "open triplet of terminals or honours",
        "pair of dragons",
        "edge wait",
        "rounded up from 76",
    ]


@pytest.mark.parametrize(
    ("hand", "how", "rounding"),
    [
        ("22m456p33z456678s 2m", "ron riichi", (8, "rounded up from 32")),
        ("123m456p78s11z456s 9s", "ron riichi seat_wind=E", (6, "rounded up from 34")),
        ("1133m5577p2288s4z 4z", "ron", None),  # 25 stays 25
        ("123m456p78s33z456s 9s", "ron", None),
        ("19m19p19s1234567z 1m", "ron", None),
    ],
)
def test_rounding_is_an_item(hand: str, how: str, rounding: tuple[int, str] | None) -> None:
    """The items' sum is the hand's minipoints; what is added to reach the next 10 is the last of them."""
    won = scored(hand, how)
    assert sum(item.fu for item in won.fu_items) == (won.fu or 0)
    rounded = [(item.fu, item.reason) for item in won.fu_items if item.reason.startswith("rounded")]
    assert rounded == ([rounding] if rounding else [])


def test_what_the_rules_change() -> None:
    """Only a pair of both winds and an open hand that earns nothing differ between rules."""
    rules = replace(EMA, double_wind_pair_fu=2, open_pinfu_fu=0)
    double = scored("123m456p78s11z456s 9s", "ron riichi seat_wind=E", rules)
    assert [item.fu for item in double.fu_items] == [20, 10, 2, 8]
    assert scored("456p78s33z456s 9s chi:123m", "ron houtei", rules).fu == 20


def test_pinfu_or_edge_wait_whichever_pays_more() -> None:
    """EMA 2008 §4.1.1: the 7 finishes 5-6-7 for pinfu, or 7-8-9 for two minipoints."""
    won = scored("56789m234p33456s 7m", "ron")
    assert dict(won.yaku) == {"pinfu": 1}
    assert [other.fu for other in won.other_readings] == []
    riichi = scored("56789m234p33456s 7m", "ron riichi")
    assert (riichi.han, riichi.fu, riichi.points) == (2, 30, 2000)
    assert [(other.han, other.fu, other.points) for other in riichi.other_readings] == [(1, 40, 1300)]
