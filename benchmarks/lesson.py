"""Check that lessons add up: ``python -m benchmarks.lesson [--hands DIR] [--random N] [--seed N]``.

Every recorded hand, and N random ones under each preset in turn, are explained in one of the languages. What
a lesson says must sum to the score. Prints the first that do not, and the lessons a second; exit code 1 then.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random

from benchmarks.oracle import FILES, HANDS, read_hands, rules_of
from benchmarks.wins import random_win
from scorer import Hand, HandError, RuleSet, Win, load_rules, parse_record, preset_ids
from scorer.telling.catalogue import LANGUAGES
from scorer.telling.lesson import Lesson, explain
from scorer.telling.near import ChangeKind, held_yaku
from scorer.telling.sentence import Line, Name, StepKind, Unit
from scorer.wait_values import scored
from scorer.yaku import DORA, YAKUMAN


def disagreements(lesson: Lesson, win: Win) -> Iterator[str]:
    """Every way in which the lesson does not sum to its score, as a sentence; none where it does."""
    won = lesson.score
    for value in lesson.values():
        text = lesson.text(value)
        if not text.strip() or "{" in text:
            yield f"the text {text!r} of {value} is not whole"
    if won is None:
        if lesson.step(StepKind.NO_YAKU) is None:
            yield "nothing is said of the missing yaku"
        return

    def total(unit: Unit, *kinds: StepKind) -> int:
        return sum(step.total(unit) for step in lesson.steps if step.kind in kinds)

    sums = {
        "han": (total(Unit.HAN, StepKind.YAKU, StepKind.DORA), won.han),
        "points": (total(Unit.POINTS, StepKind.LOOKUP), won.points),
        "yaku": (
            [line.label.id for line in _lines(lesson, StepKind.YAKU) if isinstance(line.label, Name)],
            [id_ for id_, _ in won.yaku if id_ not in DORA],
        ),
        "the tiles of the sets": (
            sorted(tile for line in _lines(lesson, StepKind.HAND) for group in line.groups for tile in group),
            sorted(tile for group in won.reading.groups for tile in group.tiles),
        ),
    }
    if lesson.step(StepKind.FU) is not None:
        sums["fu"] = (total(Unit.FU, StepKind.FU), won.fu)
    elif won.han < YAKUMAN and won.fu and won.yaku[0][0] not in lesson.rules.limit_hands:
        yield "nothing is said of the minipoints"
    if won.deltas is not None:
        sums["payments"] = (total(Unit.POINTS, StepKind.PAYMENT), won.deltas[0])
    grid = next(step.grid for step in lesson.steps if step.kind is StepKind.LOOKUP)
    if grid is not None:
        row, column = grid.marked
        cell = lesson.text(grid.rows[row][column])
        sums["the table"] = (_in_all(cell, win, lesson.rules.players), won.points)
    for what, (taught, counted) in sums.items():
        if taught != counted:
            yield f"{what}: the lesson says {taught}, the score {counted}"


def _in_all(cell: str, win: Win, players: int) -> int:
    """What a cell of the table pays: ``7700``, of a self-draw ``2000/3900``, to a dealer ``3900 each``."""
    numbers = [int(number) for number in re.findall(r"\d+", cell.replace(",", ""))]
    if not win.tsumo:
        return numbers[0]
    return (players - 1) * numbers[0] if win.is_dealer else (players - 2) * numbers[0] + numbers[1]


def false_misses(lesson: Lesson, hand: Hand, win: Win) -> Iterator[str]:
    """Near misses that are none: the hand counts the yaku, or the changed hand does not."""
    held = held_yaku(hand, win, lesson.rules)
    for miss in lesson.misses:
        change = miss.change
        then = scored(change.hand, change.win, lesson.rules)
        if then is None or dict(then.yaku).get(miss.yaku) != miss.han or then != miss.score:
            yield f"{miss.yaku} is not what {change.kind} brings"
        if held.get(miss.yaku, 0) >= miss.han:
            yield f"{miss.yaku} is there without {change.kind}"
        moved = {ChangeKind.EXCHANGE: 1, ChangeKind.WIN_TILE: 1, ChangeKind.PAIR: 2}.get(change.kind, 0)
        gone = sorted(hand.tiles)
        for tile in change.hand.tiles:
            if tile in gone:
                gone.remove(tile)
        if len(gone) != moved or len(change.hand.tiles) != len(hand.tiles):
            yield f"{change.kind} changes {len(gone)} tiles"


def check(hand: Hand, win: Win, rules: RuleSet, language: str) -> list[str]:
    """All that is wrong with the lesson about the hand; nothing where the hand cannot be scored at all."""
    try:
        lesson = explain(hand, win, rules, language=language)
    except HandError:
        return []
    return [*disagreements(lesson, win), *false_misses(lesson, hand, win)]


def _lines(lesson: Lesson, kind: StepKind) -> Iterator[Line]:
    step = lesson.step(kind)
    if step is not None:
        yield from step.lines


def _wins(folder: Path, n_random: int, seed: int) -> Iterator[tuple[str, Hand, Win, RuleSet]]:
    for name in FILES:
        for record in read_hands(folder / name):
            parsed = parse_record(record)
            yield record["ref"], parsed.hand, parsed.win, rules_of(record)
    random = Random(seed)
    for at, preset in zip(range(n_random), cycle(preset_ids()), strict=False):
        rules = load_rules(preset)
        drawn = random_win(random, any(rules.red_fives), rules.players)
        yield f"random {at} of seed {seed} under {preset}", drawn.hand, drawn.win, rules


def main() -> int:
    """Explain all hands and print what does not add up; 0 where everything does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=Path, default=HANDS, help=f"folder of {' and '.join(FILES)}")
    parser.add_argument("--random", type=int, default=20_000, help="how many random hands besides")
    parser.add_argument("--seed", type=int, default=1, help="of the random hands")
    given = parser.parse_args()
    started = time.perf_counter()
    lessons = wrong = 0
    wins = _wins(given.hands, given.random, given.seed)
    for (ref, hand, win, rules), language in zip(wins, cycle(LANGUAGES), strict=False):
        found = check(hand, win, rules, language)
        lessons += 1
        wrong += bool(found)
        if found and wrong <= 10:
            print(f"{ref}: {'; '.join(found)}")
    seconds = time.perf_counter() - started
    print(f"{lessons} lessons, {wrong} do not add up; {seconds:.0f} s, {lessons / seconds:.0f} lessons/s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
