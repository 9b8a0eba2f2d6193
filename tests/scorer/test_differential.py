"""Random wins against what other scorers say of them; ``benchmarks.differential`` compares many more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.differential import (
    PLAYS,
    Case,
    Difference,
    difference,
    explains,
    explanations,
    our_answer,
    saved,
)

ANSWERS = Path(__file__).parent / "data" / "peers.jsonl.gz"
"""Kept by ``--hands 1000 --seed 3 --save``: the peers themselves are not needed here."""


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return list(saved(ANSWERS))


def test_every_difference_is_explained(cases: list[Case]) -> None:
    entries = explanations()
    found = [one for case in cases if (one := difference(case))]
    assert [one for one in found if not any(explains(entry, one) for entry in entries)] == []


def test_all_kinds_of_wins_are_among_them(cases: list[Case]) -> None:
    tables = Counter((peer, record["rules"]) for peer, record, _ in cases)
    assert set(tables) == {(peer, table) for peer, tables in PLAYS.items() for table in tables}
    assert min(tables.values()) >= 200
    records = [record for _, record, _ in cases]
    flags = (
        "tsumo", "riichi", "double_riichi", "ippatsu", "rinshan", "chankan", "haitei", "houtei", "tenhou",
        "chiihou", "renhou",
    )  # fmt: skip
    assert all(any(record[flag] for record in records) for flag in flags)
    melds = {meld["type"] for record in records for meld in record["melds"]}
    assert melds == {"chi", "pon", "minkan", "kakan", "ankan"}
    assert (
        {record["seat_wind"] for record in records}
        == {record["round_wind"] for record in records}
        == set("ESWN")
    )
    yaku = {id_ for _, _, answer in cases for id_, _ in answer.get("yaku", ())}
    assert len(yaku) > 40 and {"dora", "aka", "ura"} <= yaku


def test_a_wrong_answer_is_a_difference(cases: list[Case]) -> None:
    """Each field that is compared can fail the comparison."""
    peer, record, theirs = next(case for case in cases if difference(case) is None and "han" in case[2])
    ours = our_answer(peer, record)
    for field, value in {
        "han": ours["han"] + 1,
        "fu": 120,
        "yaku": [*ours["yaku"], ["dora", 1]],
        "deltas": [0] * 4,
        "error": "no_yaku",
    }.items():
        found = difference((peer, record, {**theirs, field: value}))
        assert found is not None and list(found.fields) == [field]


@pytest.mark.parametrize("entry", explanations(), ids=lambda entry: entry["id"])
def test_an_explanation_names_its_pattern_and_its_source(entry: dict[str, Any]) -> None:
    assert set(entry["peers"]) <= set(PLAYS)
    assert any(set(entry["tables"]) <= set(PLAYS[peer]) for peer in entry["peers"]) or len(entry["peers"]) > 1
    assert all(entry[key].strip() for key in ("id", "ours", "theirs")) and "§" in entry["source"]
    assert set(entry) <= {
        "id", "peers", "tables", "fields", "hand", "values", "yakuman", "ours", "theirs", "source",
    }  # fmt: skip
    other = Difference("nobody", {"rules": entry["tables"][0]}, {"fu": (0, 30)})
    assert not explains(entry, other)
