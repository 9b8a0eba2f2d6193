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
    "something_else": "is ignored",
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
            {"fu": 2, "reason": "open pung of simples", "tiles": "222s"},
            {"fu": 4, "reason": "open pung of terminals or honours", "tiles": "777z"},
            {"fu": 4, "reason": "rounded up from 26", "tiles": ""},
        ],
        "deltas": [10300, 0, 0, -8300],
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
    assert DEFAULTS["rules"] == "ema2008" and DEFAULTS["seat_wind"] == "E" and DEFAULTS["pao"] is None


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
