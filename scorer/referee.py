"""What a referee is asked at the table: may he call that kong, end this hand, discard this tile?"""

from __future__ import annotations

from collections.abc import Iterable

from scorer.hand import Hand, Meld, MeldType, melds_of
from scorer.readings import GroupType, kinds_waited, readings
from scorer.rules import RuleSet
from scorer.tiles import KIND_OF, YAOCHUU, Tile, Tiles, count_kinds, tile_of, tiles_of

_NINE = 9
"""How many different terminals and honours may end a hand."""


def kong_after_riichi(concealed: Tiles, tile: Tile | str, melds: Iterable[Meld] = ()) -> bool:
    """Whether a player who declared riichi may make a concealed kong of the tile that he just drew.

    ``concealed``: his tiles without that one. The wait must stay as it is, and the three tiles must be a pung
    however the hand is read (EMA 2008 §3.3.12). Raises :class:`scorer.TileError` for what are no tiles.

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
    kong = Meld(MeldType.ANKAN, (Tile(kind),) * 4)
    if kinds_waited(count_kinds(rest), (*melds, kong)) != waits:
        return False
    ways = [way for wait in waits for way in readings(Hand(tiles, Tile(wait), melds), tsumo=True)]
    return all(
        any(group.type is GroupType.PON and group.kind == kind for group in way.groups) for way in ways
    )


def may_abort_with_nine(tiles: Tiles) -> bool:
    """Whether 14 tiles have nine different terminals and honours, with which a player may end the hand.

    Only after his first draw, before anybody has called a tile (EMA 2008 §3.4.3, Toudai §3.5.1).

    >>> may_abort_with_nine("19m19p19s123z55m68p7z"), may_abort_with_nine("19m19p19s12z255m668p")
    (True, False)
    """
    found = tiles_of("tiles", tiles)
    return len(found) == 14 and len({one.kind for one in found} & YAOCHUU) >= _NINE


def swap_tiles(meld: Meld, called: Tile | str) -> tuple[Tile, ...]:
    """The tiles that may not be discarded right after this call where swap calls (kuikae) are forbidden: the
    one that was called, and the one at the other end of a run.

    No rule set here forbids them: they change no score, and the texts differ. Raises
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
