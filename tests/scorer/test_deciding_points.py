"""The points that programs get wrong (``RULES.md``, "Deciding points"), one test each."""

from __future__ import annotations

import pytest

from scorer import HandError, load_rules
from tests.scorer.short_hands import EMA, TENHOU, scored


def error_of(hand: str, how: str) -> str:
    with pytest.raises(HandError) as caught:
        scored(hand, how)
    return caught.value.faults[0].id


def test_the_best_of_all_readings_wins() -> None:
    """Three identical runs or three triplets: the payment decides."""
    won = scored("111222333m78s99p 9s", "tsumo")
    assert dict(won.yaku) == {"menzen_tsumo": 1, "pinfu": 1, "iipeikou": 1, "junchan": 3}
    triplets = [other for other in won.other_readings if "sanankou" in dict(other.yaku)]
    assert triplets and all(won.points >= other.points for other in won.other_readings)


def test_seven_pairs_or_two_double_runs() -> None:
    """Two double runs pay more than seven pairs, and exclude them."""
    won = scored("112233m44556p77s 6p", "ron")
    assert dict(won.yaku) == {"pinfu": 1, "ryanpeikou": 3}
    assert {other.reading.form.value for other in won.other_readings} >= {"chiitoitsu"}


def test_payment_then_han_then_fu() -> None:
    """Both readings of this mangan pay 8000; the one with more han is named."""
    won = scored("112233m44556p77s 6p", "ron riichi ippatsu dora_indicators=6s", TENHOU)
    assert won.han == max(won.han, *(other.han for other in won.other_readings))


def test_a_pung_by_ron_is_open_for_minipoints_and_concealed_pungs() -> None:
    assert "suuankou" in dict(scored("111m444p88s44z555s 4z", "tsumo").yaku)
    ron = scored("111m444p88s44z555s 4z", "ron")
    assert dict(ron.yaku) == {"sanankou": 2, "toitoi": 2}
    assert (4, "open pung of terminals or honours") in [(item.fu, item.reason) for item in ron.fu_items]


def test_the_hand_stays_concealed_for_the_thirty() -> None:
    assert scored("111m444p88s44z555s 4z", "ron").fu_items[0].fu == 30


def test_four_alike_are_a_kong_only_if_declared() -> None:
    undeclared = scored("1111m23m456p78s33z 9s", "ron riichi")
    assert all("kong" not in item.reason for item in undeclared.fu_items)
    assert error_of("11112m3m456p78s33z 9s", "tsumo rinshan") == "rinshan_without_kan"


def test_a_concealed_kong_keeps_the_hand_concealed() -> None:
    won = scored("456p78s22z444z 9s ankan:1111m", "tsumo riichi")
    assert {"riichi", "menzen_tsumo"} <= set(dict(won.yaku))


def test_wait_minipoints_even_with_more_waits() -> None:
    """EMA 2008 §4.1.1: an edge wait counts though the hand waits for other tiles as well."""
    won = scored("12345m456p44z888s 3m", "ron riichi")
    assert "edge wait" in [item.reason for item in won.fu_items]


def test_ura_and_ippatsu_only_with_riichi() -> None:
    hand = "123m456p78s33z456s 9s"
    assert error_of(hand, "ron ura_indicators=1m") == "ura_without_riichi"
    assert error_of(hand, "ron ippatsu") == "ippatsu_without_riichi"
    assert dict(scored(hand, "ron double_riichi ippatsu ura_indicators=8s").yaku) == {
        "double_riichi": 2,
        "ippatsu": 1,
        "pinfu": 1,
        "ura": 1,
    }


def test_dora_alone_does_not_win() -> None:
    assert error_of("123m406p78s22z444z 9s", "ron dora_indicators=3z") == "no_yaku"


def test_robbing_a_concealed_kong_for_thirteen_orphans() -> None:
    """EMA 2008 §3.3.8; the robbed tile is one that the hand does not hold."""
    orphans = "119m19p19s123456z 7z"
    assert scored(orphans, "ron chankan").yakuman == 1
    assert scored(orphans, "ron chankan robbed_ankan").yakuman == 1
    with pytest.raises(HandError, match=r"In Tenhou.* no concealed kan is robbed"):
        scored(orphans, "ron chankan robbed_ankan", TENHOU)
    assert scored(orphans, "ron chankan", TENHOU).yakuman == 1  # an extended pung may be
    assert scored(orphans, "ron chankan robbed_ankan", load_rules("majsoul")).yakuman == 1
    with pytest.raises(HandError, match="Only Thirteen Orphans"):
        scored("123m456p78s22z444z 9s", "ron chankan robbed_ankan")
    with pytest.raises(HandError, match="Only Robbing the Kong"):
        scored(orphans, "ron robbed_ankan")


def test_two_han_from_five_counters() -> None:
    """EMA 2008 §3.4.11; dora do not count towards it, Tenhou has no such rule."""
    hand = "123m456p78s22z444z 9s"
    assert scored(hand, "ron riichi honba=4").han == 1
    assert error_of(hand, "ron riichi honba=5 dora_indicators=1m") == "below_minimum"
    assert scored(hand, "ron riichi ippatsu honba=5").han == 2
    assert scored(hand, "ron riichi honba=5", TENHOU).han == 1


def test_the_reading_that_reaches_the_minimum_is_taken() -> None:
    """A dearer reading with too few yaku does not win."""
    won = scored("56789m234p33456s 7m", "ron riichi honba=5 loser_offset=1")
    assert set(dict(won.yaku)) == {"riichi", "pinfu"} and won.other_readings == ()


def test_counted_yakuman_is_one() -> None:
    won = scored("1122334455667p 7p", "tsumo riichi ippatsu dora_indicators=6p3p")
    assert (won.limit, won.yakuman, won.points) == ("counted_yakuman", 0, 32000)
    assert won.han > 13


def test_open_tanyao_is_a_matter_of_rules() -> None:
    hand = "456p78s22p345s 6s chi:234m"
    assert error_of(hand, "ron") == "no_yaku"
    assert dict(scored(hand, "ron", TENHOU).yaku) == {"tanyao": 1}


def test_double_wind_pair_is_four() -> None:
    for rules in (EMA, TENHOU):
        won = scored("123m456p78s11z456s 9s", "ron riichi seat_wind=E", rules)
        assert [item.fu for item in won.fu_items] == [30, 4, 6]


def test_rinshan_earns_self_draw_minipoints() -> None:
    won = scored("456p78s22z444z 9s ankan:1111m", "tsumo rinshan")
    assert "self-draw" in [item.reason for item in won.fu_items]


def test_dora_for_concealed_hands_alone() -> None:
    """Toudai §3.3: an open hand has none; of several indicators the first counts, as kongs open none."""
    toudai = load_rules("toudai")
    closed = scored("123m456p78s22z444z 9s", "ron riichi dora_indicators=3z1m", toudai)
    assert dict(closed.yaku) == {"riichi": 1, "dora": 3}
    opened = scored("456p78s22z444z 9s chi:123m", "ron houtei dora_indicators=3z", toudai)
    assert dict(opened.yaku) == {"houtei": 1}


def test_terminals_and_honours_are_an_outside_hand_in_some_rules() -> None:
    """Toudai §4.1.5: five in all with all pungs, closed or open, but four with seven pairs."""
    toudai = load_rules("toudai")
    pungs = scored("111m999p11s44z 1s pon:999m", "ron", toudai)
    assert dict(pungs.yaku) == {"chanta": 1, "toitoi": 2, "honroutou": 2}
    closed = scored("111999m999p11s44z 1s", "ron", toudai)
    assert dict(closed.yaku)["chanta"] == 1
    assert scored("1199m1199p11s11z4z 4z", "ron", toudai).han == 4
    assert scored("111m999p11s44z 1s pon:999m", "ron").han == 4
