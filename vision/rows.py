"""Tiles in millimetres of the table, and the runs in which they lie side by side.

Whether a tile stands or lies on its side is not decided here: its shape, the network's turn and where it
lies are evidence, and every run carries the price of either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Array, Indices, Mask
from vision.habits import Habits, RowHabits
from vision.kinds import of_kinds
from vision.labels import (
    BACK_INDEX,
    CLASSES,
    LOOK_ALIKE_SIDEWAYS,
    LOOK_ALIKE_UPSIDE_DOWN,
    NOT_A_FACE_INDEX,
    WHITE_INDEX,
)
from vision.plane import TILE_HEIGHT, TILE_WIDTH, Plane, fit_plane
from vision.quads import axes

Counts = NDArray[np.int64]


class Pairs(NamedTuple):
    """Every two tiles that lie so close that they may be neighbours, both ways round: ``one`` and ``other``
    (m,), ascending; ``away`` (m, 2): millimetres from one to the other."""

    one: Indices
    other: Indices
    away: Array

    @classmethod
    def of(cls, centre: Array, habit: RowHabits) -> Pairs:
        """Of tiles whose middles are ``centre`` (n, 2)."""
        along = TILE_HEIGHT + habit.usual_touch * habit.touch
        aside = habit.stagger + (TILE_HEIGHT - TILE_WIDTH) / 2
        stacked = np.hypot(habit.stacked_aside, habit.stacked_to)
        reach = max(np.hypot(along, aside), stacked, habit.same_spot)
        x, y = centre.T
        across, rise = x - x[:, None], y - y[:, None]
        near = across * across + rise * rise < reach * reach
        np.fill_diagonal(near, False)
        one, other = np.nonzero(near)
        return cls(one, other, np.column_stack([across[near], rise[near]]))


@dataclass(frozen=True, slots=True)
class Tiles:
    """All tiles in the plane. ``up``: unit vectors; ``sure``: how well up is told from down, 0 to 1.

    ``turned``: (n,) corners to roll a quad by to its top left; ``firm``: (n,) log odds, not negative, that
    this top is a short side; ``rotations``: (n, 4) as given. ``faces``: (n, 34) log probability of each
    kind, reds with their five; ``best`` of them, and its kind; ``back``: log probability of a back; ``dark``:
    may be one.
    ``as_face``: the score of taking a tile for a face; ``as_stray``: the price of taking it for no tile, low
    where its face is unsure, else prohibitive. ``near``: pixels per millimetre; ``apart``: (n, n) millimetres
    from middle to middle.
    """

    plane: Plane
    quads: Array
    centre: Array
    pairs: Pairs
    up: Array
    turned: Counts
    sure: Array
    firm: Array
    rotations: Array
    faces: Array
    best: Array
    kinds: tuple[int, ...]
    back: Array
    dark: tuple[bool, ...]
    as_face: tuple[float, ...]
    as_stray: tuple[float, ...]
    labels: tuple[str, ...]
    near: Array
    usable: Mask
    apart: Array
    habits: Habits
    measures: dict[object, float] = field(default_factory=dict)
    """What some of the tiles make, found once for all frames: :mod:`vision.groups` keeps it here."""

    @classmethod
    def measure(
        cls,
        quads: Array,
        probabilities: Array,
        rotations: Array | None,
        habits: Habits,
    ) -> Tiles:
        habit = habits.rows
        labels = tuple(CLASSES[k] for k in probabilities.argmax(axis=1))
        chance = probabilities.max(axis=1)
        asymmetric = np.array([label not in LOOK_ALIKE_UPSIDE_DOWN for label in labels])
        shaped = np.array([label not in LOOK_ALIKE_SIDEWAYS for label in labels])
        if rotations is None:
            either = habit.corner_believed / 2
            rotations = np.where(asymmetric, habit.corner_believed, either)[:, None] * np.array([1, 0, 0, 0])
            rotations += habit.corner_rest
            rotations[:, 2] += np.where(asymmetric, 0, either)
        trust = np.where(shaped, chance, habit.square_trust)
        plane = fit_plane(quads, trust)
        level = plane.apply(quads)
        wide, tall = (np.linalg.norm(edge, axis=1) for edge in axes(level))
        odds = _top_odds(wide, tall, rotations, shaped, habit)
        lying = odds < 0  # the first edge is a long one: the quad starts at a wrong corner
        turned = np.where(lying, np.where(rotations[:, 1] >= rotations[:, 3], 1, 3), 0)
        corner = (np.arange(4)[None, :] + turned[:, None]) % 4
        upright = np.take_along_axis(level, corner[..., None].repeat(2, axis=-1), axis=1)
        up = upright[:, 0] + upright[:, 1] - upright[:, 2] - upright[:, 3]
        up /= np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-9)
        rolled = np.take_along_axis(rotations, corner, axis=1)
        sure = np.where(asymmetric, chance * (rolled[:, 0] - rolled[:, 2]), 0.0)
        flip = sure < 0
        up[flip] *= -1
        turned = np.where(flip, (turned + 2) % 4, turned)
        kinds = of_kinds(probabilities)
        short, long = np.minimum(wide, tall) / TILE_WIDTH, np.maximum(wide, tall) / TILE_HEIGHT
        odd = np.maximum(np.abs(np.log(short + 1e-6)), np.abs(np.log(long + 1e-6)))
        best = np.log(kinds.max(axis=1) + habit.floor)
        back = np.log(probabilities[:, BACK_INDEX] + habit.floor)
        unsure = np.maximum(1.0 - np.exp(best), habit.stray_floor)
        stray = habit.stray_price + (habit.stray_back - habit.stray_price) * probabilities[:, BACK_INDEX]
        centre = level.mean(axis=1)
        usable = (odd < np.log(habit.odd_size)) & (probabilities[:, NOT_A_FACE_INDEX] < habit.whole_below)
        quality = chance * np.exp(-habit.odd_quality * odd)
        pairs = Pairs.of(centre, habit)
        return cls(
            plane=plane, quads=quads, centre=centre, pairs=pairs, up=up, turned=turned,
            sure=np.abs(sure), firm=np.abs(odds), rotations=rotations,
            faces=np.log(kinds + habit.floor), best=best, kinds=tuple(kinds.argmax(axis=1).tolist()),
            back=back,
            dark=tuple(_may_be_backs(probabilities, kinds, habits).tolist()),
            as_face=tuple(np.minimum(0.0, best - np.logaddexp(best, back)).tolist()),
            as_stray=tuple((stray - habit.stray_sure * np.log(unsure)).tolist()), labels=labels,
            near=_pixels_per_mm(quads), usable=_one_a_spot(pairs, quality, usable, habit.same_spot),
            apart=np.linalg.norm(centre[:, None] - centre, axis=2), habits=habits,
        )  # fmt: skip


def _may_be_backs(probabilities: Array, kinds: Array, habits: Habits) -> Mask:
    """(n,) what may be a back: none that surely shows a print, though white ones look like white dragons."""
    printed = np.delete(kinds, WHITE_INDEX, axis=1).max(axis=1)
    return np.asarray(
        (probabilities[:, BACK_INDEX] > habits.rows.maybe_back) & (printed < habits.decode.certain)
    )


def _top_odds(wide: Array, tall: Array, rotations: Array, shaped: Mask, habit: RowHabits) -> Array:
    """(n,) log odds that a quad's first edge is the face's top or bottom rather than a side."""
    shape = habit.shape_odds * np.log((tall + 1e-6) / (wide + 1e-6))
    upright = rotations[:, 0] + rotations[:, 2] + habit.turn_floor
    turn = np.log(upright / (rotations[:, 1] + rotations[:, 3] + habit.turn_floor))
    turn = np.where(shaped, turn, habit.square_turn * turn)
    return np.asarray(
        np.clip(shape, -habit.most_odds, habit.most_odds) + np.clip(turn, -habit.most_odds, habit.most_odds)
    )


def _pixels_per_mm(quads: Array) -> Array:
    diagonals = np.linalg.norm(quads[:, :2] - quads[:, 2:], axis=2).mean(axis=1)
    return np.asarray(diagonals / np.hypot(TILE_WIDTH, TILE_HEIGHT))


def _one_a_spot(pairs: Pairs, quality: Array, usable: Mask, apart: float) -> Mask:
    """Of detections on one spot the best stays."""
    kept = usable.copy()
    close = np.hypot(*pairs.away.T) < apart
    worse = close & (quality[pairs.other] <= quality[pairs.one])
    one, other = pairs.one[worse], pairs.other[worse]
    for k in np.argsort(-quality[one], kind="stable").tolist():
        if kept[one[k]]:
            kept[other[k]] = False
    return kept


# --- frames and runs ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """One place of a run: a tile, or the two turned tiles of a kakan.

    ``flat``, ``upright``: what it costs to take it as lying on its side, and as not. ``gap``: millimetres to
    the column before it, over what is usual in the photo.
    """

    tiles: tuple[int, ...]
    flat: float
    upright: float
    gap: float = 0.0

    @property
    def turned(self) -> bool:
        return self.flat < self.upright

    @property
    def double(self) -> bool:
        return len(self.tiles) == 2


@dataclass(frozen=True)
class Run:
    """Neighbours from left to right that touch one another."""

    columns: tuple[Column, ...]

    @cached_property
    def tiles(self) -> tuple[int, ...]:
        return tuple([i for column in self.columns for i in column.tiles])

    @cached_property
    def heads(self) -> tuple[int, ...]:
        """The first tile of each column."""
        return tuple([column.tiles[0] for column in self.columns])

    def opposite(self) -> Run:
        """The run seen from the other side of the table."""
        if len(self.columns) == 1:
            return self
        gaps = (0.0, *[column.gap for column in self.columns[:0:-1]])
        columns = zip(reversed(self.columns), gaps, strict=True)
        return Run(tuple([Column(each.tiles, each.flat, each.upright, gap) for each, gap in columns]))


def frames(tiles: Tiles) -> Iterator[Frame]:
    """The tiles with every direction as up that may be the hand's: those of any tiles, four ways, of which
    the last two are the first two seen from the other side. At least one, even where no tile is whole."""
    for up in _directions(tiles):
        frame, beside = (Frame.look(tiles, each) for each in (up, np.array([-up[1], up[0]])))
        yield from (frame, beside, frame.opposite(), beside.opposite())


def _directions(tiles: Tiles) -> list[Array]:
    """Unit vectors in the plane, each for four directions: as they are and turned by quarters."""
    habit = tiles.habits.rows
    angle = np.arctan2(tiles.up[:, 1], tiles.up[:, 0])[tiles.usable]
    if len(angle) == 0:
        return [np.array([0.0, -1.0])]
    left = np.ones(len(angle), bool)
    found: list[Array] = []
    while left.any() and len(found) < habit.most_directions:
        apart = np.abs((angle[:, None] - angle[None, left] + np.pi / 4) % (np.pi / 2) - np.pi / 4)
        votes = (apart < habit.votes_within).sum(axis=0)
        start = angle[left][int(votes.argmax())]
        if found and votes.max() < habit.least_votes:
            break
        offset = (angle - start + np.pi / 4) % (np.pi / 2) - np.pi / 4
        member = np.abs(offset) < habit.turned_within
        direction = start + offset[member & left].mean()
        found.append(np.array([np.cos(direction), np.sin(direction)]))
        left &= ~member
    return found


@dataclass(frozen=True, slots=True)
class Frame:
    """The tiles seen with one direction as up. ``quarter``: (n,) quarter turns of a tile clockwise, or -1
    where it lies aslant; ``odds``: (n,) log odds that a tile lies on its side; ``ups``: local up of a tile's
    row; ``wide``, ``tall``: (n,) its sides along the row and across it, in between where that is open."""

    tiles: Tiles
    up: Array
    quarter: Counts
    odds: Array
    ups: Array
    rights: Array
    wide: Array
    tall: Array
    runs: tuple[Run, ...] = field(default=())
    in_long_run: Mask = field(default_factory=lambda: np.zeros(0, bool))
    """(n,) tiles of runs that may be another player's row."""

    @classmethod
    def look(cls, tiles: Tiles, up: Array) -> Frame:
        cross = up[0] * tiles.up[:, 1] - up[1] * tiles.up[:, 0]
        angle = np.arctan2(cross, tiles.up @ up)  # clockwise, as y points down
        quarter = np.rint(angle / (np.pi / 2)).astype(np.int64)
        rest = angle - quarter * np.pi / 2
        cos, sin = np.cos(rest), np.sin(rest)
        ups = np.column_stack([cos * up[0] - sin * up[1], sin * up[0] + cos * up[1]])
        quarter = np.where(tiles.usable & (np.abs(rest) < tiles.habits.rows.aslant), quarter % 4, -1)
        odds = np.where(quarter % 2 == 1, tiles.firm, -tiles.firm)
        longer = (TILE_HEIGHT - TILE_WIDTH) / (1.0 + np.exp(-odds))
        rights = np.column_stack([-ups[:, 1], ups[:, 0]])
        bare = cls(tiles, up, quarter, odds, ups, rights, TILE_WIDTH + longer, TILE_HEIGHT - longer)
        runs = tuple(bare._chain())
        in_long_run = np.zeros(len(tiles.labels), bool)
        for run in runs:
            if len(run.columns) >= tiles.habits.terms.long_run:
                in_long_run[list(run.tiles)] = True
        return replace(bare, runs=runs, in_long_run=in_long_run)

    def opposite(self) -> Frame:
        """The same from the other side of the table: what is up is down, and runs go the other way."""
        return replace(
            self, up=-self.up, quarter=np.where(self.quarter < 0, -1, (self.quarter + 2) % 4), ups=-self.ups,
            rights=-self.rights, runs=tuple(run.opposite() for run in self.runs),
        )  # fmt: skip

    def _chain(self) -> Iterator[Run]:
        members = self.quarter >= 0
        habit, pairs = self.tiles.habits.rows, self.tiles.pairs
        both = members[pairs.one] & members[pairs.other]
        one, other, (x, y) = pairs.one[both], pairs.other[both], pairs.away[both].T
        # Along and across the mean of the two tiles' own sides.
        right_x, right_y = (self.rights[one] + self.rights[other]).T
        length = np.maximum(np.sqrt(right_x * right_x + right_y * right_y), 1e-9)
        dx, dy = (x * right_x + y * right_y) / length, (x * right_y - y * right_x) / length
        gap = dx - (self.wide[one] + self.wide[other]) / 2
        lift = (self.tall[other] - self.tall[one]) / 2
        step = np.minimum(np.abs(dy), np.abs(np.abs(dy) - np.abs(lift)))
        flat, upright = np.logaddexp(0.0, -self.odds).tolist(), np.logaddexp(0.0, self.odds).tolist()
        near = (gap > -habit.overlap) & (gap < habit.usual_touch * habit.touch) & (step < habit.stagger)
        base = float(np.median(gap[near])) if near.any() else 0.0
        near &= gap < max(base, 0.0) + habit.touch
        beside = [*zip(*(each[near].tolist() for each in (one, other, gap, step)), strict=True)]
        above = (np.abs(dx) < habit.stacked_aside) & (dy > habit.stacked_from) & (dy < habit.stacked_to)
        above[above] = self._may_be_two(one[above], other[above])
        stacked = zip(*(each[above].tolist() for each in (dy + np.abs(dx), one, other)), strict=True)
        partner = _kakan_pairs(stacked, beside, flat, self.tiles.kinds, habit)
        upper = set(partner.values())
        behind, ahead = dict[int, tuple[float, int, float]](), dict[int, tuple[float, int]]()
        for i, j, space, aside in beside:
            if i not in upper and j not in upper:
                cost = abs(space - base) + habit.stagger_price * aside
                if i not in behind or cost < behind[i][0]:
                    behind[i] = cost, j, space
                if j not in ahead or cost < ahead[j][0]:
                    ahead[j] = cost, i
        after = {i: (j, space - base) for i, (_, j, space) in behind.items() if ahead[j][1] == i}
        inner = upper.union(j for j, _ in after.values())
        for start in np.flatnonzero(members).tolist():
            if start in inner:
                continue
            columns, i, space = list[Column](), start, 0.0
            while True:
                spot = (i, partner[i]) if i in partner else (i,)
                lying, standing = sum([flat[k] for k in spot]), sum([upright[k] for k in spot])
                columns.append(Column(spot, lying, standing, space))
                if i not in after:
                    break
                i, space = after[i]
            yield Run(tuple(columns))

    def _may_be_two(self, low: Indices, high: Indices) -> Mask:
        """(k,) whether two tiles that lie one above the other may be a kakan's, or a tile of the row with the
        winning one upon its edge: of one kind, or one of them stands."""
        faces, best, habit = self.tiles.faces, self.tiles.best, self.tiles.habits.rows
        unlike = best[low] + best[high] - (faces[low] + faces[high]).max(axis=1)
        stands = np.logaddexp(0.0, np.minimum(self.odds[low], self.odds[high])) < habit.stacked
        return np.asarray((unlike < habit.stacked_unlike) | stands)

    def rise(self) -> Array:
        """(n,) how far the frame's up is up in the photo at each tile: 1 up, -1 down."""
        step = self.tiles.plane.invert(self.tiles.centre + self.up)
        step -= self.tiles.plane.invert(self.tiles.centre)
        return np.asarray(-step[:, 1] / np.maximum(np.linalg.norm(step, axis=1), 1e-9))


def _kakan_pairs(
    stacked: Iterable[tuple[float, int, int]],
    beside: Iterable[tuple[int, int, float, float]],
    flat: Sequence[float],
    kinds: Sequence[int],
    habit: RowHabits,
) -> dict[int, int]:
    """Turned tiles that lie one above the other beside an upright one: the one in the row, the other.

    ``stacked``: how far apart, the lower one, the upper one; ``beside``: neighbours, the gap between them,
    how far one is pushed up or down; ``flat``: (n,) what it costs to take a tile as lying on its side;
    ``kinds``: (n,) of their faces. Seen low, a tile on its side is as wide as it is high: of three alike the
    turn of one may be mistaken.
    """
    pairs = [each for each in stacked if flat[each[1]] + flat[each[2]] < habit.stacked_alike]
    if not pairs:
        return {}
    steps: dict[int, list[float]] = {}
    alike: set[int] = set()
    for i, j, _, step in beside:
        for tile, neighbour in ((i, j), (j, i)):
            if flat[neighbour] > log(2):  # it is upright
                steps.setdefault(tile, []).append(step)
                if kinds[tile] == kinds[neighbour]:
                    alike.add(tile)
    partner: dict[int, int] = {}
    used: set[int] = set()
    for _, low, high in sorted(pairs):
        same = kinds[low] == kinds[high] and not alike.isdisjoint((low, high))
        if low in used or high in used or (not same and flat[low] + flat[high] >= habit.stacked):
            continue
        in_row = [(min(steps[i]), i) for i in (low, high) if i in steps]
        if in_row:
            base = min(in_row)[1]
            partner[base] = high if base == low else low
            used |= {low, high}
    return partner
