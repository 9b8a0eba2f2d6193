"""Every way in which given tiles can have been won, scored one by one: what the planner is held against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from benchmarks.questions import told
from scorer import Hand, HandError, RuleSet, Win, Wind, parse_tiles, score
from scorer.questions import Plan
from scorer.status import faults

MOMENTS = {
    True: ("rinshan", "haitei", "tenhou", "chiihou"),
    False: ("houtei", "chankan", "renhou"),
}
"""By whether it is a self-draw."""

RIICHI = (
    {},
    {"riichi": True},
    {"riichi": True, "ippatsu": True},
    {"riichi": True, "double_riichi": True},
    {"riichi": True, "double_riichi": True, "ippatsu": True},
)
NO_MARKS = dict.fromkeys(
    ("riichi", "double_riichi", "open_riichi", "ippatsu", *MOMENTS[True], *MOMENTS[False]), False
)

Facts = dict[str, Any]
Outcome = tuple[int, tuple[int, ...]]


def all_facts(
    dora: tuple[list[str], ...],
    ura: tuple[list[str], ...],
    rules: RuleSet,
    closed: bool,
    seats: str = "ESWN",
    rounds: str = "ESWN",
) -> Iterator[Facts]:
    """Combinations of facts that include every one that a win can have, and many that none has."""
    wins = (0, rules.paarenchan_wins - 1) if rules.han("paarenchan", closed=True) else (0,)
    for tsumo, seat, wind, riichi, over, under, in_a_row in product(
        (False, True), seats, rounds, RIICHI if closed else RIICHI[:1], dora, ura, wins
    ):
        if under and not riichi:
            continue
        facts = {**NO_MARKS, **riichi, "tsumo": tsumo, "seat_wind": seat, "round_wind": wind}
        facts |= {"dora_indicators": over, "ura_indicators": under, "dealer_wins": in_a_row}
        facts["dealer"] = seat == "E"
        yield from (facts | moment for moment in ({}, *({name: True} for name in MOMENTS[tsumo])))


def outcome(hand: Hand, rules: RuleSet, facts: Mapping[str, Any]) -> Outcome | None:
    """Points and what each payer pays; no points without a yaku; None for what cannot be."""
    values = {name: value for name, value in facts.items() if name in Win.__dataclass_fields__}
    for name in ("seat_wind", "round_wind"):
        values[name] = Wind(values[name])
    for name in ("dora_indicators", "ura_indicators"):
        values[name] = parse_tiles("".join(values[name]))
    values["loser_offset"] = None if values["tsumo"] else 1
    win = Win(**values)
    if faults(hand, win, rules):
        return None
    try:
        scored = score(hand, win, rules)
    except HandError:
        return 0, ()
    assert scored.deltas is not None
    return scored.points, tuple(sorted(scored.deltas[1:]))


def left_open(plan: Plan, truth: Mapping[str, Any]) -> tuple[object, ...]:
    """What the plan wants to know of the truth, now or later: of truths alike in it all must score alike."""
    answers: list[object] = [told(question, truth) for question in plan.questions]
    for field in plan.later:
        names = [name for name in NO_MARKS if name != "riichi"] if field == "special" else [field]
        answers.append([str(truth.get(name)) for name in names])
    return tuple(map(str, answers))
