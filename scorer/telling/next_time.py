"""The last step of every lesson: one thing to look for next time, and the drill that practises it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from scorer.hand import Hand
from scorer.rules import RuleSet
from scorer.score import Score
from scorer.telling.near import ChangeKind, NearMiss
from scorer.telling.sentence import Line, Name, Step, StepKind, Value, say

_MANY_FU: Final = 40
"""From this number of minipoints on, some set earns them; below it, only the way of winning does."""

_ONE_TILE: Final = (ChangeKind.EXCHANGE, ChangeKind.WIN_TILE)
"""Near misses by one tile, which a player can look for. A self-draw is luck, and another pair takes two
tiles."""


@cache
def drills() -> Mapping[str, str]:
    """The level of ``tehai learn`` that practises each thing to look for."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def next_time(what: str, **values: Value) -> Step:
    """The last step of a lesson. ``what``: a key of :func:`drills`."""
    level = drills()[what]
    command = say("drill.level", command=f"tehai learn --level {level}")
    return Step(StepKind.NEXT, (Line(say(f"next.{what}", **values)), Line(command, drill=level)))


def after_a_win(won: Score, misses: tuple[NearMiss, ...], choices: tuple[Line, ...], rules: RuleSet) -> Step:
    """The last step for a win: a better choice, or else a near miss, or else how to count the hand.

    ``choices``: the lines of the lesson about choices.
    """
    if any(line.sentence.kind in ("riichi.more", "riichi.luck") for line in choices):
        return next_time("riichi")
    best = sorted(misses, key=lambda miss: -miss.score.points)
    had = {id_ for id_, _ in won.yaku}
    for what, kinds in (("calls", (ChangeKind.CLOSED,)), ("wait", (ChangeKind.WAIT,)), ("yaku", _ONE_TILE)):
        for miss in best:
            if miss.change.kind in kinds and (what == "calls" or miss.yaku not in had):
                return next_time(what, yaku=Name(miss.yaku))
    if won.yakuman or not won.fu:
        return next_time("yakuman")
    if won.limit:
        return next_time("limit", han=rules.limits.get("mangan", won.han))
    return next_time("fu") if won.fu >= _MANY_FU else next_time("table", fu=won.fu)


def without_a_win(hand: Hand, *, furiten: bool = False) -> Step:
    """The last step for a finished hand that may not win."""
    if furiten:
        return next_time("furiten")
    return next_time("no_yaku" if hand.is_closed else "no_yaku_open")
