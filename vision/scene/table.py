"""The table as a reading tells it: of each player the river, the called sets and the open hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from vision.detections import ROLES, Detections
from vision.players import SEATS, Seat, SeenPlayer, SeenRiver, SeenSet, SeenTable
from vision.scene.config import RIVERS, RiverConfig
from vision.scene.decode import HandReading, Scene
from vision.scene.record import meld
from vision.scene.rivers import Compass, River, rivers

_WALL = ROLES.index("wall")


def table(
    found: Detections, scene: Scene, places: Mapping[int, int], config: RiverConfig = RIVERS
) -> SeenTable | None:
    """The table of related and decoded detections, None where no river is seen.

    ``places``: of each detection that a reading lists its place there. The near player is the owner of the
    scene's first hand.
    """
    assert found.roles is not None
    hands = [each.best for each in scene.players]
    seen, compass = rivers(found, hands[0].tiles if hands else (), config)
    if compass is None:
        return None
    walls = np.flatnonzero(found.roles.argmax(axis=1) == _WALL).tolist()
    taken = {tile for hand in hands[:1] for tile in hand.tiles}
    return SeenTable(
        tuple(_players(found, hands, _longest(seen), compass, places)),
        _listed((tile for tile in walls if tile not in taken), places),
        _listed((tile for tile, _ in scene.dora), places),
        _listed((tile for tile, _ in scene.ura), places),
    )


def _listed(tiles: Iterable[int], places: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(places[tile] for tile in tiles if tile in places)


def _longest(seen: Iterable[River]) -> dict[Seat, River]:
    """One river a player: of several that look like theirs the longest."""
    found: dict[Seat, River] = {}
    for each in seen:
        if each.owner not in found or len(each.tiles) > len(found[each.owner].tiles):
            found[each.owner] = each
    return found


def _players(
    found: Detections, hands: list[HandReading], owned: Mapping[Seat, River], compass: Compass,
    places: Mapping[int, int],
) -> Iterable[SeenPlayer]:  # fmt: skip
    at: dict[Seat, HandReading] = {}
    for rank, hand in enumerate(hands):
        lie = found.quads[list(hand.tiles)].astype(float)
        at.setdefault(compass.seat_at(lie) if rank else "near", hand)
    for seat in SEATS:
        seen = _river(owned[seat], places) if seat in owned else None
        called: tuple[SeenSet, ...] = ()
        lying: tuple[int, ...] = ()
        if seat in at:
            called = tuple(_called(found, at[seat], places))
            lying = _listed((tile for tile, _ in at[seat].concealed), places)
        if seen or called or lying:
            yield SeenPlayer(seat, seen, called, lying)


def _river(river: River, places: Mapping[int, int]) -> SeenRiver | None:
    """The river without tiles that the reading does not list."""
    kept = [k for k, tile in enumerate(river.tiles) if tile in places]
    if not kept:
        return None
    ends = np.cumsum(river.rows)
    rows = np.bincount(np.searchsorted(ends, kept, side="right"), minlength=len(ends))
    turned = [river.turned[k] for k in kept]
    likeliest = int(np.argmax(turned))
    return SeenRiver(
        tuple(places[river.tiles[k]] for k in kept), tuple(int(row) for row in rows if row), likeliest,
        float(turned[likeliest]), river.sure,
    )  # fmt: skip


def _called(found: Detections, hand: HandReading, places: Mapping[int, int]) -> Iterable[SeenSet]:
    for each in hand.called:
        record = meld(each, found.quads).to_record()
        yield SeenSet(record["type"], _listed(each.tiles, places), record["from"])
