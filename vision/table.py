"""From tiles anywhere in a photo to one player's hand: rows, melds, the winning tile, dora indicators.

All geometry happens in millimetres of the table (:mod:`vision.plane`), so a row is straight, a neighbour
is 19 mm away and a called tile is turned by 90°, whatever the camera did. Within a *frame* (one direction
taken as "up") tiles are chained into runs, every run is parsed into closed tiles, melds and a winning tile
in every way that its tiles allow, and the union of runs that makes the likeliest hand wins.

Scores are natural logarithms of odds, as far as habits at the table can be put in numbers; they were
set on synthetic layouts (``tests/vision/layouts.py``), never on evaluation photos.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from heapq import nlargest
from itertools import chain, groupby
from operator import itemgetter
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.readings import is_complete
from vision.labels import BACK, CLASSES, NOT_A_FACE
from vision.plane import TILE_HEIGHT, TILE_WIDTH, Array, Plane, fit_plane

MeldKind = Literal["chi", "pon", "minkan", "kakan", "ankan"]
Counts = NDArray[np.int64]

KINDS = 34
_BACK = CLASSES.index(BACK)
_NONE = CLASSES.index(NOT_A_FACE)
_REDS = {34: 4, 35: 13, 36: 22}  # class of a red five: kind of its plain five

_LOOK_ALIKE_UPSIDE_DOWN = frozenset([
    "1p", "2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s",
    "5s", "6s", "8s", "9s", "5z", "0p", "0s", "back", "none",
])  # fmt: skip
_LOOK_ALIKE_TURNED = frozenset(["5z", "1p", "back", "none"])

_TOUCH = 0.35 * TILE_WIDTH
"""A wider gap than this parts two groups."""
_OVERLAP = 0.4 * TILE_WIDTH
"""How far two neighbours' quads may run into each other."""
_STAGGER = 0.45 * TILE_HEIGHT
"""How far a neighbour may be pushed up or down."""
_OFF_LINE = 0.6 * TILE_HEIGHT
"""How far a group on the same line may lie above or below another one's line."""
_ASLANT = np.radians(25)
"""A tile farther than this from both upright and sideways does not belong to the frame."""
_TIDY = np.radians(12)
"""How far tiles of a wall may be turned from one another."""
_SAME_SPOT = 0.68 * TILE_WIDTH
"""Two faces cannot lie closer than this."""
_ODD_SIZE = 1.35
"""A quad longer or shorter than a tile by this factor is no whole tile."""
_CERTAIN = 1e-6
_SHAPE_ODDS = 20.0
"""What the log of a quad's height by width counts for its first edge being a short side. On rendered photos
the shape alone errs for 2 % of the tiles, the network's turn alone for 1.3 %, both at once for 0.5 %."""
_MOST_ODDS = 5.0
"""Neither the shape nor the network is surer than this."""
_SQUARE_SAYS = 0.5
"""What the network's turn of a face that looks alike on its side counts."""
_LEAN_PRICE = 7.0
"""A tile this surely upright is never taken as a sideways one, nor the other way round."""
_BACK_TURNED = 1.0
"""Backs show so little of their turn that it counts for no more than this."""
_STACKED = 4.0
"""Two tiles one above the other may be a kakan's if taking both as sideways costs less than this."""
_DOUBTFUL = 6.5
"""At a price below this a detection may be no tile even in the middle of a run."""
_MAYBE_BACK = 1e-3
"""With a smaller probability of its back a tile is none that lies face down."""
_LOOSE = 6.0
"""Millimetres between neighbours at which it is even odds whether one is set apart."""
_PER_MM = 0.8
"""By how much each millimetre more or less moves those odds."""


@dataclass(frozen=True, slots=True)
class MeldSeen:
    """A meld on the table. ``tiles``: indices left to right, the added tile of a kakan beside its base.

    ``source``: who discarded the called tile, as ``from`` in ``HAND.md``; None for an ankan.
    """

    kind: MeldKind
    tiles: tuple[int, ...]
    source: int | None


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to see the photo's tiles as a hand; all numbers are indices of the tiles given.

    ``closed``: in reading order, without ``win``. ``turns``: (n,) by how many corners each quad must be
    rolled (``np.roll(quad, -turns, axis=0)``) to start at its face's top left. ``score``: log odds, only
    to be compared with other layouts of the same photo. ``spare``: tiles that lie beside the row of a hand of
    14 as a winning tile would, and are one too many.
    """

    closed: tuple[int, ...]
    win: int | None
    melds: tuple[MeldSeen, ...]
    dora: tuple[int, ...]
    turns: tuple[int, ...]
    sideways: tuple[bool, ...]
    upside_down: tuple[bool, ...]
    score: float
    spare: tuple[int, ...] = ()

    @property
    def roles(self) -> tuple[str, ...]:
        """``hand``, ``win``, ``meld:0``…, ``dora`` or ``other``, a tile each."""
        roles = ["other"] * len(self.turns)
        for index in self.closed:
            roles[index] = "hand"
        if self.win is not None:
            roles[self.win] = "win"
        for number, meld in enumerate(self.melds):
            for index in meld.tiles:
                roles[index] = f"meld:{number}"
        for index in self.dora:
            roles[index] = "dora"
        return tuple(roles)

    @property
    def size(self) -> int:
        """Tiles of the hand, a kan counted as three: 14 when finished, 13 before."""
        return len(self.closed) + (self.win is not None) + 3 * len(self.melds)


def arrange(
    quads: Array, probabilities: Array, rotations: Array | None = None, *, limit: int = 6
) -> tuple[Layout, ...]:
    """The likeliest layouts of the tiles in a photo, best first; empty where no tile is given.

    ``quads``: (n, 4, 2) pixels, clockwise from the face's own top left as far as that is known.
    ``probabilities``: (n, 39) in the order of ``vision.labels.CLASSES``.
    ``rotations``: (n, 4) probability that the quad's corner k is the face's top left; without it
    a quad's first corner is believed as far as its label can tell.
    """
    if len(quads) == 0:
        return ()
    tiles = _Tiles.measure(np.asarray(quads, float), np.asarray(probabilities, float), rotations)
    frames = [_Frame.look(tiles, up) for up in _frames(tiles)]
    dora = {i for frame in frames for run in frame.runs for i in _dora(frame, run)}
    hands = [(score, frame, parse) for frame in _promising(frames) for score, parse in _hands(frame)]
    hands.sort(key=lambda entry: -entry[0])
    found: dict[tuple[object, ...], Layout] = {}
    for score, frame, parse in hands:
        if len(found) == limit:
            break
        what = (frozenset(parse.closed), parse.win, frozenset(frozenset(m.tiles) for m in parse.melds))
        if what not in found:
            found[what] = _layout(frame, parse, score, dora)
    return tuple(found.values()) or (_nothing(tiles),)


def suspects(quads: Array, probabilities: Array, rotations: Array | None = None) -> tuple[int, ...]:
    """Indices of detections that cannot be whole tiles of their plane, or lie on top of better ones."""
    if len(quads) == 0:
        return ()
    tiles = _Tiles.measure(np.asarray(quads, float), np.asarray(probabilities, float), rotations)
    return tuple(int(i) for i in np.flatnonzero(~tiles.usable))


def holes(quads: Array, probabilities: Array, rotations: Array | None, layout: Layout) -> Array:
    """Quads (k, 4, 2), in pixels, where a tile of the layout's hand may have been missed or misplaced.

    They lie next to the ends of its runs: where a half-seen tile tore a row apart, that is the gap.
    """
    hand = {*layout.closed, *(() if layout.win is None else (layout.win,))}
    hand |= {i for meld in layout.melds for i in meld.tiles}
    if not hand:
        return np.zeros((0, 4, 2))
    tiles = _Tiles.measure(np.asarray(quads, float), np.asarray(probabilities, float), rotations)
    frames = [_Frame.look(tiles, up) for up in _frames(tiles)]
    sizes = [sum(len(run.columns) ** 2 for run in f.runs if hand.issuperset(run.tiles)) for f in frames]
    frame = frames[int(np.argmax(sizes))]
    spots: list[Array] = []
    for run in frame.runs:
        if not hand.issuperset(run.tiles):
            continue
        for index, side in ((run.tiles[0], -1), (run.columns[-1].tiles[0], 1)):
            right, up = frame.rights[index], frame.ups[index]
            centre = tiles.centre[index] + side * right * (frame.wide[index] + TILE_WIDTH) / 2
            taken = np.linalg.norm(tiles.centre[tiles.usable] - centre, axis=1).min() < _SAME_SPOT
            known = any(np.linalg.norm(spot.mean(axis=0) - centre) < TILE_WIDTH / 2 for spot in spots)
            if not taken and not known:
                across, along = right * TILE_WIDTH / 2, -up * TILE_HEIGHT / 2
                spots.append(
                    centre + np.array([-across - along, across - along, across + along, along - across])
                )
    return tiles.plane.invert(np.array(spots)) if spots else np.zeros((0, 4, 2))


# --- the tiles in millimetres -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Tiles:
    """All tiles in the plane. ``up``: unit vectors; ``sure``: how well up is told from down, 0 to 1.

    ``turned``: (n,) corners to roll a quad by to its top left; ``firm``: (n,) log odds, not negative, that
    this top is a short side; ``rotations``: (n, 4) as given. ``faces``: (n, 34) log probability of each
    kind, reds with their five. ``dark``: may be a back. ``as_face``: the
    score of taking a tile for a face; ``as_stray``: the price of taking a tile at a run's end for none, low
    where its face is unsure, else prohibitive. ``near``: pixels per millimetre.
    """

    plane: Plane
    quads: Array
    centre: Array
    up: Array
    turned: Counts
    sure: Array
    firm: Array
    rotations: Array
    faces: Array
    best: Array
    back: Array
    dark: tuple[bool, ...]
    as_face: tuple[float, ...]
    as_stray: tuple[float, ...]
    labels: tuple[str, ...]
    near: Array
    usable: NDArray[np.bool_]

    @classmethod
    def measure(cls, quads: Array, probabilities: Array, rotations: Array | None) -> _Tiles:
        labels = tuple(CLASSES[k] for k in probabilities.argmax(axis=1))
        chance = probabilities.max(axis=1)
        asymmetric = np.array([label not in _LOOK_ALIKE_UPSIDE_DOWN for label in labels])
        shaped = np.array([label not in _LOOK_ALIKE_TURNED for label in labels])
        if rotations is None:
            told = np.where(asymmetric, 0.97, 0.485)[:, None] * np.array([1, 0, 0, 0]) + 0.0075
            told[:, 2] += np.where(asymmetric, 0, 0.485)
            rotations = told
        plane = fit_plane(quads, np.where(shaped, chance, 0.05))
        flat = plane.apply(quads)
        wide = np.linalg.norm((flat[:, 1] - flat[:, 0] + flat[:, 2] - flat[:, 3]) / 2, axis=1)
        tall = np.linalg.norm((flat[:, 3] - flat[:, 0] + flat[:, 2] - flat[:, 1]) / 2, axis=1)
        odds = _top_odds(wide, tall, rotations, shaped)
        lying = odds < 0  # the first edge is a long one: the quad starts at a wrong corner
        turned = np.where(lying, np.where(rotations[:, 1] >= rotations[:, 3], 1, 3), 0)
        corner = (np.arange(4)[None, :] + turned[:, None]) % 4
        upright = np.take_along_axis(flat, corner[..., None].repeat(2, axis=-1), axis=1)
        up = upright[:, 0] + upright[:, 1] - upright[:, 2] - upright[:, 3]
        up /= np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-9)
        rolled = np.take_along_axis(rotations, corner, axis=1)
        sure = np.where(asymmetric, chance * (rolled[:, 0] - rolled[:, 2]), 0.0)
        flip = sure < 0
        up[flip] *= -1
        turned = np.where(flip, (turned + 2) % 4, turned)
        kinds = probabilities[:, :KINDS].copy()
        for red, plain in _REDS.items():
            kinds[:, plain] += probabilities[:, red]
        short, long = np.minimum(wide, tall) / TILE_WIDTH, np.maximum(wide, tall) / TILE_HEIGHT
        odd = np.maximum(np.abs(np.log(short + 1e-6)), np.abs(np.log(long + 1e-6)))
        best = np.log(kinds.max(axis=1) + _CERTAIN)
        back = np.log(probabilities[:, _BACK] + _CERTAIN)
        unsure = np.maximum(1.0 - np.exp(np.maximum(best, back)), 0.002)
        centre = flat.mean(axis=1)
        usable = (odd < np.log(_ODD_SIZE)) & (probabilities[:, _NONE] < 0.5)
        quality = chance * np.exp(-3 * odd)
        return cls(
            plane=plane, quads=quads, centre=centre, up=up, turned=turned, sure=np.abs(sure),
            firm=np.abs(odds), rotations=rotations,
            faces=np.log(kinds + _CERTAIN), best=best, back=back,
            dark=tuple((probabilities[:, _BACK] > _MAYBE_BACK).tolist()),
            as_face=tuple(np.minimum(0.0, best - np.logaddexp(best, back)).tolist()),
            as_stray=tuple((4.5 - 1.6 * np.log(unsure)).tolist()), labels=labels,
            near=_pixels_per_mm(quads), usable=_one_a_spot(centre, quality, usable),
        )  # fmt: skip


def _top_odds(wide: Array, tall: Array, rotations: Array, shaped: NDArray[np.bool_]) -> Array:
    """(n,) log odds that a quad's first edge is the face's top or bottom rather than a side."""
    shape = _SHAPE_ODDS * np.log((tall + 1e-6) / (wide + 1e-6))
    told = np.log((rotations[:, 0] + rotations[:, 2] + 0.01) / (rotations[:, 1] + rotations[:, 3] + 0.01))
    told = np.where(shaped, told, _SQUARE_SAYS * told)
    return np.asarray(np.clip(shape, -_MOST_ODDS, _MOST_ODDS) + np.clip(told, -_MOST_ODDS, _MOST_ODDS))


def _pixels_per_mm(quads: Array) -> Array:
    diagonals = np.linalg.norm(quads[:, :2] - quads[:, 2:], axis=2).mean(axis=1)
    return np.asarray(diagonals / np.hypot(TILE_WIDTH, TILE_HEIGHT))


def _one_a_spot(centre: Array, quality: Array, usable: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of detections on one spot the best stays."""
    kept = usable.copy()
    for index in np.argsort(-quality):
        if kept[index]:
            close = np.linalg.norm(centre - centre[index], axis=1) < _SAME_SPOT
            close[index] = False
            kept[close & (quality <= quality[index])] = False
    return kept


# --- frames and runs ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Column:
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


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbours from left to right that touch one another."""

    columns: tuple[_Column, ...]

    @property
    def tiles(self) -> tuple[int, ...]:
        return tuple(i for column in self.columns for i in column.tiles)


def _frames(tiles: _Tiles) -> list[Array]:
    """Directions (unit vectors in the plane) that may be the hand's "up": those of any tiles, four ways."""
    angle = np.arctan2(tiles.up[:, 1], tiles.up[:, 0])[tiles.usable]
    if len(angle) == 0:
        return []
    left = np.ones(len(angle), bool)
    frames: list[Array] = []
    while left.any() and len(frames) < 12:
        apart = np.abs((angle[:, None] - angle[None, left] + np.pi / 4) % (np.pi / 2) - np.pi / 4)
        votes = (apart < np.radians(10)).sum(axis=0)
        start = angle[left][int(votes.argmax())]
        if frames and votes.max() < 3:
            break
        offset = (angle - start + np.pi / 4) % (np.pi / 2) - np.pi / 4
        member = np.abs(offset) < np.radians(15)
        direction = start + offset[member & left].mean()
        frames += [
            np.array([np.cos(direction + k * np.pi / 2), np.sin(direction + k * np.pi / 2)]) for k in range(4)
        ]
        left &= ~member
    return frames


def _promising(frames: Sequence[_Frame]) -> list[_Frame]:
    """The frames whose tiles lie in the longest runs."""
    worth = [sum(len(run.columns) ** 2 for run in frame.runs if len(run.columns) > 1) for frame in frames]
    best = sorted(range(len(frames)), key=lambda k: -worth[k])[:_MOST_FRAMES]
    return [frames[k] for k in best if worth[k] >= 0.3 * max(worth)]


@dataclass(frozen=True, slots=True)
class _Frame:
    """The tiles seen with one direction as up. ``quarter``: (n,) quarter turns of a tile clockwise, or -1
    where it lies aslant; ``odds``: (n,) log odds that a tile lies on its side; ``ups``: local up of a tile's
    row; ``wide``, ``tall``: (n,) its sides along the row and across it, in between where that is open."""

    tiles: _Tiles
    up: Array
    quarter: Counts
    odds: Array
    ups: Array
    rights: Array
    wide: Array
    tall: Array
    runs: tuple[_Run, ...] = field(default=())

    @classmethod
    def look(cls, tiles: _Tiles, up: Array) -> _Frame:
        cross = up[0] * tiles.up[:, 1] - up[1] * tiles.up[:, 0]
        angle = np.arctan2(cross, tiles.up @ up)  # clockwise, as y points down
        quarter = np.rint(angle / (np.pi / 2)).astype(np.int64)
        rest = angle - quarter * np.pi / 2
        cos, sin = np.cos(rest), np.sin(rest)
        ups = np.column_stack([cos * up[0] - sin * up[1], sin * up[0] + cos * up[1]])
        quarter = np.where(tiles.usable & (np.abs(rest) < _ASLANT), quarter % 4, -1)
        odds = np.where(quarter % 2 == 1, tiles.firm, -tiles.firm)
        longer = (TILE_HEIGHT - TILE_WIDTH) / (1.0 + np.exp(-odds))
        rights = np.column_stack([-ups[:, 1], ups[:, 0]])
        bare = cls(tiles, up, quarter, odds, ups, rights, TILE_WIDTH + longer, TILE_HEIGHT - longer)
        return replace(bare, runs=tuple(bare._chain()))

    def _chain(self) -> Iterator[_Run]:
        members = np.flatnonzero(self.quarter >= 0)
        if len(members) == 0:
            return
        right, up = self.rights[members], self.ups[members]
        away = self.tiles.centre[members][None] - self.tiles.centre[members][:, None]
        across, rise = _mean_axis(right), _mean_axis(up)
        dx, dy = (away * across).sum(axis=-1), (away * rise).sum(axis=-1)
        wide, tall = self.wide[members], self.tall[members]
        gap = dx - (wide[:, None] + wide[None]) / 2
        lift = (tall[None] - tall[:, None]) / 2
        step = np.minimum(np.abs(dy), np.minimum(np.abs(dy - lift), np.abs(dy + lift)))
        flat = np.logaddexp(0.0, -self.odds[members])
        upright = np.logaddexp(0.0, self.odds[members])
        near = (gap > -_OVERLAP) & (gap < 1.3 * _TOUCH) & (step < _STAGGER)
        base = float(np.median(gap[near])) if near.any() else 0.0
        near &= gap < max(base, 0.0) + _TOUCH
        partner = _kakan_pairs(dx, dy, flat, near | near.T, step)
        upper = np.array(sorted(partner.values()), int)
        near[upper], near[:, upper] = False, False
        cost = np.where(near, np.abs(gap - base) + 0.6 * step, np.inf)
        after: dict[int, int] = {}
        for i in range(len(members)):
            j = int(cost[i].argmin())
            if np.isfinite(cost[i, j]) and int(cost[:, j].argmin()) == i:
                after[i] = j
        for start in sorted(set(range(len(members))) - set(after.values()) - set(partner.values())):
            columns, i, space = [], start, 0.0
            while True:
                spot = [i, partner[i]] if i in partner else [i]
                places = tuple(int(members[k]) for k in spot)
                columns.append(_Column(places, float(flat[spot].sum()), float(upright[spot].sum()), space))
                if i not in after:
                    break
                space = float(gap[i, after[i]]) - base
                i = after[i]
            yield _Run(tuple(columns))

    def rise(self) -> Array:
        """(n,) how far the frame's up is up in the photo at each tile: 1 up, -1 down."""
        step = self.tiles.plane.invert(self.tiles.centre + self.up)
        step -= self.tiles.plane.invert(self.tiles.centre)
        return np.asarray(-step[:, 1] / np.maximum(np.linalg.norm(step, axis=1), 1e-9))

    def place(self, run: _Run, origin: Array, right: Array) -> Array:
        """(columns, 2): where a run's columns lie right of and above an origin, in millimetres."""
        centres = np.array([self.tiles.centre[column.tiles[0]] for column in run.columns]) - origin
        above = np.array([right[1], -right[0]])
        return np.column_stack([centres @ right, centres @ above])


def _mean_axis(axes: Array) -> Array:
    both = axes[None] + axes[:, None]
    return np.asarray(both / np.maximum(np.linalg.norm(both, axis=-1, keepdims=True), 1e-9))


def _kakan_pairs(dx: Array, dy: Array, flat: Array, near: NDArray[np.bool_], step: Array) -> dict[int, int]:
    """Turned tiles that lie one above the other beside an upright one: the one in the row, the other."""
    pairs = [
        (float(dy[i, j] + np.abs(dx[i, j])), int(i), int(j))
        for i, j in zip(*np.nonzero((np.abs(dx) < 8) & (dy > 13) & (dy < 24)), strict=True)
        if flat[i] + flat[j] < _STACKED
    ]
    partner: dict[int, int] = {}
    used: set[int] = set()
    for _, low, high in sorted(pairs):
        if low in used or high in used:
            continue
        upright = flat > np.log(2)
        beside = [
            (float(step[i][near[i] & upright].min()), i) for i in (low, high) if (near[i] & upright).any()
        ]
        if beside:
            base = min(beside)[1]
            partner[base] = high if base == low else low
            used |= {low, high}
    return partner


# --- what a run may be ------------------------------------------------------------------------------------


class _Parse(NamedTuple):
    """One way to take a run, or several runs together, as parts of a hand. ``flat``: lie on their side."""

    score: float = 0.0
    closed: tuple[int, ...] = ()
    win: int | None = None
    melds: tuple[MeldSeen, ...] = ()
    flat: tuple[int, ...] = ()

    def joined(self, other: _Parse) -> _Parse:
        """Both together; at most one of them has a winning tile."""
        return _Parse(
            self.score + other.score, (*self.closed, *other.closed),
            other.win if self.win is None else self.win, (*self.melds, *other.melds),
            (*self.flat, *other.flat),
        )  # fmt: skip

    @property
    def key(self) -> tuple[int, int, bool]:
        return len(self.closed), len(self.melds), self.win is not None

    @property
    def size(self) -> int:
        return len(self.closed) + (self.win is not None) + 3 * len(self.melds)


def _parses(frame: _Frame, run: _Run) -> list[_Parse]:
    """Every way to take a run as closed tiles, melds and a winning tile; the best of equal counts."""
    columns = run.columns
    before, inside, behind = range(3)
    # states[k]: the ways to take the first k columns, by how far the closed tiles have come
    states: list[dict[tuple[int, tuple[int, int, bool]], _Parse]] = [{} for _ in range(len(columns) + 1)]

    def reach(place: int, phase: int, parse: _Parse, more: _Parse) -> None:
        score = parse.score + more.score
        tiles, melds = len(parse.closed) + len(more.closed), len(parse.melds) + len(more.melds)
        key = (phase, (tiles, melds, parse.win is not None or more.win is not None))
        known = states[place].get(key)
        if score > _WORST and (known is None or known.score < score):
            states[place][key] = parse.joined(more)

    reach(0, before, _Parse(), _Parse())
    for k, column in enumerate(columns):
        melds = list(_melds_at(frame, columns, k))
        here = frame.tiles.as_face[column.tiles[0]]
        alone = len(columns) == 1
        lies = column.turned if alone else False
        stray = sum(frame.tiles.as_stray[i] for i in column.tiles)
        outermost = k in (0, len(columns) - 1)
        for (phase, _), parse in list(states[k].items()):
            upright = (
                0.0 if alone else column.upright + (_joined_price(column.gap) if phase == inside else 0.0)
            )
            if not column.double and phase != behind and upright < _LEAN_PRICE:
                cost = here - upright - (0.7 if phase == before and parse.melds else 0)
                reach(k + 1, inside, parse, _Parse(cost, column.tiles, flat=column.tiles * lies))
            by_closed = phase == inside or (phase == before and not parse.melds)
            if not column.double and parse.win is None and by_closed:
                space = columns[k + 1].gap if phase == before and k + 1 < len(columns) else column.gap
                standing = column.upright + _apart_price(space)
                price = 0.0 if alone else min(column.flat, standing)
                lies_down = column.turned if alone else column.flat < standing
                if price < _LEAN_PRICE:
                    won = _Parse(here - price, (), column.tiles[0], flat=column.tiles * lies_down)
                    reach(k + 1, behind if phase == inside else before, parse, won)
            for length, meld in melds:
                touching = 1.0 if phase == inside else 0.0
                called = meld._replace(score=meld.score - touching)
                reach(k + length, before if phase == before else behind, parse, called)
            if outermost or stray < _DOUBTFUL:
                reach(k + 1, phase, parse, _Parse(-stray))
    best: dict[tuple[int, int, bool], _Parse] = {}
    for parse in states[-1].values():
        taken = {*parse.closed, *(() if parse.win is None else (parse.win,))}
        own = [column for column in columns if column.tiles[0] in taken]
        if 3 <= len(own) <= 4 and _is_meld(frame, own):
            parse = parse._replace(score=parse.score - _MELD_DENIED)
        if parse.size and (parse.key not in best or best[parse.key].score < parse.score):
            best[parse.key] = parse
    return list(best.values())


def _is_meld(frame: _Frame, columns: Sequence[_Column]) -> bool:
    """Whether the columns, all together, look like a called set."""
    return any(
        length == len(columns) and way.score > _LIKELY_MELD for length, way in _melds_at(frame, columns, 0)
    )


def _joined_price(gap: float) -> float:
    """What it costs to say that a tile this far, in mm, from its neighbour is not set apart."""
    return max(0.0, _PER_MM * (gap - _LOOSE))


def _apart_price(gap: float) -> float:
    """What it costs to say that a tile this far, in mm, from its neighbour is set apart."""
    return max(0.0, _PER_MM * (_LOOSE - gap))


def _melds_at(frame: _Frame, columns: Sequence[_Column], k: int) -> Iterator[tuple[int, _Parse]]:
    """Melds that may begin at column k: how many columns, and the meld as a parse."""
    for length in (3, 4):
        part = columns[k : k + length]
        if len(part) < length:
            return
        indices = tuple(i for column in part for i in column.tiles)
        doubled = [place for place, column in enumerate(part) if column.double]
        standing = sum(column.upright for column in part)
        prices = [standing - column.upright + column.flat for column in part]
        places = [p for p in range(length) if prices[p] < _LEAN_PRICE and doubled in ([], [p])]
        if places and len(indices) <= 4:
            same, sequence = _same(frame.tiles, indices), -np.inf
            if length == 3 and not doubled:
                sequence = _sequence(frame.tiles, indices)
            for place in places:
                source = 3 if place == 0 else 1 if place == length - 1 else 2
                kind: MeldKind = "minkan" if length == 4 else "kakan" if doubled else "pon"
                turned = part[place].tiles
                yield (
                    length,
                    _Parse(same - prices[place], melds=(MeldSeen(kind, indices, source),), flat=turned),
                )
                if np.isfinite(sequence):
                    # A chi is called from the left, so its left tile is turned.
                    score = sequence - prices[place] - (0.0 if place == 0 else 1.5)
                    yield length, _Parse(score, melds=(MeldSeen("chi", indices, 3),), flat=turned)
        if length == 4 and not doubled:
            for hidden in ((0, 3), (1, 2)):
                if not all(frame.tiles.dark[indices[place]] for place in hidden):
                    continue
                price = sum(
                    min(column.upright, _BACK_TURNED if place in hidden else column.upright)
                    for place, column in enumerate(part)
                )
                if price < _LEAN_PRICE:
                    score = _ankan(frame.tiles, indices, hidden) - price
                    yield 4, _Parse(score, melds=(MeldSeen("ankan", indices, None),))


def _same(tiles: _Tiles, indices: Sequence[int]) -> float:
    chosen = list(indices)
    return float(tiles.faces[chosen].sum(axis=0).max() - tiles.best[chosen].sum())


def _sequence(tiles: _Tiles, indices: Sequence[int]) -> float:
    chosen = list(indices)
    numbers = tiles.faces[chosen][:, :27].reshape(3, 3, 9)
    best = -np.inf
    for a, b, c in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        total = numbers[a, :, :-2] + numbers[b, :, 1:-1] + numbers[c, :, 2:]
        best = max(best, float(total.max()))
    return best - float(tiles.best[chosen].sum())


def _ankan(tiles: _Tiles, indices: Sequence[int], hidden: Sequence[int]) -> float:
    down = [indices[k] for k in hidden]
    shown = [indices[k] for k in range(4) if k not in hidden]
    likeliest = np.maximum(tiles.best, tiles.back)
    faces = float(tiles.faces[shown].sum(axis=0).max())
    return faces + float(tiles.back[down].sum() - likeliest[list(indices)].sum())


# --- which runs are the hand -------------------------------------------------------------------------------

_SPLIT = 0.6
"""The closed tiles lie in two groups on one line."""
_SECOND_ROW = 2.5
"""The closed tiles lie in two rows."""
_LEFT_OUT = 2.0
"""A run that nearly touches the hand is no part of it."""
_LONELY = 1.5
"""A single tile set apart is not the winning one."""
_MELD_DENIED = 2.0
"""Three tiles by themselves, one of them turned, that make a set are none."""
_LIKELY_MELD = -3.0
"""With this score or a better one tiles make a set as it is called."""
_WRONG_SIDE = 2.0
"""Melds lie to the left of the closed tiles."""
_BY_AN_END = 2.4 * TILE_WIDTH
"""How far from the closed tiles' end a winning tile lies above them."""
_WIN_WITHIN = 2.5
"""The winning tile lies between closed tiles."""
_WIN_ON_LEFT = 1.5
"""The winning tile lies to the left of the closed tiles."""
_LEGAL = 6.0
"""The hand is complete by its likeliest labels."""
_NEARNESS = 3.0
"""A hand twice as far from the camera as something else is 3 log 2 less likely to be meant."""
_AWAY = 0.7
"""A hand is seen from its own player's side rather than from across."""
_MOST_VOTES = 8.0
"""What the tiles' own way up counts for at most."""
_WORST = -13.0
"""What is this unlikely by itself makes no hand, whatever else lies around."""
_HEAD_DOWN = -3.0
"""A row whose tiles say this much that they stand on their heads is looked at the other way up alone."""
_MANY_MELDS = 3
"""Melds in reach from which on one or two closed tiles may be all."""
_SURE_FACE = 0.8
_SPARE_REACH = 2 * TILE_WIDTH
"""A sure face this near to a row's end cannot be overlooked."""
_WAYS_KEPT = 3
"""Ways to reach the same numbers of tiles that stay while runs are joined."""
_MOST_TILES = 17
"""Runs are joined up to so many tiles, that a photo of too many can say so."""
_MOST_CORES = 8
_MOST_FRAMES = 6
_WIDEST = 40


def _hands(frame: _Frame) -> list[tuple[float, _Parse]]:
    """The best hands within a frame, with their scores."""
    near = frame.tiles.near
    # What each tile says for itself: which way is up, and how near it lies to the camera.
    votes = (np.where(frame.quarter == 0, 1.0, -1.0) * frame.tiles.sure * (frame.quarter % 2 == 0)).tolist()
    if all(sum(votes[i] for i in run.tiles) < _HEAD_DOWN for run in frame.runs):
        return []
    parses = [(run, ways) for run in frame.runs if (ways := _parses(frame, run))]
    cores = [
        k
        for k, (run, ways) in enumerate(parses)
        if any(way.closed for way in ways) and sum(votes[i] for i in run.tiles) > _HEAD_DOWN
    ]
    rows = [k for k in cores if len(parses[k][0].columns) > 2]
    if rows and sum(max(len(way.melds) for way in ways) for _, ways in parses) < _MANY_MELDS:
        cores = rows  # only a player who called nearly everything has so few closed tiles
    cores.sort(key=lambda k: -len(parses[k][0].columns) * float(near[parses[k][0].tiles[0]]))
    height = (np.log(near / near[frame.tiles.usable].max()) * _NEARNESS + _AWAY * frame.rise()).tolist()
    found: dict[tuple[frozenset[int], int | None], tuple[float, _Parse]] = {}
    for core in cores[:_MOST_CORES]:
        alone = len(parses[core][0].columns) == 1
        for parse in _unions(frame, core, parses):
            inside = _all_tiles(parse)
            score = parse.score + _count_score(parse) + sum(height[i] for i in inside) / len(inside)
            score += max(-_MOST_VOTES, min(_MOST_VOTES, sum(votes[i] for i in inside)))
            score -= _LONELY if alone and len(parse.closed) > 1 else 0.0
            spot = (frozenset(inside), parse.win)
            if spot not in found or found[spot][0] < score:
                found[spot] = (score, parse)
    ranked = sorted(found.values(), key=lambda entry: -entry[0])[:_WIDEST]
    return [
        (score + _LEGAL * _legal(frame.tiles, parse) - _WIN_WITHIN * _within(frame, parse), parse)
        for score, parse in ranked
    ]


def _within(frame: _Frame, parse: _Parse) -> bool:
    """Whether the winning tile lies in line with closed tiles on both its sides."""
    if parse.win is None or len(parse.closed) < 2:
        return False
    away = frame.tiles.centre[list(parse.closed)] - frame.tiles.centre[parse.win]
    beside = (away @ frame.rights[parse.win])[np.abs(away @ frame.ups[parse.win]) < TILE_HEIGHT / 2]
    return bool(len(beside) and beside.min() < 0 < beside.max())


def _all_tiles(parse: _Parse) -> tuple[int, ...]:
    won = () if parse.win is None else (parse.win,)
    return (*parse.closed, *won, *(i for meld in parse.melds for i in meld.tiles))


def _count_score(parse: _Parse) -> float:
    if parse.size == 14:
        return 0.5 if parse.win is not None else 0.0
    if parse.size == 13 and parse.win is None:
        return -2.0
    return -4.0 - 0.7 * abs(14 - parse.size)


def _unions(frame: _Frame, number: int, parses: Sequence[tuple[_Run, list[_Parse]]]) -> list[_Parse]:
    """A core run with what lies around it, in every way that keeps to 14 tiles or little more."""
    core, core_ways = parses[number]
    centres = np.array([frame.tiles.centre[column.tiles[0]] for column in core.columns])
    right = _direction(centres, frame.rights[[column.tiles[0] for column in core.columns]])
    spots = frame.place(core, centres.mean(axis=0), right)
    across = {column.tiles[0]: x for column, x in zip(core.columns, spots[:, 0].tolist(), strict=True)}
    ends = {across[i] for way in core_ways if way.closed for i in (way.closed[0], way.closed[-1])}
    left_end = float(spots[0, 0] - frame.wide[core.columns[0].tiles[0]] / 2)
    right_end = float(spots[-1, 0] + frame.wide[core.columns[-1].tiles[0]] / 2)
    states = {way.key: [way] for way in core_ways if way.closed}
    neighbours = []
    for run, ways in parses:
        if run is core:
            continue
        at = frame.place(run, centres.mean(axis=0), right)
        options, left_out = _options(frame, run, ways, at, left_end, right_end, ends)
        if options:
            neighbours.append((left_out, max(o.score for o in options), float(at[:, 0].mean()), run, options))
    neighbours.sort(key=lambda entry: (-entry[0], -entry[1]))
    for left_out, _, _, _, options in neighbours[:14]:
        choices = [(option.key, option) for option in (_Parse(-left_out), *options)]
        following: dict[tuple[int, int, bool], list[tuple[float, _Parse, _Parse]]] = {}
        for (tiles, melds, won), ways in states.items():
            for (more, more_melds, wins), option in choices:
                key = (tiles + more, melds + more_melds, won or wins)
                if not (won and wins) and key[0] + 3 * key[1] + key[2] <= _MOST_TILES:
                    joins = following.setdefault(key, [])
                    joins += [
                        (score, way, option) for way in ways if (score := way.score + option.score) > _WORST
                    ]
        states = {
            key: [way.joined(option) for _, way, option in nlargest(_WAYS_KEPT, joins, key=itemgetter(0))]
            for key, joins in following.items()
        }
    return list(chain.from_iterable(states.values()))


def _direction(centres: Array, rights: Array) -> Array:
    """The way a run goes: along its tiles' own sides, and along its centres where there are many."""
    mean = rights.mean(axis=0)
    if len(centres) >= 5:
        _, _, axes = np.linalg.svd(centres - centres.mean(axis=0))
        mean = axes[0] * np.sign(axes[0] @ mean)
    return np.asarray(mean / np.linalg.norm(mean))


def _options(
    frame: _Frame,
    run: _Run,
    ways: Sequence[_Parse],
    at: Array,
    left_end: float,
    right_end: float,
    ends: Iterable[float],
) -> tuple[list[_Parse], float]:
    """What a run may add to a core that spans left_end to right_end, and the price of leaving it out.

    ``ends``: middles of the tiles at which the closed part of the core may end.
    """
    half = np.array([frame.wide[column.tiles[0]] for column in run.columns]) / 2
    low, high = float((at[:, 0] - half).min()), float((at[:, 0] + half).max())
    gap = max(low - right_end, left_end - high)
    nearest_end = int(np.abs(at[:, 0]).argmin())
    rise = float(at[nearest_end, 1])
    melds_only = [way for way in ways if way.melds and not way.closed and way.win is None]
    # Where melds belong: to the right.
    wrong_side = _WRONG_SIDE if high < left_end else 0.0
    if gap > -TILE_WIDTH / 2 and abs(rise) < _OFF_LINE + 0.08 * gap and gap < 14 * TILE_WIDTH:
        far = 0.15 * max(gap, 0.0) / TILE_WIDTH
        split = _SPLIT + (_LONELY if len(run.columns) == 1 else 0.0)
        options = []
        for way in ways:
            price = far + (wrong_side if way.melds else 0.0)
            if way.closed:
                price += split
                if way.win is not None and (way.win == run.tiles[0]) == (low + high > left_end + right_end):
                    continue  # it would lie between closed tiles
            elif way.win is not None and high < left_end:
                price += _WIN_ON_LEFT
            if way.win is not None and not way.closed and gap > 4.5 * TILE_WIDTH:
                continue
            options.append(way._replace(score=way.score - price))
        return options, _LEFT_OUT if gap < 2 * TILE_WIDTH else 0.0
    if len(run.columns) == 1 and 15 < rise < 40 and min(abs(at[0, 0] - end) for end in ends) < _BY_AN_END:
        return [
            way._replace(score=way.score - 0.3) for way in ways if way.win is not None and not way.closed
        ], 0.5
    far = 1.0 + wrong_side + 0.05 * max(gap, 0.0) / TILE_WIDTH
    options = [way._replace(score=way.score - far) for way in melds_only]
    lift = abs(sum(at[:, 1].tolist()) / len(at))
    if gap < 2 * TILE_WIDTH and 0.6 * TILE_HEIGHT < lift < 2.9 * TILE_HEIGHT:
        rows = 1 if lift < 1.85 * TILE_HEIGHT else 2
        options += [way._replace(score=way.score - rows * _SECOND_ROW) for way in ways if way.closed]
    return options, 0.0


def _legal(tiles: _Tiles, parse: _Parse) -> bool:
    """Whether the likeliest labels finish the hand."""
    if parse.size != 14:
        return False
    inside = [*parse.closed, *(() if parse.win is None else (parse.win,))]
    counts = np.bincount(tiles.faces[inside].argmax(axis=1), minlength=KINDS)
    return bool(counts.max() <= 4) and is_complete([int(c) for c in counts], len(parse.melds))


# --- the answer -------------------------------------------------------------------------------------------


def _layout(frame: _Frame, parse: _Parse, score: float, dora: Set[int]) -> Layout:
    tiles = frame.tiles
    hand = set(_all_tiles(parse))
    quarter = frame.quarter.copy()
    turns = tiles.turned.copy()
    for i in hand:
        if quarter[i] >= 0 and (quarter[i] % 2 == 1) != (i in parse.flat):
            # Its place says that it lies the other way: the network's likelier side is the top.
            right = tiles.rotations[i, (turns[i] + 1) % 4] >= tiles.rotations[i, (turns[i] + 3) % 4]
            turns[i] = (turns[i] + (1 if right else 3)) % 4
            quarter[i] = (quarter[i] + (1 if right else 3)) % 4
    for i in range(len(turns)):
        # A face that looks alike both ways up is taken to lie as its row does.
        if quarter[i] in (2, 3) and tiles.labels[i] in _LOOK_ALIKE_UPSIDE_DOWN:
            quarter[i] -= 2
            turns[i] = (turns[i] + 2) % 4
    closed = set(parse.closed)
    groups = [kept for run in frame.runs if (kept := [i for i in run.tiles if i in closed])]
    return Layout(
        closed=tuple(i for number in _reading_order(frame, groups) for i in groups[number]),
        win=parse.win,
        melds=tuple(parse.melds[k] for k in _reading_order(frame, [meld.tiles for meld in parse.melds])),
        dora=tuple(sorted(dora - hand)),
        turns=tuple(int(t) for t in turns),
        sideways=tuple(bool(q % 2 == 1 and q >= 0) for q in quarter),
        upside_down=tuple(bool(q == 2) for q in quarter), score=score,
        spare=_spare(frame, parse, hand | dora) if parse.size == 14 else (),
    )  # fmt: skip


def _spare(frame: _Frame, parse: _Parse, taken: Set[int]) -> tuple[int, ...]:
    """Sure faces by themselves in line with the closed tiles and the winning one, next to an end of them."""
    tiles = frame.tiles
    row = [*parse.closed, *(() if parse.win is None else (parse.win,))]
    right = _direction(tiles.centre[row], frame.rights[row])
    above = np.array([right[1], -right[0]])
    alone = [run.tiles[0] for run in frame.runs if len(run.tiles) == 1]
    found = []
    for i in alone:
        if i in taken or tiles.best[i] < np.log(_SURE_FACE):
            continue
        away = tiles.centre[row] - tiles.centre[i]
        beside = (away @ right)[np.abs(away @ above) < TILE_HEIGHT / 2]
        if len(beside) > 1 and (beside.min() > 0 or beside.max() < 0):
            reach = float(np.abs(beside).min()) - (frame.wide[i] + TILE_WIDTH) / 2
            found += [i] if reach < _SPARE_REACH else []
    return tuple(found)


def _nothing(tiles: _Tiles) -> Layout:
    count = len(tiles.labels)
    flat = (False,) * count
    return Layout((), None, (), (), tuple(int(t) for t in tiles.turned), flat, flat, float("-inf"))


def _reading_order(frame: _Frame, groups: Iterable[Sequence[int]]) -> list[int]:
    """Groups of tiles in the order of reading: lines from top to bottom, each from left to right.

    Groups beside each other are one line, groups above each other are two. Returns their numbers.
    """
    right = np.array([-frame.up[1], frame.up[0]])
    centre = frame.tiles.centre
    spans = [
        (number, float((centre[list(g)] @ frame.up).mean()), centre[list(g)] @ right)
        for number, g in enumerate(groups)
    ]
    lines: list[list[tuple[int, float, Array]]] = []
    for number, height, across in sorted(spans, key=lambda span: -span[1]):
        for line in lines:
            apart = min(max(a.min() - across.max(), across.min() - a.max()) for _, _, a in line)
            if apart > 0 and abs(line[0][1] - height) < TILE_HEIGHT:
                line.append((number, height, across))
                break
        else:
            lines.append([(number, height, across)])
    return [number for line in lines for number, _, _ in sorted(line, key=lambda span: float(span[2].mean()))]


def _dora(frame: _Frame, run: _Run) -> Iterator[int]:
    """Faces within a wall of backs; an ankan of another player has two of them, equal."""
    for turned, columns in groupby(run.columns, key=lambda column: column.turned):
        if not turned:
            yield from _dora_among(frame, [column.tiles[0] for column in columns])


def _dora_among(frame: _Frame, row: Sequence[int]) -> Sequence[int]:
    """The indicators among upright neighbours."""
    tiles = frame.tiles
    down = [bool(tiles.back[i] > tiles.best[i]) for i in row]
    shown = [i for i, is_back in zip(row, down, strict=True) if not is_back]
    kinds = {int(tiles.faces[i].argmax()) for i in shown}
    if not shown or (len(row) == 4 and len(shown) == 2 and len(kinds) == 1):
        return ()
    sides = groupby(zip(row, down, strict=True), key=lambda entry: entry[1])
    groups = [[i for i, _ in group] for is_back, group in sides if not is_back]
    if len(groups) > 1:  # what touches a wall's end is none of it
        groups = [group for group in groups if row[0] not in group and row[-1] not in group]
    if len(groups) != 1 or len(groups[0]) > (5 if any(down) else 1):
        return ()
    backs = [i for i, is_back in zip(row, down, strict=True) if is_back]
    walled = len(backs) >= 2 and _tidy(frame, [*backs, groups[0][0]])
    return groups[0] if walled or _in_a_wall(frame, groups[0]) else ()


def _tidy(frame: _Frame, row: Sequence[int]) -> bool:
    """Whether tiles lie side by side as in a wall, not as in a heap."""
    ups = frame.ups[list(row)]
    middle = ups.mean(axis=0) / np.linalg.norm(ups.mean(axis=0))
    return bool((ups @ middle).min() > np.cos(_TIDY))


def _in_a_wall(frame: _Frame, group: Sequence[int]) -> bool:
    """Whether two backs at least lie in line with the faces, the nearer one next to them but for a tile
    that was drawn."""
    tiles = frame.tiles
    away = tiles.centre - tiles.centre[list(group)].mean(axis=0)
    right = frame.rights[list(group)].mean(axis=0)
    beside = np.abs(away @ right) - len(group) * TILE_WIDTH / 2
    off = np.abs(away @ np.array([right[1], -right[0]]))
    backs = (tiles.back > tiles.best) & (frame.quarter % 2 == 0) & (frame.quarter >= 0)
    wall = np.flatnonzero(backs & (off < 0.3 * TILE_HEIGHT) & (beside < 4.5 * TILE_WIDTH))
    if len(wall) < 2 or float(beside[wall].min()) > 1.9 * TILE_WIDTH:
        return False
    return _tidy(frame, [*wall.tolist(), *group])


__all__ = ["Layout", "MeldSeen", "arrange", "holes", "suspects"]
