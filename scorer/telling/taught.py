"""A lesson for a learner in the midst of a course: known words are not explained again, and no fu are told
before they were taught."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from scorer.telling.lesson import Lesson, with_explanations
from scorer.telling.sentence import Sentence, Step, StepKind, Value, say


@dataclass(frozen=True, slots=True)
class Taught:
    """What a learner has been told: terms by their ids, and whether fu were among it."""

    words: frozenset[str]
    fu: bool


_OF_FU: Final = frozenset({StepKind.FU, StepKind.LOOKUP, StepKind.READINGS, StepKind.BLOCKS})
"""Steps that are about fu, or compare by them."""


def as_taught(lesson: Lesson, so_far: Taught) -> Lesson:
    """The lesson for who knows this much: what it is worth and who pays stay, with han alone where fu are
    not known yet."""
    lesson = replace(lesson, known=so_far.words, tells_fu=so_far.fu)
    if not so_far.fu:
        lesson = replace(lesson, headline=_in_han(lesson), steps=tuple(_without_fu(lesson)))
    return with_explanations(lesson)


def _in_han(lesson: Lesson) -> Sentence:
    """The headline with the han and the points of the win."""
    won, headline = lesson.score, lesson.headline
    if won is None or not _speaks_of_fu(lesson, headline):
        return headline
    return say("headline.in_han", han=won.han, points=won.points)


def _without_fu(lesson: Lesson) -> Iterator[Step]:
    """The steps without those and without lines that are about fu."""
    for step in lesson.steps:
        if step.kind in _OF_FU:
            continue
        lines = tuple(
            line
            for line in step.lines
            if not any(_speaks_of_fu(lesson, value) for value in (line.label, line.sentence, line.worth))
        )
        if lines:
            yield replace(step, lines=lines)


def _speaks_of_fu(lesson: Lesson, value: Value | None) -> bool:
    return value is not None and "fu" in lesson.catalogue.terms(lesson.text(value))
