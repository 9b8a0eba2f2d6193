"""What a rule set switches: yaku paid as a limit, natural wins, pairs of four alike, local hands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer import HandError, Score, load_rules
from scorer.rules import RuleSet
from tests.scorer.short_hands import EMA, TENHOU, scored

TOUDAI = load_rules("toudai")

PLAIN = "123m456p78s22z444z 9s"
"""A concealed hand with no yaku of its own."""


def error_of(hand: str, how: str, rules: RuleSet) -> str:
    with pytest.raises(HandError) as caught:
        scored(hand, how, rules)
    return caught.value.faults[0].id


def paid(won: Score) -> tuple[str | None, int]:
    return won.limit, won.points


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ("mangan", ("mangan", 8000)),
        ("sanbaiman", ("sanbaiman", 24000)),
        ("sextuple", ("yakuman", 48000)),
    ],
)
def test_renhou_at_each_limit(limit: str, expected: tuple[str, int]) -> None:
    """Toudai §4.1.7: some play this as a simple limit, some as a triple limit, some as a yakuman."""
    rules = replace(TOUDAI, limit_hands={"renhou": limit})
    won = scored(PLAIN, "ron renhou", rules)
    assert paid(won) == expected and [id_ for id_, _ in won.yaku] == ["renhou"]
    assert error_of(PLAIN, "ron renhou", TOUDAI) == "no_yaku"
    yakuman = replace(TOUDAI, yaku={**TOUDAI.yaku, "renhou": (13, 0)})
    assert paid(scored(PLAIN, "ron renhou", yakuman)) == ("yakuman", 32000)


def test_a_limit_hand_leaves_all_else_out() -> None:
    """It has the limit without dora, or the hand what it is worth without it, whichever is more."""
    rules = replace(TENHOU, limit_hands={"renhou": "mangan"})
    won = scored("234m456p78s22p345s 6s", "ron renhou dora_indicators=1p", rules)
    assert won.yaku == (("renhou", 5),) and won.points == 8000 and won.other_readings == ()
    dear = scored("2234567844466m 6m", "ron renhou", rules)
    assert dict(dear.yaku) == {"tanyao": 1, "chinitsu": 6} and dear.points == 12000


def test_sextuple_limits_of_special_waits() -> None:
    """Toudai §4.1.6, §3.4.2: six limits of 2000, 48000 on a discard; the common wait stays at four."""
    rules = replace(TOUDAI, limit_hands={"kokushi_13": "sextuple"})
    assert paid(scored("19m19p19s1234567z 1m", "ron", rules)) == ("yakuman", 48000)
    assert paid(scored("119m19p19s123456z 7z", "ron", rules)) == ("yakuman", 32000)
    assert paid(scored("19m19p19s1234567z 1m", "ron", TOUDAI)) == ("yakuman", 32000)


@pytest.mark.parametrize("han", [(13, 0), (0, 0)])
@pytest.mark.parametrize("id_", ["chuuren_9", "chuuren"])
def test_an_open_hand_has_no_limit_hand_that_must_be_concealed(id_: str, han: tuple[int, int]) -> None:
    """Toudai §4.1.6: nine lanterns must be closed, so that an open one is a one-suiter alone."""
    rules = replace(TOUDAI, limit_hands={id_: "sextuple"}, yaku={**TOUDAI.yaku, id_: han})
    assert paid(scored("1112345678999m 5m", "ron", rules)) == ("yakuman", 48000)
    opened = scored("2345678999m 5m pon:111m", "ron", rules)
    assert paid(opened) == ("mangan", 8000) and dict(opened.yaku) == {"chinitsu": 5}


def test_sextuple_limit_with_a_liable_player() -> None:
    rules = replace(TOUDAI, limit_hands={"daisuushii": "sextuple"})
    won = scored("5s 5s pon:111z pon:222z pon:333z pon:444z", "ron pao=1 loser_offset=2", rules)
    assert won.deltas == (48000, -24000, -24000, 0)


@pytest.mark.parametrize("moment", ["tsumo haitei", "ron houtei", "ron chankan"])
def test_natural_wins(moment: str) -> None:
    """Toudai §7.12: the moment cannot be the only multiplier; some allow it for closed hands."""
    opened = "456p78s22z444z 9s chi:123m"
    closed_only = replace(TOUDAI, natural_wins_alone="concealed")
    never = replace(TOUDAI, natural_wins_alone="never")
    assert scored(opened, moment, TOUDAI).han == 1
    for rules in (closed_only, never):
        assert error_of(opened, moment, rules) == "no_yaku"
        assert scored("456p78s22z444z 9s pon:555z", moment, rules).han == 2
    if moment.startswith("ron"):
        assert scored(PLAIN, moment, closed_only).han == 1
        assert error_of(PLAIN, moment, never) == "no_yaku"
    else:
        assert scored(PLAIN, moment, never).han == 2, "menzen tsumo stands beside it"


def test_red_fives_are_no_yaku() -> None:
    """Toudai §7.2: they cannot be used as the necessary minimum; §3.3: counted for closed hands."""
    rules = replace(TOUDAI, red_fives=(1, 1, 1))
    assert error_of("123m406p78s22z444z 9s", "ron", rules) == "no_yaku"
    assert dict(scored("123m406p78s22z444z 9s", "ron riichi", rules).yaku) == {"riichi": 1, "aka": 1}
    assert dict(scored("406p78s22z444z 9s chi:123m", "ron houtei", rules).yaku) == {"houtei": 1}


def test_two_multiplier_minimum() -> None:
    """Toudai §7.5: after five wins in a row, some say seven, the dealer needs two; dora do not help."""
    seven = replace(TOUDAI, two_han_from_honba=7)
    assert scored(PLAIN, "ron riichi seat_wind=E dealer_wins=6 honba=9", seven).han == 1
    assert scored(PLAIN, "ron riichi seat_wind=S dealer_wins=7", seven).han == 1
    assert scored(PLAIN, "ron double_riichi seat_wind=E dealer_wins=7", seven).han == 2
    with pytest.raises(HandError, match="After so many wins in a row a win needs 2 han"):
        scored(PLAIN, "ron riichi seat_wind=E dealer_wins=7 dora_indicators=3z", seven)
    assert scored(PLAIN, "ron riichi seat_wind=E dealer_wins=7", TOUDAI).han == 1


def test_two_yaku_from_five_counters() -> None:
    """EMA 2008 §3.4.11, also over another base: whoever wins."""
    five = replace(TOUDAI, two_han_from_honba=5, two_han_counts="counters")
    assert scored(PLAIN, "ron riichi honba=4", five).han == 1
    assert error_of(PLAIN, "ron riichi honba=5 dora_indicators=3z", five) == "below_minimum"


def test_four_alike_as_two_pairs() -> None:
    """Toudai §4.1.3: "although some variants relax that restriction"."""
    four = "2222m5577p3388s4z 4z"
    relaxed = replace(TOUDAI, four_alike_are_pairs=True)
    assert error_of(four, "ron", TOUDAI) == "not_a_win"
    assert dict(scored(four, "ron", relaxed).yaku) == {"chiitoitsu": 2}
    assert scored(four, "ron", relaxed).fu == 25
    assert error_of("222m5577p3388s44z 4z", "ron", relaxed) == "not_a_win"


def test_daisharin_in_every_suit_or_in_circles() -> None:
    """Toudai §4.1.7: in one suit; some play dots only."""
    any_suit = replace(TOUDAI, yaku={**TOUDAI.yaku, "daisharin": (13, 0)})
    circles = replace(any_suit, daisharin_suits="p")
    for suit in "mps":
        won = scored(f"2233445566778{suit} 8{suit}", "ron", any_suit)
        assert [id_ for id_, _ in won.yaku] == ["daisharin"]
        other = scored(f"2233445566778{suit} 8{suit}", "ron", circles)
        assert ("daisharin" in dict(other.yaku)) == (suit == "p")


def test_paarenchan_from_the_eighth_or_ninth_win() -> None:
    """Toudai §4.1.7: eight consecutive games; Scoring Reference: the ninth hand in a row."""
    toudai = replace(TOUDAI, yaku={**TOUDAI.yaku, "paarenchan": (13, 13)})
    reference = load_rules("reference")
    for wins, eighth, ninth in ((6, False, False), (7, True, False), (8, True, True), (12, True, True)):
        how = f"ron riichi seat_wind=E dealer_wins={wins}"
        assert ("paarenchan" in dict(scored(PLAIN, how, toudai).yaku)) == eighth
        assert ("paarenchan" in dict(scored(PLAIN, how, reference).yaku)) == ninth


def test_four_kongs_by_the_next_tile_alone() -> None:
    """Toudai §4.1.6: "the matching tile must be drawn immediately after the fourth quad".

    EMA 2008 §3.3.9: the hand goes on where one player has all four.
    """
    kongs = "4s 4s ankan:1111m kakan:2222p minkan:8888s minkan:1111z"
    for rules, needs in ((TOUDAI, True), (load_rules("ema2008"), False)):
        assert "suukantsu" in dict(scored(kongs, "tsumo rinshan", rules).yaku)
        for how in ("ron", "tsumo"):
            assert ("suukantsu" in dict(scored(kongs, how, rules).yaku)) != needs


def test_open_riichi_gives_two_extra() -> None:
    """Toudai §4.1.7: he gets two extra multipliers, with double riichi too."""
    rules = replace(TOUDAI, yaku={**TOUDAI.yaku, "open_riichi": (2, 0)})
    assert scored(PLAIN, "ron open_riichi", rules).han == 3
    assert scored(PLAIN, "ron double_riichi open_riichi", rules).han == 4


def test_thirteen_broken() -> None:
    """Toudai §4.1.7: on the first draw alone, instead of the blessing, and only where it is played."""
    rules = replace(TENHOU, yaku={**TENHOU.yaku, "shiisan_budou": (13, 0)})
    hand = "147m258p369s1223z 4z"
    won = scored(hand, "tsumo chiihou", rules)
    assert won.yaku == (("shiisan_budou", 13),) and won.fu_items == () and won.fu is None
    assert error_of(hand, "tsumo", rules) == "not_a_win"
    assert error_of(hand, "tsumo chiihou", TENHOU) == "not_a_win"
    assert error_of("147m258p369s1234z 5z", "tsumo chiihou", rules) == "not_a_win", "no pair"
    assert error_of("147m258p3699s122z 2z", "tsumo chiihou", rules) == "not_a_win", "a pung"


@pytest.mark.parametrize(
    ("waited", "other", "plain", "special"),
    [
        ("19m19p19s1234567z 1m", "119m19p19s123456z 7z", "kokushi", "kokushi_13"),
        ("1112345678999m 5m", "1112345578999m 6m", "chuuren", "chuuren_9"),
        ("111m444p8s444z555s 8s", "111m444p88s44z555s 4z", "suuankou", "suuankou_tanki"),
    ],
)
def test_a_blessing_of_heaven_with_a_special_wait(waited: str, other: str, plain: str, special: str) -> None:
    """EMA 2008 §4.2.5: no extra yakuman; others know the last of the 14 tiles; Mahjong Soul asks for none."""
    majsoul = load_rules("majsoul")
    for value, hand, found in (
        ("never", waited, {plain: 13}),
        ("last_tile", waited, {special: 26}),
        ("last_tile", other, {plain: 13}),
        ("always", waited, {special: 26}),
        ("always", other, {special: 26}),
    ):
        rules = replace(majsoul, tenhou_special_waits=value)
        assert dict(scored(hand, "tsumo tenhou seat_wind=E", rules).yaku) == {**found, "tenhou": 13}
        assert dict(scored(other, "tsumo chiihou", rules).yaku) == {plain: 13, "chiihou": 13}
    assert majsoul.tenhou_special_waits == "always"


def test_triple_chow_takes_the_place_of_the_double() -> None:
    rules = replace(EMA, yaku={**EMA.yaku, "isshoku_sanjun": (2, 2), "isshoku_yonjun": (13, 13)})
    assert dict(scored("22233344p678s44z 4p", "ron", rules).yaku) == {"pinfu": 1, "isshoku_sanjun": 2}
    assert dict(scored("22233344p678s44z 4p", "ron", EMA).yaku) == {"pinfu": 1, "iipeikou": 1}


def test_nine_gates_may_be_open_by_house_rule() -> None:
    """Toudai §4.1.6: must be closed, although some variants relax that restriction."""
    relaxed = replace(TOUDAI, yaku={**TOUDAI.yaku, "chuuren": (13, 13)})
    hand = "1112345599m 9m chi:678m"
    assert dict(scored(hand, "ron", relaxed).yaku) == {"chuuren": 13}
    assert "chuuren" not in dict(scored(hand, "ron", TOUDAI).yaku)
