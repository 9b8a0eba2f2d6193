"""Questions for a referee: whether a player may call that kan, end this hand or discard this tile."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.hand import Hand, Meld, MeldType, melds_of
from scorer.readings import GroupType, kinds_waited, readings
from scorer.rules import RuleSet
from scorer.tiles import KIND_OF, YAOCHUU, Tile, Tiles, count_kinds, tile_of, tiles_of

_NINE = 9
"""The number of different terminals and honours that allows an abortive draw."""


def kong_after_riichi(concealed: Tiles, tile: Tile | str, melds: Iterable[Meld] = ()) -> bool:
    """Whether a player in riichi may declare a concealed kan with the drawn ``tile``.

    ``concealed``: the tiles without it. The wait must stay the same, and the three tiles must be a triplet in
    every reading of the hand (EMA 2008 §3.3.12). Raises :class:`scorer.TileError` for invalid tiles.

    >>> kong_after_riichi("111m456p78s22z444z", "4z"), kong_after_riichi("111222333m78s44z", "1m")
    (True, False)
    """
    tiles, drawn, melds = tiles_of("concealed", concealed), tile_of("tile", tile), melds_of(melds)
    kind = drawn.kind
    counts = count_kinds(tiles)
    waits = kinds_waited(counts, melds)
    if counts[kind] != 3 or not waits:
        return False
    rest = [one for one in tiles if one.kind != kind]
    kan = Meld(MeldType.ANKAN, (Tile(kind),) * 4)
    if kinds_waited(count_kinds(rest), (*melds, kan)) != waits:
        return False
    ways = [way for wait in waits for way in readings(Hand(tiles, Tile(wait), melds), tsumo=True)]
    return all(
        any(group.type is GroupType.PON and group.kind == kind for group in way.groups) for way in ways
    )


def may_abort_with_nine(tiles: Tiles) -> bool:
    """Whether 14 tiles have nine different terminals and honours, so that the player may abort the hand.

    This is allowed only after the first draw and before any call (EMA 2008 §3.4.3, Toudai §3.5.1).

    >>> may_abort_with_nine("19m19p19s123z55m68p7z"), may_abort_with_nine("19m19p19s12z255m668p")
    (True, False)
    """
    found = tiles_of("tiles", tiles)
    return len(found) == 14 and len({one.kind for one in found} & YAOCHUU) >= _NINE


def swap_tiles(meld: Meld, called: Tile | str) -> tuple[Tile, ...]:
    """The discards that a ban of swap calls (kuikae) forbids right after this call.

    These are the called tile and the tile at the other end of a sequence.

    No rule set here has such a ban: it changes no score, and the sources differ. Raises
    :class:`scorer.TileError`.

    >>> [str(tile) for tile in swap_tiles(Meld("chi", "345m"), "3m")]
    ['3m', '6m']
    """
    tile = tile_of("called", called)
    kinds = sorted(KIND_OF[one] for one in meld.tiles)
    found = {tile.kind}
    if meld.type is MeldType.CHI:
        low, _, high = kinds
        if tile.kind == low and (high + 1) // 9 == low // 9:
            found.add(high + 1)
        if tile.kind == high and (low - 1) // 9 == high // 9 and low:
            found.add(low - 1)
    return tuple(Tile(kind) for kind in sorted(found))


def may_declare_riichi(tiles_left: int, rules: RuleSet) -> bool:
    """Whether the wall is long enough for a riichi (EMA 2008 §3.3.12)."""
    return tiles_left >= rules.riichi_wall
