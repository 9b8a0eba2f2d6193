"""What the planner writes, the batch scores: its record, and every answer put into it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import RecordError, score_record
from scorer.asking.plan import Plan, plan
from scorer.record import parse_record
from tehai.hand.batch import score_line
from tests.scorer.random_wins import RandomWin, random_wins
from tests.scorer.short_hands import EMA

CLOSED = {"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": False}
NO_VALUE = ("no_yaku", "below_minimum")
CONTRADICTIONS = (
    "dealer_only", "not_dealer", "conflicting_wins", "riichi_on_open_hand", "ippatsu_without_riichi",
    "ura_without_riichi", "first_turn_with_call",
)  # fmt: skip


def batched(record: dict[str, Any]) -> dict[str, Any]:
    """The record as a line of a batch, scored."""
    return score_line(1, json.dumps(record).encode())


def check(found: Plan) -> None:
    """The record of the plan is scored as the plan has it, each answer as is written beside it or, where it
    takes more than that answer, refused: never as something else."""
    assert found.reach is not None
    result = batched({**found.record, "known": found.known})
    assert result.get("points", 0) == found.reach.points, result
    for question in found.questions:
        for choice in question.choices:
            result = batched(found.record | choice.fields)
            if result["status"] == "ok" or result["error"] in NO_VALUE:
                assert result.get("points", 0) == choice.points, (choice, result)
            else:
                assert result["error"] in CONTRADICTIONS, (choice, result)


@settings(max_examples=8)  # each asks many times
@given(random_wins(reds=True), st.data())
def test_what_the_planner_writes_the_batch_scores(win: RandomWin, data: st.DataObject) -> None:
    record, known = win.to_record(EMA), set[str]()
    for name in ("seat_wind", "riichi", "tsumo"):
        record.pop(name, None)
    while True:
        found = plan(record, known)
        if found.reach is None:
            return
        check(found)
        if not found.questions:
            return
        question = data.draw(st.sampled_from(found.questions))
        answer = data.draw(st.sampled_from(question.choices)).fields
        record, known = record | answer, known | answer.keys()


def test_a_record_says_who_deals() -> None:
    assert batched(CLOSED | {"dealer": False})["points"] == 3900
    assert batched(CLOSED | {"dealer": True})["points"] == 5800
    assert parse_record(CLOSED | {"dealer": False, "seat_wind": "W"}).win.seat_wind == "W"


@pytest.mark.parametrize(("dealer", "wind"), [(False, "E"), (True, "W")])
def test_a_dealer_and_a_wind_that_contradict_each_other_are_refused(dealer: bool, wind: str) -> None:
    with pytest.raises(RecordError, match=f"dealer {str(dealer).lower()} and seat_wind {wind} contradict"):
        parse_record(CLOSED | {"dealer": dealer, "seat_wind": wind})


def test_of_an_open_record_who_deals_is_stronger_than_the_wind() -> None:
    """The wind may be that of an earlier answer."""
    told = CLOSED | {"dealer": False, "seat_wind": "E", "riichi": False}
    assert score_record(plan(told, ["dealer", "seat_wind", "riichi"]).record)["points"] == 3900
    assert plan(told | {"dealer": True, "seat_wind": "W"}, ["dealer"]).record["seat_wind"] == "E"


def test_who_deals_is_true_or_false() -> None:
    with pytest.raises(RecordError, match="dealer must be true or false"):
        parse_record(CLOSED | {"dealer": "no"})
