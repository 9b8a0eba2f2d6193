"""Shanten and ukeire beside another program, and how long they take: ``python -m benchmarks.efficiency``.

The peer runs in an environment of its own::

    python -m venv peers && peers/bin/pip install mahjong==2.1.0
    python -m benchmarks.efficiency --python peers/bin/python --hands 200000

Random hands of every size and kind (:func:`random_hand`) go to both. The peer knows no ukeire: it says how
far the hand is with each of the 34 kinds added, and what is nearer then is what has to be ours. A hand on
which the two differ is printed, and the exit code is 1. Without ``--python`` only the time is taken: every
discard of hands of 14 tiles, the tables empty at the start, which is what somebody waits for who asks.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from scorer.efficiency import discards
from scorer.nearest import Counts, Target, missing_kinds, nearest
from scorer.tiles import COPIES, KINDS, LEFT_OUT, TILES

CHUNK: Final = 500

PEER: Final = """
import json, sys
from mahjong.shanten import Shanten
for line in sys.stdin:
    answers = []
    for counts, three in json.loads(line):
        def away(): return Shanten.calculate_shanten(counts, is_three_player=three)
        now, nearer = away(), []
        if sum(counts) % 3 == 1:
            for kind in range(34):
                if counts[kind] < 4 and not (three and 1 <= kind <= 7):
                    counts[kind] += 1
                    if away() < now: nearer.append(kind)
                    counts[kind] -= 1
        answers.append([now, nearer])
    print(json.dumps(answers), flush=True)
"""
"""Reads lists of counts, answers each with its shanten and, of a hand that is to draw, what is nearer."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """Concealed tiles as counts, with four players or three; the declared sets are not told."""

    counts: Counts
    three: bool


def random_hand(random: Random) -> Dealt:
    """Of every size that a hand can have, from the whole set of tiles or from a few kinds of it.

    Few kinds make many alike and many ways to read them, which is where programs go wrong.
    """
    three = random.random() < 0.25
    kinds = [kind for kind in range(KINDS) if not (three and kind in LEFT_OUT)]
    few = random.choice((len(kinds), len(kinds), 18, 12, 9, 7))
    if few == 9:
        first = random.choice((9, 18) if three else (0, 9, 18))
        kinds = list(range(first, first + 9))
    else:
        kinds = random.sample(kinds, min(few, len(kinds)))
    size = random.choice((14, 13, 13, 13, 11, 10, 8, 7, 5, 4, 2, 1))
    tiles = random.sample([kind for kind in kinds for _ in range(COPIES)], size)
    return Dealt(tuple(tiles.count(kind) for kind in range(KINDS)), three)


def ours(hand: Dealt) -> tuple[int, list[int]]:
    """Shanten, and what brings a hand that is to draw nearer."""
    out = LEFT_OUT if hand.three else frozenset[int]()
    room = tuple(0 if kind in out else COPIES for kind in range(KINDS))
    ways = nearest(hand.counts, Target(sum(hand.counts) // 3, room)).values()
    least = min(way >> KINDS for way in ways)
    if sum(hand.counts) % 3 == 2:
        return least - 1, []
    kinds = {kind for way in ways if way >> KINDS == least for kind in missing_kinds(way)}
    return least - 1, sorted(kinds)


def compared(python: str, hands: int, seed: int) -> Iterator[tuple[Dealt, list[object], list[object]]]:
    """Each hand with what the peer says of it and what we say."""
    peer = subprocess.Popen([python, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert peer.stdin is not None and peer.stdout is not None
    random = Random(seed)
    for first in range(0, hands, CHUNK):
        dealt = [random_hand(random) for _ in range(min(CHUNK, hands - first))]
        peer.stdin.write(json.dumps([[hand.counts, hand.three] for hand in dealt]) + "\n")
        peer.stdin.flush()
        mine = [list(ours(hand)) for hand in dealt]
        answer = peer.stdout.readline()
        if not answer:
            raise SystemExit("The peer stopped; its environment needs the package mahjong.")
        yield from zip(dealt, json.loads(answer), mine, strict=True)
    peer.stdin.close()
    peer.wait()


def milliseconds(hands: int, seed: int) -> list[float]:
    """What every discard of so many hands of 14 tiles takes, in the order in which they were asked."""
    random, wall = Random(seed), [tile for tile in TILES[:KINDS] for _ in range(COPIES)]
    taken = []
    for _ in range(hands):
        hand = tuple(random.sample(wall, 14))
        started = time.perf_counter()
        discards(hand)
        taken.append((time.perf_counter() - started) * 1000)
    return taken


def main() -> int:
    """Compare and time; 0 where nothing differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", help="interpreter of the environment that has the peer")
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--timed", type=int, default=2000, help="hands whose discards are timed")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    taken = milliseconds(options.timed, options.seed)
    by_time = sorted(taken)
    print(
        f"every discard of 14 tiles: the first hand {taken[0]:.1f} ms, median {statistics.median(taken):.2f},"
        f" of a hundred the slowest {by_time[len(by_time) * 99 // 100]:.1f}"
    )
    if not options.python:
        print("peer: not compared; --python names an environment that has it")
        return 0
    count = drawn = differ = 0
    for hand, theirs, mine in compared(options.python, options.hands, options.seed):
        count += 1
        drawn += sum(hand.counts) % 3 == 1
        if theirs != mine:
            differ += 1
            if differ <= 20:
                tiles = "".join(str(TILES[kind]) * many for kind, many in enumerate(hand.counts))
                print(f"{tiles}{' (three players)' * hand.three}: theirs {theirs}, ours {mine}")
    print(f"{count} hands compared, {drawn} of them with what brings them nearer; {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
