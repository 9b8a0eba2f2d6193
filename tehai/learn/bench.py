"""Make exercises: try hands until one fits a topic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from random import Random
from typing import Final

from scorer.tiles import Tile
from tehai.learn.course import Scope, statement
from tehai.learn.deal import Deal, as_played, dealt, in_other_suits
from tehai.learn.errors import DrillError
from tehai.learn.exercise import Exercise, Setting
from tehai.learn.hands import natural, written
from tehai.learn.learner import Learner
from tehai.learn.levels import LADDER, title
from tehai.learn.own_hands import OwnHands
from tehai.learn.pose.asking import ask
from tehai.learn.pose.far import how_far, what_to_discard, what_was_discarded
from tehai.learn.pose.own import look_back
from tehai.learn.pose.safety import who_is_safe
from tehai.learn.pose.shape import find_the_groups, find_the_wait
from tehai.learn.pose.tiles import name_the_tile
from tehai.learn.pose.value import count_the_fu, count_the_han, look_it_up, name_the_yaku, score_it
from tehai.learn.pose.waits import is_it_furiten, take_apart

_POSE: Final[Mapping[str, Callable[[str, Deal, Setting, Random], Exercise | None]]] = {
    "groups": find_the_groups,
    "tenpai": find_the_wait,
    "yaku": name_the_yaku,
    "han": count_the_han,
    "fu": count_the_fu,
    "table": look_it_up,
    "score": score_it,
    "ask": ask,
    "shanten": how_far,
    "discard": what_to_discard,
    "blocks": take_apart,
    "furiten": is_it_furiten,
    "safe": who_is_safe,
    "own": look_back,
}

_OWN: Final = "own"
"""The level about the user's hands alone."""

_OWN_TRIES: Final = 4
"""How often to try one of the user's hands. If the photo does not show how it was won, each try assumes
another win."""

_EARLY: Final = frozenset(level.id for level in LADDER[:6])
"""The levels that mostly use natural hands, without rare yaku."""

_WRITTEN_SHARE: Final = 0.4
_DEALT: Final = 200
"""Hands to deal before the written hands are used: enough for all but rare yaku."""

_FITTING: Final = 800
"""Hands to try for one that shows no more than the finished steps of the course."""

_LAST_TRIES: Final = 12
"""How often to try all written hands, each time in other suits."""


@dataclass(slots=True)
class Bench:
    """Makes exercises. ``own``: the contents of the user's photos.

    ``seeds``: gives each exercise a seed of its own, so that the exercises are independent.
    """

    setting: Setting
    seeds: Random
    own: OwnHands = field(default_factory=OwnHands)
    _posed: set[tuple[Tile, ...]] = field(default_factory=set)

    def exercise(
        self,
        topic: str,
        *,
        fresh: bool = False,
        scope: Scope | None = None,
        learner: Learner | None = None,
    ) -> Exercise:
        """An exercise about the topic.

        ``fresh``: deal a new hand, for a learner who got the topic wrong before. ``scope``: what a step of
        the course may show. ``learner``: a learner within the course; hands that show more are used only if
        there are no others. Raises :class:`DrillError` if no hand fits, which is possible with own rules.
        """
        random = Random(self.seeds.getrandbits(64))
        level, _, what = topic.partition(".")
        if level == "tiles":
            return name_the_tile(what, self.own.crops, self.setting, random)
        if said := statement(topic):
            return said
        if level == "discard" and not fresh and (found := self._of_game(what, random)):
            return found if scope is None else scope.simplified(found)
        pose, rules = _POSE[level], self.setting.rules
        limit = scope or (learner.scope_for(level) if learner else None)
        deals = self._deals(level, fresh, random, limit is not None or level in _EARLY)
        tried: Iterator[tuple[Deal, Scope | None]] = ((deal, limit) for deal in deals)
        if scope is None and limit is not None:  # a topic may go further than the steps
            anyway = self._deals(level, fresh, random, level in _EARLY)
            tried = chain(islice(tried, _FITTING), ((deal, None) for deal in anyway))
        for deal, within in tried:
            played: Deal | None = as_played(deal, rules)
            if within is not None and played is not None:
                played = within.fit(played, rules)
            if played and (exercise := pose(what, played, self.setting, random)):
                self._posed.add(_tiles(deal))
                if scope is not None:
                    return scope.simplified(exercise)
                return exercise if learner is None else learner.simplified(exercise)
        raise DrillError("trouble.no_exercise", topic=title(topic))

    def _deals(self, level: str, fresh: bool, random: Random, as_won: bool) -> Iterator[Deal]:
        """Hands to try, in this order.

        The user's own that were not used yet; natural ones (``as_won``) or some of the written ones; dealt
        ones; then any of these again.
        """
        ours, plain = list(written()), list(natural())
        random.shuffle(ours)
        random.shuffle(plain)
        if not fresh:
            yield from self._of_photos(random)
        if level == _OWN:
            return
        if as_won:
            varied = (_varied(deal, random) for deal in plain)
            yield from (deal for deal in varied if _tiles(deal) not in self._posed)
        elif not fresh and random.random() < _WRITTEN_SHARE:
            yield from (_varied(deal, random) for deal in ours)
        for _ in range(_DEALT):
            yield dealt(random, self.setting.rules)
        if as_won:
            yield from (_varied(deal, random) for deal in plain)
        for _ in range(_LAST_TRIES):
            yield from (_varied(deal, random) for deal in ours)

    def _of_game(self, what: str, random: Random) -> Exercise | None:
        """An unused discard of the user's games."""
        for own in random.sample(self.own.discards, len(self.own.discards)):
            if own.tiles in self._posed:
                continue
            if found := what_was_discarded(what, own, self.setting):
                self._posed.add(own.tiles)
                return found
        return None

    def _of_photos(self, random: Random) -> Iterator[Deal]:
        hands = list(self.own.hands)
        random.shuffle(hands)
        for hand in hands:
            for _ in range(_OWN_TRIES):
                deal = hand.deal(random, self.setting.rules)
                if _tiles(deal) not in self._posed:
                    yield deal


def _varied(deal: Deal, random: Random) -> Deal:
    """The hand in other suits, with counters and riichi sticks if the setting has them."""
    counters = deal.win.dealer_wins + random.randint(0, 3)  # each win as dealer left one
    counted = replace(deal.win, honba=counters, riichi_sticks=random.randint(0, 2))
    return in_other_suits(replace(deal, win=counted), random)


def _tiles(deal: Deal) -> tuple[Tile, ...]:
    return (*deal.hand.concealed, deal.hand.win_tile)
