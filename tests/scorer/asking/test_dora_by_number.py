"""Dora told by number, where the indicators are not at hand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from scorer import RecordError, score_record
from scorer.asking.plan import Question, open_questions, plan
from tehai.cli import app

CLOSED: dict[str, Any] = {"concealed": "234m345567p2267s", "win_tile": "8s", "tsumo": False, "seat_wind": "S"}
OPEN = {**CLOSED, "concealed": "345567p2267s", "melds": [{"type": "pon", "tiles": "777z"}]}


def question(record: dict[str, Any], field: str = "dora_indicators", **known: Any) -> Question:
    return next(one for one in open_questions(record | known, list(known)) if one.field == field)


def points(**facts: Any) -> Any:
    result = score_record(CLOSED | facts)
    return result.get("points", result.get("error"))


def test_a_number_counts_as_so_many_dora() -> None:
    won = score_record(CLOSED | {"riichi": True, "dora_count": 2, "ura_count": 1})
    assert ["dora", 2] in won["yaku"] and ["ura", 1] in won["yaku"] and won["han"] == 6
    assert points(dora_count=2) == points(dora_indicators=["1s"])
    beside = score_record(CLOSED | {"dora_indicators": ["1s"], "dora_count": 1})
    assert ["dora", 3] in beside["yaku"]


def test_where_dora_do_not_count_their_number_does_not() -> None:
    assert score_record(OPEN | {"rules": "toudai", "dora_count": 3})["yaku"] == [["yakuhai_chun", 1]]
    toudai = score_record(CLOSED | {"rules": "toudai", "riichi": True, "ura_count": 2})
    assert "ura" not in dict(toudai["yaku"])
    assert points(ura_count=1) == "ura_without_riichi"
    worthless = {**OPEN, "melds": [{"type": "pon", "tiles": "444z"}], "dora_count": 3}
    assert score_record(worthless)["error"] == "no_yaku"


@pytest.mark.parametrize("number", [-1, 21, "2", 1.5, True])
def test_a_number_of_dora_is_one(number: object) -> None:
    assert points(dora_count=number) == "bad_field"


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("2", {"dora_indicators": [], "ura_indicators": [], "dora_count": 2}),
        ("2 dora", {"dora_indicators": [], "ura_indicators": [], "dora_count": 2}),
        ("ドラ2", {"dora_indicators": [], "ura_indicators": [], "dora_count": 2}),
        ("2/1", {"dora_indicators": [], "ura_indicators": [], "dora_count": 2, "ura_count": 1}),
        ("3m/1", {"dora_indicators": ["3m"], "ura_indicators": [], "ura_count": 1}),
        ("0", {"dora_indicators": [], "ura_indicators": [], "dora_count": 0}),
    ],
)
def test_a_number_answers_the_question(text: str, changes: dict[str, Any]) -> None:
    asked = question(CLOSED, riichi=True)
    assert asked.answer(text) == changes
    record = CLOSED | {"riichi": True} | changes
    left = plan(record, {"riichi", *changes})
    assert not {"dora_indicators", "ura_indicators"} & {one.field for one in left.questions}
    assert left.reach is not None and left.reach.points == score_record(left.record)["points"]


def test_without_riichi_no_ura_are_told() -> None:
    assert question(OPEN).answer("2") == {"dora_indicators": [], "dora_count": 2}
    for text in ("1/2", "21", "2 x"):
        with pytest.raises(RecordError):
            question(OPEN).answer(text)


def test_a_number_alone_settles_the_question() -> None:
    """As a record or a flag says it; ura are asked by themselves then."""
    fields = [
        one.field
        for one in open_questions(CLOSED | {"riichi": True, "dora_count": 2}, ["riichi", "dora_count"])
    ]
    assert "dora_indicators" not in fields and "ura_indicators" in fields


def test_flags_take_a_number() -> None:
    flags = ("--ron", "--seat", "S", "--riichi", "--nothing-special", "--rules", "ema2008")
    done = CliRunner().invoke(
        app, ["score", "234m345567p2267s + 8s", *flags, "--dora", "2", "--ura", "1", "--json"]
    )
    found = json.loads(done.stdout)
    assert found["questions"] == [] and found["result"]["points"] == 12000
    assert (found["record"]["dora_count"], found["record"]["ura_count"]) == (2, 1)
    told = CliRunner().invoke(
        app, ["score", "234m345567p2267s + 8s", *flags, "--dora", "2 dora", "--ura", "-"]
    )
    assert "dora: 2" in told.stdout
    lesson = CliRunner().invoke(
        app, ["score", "234m345567p2267s + 8s", *flags, "--dora", "2", "--ura", "-", "--explain", "markdown"]
    )
    assert "Counted at the table" in lesson.stdout
