"""The table of a reading: each player's river, called sets and hand, and the walls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from vision.arrays import Pixels
from vision.config import RIVERS, RiverConfig
from vision.detections import ROLES, Detections
from vision.players import SEATS, Seat, SeenPlayer, SeenRiver, SeenSet, SeenTable
from vision.scene.backs import closed_hands, dead_wall
from vision.scene.decode import HandReading, Scene
from vision.scene.record import to_meld
from vision.scene.rivers import Compass, River, rivers
from vision.scene.sticks import stick_contrast

_WALL = ROLES.index("wall")


def table(
    rgb: Pixels, found: Detections, scene: Scene, places: Mapping[int, int], config: RiverConfig = RIVERS,
    *, near: Sequence[int] | None = None,
) -> SeenTable | None:  # fmt: skip
    """The table of related and decoded detections on a photo (h, w, 3), None if there is no river.

    ``places``: detection to its index in the reading. The near player owns the scene's first hand, or the
    detections ``near``.
    """
    assert found.roles is not None
    hands = [each.best for each in scene.players]
    own = near if near is not None else hands[0].tiles if hands else ()
    found_rivers, compass = rivers(found, own, config)
    if compass is None:
        return None
    dora = [tile for tile, _ in scene.dora]
    taken = {*dora, *(tile for tile, _ in scene.ura), *(tile for hand in hands for tile in hand.tiles)}
    closed = closed_hands(found, compass, taken, config)
    in_hands = {*own, *(tile for tiles in closed.values() for tile in tiles)}
    walls = np.flatnonzero(found.roles.argmax(axis=1) == _WALL).tolist()
    owned = _rivers(rgb, found, found_rivers, compass, places, config)
    return SeenTable(
        tuple(_players(found, hands, owned, closed, compass, places)),
        _listed((tile for tile in walls if tile not in in_hands), places),
        _listed(dora, places),
        _listed((tile for tile, _ in scene.ura), places),
        dead_wall(found, compass, dora, config),
    )


def _listed(tiles: Iterable[int], places: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(places[tile] for tile in tiles if tile in places)


def _longest(seen: Iterable[River]) -> dict[Seat, River]:
    """The longest river of each player."""
    longest: dict[Seat, River] = {}
    for each in seen:
        if each.owner not in longest or len(each.tiles) > len(longest[each.owner].tiles):
            longest[each.owner] = each
    return longest


def _players(
    found: Detections, hands: list[HandReading], owned: Mapping[Seat, SeenRiver],
    closed: Mapping[Seat, tuple[int, ...]], compass: Compass, places: Mapping[int, int],
) -> Iterable[SeenPlayer]:  # fmt: skip
    at: dict[Seat, HandReading] = {}
    for rank, hand in enumerate(hands):
        quads = found.quads[list(hand.tiles)].astype(float)
        at.setdefault(compass.seat_at(quads) if rank else "near", hand)
    for seat in SEATS:
        river = owned.get(seat)
        called: tuple[SeenSet, ...] = ()
        open_tiles: tuple[int, ...] = ()
        if seat in at:
            called = tuple(_called(found, at[seat], places))
            open_tiles = _listed((tile for tile, _ in at[seat].concealed), places)
        backs = () if open_tiles else _listed(closed.get(seat, ()), places)
        if river or called or open_tiles or backs:
            yield SeenPlayer(seat, river, called, open_tiles, backs)


def _rivers(
    rgb: Pixels, found: Detections, seen: Iterable[River], compass: Compass, places: Mapping[int, int],
    config: RiverConfig,
) -> dict[Seat, SeenRiver]:  # fmt: skip
    owned: dict[Seat, SeenRiver] = {}
    for seat, river in _longest(seen).items():
        stick = (
            len(river.tiles) >= config.min_discards
            and stick_contrast(rgb, found, river, compass) > config.stick_contrast
        )
        if listed := _river(river, places, stick=stick):
            owned[seat] = listed
    return owned


def _river(river: River, places: Mapping[int, int], *, stick: bool) -> SeenRiver | None:
    """The river, without the tiles that the reading does not list."""
    kept = [k for k, tile in enumerate(river.tiles) if tile in places]
    if not kept:
        return None
    ends = np.cumsum(river.rows)
    rows = np.bincount(np.searchsorted(ends, kept, side="right"), minlength=len(ends))
    sideways = [river.sideways[k] for k in kept]
    likeliest = int(np.argmax(sideways))
    return SeenRiver(
        tuple(places[river.tiles[k]] for k in kept), tuple(int(row) for row in rows if row), likeliest,
        float(sideways[likeliest]), river.probability, stick,
    )  # fmt: skip


def _called(found: Detections, hand: HandReading, places: Mapping[int, int]) -> Iterable[SeenSet]:
    for each in hand.called:
        record = to_meld(each, found.quads).to_record()
        yield SeenSet(record["type"], _listed(each.tiles, places), record["from"])
