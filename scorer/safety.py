"""How dangerous a discard is against another player, by that player's discards and the visible tiles.

Furiten forbids a ron if one tile of the wait is among the player's own discards (EMA 2008 §3.4.5). So these
tiles are safe (*genbutsu*), as are tiles let pass after riichi. A discarded 4 also makes the 1 safe against a
two-sided wait on 1 and 4 (*suji*). A wait is impossible if it needs a tile of which all four are visible
(*walls*). The remaining danger is a rank; the frequency of waits is not computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any, Final

from scorer.readings import Wait
from scorer.tiles import COPIES, HONOURS, LEFT_OUT, TILES, YAOCHUU, Tile, count_kinds, format_tiles


class Danger(IntEnum):
    """The waits that may still win on a tile, the safest first.

    No wait; only waits without a sequence (shanpon, tanki, thirteen orphans); a closed or edge wait; one
    two-sided wait; two two-sided waits.
    """

    NOTHING = 0
    NO_SEQUENCE = 1
    ONE_TILE = 2
    ONE_SIDE = 3
    BOTH_SIDES = 4


@dataclass(frozen=True, slots=True)
class WaitOnTile:
    """A wait that would win on the tile. ``held``: the tiles that it needs; empty for thirteen orphans.

    ``barred``: the tile of the wait that makes it furiten, or None. ``gone``: a needed tile of which too few
    are unseen, or None.
    """

    wait: Wait
    held: tuple[Tile, ...]
    barred: Tile | None = None
    gone: Tile | None = None

    @property
    def is_possible(self) -> bool:
        """Whether the player may have this wait and win with it by ron."""
        return self.barred is None and self.gone is None


def ways_to_win(
    tile: Tile, passed: Iterable[Tile], seen: Iterable[Tile], *, players: int = 4
) -> tuple[WaitOnTile, ...]:
    """Every wait on the tile. Impossible waits have their reason.

    ``passed``: the tiles on which the player cannot win any more: own discards, and discards of others since
    the riichi. ``seen``: all visible tiles, one's own hand and the tile itself included. Three
    ``players`` have no 2m to 8m to wait with.

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
        if players == 3 and not LEFT_OUT.isdisjoint(held):
            continue
        furiten = next((TILES[end] for end in ends if end in barred), None)
        gone = next((TILES[one] for one in held if left[one] < 1), None)
        found.append(WaitOnTile(wait, tuple(TILES[one] for one in held), furiten, gone))
    own = TILES[kind] if kind in barred else None
    for wait, needs in ((Wait.SHANPON, 2), (Wait.TANKI, 1)):
        gone = None if left[kind] >= needs else TILES[kind]
        found.append(WaitOnTile(wait, (TILES[kind],) * needs, own, gone))
    if kind in YAOCHUU:
        found.append(_orphans(kind, barred, left))
    return tuple(found)


def _sequences(kind: int) -> Iterable[tuple[Wait, tuple[int, int], tuple[int, ...]]]:
    """(wait, the two tiles held, all tiles waited for) for each run that the tile can finish."""
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


def _orphans(kind: int, barred: set[int], left: list[int]) -> WaitOnTile:
    """The wait of thirteen orphans: the twelve others, one of them twice, or all thirteen once."""
    others = [other for other in sorted(YAOCHUU) if other != kind]
    gone = next((TILES[other] for other in others if left[other] < 1), None)
    own = TILES[kind] if kind in barred else None
    if gone is None and not any(left[other] > 1 for other in others):
        if left[kind] < 1:
            gone = TILES[kind]
        else:
            own = own or next((TILES[other] for other in others if other in barred), None)
    return WaitOnTile(Wait.KOKUSHI, (), own, gone)


_WITHOUT_SEQUENCE: Final = frozenset({Wait.SHANPON, Wait.TANKI, Wait.KOKUSHI})


def danger(ways: Iterable[WaitOnTile]) -> Danger:
    """The danger of a tile by its waits.

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
    return Danger.NO_SEQUENCE if _WITHOUT_SEQUENCE.issuperset(waits) else Danger.ONE_TILE


# --- the risks of a discard ---------------------------------------------------------------------------------


class Reason(StrEnum):
    """Why a tile has its danger.

    ``OWN_DISCARD`` (*genbutsu*), ``PASSED`` and ``SUJI`` follow from furiten (EMA 2008 §3.4.5). ``SUJI``: the
    two-sided wait on the tile would also wait for one of the player's own discards. ``WALL`` (*kabe*): all
    four of a tile that the wait needs are visible. ``GONE``: no wait is possible. ``HONOUR``: honours are in
    no run. ``OPEN``: nothing makes it safer.
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
    """The discards of another player. ``who``: ``right``, ``across`` or ``left``. ``riichi``: whether that
    player has declared riichi. ``since``: the discards of others since then."""

    who: str
    tiles: tuple[Tile, ...]
    riichi: bool = False
    since: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class Risk:
    """The risk of a discard against one player. ``tiles``: the tiles of the suji or wall that make it safer.
    ``seen``: how many of the tile are visible, including the one to discard."""

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


def risks(tile: Tile, rivers: Sequence[River], seen: Iterable[Tile], *, players: int = 4) -> tuple[Risk, ...]:
    """The risks of the tile, the worst first, against the players in riichi. If there are none, against all
    players with a known river. ``seen``: all visible tiles, hand and rivers included.

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
    found = [_risk(tile, river, in_sight, players) for river in against]
    return tuple(sorted(found, key=lambda risk: -risk.danger))


def _risk(tile: Tile, river: River, seen: tuple[Tile, ...], players: int) -> Risk:
    ways = ways_to_win(tile, (*river.tiles, *river.since), seen, players=players)
    reason, tiles = _reason(tile, river, ways)
    count = count_kinds(seen)[tile.kind]
    return Risk(river.who, river.riichi, danger(ways), reason, tiles, count)


def _reason(tile: Tile, river: River, ways: Sequence[WaitOnTile]) -> tuple[Reason, tuple[Tile, ...]]:
    """The strongest reason, and its tiles."""
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
