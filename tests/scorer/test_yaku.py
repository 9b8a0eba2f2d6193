"""Every yaku of the table on a hand that has it and on one just short of it (``yaku_cases.txt``)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scorer import HandError, load_rules
from scorer.rules import RuleSet
from scorer.yaku import BY_ID
from tests.scorer.short_hands import EMA, TENHOU, playing_all, scored

CASES = [
    [cell.strip() for cell in line.split("|")]
    for line in (Path(__file__).parent / "yaku_cases.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]

LOCAL = replace(
    TENHOU,
    id="local",
    yaku={
        **playing_all(TENHOU).yaku,
        "open_riichi": (2, 0),
        "sanrenkou": (2, 2),
        "isshoku_sanjun": (2, 2),
        "sanshoku_shoudoukou": (1, 1),
        "shiisan_budou": (13, 0),
        "isshoku_yonjun": (13, 13),
        "paarenchan": (13, 13),
        "renhou": (13, 0),
        "daisharin": (13, 0),
        "daichisei": (13, 0),
    },
)
"""Tenhou's rules with the yaku that few play, at the values of Toudai §4.1.7, any other at one han."""

LOCAL_CASES = {case[0] for case in CASES} & {
    id_ for id_, han in LOCAL.yaku.items() if han != TENHOU.yaku[id_]
}


def yaku_of(hand: str, how: str, rules: RuleSet) -> dict[str, int]:
    """The yaku of a finished hand; none where it has none, any other error is the test's."""
    try:
        return dict(scored(hand, how, rules).yaku)
    except HandError as error:
        assert error.faults[0].id in ("no_yaku", "not_a_win"), error
        return {}


@pytest.mark.parametrize("rules", [EMA, TENHOU, LOCAL], ids=lambda rules: rules.id)
@pytest.mark.parametrize(("yaku", "hand", "how", "short", "how_short"), CASES)
def test_yaku_and_near_miss(
    yaku: str, hand: str, how: str, short: str, how_short: str, rules: RuleSet
) -> None:
    played = rules is LOCAL or yaku not in LOCAL_CASES
    if played:
        assert yaku in yaku_of(hand, how, rules)
    assert yaku not in yaku_of(short, how_short, rules)


def test_every_case_is_of_a_yaku() -> None:
    assert {case[0] for case in CASES} <= BY_ID.keys()


HAND = "123m456p78s22z444z 9s"


def test_yaku_that_only_some_rules_play() -> None:
    assert yaku_of(HAND, "ron renhou", EMA) == {"renhou": 13}
    assert yaku_of(HAND, "ron renhou", TENHOU) == {}
    assert yaku_of(HAND, "ron riichi open_riichi", LOCAL) == {"riichi": 1, "open_riichi": 2}
    assert yaku_of(HAND, "ron riichi open_riichi", TENHOU) == {"riichi": 1}
    assert yaku_of(HAND, "ron seat_wind=E dealer_wins=8", LOCAL) == {"paarenchan": 13}
    assert yaku_of(HAND, "ron seat_wind=E dealer_wins=7", LOCAL) == {}
    assert yaku_of(HAND, "ron seat_wind=S dealer_wins=8", LOCAL) == {}


def test_big_wheel() -> None:
    """2 to 8 of circles, each twice; of another suit, from 1 or from 3 on it is none."""
    assert yaku_of("2233445566778p 8p", "ron", LOCAL) == {"daisharin": 13}
    for short in ("2233445566778s 8s", "1122334455667p 7p", "3344556677889p 9p", "2233445566778p 5p"):
        assert "daisharin" not in yaku_of(short, "ron riichi", LOCAL)


@pytest.mark.parametrize(
    ("hand", "how", "ema", "tenhou"),
    [
        # concealed and open value
        ("234m234p34s22p888s 2s", "ron", {"sanshoku_doujun": 2, "tanyao": 1}, None),
        ("234p34s22p888s 2s chi:234m", "ron", {"sanshoku_doujun": 1}, {"sanshoku_doujun": 1, "tanyao": 1}),
        ("123m789p99s111p23s 1s", "ron", {"junchan": 3}, None),
        ("123m789p9s111p 9s chi:123s", "ron", {"junchan": 2}, None),
        ("2234567844466m 6m", "ron", {"tanyao": 1, "chinitsu": 6}, None),
        ("5556777m 8m chi:123m pon:999m", "ron", {"chinitsu": 5}, None),
        ("11m22m44m66m1122z3z 3z", "ron", {"honitsu": 3, "chiitoitsu": 2}, None),
        # a wind that is both seat and round is two yaku
        ("123m456p789s4s 4s pon:111z", "ron seat_wind=E", {"yakuhai_seat": 1, "yakuhai_round": 1}, None),
        # two dragon pungs and their pair
        (
            "555z66z123m45s 6s pon:777z",
            "ron",
            {"shousangen": 2, "yakuhai_haku": 1, "yakuhai_chun": 1},
            None,
        ),
        # replaced yaku are not counted beside those that replace them
        ("123m456p78s22z444z 9s", "ron riichi double_riichi", {"double_riichi": 2}, None),
        ("112233m44556p77s 6p", "ron", {"pinfu": 1, "ryanpeikou": 3}, None),
        # terminals and honours: with all pungs, with seven pairs, never with chanta
        ("111m999p11s44z 1s pon:999m", "ron", {"toitoi": 2, "honroutou": 2}, None),
        ("1199m1199p11s11z4z 4z", "ron", {"chiitoitsu": 2, "honroutou": 2}, None),
    ],
)
def test_all_yaku_of_a_hand(hand: str, how: str, ema: dict[str, int], tenhou: dict[str, int] | None) -> None:
    assert yaku_of(hand, how, EMA) == ema
    assert yaku_of(hand, how, TENHOU) == (tenhou or ema)


@pytest.mark.parametrize(
    ("hand", "how", "ema", "tenhou"),
    [
        ("19m19p19s1234567z 1m", "ron", {"kokushi_13": 26}, {"kokushi_13": 13}),
        ("19m19p19s1234567z 1m", "tsumo tenhou seat_wind=E", {"kokushi": 13}, {"kokushi": 13, "tenhou": 13}),
        ("1112345678999m 5m", "ron", {"chuuren_9": 26}, {"chuuren_9": 13}),
        ("1112345678999m 5m", "tsumo tenhou seat_wind=E", {"chuuren": 13}, {"chuuren": 13, "tenhou": 13}),
        ("111m444p8s444z555s 8s", "tsumo", {"suuankou_tanki": 26}, {"suuankou_tanki": 13}),
        (
            "1z333z555z 1z pon:444z pon:222z",
            "ron",
            {"tsuuiisou": 13},
            {"tsuuiisou": 13, "shousuushii": 13},
        ),
        ("111222z5s 5s pon:444z pon:333z", "ron", {"daisuushii": 26}, None),
        (
            "111z555z77z22z 7z pon:666z",
            "ron",
            {"daisangen": 13},
            {"tsuuiisou": 13, "daisangen": 13},
        ),
    ],
)
def test_yakuman_are_worth_what_the_rules_say(
    hand: str, how: str, ema: dict[str, int], tenhou: dict[str, int] | None
) -> None:
    """EMA 2008 §4.2.5 awards doubles and adds none up; Tenhou has no doubles and adds up."""
    assert yaku_of(hand, how, EMA) == ema
    if tenhou is not None:
        assert yaku_of(hand, how, TENHOU) == tenhou


def test_yakuman_leaves_yaku_and_dora_out() -> None:
    won = scored("555z66z123m44s 6z pon:777z", "ron dora_indicators=5z")
    assert (won.yaku, won.han, won.yakuman, won.limit) == ((("daisangen", 13),), 13, 1, "yakuman")


def test_dora_of_all_kinds() -> None:
    """EMA 2008 §4.1: an indicator shown twice counts twice, a red five is a dora besides."""
    won = scored("340m567p22m67s345s 8s", "ron riichi dora_indicators=1m1m4p ura_indicators=4m", TENHOU)
    assert dict(won.yaku) == {"riichi": 1, "pinfu": 1, "tanyao": 1, "dora": 5, "aka": 1, "ura": 1}
    assert won.yaku[-3:] == (("dora", 5), ("aka", 1), ("ura", 1))


@pytest.mark.parametrize(
    ("hand", "how", "aka"),
    [
        ("123m78s22z444z 9s ankan:5555p", "ron riichi", 1),  # two of them lie face down
        ("123m78s22z444z 9s ankan:0555p", "ron riichi", 1),
        ("123m78s22z 9s minkan:5555p pon:777z", "ron", 1),
        ("555p456p78s123m22z 9s", "ron riichi", 1),  # in a pung and a chow
        ("123m78s22z444z 9s ankan:5555p", "ron riichi dora_indicators=4p", 1),
        ("123m456p78s22z555s 9s", "ron riichi", 0),
    ],
)
def test_four_fives_hold_their_red_one(hand: str, how: str, aka: int) -> None:
    """EMA 2008 §1.1: one of the four in each suit is red, so that no four of them are plain."""
    assert dict(scored(hand, how).yaku).get("aka", 0) == aka
    without = replace(EMA, red_fives=(0, 0, 0))
    if "0" not in hand:
        assert "aka" not in dict(scored(hand, how, without).yaku)


def test_as_many_red_fives_as_the_rules_have() -> None:
    """Of two red and two plain fives, three hold one red, four hold both."""
    two = replace(EMA, red_fives=(1, 2, 1))
    assert dict(scored("555p123m78s22z444z 9s", "ron riichi", two).yaku)["aka"] == 1
    assert dict(scored("123m78s22z444z 9s ankan:5555p", "ron riichi", two).yaku)["aka"] == 2
    assert dict(scored("123m78s22z444z 9s ankan:0555p", "ron riichi", two).yaku)["aka"] == 2
    assert dict(scored("505p123m78s22z444z 9s", "ron riichi", two).yaku)["aka"] == 1


def test_a_tile_set_aside_is_a_dora() -> None:
    """WRC 2017, Definitions: nukidora (flowers, optional), +1 han for each tile; no yaku by themselves."""
    rules = replace(load_rules("wrc2017"), nukidora=True)
    won = scored("234m345p22m67s345s 8s", "ron nukidora=2", rules)
    assert won.yaku == (("pinfu", 1), ("tanyao", 1), ("nukidora", 2)) and won.points == 8000
    with pytest.raises(HandError) as caught:
        scored("123m456p78s22z444z 9s", "ron nukidora=4", rules)
    assert caught.value.faults[0].id == "no_yaku"
    assert scored("234m345p22m67s345s 8s", "ron", rules).han == 2
