"""How far a game had gone by its rivers."""

from __future__ import annotations

import pytest

from tehai.hand.turns import is_after_first_turn, is_before_last_tile, most_discards
from vision.players import SEATS, SeenPlayer, SeenRiver, SeenTable


def table(sure: float = 0.95, **lengths: int) -> SeenTable:
    """A table with rivers of so many discards."""
    return SeenTable(tuple(
        SeenPlayer(seat, SeenRiver(tuple(range(count)), (count,), 0, 0.01, sure))
        for seat in SEATS
        if (count := lengths.get(seat))
    ))  # fmt: skip


def four(each: int) -> SeenTable:
    return table(**dict.fromkeys(SEATS, each))


@pytest.mark.parametrize(
    ("seen", "after"),
    [
        (table(near=1), True),
        (table(left=1), False),  # the dealer's first discard may be what won
        (table(left=2), True),
        (table(near=5, sure=0.8), False),
        (SeenTable(()), False),
    ],
)
def test_a_first_turn_is_over_once_one_had_two(seen: SeenTable, after: bool) -> None:
    assert is_after_first_turn(seen) is after


def test_four_rivers_are_counted_with_what_the_photo_may_hide() -> None:
    assert most_discards(four(10)) == dict.fromkeys(SEATS, 12)
    assert is_before_last_tile(four(14)) and not is_before_last_tile(four(15))


def test_a_river_that_is_not_seen_is_longer_than_the_longest() -> None:
    assert most_discards(table(near=8, right=10)) == {"near": 10, "right": 12, "across": 14, "left": 14}
    assert is_before_last_tile(table(near=11)) and not is_before_last_tile(table(near=13))


def test_a_river_that_is_not_believed_is_as_one_that_is_not_seen() -> None:
    doubtful = table(across=18, sure=0.5)
    both = SeenTable((*table(near=8).players, *doubtful.players))
    assert most_discards(both)["across"] == 20
    assert not is_before_last_tile(doubtful)


def test_three_players_draw_fewer() -> None:
    three = table(near=13, right=13, left=14)
    assert not is_before_last_tile(three), "55 draws, less 4 kans and 4 norths"
    assert is_before_last_tile(table(near=13, right=13, across=13, left=14)), "so many rivers are of four"
