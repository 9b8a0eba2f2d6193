"""A lesson in a few lines: what the hand is worth, why, and one thing to remember."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from scorer.telling.lesson import Lesson
from scorer.telling.sentence import Line, Sentence, StepKind, Unit, say

_WHY: Final = {
    StepKind.NO_YAKU: 2,
    StepKind.FURITEN: 2,
    StepKind.PAYMENT: 1,
    StepKind.DISCARD: 1,
    StepKind.CHOICE: 1,
    StepKind.NEXT: 1,
}
"""The steps that a short lesson keeps, and how many of their lines."""


def short(lesson: Lesson) -> tuple[Line, ...]:
    """The lines under the headline: the yaku with their han, fu, who pays, and what to look for next time."""
    return tuple(replace(line, words=(), source="") for line in _lines(lesson))


def _lines(lesson: Lesson) -> Iterator[Line]:
    score = lesson.score
    if score is not None:
        named = ((name, line) for step in lesson.steps for line in step.lines if (name := line.label))
        earned = [
            say("short.yaku", name=name, amount=line.worth)
            for name, line in named
            if line.unit is Unit.HAN and line.amount and line.worth is not None
        ]
        joined = earned[0]
        for one in earned[1:]:
            joined = say("short.and", first=joined, then=one)
        yield Line(joined)
    for kind, many in _WHY.items():
        if score is not None and kind is StepKind.FURITEN:
            continue
        step = lesson.step(kind)
        lines = [line for line in step.lines if line.sentence.kind not in _KNOWN] if step else []
        yield from map(_bare, lines[:many])


_KNOWN: Final = frozenset({"no_yaku.finished", "discard.equals"})
"""What the headline says already."""


def _bare(line: Line) -> Line:
    """The line without its tiles, and of riichi without the luck that goes with it."""
    sentence = line.sentence
    if sentence.kind in ("riichi.luck", "riichi.gone"):
        told = sentence.values["sentence"]
        assert isinstance(told, Sentence)
        sentence = told
    return replace(line, sentence=sentence, groups=())
