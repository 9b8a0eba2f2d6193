"""From tiles anywhere in a photo to one player's hand: rows, melds, the winning tile.

All geometry happens in millimetres of the table (:mod:`vision.plane`), so a row is straight, a neighbour
is 19 mm away and a called tile is turned by 90°, whatever the camera did. Within a *frame* (one direction
taken as "up") tiles are chained into runs, every run is parsed into closed tiles, melds and a winning tile
in every way that its tiles allow, and the union of runs that makes the likeliest hand wins.

Scores are natural logarithms of odds, as far as habits at the table can be put in numbers; they were
set on synthetic layouts (``tests/vision/layouts.py``) and rendered photos, never on evaluation photos.
:mod:`vision.rows` has the tiles, frames and runs, :mod:`vision.groups` what a run may be,
:mod:`vision.unions` which runs may belong together; here they become a hand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import NamedTuple

import numpy as np

from scorer.readings import counts_are_complete
from scorer.tiles import KINDS
from vision.arrays import Array
from vision.groups import MeldSeen, Parse, ways_of
from vision.habits import HABITS, Habits, TableHabits
from vision.labels import LOOK_ALIKE_UPSIDE_DOWN
from vision.mend import Mend, added, beside, between, fourth, resized
from vision.plane import TILE_HEIGHT, TILE_WIDTH
from vision.rows import Frame, Run, Tiles, frames
from vision.unions import Heads, Key, Union, Way, direction, joined, unions


class Terms(NamedTuple):
    """What speaks for a layout, a log of odds each: how its tiles lie in their runs and the runs beside one
    another; how many they are; how near to the camera and which way up they lie; that a single tile is its
    core; that the likeliest labels finish the hand; that the winning tile lies among closed ones."""

    runs: float = 0.0
    size: float = 0.0
    place: float = 0.0
    upright: float = 0.0
    lonely: float = 0.0
    legal: float = 0.0
    win_within: float = 0.0

    @property
    def total(self) -> float:
        runs, size, place, upright, lonely, legal, win_within = self
        return runs + size + place + upright + lonely + legal + win_within


@dataclass(frozen=True)
class Layout:
    """One way to see the photo's tiles as a hand; all numbers are indices of the tiles given.

    ``closed``, ``dora``: in reading order, the first without ``win``. ``turns``: (n,) by how many corners
    each quad must be rolled (``np.roll(quad, -turns, axis=0)``) to start at its face's top left.
    ``spare``: tiles that lie beside the row of a hand of 14 as a winning tile would, and are one too many.
    """

    closed: tuple[int, ...]
    win: int | None
    melds: tuple[MeldSeen, ...]
    turns: tuple[int, ...]
    sideways: tuple[bool, ...]
    upside_down: tuple[bool, ...]
    terms: Terms
    spare: tuple[int, ...] = ()
    dora: tuple[int, ...] = ()
    frame: int = 0
    """The number of the table's frame in which it is seen."""

    @property
    def score(self) -> float:
        """Log odds, only to be compared with other layouts of the same photo."""
        return self.terms.total

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

    @cached_property
    def hand(self) -> tuple[int, ...]:
        """The tiles of the hand, melds and winning tile included."""
        won = () if self.win is None else (self.win,)
        return tuple(sorted({*self.closed, *won, *(i for meld in self.melds for i in meld.tiles)}))

    @property
    def size(self) -> int:
        """Tiles of the hand, a kan counted as three: 14 when finished, 13 before."""
        return len(self.closed) + (self.win is not None) + 3 * len(self.melds)


@dataclass(frozen=True, slots=True)
class Table:
    """All tiles of a photo in millimetres, seen along every direction that may be the hand's up."""

    tiles: Tiles
    frames: tuple[Frame, ...]

    @classmethod
    def of(
        cls,
        quads: Array,
        probabilities: Array,
        rotations: Array | None = None,
        habits: Habits = HABITS,
    ) -> Table:
        """The table of n ≥ 1 tiles.

        ``quads``: (n, 4, 2) pixels, clockwise from the face's own top left as far as that is known.
        ``probabilities``: (n, 39) in the order of ``vision.labels.CLASSES``.
        ``rotations``: (n, 4) probability that the quad's corner k is the face's top left; without it
        a quad's first corner is believed as far as its label can tell.
        """
        quads, probabilities = np.asarray(quads, float), np.asarray(probabilities, float)
        tiles = Tiles.measure(quads, probabilities, rotations, habits)
        return cls(tiles, tuple(frames(tiles)))

    def layouts(self) -> tuple[Layout, ...]:
        """The likeliest layouts, best first, a few of each hand; one without a hand where there is none."""
        habit = self.tiles.habits.table
        numbers = {id(frame): number for number, frame in enumerate(self.frames)}
        hands = [(terms, frame, parse) for frame in self.promising() for terms, parse in _hands(frame)]
        hands.sort(key=lambda entry: -entry[0].total)
        found: dict[tuple[object, ...], Layout] = {}
        players: list[tuple[set[int], list[Layout]]] = []
        for terms, frame, parse in hands:
            if len(found) == habit.most_layouts:
                break
            what = (frozenset(parse.closed), parse.win, frozenset(frozenset(m.tiles) for m in parse.melds))
            if what in found:
                continue
            tiles = set(parse.tiles)
            same = (each for own, each in players if len(own & tiles) > min(len(own), len(tiles)) / 2)
            alike = next(same, None)
            if alike is None:
                if len(players) == habit.most_players:
                    continue
                alike = []
                players.append((tiles, alike))
            if len(alike) < habit.most_alike:
                found[what] = _layout(frame, parse, terms, numbers[id(frame)])
                alike.append(found[what])
        return tuple(found.values()) or (_nothing(self.tiles),)

    def promising(self) -> list[Frame]:
        """The frames whose tiles lie in the longest runs: in these a hand is looked for."""
        habit, frames = self.tiles.habits.table, self.frames
        worth = [sum(len(run.columns) ** 2 for run in frame.runs if len(run.columns) > 1) for frame in frames]
        best = sorted(range(len(frames)), key=lambda k: -worth[k])[: habit.most_frames]
        return [frames[k] for k in best if worth[k] >= habit.least_frame * max(worth)]

    def mends(self, layouts: Sequence[Layout], nothing: Array) -> Iterator[Mend]:
        """What may lie where quads cannot be whole tiles, beside the hands where ``nothing`` (k, 4, 2) was
        taken for none, in gaps, and where a kan's fourth tile would be: :mod:`vision.mend`.
        ``layouts``: one at least, those whose hands are worth it.
        """
        tiles = self.tiles
        hands = sorted({i for layout in layouts for i in layout.hand})
        yield from resized(tiles, hands)
        yield from beside(tiles, hands, nothing)
        yield from between(tiles, self.promising())
        turned, ends = defaultdict[int, set[int]](set), defaultdict[int, set[tuple[int, int]]](set)
        for layout in layouts:
            for meld in (meld for meld in layout.melds if meld.kind == "pon"):
                turned[layout.frame].update(i for i in meld.tiles if layout.sideways[i])
                ends[layout.frame].update(zip((meld.tiles[0], meld.tiles[-1]), (-1, 1), strict=True))
        for frame in turned:
            yield from added(self.frames[frame], sorted(turned[frame]))
            yield from fourth(self.frames[frame], sorted(ends[frame]))

    def in_reading_order(self, layout: Layout, tiles: Iterable[int]) -> tuple[int, ...]:
        """Tiles in the order in which they are read by whose hand a layout is."""
        alone = [[tile] for tile in tiles]
        return tuple(alone[number][0] for number in _reading_order(self.frames[layout.frame], alone))


# --- which runs are the hand -------------------------------------------------------------------------------


def _hands(frame: Frame) -> list[tuple[Terms, Parse]]:
    """The best hands within a frame, with what speaks for them."""
    if not frame.runs:
        return []
    near, habit = frame.tiles.near, frame.tiles.habits.table
    # What each tile says for itself: which way is up, and how near it lies to the camera.
    votes = (np.where(frame.quarter == 0, 1.0, -1.0) * frame.tiles.sure * (frame.quarter % 2 == 0)).tolist()
    nearness = np.log(near / near[frame.tiles.usable].max())
    height = (nearness * habit.nearness + habit.away * frame.rise()).tolist()
    runs = [run for run in frame.runs if sum(votes[i] for i in run.tiles) > habit.head_down]
    runs = [_without_loose_backs(frame.tiles, run) for run in runs]
    parses = [(run, [Way.of(each, height, votes) for each in ways_of(frame, run)]) for run in runs]
    parses = [(run, ways) for run, ways in parses if ways]
    cores = [
        k for k, (run, ways) in enumerate(parses)
        if any(way.parse.closed for way in ways)
    ]  # fmt: skip
    rows = [k for k in cores if len(parses[k][0].columns) > habit.few_closed]
    if rows and sum(max(len(way.parse.melds) for way in ways) for _, ways in parses) < habit.many_melds:
        cores = rows  # only a player who called nearly everything has so few closed tiles
    cores.sort(key=lambda k: -len(parses[k][0].columns) * float(near[parses[k][0].tiles[0]]))
    heads = Heads.of(run for run, _ in parses)
    hands: list[tuple[float, Terms, Union]] = []
    for core in [*cores[: habit.most_cores], *_lonely(frame, parses, cores[habit.most_cores :])]:
        alone = len(parses[core][0].columns) == 1
        for key, union in unions(frame, core, parses, heads):
            terms = _terms(key, union, habit, alone=alone)
            hands.append((terms.total, terms, union))
    hands.sort(key=itemgetter(0), reverse=True)
    found: dict[tuple[frozenset[int], int | None, int], tuple[Terms, Parse]] = {}
    for _, terms, union in hands:
        parse = joined(union)
        spot = (frozenset(parse.tiles), parse.win, len(parse.melds))
        if spot not in found:
            found[spot] = (terms, parse)
            if len(found) == habit.widest:
                break
    return [
        (
            terms._replace(
                legal=habit.legal * _legal(frame.tiles, parse),
                win_within=-habit.win_within * _within(frame, parse),
            ),
            parse,
        )
        for terms, parse in found.values()
    ]


def _lonely(frame: Frame, parses: Sequence[tuple[Run, list[Way]]], cores: Sequence[int]) -> list[int]:
    """Of cores too short to be looked at those that lie next to many melds: who called nearly everything has
    few closed tiles."""
    habit, centre = frame.tiles.habits.table, frame.tiles.centre
    short = [k for k in cores if len(parses[k][0].columns) <= habit.few_closed]
    called = [i for run in _many_called(frame, parses) for i in run.tiles] if short else []
    if not called:
        return []
    firsts = centre[[parses[k][0].tiles[0] for k in short]]
    away = np.linalg.norm(firsts[:, None] - centre[called][None], axis=2).min(axis=1)
    return [short[k] for k in np.argsort(away)[: habit.most_lonely]]


def _many_called(frame: Frame, parses: Sequence[tuple[Run, list[Way]]]) -> list[Run]:
    """Runs of melds that lie beside one another, in a line or a block, and are many together."""
    habit, centre = frame.tiles.habits.table, frame.tiles.centre
    melds = {
        run: most for run, ways in parses
        if (most := max((len(way.parse.melds) for way in ways if not way.parse.closed), default=0))
    }  # fmt: skip
    found, left = list[Run](), [*melds]
    while left:
        block = [left.pop()]
        for each in block:  # it grows
            near = [
                run for run in left
                if np.linalg.norm(centre[list(run.tiles)][:, None] - centre[list(each.tiles)], axis=2).min()
                < habit.block
            ]  # fmt: skip
            block += near
            left = [run for run in left if run not in near]
        if sum(melds[run] for run in block) >= habit.many_melds:
            found += block
    return found


def _without_loose_backs(tiles: Tiles, run: Run) -> Run:
    """The run without the backs at its ends that can be no part of an ankan: the cloth, a box or the wall."""
    columns, no_face = list(run.columns), np.log(tiles.habits.table.no_face)

    def loose(end: int, partner: int) -> bool:
        i = columns[end].tiles[0]
        in_ankan = len(columns) > 3 and tiles.dark[columns[partner].tiles[0]]
        return tiles.as_face[i] < no_face and not in_ankan

    while len(columns) > 1 and loose(0, 3):
        del columns[0]
    while len(columns) > 1 and loose(-1, -4):
        del columns[-1]
    return run if len(columns) == len(run.columns) else Run(tuple(columns))


def _within(frame: Frame, parse: Parse) -> bool:
    """Whether the winning tile lies in line with closed tiles on both its sides."""
    if parse.win is None or len(parse.closed) < 2:
        return False
    away = frame.tiles.centre[list(parse.closed)] - frame.tiles.centre[parse.win]
    in_line = np.abs(away @ frame.ups[parse.win]) < frame.tiles.habits.table.in_line
    beside = (away @ frame.rights[parse.win])[in_line]
    return bool(len(beside) and beside.min() < 0 < beside.max())


def _terms(key: Key, union: Union, habit: TableHabits, *, alone: bool) -> Terms:
    """What speaks for a hand but its labels, of which only the best are asked. ``alone``: its core is one
    tile."""
    (closed, melds, won), (score, ways) = key, union
    near, votes, tiles = 0.0, 0.0, 0
    for _, nearness, upright, count in ways:
        near, votes, tiles = near + nearness, votes + upright, tiles + count
    votes = max(-habit.most_votes, min(habit.most_votes, votes))
    lonely = -habit.lonely if alone and closed > 1 else 0.0
    size = _count_score(closed + 3 * melds + won, habit, won=won)
    return Terms(score, size, near / tiles, votes, lonely)


def _count_score(size: int, habit: TableHabits, *, won: bool) -> float:
    if size == 14:
        return habit.set_apart if won else 0.0
    if size == 13 and not won:
        return -habit.waiting
    return -habit.odd_count - habit.per_tile * abs(14 - size)


def _legal(tiles: Tiles, parse: Parse) -> bool:
    """Whether the likeliest labels finish the hand."""
    if parse.size != 14:
        return False
    inside = [*parse.closed, *(() if parse.win is None else (parse.win,))]
    counts = [0] * KINDS
    for i in inside:
        counts[tiles.kinds[i]] += 1
    if max(counts) > 4 or not all(_is_set(tiles, meld) for meld in parse.melds):
        return False
    return counts_are_complete(counts, len(parse.melds))


def _is_set(tiles: Tiles, meld: MeldSeen) -> bool:
    """Whether the likeliest labels of a meld's faces make what it is called."""
    kinds = sorted(tiles.kinds[i] for i in meld.tiles if tiles.best[i] > tiles.back[i])
    if not kinds:
        return False
    low = kinds[0]
    if meld.kind == "chi":
        return low < 27 and low % 9 < 7 and kinds == [low, low + 1, low + 2]
    return kinds[-1] == low


# --- the answer -------------------------------------------------------------------------------------------


def _layout(frame: Frame, parse: Parse, terms: Terms, number: int) -> Layout:
    tiles = frame.tiles
    hand = set(parse.tiles)
    quarter = frame.quarter.copy()
    turns = tiles.turned.copy()
    for i in hand:
        if quarter[i] >= 0 and (quarter[i] % 2 == 1) != (i in parse.flat):
            # Its place says that it lies the other way: the network's likelier side is the top.
            right = tiles.rotations[i, (turns[i] + 1) % 4] >= tiles.rotations[i, (turns[i] + 3) % 4]
            turns[i] = (turns[i] + (1 if right else 3)) % 4
            quarter[i] = (quarter[i] + (1 if right else 3)) % 4
    # A face that looks alike both ways up is taken to lie as its row does.
    for i in np.flatnonzero(quarter >= 2).tolist():
        if tiles.labels[i] in LOOK_ALIKE_UPSIDE_DOWN:
            quarter[i] -= 2
            turns[i] = (turns[i] + 2) % 4
    closed = set(parse.closed)
    groups = [kept for run in frame.runs if (kept := [i for i in run.tiles if i in closed])]
    return Layout(
        closed=tuple(i for number in _reading_order(frame, groups) for i in groups[number]),
        win=parse.win,
        melds=tuple(parse.melds[k] for k in _reading_order(frame, [meld.tiles for meld in parse.melds])),
        turns=tuple(turns.tolist()), sideways=tuple(((quarter >= 0) & (quarter % 2 == 1)).tolist()),
        upside_down=tuple((quarter == 2).tolist()), terms=terms,
        spare=_spare(frame, parse, hand) if parse.size == 14 else (), frame=number,
    )  # fmt: skip


def _spare(frame: Frame, parse: Parse, taken: Set[int]) -> tuple[int, ...]:
    """Sure faces by themselves in line with the closed tiles and the winning one, next to an end of them."""
    tiles, habit = frame.tiles, frame.tiles.habits.table
    row = [*parse.closed, *(() if parse.win is None else (parse.win,))]
    right = direction(tiles.centre[row], frame.rights[row], habit)
    above = np.array([right[1], -right[0]])
    alone = [run.tiles[0] for run in frame.runs if len(run.tiles) == 1 and run.tiles[0] not in taken]
    x, y = tiles.centre[row] @ right, tiles.centre[row] @ above
    found = []
    for i in alone:
        if tiles.best[i] < np.log(habit.spare_face):
            continue
        beside = (x - tiles.centre[i] @ right)[np.abs(y - tiles.centre[i] @ above) < habit.in_line]
        if len(beside) > 1 and (beside.min() > 0 or beside.max() < 0):
            reach = float(np.abs(beside).min()) - (frame.wide[i] + TILE_WIDTH) / 2
            found += [i] if reach < habit.spare_reach else []
    return tuple(found)


def _nothing(tiles: Tiles) -> Layout:
    count = len(tiles.labels)
    flat = (False,) * count
    return Layout((), None, (), tuple(int(t) for t in tiles.turned), flat, flat, Terms(runs=float("-inf")))


def _reading_order(frame: Frame, groups: Sequence[Sequence[int]]) -> list[int]:
    """Groups of tiles in the order of reading: lines from top to bottom, each from left to right.

    Groups beside each other are one line, groups above each other are two. Returns their numbers.
    """
    if len(groups) < 2:
        return [*range(len(groups))]
    right = np.array([-frame.up[1], frame.up[0]])
    heights, places = ((frame.tiles.centre @ axis).tolist() for axis in (frame.up, right))
    spans = []
    for number, group in enumerate(groups):
        across = [places[i] for i in group]
        height = sum(heights[i] for i in group) / len(group)
        spans.append(_Span(-height, min(across), max(across), sum(across) / len(across), number))
    lines: list[list[_Span]] = []
    for span in sorted(spans, key=itemgetter(0)):
        for line in lines:
            apart = min(max(other.left - span.right, span.left - other.right) for other in line)
            if apart > TILE_WIDTH / 2 and abs(line[0].depth - span.depth) < TILE_HEIGHT:
                line.append(span)
                break
        else:
            lines.append([span])
    return [span.number for line in lines for span in sorted(line, key=attrgetter("middle"))]


class _Span(NamedTuple):
    """Where a group of tiles lies: how far down, from where to where, and its middle."""

    depth: float
    left: float
    right: float
    middle: float
    number: int


__all__ = ["Layout", "MeldSeen", "Table", "Terms"]
