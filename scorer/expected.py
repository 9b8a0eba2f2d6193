"""What a hand of 13 tiles will come to, turn by turn, if it is played straight on: tenpai, wins, points.

The model is a player alone with the tiles that nobody sees:

- Each turn brings one of them, every one as likely as the next, and none comes twice.
- A tile that brings the hand nearer stays, and the best discard goes: the nearest, then that of most tiles,
  or of most tiles times points where it is tenpai. Every other tile is discarded at once.
- Nobody calls, nobody else wins, and a win is a self-draw, with riichi where that can be declared. Ippatsu
  and ura dora are not counted. Wins on discards come on top, so that the numbers are low: they compare
  discards.
- Where three players set norths aside (*nukidora*), who holds none sets aside each that comes. It is a dora,
  and another tile comes at once: the turn goes on. A win on that tile is not counted as one after a kong.

Where a tile may have come before it was of use, the share of it that is expected to be left counts; all else
is exact. ``python -m benchmarks.expected`` holds the numbers beside simulated draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import accumulate
from math import comb
from operator import mul, or_
from typing import Any, Final

from scorer.hand import Hand, Meld, Win
from scorer.nearest import Counts, Wanted, kinds_of, lacking, nearest, wanted, without_each
from scorer.readings import Form, Wait
from scorer.rules import RuleSet
from scorer.score import Score
from scorer.tenpai import wait_kinds
from scorer.tiles import KINDS, NORTH, TILES, Tile, count_kinds
from scorer.wait_values import as_tsumo, may_declare, scored

FARTHEST: Final = 2
"""From how far away hands are reckoned: farther off there are too many ways."""

DRAWS: Final = 18
"""Draws that a player has in a whole hand, and at most."""

Tiles = tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """After so many ``draws``: the probabilities to have been tenpai and to have won, and the points of such
    a win times its probability."""

    draws: int
    tenpai: float
    won: float
    points: float

    def to_record(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "draws": self.draws,
            "tenpai": round(self.tenpai, 4),
            "won": round(self.won, 4),
            "points": round(self.points),
        }


@dataclass(frozen=True, slots=True)
class Expected:
    """``turns``: after each number of draws, from 1. ``good_shape``: of the tiles that make a hand tenpai
    that is one away the share that gives a two-sided wait, None of others. ``yaku``: the share of the wins
    that has each, the most frequent first."""

    turns: tuple[Turn, ...]
    good_shape: float | None = None
    yaku: Mapping[str, float] = field(default_factory=dict)

    def after(self, draws: int) -> Turn:
        """The turn of so many draws, or the last one."""
        return self.turns[min(draws, len(self.turns)) - 1]

    def to_record(self) -> dict[str, Any]:
        """As JSON values."""
        shape = None if self.good_shape is None else round(self.good_shape, 4)
        return {
            "turns": [one.to_record() for one in self.turns],
            "good_shape": shape,
            "yaku": {id_: round(share, 4) for id_, share in self.yaku.items()},
        }


@dataclass(frozen=True, slots=True)
class _Node:
    """13 tiles, by their counts, less three for each declared set. ``useful``: kinds that bring them nearer,
    with how many nobody sees. ``points``: of tenpai what a self-draw of each pays, 0 without a yaku."""

    counts: Counts
    away: int
    useful: Mapping[int, int]
    points: Mapping[int, int]

    @property
    def left(self) -> int:
        return sum(self.useful.values())

    @property
    def worth(self) -> int:
        """By which discards are compared: tiles, or tiles times points."""
        if self.away:
            return self.left
        return sum(left * self.points[kind] for kind, left in self.useful.items())


@dataclass(frozen=True, slots=True)
class _Entry:
    """How a node is come by. ``shares``: by the draws that were needed, the probability; ``earlier``: the
    same times the draws that the node before had needed. ``since``: of each kind that was of use before from
    which stage on."""

    node: _Node
    shares: list[float]
    earlier: list[float]
    since: Mapping[int, int]


@dataclass(slots=True)
class Walk:
    """Every way from a hand to a win. What is found is remembered, so that the discards of a hand share it.

    ``concealed``: 13 tiles, or 14 of which one is to go, three less for each declared set. ``seen``: tiles
    that lie elsewhere in sight, beside those of ``win``.
    """

    concealed: Tiles
    melds: tuple[Meld, ...]
    win: Win
    rules: RuleSet
    seen: Tiles = ()
    draws: int = DRAWS
    _held: Counts = field(init=False)
    _unseen: Counts = field(init=False)
    _norths: int = field(init=False, default=0)
    _aside: list[list[float]] = field(init=False)
    _among: Wanted = field(init=False)
    _drawn: Win = field(init=False)
    _nodes: dict[Counts, _Node] = field(init=False, default_factory=dict)
    _next: dict[Counts, _Node] = field(init=False, default_factory=dict)
    _scores: dict[tuple[Counts, int, int], Score | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        melded = [tile for meld in self.melds for tile in meld.tiles]
        gone = count_kinds(
            (*self.concealed, *melded, *self.win.dora_indicators, *self.win.discards, *self.seen)
        )
        played = wanted((), self.rules.players).room
        self._held = count_kinds(self.concealed)
        unseen = [max(0, most - many) for most, many in zip(played, gone, strict=True)]
        if self.rules.players == 3 and self.rules.nukidora and not count_kinds(self.concealed)[NORTH]:
            self._norths = max(0, unseen[NORTH] - self.win.nukidora)
            unseen[NORTH] = 0
        self._unseen = tuple(unseen)
        self._aside = self._shares_of_norths()
        self._among = wanted(self.melds, self.rules.players)
        closed = not any(meld.is_open for meld in self.melds)
        drawn = replace(as_tsumo(self.win), discards=())
        self._drawn = replace(drawn, riichi=True) if may_declare(closed, drawn) else drawn

    @property
    def pool(self) -> list[int]:
        """The kinds of the tiles that nobody sees, each as often as there are of it, but for the
        :attr:`norths`."""
        return [kind for kind, many in enumerate(self._unseen) for _ in range(many)]

    @property
    def norths(self) -> int:
        """How many norths nobody sees that are set aside when they come."""
        return self._norths

    # --- hands and what becomes of them

    def node(self, counts: Counts) -> _Node:
        """13 tiles."""
        if counts not in self._nodes:
            self._nodes[counts] = self._node(counts, nearest(counts, self._among))
        return self._nodes[counts]

    def after(self, node: _Node, kind: int) -> _Node:
        """What is left of a hand after a useful draw and the best discard."""
        whole = (*node.counts[:kind], node.counts[kind] + 1, *node.counts[kind + 1 :])
        if whole not in self._next:
            found = []
            for out, ways in without_each(whole, self._among):
                rest = (*whole[:out], whole[out] - 1, *whole[out + 1 :])
                found.append((lacking(ways), rest, ways))
            least = min(lacks for lacks, _, _ in found)
            near = [self._node(rest, ways) for lacks, rest, ways in found if lacks == least]
            self._next[whole] = max(near, key=lambda one: (one.worth, one.left))
        return self._next[whole]

    def _node(self, counts: Counts, ways: Mapping[Form, int]) -> _Node:
        lacks = lacking(ways)
        kinds = kinds_of(reduce(or_, (way for way in ways.values() if way >> KINDS == lacks)))
        more = [max(0, now - held) for now, held in zip(counts, self._held, strict=True)]
        useful = {kind: left for kind in kinds if (left := self._unseen[kind] - more[kind]) > 0}
        points = {}
        if lacks == 1:
            points = {kind: won.points if (won := self.score(counts, kind)) else 0 for kind in useful}
        return _Node(counts, lacks - 1, useful, points)

    def score(self, counts: Counts, kind: int, norths: int = 0) -> Score | None:
        """A self-draw of the kind; None without a yaku. ``norths``: that have come and lie aside."""
        key = counts, kind, norths
        if key not in self._scores:
            hand = Hand(self._tiles(counts), TILES[kind], self.melds)
            drawn = replace(self._drawn, nukidora=self._drawn.nukidora + norths) if norths else self._drawn
            self._scores[key] = scored(hand, drawn, self.rules)
        return self._scores[key]

    def _points(self, counts: Counts, kind: int) -> list[float]:
        """What a self-draw of the kind pays on average, by the draw that brings it."""
        worth = [won.points if (won := self.score(counts, kind, many)) else 0
                 for many in range(self._norths + 1)]  # fmt: skip
        return [sum(map(mul, shares, worth)) for shares in self._aside]

    def _shares_of_norths(self) -> list[list[float]]:
        """By draws, how likely each number of norths is to have come before the last of them."""
        pool, norths = sum(self._unseen), self._norths
        shares = [[1.0] + [0.0] * norths]  # before any draw
        for draws in range(1, self.draws + 1):
            after = max(0, pool - draws)
            ways = [comb(draws - 1 + many, many) * comb(after + norths - many, norths - many)
                    for many in range(norths + 1)]  # fmt: skip
            shares.append([one / sum(ways) for one in ways])
        return shares

    def _tiles(self, counts: Counts) -> Tiles:
        """The tiles of the counts, with the red fives that are held: a plain one goes first."""
        reds = {tile.kind: tile for tile in self.concealed if tile.is_red}
        return tuple(
            reds[kind] if kind in reds and not at else TILES[kind]
            for kind, many in enumerate(counts)
            for at in range(many)
        )

    # --- probabilities

    def expected(self, tiles: Tiles) -> Expected | None:
        """What 13 of the tiles come to; None where they are farther than :data:`FARTHEST`."""
        start = self.node(count_kinds(tiles))
        if not 0 <= start.away <= FARTHEST:
            return None
        size = self.draws + 1
        ready, won, points = ([0.0] * size for _ in range(3))
        yaku: dict[str, float] = {}
        stage = [_Entry(start, [1.0] + [0.0] * self.draws, [0.0] * size, dict.fromkeys(start.useful, 0))]
        for depth in range(start.away + 1):
            following: dict[tuple[Counts, Counts], _Entry] = {}
            for entry in stage:
                if entry.node.away == 0:
                    ready = [sum(both) for both in zip(ready, entry.shares, strict=True)]
                    self._win(entry, depth, won, points, yaku)
                else:
                    self._go_on(entry, depth, following)
            stage = list(following.values())
        curves = zip(accumulate(ready), accumulate(won), accumulate(points), strict=True)
        turns = tuple(Turn(draws, *values) for draws, values in enumerate(curves) if draws)
        shape = self._good_shape(start) if start.away == 1 else None
        total = sum(won)
        often = sorted(yaku.items(), key=lambda one: -one[1])
        shares = {id_: share / total for id_, share in often} if total else {}
        return Expected(turns, shape, shares)

    def _leaving(self, entry: _Entry, depth: int) -> tuple[list[list[float]], list[list[float]]]:
        """By the stage from which a kind has been of use, and by draws: the probability that the next draw is
        one given tile of it; and the same times the draws at which the node was entered."""
        node, since = entry.node, entry.since
        pool = sum(self._unseen)
        useless = max(1, pool - node.left)
        lots = [0, 0, 0]
        for kind, left in node.useful.items():
            lots[min(since.get(kind, depth), 2)] += left
        rates = [[0.0] * (self.draws + 1) for _ in lots]
        entered = [[0.0] * (self.draws + 1) for _ in lots]
        for at, share in enumerate(entry.shares):
            if not share:
                continue
            # a kind may have come, and gone, while it was of no use
            before = entry.earlier[at] / share
            kept = [1.0, 1.0, 1.0]
            for stage, draws in ((1, at if depth == 1 else before), (2, at)):
                kept[stage] = max(0.0, 1 - max(0.0, draws - stage) / useless)
            useful = sum(many * part for many, part in zip(lots, kept, strict=True))
            stays = share
            for draw in range(at + 1, min(self.draws, pool) + 1):
                each = stays / (pool - draw + 1)
                for stage, part in enumerate(kept):
                    rates[stage][draw] += each * part
                    entered[stage][draw] += each * part * at
                stays = max(0.0, stays - each * useful)
        return rates, entered

    def _go_on(self, entry: _Entry, depth: int, following: dict[tuple[Counts, Counts], _Entry]) -> None:
        """The hands that the useful draws lead to."""
        node = entry.node
        rates, entered = self._leaving(entry, depth)
        since = {**dict.fromkeys(node.useful, depth), **entry.since}
        for kind, left in node.useful.items():
            then = self.after(node, kind)
            stage = min(since[kind], 2)
            shares = [left * rate for rate in rates[stage]]
            earlier = [left * rate for rate in entered[stage]]
            key = (then.counts, node.counts)
            following[key] = _Entry(then, shares, earlier, since)

    def _win(
        self, entry: _Entry, depth: int, won: list[float], points: list[float], yaku: dict[str, float]
    ) -> None:
        rates, _ = self._leaving(entry, depth)
        for kind, left in entry.node.useful.items():
            score = self.score(entry.node.counts, kind)
            if score is None:
                continue
            total, worth = 0.0, self._points(entry.node.counts, kind)
            for draw, rate in enumerate(rates[min(entry.since.get(kind, depth), 2)]):
                won[draw] += left * rate
                points[draw] += left * rate * worth[draw]
                total += left * rate
            for id_, _ in score.yaku:
                yaku[id_] = yaku.get(id_, 0.0) + total

    def _good_shape(self, node: _Node) -> float:
        """Of the tiles that make it tenpai the share that gives a two-sided wait."""
        good = sum(
            left
            for kind, left in node.useful.items()
            if any(
                Wait.RYANMEN in ways
                for ways in wait_kinds(self._tiles(self.after(node, kind).counts), self.melds).values()
            )
        )
        return good / node.left if node.left else 0.0
