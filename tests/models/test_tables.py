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


@pytest.mark.parametrize(
    ("river", "riichi", "turned", "wanted"),
    [
        (RIVER, 2, 0.99, {"discards": 4, "right": 4, "face": 4, "rivers": 1, "river right": 1}),
        (RIVER, 2, 0.99, {"turned": 1, "turned right": 1, "sure right": 1}),
        # A tile that is missed costs itself alone; those that changed places are both wrong.
        ([0, 2, 3], 1, 0.99, {"discards": 4, "right": 3, "river right": 0, "turned right": 1}),
        ([1, 0, 2, 3], 3, 0.99, {"owner": 4, "right": 2, "turned right": 0, "sure right": 0}),
        (RIVER, 2, 0.4, {"turned right": 0, "sure": 0}),  # an unsure turn is none
    ],
)
def test_how_a_river_is_read(
    river: list[int], riichi: int, turned: float, wanted: dict[str, int], render: Render
) -> None:
    counts = check_table(reading(render, river, riichi, turned), render)
    assert {kind: counts[kind] for kind in wanted} == wanted
    assert f"{counts['right']} of 4" in "\n".join(report({"held-old": counts}))


def test_another_players_river_is_wrong(render: Render) -> None:
    read = reading(render, RIVER, 2)
    assert read.table is not None
    across = SeenTable((replace(read.table.players[0], seat="across"),))
    assert check_table(replace(read, table=across), render)["owner"] == 0


def test_no_table_reads_nothing(render: Render) -> None:
    counts = check_table(Reading("", 500, 500, (), None, {}, "error"), render)
    assert (counts["discards"], counts["read"], counts["turned"]) == (4, 0, 1)


def test_closed_hands_and_the_dead_wall_are_those_of_their_players(render: Render) -> None:
    render = replace(render, closed=(2, 3), dead_wall=0)
    players = (SeenPlayer("right", closed=(0, 1)), SeenPlayer("left", closed=(2, 3)))
    read = replace(reading(render, RIVER, 2), table=SeenTable(players, dead_wall="left"))
    counts = check_table(read, render)
    kinds = ("closed named", "closed right", "dead wall named", "dead wall right")
    assert [counts[kind] for kind in kinds] == [2, 1, 1, 1]
    older = check_table(read, replace(render, closed=None))
    assert not any(older[kind] for kind in kinds), "drawings of which nobody knows are not counted"
