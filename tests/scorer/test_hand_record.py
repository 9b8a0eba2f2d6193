"""The hand record in and out (``docs/hand.md``)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import parse_record, score_record
from scorer.record import DEFAULTS

HAND: dict[str, Any] = {
    "rules": "ema2008",
    "concealed": "340p22s44z",
    "win_tile": "2s",
    "melds": [{"type": "pon", "tiles": "777z", "from": 2}, {"type": "chi", "tiles": "123m", "from": None}],
    "tsumo": False,
    "seat_wind": "S",
    "loser_offset": 3,
    "honba": 1,
    "riichi_sticks": 2,
    "dora_indicators": ["1s"],
    "x_something_else": "is ignored",
}


def test_result() -> None:
    result = score_record(HAND)
    assert json.loads(json.dumps(result)) == result
    others = result.pop("other_readings")
    assert others == []
    assert result == {
        "status": "ok",
        "han": 5,
        "fu": 30,
        "points": 8000,
        "limit": "mangan",
        "yakuman": 0,
        "yaku": [["yakuhai_chun", 1], ["dora", 3], ["aka", 1]],
        "fu_items": [
            {"fu": 20, "reason": "base fu", "tiles": ""},
            {"fu": 2, "reason": "triplet of simples finished by ron", "tiles": "222s"},
            {"fu": 4, "reason": "open triplet of terminals or honours", "tiles": "777z"},
            {"fu": 4, "reason": "rounded up from 26", "tiles": ""},
        ],
        "deltas": [10300, 0, 0, -8300],
        "rules": "ema2008",
        "assumed": ["round_wind"],
        "reading": {
            "form": "standard",
            "groups": [
                {"type": "chi", "tiles": "340p", "concealed": True},
                {"type": "pon", "tiles": "222s", "concealed": False},
                {"type": "pair", "tiles": "44z", "concealed": True},
                {"type": "pon", "tiles": "777z", "concealed": False},
                {"type": "chi", "tiles": "123m", "concealed": False},
            ],
            "win_group": 1,
            "wait": "shanpon",
        },
        "in_words": "mangan, 5 han, 8,000 points",
    }


def test_defaults_are_those_of_the_page() -> None:
    short = {"concealed": "123m456p78s22z444z", "win_tile": "9s", "tsumo": True}
    assert parse_record(short) == parse_record(DEFAULTS | short)
    assert DEFAULTS["rules"] == "ema2008" and DEFAULTS["seat_wind"] is None and DEFAULTS["pao"] is None


def test_double_riichi_alone_is_riichi() -> None:
    hand = {"concealed": "123m456p78s22z444z", "win_tile": "9s", "tsumo": False, "double_riichi": True}
    assert score_record(hand)["yaku"] == [["double_riichi", 2]]


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4)
anything = scalars | st.lists(scalars, max_size=2) | st.dictionaries(st.text(max_size=4), scalars, max_size=2)


@given(st.dictionaries(st.sampled_from([*HAND, *DEFAULTS]), anything, max_size=3))
def test_no_value_raises(changes: dict[str, Any]) -> None:
    result = score_record(HAND | changes)
    assert result["status"] in ("ok", "error")
    assert result["status"] == "ok" or (result["error"] and result["message"])


@pytest.mark.parametrize("record", [None, [], "123m", 7])
def test_what_is_no_object(record: Any) -> None:
    assert score_record(record)["error"] == "bad_field"


TANYAO: dict[str, Any] = {"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": True}


def test_who_is_not_said_to_be_the_dealer_is_not() -> None:
    nobody = score_record(TANYAO)
    assert nobody["points"] == score_record(TANYAO | {"dealer": False})["points"] == 5200
    assert nobody["points"] == score_record(TANYAO | {"seat_wind": "W"})["points"]
    assert score_record(TANYAO | {"dealer": True})["points"] == 7800
    assert nobody["assumed"] == ["dealer", "seat_wind", "round_wind", "riichi", "dora_indicators", "rules"]
    assert score_record(TANYAO | {"dealer": False})["assumed"][0] == "seat_wind"
    named = {"seat_wind": "S", "round_wind": "E", "riichi": False, "dora_indicators": [], "rules": "ema2008"}
    assert score_record(TANYAO | named)["assumed"] == []


@pytest.mark.parametrize("wind", "1234")
def test_a_seat_that_nobody_named_earns_nothing(wind: str) -> None:
    """Neither a yaku for a set of winds nor minipoints for a pair."""
    in_round = wind == "1"
    melds = [{"type": "pon", "tiles": f"{wind * 3}z"}]
    pung = {"concealed": "234m34567p22s", "win_tile": "8p", "tsumo": True, "melds": melds}
    assert (score_record(pung)["status"] == "ok") is in_round
    pair = {"concealed": f"234m340567p67s{wind * 2}z", "win_tile": "8s", "tsumo": False, "riichi": True}
    assert any("wind" in item["reason"] for item in score_record(pair)["fu_items"]) is in_round


def test_seats_that_contradict_each_other_are_refused() -> None:
    for dealer, wind in ((True, "W"), (False, "E")):
        result = score_record(TANYAO | {"dealer": dealer, "seat_wind": wind})
        assert (result["error"], result["field"]) == ("bad_field", "dealer")
        assert "drop one" in result["message"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("seatwind", "seat_wind"), ("seatWind", "seat_wind"), ("winning_tile", "win_tile"),
        ("Riichi", "riichi"), ("ippatu", "ippatsu"), ("dora", "dora_indicators"), ("hons", "honba"),
        ("double riichi", "double_riichi"),
    ],
)  # fmt: skip
def test_a_misspelt_field_is_refused_with_the_likeliest_name(typed: str, meant: str) -> None:
    result = score_record(TANYAO | {typed: "S"})
    assert (result["error"], result["field"]) == ("bad_field", typed)
    assert (
        result["message"]
        == f"There is no field {typed}: did you mean {meant}? Your own fields begin with x_."
    )


def test_fields_of_other_files_and_ones_own_are_passed_over() -> None:
    beside = {"x_table": 4, "ref": "a/1", "expected": {}, "source": "log", "ruleset": "tenhou", "known": {}}
    assert score_record(TANYAO | beside) == score_record(TANYAO)
    wrong = score_record(TANYAO | {"melds": [{"type": "pon", "tiles": "777z", "form": 2}]})
    assert "did you mean from?" in wrong["message"]


def test_heavenly_hand_says_the_dealer() -> None:
    assert score_record(TANYAO | {"tenhou": True})["points"] == 48000
    assert score_record(TANYAO | {"tenhou": True, "dealer": False})["error"] == "dealer_only"
