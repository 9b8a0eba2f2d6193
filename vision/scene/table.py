"""The table as a reading tells it: of each player the river, the called sets and the hand; the walls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from vision.arrays import Pixels
from vision.detections import ROLES, Detections
from vision.players import SEATS, Seat, SeenPlayer, SeenRiver, SeenSet, SeenTable
from vision.scene.around import closed_hands, dead_wall
from vision.scene.config import RIVERS, RiverConfig
from vision.scene.decode import HandReading, Scene
from vision.scene.record import meld
from vision.scene.rivers import Compass, River, rivers
from vision.scene.sticks import stick_contrast

_WALL = ROLES.index("wall")


def table(
    rgb: Pixels, found: Detections, scene: Scene, places: Mapping[int, int], config: RiverConfig = RIVERS,
    *, near: Sequence[int] | None = None,
) -> SeenTable | None:  # fmt: skip
    """The table of related and decoded detections on a photo (h, w, 3), None where no river is seen.

    ``places``: of each detection that a reading lists its place there. The near player is the owner of the
    scene's first hand, or of the detections ``near``.
    """
    assert found.roles is not None
    hands = [each.best for each in scene.players]
    own = near if near is not None else hands[0].tiles if hands else ()
    seen, compass = rivers(found, own, config)
    if compass is None:
        return None
    dora = [tile for tile, _ in scene.dora]
    taken = {*dora, *(tile for tile, _ in scene.ura), *(tile for hand in hands for tile in hand.tiles)}
    closed = closed_hands(found, compass, taken, config)
    no_wall = {*own, *(tile for tiles in closed.values() for tile in tiles)}
    walls = np.flatnonzero(found.roles.argmax(axis=1) == _WALL).tolist()
    owned = _rivers(rgb, found, seen, compass, places, config)
    return SeenTable(
        tuple(_players(found, hands, owned, closed, compass, places)),
        _listed((tile for tile in walls if tile not in no_wall), places),
        _listed(dora, places),
        _listed((tile for tile, _ in scene.ura), places),
        dead_wall(found, compass, dora, config),
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
    found: Detections, hands: list[HandReading], owned: Mapping[Seat, SeenRiver],
    closed: Mapping[Seat, tuple[int, ...]], compass: Compass, places: Mapping[int, int],
) -> Iterable[SeenPlayer]:  # fmt: skip
    at: dict[Seat, HandReading] = {}
    for rank, hand in enumerate(hands):
        lie = found.quads[list(hand.tiles)].astype(float)
        at.setdefault(compass.seat_at(lie) if rank else "near", hand)
    for seat in SEATS:
        seen = owned.get(seat)
        called: tuple[SeenSet, ...] = ()
        lying: tuple[int, ...] = ()
        if seat in at:
            called = tuple(_called(found, at[seat], places))
            lying = _listed((tile for tile, _ in at[seat].concealed), places)
        backs = () if lying else _listed(closed.get(seat, ()), places)
        if seen or called or lying or backs:
            yield SeenPlayer(seat, seen, called, lying, backs)


def _rivers(
    rgb: Pixels, found: Detections, seen: Iterable[River], compass: Compass, places: Mapping[int, int],
    config: RiverConfig,
) -> dict[Seat, SeenRiver]:  # fmt: skip
    owned: dict[Seat, SeenRiver] = {}
    for seat, river in _longest(seen).items():
        stick = (
            len(river.tiles) >= config.fewest and stick_contrast(rgb, found, river, compass) > config.stick
        )
        if listed := _river(river, places, stick=stick):
            owned[seat] = listed
    return owned


def _river(river: River, places: Mapping[int, int], *, stick: bool) -> SeenRiver | None:
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
        float(turned[likeliest]), river.sure, stick,
    )  # fmt: skip


def _called(found: Detections, hand: HandReading, places: Mapping[int, int]) -> Iterable[SeenSet]:
    for each in hand.called:
        record = meld(each, found.quads).to_record()
        yield SeenSet(record["type"], _listed(each.tiles, places), record["from"])
