"""Every scored hand of the oracle, field by field; skipped where the files are not at hand."""

from __future__ import annotations

import pytest

from benchmarks.oracle import FILES, HANDS, differences, read_hands, rules_of


@pytest.mark.parametrize("name", FILES)
def test_no_hand_differs(name: str) -> None:
    path = HANDS / name
    if not path.is_file():
        pytest.skip(f"no scored hands at {path}; TEHAI_DATA names another data folder")
    records = list(read_hands(path))
    assert records
    wrong = [(record["ref"], found) for record in records if (found := differences(record, rules_of(record)))]
    assert wrong == []
