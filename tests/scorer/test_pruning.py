"""A question that is not asked never changes a result: the planner against every way to have won.

``TEHAI_PLANS=3000 python -m pytest tests/scorer/test_pruning.py`` tries that many hands.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.questions import told
from scorer import load_rules, preset_ids
from scorer.questions import plan
from scorer.tiles import KINDS, TILES
from tests.scorer.branching import all_facts, left_open, outcome
from tests.scorer.random_wins import RandomWin, random_wins

HANDS = int(os.environ.get("TEHAI_PLANS", "25"))
TILE_FIELDS = ("rules", "concealed", "win_tile", "melds")

INDICATORS = st.lists(st.sampled_from([str(tile) for tile in TILES[:KINDS]]), max_size=3)


@settings(max_examples=HANDS, deadline=None)
@given(st.data(), random_wins(reds=True), st.sampled_from(preset_ids()), INDICATORS, INDICATORS)
def test_what_is_not_asked_never_changes_a_result(
    data: st.DataObject, won: RandomWin, preset: str, dora: list[str], ura: list[str]
) -> None:
    """All truths that agree in the answers to what is asked pay the same, before each question of a talk; and
    at its end the best guess pays what the truth does."""
    rules = load_rules(preset)
    record = {name: value for name, value in won.to_record(rules).items() if name in TILE_FIELDS}
    truths = [
        (facts | {"dealer": facts["seat_wind"] == "E"}, result)
        for facts in all_facts(([], dora), ([], ura), rules, won.hand.is_closed)
        if (result := outcome(won.hand, rules, facts)) is not None
    ]
    if not truths:
        return  # five of a kind or two red fives too many
    truth, result = data.draw(st.sampled_from(truths))
    known: set[str] = set()
    asked: list[str] = []
    while True:
        found = plan(record, known)
        assert found.reach is not None
        seen: dict[tuple[object, ...], tuple[Any, Any]] = {}
        for facts, other in truths:
            assert found.reach.low <= other[0] <= found.reach.high
            first = seen.setdefault(left_open(found, facts), (facts, other))
            assert first[1] == other, (first, facts, [question.field for question in found.questions])
        if not found.questions:
            break
        question = found.questions[0]
        text = told(question, truth)
        answer = question.answer(text)
        truths = [(facts, other) for facts, other in truths if told(question, facts) == text]
        record |= answer
        known |= answer.keys()
        asked.append(question.field)
    assert len(asked) == len(set(asked))
    assert outcome(won.hand, rules, found.record) == result
