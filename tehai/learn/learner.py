"""Drills and short lessons for a learner within the course, limited to the steps so far."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Final

from scorer.telling.catalogue import Catalogue
from tehai.learn.course import Scope, learner_knowledge, steps
from tehai.learn.exercise import Exercise
from tehai.learn.pages import Page

_OF_FU: Final = frozenset({"fu", "table", "score"})
"""The levels and pages about fu. A learner who chooses one gets all of it."""


@dataclass(frozen=True, slots=True)
class Learner:
    """``scope``: what the finished steps allow, None after the last. ``words``: the words that they
    explained."""

    scope: Scope | None
    words: frozenset[str]

    def scope_for(self, level: str) -> Scope | None:
        """The scope to prefer for hands of the level; None if the level itself goes further."""
        return None if level in _OF_FU else self.scope

    def simplified(self, exercise: Exercise) -> Exercise:
        """The exercise without what the steps have not taught, and without explanations of known words."""
        scope = self.scope_for(exercise.level)
        if scope is not None:
            return scope.simplified(exercise, self.words)
        passages = [
            replace(
                passage,
                lines=tuple(
                    replace(line, words=tuple(one for one in line.words if one not in self.words))
                    for line in passage.lines
                ),
            )
            for passage in exercise.explanation
        ]
        return replace(exercise, explanation=tuple(passages))

    def page(self, page: Page, texts: Catalogue) -> Page:
        """The page without lines about fu, until a step has taught them."""
        if self.scope is None or "fu" in self.scope.allows or page.id in _OF_FU:
            return page
        lines = [line for line in page.passage.lines if "fu" not in texts.terms(texts.text(line.sentence))]
        return replace(page, passage=replace(page.passage, lines=tuple(lines)))


def learner(known: Container[str], texts: Catalogue, reached: str | None = None) -> Learner | None:
    """The learner who has answered these topics; None if the course was never begun.

    ``reached``: the last step that counts, if the exercise was posed for it; None for all.
    """
    knowledge = learner_knowledge(known, texts)
    if knowledge is None:
        return None
    last = last_step(known) if reached is None else reached
    scopes = {step.topic: step.scope for step in steps()[:-1]}
    return Learner(scopes.get(last or ""), knowledge.words)


def last_step(known: Container[str]) -> str | None:
    """The topic of the last step before the first unfinished one; None if the first step is unfinished."""
    last = None
    for step in steps():
        if step.topic not in known:
            return last
        last = step.topic
    return last
