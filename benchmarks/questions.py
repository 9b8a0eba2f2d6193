"""How much a player is asked, and how long a plan takes: ``python -m benchmarks.questions [--every N]``.

Plays the questions of real wins, answered as their logs say: from tiles alone, and as from a photo that shows
the dora indicators too. Prints the number of questions by kind of hand, and milliseconds a plan; exit code 1
if a hand is not scored as its log says.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

from benchmarks.oracle import FILES, HANDS, read_hands
from scorer import score_record
from scorer.asking.plan import Question, QuestionKind, apply_defaults, plan

TILE_FIELDS = ("rules", "concealed", "win_tile", "melds", "honba", "riichi_sticks", "pao", "ron_index")


class Player:
    """Answers one question for anybody who knows his whole record; ``dealer`` must be in it."""

    def __init__(self, question: Question) -> None:
        self._question = question
        values = defaultdict(set)
        for choice in question.choices:
            for name, value in choice.fields.items():
                values[name].add(repr(value))
        # what no answer tells apart matters to none
        self._names = [
            name for name, all_ in values.items() if len(all_) > 1 or question.kind is not QuestionKind.CHOICE
        ]
        self._answers: dict[tuple[str, ...], str] = {}

    def answer(self, truth: Mapping[str, Any]) -> str:
        """The answer of him whose record it is."""
        if self._question.kind is QuestionKind.TILES:
            asked = self._question
            names = ["dora_indicators", "ura_indicators"] if asked.takes_ura else [asked.field]
            return "/".join("".join(truth[name]) for name in names)
        known = tuple(repr(truth[name]) for name in self._names)
        if known not in self._answers:
            self._answers[known] = self._chosen(truth)
        return self._answers[known]

    def _chosen(self, truth: Mapping[str, Any]) -> str:
        if self._question.kind is QuestionKind.SEVERAL:
            none, *marks = self._question.choices
            return " ".join(
                choice.id
                for choice in marks
                if any(truth[name] == value != none.fields[name] for name, value in choice.fields.items())
            )
        (choice,) = (
            choice
            for choice in self._question.choices
            if all(truth[name] == value for name, value in choice.fields.items() if name in self._names)
        )
        return choice.id


def talk(truth: Mapping[str, Any], known: set[str]) -> tuple[list[str], dict[str, Any], list[float]]:
    """What is asked of a win of which only the fields in ``known`` are known, the record at the end, and the
    milliseconds that each plan took."""
    record, known = {field: truth[field] for field in known}, set(known)
    asked: list[str] = []
    elapsed: list[float] = []
    while True:
        started = time.perf_counter()
        found = plan(record, known)
        elapsed.append((time.perf_counter() - started) * 1000)
        if not found.questions:
            return asked, found.record, elapsed
        question = found.questions[0]
        answer = question.answer(Player(question).answer(truth))
        record |= answer
        known |= answer.keys()
        asked.append(question.field)


def main() -> int:
    """Play every N-th win, print the counts; 0 where all are scored as they were."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=Path, default=HANDS, help="folder of the scored hands")
    parser.add_argument("--every", type=int, default=40, help="play one win of so many")
    arguments = parser.parse_args()
    counts: dict[str, list[int]] = defaultdict(list)
    times: list[float] = []
    wrong = 0
    for line in islice(read_hands(arguments.hands / FILES[0]), 0, None, arguments.every):
        truth = apply_defaults(line | {"rules": "tenhou", "dealer": line["seat_wind"] == "E"})
        closed = all(meld["type"] == "ankan" for meld in truth["melds"])
        kind = f"{'closed' if closed else 'open'} {'tsumo' if truth['tsumo'] else 'ron'}"
        for extra in ((), ("dora_indicators",)):
            asked, record, elapsed = talk(truth, {*TILE_FIELDS, *extra})
            counts[f"{kind}{', dora seen' if extra else ''}"].append(len(asked))
            times += elapsed
            wrong += score_record(record).get("points") != truth["expected"]["points"]
    for kind, numbers in sorted(counts.items()):
        spread = ", ".join(f"{number}: {count}" for number, count in sorted(Counter(numbers).items()))
        print(
            f"{kind:24} {len(numbers):5} hands, {mean(numbers):.2f} questions on average, "
            f"median {median(numbers):g} ({spread})"
        )
    p50, p95 = (quantiles(times, n=20)[at] for at in (9, 18))
    print(f"a plan takes {p50:.0f} ms (95 %: {p95:.0f} ms); {wrong} hands scored unlike their log")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
