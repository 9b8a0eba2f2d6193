"""What a learner knows of each topic, for storage in a file or in the browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from math import inf
from typing import Any, Final

from fsrs import Card, Rating, Scheduler, State

VERSION: Final = 2
"""The version of the record. Version 1 counted "I do not know" as a mistake."""

_RATINGS: Final = ((1.0, Rating.Good), (0.5, Rating.Hard), (0.0, Rating.Again))
"""The rating for the scheduler from an answer's credit on."""

# without fuzz, so that the same answers give the same schedule
_SCHEDULER: Final = Scheduler(enable_fuzzing=False)


@dataclass(frozen=True, slots=True)
class Known:
    """Knowledge of one topic: the number of answers, their total credit, the last credit, and the scheduler's
    card.

    ``unknown``: how often the learner did not know, which counts as no answer.
    """

    answers: int
    credit: float
    last: float
    card: Card
    unknown: int = 0

    @classmethod
    def after(cls, before: Known | None, credit: float | None, now: datetime, *, known: bool = True) -> Known:
        """The knowledge after one more answer. ``credit``: None if the learner knew nothing.

        ``known``: whether the learner answered all parts; otherwise the topic comes again soon.
        """
        card = before.card if before else Card(card_id=0, due=now)
        known = known and credit is not None
        counts = credit if credit is not None and known else 0.0
        rating = next(rating for least, rating in _RATINGS if counts >= least)
        card, _ = _SCHEDULER.review_card(card, rating, now)
        answers, earned, unknown = (before.answers, before.credit, before.unknown) if before else (0, 0.0, 0)
        return cls(
            answers + (credit is not None), earned + (credit or 0.0), counts, card, unknown + (not known)
        )

    @property
    def share(self) -> float | None:
        """The mean credit of the answers; None without any."""
        return self.credit / self.answers if self.answers else None

    def to_record(self) -> dict[str, Any]:
        return {
            "answers": self.answers,
            "credit": round(self.credit, 3),
            "last": round(self.last, 3),
            "card": self.card.to_dict(),
            "unknown": self.unknown,
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Known:
        """The inverse of :meth:`to_record`. Raises for a wrong record."""
        known = cls(
            int(record["answers"]),
            float(record["credit"]),
            float(record["last"]),
            Card.from_dict(record["card"]),
            int(record.get("unknown", 0)),
        )
        if (
            known.answers + known.unknown < 1
            or not 0 <= known.credit <= known.answers
            or not _can_be(known.card)
        ):
            raise ValueError("numbers that cannot be")
        return known


def _can_be(card: Card) -> bool:
    """Whether the scheduler can go on from the card."""
    times = (card.due, card.last_review or card.due)
    memory = (card.stability, card.difficulty)
    return (
        all(time.tzinfo is not None for time in times)
        and all(one is None or 0 < one < inf for one in memory)
        and (card.state is State.Learning or None not in memory)
    )


class Newer(ValueError):
    """The record comes from a newer version of the program."""


def to_record(topics: Mapping[str, Known]) -> dict[str, Any]:
    """The knowledge as JSON values."""
    return {"version": VERSION, "topics": {id_: one.to_record() for id_, one in topics.items()}}


def of_record(record: Any) -> dict[str, Known]:
    """The inverse of :func:`to_record`, for this version and older ones.

    Raises :class:`Newer` for a later version, ``ValueError`` for an invalid record.
    """
    try:
        version = record["version"]
        if not isinstance(version, int) or version < 1:
            raise ValueError("no version")
        if version > VERSION:
            raise Newer(version)
        return {str(id_): Known.of(one) for id_, one in record["topics"].items()}
    except (KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError("no record of what is known") from error
