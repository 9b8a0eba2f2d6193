"""The terms of a way to see tiles as a hand: what of it speaks for it or against it (vision/weights.py)."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import atan2, cos, hypot, pi, sin, sqrt
from typing import NamedTuple

import numpy as np

from scorer.tiles import KINDS
from vision.arrays import Array, Array32, Indices, Mask
from vision.decode import Decoded
from vision.kinds import KIND_OF_FACE
from vision.labels import BACK, BACK_INDEX, FACES, WHITE_INDEX, plain
from vision.plane import TILE_HEIGHT, TILE_WIDTH
from vision.quads import sizes
from vision.rows import Frame, Run, Tiles
from vision.table import Layout
from vision.unions import direction
from vision.weights import TERMS

_FACE_AT = {name: face for face, name in enumerate(FACES)}
_AT = {name: number for number, name in enumerate(TERMS)}
BESTED, COMPANY, FAR = (_AT[name] for name in ("bested", "company", "far"))
ROW = [_AT[name] for name in ("apart", "odd_off", "odd_gap", "odd_turn")]
LABELS, LYING, NEARER, OPEN = (_AT[name] for name in ("labels", "lying", "nearer", "open"))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What terms are made of: the frame that a layout was seen in, what the network says, (n, 39), of kinds,
    (n, 34), and which tiles, (n,), were only sought because a hand lacked one; ``sure``: :func:`sure_kinds`;
    ``unlike``: :func:`unlikeness`; ``laid``: by the winning tile the
    terms that all labels of the layout share; ``rows``: by their tiles the rows of the frame that were asked
    for, whatever layout they are of."""

    frame: Frame
    probabilities: Array
    kinds: Array
    sought: Mask
    sure: Indices
    unlike: Array
    rows: dict[frozenset[int], Row]
    laid: dict[int | None, Array] = field(default_factory=dict)

    @property
    def quads(self) -> Array:
        """(n, 4, 2) pixels."""
        return self.frame.tiles.quads

    @property
    def strange(self) -> Mask:
        """(n,) what was sought for want of a tile, and is not of the colour of the hand's tiles."""
        return self.sought & (self.unlike > self.frame.tiles.habits.terms.strange)

    def row(self, closed: Sequence[int]) -> Row:
        """The row of these tiles."""
        tiles = frozenset(closed)
        if tiles not in self.rows:
            self.rows[tiles] = Row.of(self.frame, closed)
        return self.rows[tiles]


def hand_terms(evidence: Evidence, layout: Layout, decoded: Decoded) -> Array:
    """The terms (k,) of a hand with these labels, those of its winning tile left at nothing."""
    if layout.win not in evidence.laid:
        evidence.laid[layout.win] = _layout_terms(evidence, layout)
    terms, frame, probabilities = evidence.laid[layout.win].copy(), evidence.frame, evidence.probabilities
    labels = decoded.labels
    hand = list(layout.hand)

    def put(name: str, value: float) -> None:
        terms[_AT[name]] = value

    if layout.size == 14:
        put("finished" if decoded.legal else "illegal", 1)
    elif layout.size == 13:
        put("waiting" if decoded.legal else "dead", 1)
    if not hand:
        return terms
    faces = np.array([_FACE_AT.get(labels[i], -1) for i in hand])
    shown, least = faces >= 0, frame.tiles.habits.terms.least_label
    rows, kind = np.flatnonzero(shown), KIND_OF_FACE[faces[shown]]
    kinds, seen = evidence.kinds[hand], probabilities[hand]
    own = np.where(shown, 0.0, seen[:, BACK_INDEX])
    own[rows] = kinds[rows, kind]
    for meld in layout.melds:
        if meld.kind == "ankan":  # its backs are of one colour: what is mistaken of one is so of the other
            down = [hand.index(i) for i in meld.tiles if labels[i] == BACK]
            own[sorted(down, key=own.__getitem__)[1:]] = 1.0
    logs = np.log(np.maximum(own, least))
    put("labels", float(logs.sum()))
    put("least", float(logs.min()))
    lost = np.log(np.maximum(kinds[rows].max(axis=1), least)) - logs[rows]
    put("loss", float(lost.sum()))
    put("overruled", float((lost > 0).sum()))
    colour = seen[rows, faces[rows]] / np.maximum(own[rows], least)
    put("colours", float(np.log(np.maximum(colour, least)).sum()))
    put("reds", float((faces >= KINDS).sum()))
    put("whites", float((faces == WHITE_INDEX).sum()))
    put("backs", float((seen[rows].argmax(axis=1) >= BACK_INDEX).sum()))
    put("fifth", _fifth(evidence, layout, kind))
    return terms


def _layout_terms(evidence: Evidence, layout: Layout) -> Array:
    """The terms (k,) of a hand that do not ask for its labels."""
    terms, frame, hand = np.zeros(len(TERMS)), evidence.frame, list(layout.hand)

    def put(name: str, value: float) -> None:
        terms[_AT[name]] = value

    if layout.size not in (13, 14):
        put("odd", 1)
        put("odd_by", min(abs(14 - layout.size), frame.tiles.habits.terms.most_odd))
    if not hand:
        return terms
    put("runs", layout.terms.runs / 3)
    put("place", layout.terms.place)
    put("size", float(np.log(sizes(frame.tiles.quads[hand]).min())))
    put("upright", layout.terms.upright / 4)
    put("lonely", float(layout.terms.lonely != 0))
    put("melds", len(layout.melds))
    put("sought", float(evidence.sought[hand].sum()))
    put("unlike", float(evidence.unlike[hand].max()))
    closed = {*layout.closed, *(() if layout.win is None else (layout.win,))}
    runs = [run for run in frame.runs if not closed.isdisjoint(run.tiles)]
    put("split", len(runs) - 1)
    put("denied", sum(_called(run) and closed.issuperset(run.tiles) for run in runs))
    put("spare", _spare(frame, layout.closed, hand))
    return terms


def _called(run: Run) -> bool:
    """Whether a run lies as a called set does."""
    return 3 <= len(run.columns) <= 4 and sum(column.turned for column in run.columns) == 1


def _spare(frame: Frame, closed: Sequence[int], hand: Sequence[int]) -> float:
    """Faces that lie in line with the closed tiles, next to one of them, and are left out; 3 at most."""
    tiles, habit = frame.tiles, frame.tiles.habits.terms
    others = np.flatnonzero(left_out(tiles, hand))
    if not len(others) or not closed:
        return 0.0
    row = tiles.centre[list(closed)]
    right = direction(row, frame.rights[list(closed)], tiles.habits.table)
    x, y = (tiles.centre[others, k, None] - row[:, k] for k in (0, 1))
    away = x * x + y * y
    each, nearest = np.arange(len(others)), away.argmin(axis=1)
    in_line = np.abs(x[each, nearest] * right[1] - y[each, nearest] * right[0]) < habit.in_line
    beside = (away[each, nearest] < habit.spare_reach**2) & in_line
    return float(min(int(beside.sum()), 3))


def left_out(tiles: Tiles, hand: Sequence[int]) -> Mask:
    """(n,) faces that are none of a hand's."""
    faces = tiles.usable & (tiles.best > np.log(tiles.habits.terms.spare_face))
    faces[list(hand)] = False
    return np.asarray(faces)


def sure_kinds(tiles: Tiles) -> Indices:
    """(n,) the kind of each sure face, -1 for all else."""
    sure = tiles.usable & (tiles.best > np.log(tiles.habits.terms.sure_face))
    return np.where(sure, tiles.kinds, -1)


def unlikeness(tiles: Tiles, layout: Layout, probabilities: Array, ground: Array32) -> Array:
    """(n,) how far the colour around each face's print is, in logs of light, from the usual one of those of a
    layout, beyond what light makes of it: the tiles of a set are of one colour, and what is printed on cloth
    has the cloth's."""
    face, hand = probabilities.argmax(axis=1) < len(FACES), list(layout.hand)
    own, habit = ground[[i for i in hand if face[i]]], tiles.habits.terms
    if not len(own):
        return np.zeros(len(ground))
    away = np.linalg.norm(ground - np.median(own, axis=0), axis=1)
    return np.asarray(np.clip(away - habit.like, 0.0, habit.most_unlike) * face, float)


def _fifth(evidence: Evidence, layout: Layout, kinds: Indices) -> float:
    """Tiles beyond the four of a kind that the hand, whose faces are of these ``kinds``, has some of."""
    tiles, elsewhere = evidence.frame.tiles, evidence.sure.copy()
    elsewhere[list(layout.hand)] = -1
    own = np.bincount(kinds, minlength=KINDS)
    both = own + np.bincount(elsewhere + 1, minlength=KINDS + 1)[1:]
    for meld in layout.melds:
        if meld.kind == "ankan":  # two of them lie face down
            both[tiles.faces[list(meld.tiles)].sum(axis=0).argmax()] += 2
    return float(min(np.maximum(both - 4, 0)[own > 0].sum(), tiles.habits.terms.most_fifths))


class Place(NamedTuple):
    """What the place of a winning tile says, whatever its label: ``terms`` (k,), all others nothing; ``end``:
    of the row where it lies in line, 1 the right one, -1 the left one, 0 neither."""

    terms: Array
    end: int


@dataclass(frozen=True)
class Row:
    """The closed ``tiles`` but the winning one, along their own line from left to right: ``x``, ``y`` (n,) in
    mm right of and above their middle, ``half`` (n,) half of each one's width along the line, ``lying`` (n,)
    log odds that it lies on its side. ``places``: those that were asked for."""

    frame: Frame
    tiles: tuple[int, ...]
    origin: Array
    right: Array
    x: Array
    y: Array
    half: Array
    lying: Array
    places: dict[tuple[int, frozenset[int]], Place] = field(default_factory=dict)

    @classmethod
    def of(cls, frame: Frame, closed: Sequence[int]) -> Row:
        own = np.array(closed)
        centre = frame.tiles.centre[own]
        right = direction(centre, frame.rights[own], frame.tiles.habits.table)
        origin = centre.mean(axis=0)
        x = (centre - origin) @ right
        order = np.argsort(x)
        y = (centre - origin) @ np.array([right[1], -right[0]])
        own = own[order]
        half = frame.wide[own] / 2
        return cls(frame, tuple(own.tolist()), origin, right, x[order], y[order], half, frame.odds[own])

    def labels(self, labels: Sequence[str]) -> tuple[str, ...]:
        """Those of its tiles, of the ``labels`` (n,) of all."""
        return tuple([labels[i] for i in self.tiles])

    @cached_property
    def terms(self) -> tuple[float, ...]:
        """Those of :data:`ROW`."""
        return (self.apart, *self.odd())

    def _along(self, way: Array) -> tuple[float, float]:
        """How far a way (2,) goes to its right and above it."""
        across, down = way.tolist()
        x, y = self.right.tolist()
        return across * x + down * y, across * y - down * x

    @cached_property
    def ends(self) -> tuple[float, float]:
        """How far its tiles reach to the left and to the right."""
        return float((self.x - self.half).min()), float((self.x + self.half).max())

    @cached_property
    def distances(self) -> Array:
        """(n,) how far the middles of all tiles lie from the nearest of its own, in mm."""
        return np.asarray(self.frame.tiles.apart[:, list(self.tiles)].min(axis=1))

    @cached_property
    def gap(self) -> float:
        """The usual gap between neighbours in mm."""
        between = self.gaps[np.isfinite(self.gaps)]
        return float(_median(between)) if len(between) else 0.0

    @cached_property
    def gaps(self) -> Array:
        """(n - 1,) the gaps in mm between neighbours; minus infinity where one lies above the other."""
        in_line = np.abs(np.diff(self.y)) < self.frame.tiles.habits.terms.in_line
        return np.where(in_line, np.diff(self.x) - self.half[1:] - self.half[:-1], -np.inf)

    @cached_property
    def widest(self) -> float:
        """The widest of the gaps, nothing at least."""
        return float(self.gaps.max(initial=0.0))

    def odd(self) -> tuple[float, float, float]:
        """How much one of the tiles alone is not as the others, as what has won is not: how far it lies off
        their line, the gap that sets it apart at an end, and that it lies on its side; 0 to 1 each."""
        if len(self.x) < 3:
            return 0.0, 0.0, 0.0
        habit = self.frame.tiles.habits.terms
        aside = np.abs(self.x[:, None] - self.x)
        np.fill_diagonal(aside, np.inf)
        nearest = aside.argpartition(min(habit.level_by, len(self.x) - 1) - 1, axis=1)[:, : habit.level_by]
        first, second = _highest(np.abs(self.y - _median(self.y[nearest])))
        off = (first - max(second, habit.unlevel)) / habit.stands_off
        ends, between = _highest(self.gaps[[0, -1]]), self.gaps[1:-1].max(initial=0.0)
        gap = (ends[0] - max(ends[1], between, 0.0)) / habit.sets_apart
        first, second = _highest(1 / (1 + np.exp(-self.lying)))
        off, gap = (float(min(max(each, 0.0), 1.0)) for each in (off, gap))
        return off, gap, first - second

    @cached_property
    def apart(self) -> float:
        """Tiles with none of the others next to them, 2 at most; such as hardly do count in part."""
        if len(self.x) < 2:
            return 0.0
        habit = self.frame.tiles.habits.terms
        away = self.frame.tiles.apart[np.ix_(self.tiles, self.tiles)]
        np.fill_diagonal(away, np.inf)
        return float(min(np.clip((away.min(axis=1) - habit.next_to) / habit.next_fades, 0, 1).sum(), 2.0))

    def place(self, tile: int, hand: frozenset[int]) -> Place:
        """What the place of a winning tile says, of a ``hand`` that has it."""
        if (tile, hand) not in self.places:
            self.places[tile, hand] = self._place(tile, hand)
        return self.places[tile, hand]

    def _place(self, tile: int, hand: frozenset[int]) -> Place:
        terms, tiles, habit = np.zeros(len(TERMS)), self.frame.tiles, self.frame.tiles.habits.terms
        end = 0

        def put(name: str, value: float) -> None:
            terms[_AT[name]] = value

        x, y = self._along(tiles.centre[tile] - self.origin)
        angle = atan2(*self._along(tiles.up[tile]))
        aside = abs((angle + pi / 4) % (pi / 2) - pi / 4)
        wide = abs(sin(angle)) * TILE_HEIGHT + abs(cos(angle)) * TILE_WIDTH
        left, right = self.ends
        gap = max(x - wide / 2 - right, left - x - wide / 2)
        near = np.argsort(np.abs(self.x - x))[:2]
        within = self.x[0] - TILE_WIDTH <= x <= self.x[-1] + TILE_WIDTH
        rise = y - float(self.y[near].mean() if within else self.y[near[0]])
        if abs(rise) >= habit.in_line:
            put("above_row" if rise > 0 else "below_row", 1)
            put("off", min(abs(rise) / TILE_HEIGHT, 1.0))
        else:
            # Out of line every tile is set apart, and how it is turned says no more.
            put("turned", float(abs(sin(angle)) > sqrt(0.5)))
            put("askew", min(aside / habit.skew, 2.0))
            put("off_little", abs(rise) / TILE_HEIGHT)
            put("inside", float(gap <= -TILE_WIDTH / 2))
        if abs(rise) < habit.in_line and gap > -TILE_WIDTH / 2:
            end = 1 if x > 0 else -1
            put("right" if x > 0 else "left", 1)
            set_apart = max(gap - self.gap, 0.0)
            put("gap", min(set_apart, habit.most_gap) / TILE_WIDTH)
            put("gap_most", min(max((gap - self.widest) / habit.sets_apart, -1.0), 1.0))
        distance = hypot(max(gap, 0.0), max(0.0, abs(rise) - TILE_HEIGHT))
        put("far", min(max(0.0, distance - habit.near) / TILE_WIDTH, habit.farthest))
        free = tiles.usable.copy()
        free[[*hand]] = False
        others = np.flatnonzero(free)
        if len(others):
            away = tiles.apart[tile, others]
            touching, close = (away < habit.touching).sum(), (away < habit.around).sum()
            put("company", min(2, int(touching)) + 0.5 * min(2, int(close)))
            run = next((run.tiles for run in self.frame.runs if tile in run.tiles), ())
            put("strangers", min(len(set(run) - hand), habit.long_run))
            own = self.distances[tile]
            long = self.frame.in_long_run[others]
            put("theirs", float(long.any() and away[long].min() < own))
            faces = others[tiles.best[others] > np.log(habit.spare_face)]
            put("passed", min(int((self.distances[faces] < own).sum()), habit.most_passed))
        terms[ROW] = self.terms
        return Place(terms, end)


def _median(values: Array) -> Array:
    """(...) the medians of a few numbers each (..., k): numpy's own looks for what is no number first, which
    takes four times as long."""
    middle, ordered = values.shape[-1] // 2, np.sort(values)
    return np.asarray((ordered[..., (values.shape[-1] - 1) // 2] + ordered[..., middle]) / 2)


def _highest(values: Array) -> tuple[float, float]:
    """The two highest of some numbers."""
    second, first = np.partition(values, -2)[-2:].tolist()
    return first, second


def breaks(labels: Sequence[str]) -> int:
    """How often a row is not in order: a suit that comes again, or a number that falls within it."""
    count, seen = 0, set()
    for before, label in zip(("", *labels), labels, strict=False):
        if before and before[1] == label[1]:
            count += plain(label)[0] < plain(before)[0]
        else:
            count += label[1] in seen
        seen.add(label[1])
    return count


def loose(terms: Array) -> float:
    """How surely a winning tile lies where one is laid, 0 to 1, by the terms (k,) of its hand."""
    return 0.0 if terms[NEARER] else float(1 / (1 + terms[FAR] + terms[COMPANY]))


def win_terms(
    terms: Array,
    row: Row,
    tile: int,
    labels: Sequence[str],
    hand: frozenset[int],
    fours: Container[str],
    unlike: float,
    nearer: int,
    parsed: bool,
) -> Array:
    """The terms (k,) of a ``hand`` with this winning tile, of those that it has without. ``fours``: what a
    called set holds three of; ``unlike``: how far its colour is from that of the others; ``nearer``: how many
    as good ones lie nearer.
    """
    place = row.place(tile, hand)
    terms = terms + place.terms
    if place.end:
        own, name = row.labels(labels), (labels[tile],)
        known = breaks(own)
        more = breaks((*own, *name) if place.end > 0 else (*name, *own)) - known
        terms[_AT["unsorted"]] = (1.0 if more else -0.5) if not known else 0.5 * (more > 0)
    terms[_AT["fourth"]] = labels[tile] in fours
    terms[_AT["unlike_won"]] = unlike
    terms[_AT["nearer"]] = nearer
    terms[_AT["parsed"]] = parsed
    return terms
