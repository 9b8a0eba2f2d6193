"""The runs around one that may be a hand's core, taken together with it in every way that makes a hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import atan2, copysign, cos, hypot, sin
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from vision.arrays import Array, Indices
from vision.groups import Parse
from vision.habits import TableHabits
from vision.plane import TILE_HEIGHT, TILE_WIDTH
from vision.rows import Frame, Run


class Way(NamedTuple):
    """A way to take a run, and what its tiles add to the terms of a hand: how near they lie, how many more of
    them stand upright than head down, and how many they are."""

    parse: Parse
    near: float
    votes: float
    tiles: int

    @classmethod
    def of(cls, parse: Parse, near: Sequence[float], votes: Sequence[float]) -> Way:
        """``near``, ``votes``: of all tiles of the photo."""
        tiles = parse.tiles
        return cls(parse, sum(near[i] for i in tiles), sum(votes[i] for i in tiles), len(tiles))


Key = tuple[int, int, bool]
"""As :attr:`Parse.key`: closed tiles, melds, and whether there is a winning tile."""

Union = tuple[float, tuple[Way, ...]]
"""Ways to take several runs together, and how likely that is. Only the best become one parse: hundreds are
compared for each that does."""


def joined(union: Union) -> Parse:
    """All of a union as one way."""
    score, (first, *others) = union
    parse = first.parse
    for other in others:
        parse = parse.joined(other.parse)
    return parse._replace(score=score)


def unions(
    frame: Frame, number: int, parses: Sequence[tuple[Run, list[Way]]], heads: Heads
) -> Iterator[tuple[Key, Union]]:
    """A core run with what lies around it, in every way that keeps to 14 tiles or little more; what counts
    as one way of these."""
    habit, worst = frame.tiles.habits.table, frame.tiles.habits.groups.worst
    most = habit.ways_kept
    core, core_ways = parses[number]
    own = list(core.heads)
    centres = frame.tiles.centre[own]
    right = direction(centres, frame.rights[own], habit)
    x = dict(zip(own, ((centres - centres.mean(axis=0)) @ right).tolist(), strict=True))
    closed = [way.parse.closed for way in core_ways if way.parse.closed]
    ends = {x[i] for tiles in closed for i in (tiles[0], tiles[-1])}
    first, last = (float(frame.wide[i]) / 2 for i in (own[0], own[-1]))
    left_end, right_end = x[own[0]] - first, x[own[-1]] + last
    states: dict[Key, list[Union]] = {
        way.parse.key: [(way.parse.score, (way,))] for way in core_ways if way.parse.closed
    }
    neighbours = []
    for other, spot in _spots(frame, heads, centres.mean(axis=0), right, left_end, right_end):
        if other == number:
            continue
        run, ways = parses[other]
        options, left_out = _options(habit, run, ways, spot, left_end, right_end, ends)
        if options:
            neighbours.append((left_out, max(score for score, _ in options), options))
    neighbours.sort(key=lambda entry: (-entry[0], -entry[1]))
    for left_out, _, options in neighbours[: habit.most_neighbours]:
        choices: list[tuple[Key, float, tuple[Way, ...]]] = [
            ((0, 0, False), -left_out, ()),
            *((way.parse.key, score, (way,)) for score, way in options),
        ]
        following: dict[Key, list[Union]] = {}
        for (tiles, melds, won), known in states.items():
            room = habit.most_tiles - tiles - 3 * melds
            likeliest = known[0][0]
            for (more, more_melds, wins), price, way in choices:
                if (
                    (won and wins)
                    or more + 3 * more_melds + (won or wins) > room
                    or likeliest + price <= worst
                ):
                    continue
                key = (tiles + more, melds + more_melds, won or wins)
                best = following.get(key)
                if best is None:
                    following[key] = [
                        (score + price, ways + way) for score, ways in known if score + price > worst
                    ]
                elif len(best) < most or likeliest + price > best[-1][0]:
                    best += [(score + price, ways + way) for score, ways in known if score + price > worst]
                    best.sort(key=itemgetter(0), reverse=True)
                    del best[most:]
        states = following
    return ((key, union) for key, best in states.items() for union in best)


def direction(centres: Array, rights: Array, habit: TableHabits) -> Array:
    """The way a run goes: along its tiles' own sides, and along its centres where there are many."""
    across, down = rights.sum(axis=0).tolist()
    count = len(centres)
    if count >= habit.straight_from:
        x, y = (centres - centres.sum(axis=0) / count).T
        angle = atan2(2 * float(x @ y), float(x @ x - y @ y)) / 2  # of the axis along which they spread most
        along, aside = cos(angle), sin(angle)
        side = copysign(1.0, along * across + aside * down)
        across, down = side * along, side * aside
    length = hypot(across, down)
    return np.array([across / length, down / length])


class Heads(NamedTuple):
    """The first tiles of every column of all runs, one run after the other; where each run starts, which
    run each tile is of, and how many there are of each run."""

    tiles: Indices
    starts: Indices
    runs: Indices
    lengths: Indices

    @classmethod
    def of(cls, runs: Iterable[Run]) -> Heads:
        heads = [run.heads for run in runs]
        lengths = [len(each) for each in heads]
        # As wide as an address, or reduceat refuses them: 32 bits in a browser.
        starts = np.cumsum([0, *lengths[:-1]], dtype=np.intp)
        tiles, runs = np.array([*chain(*heads)], np.intp), np.repeat(np.arange(len(heads)), lengths)
        return cls(tiles, starts, runs, np.array(lengths))


class _Spot(NamedTuple):
    """Where a run lies right of and above a core's middle, in millimetres: its ends, the gap to the core, and
    how far above or below all of it lies. Whether it lies in the core's line, is a tile above it, or may be
    another row."""

    low: float
    high: float
    gap: float
    lift: float
    in_line: bool
    above: bool
    row: bool


def _spots(
    frame: Frame, heads: Heads, origin: Array, right: Array, left_end: float, right_end: float
) -> Iterator[tuple[int, _Spot]]:
    """The spots of the runs that may belong to a core which spans left_end to right_end, by number: all found
    at once, for most runs are short, and lie elsewhere."""
    habit = frame.tiles.habits.table
    away = frame.tiles.centre[heads.tiles] - origin
    x, y = away @ right, away @ np.array([right[1], -right[0]])
    half, starts = frame.wide[heads.tiles] / 2, heads.starts
    rise = y[np.lexsort((np.abs(x), heads.runs))[starts]]  # of the head next to the core's middle
    low, high = np.minimum.reduceat(x - half, starts), np.maximum.reduceat(x + half, starts)
    lift = np.abs(np.add.reduceat(y, starts) / heads.lengths)
    gap = np.maximum(low - right_end, left_end - high)
    in_line = np.abs(rise) < habit.off_line + habit.off_line_slope * gap
    in_line &= (-habit.run_into < gap) & (gap < habit.line_within)
    above = (heads.lengths == 1) & (habit.win_above_from < rise) & (rise < habit.win_above_to)
    row = (gap < habit.second_row_within) & (habit.second_row_from < lift) & (lift < habit.third_row_to)
    numbers = np.flatnonzero(in_line | above | row | (heads.lengths >= _MELD))
    facts = (each[numbers].tolist() for each in (low, high, gap, lift, in_line, above, row))
    return zip(numbers.tolist(), map(_Spot, *facts), strict=True)


_MELD = 3
"""Columns of a meld, at least."""


def _options(
    habit: TableHabits,
    run: Run,
    ways: Sequence[Way],
    spot: _Spot,
    left_end: float,
    right_end: float,
    ends: Iterable[float],
) -> tuple[list[tuple[float, Way]], float]:
    """What a run may add to a core that spans left_end to right_end, and the price of leaving it out.

    ``ends``: middles of the tiles at which the closed part of the core may end.
    """
    low, high, gap, lift, in_line, above, row = spot
    # Where melds belong: to the right.
    wrong_side = habit.wrong_side if high < left_end else 0.0
    if in_line:
        far = habit.far * max(gap, 0.0) / TILE_WIDTH
        split = habit.split + (habit.lonely if len(run.columns) == 1 else 0.0)
        options = []
        for way in ways:
            parse = way.parse
            price = far + (wrong_side if parse.melds else 0.0)
            if parse.closed:
                price += split
                if parse.win is not None and (parse.win == run.tiles[0]) == (
                    low + high > left_end + right_end
                ):
                    continue  # it would lie between closed tiles
            elif parse.win is not None and high < left_end:
                price += habit.win_on_left
            if parse.win is not None and not parse.closed and gap > habit.win_reach:
                continue
            options.append((parse.score - price, way))
        return options, habit.left_out if gap < habit.left_out_within else 0.0
    if above and min(abs((low + high) / 2 - end) for end in ends) < habit.win_by_an_end:
        wins = [way for way in ways if way.parse.win is not None and not way.parse.closed]
        return [(way.parse.score - habit.win_above, way) for way in wins], habit.win_above_left_out
    options = list[tuple[float, Way]]()
    if len(run.columns) >= _MELD:
        far = habit.melds_away + wrong_side + habit.melds_far * max(gap, 0.0) / TILE_WIDTH
        far += habit.beyond * max(0.0, lift / TILE_HEIGHT - habit.beyond_from)
        options = [
            (way.parse.score - far, way)
            for way in ways
            if way.parse.melds and not way.parse.closed and way.parse.win is None
        ]
    if row:
        rows = 1 if lift < habit.third_row_from else 2
        options += [(way.parse.score - rows * habit.second_row, way) for way in ways if way.parse.closed]
    return options, 0.0
