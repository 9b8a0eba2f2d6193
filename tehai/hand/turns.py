"""How far a game had gone by the rivers of a photo: whether a win can be on the first turn or the last tile.

Each discard that lies in a river was drawn, or it followed a call, which took another discard away. So as
many tiles were drawn as lie in the rivers, and one more if the winner drew it or took it from a river.
"""

from __future__ import annotations

from typing import Final

from scorer.tiles import COPIES
from vision.players import SEATS, SeenRiver, SeenTable

SURE_RIVER: Final = 0.9
"""Probability from which a river is believed to be one player's."""

HIDDEN: Final = 2
"""How many discards of a river that is seen the photo may not show."""

LONGER: Final = 4
"""By how many discards a river that is not seen may be longer than the longest that is."""

_DEAD: Final = 14
_DEALT: Final = 13
_DRAWS: Final = {
    4: 4 * 34 - _DEAD - 4 * _DEALT - COPIES,
    3: 4 * 27 - _DEAD - 3 * _DEALT - 2 * COPIES,
}
"""By how many play, how many tiles can be drawn at least: each kan takes one off the end of the wall, and so
does each north that is set aside."""


def sure_rivers(table: SeenTable) -> dict[str, SeenRiver]:
    """The rivers that are believed, by their players."""
    rivers = {player.seat: player.river for player in table}
    return {seat: river for seat, river in rivers.items() if river and river.probability >= SURE_RIVER}


def is_after_first_turn(table: SeenTable) -> bool:
    """Whether the near player had a turn, or a call ended the first one: that player has discarded, or
    another one twice."""
    return any(len(river.tiles) > (seat != "near") for seat, river in sure_rivers(table).items())


def is_before_last_tile(table: SeenTable) -> bool:
    """Whether tiles are left in the wall, however three or four have played (:func:`most_discards`)."""
    sure = sure_rivers(table)
    if not sure:
        return False
    most = most_discards(table)
    total, unseen = sum(most.values()), [count for seat, count in most.items() if seat not in sure]
    fits_three = not unseen or total - min(unseen) + 1 < _DRAWS[3]
    return total + 1 < _DRAWS[4] and fits_three


def is_last_tile(table: SeenTable, kans: int) -> bool:
    """Whether the rivers of four players leave nothing in the wall: of all that can be drawn they lack one at
    most, which the winner drew or won on. ``kans``: those that are seen, each of which took a tile off the
    wall's end."""
    sure = sure_rivers(table)
    draws = _DRAWS[4] + COPIES
    return len(sure) == len(SEATS) and sum(len(river.tiles) for river in sure.values()) + kans >= draws - 1


def most_discards(table: SeenTable) -> dict[str, int]:
    """How many discards may lie before each player, those that the photo does not show among them. At least
    one river must be believed."""
    sure = sure_rivers(table)
    longest = max(len(river.tiles) for river in sure.values())
    most: dict[str, int] = {}
    for seat in SEATS:
        river = table.river(seat)
        seen = 0 if river is None else len(river.tiles) + HIDDEN
        most[seat] = seen if seat in sure else max(seen, longest + LONGER)
    return most
