"""Rivers by geometry: whose each is, in which order it was discarded, and which tile lies turned."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.scene.laid import Laid, W, game, game_with_hand
from vision.players import SEATS, SeenTable
from vision.quads import project
from vision.reading import Reading
from vision.scene.decode import CalledSet, HandReading, PlayerReadings, Scene
from vision.scene.rivers import River, rivers
from vision.scene.table import table


def likeliest(river: River) -> int:
    return int(np.argmax(river.sideways))


@pytest.mark.parametrize("azimuth", [0.0, 0.5, np.pi / 2, np.pi, -2.0])
@pytest.mark.parametrize("elevation", [0.7, 1.4])
def test_each_river_is_its_players_in_order(azimuth: float, elevation: float) -> None:
    laid, hand = game_with_hand()
    found, compass = rivers(laid.seen(elevation, azimuth), hand)
    assert compass is not None and [river.owner for river in found] == list(SEATS)
    for seat, river in enumerate(found):
        assert river.tiles == tuple(i for i, role in enumerate(laid.roles)
                                    if role == "river" and laid.seats[i] == seat)  # fmt: skip
    assert [river.rows for river in found] == [(6, 6, 2), (6, 6, 1), (6, 1), (6, 6)]


def test_the_turned_tile_is_told() -> None:
    laid, hand = game_with_hand()
    found, _ = rivers(laid.seen(), hand)
    assert likeliest(found[0]) == 8 and max(found[0].sideways) > 0.9
    assert likeliest(found[2]) == 3 and max(found[2].sideways) > 0.9
    assert max((*found[1].sideways, *found[3].sideways)) < 0.1


@pytest.mark.parametrize(
    ("seat", "azimuth", "lengths"), [(1, 0.0, [13, 7, 12, 14]), (None, 0.2, [14, 13, 7, 12])]
)
def test_who_has_the_hand_is_near_and_without_one_the_camera_says_who(
    seat: int | None, azimuth: float, lengths: list[int]
) -> None:
    laid, hand = (game(), None) if seat is None else game_with_hand(seat)
    found, _ = rivers(laid.seen(azimuth=azimuth), hand or ())
    assert [river.owner for river in found] == list(SEATS)
    assert [len(river.tiles) for river in found] == lengths


def test_faces_that_look_alike_upside_down_do_not_turn_a_river_round() -> None:
    laid, hand = game_with_hand()
    found = laid.seen()
    assert found.turns is not None
    found.turns[:30:2] = found.turns[:30:2][:, [2, 1, 0, 3]]
    found.turns[:30:2] = (0.45, 0.05, 0.45, 0.05)
    found.quads[:30:4] = np.roll(found.quads[:30:4], 2, axis=1)
    read, _ = rivers(found, hand)
    assert [river.owner for river in read] == list(SEATS)
    assert read[0].tiles == tuple(range(14))


def test_a_tile_of_the_hand_is_no_discard_whatever_it_looks_like() -> None:
    laid, hand = game_with_hand()
    found = laid.seen()
    assert found.roles is not None
    found.roles[hand] = found.roles[0]
    read, _ = rivers(found, hand)
    assert read[0].tiles == tuple(range(14))


def test_what_lies_apart_is_no_discard() -> None:
    """As tiles of a hand that lies open, and that the scene model takes for its player's discards."""
    laid = game()
    alone = rivers(laid.seen())
    for x in (-40, -20, 0):
        laid.put(x, -260, 3, "river")
    beside = rivers(laid.seen())
    assert [river.tiles for river in beside[0]] == [river.tiles for river in alone[0]]


def test_two_discards_are_no_river() -> None:
    laid = Laid()
    laid.river(0, 2)
    assert rivers(laid.seen()) == ((), None)


# --- as a reading tells it ----------------------------------------------------------------------------------


NO_PHOTO = np.zeros((20, 20, 3), np.uint8)


def scene_of(*hands: HandReading) -> Scene:
    return Scene(tuple(PlayerReadings((hand,), 6.0) for hand in hands), (), ())


def hand_of(tiles: list[int], called: tuple[CalledSet, ...] = ()) -> HandReading:
    return HandReading(tuple((tile, 0) for tile in tiles), called, None, False, 0.0)


def test_the_table_names_every_player_by_places_in_the_reading() -> None:
    laid, hand = game_with_hand()
    near = hand_of(hand)
    for k in range(3):
        laid.put(150 + k * W, -300, 2, "called")
    first = len(laid.quads) - 3
    called = CalledSet((first, first + 1, first + 2), (0, 0, 0), 1.0)
    found = laid.seen()
    places = {i: 100 + i for i in range(len(found)) if i != 5}
    seen = table(NO_PHOTO, found, scene_of(near, hand_of([], (called,))), places)
    assert seen is not None and [player.seat for player in seen] == list(SEATS)
    river = seen.river("near")
    assert river is not None and 105 not in river.tiles and river.rows == (5, 6, 2)
    assert river.riichi == 7 and river.after_riichi == (109, 110, 111, 112, 113)
    assert [each.type for each in seen.players[2].called] == ["pon"]
    assert seen.players[0].hand == tuple(100 + i for i in near.tiles)


def test_no_river_no_table() -> None:
    laid = Laid()
    hand = hand_of(laid.hand(0))
    assert table(NO_PHOTO, laid.seen(), scene_of(hand), {i: i for i in hand.tiles}) is None


def test_a_table_goes_through_json() -> None:
    laid, hand = game_with_hand()
    seen = table(NO_PHOTO, laid.seen(), scene_of(hand_of(hand)), {i: i for i in range(len(laid.quads))})
    assert seen is not None
    again = SeenTable.from_record(seen.to_record())
    assert again.to_record() == seen.to_record()
    reading = Reading("", 1, 1, (), None, {}, "error", table=seen)
    assert Reading.from_record(reading.to_record()).table == again
    older = {name: value for name, value in reading.to_record().items() if name != "table"}
    assert Reading.from_record(older).table is None


def test_the_compass_knows_who_sits_where() -> None:
    laid = game()
    found = laid.seen()
    _, compass = rivers(found)
    assert compass is not None
    for seat, name in enumerate(SEATS):
        mine = [i for i, whose in enumerate(laid.seats) if whose == seat]
        assert compass.seat_at(found.quads[mine].astype(float)) == name
    assert np.isfinite(project(found.quads.astype(float), compass.plane)).all()
