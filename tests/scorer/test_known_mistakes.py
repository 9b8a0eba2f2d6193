"""What other scorers are known to get wrong: one test each, so that ours never starts to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer import load_rules
from scorer.rules import RuleSet
from scorer.tiles import format_tiles
from tests.scorer.short_hands import EMA, FOUR, TENHOU, scored

PRESETS = [load_rules(id_) for id_ in FOUR]

each_preset = pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.id)


@each_preset
def test_a_triplet_of_a_double_pung_wait_is_open_on_a_discard(rules: RuleSet) -> None:
    """EMA 2008 §4.1.1: concealed on a self-draw, open on a discard, for minipoints and for the yaku."""
    hand = "111m444p88s44z555s 4z"
    ron, tsumo = scored(hand, "ron", rules), scored(hand, "tsumo", rules)
    assert "sanankou" in dict(ron.yaku) and "suuankou" not in dict(ron.yaku)
    assert "suuankou" in dict(tsumo.yaku)
    assert [item.fu for item in ron.fu_items if format_tiles(item.tiles) == "444z"] == [4]
    assert [item.fu for item in tsumo.fu_items if format_tiles(item.tiles) == "444z"] == [8]


@each_preset
@pytest.mark.parametrize(
    ("hand", "wait"),
    [
        ("12345m456p44z999s 3m", "penchan"),  # the 3 of 1-2, though it finishes 4-5 as well
        ("56789m456p44z999s 7m", "penchan"),
        ("23345m456p44z999s 4m", "kanchan"),  # the 4 of 3-5, though it finishes 2-3 as well
        ("2345m456p345s999s 2m", "tanki"),  # the pair, though 3-4 waits for it too
    ],
)
def test_the_wait_that_earns_minipoints_is_found(hand: str, wait: str, rules: RuleSet) -> None:
    """EMA 2008 §4.1.1: "even if the hand is waiting for other tiles"; here it lifts 30 minipoints to 40."""
    won = scored(hand, "tsumo seat_wind=W", rules)
    assert (won.reading.wait.value, won.fu) == (wait, 40)
    assert sum(item.fu for item in won.fu_items[:-1]) == 32


@each_preset
def test_an_open_hand_without_minipoints(rules: RuleSet) -> None:
    """EMA 2008 §4.1.1 adds 2 for open pinfu, so 30; Toudai §3.2.7 knows closed ones only, so 20 stay 20."""
    won = scored("456p78s33z456s 9s chi:123m", "ron houtei", rules)
    assert won.fu == (30 if rules.open_pinfu_fu else 20)
    assert scored("456p78s33z456s 9s chi:123m", "ron houtei", replace(EMA, open_pinfu_fu=0)).fu == 20


@each_preset
@pytest.mark.parametrize("number", "1234567")
def test_honours_are_no_numbers(number: str, rules: RuleSet) -> None:
    """Pungs of 2 characters, 2 circles and the second honour are no triple pung; with 2 bamboos they are."""
    pungs = f"{number * 3}m{number * 3}p"
    almost = scored(f"{pungs}{number * 3}z88s99m 9m", "ron riichi", rules)
    assert "toitoi" in dict(almost.yaku) and "sanshoku_doukou" not in dict(almost.yaku)
    assert "sanshoku_doukou" in dict(scored(f"{pungs}{number * 3}s88s99m 9m", "ron riichi", rules).yaku)


@each_preset
def test_double_riichi_is_two_han_however_it_is_written(rules: RuleSet) -> None:
    hand = "123m456p78s22z444z 9s"
    for how in ("ron double_riichi", "ron riichi double_riichi"):
        assert dict(scored(hand, how, rules).yaku) == {"double_riichi": 2}
    assert dict(scored(hand, "tsumo double_riichi", rules).yaku) == {"double_riichi": 2, "menzen_tsumo": 1}


def test_ippatsu_and_the_last_discard() -> None:
    """A declaration on the last turn can be won on the last discard: both count."""
    hand = "123m456p78s22z444z 9s"
    for rules in (EMA, TENHOU):
        assert dict(scored(hand, "ron riichi ippatsu houtei", rules).yaku) == {
            "riichi": 1,
            "ippatsu": 1,
            "houtei": 1,
        }
        drawn = scored(hand, "tsumo double_riichi ippatsu haitei", rules)
        assert dict(drawn.yaku) == {"double_riichi": 2, "ippatsu": 1, "menzen_tsumo": 1, "haitei": 1}


@each_preset
@pytest.mark.parametrize(
    ("kong", "dora"), [("ankan:1111m", 4), ("minkan:1111m", 4), ("kakan:1111m", 4), ("ankan:0555p", 4)]
)
def test_all_four_tiles_of_a_kong_are_dora(kong: str, dora: int, rules: RuleSet) -> None:
    """A concealed kong too; where dora are for concealed hands (Toudai §3.3) an open one has none."""
    indicator = "9m" if "m" in kong else "4p"
    if "0" in kong and not all(rules.red_fives):
        kong = kong.replace("0", "5")
    won = scored(f"456m78s44z777z 9s {kong}", f"ron dora_indicators={indicator}", rules)
    closed_only = not rules.dora_open_hands and "ankan" not in kong
    assert dict(won.yaku).get("dora", 0) == (0 if closed_only else dora)
