"""The waits of a hand one tile short, and whether furiten forbids a ron."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from scorer.hand import Hand, Meld, melds_of
from scorer.readings import Wait, readings, waits
from scorer.tiles import Tile, Tiles, tiles_of


def wait_kinds(concealed: Tiles, melds: Iterable[Meld] = ()) -> Mapping[Tile, frozenset[Wait]]:
    """The kinds of wait of each tile that the hand waits for, lowest tile first.

    A tile may finish more than one set, and the winner chooses (EMA 2008 §4.1.1, Toudai §3.2.5). Empty if the
    hand waits for nothing. Raises as :func:`scorer.waits` does.

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
    """Why a ron is forbidden (EMA 2008 §3.4.5, §3.3.12). A self-draw is always allowed.

    ``own_discard``: the player has discarded a tile that the hand waits for. Lasts until the wait changes.
    ``riichi``: after riichi the player let a winning tile pass. Lasts until the hand ends.
    ``temporary``: the player let a winning tile pass. Lasts until the player's next draw or the next call.
    """

    OWN_DISCARD = "own_discard"
    RIICHI = "riichi"
    TEMPORARY = "temporary"


@dataclass(frozen=True, slots=True)
class Furiten:
    """The kind of furiten, and the waits that cause it, with plain fives for red ones."""

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
    """Why a hand that waits may not win on a discard, the lasting reason first; None if it may.

    ``concealed``: 13 tiles, less three for each meld. ``discards``: all of the player's own, called ones
    included. ``passed``: discards of others that the player let pass since the last draw, or since the
    declaration of ``riichi``. Tiles count even if they would have given no yaku. Raises as
    :func:`scorer.waits` does.

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
