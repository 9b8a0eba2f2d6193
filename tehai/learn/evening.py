"""Exercises after a game: five about the hands that a player won, by that player's schedule.

What the player knows is saved by topic and player (``own.paid@Anna``), beside the topics of the drills.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from random import Random
from typing import Any, Final

from scorer.game_record import PlayedGame
from tehai.learn.bench import Bench
from tehai.learn.errors import DrillError
from tehai.learn.exercise import Exercise, Setting
from tehai.learn.knowledge import Known
from tehai.learn.own_hands import OwnHand, OwnHands
from tehai.learn.schedule import next_topic

MANY: Final = 5
"""The number of exercises after a game."""

TOPICS: Final = ("own.paid", "own.dama", "own.pinfu")
_SEEDS: Final = 2**32


def topic_of(topic: str, player: str) -> str:
    """The topic under which a player's knowledge is saved."""
    return f"{topic}@{player}" if player else topic


def won_by(played: PlayedGame) -> Iterator[tuple[str, dict[str, Any]]]:
    """The hands won in a game, each with the winner's name, if their tiles are known."""
    for turn in played.turns:
        for player, score in turn.won_with_tiles():
            yield played.names[player], {**score.to_record()["record"], "honba": 0, "riichi_sticks": 0}


def exercise(
    hands: Sequence[tuple[OwnHand, Setting]],
    player: str,
    known: Mapping[str, Known],
    now: datetime,
    last: str | None,
    random: Random,
) -> tuple[int, int, Exercise]:
    """The next exercise for the player: the place of its hand, its seed, and the exercise.

    ``hands``: each with a setting that has the rules by which it was won. ``last``: the topic before it.
    Raises :class:`DrillError` if no hand fits.
    """
    names = [topic_of(topic, player) for topic in TOPICS]
    due = next_topic(names, known, now, None if last is None else topic_of(last, player))
    order = sorted(TOPICS, key=lambda topic: topic_of(topic, player) != due)
    for topic in order:
        for at in random.sample(range(len(hands)), len(hands)):
            seed, (hand, setting) = random.randrange(_SEEDS), hands[at]
            try:
                return at, seed, Bench(setting, Random(seed), OwnHands((hand,))).exercise(topic)
            except DrillError:
                continue
    raise DrillError("trouble.no_evening")
