"""The plate with the wind of the round: where it lies, and what the truth tells of it."""

from __future__ import annotations

from copy import deepcopy
from functools import cache

import numpy as np
import pytest

pytest.importorskip("numba", reason="the renderer needs numba: pip install 'tehai[render]'")

from datasets.render import game, layouts, things, varied
from datasets.render.layouts import Layout

TABLES = tuple(name for name in game.SCENES if name.startswith("table"))


@cache
def tables() -> tuple[Layout, ...]:
    return tuple(game.compose(np.random.default_rng([9, seed]), TABLES) for seed in range(16))


def spots(layout: Layout) -> list[object]:
    return [(piece.label, piece.material, *piece.centre.round(6)) for piece in layout.pieces]


def test_about_half_of_all_tables_have_one_at_the_right_corner_of_a_player() -> None:
    found = 0
    for layout in tables():
        plates = [piece for piece in layout.pieces if piece.shows]
        for plate in plates:
            found += 1
            assert plate.owner is not None and plate.shows in ("1z", "2z") and plate.label is None
            x, y, _ = layouts.about_z(-plate.owner * np.pi / 2) @ plate.centre
            assert x > 140 and y < -200
            assert all(layouts.gaps(plate, [one]).min() > 0 for one in layout.pieces if one is not plate)
        assert len(plates) <= 1
    assert 4 <= found <= 12


@pytest.mark.parametrize("compose", [lambda rng: game.compose(rng, TABLES), varied.compose])
def test_the_rest_of_a_layout_does_not_change_with_it(
    compose: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(compose)
    made, numbers = [], []
    for share in (0.0, 1.0):
        monkeypatch.setattr(things, "PLATES", share)
        rngs = [np.random.default_rng([9, seed]) for seed in range(6)]
        made.append([compose(rng) for rng in rngs])
        numbers.append([int(rng.integers(1000)) for rng in rngs])
    assert numbers[0] == numbers[1]
    for without, layout in zip(*made, strict=True):
        count = len(layout.pieces) - any(piece.shows for piece in layout.pieces)
        assert spots(layout)[:count] == spots(without)


def test_the_player_with_the_plate_gets_no_river_from_it() -> None:
    layout = deepcopy(next(one for one in tables() if one.pieces[-1].shows))
    layout.pieces, layout.hands = layout.pieces[-1:], ()
    assert game.facts(layout, {})["rivers"] == []


def test_the_truth_tells_closed_hands_and_where_the_dead_wall_lies() -> None:
    for layout in tables():
        told = game.facts(layout, {})
        shown = {hand.seat for hand in layout.hands}
        assert not shown & {*told["closed"]}
        if told["dead_wall"] is not None:
            dora = next(piece for piece in layout.pieces if piece.role == "dora")
            assert (layouts.about_z(-told["dead_wall"] * np.pi / 2) @ dora.centre)[1] < -150
