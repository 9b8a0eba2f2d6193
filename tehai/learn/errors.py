"""What stands in the way of a drill, as sentences of the catalogue: said in the learner's language."""

from __future__ import annotations

from scorer.telling.sentence import Sentence, Value


class SentenceError(ValueError):
    """Something that a person has to change; ``sentence`` says what, and what to do."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence.kind)
        self.sentence = sentence


class UnclearAnswer(SentenceError):
    """What was typed is no answer."""


class DrillError(SentenceError):
    """There can be no drill; or what was learnt cannot be kept."""

    def __init__(self, kind: str, **values: Value) -> None:
        super().__init__(Sentence(kind, values))
