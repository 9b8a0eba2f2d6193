"""In which ways a player may still win on a tile: by what he has discarded, and by what lies in sight.

A wait of which one tile is among the player's own discards allows him no ron (EMA 2008 §3.4.5). So his own
discards are safe against him (*genbutsu*), as is what he let pass after riichi; of a two-sided wait on 1 and
4 the 4 among them bars the 1, too (*suji*). A wait for which he would need a tile that lies in sight four
times he cannot have (*walls*). What is left is told as ranks: how often such a wait occurs is not reckoned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any, Final

from scorer.readings import Wait
from scorer.tiles import COPIES, HONOURS, TILES, YAOCHUU, Tile, count_kinds, format_tiles


class Danger(IntEnum):
    """By what the tile may still be won on, the safest first: nothing, no sequence (a pair, a single tile or
    thirteen orphans), a closed or edge wait, one two-sided wait, two of them."""

    NOTHING = 0
    NO_SEQUENCE = 1
    ONE_TILE = 2
    ONE_SIDE = 3
    BOTH_SIDES = 4


@dataclass(frozen=True, slots=True)
class Way:
    """A wait that would win on the tile. ``held``: what the player would have to hold for it; empty of
    thirteen orphans.

    ``barred``: the tile of the wait that makes it furiten, None where there is none. ``gone``: the held tile
    of which there are too few left, None where there are enough.
    """

    wait: Wait
    held: tuple[Tile, ...]
    barred: Tile | None = None
    gone: Tile | None = None

    @property
    def is_possible(self) -> bool:
        """Whether the player may have it, and win on a discard with it."""
        return self.barred is None and self.gone is None


def ways_to_win(tile: Tile, passed: Iterable[Tile], seen: Iterable[Tile]) -> tuple[Way, ...]:
    """Every way to wait for the tile, those that cannot be with their reason.

    ``passed``: what the player cannot win on any more: his own discards, and what others have discarded since
    his riichi. ``seen``: all tiles in sight, one's own hand with the tile itself among them.

    >>> from scorer.tiles import parse_tiles
    >>> for way in ways_to_win(Tile.parse("1p"), parse_tiles("4p"), parse_tiles("14p")):
    ...     print(way.wait, *way.held, way.barred)
    ryanmen 2p 3p 4p
    shanpon 1p 1p None
    tanki 1p None
    kokushi None
    """
    barred = {one.kind for one in passed}
    left = [COPIES - count for count in count_kinds(seen)]
    kind, found = tile.kind, []
    for wait, held, ends in _sequences(kind):
        furiten = next((TILES[end] for end in ends if end in barred), None)
        gone = next((TILES[one] for one in held if left[one] < 1), None)
        found.append(Way(wait, tuple(TILES[one] for one in held), furiten, gone))
    own = TILES[kind] if kind in barred else None
    for wait, needs in ((Wait.SHANPON, 2), (Wait.TANKI, 1)):
        gone = None if left[kind] >= needs else TILES[kind]
        found.append(Way(wait, (TILES[kind],) * needs, own, gone))
    if kind in YAOCHUU:
        found.append(_orphans(kind, barred, left))
    return tuple(found)


def _sequences(kind: int) -> Iterable[tuple[Wait, tuple[int, int], tuple[int, ...]]]:
    """The pairs of tiles that the tile makes a run of: the wait, the two, and all that they wait for."""
    if kind >= 27:
        return
    suit = kind - kind % 9
    for first in range(max(suit, kind - 2), min(suit + 6, kind) + 1):
        low, high = (one for one in (first, first + 1, first + 2) if one != kind)
        if high - low == 2:
            yield Wait.KANCHAN, (low, high), (kind,)
        else:
            ends = tuple(end for end in (low - 1, high + 1) if suit <= end < suit + 9)
            yield (Wait.RYANMEN if len(ends) == 2 else Wait.PENCHAN), (low, high), ends


def _orphans(kind: int, barred: set[int], left: list[int]) -> Way:
    """Thirteen orphans: one each of the others, one of them twice; or one of each, which waits for all."""
    others = [other for other in sorted(YAOCHUU) if other != kind]
    gone = next((TILES[other] for other in others if left[other] < 1), None)
    own = TILES[kind] if kind in barred else None
    if gone is None and not any(left[other] > 1 for other in others):
        if left[kind] < 1:
            gone = TILES[kind]
        else:
            own = own or next((TILES[other] for other in others if other in barred), None)
    return Way(Wait.KOKUSHI, (), own, gone)


_SINGLES: Final = frozenset({Wait.SHANPON, Wait.TANKI, Wait.KOKUSHI})


def danger(ways: Iterable[Way]) -> Danger:
    """The rank of a tile by the ways to win on it.

    >>> from scorer.tiles import parse_tiles
    >>> of = lambda tile, river: danger(ways_to_win(Tile.parse(tile), parse_tiles(river), parse_tiles(tile)))
    >>> of("5p", "5p").name, of("1p", "4p").name, of("2p", "5p").name, of("5p", "2p").name, of("5p", "").name
    ('NOTHING', 'NO_SEQUENCE', 'ONE_TILE', 'ONE_SIDE', 'BOTH_SIDES')
    """
    waits = [way.wait for way in ways if way.is_possible]
    sides = waits.count(Wait.RYANMEN)
    if sides:
        return Danger.BOTH_SIDES if sides > 1 else Danger.ONE_SIDE
    if not waits:
        return Danger.NOTHING
    return Danger.NO_SEQUENCE if _SINGLES.issuperset(waits) else Danger.ONE_TILE


# --- what a discard risks -----------------------------------------------------------------------------------


class Reason(StrEnum):
    """Why a tile is no more dangerous than it is, by what lies in sight.

    ``OWN_DISCARD`` (*genbutsu*) and ``PASSED`` follow from furiten (EMA 2008 §3.4.5), and so does ``SUJI``:
    the wait on the tile would also be on one of the player's own discards. ``WALL`` (*kabe*): a tile that the
    wait needs lies in sight four times. ``GONE``: no wait on the tile is left. ``HONOUR``: no chow has it.
    ``OPEN``: neither discards nor walls speak for it.
    """

    OWN_DISCARD = "own_discard"
    PASSED = "passed"
    GONE = "gone"
    HONOUR = "honour"
    SUJI = "suji"
    WALL = "wall"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class River:
    """What another player has discarded. ``who``: ``right``, ``across`` or ``left``. ``riichi``: whether that
    player has declared it; ``since``: what the others have discarded from then on."""

    who: str
    tiles: tuple[Tile, ...]
    riichi: bool = False
    since: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class Risk:
    """What a discard risks against one player. ``tiles``: the suji or the walls that speak for it.
    ``seen``: how many of the tile lie in sight, the one to be discarded among them."""

    who: str
    riichi: bool
    danger: Danger
    reason: Reason
    tiles: tuple[Tile, ...] = ()
    seen: int = 0

    def to_record(self) -> dict[str, Any]:
        """As JSON values (``docs/advice.md``)."""
        return {
            "who": self.who,
            "riichi": self.riichi,
            "danger": self.danger.name.lower(),
            "reason": str(self.reason),
            "tiles": format_tiles(self.tiles),
            "seen": self.seen,
        }


def risks(tile: Tile, rivers: Sequence[River], seen: Iterable[Tile]) -> tuple[Risk, ...]:
    """What the tile risks, the worst first: against those who declared riichi, or where nobody has against
    all whose rivers are known. ``seen``: all that lies in sight, hand and rivers among it.

    >>> from scorer.tiles import parse_tiles
    >>> left = River("left", parse_tiles("4p9s"), riichi=True)
    >>> for one in ("9s", "1p", "7p", "5p"):
    ...     (found,) = risks(Tile.parse(one), [left], parse_tiles(f"4p9s{one}"))
    ...     print(one, found.danger.name, found.reason, *found.tiles)
    9s NOTHING own_discard
    1p NO_SEQUENCE suji 4p
    7p ONE_TILE suji 4p
    5p BOTH_SIDES open
    """
    in_sight = tuple(seen)
    against = [river for river in rivers if river.riichi] or [river for river in rivers if river.tiles]
    found = [_risk(tile, river, in_sight) for river in against]
    return tuple(sorted(found, key=lambda risk: -risk.danger))


def _risk(tile: Tile, river: River, seen: tuple[Tile, ...]) -> Risk:
    ways = ways_to_win(tile, (*river.tiles, *river.since), seen)
    reason, tiles = _reason(tile, river, ways)
    many = count_kinds(seen)[tile.kind]
    return Risk(river.who, river.riichi, danger(ways), reason, tiles, many)


def _reason(tile: Tile, river: River, ways: Sequence[Way]) -> tuple[Reason, tuple[Tile, ...]]:
    """What says it best, and the tiles that say so."""
    if tile.kind in {one.kind for one in river.tiles}:
        return Reason.OWN_DISCARD, ()
    if tile.kind in {one.kind for one in river.since}:
        return Reason.PASSED, ()
    if danger(ways) is Danger.NOTHING:
        return Reason.GONE, ()
    if tile.kind in HONOURS:
        return Reason.HONOUR, ()
    sides = [way for way in ways if way.wait is Wait.RYANMEN]
    for reason, why in (
        (Reason.SUJI, [way.barred for way in sides]),
        (Reason.WALL, [way.gone for way in sides]),
    ):
        if tiles := tuple(dict.fromkeys(one for one in why if one is not None)):
            return reason, tiles
    return Reason.OPEN, ()
