"""The measure of whole tables: what counts as right of a river."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.renders import Render
from models.tables import check_table, report
from vision.players import SeenPlayer, SeenRiver, SeenTable
from vision.reading import Reading, SeenTile, quad_of

SIDE = 40.0
RIVER = [0, 1, 2, 3]


def box(x: float, y: float) -> np.ndarray:
    return np.array([[x, y], [x + SIDE, y], [x + SIDE, y + SIDE], [x, y + SIDE]], np.float32)


@pytest.fixture
def render() -> Render:
    """A hand of seat 1, and its river of four, the third turned."""
    quads = np.stack([*(box(100 + 50 * k, 100) for k in range(4)), *(box(50 * k, 400) for k in range(3))])
    return Render(
        Path("x.jpg"), "game", quads,
        ("1m", "2m", "3m", "4m", "1z", "1z", "1z"), ("river",) * 4 + ("hand",) * 3,
        np.ones(7, np.float32), None, seats=(None,) * 4 + (1,) * 3, owners=(1,) * 4 + (None,) * 3,
        orders=(0, 1, 2, 3, None, None, None), sideways=(False, False, True, False, False, False, False),
    )  # fmt: skip


def reading(render: Render, river: list[int], riichi: int, turned: float = 0.99) -> Reading:
    tiles = tuple(
        SeenTile(quad_of(quad), label, 0.9, ("1p", 0.1), role="hand" if role == "hand" else "other")
        for quad, label, role in zip(render.quads, render.labels, render.roles, strict=True)
    )
    seen = SeenRiver(tuple(river), (len(river),), riichi, turned, 0.9)
    return Reading("", 500, 500, tuple(tiles), None, {}, "ok", table=SeenTable((SeenPlayer("near", seen),)))


def test_a_river_that_is_read_as_it_lies(render: Render) -> None:
    counts = check_table(reading(render, RIVER, 2), render)
    assert (counts["discards"], counts["right"], counts["face"], counts["rivers"]) == (4, 4, 4, 1)
    assert counts["turned right"] == counts["turned"] == counts["sure right"] == 1
    assert "4 of 4" in "\n".join(report({"held-old": counts}))


def test_a_tile_that_is_missed_costs_itself_alone(render: Render) -> None:
    counts = check_table(reading(render, [0, 2, 3], 1), render)
    assert (counts["discards"], counts["right"], counts["river right"]) == (4, 3, 0)
    assert counts["turned right"] == 1


def test_tiles_that_changed_places_are_both_wrong(render: Render) -> None:
    counts = check_table(reading(render, [1, 0, 2, 3], 3), render)
    assert (counts["owner"], counts["right"]) == (4, 2)
    assert (counts["turned right"], counts["sure right"]) == (0, 0)


def test_another_players_river_is_wrong(render: Render) -> None:
    read = reading(render, RIVER, 2)
    assert read.table is not None and read.table.players[0].river is not None
    across = SeenTable((SeenPlayer("across", read.table.players[0].river),))
    other = Reading("", 500, 500, read.tiles, None, {}, "ok", table=across)
    assert check_table(other, render)["owner"] == 0


def test_no_table_reads_nothing(render: Render) -> None:
    counts = check_table(Reading("", 500, 500, (), None, {}, "error"), render)
    assert (counts["discards"], counts["read"], counts["turned"]) == (4, 0, 1)


def test_an_unsure_turn_is_none(render: Render) -> None:
    counts = check_table(reading(render, RIVER, 2, 0.4), render)
    assert counts["turned right"] == counts["sure"] == 0


def test_closed_hands_and_the_dead_wall_are_those_of_their_players(render: Render) -> None:
    render = replace(render, closed=(2, 3), dead_wall=0)
    players = (SeenPlayer("right", closed=(0, 1)), SeenPlayer("left", closed=(2, 3)))
    read = replace(reading(render, RIVER, 2), table=SeenTable(players, dead_wall="left"))
    counts = check_table(read, render)
    kinds = ("closed named", "closed right", "dead wall named", "dead wall right")
    assert [counts[kind] for kind in kinds] == [2, 1, 1, 1]
    older = check_table(read, replace(render, closed=None))
    assert not any(older[kind] for kind in kinds), "drawings of which nobody knows are not counted"
