"""What lies around the rivers: closed hands and the dead wall."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.scene.laid import H, Laid, W, game_with_hand
from vision.players import SeenTable
from vision.scene.decode import HandReading, PlayerReadings, Scene
from vision.scene.table import table as table_of

NO_PHOTO = np.zeros((20, 20, 3), np.uint8)


def seen(laid: Laid, near: list[int], dora: tuple[int, ...] = ()) -> SeenTable:
    hand = HandReading(tuple((tile, 0) for tile in near), (), None, False, 0.0)
    scene = Scene((PlayerReadings((hand,), 6.0),), tuple((tile, 0) for tile in dora), ())
    found = table_of(NO_PHOTO, laid.seen(), scene, {i: i for i in range(len(laid.quads))})
    assert found is not None
    return found


def backs(laid: Laid, seat: int, y: float, role: str, count: int = 13) -> tuple[int, ...]:
    first = len(laid.quads)
    for k in range(count):
        laid.put((k - (count - 1) / 2) * W, y, seat, role, back=True)
    return tuple(range(first, first + count))


def test_backs_outside_the_walls_are_a_closed_hand() -> None:
    laid, near = game_with_hand()
    left = backs(laid, 3, -320, "wall")  # as the scene model often has it
    wall = backs(laid, 1, -200, "wall")
    backs(laid, 2, -320, "none", count=4)
    laid.put(0, -460, 2, "none", back=True)  # what lies farther off is not of that hand
    table = seen(laid, near)
    players = {player.seat: player for player in table}
    assert table.wall == wall
    assert players["left"].closed == left and players["left"].hand == ()
    assert not any(players[seat].closed for seat in ("near", "right", "across"))


def test_a_hand_that_lies_open_is_not_closed() -> None:
    laid, near = game_with_hand()
    backs(laid, 0, -350, "none")
    assert seen(laid, near).players[0].closed == ()


@pytest.mark.parametrize("seat", [0, 2, 3])
def test_the_dead_wall_is_where_an_indicator_lies_between_backs(seat: int) -> None:
    laid, near = game_with_hand()
    wall = backs(laid, seat, -200, "wall", count=7)
    laid.put(-W, -200 + H / 4, seat, "dora")
    assert seen(laid, near, (wall[-1] + 1,)).dead_wall == ("near", "right", "across", "left")[seat]


def test_indicators_that_lie_apart_name_no_wall() -> None:
    laid, near = game_with_hand()
    backs(laid, 2, -200, "wall")
    laid.put(200, -250, 0, "dora")
    assert seen(laid, near, (len(laid.quads) - 1,)).dead_wall is None
    assert seen(laid, near).dead_wall is None
