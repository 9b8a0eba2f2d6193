"""Errors of drills as sentences of the catalogue, in the learner's language."""

from __future__ import annotations

from scorer.telling.sentence import Sentence, Value


class SentenceError(ValueError):
    """An error that the learner can correct; ``sentence`` says what is wrong and what to do."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence.kind)
        self.sentence = sentence


class UnclearAnswer(SentenceError):
    """The typed text is no answer."""


class DrillError(SentenceError):
    """A drill is impossible, or its progress cannot be saved."""

    def __init__(self, kind: str, **values: Value) -> None:
        super().__init__(Sentence(kind, values))
