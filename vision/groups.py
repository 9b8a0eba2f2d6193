"""What a run of neighbours may be: closed tiles, a winning tile and melds, in every way that it allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Literal, NamedTuple

import numpy as np

from vision.habits import GroupHabits
from vision.labels import WHITE_INDEX
from vision.plane import TILE_WIDTH
from vision.rows import Column, Frame, Run, Tiles

MeldKind = Literal["chi", "pon", "minkan", "kakan", "ankan"]


@dataclass(frozen=True, slots=True)
class MeldSeen:
    """A meld on the table. ``tiles``: indices left to right, the added tile of a kakan beside its base.

    ``source``: who discarded the called tile, as ``from`` in ``docs/hand.md``; None for an ankan.
    """

    kind: MeldKind
    tiles: tuple[int, ...]
    source: int | None


class Parse(NamedTuple):
    """One way to take a run, or several runs together, as parts of a hand. ``flat``: lie on their side."""

    score: float = 0.0
    closed: tuple[int, ...] = ()
    win: int | None = None
    melds: tuple[MeldSeen, ...] = ()
    flat: tuple[int, ...] = ()

    def joined(self, other: Parse) -> Parse:
        """Both together; at most one of them has a winning tile."""
        return Parse(
            self.score + other.score, (*self.closed, *other.closed),
            other.win if self.win is None else self.win, (*self.melds, *other.melds),
            (*self.flat, *other.flat),
        )  # fmt: skip

    @property
    def tiles(self) -> tuple[int, ...]:
        tiles = self.closed if self.win is None else (*self.closed, self.win)
        for meld in self.melds:
            tiles += meld.tiles
        return tiles

    @property
    def key(self) -> tuple[int, int, bool]:
        return len(self.closed), len(self.melds), self.win is not None

    @property
    def size(self) -> int:
        return len(self.closed) + (self.win is not None) + 3 * len(self.melds)


_Trail = tuple[float, "_Trail | None", Parse]
"""What the first columns of a run may be, piece by piece: how likely, all but the last piece, and that one.
Only of the best trails the pieces are put together."""

_STRAY = Parse()
"""The piece of a column that is no part of the hand."""


def ways_of(frame: Frame, run: Run) -> list[Parse]:
    """Every way to take a run as closed tiles, melds and a winning tile; the best of equal counts."""
    habit, columns = frame.tiles.habits.groups, run.columns
    if len(columns) == 1:
        return _by_itself(frame, columns[0])
    before, inside, behind = range(3)
    # states[k]: the ways to take the first k columns, by how far the closed tiles have come, and by how many
    # these are, how many melds, and whether there is a winning tile
    states: list[dict[tuple[int, int, int, bool], _Trail]] = [{} for _ in range(len(columns) + 1)]
    states[0][before, 0, 0, False] = (0.0, None, _STRAY)

    def reach(place: int, key: tuple[int, int, int, bool], score: float, trail: _Trail, piece: Parse) -> None:
        if score > habit.worst:
            known = states[place].get(key)
            if known is None or known[0] < score:
                states[place][key] = (score, trail, piece)

    # Of a meld one tile lies on its side, or two may lie face down.
    odd = any(each.flat < habit.lean or frame.tiles.dark[each.tiles[0]] for each in columns)
    for k, column in enumerate(columns):
        melds = [*_melds_at(frame, columns, k), *_melds_bare(frame, columns, k)] if odd and states[k] else ()
        here = frame.tiles.as_face[column.tiles[0]]
        joined = _joined_price(habit, column.gap)
        stray = sum([frame.tiles.as_stray[i] for i in column.tiles])
        # However surely a white dragon is seen, nothing marks it: a gap's cloth may look alike.
        white = all(frame.tiles.kinds[i] == WHITE_INDEX for i in column.tiles)
        may_stray = white or k in (0, len(columns) - 1) or stray < habit.stray
        single = not column.double
        under, both = (
            (_standing(frame, column.tiles[0]), _shown(frame.tiles, column.tiles))
            if column.double
            else (0.0, 0.0)
        )
        own, won_flat, won_upright, on_top = (
            Parse(closed=column.tiles),
            Parse(win=column.tiles[0], flat=column.tiles),
            Parse(win=column.tiles[0]),
            Parse(closed=column.tiles[:1], win=column.tiles[-1]),
        )
        for (phase, closed, called, won), trail in states[k].items():
            score, _, last = trail
            upright = column.upright + (joined if phase == inside else 0.0)
            if single and phase != behind and upright < habit.lean:
                cost = here - upright - (habit.melds_first if phase == before and called else 0.0)
                reach(k + 1, (inside, closed + 1, called, won), score + cost, trail, own)
            if single and not won and (phase == inside or (phase == before and not called)):
                space = columns[k + 1].gap if phase == before and k + 1 < len(columns) else column.gap
                if phase == inside and last is _STRAY:
                    space += TILE_WIDTH  # what lies between is no tile
                standing = column.upright + _apart_price(habit, space)
                price = min(column.flat, standing)
                if price < habit.lean:
                    key = (behind if phase == inside else before, closed, called, True)
                    piece = won_flat if column.flat < standing else won_upright
                    reach(k + 1, key, score + (here - price), trail, piece)
            if column.double and not won and phase != behind:
                # No kakan's, but a closed tile and the winning one, laid upon its edge.
                price = under + (joined if phase == inside else 0.0)
                if price < habit.lean:
                    cost = both - price - habit.on_top
                    reach(k + 1, (inside, closed + 1, called, True), score + cost, trail, on_top)
            for length, meld in melds:
                touching = habit.touching + _torn(habit, columns[k : k + length]) if phase == inside else 0.0
                key = (before if phase == before else behind, closed, called + 1, won)
                reach(k + length, key, score + (meld.score - touching), trail, meld)
            if may_stray:
                reach(k + 1, (phase, closed, called, won), score - stray, trail, _STRAY)
    best: dict[tuple[int, int, bool], Parse] = {}
    for trail in states[-1].values():
        parse = _followed(trail)
        taken = {*parse.closed, *(() if parse.win is None else (parse.win,))}
        if 3 <= len(taken) <= 4 and _is_meld(frame, [each for each in columns if each.tiles[0] in taken]):
            parse = parse._replace(score=parse.score - habit.meld_denied)
        if parse.size and (parse.key not in best or best[parse.key].score < parse.score):
            best[parse.key] = parse
    return list(best.values())


def _standing(frame: Frame, tile: int) -> float:
    """What it costs to take a tile as not lying on its side."""
    return float(np.logaddexp(0.0, frame.odds[tile]))


def _followed(trail: _Trail) -> Parse:
    """All pieces of a trail together."""
    score, before, last = trail
    pieces = [last]
    while before is not None:
        _, before, last = before
        pieces.append(last)
    closed, win, melds, flat = list[int](), None, list[MeldSeen](), list[int]()
    for piece in reversed(pieces):
        closed += piece.closed
        melds += piece.melds
        flat += piece.flat
        win = piece.win if win is None else win
    return Parse(score, tuple(closed), win, tuple(melds), tuple(flat))


def _by_itself(frame: Frame, column: Column) -> list[Parse]:
    """The ways to take a tile without neighbours, which may lie either way."""
    cost, flat = frame.tiles.as_face[column.tiles[0]], column.tiles * column.turned
    if column.double or cost <= frame.tiles.habits.groups.worst:
        return []
    return [Parse(cost, column.tiles, flat=flat), Parse(cost, (), column.tiles[0], flat=flat)]


def _is_meld(frame: Frame, columns: Sequence[Column]) -> bool:
    """Whether the columns, all together, look like a called set."""
    likely = frame.tiles.habits.groups.likely_meld
    return any(length == len(columns) and way.score > likely for length, way in _melds_at(frame, columns, 0))


def _torn(habit: GroupHabits, meld: Sequence[Column]) -> float:
    """What it costs that tiles of a meld lie farther from one another than from the row before them."""
    return habit.per_mm * max(0.0, max(column.gap for column in meld[1:]) - meld[0].gap)


def _joined_price(habit: GroupHabits, gap: float) -> float:
    """What it costs to say that a tile this far, in mm, from its neighbour is not set apart."""
    return max(0.0, habit.per_mm * (gap - habit.loose))


def _apart_price(habit: GroupHabits, gap: float) -> float:
    """What it costs to say that a tile this far, in mm, from its neighbour is set apart."""
    return max(0.0, habit.per_mm * (habit.loose - gap))


def _melds_at(frame: Frame, columns: Sequence[Column], k: int) -> list[tuple[int, Parse]]:
    """Melds that may begin at column k: how many columns, and the meld as a parse."""
    habit, found = frame.tiles.habits.groups, list[tuple[int, Parse]]()
    for length in (3, 4):
        part = columns[k : k + length]
        if len(part) < length:
            break
        indices = tuple([i for column in part for i in column.tiles])
        doubled = (
            [place for place, column in enumerate(part) if column.double] if len(indices) > length else []
        )
        prices, places = list[float](), list[int]()
        if min([column.flat for column in part]) < habit.lean:  # else none lies on its side
            standing = sum([column.upright for column in part])
            prices = [standing - column.upright + column.flat for column in part]
            places = [p for p in range(length) if prices[p] < habit.lean and doubled in ([], [p])]
        if places and len(indices) <= 4:
            same, sequence = _same(frame.tiles, indices), -np.inf
            if length == 3 and not doubled:
                sequence = _sequence(frame.tiles, indices)
            for place in places:
                source = 3 if place == 0 else 1 if place == length - 1 else 2
                kind: MeldKind = "minkan" if length == 4 else "kakan" if doubled else "pon"
                turned = part[place].tiles
                meld = MeldSeen(kind, indices, source)
                found.append((length, Parse(same - prices[place], melds=(meld,), flat=turned)))
                if np.isfinite(sequence):
                    # A chi is called from the left, so its left tile is turned.
                    score = sequence - prices[place] - (0.0 if place == 0 else habit.chi_turned)
                    meld = MeldSeen("chi", indices, 3)
                    found.append((length, Parse(score, melds=(meld,), flat=turned)))
        if length == 4 and not doubled:
            found += [(4, way) for way in _ankans(frame, columns, k)]
    return found


def _melds_bare(frame: Frame, columns: Sequence[Column], k: int) -> Iterator[tuple[int, Parse]]:
    """Melds that may begin at column k if what seems to be added to a turned tile is none: printed cloth."""
    tiles, part = frame.tiles, columns[k : k + 4]
    if not any(column.double for column in part):
        return
    bare = [_bare(frame, column) if column.double else column for column in part]
    for length, way in _melds_at(frame, bare, 0):
        lost = [tiles.as_stray[i] for column in part[:length] for i in column.tiles[1:]]
        if lost and sum(lost) < tiles.habits.groups.stray:
            yield length, way._replace(score=way.score - sum(lost))


def _bare(frame: Frame, column: Column) -> Column:
    """A column of the tile in the row alone."""
    tile = column.tiles[0]
    lying = float(np.logaddexp(0.0, -frame.odds[tile]))
    return replace(column, tiles=(tile,), flat=lying, upright=_standing(frame, tile))


def _ankans(frame: Frame, columns: Sequence[Column], k: int) -> Iterator[Parse]:
    """The ankan that may begin at column k, of four that are single, with either two face down."""
    tiles, habit, part = frame.tiles, frame.tiles.habits.groups, columns[k : k + 4]
    indices = tuple([column.tiles[0] for column in part])
    for down, up in (((0, 3), (1, 2)), ((1, 2), (0, 3))):
        hidden, shown = ([indices[place] for place in places] for places in (down, up))
        if not all(tiles.dark[i] for i in hidden):
            continue
        price = sum([part[place].upright for place in up])
        price += sum([_back_upright(frame, part[place]) for place in down])
        if price < habit.lean:
            around = [column.tiles[0] for column in (*columns[max(k - 1, 0) : k], *columns[k + 4 :][:1])]
            walled = habit.walled * any(tiles.as_face[i] < np.log(habit.wall_face) for i in around)
            score = _ankan(tiles, shown, hidden) - price - walled
            yield Parse(score, melds=(MeldSeen("ankan", indices, None),))


def _back_upright(frame: Frame, column: Column) -> float:
    """What it costs to take a back as not lying on its side."""
    habit = frame.tiles.habits.groups
    plainly = frame.tiles.as_face[column.tiles[0]] > np.log(habit.back_face)
    return column.upright if plainly else min(column.upright, habit.back_turned)


_Measure = Callable[[Tiles, Sequence[int]], float]


def _measured_once(measure: _Measure) -> _Measure:
    """A measure of tiles in whatever order, kept for the other frames that see them side by side."""

    def measured(tiles: Tiles, indices: Sequence[int]) -> float:
        key = (measure.__name__, frozenset(indices))
        if key not in tiles.measures:
            tiles.measures[key] = measure(tiles, indices)
        return tiles.measures[key]

    return measured


@_measured_once
def _same(tiles: Tiles, indices: Sequence[int]) -> float:
    chosen = list(indices)
    return float(tiles.faces[chosen].sum(axis=0).max() - tiles.best[chosen].sum()) + _shown(tiles, indices)


@_measured_once
def _sequence(tiles: Tiles, indices: Sequence[int]) -> float:
    chosen = list(indices)
    numbers = tiles.faces[chosen, :27].reshape(3, 3, 9)
    first, second, third = _ORDERS
    totals = numbers[first, :, :-2] + numbers[second, :, 1:-1] + numbers[third, :, 2:]
    return float(totals.max() - tiles.best[chosen].sum()) + _shown(tiles, indices)


_ORDERS = np.array([*permutations(range(3))]).T
"""Which of three tiles is the lowest, the middle and the highest: (3, 6)."""


def _shown(tiles: Tiles, indices: Sequence[int]) -> float:
    """The score of taking all of the tiles for faces."""
    return sum(tiles.as_face[i] for i in indices)


def _ankan(tiles: Tiles, shown: Sequence[int], hidden: Sequence[int]) -> float:
    likeliest = sum([max(tiles.best[i], tiles.back[i]) for i in (*shown, *hidden)])
    a, b = shown
    # The two backs are of one colour: what is mistaken of one is so of the other.
    return float((tiles.faces[a] + tiles.faces[b]).max() + min(tiles.back[list(hidden)]) - likeliest)
