"""Scored hands of the oracle, field by field; skipped where the files are not at hand."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.oracle import FILES, HANDS, differences, read_hands, rules_of
from benchmarks.questions import TILE_FIELDS, talk
from scorer import score_record
from scorer.asking.plan import apply_defaults


def hands(name: str) -> list[dict[str, Any]]:
    path = HANDS / name
    if not path.is_file():
        pytest.skip(f"no scored hands at {path}; TEHAI_DATA names another data folder")
    return list(read_hands(path))


@pytest.mark.parametrize("name", FILES)
def test_no_hand_differs(name: str) -> None:
    """Of the many one in five; ``python -m benchmarks.oracle`` compares all."""
    records = hands(name)
    assert records
    records = records[:: 5 if len(records) > 1000 else 1]
    wrong = [(record["ref"], found) for record in records if (found := differences(record, rules_of(record)))]
    assert wrong == []


def test_the_questions_ask_all_that_matters() -> None:
    """A player who answers what is asked, and nothing else, gets the score of the log."""
    for truth in hands(FILES[0])[::1000]:
        truth = apply_defaults(truth | {"rules": "tenhou", "dealer": truth["seat_wind"] == "E"})
        asked, record, _ = talk(truth, set(TILE_FIELDS))
        assert len(asked) == len(set(asked)) <= 6
        assert score_record(record)["points"] == truth["expected"]["points"], asked
