"""How far the hand has gone by the rivers of a photo: whether it can be the first turn or the last tile.

The number of drawn tiles equals the number of tiles in the rivers, plus one for the winning tile. A called
discard leaves its river, but the discard after the call replaces it.
"""

from __future__ import annotations

from typing import Final

from scorer.tiles import COPIES
from vision.players import SEATS, SeenRiver, SeenTable

SURE_RIVER: Final = 0.9
"""The least probability of a reliable river."""

HIDDEN: Final = 2
"""The most discards of a visible river that the photo may hide."""

LONGER: Final = 4
"""The most discards by which a hidden river may exceed the longest visible one."""

_DEAD: Final = 14
_DEALT: Final = 13
_DRAWS: Final = {
    4: 4 * 34 - _DEAD - 4 * _DEALT - COPIES,
    3: 4 * 27 - _DEAD - 3 * _DEALT - 2 * COPIES,
}
"""By number of players, the least number of tiles to draw. Each kan, and each north set aside, takes one off
the wall."""


def sure_rivers(table: SeenTable) -> dict[str, SeenRiver]:
    """The reliable rivers by player."""
    rivers = {player.seat: player.river for player in table}
    return {seat: river for seat, river in rivers.items() if river and river.probability >= SURE_RIVER}


def is_after_first_turn(table: SeenTable) -> bool:
    """Whether the first turn of the near player is over: that player has discarded, or another one twice."""
    return any(len(river.tiles) > (seat != "near") for seat, river in sure_rivers(table).items())


def is_before_last_tile(table: SeenTable) -> bool:
    """Whether the wall has tiles left, for three and for four players (:func:`most_discards`)."""
    sure = sure_rivers(table)
    if not sure:
        return False
    most = most_discards(table)
    total, unseen = sum(most.values()), [count for seat, count in most.items() if seat not in sure]
    fits_three = not unseen or total - min(unseen) + 1 < _DRAWS[3]
    return total + 1 < _DRAWS[4] and fits_three


def is_last_tile(table: SeenTable, kans: int) -> bool:
    """Whether the rivers of four players show that the wall is empty: they lack at most the winning tile.
    ``kans``: the visible kans, each of which took a tile off the wall."""
    sure = sure_rivers(table)
    draws = _DRAWS[4] + COPIES
    return len(sure) == len(SEATS) and sum(len(river.tiles) for river in sure.values()) + kans >= draws - 1


def most_discards(table: SeenTable) -> dict[str, int]:
    """The most discards of each player, hidden ones included. It needs at least one reliable river."""
    sure = sure_rivers(table)
    longest = max(len(river.tiles) for river in sure.values())
    most: dict[str, int] = {}
    for seat in SEATS:
        river = table.river(seat)
        seen = 0 if river is None else len(river.tiles) + HIDDEN
        most[seat] = seen if seat in sure else max(seen, longest + LONGER)
    return most
