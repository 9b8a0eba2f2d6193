"""What is advised: the nearest, then the widest, then the dearest discard; and what is no hand is refused."""

from __future__ import annotations

import json

import pytest

from scorer import HandError, Win, load_rules, parse_tiles
from scorer.advice import Advice, advise
from scorer.efficiency import discards
from scorer.safety import Danger, Reason, Risk, River
from scorer.telling.advice import explain_advice
from scorer.tiles import NORTH, TILES, format_tiles
from scorer.wait_values import Bar, wait_values
from tests.scorer.short_hands import EMA, TENHOU, meld, win


def advice(hand: str, *melds: str, how: str = "ron", seen: str = "") -> Advice:
    return advise(parse_tiles(hand), tuple(map(meld, melds)), win(how), EMA, seen=parse_tiles(seen))


def best(found: Advice) -> list[str]:
    return [str(one.discard.tile) for one in found.best]


def test_three_players_set_a_north_aside_and_do_not_discard_it() -> None:
    """It is a dora of the hand that is left, and no river has it."""
    rules, tiles = load_rules("tenhou3"), parse_tiles("11p234p567p345s67s4z")
    advice = advise(tiles, (), Win(tsumo=False), rules)
    best = advice.options[0]
    assert advice.is_north and str(best.discard.tile) == "4z" and best.dora == 1
    assert best.price is not None and best.price.points == 3900  # riichi, pinfu, the north
    assert best.expected is not None
    drawn = best.expected.after(18)
    plain = advise(parse_tiles("11p234p567p345s67s"), (), Win(tsumo=False), rules)
    assert plain.expected is not None and drawn.points > plain.expected.after(18).points
    text = explain_advice(advice, Win(tsumo=False), rules)
    assert text.text(text.headline).startswith("Tenpai with 4z set aside: 11 tiles")
    four = advise(parse_tiles("123m456p78s11225z4z"), (), Win(tsumo=False), load_rules("tenhou"))
    assert not four.is_north


def test_the_widest_discard_comes_first() -> None:
    found = advice("123m456p78s112257z")
    assert (found.shanten, best(found)) == (1, ["5z", "7z"])
    outlook = found.outlook
    assert outlook is not None and (outlook.left, format_tiles(outlook.kinds)) == (12, "69s12z")


@pytest.mark.parametrize(
    ("how", "first"),
    [
        ("ron dora_indicators=7z", "7z"),  # the white dragon is dora, and stays
        ("ron dora_indicators=6z", "5z"),
    ],
)
def test_of_equal_discards_dora_stay(how: str, first: str) -> None:
    found = advice("123m456p78s112257z", how=how)
    assert set(best(found)) == {"5z", "7z"} and best(found)[0] == first


def test_of_equal_discards_the_yaku_decides() -> None:
    """Either end of 1-3-5 may go; without the 1 all are simples."""
    found = advise(parse_tiles("234m456p88p777m135s"), (), Win(tsumo=False), TENHOU)
    assert [(str(one.discard.tile), one.yaku) for one in found.best] == [("1s", ("riichi", "tanyao"))]
    assert [str(one.discard.tile) for one in found.options[:2]] == ["1s", "5s"]


def test_of_equal_waits_one_that_is_not_furiten_comes_first() -> None:
    """46 waits for 5, 68 for 7; a five is the indicator, a seven lies in the player's own pond."""
    found = advice("123m456p22z777m468s", how="ron discards=7s dora_indicators=5s")
    first, second = found.options[:2]
    assert [str(one.discard.tile) for one in (first, second)] == ["8s", "4s"]
    assert [format_tiles(one.discard.furiten) for one in (first, second)] == ["", "7s"]
    assert [one.price and one.price.bar for one in (first, second)] == [None, Bar.FURITEN]


def test_of_waits_that_whose_tiles_times_points_are_most_comes_first() -> None:
    """6s goes: 5m brings three suits' 345. The 3s keeps two dora, and as many tiles."""
    found = advice("2234m345p345s5667s", how="ron dora_indicators=5s seat_wind=S")
    first, second = found.options[:2]
    assert first.price and second.price
    assert (str(first.discard.tile), first.price.points, first.price.left) == ("6s", 10567, 6)
    assert (str(second.discard.tile), second.price.points, second.price.left) == ("3s", 8000, 6)


def test_a_wait_without_a_yaku_is_never_above_one_that_can_win() -> None:
    """Without the 9s all are simples; without the 3s the 9s stays, and 8s has no yaku."""
    found = advise(parse_tiles("456p22345679s"), (meld("chi:234m"),), win("ron"), TENHOU)
    waits = [(str(one.discard.tile), one.price.bar) for one in found.options if one.price]
    assert waits[0] == ("9s", None) and ("3s", Bar.NO_YAKU) in waits
    assert [bar for _, bar in waits] == sorted((bar for _, bar in waits), key=bool)


def test_a_wait_tells_how_many_of_its_tiles_can_win() -> None:
    """1s makes an outside hand, 4s leaves no yaku."""
    called = (meld("chi:789p"),)
    for hand, start in (("33z789m123p235s", "Tenpai with 5s discarded"), ("33z789m123p23s", "Tenpai")):
        text = explain_advice(advise(parse_tiles(hand), called, win("ron"), TENHOU), win("ron"), TENHOU)
        said = text.text(text.headline)
        assert said.startswith(f"{start}: only 4 of 8 tiles can win by ron, 1,000 points a win")


def test_a_dead_wait_is_never_above_one_that_can_be_drawn() -> None:
    """5s leaves 13s for a 2s, all in sight; 1s leaves 35s for a 4s, furiten."""
    found = advice("123m456p789p55z135s", how="ron discards=4s", seen="2222s")
    assert best(found) == ["1s"] and found.price is not None and found.price.bar is Bar.FURITEN


def test_a_wait_without_a_yaku_says_what_would_give_it_one() -> None:
    found = advise(parse_tiles("234p456s22m79s"), (meld("chi:678p"),), win("ron"), TENHOU)
    assert found.price and found.price.bar is Bar.NO_YAKU
    assert found.missing == ("tanyao",)


def test_a_wait_with_too_few_yaku_is_not_told_that_it_has_none() -> None:
    """From five counters a win needs two: white dragons do not bring white dragons."""
    for hand, called, end in (
        ("123m456p2345s", ("pon:555z",), "only the last tile or a kan can bring one"),
        ("123m456p789s2345s", (), "only tsumo can win"),
    ):
        how = win("ron honba=5 seat_wind=W")
        found = advise(parse_tiles(hand), tuple(map(meld, called)), how, EMA)
        assert "yakuhai_haku" not in found.missing
        text = explain_advice(found, how, EMA)
        assert text.text(text.headline).startswith(f"Tenpai, but with too few yaku for a ron: {end}")


def test_after_riichi_no_draw_widens_the_wait() -> None:
    assert advice("123m456p789s2345s").widening and not advice("123m456p789s2345s", how="ron riichi").widening


def test_norths_that_were_set_aside_are_in_sight() -> None:
    """Two in the pair, two set aside: none is left to win on."""
    tiles, rules = parse_tiles("123p456p789p11s44z"), load_rules("tenhou3")
    found = advise(tiles, (), win("ron nukidora=2"), rules)
    assert found.draws is not None and found.draws.tiles == {TILES[18]: 2, TILES[NORTH]: 0}
    values = wait_values(tiles, (), win("ron nukidora=2"), rules)
    assert [one.left for one in values] == [2, 0]


def test_thirteen_orphans_of_three_players_keep_their_north() -> None:
    rules = load_rules("tenhou3")
    assert not advise(parse_tiles("19m19p19s12345566z"), (), win("ron"), rules).sets_aside
    waits = advise(parse_tiles("19m19p19s1235677z"), (), win("ron"), rules)
    assert waits.expected is not None and waits.expected.after(18).won > 0


def test_draws_that_widen_the_wait_are_counted() -> None:
    """45 beside 79s: a 4s makes it two-sided."""
    found = advice("123m456p22z678s68s")
    assert found.draws is not None
    for tile, left in found.widening.items():
        after = discards((*parse_tiles("123m456p22z678s68s"), tile), seen="")[0]
        assert after.ukeire.left == left > found.draws.left


def test_a_north_is_set_aside_first_among_three() -> None:
    tenhou3 = load_rules("tenhou3")
    for hand, aside in (("234p456s22s344p44z", True), ("234p456s22s344p66z", False)):
        assert advise(parse_tiles(hand), (), win("ron"), tenhou3).sets_aside is aside


def test_equals_are_those_that_nothing_tells_apart() -> None:
    found = advice("123m456p78s112257z")
    assert [str(one.discard.tile) for one in found.equals] == ["5z", "7z"]
    found = advice("123m456p78s112257z", how="ron dora_indicators=7z")
    assert [str(one.discard.tile) for one in found.equals] == ["7z"]


def test_thirteen_tiles_hear_what_they_need() -> None:
    found = advice("123m456p78s11225z", seen="6s")
    assert found.options == () and found.draws is not None
    assert (found.shanten, found.draws.left) == (1, 11)


def test_a_finished_hand_has_nothing_to_discard() -> None:
    found = advice("123m456p789s11222z")
    assert (found.shanten, found.options, found.draws, found.outlook) == (-1, (), None, None)


def test_sets_and_kongs_on_the_table_count() -> None:
    found = advice("456p78s112257z", "chi:123m")
    assert (found.shanten, set(best(found))) == (1, {"5z", "7z"})
    found = advice("456p78s112257z", "ankan:1111m")
    assert (found.shanten, set(best(found))) == (1, {"5z", "7z"})


@pytest.mark.parametrize(
    ("hand", "melds", "message"),
    [
        ("11111m456p78s1122z", (), "There are 5 of 1m"),
        ("456p78s11225z", ("chi:135m",), "135m is no chi"),
    ],
)
def test_what_is_no_hand_is_refused(hand: str, melds: tuple[str, ...], message: str) -> None:
    with pytest.raises(HandError, match=message):
        advice(hand, *melds)


def test_three_players_have_no_2m() -> None:
    with pytest.raises(HandError, match="not in play"):
        advise(parse_tiles("123m456p78s112257z"), (), Win(tsumo=False), load_rules("tenhou3"))


def test_each_discard_has_its_danger_and_of_equals_the_safer_stands_first() -> None:
    tiles, how = parse_tiles("123m456p78s112257z"), Win(tsumo=False)
    assert [str(one.discard.tile) for one in advise(tiles, (), how, EMA).equals] == ["5z", "7z"]
    left = River("left", parse_tiles("7z9p"), riichi=True)
    found = advise(tiles, (), how, EMA, rivers=(River("right", parse_tiles("5z")), left))
    assert [str(one.discard.tile) for one in found.best] == ["7z", "5z"] and len(found.equals) == 1
    safe, open_ = found.best
    assert safe.risks == (Risk("left", True, Danger.NOTHING, Reason.OWN_DISCARD, (), 2),)
    assert open_.risks[0].reason is Reason.HONOUR and open_.risks[0].seen == 2
    assert all(len(one.risks) == 1 for one in found.options), "nobody but the riichi is a threat"
    assert json.loads(json.dumps(found.to_record())) == found.to_record()
    assert safe.discard.ukeire.left == 12  # what lies in a river is drawn no more: 1z and 2z are left
    fewer = advise(tiles, (), how, EMA, rivers=(River("right", parse_tiles("69s")),))
    assert fewer.options[0].discard.ukeire.left == 10


def test_the_record_is_plain_json() -> None:
    record = advice("123m456p78s112257z", how="ron dora_indicators=7z").to_record()
    assert json.loads(json.dumps(record)) == record
    assert record["shanten"] == 1 and record["draws"] is None
    first = record["discards"][0]
    assert first.pop("price") is None and len(first.pop("expected")["turns"]) == 18
    assert first == {
        "tile": "7z",
        "risks": [],
        "shanten": 1,
        "forms": ["standard"],
        "left": 12,
        "kinds": 4,
        "tiles": [["6s", 4], ["9s", 4], ["1z", 2], ["2z", 2]],
        "furiten": "",
        "dora": 1,
        "yaku": ["riichi", "yakuhai_round", "yakuhai_seat"],
    }
