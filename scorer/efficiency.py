"""How far an unfinished hand is from tenpai (shanten), and which tiles bring it nearer (ukeire).

The distance follows from the nearest finished hands (:mod:`scorer.nearest`). Tenpai is 0, a finished hand -1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import or_

from scorer.hand import Meld, melds_of
from scorer.nearest import Counts, Target, missing_count, missing_kinds, nearest, target_of, without_each
from scorer.readings import Form
from scorer.tenpai import furiten
from scorer.tiles import COPIES, KINDS, TILES, Tile, Tiles, count_kinds, tiles_of


@dataclass(frozen=True, slots=True)
class Ukeire:
    """The shanten of a hand and the tiles that reduce it.

    ``shanten``: -1 finished, 0 tenpai. ``forms``: the forms at this distance. ``tiles``: every tile that
    brings the hand nearer, or finishes it, with the number of unseen ones. Lowest first, plain fives for red
    ones.
    """

    shanten: int
    forms: tuple[Form, ...]
    tiles: Mapping[Tile, int]

    @property
    def left(self) -> int:
        """The number of unseen tiles of all kinds together."""
        return sum(self.tiles.values())

    @property
    def kinds(self) -> tuple[Tile, ...]:
        """The tiles with at least one unseen."""
        return tuple(tile for tile, left in self.tiles.items() if left)

    @property
    def gone(self) -> tuple[Tile, ...]:
        """The tiles that would help but are all in sight."""
        return tuple(tile for tile, left in self.tiles.items() if not left)


@dataclass(frozen=True, slots=True)
class Discard:
    """A discard with the ukeire of the remaining tiles.

    ``furiten``: if the hand is tenpai then, the waits among the player's own discards, this one included
    (EMA 2008 §3.4.5).
    """

    tile: Tile
    ukeire: Ukeire
    furiten: tuple[Tile, ...] = ()


def shanten(concealed: Tiles, melds: Iterable[Meld] = (), *, players: int = 4) -> int:
    """How many tiles the hand is away from tenpai: -1 finished, 0 tenpai.

    ``concealed``: 13 or 14 tiles, less three for each meld. Raises ``ValueError`` for any other number or for
    too many of a tile, and :class:`scorer.TileError` for invalid tiles.

    >>> shanten("123m456p79s1122z5s"), shanten("123m456p789s11z22z"), shanten("19m19p19s1234567z")
    (1, 0, 0)
    """
    counts, target = _of(concealed, melds_of(melds), players, (1, 2))
    return _shanten(nearest(counts, target))


def ukeire(concealed: Tiles, melds: Iterable[Meld] = (), *, seen: Tiles = (), players: int = 4) -> Ukeire:
    """The shanten of 13 tiles, less three for each meld, and the tiles that reduce it.

    ``seen``: other visible tiles: indicators, discards, melds of others. Raises as :func:`shanten` does.

    >>> found = ukeire("123m456p79s1122z5s", seen="6s")
    >>> found.shanten, {str(tile): left for tile, left in found.tiles.items()}
    (1, {'6s': 3, '8s': 4, '1z': 2, '2z': 2})
    """
    held, melds = tiles_of("concealed", concealed), melds_of(melds)
    counts, target = _of(held, melds, players, (1,))
    return _ukeire(nearest(counts, target), _in_sight(melds, held, tiles_of("seen", seen)))


def discards(
    concealed: Tiles,
    melds: Iterable[Meld] = (),
    *,
    own: Tiles = (),
    seen: Tiles = (),
    players: int = 4,
) -> tuple[Discard, ...]:
    """Every discard from 14 tiles, less three for each meld, the best first.

    The best has the lowest shanten, then most tiles, then most kinds. A plain five goes before a red one.
    ``own``: the player's discards so far, which may make a tenpai hand furiten. ``seen``: other visible
    tiles. Raises as :func:`shanten` does.

    >>> for one in discards("123m456p7799s1122z")[:2]:
    ...     print(one.tile, one.ukeire.shanten, one.ukeire.left)
    7s 1 10
    9s 1 10
    """
    held, melds = tiles_of("concealed", concealed), melds_of(melds)
    thrown = tiles_of("own", own)
    counts, target = _of(held, melds, players, (2,))
    in_sight = _in_sight(melds, held, thrown, tiles_of("seen", seen))
    found = []
    for kind, ways in without_each(counts, target):
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
) -> tuple[Counts, Target]:
    """The counts of the concealed tiles, and the finished hands that they can become."""
    counts = count_kinds(tiles_of("concealed", concealed))
    target = target_of(melds, players)
    right = [3 * target.sets + size for size in sizes]
    if sum(counts) not in right:
        raise ValueError(
            f"The hand needs {' or '.join(map(str, right))} concealed tiles, not {sum(counts)}:"
            " three less than 13 or 14 for each declared set."
        )
    if over := [TILES[kind] for kind in range(KINDS) if counts[kind] > target.room[kind]]:
        raise ValueError(f"There are more of {', '.join(map(str, over))} than there can be.")
    return counts, target


def _in_sight(melds: tuple[Meld, ...], *lots: tuple[Tile, ...]) -> Counts:
    """How many of each kind are visible."""
    return count_kinds(chain(*lots, *(meld.tiles for meld in melds)))


def _shanten(ways: Mapping[Form, int]) -> int:
    return missing_count(ways) - 1


def _ukeire(ways: Mapping[Form, int], in_sight: Counts) -> Ukeire:
    away = _shanten(ways)
    near = {form: way for form, way in ways.items() if (way >> KINDS) - 1 == away}
    kinds = missing_kinds(reduce(or_, near.values()))
    tiles = {TILES[kind]: max(0, COPIES - in_sight[kind]) for kind in kinds}
    return Ukeire(away, tuple(near), tiles)
