"""A hand group by group, as a picture of it has it."""

from __future__ import annotations

from scorer.hand import MeldType
from scorer.laid import Laid


def hand_groups(laid: Laid) -> list[tuple[str, list[str]]]:
    """The hand as it lies: (what it is, its tiles) for the closed tiles, the winning tile and each meld."""
    groups = [
        ("in hand" if any(meld.is_open for meld in laid.melds) else "closed", list(map(str, laid.concealed)))
    ]
    if laid.win_tile is not None:
        groups.append(("wins on", [str(laid.win_tile)]))
    for meld in laid.melds:
        tiles = list(map(str, meld.tiles))
        if meld.type is MeldType.ANKAN:
            tiles[0] = tiles[3] = "back"
        groups.append((str(meld.type), tiles))
    return [(name, tiles) for name, tiles in groups if tiles]
