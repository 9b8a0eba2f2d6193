"""The stick of a riichi: a bright bar before a river and nothing else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.scene.laid import Laid, game_with_hand
from vision.arrays import Pixels
from vision.config import RIVERS
from vision.players import SEATS
from vision.scene.rivers import rivers
from vision.scene.sticks import stick_contrast

CLOTH, WHITE = (30, 90, 60), (235, 232, 225)


def photo(laid: Laid, bars: list[tuple[int, float, float, float]], azimuth: float) -> Pixels:
    """The tiles and white bars on cloth; a bar: its player, how far from the middle of the table, how long
    and how thick, in millimetres."""
    first = len(laid.quads)
    for seat, away, long, thick in bars:
        c, s = np.cos(seat * np.pi / 2), np.sin(seat * np.pi / 2)
        box = np.array([[-long, thick], [long, thick], [long, -thick], [-long, -thick]]) / 2
        laid.quads.append((box + np.array([3, -away])) @ np.array([[c, s], [-s, c]]))
        laid.roles.append("none")
        laid.seats.append(9)
    quads = laid.seen(azimuth=azimuth).quads
    del laid.quads[first:], laid.roles[first:], laid.seats[first:]
    picture = np.full((2000, 2000, 3), CLOTH, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(picture, quad.astype(np.int32), WHITE, cv2.LINE_AA)
    return picture


def sticks(bars: list[tuple[int, float, float, float]], azimuth: float = 0.3) -> list[bool]:
    laid, hand = game_with_hand()
    picture, found = photo(laid, bars, azimuth), laid.seen(azimuth=azimuth)
    read, compass = rivers(found, hand)
    assert compass is not None and [river.owner for river in read] == list(SEATS)
    return [stick_contrast(picture, found, river, compass) > RIVERS.stick_contrast for river in read]


@pytest.mark.parametrize("azimuth", [0.0, 0.3, 1.5, -2.5])
def test_a_stick_is_its_players(azimuth: float) -> None:
    assert sticks([(0, 48, 86, 7), (2, 45, 86, 7)], azimuth) == [True, False, True, False]


def test_a_table_without_sticks_has_none() -> None:
    assert sticks([]) == [False] * 4


def test_what_is_longer_or_thicker_is_no_stick() -> None:
    assert sticks([(0, 48, 140, 7), (2, 45, 86, 30)]) == [False] * 4
