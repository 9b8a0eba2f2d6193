"""Every number on which reading rests stands in one table, with a reason."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision import layouts
from tests.vision.layouts import Laid, Scene, W
from vision.habits import HABITS, Habits, listed
from vision.reader import Engine
from vision.table import Table
from vision.weights import FILE, SIDES, TERMS, TRUSTED

VISION = Path(__file__).resolve().parents[2] / "vision"

ROOMS = (
    "candidates", "decode", "doubts", "groups", "looks", "mend", "reader", "reckoning", "rows",
    "signs", "table", "terms", "unions", "verdict",
)  # fmt: skip

PLAIN = {0, 1, 2, 3, 4, 13, 14}
"""Corners, halves, quarter turns, tiles of a set and of a hand: what no fitting may change."""

SUITS = {7, 9, 27}
"""Numbers a sequence may begin with, of a suit, and faces with a number."""

KEPT = {
    "decode": SUITS,
    "groups": SUITS,
    "reader": {1000},  # milliseconds
    "table": SUITS,
    "terms": {0.5},  # a term that counts by halves
}
TINY = 1e-6
"""What keeps a division or a logarithm from zero."""


def numbers(tree: ast.AST) -> Iterator[tuple[int, float]]:
    """Every number written in a module, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield node.lineno, node.value


@pytest.mark.parametrize("room", ROOMS)
def test_no_number_that_reading_rests_on_stands_elsewhere(room: str) -> None:
    allowed = PLAIN | KEPT.get(room, set())
    tree = ast.parse((VISION / f"{room}.py").read_text(encoding="utf-8"))
    stray = [f"line {line}: {n}" for line, n in numbers(tree) if n not in allowed and not 0 < n <= TINY]
    assert not stray, f"vision/{room}.py: name {', '.join(stray)} in vision/habits.py"


def test_every_habit_has_a_kind_and_a_reason() -> None:
    habits = list(listed())
    assert len(habits) > 100
    assert len({habit.name for habit in habits}) == len(habits)
    for habit in habits:
        assert habit.kind in ("principled", "measured", "chosen", "fitted")
        assert len(habit.reason) > 5 and not habit.reason.endswith("."), habit.name


def test_every_habit_is_used() -> None:
    used = {
        node.attr
        for room in (*ROOMS, "rivals")
        for node in ast.walk(ast.parse((VISION / f"{room}.py").read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
    }
    named = [habit.name for habit in listed() if habit.kind != "fitted"]
    assert not [name for name in named if name.partition(".")[2] not in used]


def test_every_weight_is_fitted_and_weighs_a_term() -> None:
    fitted = json.loads(FILE.read_text(encoding="utf-8"))
    assert list(fitted["weights"]) == list(TERMS), "run python -m models.habits"
    for side in SIDES:
        assert {name for name, *_ in fitted["trust"][side]["steps"]} <= set(TRUSTED)
        trusts, chances = zip(*fitted["curves"][side], strict=True)
        assert list(trusts) == sorted(trusts) and list(chances) == sorted(chances)
    written = ast.parse((VISION / "terms.py").read_text(encoding="utf-8"))
    texts = {node.value for node in ast.walk(written) if isinstance(node, ast.Constant)}
    assert set(TERMS) <= texts


def row(text: str, x: float = 0) -> list[Laid]:
    return [Laid(label, x + k * (W + 0.2), 0, 0, "hand") for k, label in enumerate(text.split())]


def test_a_table_is_read_with_other_habits() -> None:
    tiles = [*row("1m 2m 3m 4p 5p 6p"), *row("7s 8s 9s", 6 * (W + 0.2) + 4)]
    seen = layouts.photograph(Scene(tiles), np.random.default_rng(1), elevation=1.2, roll=0, doubt=0)

    def longest(habits: Habits) -> int:
        table = Table.of(seen.quads, seen.probabilities, seen.rotations, habits)
        return max(len(run.columns) for frame in table.frames for run in frame.runs)

    tidier = replace(HABITS, rows=replace(HABITS.rows, touch=2.0))
    assert (longest(HABITS), longest(tidier)) == (9, 6)
    assert Engine(habits=tidier) != Engine() and hash(Engine(habits=HABITS)) == hash(Engine())
