"""The expected course of a hand of 13 tiles by turns: the probabilities of tenpai and of a win, and points.

The model is one player who draws from the unseen tiles:

- Each turn draws one of them, all with the same probability, without replacement.
- The player keeps a tile that improves the hand, and makes the best discard: the lowest shanten, then most
  tiles. In tenpai it is most tiles times points. The player discards any other tile at once.
- Nobody calls and nobody else wins. A win is a self-draw, with riichi if possible. Ippatsu and ura dora do
  not count. There is no ron, so the numbers are low: use them to compare discards.
- With three players and *nukidora*, a player without a north sets aside each north drawn, except for thirteen
  orphans. It is a dora, and the player draws again in the same turn. A win on that tile is no rinshan.

A tile may be drawn before it is useful. For that the model uses the expected number that remains; everything
else is exact. ``python -m benchmarks.expected`` compares the numbers with simulated draws.
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
from scorer.nearest import Counts, Target, missing_count, missing_kinds, nearest, target_of, without_each
from scorer.readings import Form, Wait
from scorer.rules import RuleSet
from scorer.score import Score
from scorer.status import norths_aside
from scorer.tenpai import wait_kinds
from scorer.tiles import KINDS, NORTH, TILES, Tile, count_kinds
from scorer.wait_values import as_tsumo, may_declare, scored

MAX_SHANTEN: Final = 2
"""The highest shanten of the model: beyond it there are too many paths."""

DRAWS: Final = 18
"""The draws of a player in a whole hand."""

Tiles = tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """After ``draws`` draws: the probabilities of having reached tenpai and of having won, and the expected
    points."""

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
    """``turns``: after each number of draws, from 1. ``good_shape``: at one shanten, the share of the useful
    tiles that lead to a two-sided wait; otherwise None. ``yaku``: the share of the wins with each yaku, the
    most frequent first."""

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
    """A hand of 13 tiles as counts, less three for each meld. ``away``: its shanten. ``useful``: the kinds
    that bring it nearer, with the number unseen. ``points``: in tenpai, the points of a self-draw of each
    kind; 0 without a yaku."""

    counts: Counts
    away: int
    useful: Mapping[int, int]
    points: Mapping[int, int]

    @property
    def left(self) -> int:
        return sum(self.useful.values())

    @property
    def worth(self) -> int:
        """The value for comparing discards: tiles, or tiles times points in tenpai."""
        if self.away:
            return self.left
        return sum(left * self.points[kind] for kind, left in self.useful.items())


@dataclass(frozen=True, slots=True)
class _Arrival:
    """How play reaches a node. ``shares``: the probability of reaching it, by number of draws. ``earlier``:
    the same, times the draws that reached the previous node. ``since``: for each kind that was useful before,
    the stage from which on."""

    node: _Node
    shares: list[float]
    earlier: list[float]
    since: Mapping[int, int]


def sets_norths_aside(concealed: Tiles, melds: tuple[Meld, ...], rules: RuleSet) -> bool:
    """Whether the player sets norths aside: one of three does, unless thirteen orphans need one."""
    if rules.players != 3 or not rules.nukidora:
        return False
    ways = nearest(count_kinds(concealed), target_of(melds, rules.players))
    orphans = ways.pop(Form.THIRTEEN_ORPHANS, None)
    return orphans is None or missing_count(ways) <= orphans >> KINDS


@dataclass(slots=True)
class DrawModel:
    """All paths of draws from a hand to a win. It caches hands and scores, which the discards of a hand
    share.

    ``concealed``: 13 or 14 tiles, less three for each meld. ``seen``: visible tiles other than those of
    ``win``.
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
    _target: Target = field(init=False)
    _drawn: Win = field(init=False)
    _nodes: dict[Counts, _Node] = field(init=False, default_factory=dict)
    _next: dict[Counts, _Node] = field(init=False, default_factory=dict)
    _scores: dict[tuple[Counts, int, int], Score | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        melded = [tile for meld in self.melds for tile in meld.tiles]
        gone = count_kinds(
            (
                *(*self.concealed, *melded, *self.win.dora_indicators, *self.win.discards),
                *(*norths_aside(self.win, self.rules), *self.seen),
            )
        )
        played = target_of((), self.rules.players).room
        self._held = count_kinds(self.concealed)
        unseen = [max(0, most - count) for most, count in zip(played, gone, strict=True)]
        if not self._held[NORTH] and sets_norths_aside(self.concealed, self.melds, self.rules):
            self._norths = unseen[NORTH]
            unseen[NORTH] = 0
        self._unseen = tuple(unseen)
        self._aside = self._north_probabilities()
        self._target = target_of(self.melds, self.rules.players)
        closed = not any(meld.is_open for meld in self.melds)
        drawn = replace(as_tsumo(self.win), discards=())
        self._drawn = replace(drawn, riichi=True) if may_declare(closed, drawn) else drawn

    @property
    def pool(self) -> list[int]:
        """The kinds of all unseen tiles, with repetition, without the :attr:`norths`."""
        return [kind for kind, count in enumerate(self._unseen) for _ in range(count)]

    @property
    def norths(self) -> int:
        """The number of unseen norths that the player would set aside."""
        return self._norths

    # --- hands after draws

    def node(self, counts: Counts) -> _Node:
        """The node of 13 tiles."""
        if counts not in self._nodes:
            self._nodes[counts] = self._node(counts, nearest(counts, self._target))
        return self._nodes[counts]

    def after(self, node: _Node, kind: int) -> _Node:
        """The node after a useful draw and the best discard."""
        whole = (*node.counts[:kind], node.counts[kind] + 1, *node.counts[kind + 1 :])
        if whole not in self._next:
            found = []
            for out, ways in without_each(whole, self._target):
                rest = (*whole[:out], whole[out] - 1, *whole[out + 1 :])
                found.append((missing_count(ways), rest, ways))
            least = min(lacks for lacks, _, _ in found)
            near = [self._node(rest, ways) for lacks, rest, ways in found if lacks == least]
            self._next[whole] = max(near, key=lambda one: (one.worth, one.left))
        return self._next[whole]

    def _node(self, counts: Counts, ways: Mapping[Form, int]) -> _Node:
        lacks = missing_count(ways)
        kinds = missing_kinds(reduce(or_, (way for way in ways.values() if way >> KINDS == lacks)))
        more = [max(0, now - held) for now, held in zip(counts, self._held, strict=True)]
        useful = {kind: left for kind in kinds if (left := self._unseen[kind] - more[kind]) > 0}
        points = {}
        if lacks == 1:
            points = {kind: won.points if (won := self.score(counts, kind)) else 0 for kind in useful}
        return _Node(counts, lacks - 1, useful, points)

    def score(self, counts: Counts, kind: int, norths: int = 0) -> Score | None:
        """The score of a self-draw of the kind; None without a yaku. ``norths``: set aside since."""
        key = counts, kind, norths
        if key not in self._scores:
            hand = Hand(self._tiles(counts), TILES[kind], self.melds)
            drawn = replace(self._drawn, nukidora=self._drawn.nukidora + norths) if norths else self._drawn
            self._scores[key] = scored(hand, drawn, self.rules)
        return self._scores[key]

    def _points(self, counts: Counts, kind: int) -> list[float]:
        """The average points of a self-draw of the kind, by the number of draws."""
        worth = [won.points if (won := self.score(counts, kind, count)) else 0
                 for count in range(self._norths + 1)]  # fmt: skip
        return [sum(map(mul, shares, worth)) for shares in self._aside]

    def _north_probabilities(self) -> list[list[float]]:
        """By number of draws, the probability of each number of norths drawn before the last draw."""
        pool, norths = sum(self._unseen), self._norths
        shares = [[1.0] + [0.0] * norths]  # before any draw
        for draws in range(1, self.draws + 1):
            after = max(0, pool - draws)
            ways = [comb(draws - 1 + count, count) * comb(after + norths - count, norths - count)
                    for count in range(norths + 1)]  # fmt: skip
            shares.append([one / sum(ways) for one in ways])
        return shares

    def _tiles(self, counts: Counts) -> Tiles:
        """The tiles of the counts, with the red fives of the hand: plain ones are discarded first."""
        reds = [tile for tile in self.concealed if tile.is_red]
        found: list[Tile] = []
        for kind, count in enumerate(counts):
            kept = [tile for tile in reds if tile.kind == kind][:count]
            found += (*kept, *(TILES[kind],) * (count - len(kept)))
        return tuple(found)

    # --- probabilities

    def expected(self, tiles: Tiles) -> Expected | None:
        """The expected course of 13 tiles; None beyond :data:`MAX_SHANTEN`."""
        start = self.node(count_kinds(tiles))
        if not 0 <= start.away <= MAX_SHANTEN:
            return None
        size = self.draws + 1
        ready, won, points = ([0.0] * size for _ in range(3))
        yaku: dict[str, float] = {}
        stage = [_Arrival(start, [1.0] + [0.0] * self.draws, [0.0] * size, dict.fromkeys(start.useful, 0))]
        for depth in range(start.away + 1):
            following: dict[tuple[Counts, Counts], _Arrival] = {}
            for entry in stage:
                if entry.node.away == 0:
                    ready = [sum(both) for both in zip(ready, entry.shares, strict=True)]
                    self._win(entry, depth, won, points, yaku)
                else:
                    self._advance(entry, depth, following)
            stage = list(following.values())
        curves = zip(accumulate(ready), accumulate(won), accumulate(points), strict=True)
        turns = tuple(Turn(draws, *values) for draws, values in enumerate(curves) if draws)
        shape = self._good_shape(start) if start.away == 1 else None
        total = sum(won)
        often = sorted(yaku.items(), key=lambda one: -one[1])
        shares = {id_: share / total for id_, share in often} if total else {}
        return Expected(turns, shape, shares)

    def _draw_rates(self, entry: _Arrival, depth: int) -> tuple[list[list[float]], list[list[float]]]:
        """Two tables by [stage since which a kind has been useful][number of draws].

        The first: the probability of drawing one certain tile of the kind. The second: the same times the
        draws before this node.
        """
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
            # a tile may have been drawn and discarded before it was useful
            before = entry.earlier[at] / share
            kept = [1.0, 1.0, 1.0]
            for stage, draws in ((1, at if depth == 1 else before), (2, at)):
                kept[stage] = max(0.0, 1 - max(0.0, draws - stage) / useless)
            useful = sum(count * part for count, part in zip(lots, kept, strict=True))
            stays = share
            for draw in range(at + 1, min(self.draws, pool) + 1):
                each = stays / (pool - draw + 1)
                for stage, part in enumerate(kept):
                    rates[stage][draw] += each * part
                    entered[stage][draw] += each * part * at
                stays = max(0.0, stays - each * useful)
        return rates, entered

    def _advance(self, entry: _Arrival, depth: int, following: dict[tuple[Counts, Counts], _Arrival]) -> None:
        """Add the hands after each useful draw to ``following``."""
        node = entry.node
        rates, entered = self._draw_rates(entry, depth)
        since = {**dict.fromkeys(node.useful, depth), **entry.since}
        for kind, left in node.useful.items():
            then = self.after(node, kind)
            stage = min(since[kind], 2)
            shares = [left * rate for rate in rates[stage]]
            earlier = [left * rate for rate in entered[stage]]
            key = (then.counts, node.counts)
            following[key] = _Arrival(then, shares, earlier, since)

    def _win(
        self, entry: _Arrival, depth: int, won: list[float], points: list[float], yaku: dict[str, float]
    ) -> None:
        rates, _ = self._draw_rates(entry, depth)
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
        """The share of the useful tiles that lead to a two-sided wait."""
        good = sum(
            left
            for kind, left in node.useful.items()
            if any(
                Wait.RYANMEN in ways
                for ways in wait_kinds(self._tiles(self.after(node, kind).counts), self.melds).values()
            )
        )
        return good / node.left if node.left else 0.0
