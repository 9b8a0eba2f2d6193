"""What a run of neighbours may be: closed tiles, a winning tile and melds, in every way that it allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from vision.habits import GroupHabits
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
        won = () if self.win is None else (self.win,)
        return (*self.closed, *won, *(i for meld in self.melds for i in meld.tiles))

    @property
    def key(self) -> tuple[int, int, bool]:
        return len(self.closed), len(self.melds), self.win is not None

    @property
    def size(self) -> int:
        return len(self.closed) + (self.win is not None) + 3 * len(self.melds)


def ways_of(frame: Frame, run: Run) -> list[Parse]:
    """Every way to take a run as closed tiles, melds and a winning tile; the best of equal counts."""
    habit, columns = frame.tiles.habits.groups, run.columns
    if len(columns) == 1:
        return _by_itself(frame, columns[0])
    before, inside, behind = range(3)
    # states[k]: the ways to take the first k columns, by how far the closed tiles have come
    states: list[dict[tuple[int, tuple[int, int, bool]], Parse]] = [{} for _ in range(len(columns) + 1)]

    def reach(place: int, phase: int, parse: Parse, more: Parse) -> None:
        score = parse.score + more.score
        tiles, melds = len(parse.closed) + len(more.closed), len(parse.melds) + len(more.melds)
        key = (phase, (tiles, melds, parse.win is not None or more.win is not None))
        known = states[place].get(key)
        if score > habit.worst and (known is None or known.score < score):
            states[place][key] = parse.joined(more)

    reach(0, before, Parse(), Parse())
    for k, column in enumerate(columns):
        melds = list(_melds_at(frame, columns, k))
        here = frame.tiles.as_face[column.tiles[0]]
        joined = _joined_price(habit, column.gap)
        stray = sum(frame.tiles.as_stray[i] for i in column.tiles)
        outermost = k in (0, len(columns) - 1)
        for (phase, _), parse in list(states[k].items()):
            upright = column.upright + (joined if phase == inside else 0.0)
            if not column.double and phase != behind and upright < habit.lean:
                cost = here - upright - (habit.melds_first if phase == before and parse.melds else 0.0)
                reach(k + 1, inside, parse, Parse(cost, column.tiles))
            by_closed = phase == inside or (phase == before and not parse.melds)
            if not column.double and parse.win is None and by_closed:
                space = columns[k + 1].gap if phase == before and k + 1 < len(columns) else column.gap
                if phase == inside and parse.closed[-1:] != columns[k - 1].tiles:
                    space += TILE_WIDTH  # what lies between is no tile
                standing = column.upright + _apart_price(habit, space)
                price = min(column.flat, standing)
                if price < habit.lean:
                    flat = column.tiles * (column.flat < standing)
                    won = Parse(here - price, (), column.tiles[0], flat=flat)
                    reach(k + 1, behind if phase == inside else before, parse, won)
            for length, meld in melds:
                touching = habit.touching + _torn(habit, columns[k : k + length]) if phase == inside else 0.0
                called = meld._replace(score=meld.score - touching)
                reach(k + length, before if phase == before else behind, parse, called)
            if outermost or stray < habit.stray:
                reach(k + 1, phase, parse, Parse(-stray))
    best: dict[tuple[int, int, bool], Parse] = {}
    for parse in states[-1].values():
        taken = {*parse.closed, *(() if parse.win is None else (parse.win,))}
        own = [column for column in columns if column.tiles[0] in taken]
        if 3 <= len(own) <= 4 and _is_meld(frame, own):
            parse = parse._replace(score=parse.score - habit.meld_denied)
        if parse.size and (parse.key not in best or best[parse.key].score < parse.score):
            best[parse.key] = parse
    return list(best.values())


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


def _melds_at(frame: Frame, columns: Sequence[Column], k: int) -> Iterator[tuple[int, Parse]]:
    """Melds that may begin at column k: how many columns, and the meld as a parse."""
    habit = frame.tiles.habits.groups
    for length in (3, 4):
        part = columns[k : k + length]
        if len(part) < length:
            return
        indices = tuple(i for column in part for i in column.tiles)
        doubled = [place for place, column in enumerate(part) if column.double]
        standing = sum(column.upright for column in part)
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
                yield (
                    length,
                    Parse(same - prices[place], melds=(MeldSeen(kind, indices, source),), flat=turned),
                )
                if np.isfinite(sequence):
                    # A chi is called from the left, so its left tile is turned.
                    score = sequence - prices[place] - (0.0 if place == 0 else habit.chi_turned)
                    yield length, Parse(score, melds=(MeldSeen("chi", indices, 3),), flat=turned)
        if length == 4 and not doubled:
            around = [column.tiles[0] for column in (*columns[max(k - 1, 0) : k], *columns[k + 4 :][:1])]
            walled = habit.walled * any(frame.tiles.as_face[i] < np.log(habit.wall_face) for i in around)
            for hidden in ((0, 3), (1, 2)):
                if not all(frame.tiles.dark[indices[place]] for place in hidden):
                    continue
                price = sum(
                    min(column.upright, habit.back_turned if place in hidden else column.upright)
                    for place, column in enumerate(part)
                )
                if price < habit.lean:
                    score = _ankan(frame.tiles, indices, hidden) - price - walled
                    yield 4, Parse(score, melds=(MeldSeen("ankan", indices, None),))


def _same(tiles: Tiles, indices: Sequence[int]) -> float:
    chosen = list(indices)
    return float(tiles.faces[chosen].sum(axis=0).max() - tiles.best[chosen].sum()) + _shown(tiles, indices)


def _shown(tiles: Tiles, indices: Sequence[int]) -> float:
    """The score of taking all of the tiles for faces."""
    return sum(tiles.as_face[i] for i in indices)


def _sequence(tiles: Tiles, indices: Sequence[int]) -> float:
    chosen = list(indices)
    numbers = tiles.faces[chosen][:, :27].reshape(3, 3, 9)
    best = -np.inf
    for a, b, c in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        total = numbers[a, :, :-2] + numbers[b, :, 1:-1] + numbers[c, :, 2:]
        best = max(best, float(total.max()))
    return best - float(tiles.best[chosen].sum()) + _shown(tiles, indices)


def _ankan(tiles: Tiles, indices: Sequence[int], hidden: Sequence[int]) -> float:
    down = [indices[k] for k in hidden]
    shown = [indices[k] for k in range(4) if k not in hidden]
    likeliest = np.maximum(tiles.best, tiles.back)
    faces = float(tiles.faces[shown].sum(axis=0).max())
    return faces + float(tiles.back[down].sum() - likeliest[list(indices)].sum())
