"""A question that is not asked never changes a result: the planner against every way to have won.

``TEHAI_PLANS=3000 python -m pytest tests/scorer/test_pruning.py`` tries that many hands.
"""

from __future__ import annotations

import os
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.questions import told
from scorer import Hand, format_tiles, load_rules, preset_ids
from scorer.questions import plan
from scorer.tiles import KINDS, TILES
from scorer.topics import winning_tiles
from tests.scorer.branching import Facts, Outcome, all_facts, left_open, outcome
from tests.scorer.random_wins import RandomWin, random_wins

HANDS = int(os.environ.get("TEHAI_PLANS", "20"))
TILE_FIELDS = ("rules", "concealed", "win_tile", "melds")

INDICATORS = st.lists(st.sampled_from([str(tile) for tile in TILES[:KINDS]]), max_size=3)


Truth = tuple[Facts, Outcome]


def check_talk(record: dict[str, Any], truths: list[Truth], truth: Truth) -> dict[str, Any]:
    """The record at the end of a talk with a player who knows the truth. Before each question all truths that
    agree in the answers to what is asked must pay the same, and lie in the range that is said."""
    known: set[str] = set()
    asked: list[str] = []
    while True:
        found = plan(record, known)
        assert found.reach is not None
        seen: dict[tuple[object, ...], Truth] = {}
        for facts, result in truths:
            assert found.reach.low <= result[0] <= found.reach.high
            other, pays = seen.setdefault(left_open(found, facts), (facts, result))
            assert pays == result, (other, facts, [question.field for question in found.questions])
        if not found.questions:
            assert len(asked) == len(set(asked))
            return found.record
        question = found.questions[0]
        text = told(question, truth[0])
        answer = question.answer(text)
        truths = [one for one in truths if told(question, one[0]) == text]
        record = record | answer
        known |= answer.keys()
        asked.append(question.field)


@settings(max_examples=HANDS, deadline=None)
@given(st.data(), random_wins(reds=True), st.sampled_from(preset_ids()), INDICATORS, INDICATORS)
def test_what_is_not_asked_never_changes_a_result(
    data: st.DataObject, won: RandomWin, preset: str, dora: list[str], ura: list[str]
) -> None:
    rules = load_rules(preset)
    record = {name: value for name, value in won.to_record(rules).items() if name in TILE_FIELDS}
    truths = [
        (facts, result)
        for facts in all_facts(([], dora), ([], ura), rules, won.hand.is_closed)
        if (result := outcome(won.hand, rules, facts)) is not None
    ]
    if truths:  # not so with five of a kind or two red fives too many
        truth = data.draw(st.sampled_from(truths))
        assert outcome(won.hand, rules, check_talk(record, truths, truth)) == truth[1]


@settings(max_examples=HANDS // 3, deadline=None)
@given(
    st.data(), random_wins(), st.sampled_from(preset_ids()), st.sampled_from("SWN"), st.sampled_from("ESW")
)
def test_nor_where_any_tile_may_have_won(
    data: st.DataObject, won: RandomWin, preset: str, seat: str, wind: str
) -> None:
    """The same of a full row, for every tile of it."""
    rules, melds = load_rules(preset), won.hand.melds
    row = (*won.hand.concealed, won.hand.win_tile)
    record = {name: value for name, value in won.to_record(rules).items() if name in ("rules", "melds")}
    hands = {
        str(tile): Hand(rest, tile, melds) for tile, rest in winning_tiles(row, cast(Any, record["melds"]))
    }
    truths = [
        (facts | {"win_tile": tile, "concealed": format_tiles(hand.concealed)}, result)
        for tile, hand in hands.items()
        for facts in all_facts(([],), ([],), rules, hand.is_closed, f"E{seat}", wind)
        if (result := outcome(hand, rules, facts)) is not None
    ]
    if truths:
        truth = data.draw(st.sampled_from(truths))
        found = check_talk(record | {"concealed": format_tiles(row)}, truths, truth)
        assert outcome(hands[found["win_tile"]], rules, found) == truth[1]
