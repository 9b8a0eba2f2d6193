"""How far an unfinished hand is from a finished one (shanten), and which tiles bring it nearer (ukeire).

A hand is as far away as the nearest finished hand lacks tiles (:mod:`scorer.nearest`). Ready (tenpai) is 0
away, finished -1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import or_

from scorer.hand import Meld, melds_of
from scorer.nearest import Counts, Wanted, kinds_of, lacking, nearest, wanted, without_each
from scorer.readings import Form
from scorer.tenpai import furiten
from scorer.tiles import COPIES, KINDS, TILES, Tile, Tiles, count_kinds, tiles_of


@dataclass(frozen=True, slots=True)
class Ukeire:
    """How far a hand is, and what brings it nearer.

    ``shanten``: -1 finished, 0 ready. ``forms``: the forms that are so near. ``tiles``: every tile that
    brings the hand nearer (finishes it, where it is ready) and how many of it are not in sight, lowest first,
    plain fives for red ones.
    """

    shanten: int
    forms: tuple[Form, ...]
    tiles: Mapping[Tile, int]

    @property
    def left(self) -> int:
        """How many tiles there are of all kinds together."""
        return sum(self.tiles.values())

    @property
    def kinds(self) -> tuple[Tile, ...]:
        """The tiles of which any is left."""
        return tuple(tile for tile, left in self.tiles.items() if left)

    @property
    def gone(self) -> tuple[Tile, ...]:
        """The tiles that would help, and of which all lie in sight."""
        return tuple(tile for tile, left in self.tiles.items() if not left)


@dataclass(frozen=True, slots=True)
class Discard:
    """One way to discard: the tile, what is left then, and the waits that it makes furiten.

    ``furiten``: of a ready hand the tiles waited for that lie among the player's own discards, this one with
    them (EMA 2008 §3.4.5); empty where there are none.
    """

    tile: Tile
    ukeire: Ukeire
    furiten: tuple[Tile, ...] = ()


def shanten(concealed: Tiles, melds: Iterable[Meld] = (), *, players: int = 4) -> int:
    """How many tiles the hand is away from ready: -1 is finished, 0 ready.

    ``concealed``: 13 or 14 tiles less three for each declared set. Raises ``ValueError`` for any other
    number, or where there are more of a tile than there can be; :class:`scorer.TileError` for what are no
    tiles.

    >>> shanten("123m456p79s1122z5s"), shanten("123m456p789s11z22z"), shanten("19m19p19s1234567z")
    (1, 0, 0)
    """
    counts, among = _of(concealed, melds_of(melds), players, (1, 2))
    return _shanten(nearest(counts, among))


def ukeire(concealed: Tiles, melds: Iterable[Meld] = (), *, seen: Tiles = (), players: int = 4) -> Ukeire:
    """How far a hand of 13 tiles is, three less for each declared set, and which tiles bring it nearer.

    ``seen``: tiles that lie elsewhere in sight: indicators, discards, the sets of others. Raises as
    :func:`shanten` does.

    >>> found = ukeire("123m456p79s1122z5s", seen="6s")
    >>> found.shanten, {str(tile): left for tile, left in found.tiles.items()}
    (1, {'6s': 3, '8s': 4, '1z': 2, '2z': 2})
    """
    held, melds = tiles_of("concealed", concealed), melds_of(melds)
    counts, among = _of(held, melds, players, (1,))
    return _ukeire(nearest(counts, among), _in_sight(melds, held, tiles_of("seen", seen)))


def discards(
    concealed: Tiles,
    melds: Iterable[Meld] = (),
    *,
    own: Tiles = (),
    seen: Tiles = (),
    players: int = 4,
) -> tuple[Discard, ...]:
    """Every way to discard one of 14 tiles, three less for each declared set, the best first.

    The nearest to ready is best, then what leaves most tiles, then most kinds. Of red and plain fives alike
    the plain one goes. ``own``: the player's discards so far, which may make a ready hand furiten; they are
    in sight, as is ``seen``. Raises as :func:`shanten` does.

    >>> for one in discards("123m456p7799s1122z")[:2]:
    ...     print(one.tile, one.ukeire.shanten, one.ukeire.left)
    7s 1 10
    9s 1 10
    """
    held, melds = tiles_of("concealed", concealed), melds_of(melds)
    thrown = tiles_of("own", own)
    counts, among = _of(held, melds, players, (2,))
    in_sight = _in_sight(melds, held, thrown, tiles_of("seen", seen))
    found = []
    for kind, ways in without_each(counts, among):
        left = _ukeire(ways, in_sight)
        tile = min(tile for tile in held if tile.kind == kind)
        barred: tuple[Tile, ...] = ()
        if left.shanten == 0:
            at = held.index(tile)
            why = furiten(held[:at] + held[at + 1 :], melds, discards=(*thrown, tile))
            barred = why.tiles if why else ()
        found.append(Discard(tile, left, barred))
    return tuple(sorted(found, key=_worst_last))


def _worst_last(one: Discard) -> tuple[int, int, int]:
    return one.ukeire.shanten, -one.ukeire.left, -len(one.ukeire.kinds)


def _of(
    concealed: Tiles, melds: tuple[Meld, ...], players: int, sizes: Iterable[int]
) -> tuple[Counts, Wanted]:
    """The counts of the concealed tiles, and what may become of them."""
    counts = count_kinds(tiles_of("concealed", concealed))
    among = wanted(melds, players)
    right = [3 * among.sets + size for size in sizes]
    if sum(counts) not in right:
        raise ValueError(
            f"The hand needs {' or '.join(map(str, right))} concealed tiles, not {sum(counts)}:"
            " three less than 13 or 14 for each declared set."
        )
    if over := [TILES[kind] for kind in range(KINDS) if counts[kind] > among.room[kind]]:
        raise ValueError(f"There are more of {', '.join(map(str, over))} than there can be.")
    return counts, among


def _in_sight(melds: tuple[Meld, ...], *lots: tuple[Tile, ...]) -> Counts:
    """How many of each kind can be seen."""
    return count_kinds(chain(*lots, *(meld.tiles for meld in melds)))


def _shanten(ways: Mapping[Form, int]) -> int:
    return lacking(ways) - 1


def _ukeire(ways: Mapping[Form, int], in_sight: Counts) -> Ukeire:
    away = _shanten(ways)
    near = {form: way for form, way in ways.items() if (way >> KINDS) - 1 == away}
    kinds = kinds_of(reduce(or_, near.values()))
    tiles = {TILES[kind]: max(0, COPIES - in_sight[kind]) for kind in kinds}
    return Ukeire(away, tuple(near), tiles)
