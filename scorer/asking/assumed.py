"""The assumptions of a score in words: the default of each open question."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scorer.asking.phrases import Phrases
from scorer.asking.plan import Question
from scorer.asking.topics import TILE

_ORDER: Final = (
    "dealer", "seat_wind", "round_wind", "riichi", "tsumo", "special", TILE, "win_tile", "nukidora",
    "dora_indicators", "ura_indicators", "pao", "loser_offset", "honba", "dealer_wins",
)  # fmt: skip
"""The order in which a player would say them: who, how, on what, and what else counts."""


def assumed(questions: Iterable[Question], phrases: Phrases) -> tuple[str, ...]:
    """A phrase for the default answer of each open question.

    >>> from scorer.asking.plan import open_questions
    >>> assumed(open_questions({"concealed": "234m340567p2267s", "win_tile": "8s"}), Phrases())
    ('not the dealer', 'no riichi', 'ron', 'no dora')
    """
    asked = {question.field: question for question in questions}
    default = {field: asked[field].choices[0] for field in _ORDER if field in asked}
    return tuple(
        phrases.assumed(field, one.id or "none", one.label.partition(":")[0])
        for field, one in default.items()
    )
