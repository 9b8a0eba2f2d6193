"""What a program holds in its hands: it is written and read back, copied, hashed, and shown in one line."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import fields, replace
from random import Random
from typing import Any, get_type_hints

import pytest

from benchmarks.wins import random_win
from scorer import (
    Game,
    Hand,
    HandError,
    Meld,
    RulesError,
    RuleSet,
    Score,
    TileError,
    Win,
    format_tiles,
    load_rules,
    parse_record,
    parse_rules,
    parse_tiles,
    preset_ids,
    score,
    score_record,
)
from scorer.asking.plan import plan
from scorer.own_yaku import WORDS
from scorer.records import ErrorResult, RuleSetRecord, ScoredResult
from scorer.svg import row_svg

RULES = load_rules("ema2008")
LINE = "234m340567p2267s + 8s [p777z]"
WON = score(Hand("234m340567p2267s", "8s"), Win(tsumo=False, riichi=True), RULES)


@pytest.mark.parametrize(
    "line",
    [
        LINE,
        "340p22s44z + 2s [p777z^] [c123m]",
        "22z34s + 5s [a5555z] [s6666z>] [k7777z<]",
        "1112345678999m + 0m",
    ],
)
def test_a_hand_is_written_as_it_is_parsed(line: str) -> None:
    hand = Hand.parse(line)
    assert str(hand) == line and eval(repr(hand), {"Hand": Hand}) == hand
    assert Hand.from_record(hand.to_record()) == hand
    assert [eval(repr(meld), {"Meld": Meld}) for meld in hand.melds] == [*hand.melds]


@pytest.mark.parametrize(
    "written",
    [
        "２３４ｍ３４０５６７ｐ２２６７ｓ ＋ ８ｓ ［７７７ｚ］",
        "🀈🀉🀊 34056p🀟 2267s + 🀗 [🀄🀄🀄]",
        "234M 340567P 2267S + 8S [P777Z]",
    ],
)
def test_full_width_text_and_tile_characters_are_tiles(written: str) -> None:
    assert str(Hand.parse(written)) == LINE


def test_every_tile_character_is_its_tile() -> None:
    honours = "🀀🀁🀂🀃🀆🀅🀄\ufe0e"
    assert format_tiles(parse_tiles("🀇🀈🀉🀊🀋🀌🀍🀎🀏")) == "123456789m"
    assert format_tiles(parse_tiles("🀙🀚🀛🀜🀝🀞🀟🀠🀡")) == "123456789p"
    assert format_tiles(parse_tiles("🀐🀑🀒🀓🀔🀕🀖🀗🀘")) == "123456789s"
    assert format_tiles(parse_tiles(honours)) == "1234567z"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("234m", "no winning tile"),
        ("234m + 8x", "no part of a tile"),
        ("[77z", "meld"),
        ("2m + 23m", "one tile"),
    ],
)
def test_what_is_no_hand_is_refused(line: str, said: str) -> None:
    with pytest.raises(TileError, match=said):
        Hand.parse(line)


def test_a_red_five_sorts_beside_its_five() -> None:
    assert format_tiles(sorted(parse_tiles("6p0p4p5p1z0m"))) == "0m4506p1z"
    assert max(parse_tiles("0m9m")) == parse_tiles("9m")[0]


@pytest.mark.parametrize("value", [Hand.parse(LINE), WON, RULES, Win(tsumo=True), Game.start(RULES)])
def test_values_are_copied_pickled_and_hashed(value: Any) -> None:
    for same in (copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert same == value and hash(same) == hash(value)


def test_a_score_that_was_pickled_still_tells_all() -> None:
    again = pickle.loads(pickle.dumps(WON))
    assert again.fu_items == WON.fu_items and again.reading == WON.reading and again.deltas == WON.deltas


@pytest.mark.parametrize(
    "value",
    [
        WON,
        RULES,
        Hand.parse(LINE),
        Win(False, "S", "W", True, ippatsu=True, dora_indicators="3m5z", honba=1),
        Game.start(RULES),
        plan(dict(WON._scored.hand.to_record())),
        *plan(dict(WON._scored.hand.to_record())).questions,
    ],
)
def test_a_value_is_shown_in_one_line(value: object) -> None:
    assert len(repr(value)) <= 120 and "\n" not in repr(value)


def test_a_win_comes_back_from_its_record() -> None:
    win = Win(tsumo=False, seat_wind="S", dora_indicators="3m5z", discards="1z", loser_offset=2)
    assert Win.from_record(win.to_record()) == win
    assert "riichi" not in win.to_record() and Win.from_record(win.to_record()).assumed == win.assumed


def test_a_win_is_shown_as_it_is_written() -> None:
    win = Win(False, "S", riichi=True, dora_indicators="3m0p", honba=2, discards="1z")
    shown = "Win(tsumo=False, seat_wind='S', riichi=True, dora_indicators='3m0p', honba=2, discards='1z')"
    assert repr(win) == shown and eval(shown, {"Win": Win}) == win
    assert repr(Win(tsumo=True)) == "Win(tsumo=True)"


def test_what_was_said_of_the_seat_comes_back() -> None:
    record = {"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": False, "dealer": False}
    win = parse_record(record).win
    again = Win.from_record(win.to_record())
    assert again.assumed == win.assumed and "dealer" not in win.assumed and "seat_wind" in win.assumed


def through_json(record: Any) -> Any:
    return json.loads(json.dumps(record))


OWN = """base = "mleague"
chip_points = 2000
[chips]
aka = 1
[own_yaku.everything]
han = [3, 2]
replaces = ["toitoi"]
[[own_yaku.everything.when]]
only = "123456789m1234567z"
without = "9m"
tiles = "11m0m"
runs = "123m456m"
triplets = "5z"
triplets_among = [1, "567z"]
concealed_triplets = 1
kongs = 1
calls = 1
pair = "2z"
win_tile = "1m"
suits = 1
form = "standard"
wait = ["tanki", "shanpon"]
won = ["ron", "riichi"]
yaku = "honitsu"
[[own_yaku.everything.when]]
suits = 3
"""


@pytest.mark.parametrize("rules", [*map(load_rules, preset_ids()), parse_rules(OWN)], ids=lambda one: one.id)
def test_rules_come_back_from_their_record(rules: RuleSet) -> None:
    assert RuleSet.from_record(through_json(rules.to_record())) == rules


def test_the_record_of_rules_has_every_key() -> None:
    assert [*get_type_hints(RuleSetRecord)] == [one.name for one in fields(RuleSet)]
    written = parse_rules(OWN).to_record()["own_yaku"]["everything"]["when"][0]
    assert written.keys() == WORDS.keys() and written["runs"] == "123456m"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kiriage_mangan": "yes"}, "kiriage_mangan must be true or false"),
        ({"kiriage": True}, "the closest is 'kiriage_mangan'"),
        ({"cite": {"yaku": 5}}, "cite must be"),
    ],
)
def test_the_record_of_no_rules_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(RulesError, match=said):
        RuleSet.from_record({**RULES.to_record(), **change})
    with pytest.raises(RulesError, match="has no uma"):
        RuleSet.from_record({name: value for name, value in RULES.to_record().items() if name != "uma"})


def test_scores_come_back_from_their_records() -> None:
    random, house = Random(59), parse_rules(OWN)
    sets = [*(one for one in map(load_rules, preset_ids()) if one.players == 4), house]
    seen = 0
    for number in range(1500):
        rules = sets[number % len(sets)]
        won = random_win(random, reds=all(rules.red_fives))
        try:
            found = score(won.hand, won.win, rules)
        except HandError:
            continue
        for one in (found, *found.other_readings):
            again = Score.from_record(through_json(one.to_record()))
            assert again == one and again.result() == one.result() and again.rules == rules
            seen += 1
    assert seen > 1000


def test_a_score_comes_back_with_what_was_assumed() -> None:
    for win in (Win(tsumo=True), Win(tsumo=False, seat_wind="E", riichi=False, dora_indicators="")):
        won = score(WON._scored.hand, win, RULES)
        again = Score.from_record(won.to_record())
        assert again == won and again.assumed == won.assumed
    record = won.to_record()
    assert "rule_set" not in record and score_record(record["record"])["points"] == won.points
    spoken = score(WON._scored.hand, win, replace(RULES, words="kanji"))
    assert Score.from_record(spoken.to_record()).in_words == spoken.in_words


def test_a_score_that_was_changed_is_refused() -> None:
    record = WON.to_record()
    record["result"]["points"] = 8000
    with pytest.raises(ValueError, match="not what its hand is worth by EMA Riichi 2008: 4 han 30 fu, 7,700"):
        Score.from_record(record)


def test_results_have_the_keys_of_their_type() -> None:
    wrong = score_record({"concealed": "1m", "win_tile": "8s", "tsumo": 1})
    assert wrong.keys() == get_type_hints(ErrorResult).keys()
    assert WON.result().keys() | {"chips"} == get_type_hints(ScoredResult).keys()


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(TypeError, match="cannot be changed"):
        RULES.yaku["pinfu"] = (2, 0)  # type: ignore[index]


def test_hand_and_score_draw_themselves() -> None:
    hand = Hand.parse("234m + 5m [a7777z]")
    drawn = hand._repr_svg_()
    assert drawn.count("<g transform=") == 8 and drawn.startswith("<svg") and drawn.endswith("</svg>")
    assert drawn == row_svg([hand.concealed, [hand.win_tile], hand.melds[0].faces])
    assert "<td>1</td><td>30,000</td>" in Game.start(RULES).ended()._repr_html_()
    assert "East 1" in (game := Game.start(RULES)._repr_html_()) and game.count("30,000") == 4
    assert "7,700 points" in WON._repr_html_() and "Pinfu" in WON._repr_html_()
