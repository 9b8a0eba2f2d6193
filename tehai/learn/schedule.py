"""Which topic comes next: what is due by the learner's own forgetting, or the next one of the ladder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Final

from fsrs import State

from tehai.learn.knowledge import Known

AT_ONCE: Final = 4
"""How many topics are learnt at a time before a new one is begun."""

_AHEAD: Final = timedelta(minutes=20)
"""A topic that is being learnt may come so much before it is due, so that nobody has to sit and wait."""


def is_due(known: Known, now: datetime) -> bool:
    """Whether it is time to repeat the topic."""
    return known.card.due <= now


def is_learnt(known: Known) -> bool:
    """Whether the topic has been right often enough to be left alone for days."""
    return known.card.state is State.Review


def next_topic(
    topics: Sequence[str], known: Mapping[str, Known], now: datetime, last: str | None = None
) -> str:
    """The topic to pose now, of those in the order of the ladder.

    What is due comes first, then a new topic unless enough are being learnt, then what is being learnt, and
    in the end what will be due soonest. ``last`` is not repeated at once where there is another.
    """
    others = [topic for topic in topics if topic != last] or list(topics)
    met = sorted((topic for topic in others if topic in known), key=lambda topic: known[topic].card.due)
    learning = [topic for topic in met if not is_learnt(known[topic])]
    new = [topic for topic in others if topic not in known]
    if met and is_due(known[met[0]], now):
        return met[0]
    at_once = sum(topic in known and not is_learnt(known[topic]) for topic in topics)
    if new and at_once < AT_ONCE:
        return new[0]
    soon = [topic for topic in learning if known[topic].card.due <= now + _AHEAD]
    return (soon or new or met)[0]


def for_class(first: Sequence[str], count: int, random: Random, rest: Sequence[str] = ()) -> list[str]:
    """So many topics for everybody alike, from the easy to the hard, none twice before all were once.

    Of ``rest``, which come once a learner has been through the others, none before all of the first.
    """
    topics = (*first, *rest)
    rounds, more = divmod(count, len(topics))
    common = min(more, len(first))
    drawn = [*topics] * rounds + random.sample(first, common) + random.sample(rest, more - common)
    return sorted(drawn, key=topics.index)
