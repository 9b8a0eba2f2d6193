"""Expected values beside simulated draws: ``python -m benchmarks.expected --hands 200 --draws 1000``.

``--rules tenhou3``: of three players, who set norths aside.

Hands of 0 to 2 away are dealt, and the tiles that nobody sees are drawn by chance, as often as asked: each
draw really takes its tile away, and the hand is played as :mod:`scorer.expected` says. What came of it is
held beside the probabilities of tenpai and of a win, and the points, after 6, 12 and 18 draws. A number that
lies farther from what was drawn than chance allows once in 10,000 times is printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import mean
from typing import Final

from scorer.expected import DRAWS, DrawModel
from scorer.hand import Win, Wind
from scorer.rules import load_rules
from scorer.tiles import KINDS, LEFT_OUT, NORTH, TILES, Tile

AT: Final = (6, 12, 18)
"""Draws after which numbers are compared."""

FAR: Final = 3.9
"""Standard errors that chance exceeds once in 10,000 times."""

_MODEL: Final = 0.004
"""What the expected share of a tile that came too early may be off, as a probability."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A number and what was drawn: ``what`` it is of, both values, and how far apart chance lets them be."""

    what: str
    expected: float
    drawn: float
    allowed: float

    @property
    def differs(self) -> bool:
        return abs(self.expected - self.drawn) > self.allowed


def near_hand(random: Random, away: int, preset: str = "ema2008") -> tuple[DrawModel, tuple[Tile, ...]]:
    """13 tiles that are so far away, drawn towards it as a player would; without norths to be set aside."""
    rules = load_rules(preset)
    out = {*LEFT_OUT, NORTH} if rules.players == 3 else set()
    kinds = [kind for kind in range(KINDS) if kind not in out for _ in range(4)]
    while True:
        counts = Counter(random.sample(kinds, 13))
        hand = tuple(TILES[kind] for kind in sorted(counts.elements()))
        walk = DrawModel(hand, (), Win(False, random.choice((Wind.EAST, Wind.SOUTH))), rules)
        node = walk.node(_counts(hand))
        while node.away > away:
            kind = random.choice(list(node.useful) or [0])
            node = walk.after(node, kind)
        if node.away == away:
            tiles = tuple(TILES[kind] for kind, many in enumerate(node.counts) for _ in range(many))
            return DrawModel(tiles, (), walk.win, rules), tiles


def _counts(tiles: tuple[Tile, ...]) -> tuple[int, ...]:
    return tuple(sum(tile.kind == kind for tile in tiles) for kind in range(KINDS))


def play(walk: DrawModel, tiles: tuple[Tile, ...], random: Random) -> tuple[int, int, int]:
    """One hand drawn out: after how many draws it was tenpai and won, past the last where not; its points."""
    node = walk.node(_counts(tiles))
    pool = [*walk.pool, *[NORTH] * walk.norths]
    random.shuffle(pool)
    ready = 0 if node.away == 0 else DRAWS + 1
    at = norths = 0
    for kind in pool:
        if kind == NORTH and walk.norths:
            norths += 1
            continue
        at += 1
        if at > DRAWS:
            break
        if node.away == 0:
            if kind in node.useful and (score := walk.score(node.counts, kind, norths)):
                return ready, at, score.points
        elif kind in node.useful:
            node = walk.after(node, kind)
            ready = at if node.away == 0 else ready
    return ready, DRAWS + 1, 0


def compare(walk: DrawModel, tiles: tuple[Tile, ...], times: int, random: Random) -> Iterator[Checked]:
    """Every number of a hand beside what was drawn."""
    found = walk.expected(tiles)
    assert found is not None
    played = [play(walk, tiles, random) for _ in range(times)]
    for draws in AT:
        turn = found.after(draws)
        ready = mean(one[0] <= draws for one in played)
        won = mean(one[1] <= draws for one in played)
        points = [one[2] if one[1] <= draws else 0 for one in played]
        for what, expected, drawn in (("tenpai", turn.tenpai, ready), ("won", turn.won, won)):
            spread = sqrt(max(expected * (1 - expected), 1 / times) / times)
            yield Checked(f"{what} after {draws}", expected, drawn, FAR * spread + _MODEL)
        average = mean(points)
        a_win = turn.points / turn.won if turn.won else 0.0
        # hands are worth twice their average and nothing: that spreads wider than their number alone
        spread = 1.5 * a_win * sqrt(max(turn.won, 1 / times) / times)
        allowed = FAR * spread + _MODEL * a_win
        yield Checked(f"points after {draws}", turn.points, average, allowed)


def main() -> int:
    """Exit code 1 where a number is farther off than chance."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hands", type=int, default=200)
    parser.add_argument("--draws", type=int, default=1000, help="how often each hand is drawn out")
    parser.add_argument("--rules", default="ema2008", help="a rule preset")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    random, off, count, slowest = Random(args.seed), 0, 0, 0.0
    gaps: dict[str, list[float]] = {}
    for at in range(args.hands):
        walk, tiles = near_hand(random, at % 3, args.rules)
        began = time.process_time()
        DrawModel(tiles, (), walk.win, walk.rules).expected(tiles)
        slowest = max(slowest, time.process_time() - began)
        for one in compare(walk, tiles, args.draws, random):
            count += 1
            gaps.setdefault(one.what, []).append(one.expected - one.drawn)
            if one.differs:
                off += 1
                print("".join(map(str, tiles)), one.what, f"{one.expected:.4f} drawn {one.drawn:.4f}")
    for what, many in gaps.items():
        print(f"{what:16} mean difference {mean(many):+.4f}")
    print(f"{args.hands} hands, {args.draws} times each: {off} of {count} numbers off")
    print(f"the slowest hand took {slowest:.3f} s")
    return int(off > 0)


if __name__ == "__main__":
    raise SystemExit(main())
