"""How many questions a photo of a table leaves, and whether what was taken from it is right::

    python -m benchmarks.table_questions runs/held-old runs/held-new

Of drawn tables those count whose reading is of a finished hand, with rivers. A person who did or did not
declare riichi is asked as on the terminal, with what the table says and without.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2

from datasets.renders import Render
from models.measure import today
from models.shares import Share
from models.tables import near_seat, with_rivers
from models.whole_hands import match_tiles
from scorer.hand_tiles import FactSource
from tehai.hand.inputs import HandInput, from_reading
from tehai.hand.table_facts import FIRST_TURN, LAST_TILE, table_facts
from tehai.hand.turns import most_discards, sure_rivers
from vision.reading import Reading

_MOST: Final = 20
"""Questions after which nobody goes on."""


def asked(reading: Reading, *, riichi: bool) -> int:
    """How many questions it takes to a settled score of a person who did or did not declare riichi, and takes
    the first answer of everything else."""
    hand_input: HandInput = from_reading(reading)
    for count in range(_MOST):
        question = hand_input.plan().next_question
        if question is None:
            return count
        text = ("yes" if riichi else "no") if question.field == "riichi" else question.default
        hand_input = hand_input.answered(question, text)
    return _MOST


def check_questions(reading: Reading, render: Render, near: int) -> Counter[str]:
    """The counts of one scene whose reading is of a finished hand with a table; ``near``: its seat."""
    if reading.status != "ok" or reading.table is None:
        return Counter()
    declared = near in render.declared
    order = [j for j, owner in enumerate(render.owners) if owner == near and render.roles[j] == "river"]
    counts = Counter({
        "scored": 1,
        "asked before": asked(replace(reading, table=None), riichi=declared),
        "asked after": asked(reading, riichi=declared),
    })  # fmt: skip
    for fact in table_facts(reading):
        if fact.field == "riichi":
            kind = "taken" if fact.known is FactSource.SEEN else "put first"
            counts[kind] += 1
            counts[f"{kind} right"] += declared
        elif fact.field in ("ippatsu", "double_riichi"):
            turned = [render.orders[j] or 0 for j in order if render.sideways[j]]
            last = max((render.orders[j] or 0 for j in order), default=0)
            counts["taken"] += 1
            never = 0 if fact.field == "double_riichi" else last
            counts["taken right"] += not turned or turned[0] != never
    return counts + _turns(reading, render, bool(order))


_DRAWS: Final = 136 - 14 - 4 * 13


def _turns(reading: Reading, render: Render, near_discarded: bool) -> Counter[str]:
    """Whether the first turn and the last tile were ruled out rightly, each counted once a scene; ``bound``:
    whether there are no more discards than were thought possible."""
    kans = sum(len(meld["tiles"]) == 4 for hand in render.hands for meld in hand.record["melds"])
    is_over = {FIRST_TURN[0]: near_discarded, LAST_TILE[0]: render.discards + 1 + kans < _DRAWS}
    counts: Counter[str] = Counter()
    for fact in table_facts(reading):
        if fact.field in is_over:
            kind = "first turn" if fact.field in FIRST_TURN else "last tile"
            counts[kind] += 1
            counts[f"{kind} right"] += is_over[fact.field]
    if reading.table is not None and sure_rivers(reading.table):
        counts["bound"] += 1
        counts["bound right"] += render.discards <= sum(most_discards(reading.table).values())
    return counts


def report(counts: Counter[str]) -> Iterator[str]:
    """The figures in lines."""
    scored = max(counts["scored"], 1)
    yield f"{counts['scored']} finished hands scored with a table, of {counts['scenes']} tables"
    for when in ("before", "after"):
        yield f"questions to a settled score, {when}: {counts[f'asked {when}'] / scored:.2f}"
    yield f"answers taken that are right: {Share(counts['taken right'], counts['taken'])}"
    yield f"no win on the first turn, right: {Share(counts['first turn right'], counts['first turn'])}"
    yield f"no win on the last tile, right: {Share(counts['last tile right'], counts['last tile'])}"
    yield f"no more discards than thought possible: {Share(counts['bound right'], counts['bound'])}"
    yield f"first answers that are right: {Share(counts['put first right'], counts['put first'])}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.table_questions", description=__doc__)
    parser.add_argument("renders", type=Path, nargs="+", help="folders of drawn scenes")
    args = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    reader, counts = today(), Counter[str]()
    for folder in args.renders:
        for render in with_rivers(folder):
            reading = reader.read(render.path)
            near = near_seat(reading, render, match_tiles(reading, render))
            counts += check_questions(reading, render, near)
            counts["scenes"] += 1
    print("\n".join(report(counts)))


if __name__ == "__main__":
    main()
