"""Choose the next topic: one that is due by the learner's own forgetting, or the next one of the ladder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Final

from fsrs import State

from tehai.learn.knowledge import Known

AT_ONCE: Final = 4
"""How many topics are learned at a time before a new one begins."""

_AHEAD: Final = timedelta(minutes=20)
"""How long before it is due a topic in progress may come, so that the learner need not wait."""


def is_due(known: Known, now: datetime) -> bool:
    """Whether it is time to repeat the topic."""
    return known.card.due <= now


def is_learnt(known: Known) -> bool:
    """Whether the topic was right often enough to wait for days."""
    return known.card.state is State.Review


def next_topic(
    topics: Sequence[str], known: Mapping[str, Known], now: datetime, last: str | None = None
) -> str:
    """The topic of the next exercise; ``names`` are in the order of the ladder.

    Due topics come first, then a new one unless enough are in progress, then those in progress, then the one
    that is due soonest. ``last`` is not repeated at once if there is another.
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
    """So many topics that are equal for everybody, from easy to hard. All come once before any comes twice.

    Topics of ``rest``, for learners who have finished all levels, come after all of the first.
    """
    topics = (*first, *rest)
    rounds, more = divmod(count, len(topics))
    common = min(more, len(first))
    drawn = [*topics] * rounds + random.sample(first, common) + random.sample(rest, more - common)
    return sorted(drawn, key=topics.index)
