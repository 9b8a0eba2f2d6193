"""The groups of a hand, for drawing it."""

from __future__ import annotations

from scorer.hand import MeldType
from scorer.hand_tiles import HandTiles


def hand_groups(hand_tiles: HandTiles) -> list[tuple[str, list[str]]]:
    """(name, tiles) of the closed tiles, the winning tile and each meld, without empty groups.

    A name is ``closed``, ``in_hand`` (beside open melds), ``wins_on``, or the type of the meld.
    """
    groups = [
        (
            "in_hand" if any(meld.is_open for meld in hand_tiles.melds) else "closed",
            list(map(str, hand_tiles.concealed)),
        )
    ]
    if hand_tiles.win_tile is not None:
        groups.append(("wins_on", [str(hand_tiles.win_tile)]))
    for meld in hand_tiles.melds:
        tiles = list(map(str, meld.tiles))
        if meld.type is MeldType.ANKAN:
            tiles[0] = tiles[3] = "back"
        groups.append((str(meld.type), tiles))
    return [(name, tiles) for name, tiles in groups if tiles]
