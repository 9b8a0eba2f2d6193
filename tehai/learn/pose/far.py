"""Unfinished hands: their shanten, and the best discard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

from scorer.advice import Advice, advise
from scorer.efficiency import Discard, discards, ukeire
from scorer.hand import Meld, Win
from scorer.readings import is_complete
from scorer.telling.advice import explain_advice
from scorer.telling.sentence import Line, Sentence, StepKind, Tiles, say
from scorer.tiles import COPIES, count_kinds
from tehai.learn.answers import DiscardAnswer, NumberAnswer
from tehai.learn.deal import Deal, in_order
from tehai.learn.exercise import Exercise, Part, Passage, Setting, Shown
from tehai.learn.own_hands import OwnDiscard
from tehai.learn.pose import counted
from tehai.learn.pose.common import unfinished, winds
from tehai.learn.pose.shape import wait_lines

_FAR: Final = {"ready": (0, 1), "one": (1,), "two": (2,), "far": (3, 4)}
"""The shanten of the hands of a topic."""

_CHANGED: Final = {"ready": (0, 1), "one": (1, 2), "two": (2, 4), "far": (3, 6)}
"""The least and the most tiles of a finished hand to exchange for such a hand."""

_ALIKE: Final = 2
"""The most discards that may be equally good; with more there is nothing to find."""

_LEAST_GAP: Final = 2
"""By how many tiles the best discard must be better than the next one."""


def how_far(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """The shanten of thirteen tiles: how many tiles they are away from tenpai."""
    hand, players = deal.hand, setting.rules.players
    concealed = unfinished(deal, hand.concealed, random.randint(*_CHANGED[what]), random)
    if concealed is None:
        return None
    found = ukeire(concealed, hand.melds, players=players)
    if found.shanten not in _FAR[what] or found.gone:  # a tile would help of which the hand has all
        return None
    win = _seat(deal.win)
    advice = advise(concealed, hand.melds, win, setting.rules)
    count = tuple(counted.lines(concealed, len(hand.melds), found.shanten))
    passages = (*([Passage(count)] if count else []), *_told(advice, win, setting, StepKind.DISTANCE))
    if found.shanten == 0:
        passages = (*passages, Passage(wait_lines(concealed, deal)))
    shown = Shown(concealed=concealed, melds=hand.melds)
    parts = (Part(NumberAnswer(found.shanten, "away")),)
    return Exercise(f"shanten.{what}", say("ask.shanten"), shown, parts, passages, deal.origin)


def what_to_discard(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """Which of fourteen tiles to discard so that most tiles improve the hand."""
    hand = deal.hand
    whole = (*hand.concealed, hand.win_tile)
    concealed = unfinished(deal, whole, max(1, random.randint(*_CHANGED[what])), random)
    if concealed is None or is_complete(concealed, hand.melds):
        return None
    found = _discard_of(what, concealed, hand.melds, _seat(deal.win), setting)
    if found is None:
        return None
    answer, passages = found
    shown = Shown(concealed=concealed, melds=hand.melds, facts=(winds(deal.win),))
    return Exercise(f"discard.{what}", say("ask.discard"), shown, (Part(answer),), passages, deal.origin)


def what_was_discarded(what: str, own: OwnDiscard, setting: Setting) -> Exercise | None:
    """The same question about a discard in a game. The explanation names the player's choice."""
    rules = setting.rules
    tiles = rules.as_played(own.tiles)
    melds = tuple(replace(meld, tiles=rules.as_played(meld.tiles)) for meld in own.melds)
    held = count_kinds((*tiles, *(tile for meld in melds for tile in meld.tiles)))
    if own.players != rules.players or max(held) >= COPIES or is_complete(tiles, melds):
        return None
    found = _discard_of(what, tiles, melds, own.win, setting)
    if found is None:
        return None
    answer, passages = found
    passages = (*passages, Passage((Line(_chosen(own, answer)),)))
    shown = Shown(concealed=in_order(tiles), melds=melds, facts=(winds(own.win),))
    return Exercise(f"discard.{what}", say("ask.discard"), shown, (Part(answer),), passages, own.origin)


def _chosen(own: OwnDiscard, answer: DiscardAnswer) -> Sentence:
    kind, tile = own.chosen.kind, (own.chosen,)
    if kind in answer.best:
        return say("explain.chose_best", player=own.player, tile=tile)
    if kind in answer.kept:
        return say("explain.chose_less", player=own.player, tile=tile, left=answer.kept[kind])
    return say("explain.chose_back", player=own.player, tile=tile)


def _discard_of(
    what: str, concealed: Tiles, melds: Sequence[Meld], win: Win, setting: Setting
) -> tuple[DiscardAnswer, tuple[Passage, ...]] | None:
    """The answer and the explanation; None if the hand does not fit the topic or has no clear answer."""
    found = discards(concealed, melds, players=setting.rules.players)
    nearest = found[0].ukeire
    best = [one for one in found if _worth(one) == _worth(found[0])]
    if nearest.shanten not in _FAR[what] or not _is_clear(best, found):
        return None
    advice = advise(concealed, melds, win, setting.rules)
    if {one.discard.tile.kind for one in advice.best} != {one.tile.kind for one in best}:
        return None  # points say otherwise, which is more than the question asks for
    kept = {one.tile.kind: one.ukeire.left for one in found if one.ukeire.shanten == nearest.shanten}
    right = tuple(dict.fromkeys(one.tile.kind for one in best))
    answer = DiscardAnswer(right, kept, tuple(sorted({tile.kind for tile in concealed})))
    return answer, _told(advice, win, setting, StepKind.DISTANCE, StepKind.DISCARD)


def _worth(one: Discard) -> tuple[int, int]:
    return one.ukeire.shanten, one.ukeire.left


def _is_clear(best: Sequence[Discard], found: Sequence[Discard]) -> bool:
    """Whether the best discards are few and better than all others, and need no unknown facts."""
    nearest = best[0].ukeire
    near = [one.ukeire for one in found[len(best) :] if one.ukeire.shanten == nearest.shanten]
    return (
        len(best) <= _ALIKE
        and bool(near)
        and nearest.left - max(one.left for one in near) >= _LEAST_GAP
        and not any(one.ukeire.gone for one in found)
        and not any(one.furiten for one in best)
    )


def _seat(win: Win) -> Win:
    return Win(tsumo=False, seat_wind=win.seat_wind, round_wind=win.round_wind)


def _told(advice: Advice, win: Win, setting: Setting, *kinds: StepKind) -> tuple[Passage, ...]:
    """Those steps of the advice."""
    lesson = explain_advice(advice, win, setting.rules, language=setting.language)
    return tuple(Passage.of(step) for step in lesson.steps if step.kind in kinds)
