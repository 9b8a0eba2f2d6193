"""No cell of a table is a formula to a spreadsheet, and every text comes back."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from scorer import replay
from tehai.game.sheet import sheet
from tehai.output.cells import cell, value_of
from tests.scorer.short_games import DRAW, start

FORMULAS = ("=1+2", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x")')


@given(st.text() | st.from_regex(r"'*[=+@\t-].*"))
def test_a_text_comes_back(text: str) -> None:
    written = cell(text)
    assert isinstance(written, str) and value_of(written) == text
    assert not written.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_numbers_stay_numbers() -> None:
    assert [cell(value) for value in (-8000, 0.5, 0)] == [-8000, 0.5, 0]


def test_players_are_no_formulas() -> None:
    begun = {**start(), "players": list(FORMULAS[:4])}
    rows = list(csv.reader(io.StringIO(sheet(replay([begun, DRAW])))))
    assert rows[0][5:] == [f"'{name} change" for name in FORMULAS[:4]] + [f"'{name}" for name in FORMULAS[:4]]
    assert all(int(value) == int(value) for row in rows[2:] for value in row[5:])
