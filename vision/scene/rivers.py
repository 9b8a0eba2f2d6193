"""Rivers from the scene model's answers: whose each is, its discards in order, the tile turned for riichi.

The model says which tiles are discards, and which of them are of one player. The rest is geometry. Seen from
above, a player's discards stand upright before the player, in rows that begin at the left; the first row lies
nearest the middle of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Array, Indices, Mask
from vision.detections import ROLES, Detections
from vision.players import SEATS, Seat
from vision.quads import axes, project
from vision.scene.config import RIVERS, RiverConfig
from vision.scene.rectify import rectifying

_RIVER = ROLES.index("river")


@dataclass(frozen=True, slots=True)
class River:
    """The discards of a player. ``tiles``: indices of detections in the order of discarding, as far as they
    are seen; ``rows``: how many lie in each row; ``turned``: for each tile the probability that it lies on
    its side; ``sure``: how probable it is that they are this player's and in order."""

    owner: Seat
    tiles: tuple[int, ...]
    rows: tuple[int, ...]
    turned: tuple[float, ...]
    sure: float


@dataclass(frozen=True, slots=True)
class Compass:
    """Where the players sit. ``plane`` (3, 3): the homography under which the table is seen from above;
    ``middle`` (2,): of the table, there; ``near``: the direction of the near player, in radians;
    ``high``: the longer side of a lying tile, seen from above."""

    plane: Array
    middle: Array
    near: float
    high: float

    def seat_towards(self, angle: float) -> Seat:
        """Who sits in a direction."""
        return SEATS[round((self.near - angle) / (np.pi / 2)) % 4]

    def way(self, seat: Seat) -> Array:
        """(2,) of length 1: where from the middle a player sits."""
        angle = self.near - SEATS.index(seat) * np.pi / 2
        return np.array([np.cos(angle), np.sin(angle)])

    def away(self, quads: Array) -> Array:
        """(k, 2) from the middle of the table to tiles (k, 4, 2) in the photo's pixels, seen from above."""
        return np.asarray(project(quads.mean(axis=1), self.plane) - self.middle)

    def seat_at(self, quads: Array) -> Seat:
        """Before whom tiles (k, 4, 2), in the photo's pixels, lie."""
        return self.seat_towards(_angle(self.away(quads).mean(axis=0)))


def rivers(
    found: Detections, hand: Sequence[int] = (), config: RiverConfig = RIVERS
) -> tuple[tuple[River, ...], Compass | None]:
    """The rivers of related detections, that of the near player first, and where the players sit.

    ``hand``: detections of the near player's hand; without it, whoever sits nearest to the camera is near.
    Where fewer discards than ``config.fewest`` are seen there is no river and no compass.
    """
    assert found.roles is not None
    discards = np.setdiff1d(np.flatnonzero(found.roles.argmax(axis=1) == _RIVER), np.array(hand, np.intp))
    if len(discards) < config.fewest:
        return (), None
    table = _Table.of(found, discards)
    members = [_together(table, tiles, config) for tiles in _by_player(found, discards)]
    centres = [table.centres[tiles].mean(axis=0) for tiles in members]
    groups = []
    for at, tiles in enumerate(members):
        others = centres[:at] + centres[at + 1 :]
        towards = np.mean(others, axis=0) - centres[at] if others else np.zeros(2)
        groups.append(_group(found, table, tiles, towards, config))
    compass = _compass(groups, table, found, hand, config)
    made = [
        River(
            compass.seat_towards(_angle(-each.up)), each.tiles, tuple(map(len, each.rows)),
            tuple(each.turned[tile] for tile in each.tiles), each.sure,
        )
        for each in groups
    ]  # fmt: skip
    return tuple(sorted(made, key=lambda each: (SEATS.index(each.owner), -len(each.tiles)))), compass


def _angle(way: Array) -> float:
    return float(np.arctan2(way[1], way[0]))


@dataclass(frozen=True, slots=True)
class _Table:
    """All detections as seen from above: ``centres`` (n, 2), ``across`` and ``along`` (n, 2) as
    :func:`vision.quads.axes` has them; ``high``: the longer side of a lying tile."""

    plane: Array
    centres: Array
    across: Array
    along: Array
    high: float

    @classmethod
    def of(cls, found: Detections, discards: Indices) -> _Table:
        plane = rectifying(found.quads[discards])
        quads = project(found.quads.astype(float), plane)
        across, along = axes(quads)
        sides = np.linalg.norm(np.stack([across[discards], along[discards]]), axis=2)
        return cls(plane, quads.mean(axis=1), across, along, float(np.median(sides.max(axis=0))))

    def extents(self, tiles: Indices, way: Array) -> Array:
        """(k,) how long tiles are along ``way``."""
        return np.asarray(np.abs(self.across[tiles] @ way) + np.abs(self.along[tiles] @ way))


@dataclass(frozen=True, slots=True)
class _Group:
    """Discards of one player. ``up`` (2,), of length 1: where the tops of the upright ones point; ``rows``:
    detections row by row; ``turned``: for each the probability that it lies on its side."""

    up: Array
    rows: list[list[int]]
    turned: dict[int, float]
    sure: float

    @property
    def tiles(self) -> tuple[int, ...]:
        return tuple(tile for row in self.rows for tile in row)


def _by_player(found: Detections, discards: Indices) -> Iterator[Indices]:
    """Discards that are of one player: the two groups whose pairs say so most are joined, again and again."""
    assert found.same_player is not None
    total = found.same_player[np.ix_(discards, discards)].astype(float)
    np.fill_diagonal(total, 0)
    members = [[k] for k in range(len(discards))]
    while len(members) > 1:
        counts = np.array([len(each) for each in members])
        means = total / np.outer(counts, counts)
        np.fill_diagonal(means, -np.inf)
        a, b = sorted(divmod(int(means.argmax()), len(members)))
        if means[a, b] <= 0:
            break
        members[a] += members.pop(b)
        total[a] += total[b]
        total[:, a] += total[:, b]
        total = np.delete(np.delete(total, b, axis=0), b, axis=1)
    for each in members:
        yield discards[each]


def _together(table: _Table, tiles: Indices, config: RiverConfig) -> Indices:
    """Of a player's discards the largest part in which each lies near another: a hand that lies open may be
    taken for discards, too."""
    return np.asarray(tiles[largest_part(table.centres[tiles], config.apart * table.high)])


def largest_part(centres: Array, apart: float) -> Mask:
    """(n,) which of points (n, 2) are in the largest part in which each lies nearer than ``apart`` to
    another."""
    linked = np.linalg.norm(centres[:, None] - centres[None], axis=2) < apart
    for _ in range(len(centres).bit_length()):
        linked = linked @ linked
    return np.asarray(linked[linked.sum(axis=1).argmax()])


def _group(found: Detections, table: _Table, tiles: Indices, towards: Array, config: RiverConfig) -> _Group:
    """``towards`` (2,): from these discards to the other players'."""
    # Directions that differ by half a turn are one direction: the doubled angles have a mean.
    long = _long_axes(table, tiles)
    mean = np.angle(np.exp(2j * np.arctan2(long[:, 1], long[:, 0])).sum()) / 2
    axis = _straightened(table, tiles, np.array([np.cos(mean), np.sin(mean)]))
    rows = _rows(table, tiles, axis)
    odds = _faces_up(found, table, tiles, axis, config)
    odds += config.middlewards * float(axis @ towards) / table.high
    odds += config.shorter * float(np.sign(len(rows[0]) - len(rows[-1])))
    up = axis if odds >= 0 else -axis
    turned = dict(zip(tiles.tolist(), _turned(found, table, tiles, up, config).tolist(), strict=True))
    return _Group(up, _rows(table, tiles, up), turned, _sure(found, tiles, config))


def _sure(found: Detections, tiles: Indices, config: RiverConfig) -> float:
    """How probable it is that all tiles are one player's and in order, by how many they are, and by what the
    scene model says of their pairs."""
    assert found.same_player is not None
    count = len(tiles)
    pairs = found.same_player[np.ix_(tiles, tiles)].astype(float)
    mean = (pairs.sum() - np.trace(pairs)) / max(count * (count - 1), 1)
    odds = config.alone + config.each * np.log(count) + config.pairs * np.clip(mean, 0.0, 8.0)
    return float(1 / (1 + np.exp(-odds)))


_LEAST = 1e-3
"""Probability below which the face network's turns are noise."""


def _faces_up(found: Detections, table: _Table, tiles: Indices, axis: Array, config: RiverConfig) -> float:
    """Log odds that ``axis`` is up by the faces. People turn few of their discards round: one alone says
    little."""
    assert found.turns is not None
    turns = found.turns[tiles]
    up = (turns[:, 0] + _LEAST) / (turns[:, 0] + turns[:, 2] + 2 * _LEAST)
    up = config.overturned + (1 - 2 * config.overturned) * up
    along = -table.along[tiles] @ axis
    upright = np.abs(along) > np.sqrt(0.5) * np.linalg.norm(table.along[tiles], axis=1)
    return float((np.sign(along) * np.log(up / (1 - up)))[upright].sum())


def rightwards(up: Array) -> Array:
    """To the right of who has ``up`` (2,) before them; y points down."""
    return np.array([-up[1], up[0]])


def _long_axes(table: _Table, tiles: Indices) -> Array:
    """(k, 2) of length 1: the direction of the longer sides. A face may be read a quarter turned; its
    outline is as long as it is."""
    across, along = table.across[tiles], table.along[tiles]
    lies = np.linalg.norm(across, axis=1) > np.linalg.norm(along, axis=1)
    long = np.where(lies[:, None], across, along)
    return np.asarray(long / np.maximum(np.linalg.norm(long, axis=1, keepdims=True), 1e-9))


def _straightened(table: _Table, tiles: Indices, up: Array) -> Array:
    """``up`` turned until neighbours in a row lie at one height."""
    right = rightwards(up)
    apart = table.centres[tiles][None] - table.centres[tiles][:, None]
    beside, above = apart @ right, apart @ up
    near = (beside > 0) & (beside < 1.7 * table.high) & (np.abs(above) < 0.4 * table.high)
    if not near.any():
        return up
    tilt = np.arctan(np.median(above[near] / beside[near]))
    return np.asarray(np.cos(tilt) * up - np.sin(tilt) * right)


def _rows(table: _Table, tiles: Indices, up: Array) -> list[list[int]]:
    """Tiles row by row, the first row first, each from the left."""
    heights, beside = table.centres[tiles] @ up, table.centres[tiles] @ rightwards(up)
    rows: list[list[int]] = []
    for k in np.argsort(-heights, kind="stable").tolist():
        if rows and heights[rows[-1][-1]] - heights[k] < 0.5 * table.high:
            rows[-1].append(k)
        else:
            rows.append([k])
    return [[int(tiles[k]) for k in sorted(row, key=lambda k: float(beside[k]))] for row in rows]


def _turned(found: Detections, table: _Table, tiles: Indices, up: Array, config: RiverConfig) -> Array:
    """(k,) the probability that each lies on its side: by its outline beside the others', and by how its
    face is turned."""
    assert found.turns is not None
    shape = np.log(table.extents(tiles, rightwards(up)) / np.maximum(table.extents(tiles, up), 1e-9))
    straight = found.turns[tiles, 0] + found.turns[tiles, 2]
    along = table.along[tiles]
    lies = np.abs(along @ rightwards(up)) > np.abs(along @ up)
    upright = np.where(lies, 1 - straight, straight)
    face = np.log(upright + _LEAST) - np.log(1 - upright + _LEAST)
    odds = config.shift + config.outline * (shape - np.median(shape)) - config.face * face
    return np.asarray(1 / (1 + np.exp(-odds)))


def _compass(
    groups: Sequence[_Group], table: _Table, found: Detections, hand: Sequence[int], config: RiverConfig
) -> Compass:
    """Where the players sit, by their rivers and the hand."""
    ahead = config.middle * table.high
    middle = np.mean([table.centres[each.rows[0]].mean(axis=0) + ahead * each.up for each in groups], axis=0)
    # All rivers together say where the four sides are: four times each direction is one.
    sides = sum(len(each.tiles) * np.exp(4j * _angle(-each.up)) for each in groups)
    four = float(np.angle(sides)) / 4 + np.arange(4) * np.pi / 2
    if hand:
        towards = _angle(table.centres[list(hand)].mean(axis=0) - middle)
        # Called sets lie in a corner between two players: how their tiles stand says whose they are.
        long = _long_axes(table, np.array(hand))
        stand = np.cos(2 * (np.arctan2(long[:, 1], long[:, 0])[:, None] - four)).mean(axis=0)
    else:
        here = found.quads[list(groups[0].tiles)].mean(axis=(0, 1)).astype(float)
        start, end = project(here + np.array([[0.0, 0.0], [0.0, 1.0]]), table.plane)
        towards, stand = _angle(end - start), np.zeros(4)
    near = four[int(np.argmax(np.cos(four - towards) + config.stand * stand))]
    return Compass(table.plane, middle, float(near), table.high)
