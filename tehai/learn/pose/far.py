"""Hands that are not finished: how far away they are, and which discard keeps most."""

from __future__ import annotations

from random import Random
from typing import Final

from scorer.advice import Advice, advise
from scorer.efficiency import Ukeire
from scorer.hand import Meld, Win
from scorer.telling.advice import explain_unfinished
from scorer.telling.sentence import StepKind, Tiles, say
from tehai.learn.answers import DiscardAnswer, NumberAnswer
from tehai.learn.deal import Deal
from tehai.learn.exercise import Exercise, Part, Passage, Setting, Shown
from tehai.learn.pose import counted
from tehai.learn.pose.common import unfinished, winds
from tehai.learn.pose.shape import wait_lines

_FAR: Final = {"ready": (0, 1), "one": (1,), "two": (2,), "far": (3, 4)}
"""How far away the hands of a topic are."""

_CHANGED: Final = {"ready": (0, 1), "one": (1, 2), "two": (2, 4), "far": (3, 6)}
"""How many tiles of a finished hand are changed for others to get there, at least and at most."""

_ALIKE: Final = 2
"""How many discards may be equally good: where most are, there is nothing to be found."""

_LEAST_GAP: Final = 2
"""Tiles by which the best discard has to be better than the next one."""


def how_far(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """How many tiles thirteen are away from a hand that waits."""
    concealed = unfinished(deal, deal.hand.concealed, random.randint(*_CHANGED[what]), random)
    if concealed is None:
        return None
    advice = _advice(concealed, deal.hand.melds, deal, setting)
    if advice.shanten not in _FAR[what] or _is_disputed(advice.draws):
        return None
    count = tuple(counted.lines(concealed, len(deal.hand.melds), advice.shanten))
    passages = (*([Passage(count)] if count else []), *_told(concealed, deal, setting, StepKind.DISTANCE))
    if advice.shanten == 0:
        passages = (*passages, Passage(wait_lines(concealed, deal)))
    shown = Shown(concealed=concealed, melds=deal.hand.melds)
    parts = (Part(NumberAnswer(advice.shanten, "away")),)
    return Exercise(f"shanten.{what}", say("ask.shanten"), shown, parts, passages, deal.origin)


def what_to_discard(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """Which of fourteen tiles to discard, so that most tiles bring the hand nearer."""
    whole = (*deal.hand.concealed, deal.hand.win_tile)
    concealed = unfinished(deal, whole, max(1, random.randint(*_CHANGED[what])), random)
    if concealed is None:
        return None
    advice = _advice(concealed, deal.hand.melds, deal, setting)
    outlook = advice.outlook
    if outlook is None or outlook.shanten not in _FAR[what] or not _is_clear(advice):
        return None
    best = tuple(one.discard.tile.kind for one in advice.best)
    kept = {
        one.discard.tile.kind: one.discard.ukeire.left
        for one in advice.options
        if one.discard.ukeire.shanten == outlook.shanten
    }
    shown = Shown(concealed=concealed, melds=deal.hand.melds, facts=(winds(deal.win),))
    passages = _told(concealed, deal, setting, StepKind.DISTANCE, StepKind.DISCARD)
    parts = (Part(DiscardAnswer(best, kept, tuple(sorted({tile.kind for tile in concealed})))),)
    return Exercise(f"discard.{what}", say("ask.discard"), shown, parts, passages, deal.origin)


def _is_disputed(found: Ukeire | None) -> bool:
    """Whether a tile would help of which the hand itself has all."""
    return found is None or bool(found.gone)


def _is_clear(advice: Advice) -> bool:
    """Whether the best discards are few, better than all others, and ask for no more than they are told."""
    best, others = advice.best, advice.options[len(advice.best) :]
    nearest = best[0].discard.ukeire
    near = [one.discard.ukeire for one in others if one.discard.ukeire.shanten == nearest.shanten]
    return (
        len(best) <= _ALIKE
        and bool(near)
        and nearest.left - max(one.left for one in near) >= _LEAST_GAP
        and not any(one.discard.ukeire.gone for one in advice.options)
        and not any(one.discard.furiten for one in best)
    )


def _seat(deal: Deal) -> Win:
    return Win(tsumo=False, seat_wind=deal.win.seat_wind, round_wind=deal.win.round_wind)


def _advice(concealed: Tiles, melds: tuple[Meld, ...], deal: Deal, setting: Setting) -> Advice:
    return advise(concealed, melds, _seat(deal), setting.rules)


def _told(concealed: Tiles, deal: Deal, setting: Setting, *kinds: StepKind) -> tuple[Passage, ...]:
    """Those steps of the advice, as the lessons tell it."""
    lesson = explain_unfinished(
        concealed, deal.hand.melds, _seat(deal), setting.rules, language=setting.language
    )
    return tuple(Passage.of(step) for step in lesson.steps if step.kind in kinds)
