"""Rivers: whose each is, its discards in order, and the discard turned for riichi.

The scene model classifies discards and says which are one player's; the rest is geometry. On the rectified
table, discards stand upright before their player, in rows from the left, the first row nearest the middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Array, Indices
from vision.config import CONFIG, RIVERS, RiverConfig
from vision.detections import ROLES, Detections
from vision.players import SEATS, Seat
from vision.quads import axes, largest_component, project
from vision.scene.linkage import average_linkage
from vision.scene.rectify import rectifying

_RIVER = ROLES.index("river")


@dataclass(frozen=True, slots=True)
class River:
    """The discards of a player. ``tiles``: indices of detections in the order of discarding, as far as the
    photo shows them; ``rows``: the number in each row; ``sideways``: for each tile the probability that it
    lies on its side; ``probability``: that all are this player's and in order."""

    owner: Seat
    tiles: tuple[int, ...]
    rows: tuple[int, ...]
    sideways: tuple[float, ...]
    probability: float


@dataclass(frozen=True, slots=True)
class Compass:
    """Where the players sit. ``plane`` (3, 3): the homography that rectifies the table; in its units,
    ``middle`` (2,) of the table and ``height`` of a tile; ``near``: the direction of the near player, in
    radians."""

    plane: Array
    middle: Array
    near: float
    height: float

    def seat_towards(self, angle: float) -> Seat:
        """The player in a direction, in radians."""
        return SEATS[round((self.near - angle) / (np.pi / 2)) % 4]

    def direction(self, seat: Seat) -> Array:
        """The unit vector (2,) from the middle to a player."""
        angle = self.near - SEATS.index(seat) * np.pi / 2
        return np.array([np.cos(angle), np.sin(angle)])

    def offsets(self, quads: Array) -> Array:
        """Vectors (k, 2) on the rectified table from its middle to tiles (k, 4, 2), in pixels of the
        photo."""
        return np.asarray(project(quads.mean(axis=1), self.plane) - self.middle)

    def seat_at(self, quads: Array) -> Seat:
        """The player before whom tiles (k, 4, 2) lie, in pixels of the photo."""
        return self.seat_towards(_angle(self.offsets(quads).mean(axis=0)))


def rivers(
    found: Detections, hand: Sequence[int] = (), config: RiverConfig = RIVERS
) -> tuple[tuple[River, ...], Compass | None]:
    """The rivers of related detections, that of the near player first, and where the players sit.

    ``hand``: detections of the near player's hand; without it, the player nearest to the camera is near. With
    fewer than ``config.min_discards`` discards there is no river and no compass.
    """
    assert found.roles is not None and found.same_player is not None
    discards = np.setdiff1d(np.flatnonzero(found.roles.argmax(axis=1) == _RIVER), np.array(hand, np.intp))
    if len(discards) < config.min_discards:
        return (), None
    table = _Table.of(found, discards)
    clusters = average_linkage(found.same_player[np.ix_(discards, discards)].astype(float))
    members = [_main_part(table, discards[each], config) for each in clusters]
    centres = [table.centres[tiles].mean(axis=0) for tiles in members]
    groups = []
    for at, tiles in enumerate(members):
        others = centres[:at] + centres[at + 1 :]
        towards = np.mean(others, axis=0) - centres[at] if others else np.zeros(2)
        groups.append(_oriented(found, table, tiles, towards, config))
    compass = _compass(groups, table, found, hand, config)
    made = [
        River(
            compass.seat_towards(_angle(-each.up)), each.tiles, tuple(map(len, each.rows)),
            tuple(each.sideways[tile] for tile in each.tiles), each.probability,
        )
        for each in groups
    ]  # fmt: skip
    return tuple(sorted(made, key=lambda each: (SEATS.index(each.owner), -len(each.tiles)))), compass


def _angle(way: Array) -> float:
    return float(np.arctan2(way[1], way[0]))


@dataclass(frozen=True, slots=True)
class _Table:
    """All detections on the rectified table: ``centres`` (n, 2), and ``across`` and ``along`` (n, 2) of
    :func:`vision.quads.axes`; ``height``: the longer side of a tile."""

    plane: Array
    centres: Array
    across: Array
    along: Array
    height: float

    @classmethod
    def of(cls, found: Detections, discards: Indices) -> _Table:
        plane = rectifying(found.quads[discards])
        quads = project(found.quads.astype(float), plane)
        across, along = axes(quads)
        sides = np.linalg.norm(np.stack([across[discards], along[discards]]), axis=2)
        return cls(plane, quads.mean(axis=1), across, along, float(np.median(sides.max(axis=0))))

    def extents(self, tiles: Indices, way: Array) -> Array:
        """Extents (k,) of tiles along ``way``."""
        return np.asarray(np.abs(self.across[tiles] @ way) + np.abs(self.along[tiles] @ way))


@dataclass(frozen=True, slots=True)
class _Group:
    """Discards of one player. ``up``: the unit vector (2,) to the tops of upright ones; ``rows``: detections
    row by row; ``sideways``: for each the probability that it lies on its side; ``probability``: as of a
    river."""

    up: Array
    rows: list[list[int]]
    sideways: dict[int, float]
    probability: float

    @property
    def tiles(self) -> tuple[int, ...]:
        return tuple(tile for row in self.rows for tile in row)


def _main_part(table: _Table, tiles: Indices, config: RiverConfig) -> Indices:
    """The largest connected part of a player's discards: the scene model may mistake an open hand for
    some."""
    return np.asarray(tiles[largest_component(table.centres[tiles], config.apart * table.height)])


def _oriented(
    found: Detections, table: _Table, tiles: Indices, towards: Array, config: RiverConfig
) -> _Group:
    """Discards with their rows and the way they stand. ``towards`` (2,): to the other players' discards."""
    # Opposite directions are one axis: average the doubled angles.
    long = _long_axes(table, tiles)
    mean = np.angle(np.exp(2j * np.arctan2(long[:, 1], long[:, 0])).sum()) / 2
    axis = _deskewed(table, tiles, np.array([np.cos(mean), np.sin(mean)]), config)
    rows = _rows(table, tiles, axis, config)
    odds = _faces_up(found, table, tiles, axis, config)
    odds += config.orientation * float(axis @ towards) / table.height
    odds += config.orientation * float(np.sign(len(rows[0]) - len(rows[-1])))
    up = axis if odds >= 0 else -axis
    shares = _sideways(found, table, tiles, up, config).tolist()
    sideways = dict(zip(tiles.tolist(), shares, strict=True))
    return _Group(up, _rows(table, tiles, up, config), sideways, _river_probability(found, tiles, config))


def _river_probability(found: Detections, tiles: Indices, config: RiverConfig) -> float:
    """The probability that all tiles are one player's and in order, by their number and the scene model's
    pairs."""
    assert found.same_player is not None
    count = len(tiles)
    pairs = found.same_player[np.ix_(tiles, tiles)].astype(float)
    mean = (pairs.sum() - np.trace(pairs)) / max(count * (count - 1), 1)
    odds = (
        config.river_bias
        + config.river_count * np.log(count)
        + config.river_pairs * np.clip(mean, 0.0, config.river_pairs_limit)
    )
    return float(1 / (1 + np.exp(-odds)))


def _faces_up(found: Detections, table: _Table, tiles: Indices, axis: Array, config: RiverConfig) -> float:
    """Log odds that ``axis`` points up, by the classifier's turns of the faces."""
    assert found.turns is not None
    turns = found.turns[tiles]
    up = (turns[:, 0] + CONFIG.min_share) / (turns[:, 0] + turns[:, 2] + 2 * CONFIG.min_share)
    up = config.upside_down + (1 - 2 * config.upside_down) * up
    along = -table.along[tiles] @ axis
    upright = np.abs(along) > np.sqrt(0.5) * np.linalg.norm(table.along[tiles], axis=1)
    return float((np.sign(along) * np.log(up / (1 - up)))[upright].sum())


def rightwards(up: Array) -> Array:
    """The direction (2,) to the right of ``up`` (2,); y points down."""
    return np.array([-up[1], up[0]])


def _long_axes(table: _Table, tiles: Indices) -> Array:
    """Unit vectors (k, 2) along the longer sides: by the outlines, as a face may be a quarter turn wrong."""
    across, along = table.across[tiles], table.along[tiles]
    is_wide = np.linalg.norm(across, axis=1) > np.linalg.norm(along, axis=1)
    long = np.where(is_wide[:, None], across, along)
    return np.asarray(long / np.maximum(np.linalg.norm(long, axis=1, keepdims=True), 1e-9))


def _deskewed(table: _Table, tiles: Indices, up: Array, config: RiverConfig) -> Array:
    """``up`` rotated until neighbours in a row have one height."""
    right = rightwards(up)
    offsets = table.centres[tiles][None] - table.centres[tiles][:, None]
    beside, above = offsets @ right, offsets @ up
    near = (
        (beside > 0) & (beside < config.beside * table.height) & (np.abs(above) < config.level * table.height)
    )
    if not near.any():
        return up
    tilt = np.arctan(np.median(above[near] / beside[near]))
    return np.asarray(np.cos(tilt) * up - np.sin(tilt) * right)


def _rows(table: _Table, tiles: Indices, up: Array, config: RiverConfig) -> list[list[int]]:
    """Tiles row by row, the first row first, each from the left."""
    heights, beside = table.centres[tiles] @ up, table.centres[tiles] @ rightwards(up)
    rows: list[list[int]] = []
    for k in np.argsort(-heights, kind="stable").tolist():
        if rows and heights[rows[-1][-1]] - heights[k] < config.row * table.height:
            rows[-1].append(k)
        else:
            rows.append([k])
    return [[int(tiles[k]) for k in sorted(row, key=lambda k: float(beside[k]))] for row in rows]


def _sideways(found: Detections, table: _Table, tiles: Indices, up: Array, config: RiverConfig) -> Array:
    """Probabilities (k,) of lying on the side, by the outline relative to the others', and by the face."""
    assert found.turns is not None
    shape = np.log(table.extents(tiles, rightwards(up)) / np.maximum(table.extents(tiles, up), 1e-9))
    straight = found.turns[tiles, 0] + found.turns[tiles, 2]
    along = table.along[tiles]
    is_across = np.abs(along @ rightwards(up)) > np.abs(along @ up)
    upright = np.where(is_across, 1 - straight, straight)
    face = np.log(upright + CONFIG.min_share) - np.log(1 - upright + CONFIG.min_share)
    odds = (
        config.sideways_bias
        + config.sideways_outline * (shape - np.median(shape))
        - config.sideways_face * face
    )
    return np.asarray(1 / (1 + np.exp(-odds)))


def _compass(
    groups: Sequence[_Group], table: _Table, found: Detections, hand: Sequence[int], config: RiverConfig
) -> Compass:
    """The seats, by the rivers and the near player's hand."""
    ahead = config.middle * table.height
    middle = np.mean([table.centres[each.rows[0]].mean(axis=0) + ahead * each.up for each in groups], axis=0)
    # The sides of the table, from all rivers: average the quadrupled angles.
    total = sum(len(each.tiles) * np.exp(4j * _angle(-each.up)) for each in groups)
    sides = float(np.angle(total)) / 4 + np.arange(4) * np.pi / 2
    if hand:
        towards = _angle(table.centres[list(hand)].mean(axis=0) - middle)
        # Called sets lie in a corner between two players: the way their tiles stand decides.
        long = _long_axes(table, np.array(hand))
        stand = np.cos(2 * (np.arctan2(long[:, 1], long[:, 0])[:, None] - sides)).mean(axis=0)
    else:
        here = found.quads[list(groups[0].tiles)].mean(axis=(0, 1)).astype(float)
        start, end = project(here + np.array([[0.0, 0.0], [0.0, 1.0]]), table.plane)
        towards, stand = _angle(end - start), np.zeros(4)
    near = sides[int(np.argmax(np.cos(sides - towards) + config.stand * stand))]
    return Compass(table.plane, middle, float(near), table.height)
