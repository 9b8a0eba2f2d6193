"""What is advised: the nearest, then the widest, then the dearest discard; and what is no hand is refused."""

from __future__ import annotations

import json

import pytest

from scorer import HandError, Win, load_rules, parse_tiles
from scorer.advice import Advice, advise
from scorer.tiles import format_tiles
from tests.scorer.short_hands import EMA, TENHOU, meld, win


def advice(hand: str, *melds: str, how: str = "ron", seen: str = "") -> Advice:
    return advise(parse_tiles(hand), tuple(map(meld, melds)), win(how), EMA, seen=parse_tiles(seen))


def best(found: Advice) -> list[str]:
    return [str(one.discard.tile) for one in found.best]


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
    assert [(str(one.discard.tile), one.yaku) for one in found.best] == [("1s", ("tanyao",)), ("5s", ())]


def test_of_equal_waits_one_that_is_not_furiten_comes_first() -> None:
    """46 waits for 5, 68 for 7; a five is the indicator, a seven lies in the player's own pond."""
    found = advice("123m456p22z777m468s", how="ron discards=7s dora_indicators=5s")
    assert best(found) == ["8s", "4s"]
    assert [format_tiles(one.discard.furiten) for one in found.best] == ["", "7s"]


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
        ("456p78s11225z", ("chi:135m",), "135m is no chow"),
    ],
)
def test_what_is_no_hand_is_refused(hand: str, melds: tuple[str, ...], message: str) -> None:
    with pytest.raises(HandError, match=message):
        advice(hand, *melds)


def test_three_players_have_no_2m() -> None:
    with pytest.raises(HandError, match="not in play"):
        advise(parse_tiles("123m456p78s112257z"), (), Win(tsumo=False), load_rules("tenhou3"))


def test_the_record_is_plain_json() -> None:
    record = advice("123m456p78s112257z", how="ron dora_indicators=7z").to_record()
    assert json.loads(json.dumps(record)) == record
    assert record["shanten"] == 1 and record["draws"] is None
    assert record["discards"][0] == {
        "tile": "7z",
        "shanten": 1,
        "forms": ["standard"],
        "left": 12,
        "kinds": 4,
        "tiles": [["6s", 4], ["9s", 4], ["1z", 2], ["2z", 2]],
        "furiten": "",
        "dora": 1,
        "yaku": ["yakuhai_round", "yakuhai_seat"],
    }
