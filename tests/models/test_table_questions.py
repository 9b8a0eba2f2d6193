"""How many questions a table leaves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.table_questions import asked, check_questions
from datasets.renders import Render
from tests.tehai.readings import SURE, quad
from vision.players import SeenPlayer, SeenRiver, SeenTable
from vision.reading import SeenTile

TILES = tuple(SeenTile(quad(30 + k), label, 0.99, ("1m", 0.01)) for k, label in enumerate(("1z", "9m", "2z")))
RIVER = SeenRiver((14, 15, 16), (3,), 1, 0.99, 0.95, stick=True)
READ = replace(SURE, tiles=(*SURE.tiles, *TILES), table=SeenTable((SeenPlayer("near", RIVER),)))


def render(*declared: int, discards: int = 3) -> Render:
    quads = np.zeros((3, 4, 2), np.float32)
    return Render(
        Path("x.jpg"), "game", quads, ("1z", "9m", "2z"), ("river",) * 3, np.ones(3, np.float32), None,
        owners=(0, 0, 0), orders=(0, 1, 2), sideways=(False, True, False), declared=declared,
        discards=discards,
    )  # fmt: skip


def test_a_table_saves_the_question_that_it_answers() -> None:
    assert asked(SURE, riichi=True) - asked(READ, riichi=True) == 1


def test_what_was_taken_is_held_against_the_truth() -> None:
    right = check_questions(READ, render(0), 0)
    assert (right["taken"], right["taken right"], right["put first"]) == (3, 3, 0)
    wrong = check_questions(READ, render(2), 0)
    assert (wrong["taken"], wrong["taken right"]) == (3, 2)


def test_first_answers_are_counted_apart() -> None:
    alone = replace(READ, table=SeenTable((SeenPlayer("near", replace(RIVER, stick=False)),)))
    counts = check_questions(alone, render(0), 0)
    assert (counts["put first"], counts["put first right"], counts["taken"]) == (1, 1, 2)


def test_a_win_in_the_middle_is_held_against_all_discards_that_lie_there() -> None:
    few, many, none = render(discards=40), render(discards=69), replace(render(), owners=(1, 1, 1))
    kinds = ("first turn", "first turn right", "last tile", "last tile right", "bound", "bound right")
    found = [check_questions(READ, each, 0) for each in (few, many, none)]
    assert [[counts[kind] for kind in kinds] for counts in found] == [
        [1, 1, 1, 1, 1, 0],  # of a river of 3 no more than 26 are thought possible
        [1, 1, 1, 0, 1, 0],
        [1, 0, 1, 1, 1, 1],
    ]


def test_what_is_not_finished_is_not_asked_about() -> None:
    assert not check_questions(replace(READ, status="incomplete"), render(0), 0)
    assert not check_questions(replace(READ, table=None), render(0), 0)
