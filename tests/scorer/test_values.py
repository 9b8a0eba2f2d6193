"""What a program holds in its hands: it is written and read back, copied, hashed, and shown in one line."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from scorer import Game, Hand, Meld, TileError, Win, format_tiles, load_rules, parse_tiles, score
from scorer.asking.plan import plan
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
        Game.start(RULES),
        plan(dict(WON._won.hand.to_record())),
        *plan(dict(WON._won.hand.to_record())).questions,
    ],
)
def test_a_value_is_shown_in_one_line(value: object) -> None:
    assert len(repr(value)) <= 120 and "\n" not in repr(value)


def test_a_win_comes_back_from_its_record() -> None:
    win = Win(tsumo=False, seat_wind="S", dora_indicators="3m5z", discards="1z", loser_offset=2)
    assert Win.from_record(win.to_record()) == win
    assert "riichi" not in win.to_record() and Win.from_record(win.to_record()).assumed == win.assumed


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(TypeError, match="cannot be changed"):
        RULES.yaku["pinfu"] = (2, 0)  # type: ignore[index]


def test_hand_and_score_draw_themselves() -> None:
    hand = Hand.parse("234m + 5m [a7777z]")
    drawn = hand._repr_svg_()
    assert drawn.count("<g transform=") == 8 and drawn.startswith("<svg") and drawn.endswith("</svg>")
    assert drawn == row_svg([hand.concealed, [hand.win_tile], hand.melds[0].faces])
    assert "7,700 points" in WON._repr_html_() and "Pinfu" in WON._repr_html_()
