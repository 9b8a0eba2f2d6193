"""What a hand one tile short waits for, in which ways, and whether a ron is forbidden to it (furiten)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from scorer.hand import Hand, Meld, melds_of
from scorer.readings import Wait, readings, waits
from scorer.tiles import Tile, Tiles, tiles_of


def wait_kinds(concealed: Tiles, melds: Iterable[Meld] = ()) -> Mapping[Tile, frozenset[Wait]]:
    """For each tile that the hand waits for, every kind of wait that it can end, lowest kind first.

    A tile may finish more than one set, and the winner chooses (EMA 2008 §4.1.1, Toudai §3.2.5). Empty where
    the hand waits for nothing. Raises as :func:`scorer.waits` does.

    >>> for tile, ways in wait_kinds("5557m123p123s777z").items():
    ...     print(tile, *sorted(ways))
    6m kanchan
    7m tanki
    """
    concealed, melds = tiles_of("concealed", concealed), melds_of(melds)
    return {
        tile: frozenset(reading.wait for reading in readings(Hand(concealed, tile, melds), tsumo=True))
        for tile in waits(concealed, melds)
    }


class FuritenKind(StrEnum):
    """Why a ron is forbidden (EMA 2008 §3.4.5, §3.3.12); a self-draw never is.

    ``own_discard``: a tile that the hand waits for lies among the player's discards; until the wait changes.
    ``riichi``: after riichi a winning tile was let pass; until the hand ends.
    ``temporary``: a winning tile was let pass; until the player's next draw or the next call.
    """

    OWN_DISCARD = "own_discard"
    RIICHI = "riichi"
    TEMPORARY = "temporary"


@dataclass(frozen=True, slots=True)
class Furiten:
    """Which kind, and the tiles that make it so, plain fives for red ones."""

    kind: FuritenKind
    tiles: tuple[Tile, ...]


def furiten(
    concealed: Tiles,
    melds: Iterable[Meld] = (),
    *,
    discards: Tiles,
    passed: Tiles = (),
    riichi: bool = False,
) -> Furiten | None:
    """Why a hand that waits may not win on a discard, the lasting reason first; None where it may.

    ``concealed``: 13 tiles less three for each declared set. ``discards``: all of the player's own, those
    that others called included. ``passed``: tiles discarded by others that the player let pass since his last
    draw, or with ``riichi`` since his declaration. Neither asks whether the tile would have given a yaku.
    Raises as :func:`scorer.waits` does.

    >>> found = furiten("123m123s44456p77z", discards="1m7z")
    >>> found.kind.value, [str(tile) for tile in found.tiles]
    ('own_discard', ['7z'])
    """
    waited = waits(concealed, melds)
    for kind, tiles in (
        (FuritenKind.OWN_DISCARD, tiles_of("discards", discards)),
        (FuritenKind.RIICHI if riichi else FuritenKind.TEMPORARY, tiles_of("passed", passed)),
    ):
        seen = {tile.kind for tile in tiles}
        found = tuple(one for one in waited if one in seen)
        if found:
            return Furiten(kind, found)
    return None
