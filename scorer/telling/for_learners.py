"""Lessons for a learner within the course: no explanation of known terms, and no fu before the course has
them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from scorer.telling.lesson import Lesson, with_explanations
from scorer.telling.sentence import Sentence, Step, StepKind, Value, say


@dataclass(frozen=True, slots=True)
class LearnerKnowledge:
    """What the course has taught so far. ``words``: ids of terms; ``fu``: whether it has reached fu."""

    words: frozenset[str]
    fu: bool


_FU_STEPS: Final = frozenset({StepKind.FU, StepKind.LOOKUP, StepKind.READINGS, StepKind.BLOCKS})
"""The steps of a lesson that need fu."""


def adapt_to_learner(lesson: Lesson, knowledge: LearnerKnowledge) -> Lesson:
    """The lesson for a learner with this knowledge. Value and payment stay; before fu it counts only han."""
    lesson = replace(lesson, known=knowledge.words, tells_fu=knowledge.fu)
    if not knowledge.fu:
        lesson = replace(lesson, headline=_headline_in_han(lesson), steps=tuple(_without_fu(lesson)))
    return with_explanations(lesson)


def _headline_in_han(lesson: Lesson) -> Sentence:
    """The headline with the han and the points of the win."""
    won, headline = lesson.score, lesson.headline
    if won is None or not _mentions_fu(lesson, headline):
        return headline
    return say("headline.in_han", han=won.han, points=won.points)


def _without_fu(lesson: Lesson) -> Iterator[Step]:
    """The steps without everything that mentions fu."""
    for step in lesson.steps:
        if step.kind in _FU_STEPS:
            continue
        lines = tuple(
            line
            for line in step.lines
            if not any(_mentions_fu(lesson, value) for value in (line.label, line.sentence, line.worth))
        )
        if lines:
            yield replace(step, lines=lines)


def _mentions_fu(lesson: Lesson, value: Value | None) -> bool:
    return value is not None and "fu" in lesson.catalogue.terms(lesson.text(value))
