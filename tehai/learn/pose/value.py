"""The value of a finished hand: yaku, han, fu, the score table, and who pays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

from scorer.fu import FuItem, pair_fu, total
from scorer.hand import Win
from scorer.payment import base_points
from scorer.readings import Form, GroupType
from scorer.score import Score, check
from scorer.shapes import set_fu, wait_fu
from scorer.status import HandStatus
from scorer.telling.sentence import Name, Sentence, StepKind, say
from scorer.telling.why_not import why_not
from scorer.wait_values import scored
from scorer.yaku import DORA, TABLE
from tehai.learn.answers import NumberAnswer, PaymentAnswer, YakuAnswer
from tehai.learn.deal import Deal
from tehai.learn.exercise import Exercise, Part, Setting, Shown
from tehai.learn.levels import NO_YAKU
from tehai.learn.pose.common import finished, fitted, is_settled, lesson, readings_of

_LEAST_FU: Final = 20
_MOST_FU: Final = 110


def _won(deal: Deal, setting: Setting) -> Score | None:
    """The score, if no other reading pays as much."""
    won = scored(deal.hand, deal.win, setting.rules)
    return won if won is not None and is_settled(won) else None


def _counted(deal: Deal, setting: Setting) -> Score | None:
    """As :func:`_won`, for hands with han or yakuman.

    A yaku that pays a limit by itself has neither han nor fu to ask for.
    """
    won = _won(deal, setting)
    return None if won is None or any(id_ in setting.rules.limit_hands for id_, _ in won.yaku) else won


def _fu_matter(won: Score, setting: Setting) -> bool:
    """Whether fu can change the value of the hand."""
    low, high = (base_points(won.han, fu, setting.rules) for fu in (_LEAST_FU, _MOST_FU))
    return not won.yakuman and low != high


# --- yaku and han -------------------------------------------------------------------------------------------


def name_the_yaku(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """Which yaku count; none in a hand without a yaku."""
    deal = fitted(deal, setting)
    won = _won(deal, setting)
    if what == NO_YAKU:
        if won or check(deal.hand, deal.win, setting.rules) is not HandStatus.NO_YAKU:
            return None
        ids: tuple[str, ...] = ()
    elif won is None or what not in dict(won.yaku):
        return None
    else:
        ids = tuple(id_ for id_, _ in won.yaku if id_ not in DORA)
    passages = lesson(deal, setting, StepKind.YAKU, StepKind.NO_YAKU, StepKind.CHOICE, StepKind.LUCK)
    own = tuple(setting.rules.own_yaku.values())
    parts = (Part(YakuAnswer(ids, _broken(deal, won, setting), own)),)
    return Exercise(f"yaku.{what}", say("ask.yaku"), finished(deal, setting), parts, passages, deal.origin)


def _broken(deal: Deal, won: Score | None, setting: Setting) -> dict[str, Sentence]:
    """For each yaku that the hand does not have, the tiles that break it."""
    reading = won.reading if won else readings_of(deal, setting)[0]
    had = dict(won.yaku) if won else {}
    reasons = {
        yaku.id: why_not(yaku.id, deal.hand, deal.win, reading, setting.rules)
        for yaku in TABLE
        if yaku.id not in had
    }
    return {id_: reason for id_, reason in reasons.items() if reason is not None}


_HAN: Final[Mapping[str, Callable[[Deal, Score], bool]]] = {
    "closed": lambda deal, won: deal.hand.is_closed and not any(id_ in DORA for id_, _ in won.yaku),
    "open": lambda deal, won: not deal.hand.is_closed,
    "dora": lambda deal, won: any(id_ in DORA for id_, _ in won.yaku),
}


def count_the_han(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """How many han, with dora."""
    deal = fitted(deal, setting)
    won = _counted(deal, setting)
    if won is None or won.yakuman or not _HAN[what](deal, won):
        return None
    passages = lesson(deal, setting, StepKind.YAKU, StepKind.DORA)
    parts = (Part(NumberAnswer(won.han, "han")),)
    return Exercise(f"han.{what}", say("ask.han"), finished(deal, setting), parts, passages, deal.origin)


# --- minipoints ---------------------------------------------------------------------------------------------


def count_the_fu(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """The fu of the wait, the pair or the sets, or all together.

    The parts only for hands with a single reading.
    """
    deal = fitted(deal, setting)
    won = _counted(deal, setting)
    if won is None or won.yakuman or not (setting.fu_for_limits or _fu_matter(won, setting)):
        return None
    parts = tuple(_FU[what](deal, won, setting, random))
    if not parts:
        return None
    passages = (
        lesson(deal, setting, StepKind.WAIT, StepKind.FU)
        if what == "wait"
        else lesson(deal, setting, StepKind.FU)
    )
    question = Sentence(f"ask.fu_{what}")
    return Exercise(f"fu.{what}", question, finished(deal, setting), parts, passages, deal.origin)


_NOTHING_SHARE: Final = 0.3
"""The share of pairs and waits without fu among the questions."""


def _one_way(deal: Deal, won: Score, setting: Setting) -> bool:
    return won.reading.form is Form.STANDARD and len(readings_of(deal, setting)) == 1


def _wait(deal: Deal, won: Score, setting: Setting, random: Random) -> Iterator[Part]:
    fu = wait_fu(won.reading.wait)
    if _one_way(deal, won, setting) and (fu or random.random() < _NOTHING_SHARE):
        yield Part(NumberAnswer(fu, "fu"))


def _pair(deal: Deal, won: Score, setting: Setting, random: Random) -> Iterator[Part]:
    if _one_way(deal, won, setting):
        pair = next(group for group in won.reading.groups if group.type is GroupType.PAIR)
        fu = pair_fu(pair.kind, deal.win, setting.rules)
        if fu or random.random() < _NOTHING_SHARE:
            yield Part(NumberAnswer(fu, "fu"))


def _sets(deal: Deal, won: Score, setting: Setting, random: Random) -> Iterator[Part]:
    """A part for each set that is not a sequence."""
    if _one_way(deal, won, setting):
        for group in won.reading.groups:
            if group.type in (GroupType.PON, GroupType.KAN):
                fu = set_fu(group.type, group.kind, group.concealed)
                yield Part(NumberAnswer(fu, "fu"), say("part.set", tiles=group.tiles))


def _total(deal: Deal, won: Score, setting: Setting, random: Random) -> Iterator[Part]:
    if won.fu is not None:
        yield Part(_fu_answer(won))


def _fu_answer(won: Score) -> NumberAnswer:
    """All fu; a learner who forgot to round is nearly right."""
    return NumberAnswer(won.fu or 0, "fu", frozenset({_exact(won.fu_items)}) - {won.fu or 0})


def _exact(items: tuple[FuItem, ...]) -> int:
    """The sum before rounding."""
    *others, last = items
    before = total(others)
    return before if others and before % 10 and last.fu == -before % 10 and not last.tiles else total(items)


_FU: Final[Mapping[str, Callable[[Deal, Score, Setting, Random], Iterator[Part]]]] = {
    "wait": _wait,
    "pair": _pair,
    "sets": _sets,
    "total": _total,
}

# --- points -------------------------------------------------------------------------------------------------

_TABLE: Final[Mapping[str, Callable[[Win, Score], bool]]] = {
    "ron": lambda win, won: not (won.limit or win.tsumo or win.is_dealer),
    "tsumo": lambda win, won: win.tsumo and not (won.limit or win.is_dealer),
    "dealer_ron": lambda win, won: win.is_dealer and not (won.limit or win.tsumo),
    "dealer_tsumo": lambda win, won: win.is_dealer and win.tsumo and not won.limit,
    "limit": lambda win, won: bool(won.limit) and won.yakuman < 2,
}


def look_it_up(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """From han and fu to points, without a hand."""
    deal = fitted(deal, setting)
    won = _counted(deal, setting)
    if won is None or not _TABLE[what](deal.win, won):
        return None
    shown = Shown(facts=tuple(_given(deal.win, won, setting)))
    passages = lesson(deal, setting, StepKind.LOOKUP, *([StepKind.PAYMENT] if deal.win.honba else []))
    parts = (Part(_payment(deal.win, won)),)
    return Exercise(f"table.{what}", _pays(deal.win), shown, parts, passages, None)


def _given(win: Win, won: Score, setting: Setting) -> Iterator[Sentence]:
    """The facts that locate a row of the score table."""
    if won.yakuman:
        yield say("fact.yakuman", limit=Name("yakuman"))
    elif won.fu and (_fu_matter(won, setting) or setting.fu_for_limits):
        yield say("fact.han_fu", han=won.han, fu=won.fu)
    else:
        yield say("fact.han", han=won.han)
    yield Sentence("fact.dealer" if win.is_dealer else "fact.not_dealer")
    yield Sentence("fact.by_tsumo" if win.tsumo else "fact.by_ron")
    if setting.counters and win.honba:
        yield say("fact.counters_only", counters=win.honba)


def _pays(win: Win) -> Sentence:
    if not win.tsumo:
        return say("ask.pays_ron")
    return say("ask.pays_all" if win.is_dealer else "ask.pays_two")


def _payment(win: Win, won: Score) -> PaymentAnswer:
    """The payment of each player, counters included."""
    assert won.deltas is not None
    paid = [-points for points in won.deltas[1:] if points]
    if win.tsumo and not win.is_dealer:
        return PaymentAnswer((min(paid), max(paid)))
    return PaymentAnswer((paid[0],), each=win.tsumo)


_SCORE: Final[Mapping[str, Callable[[Win, Score], bool]]] = {
    "ron": lambda win, won: not (won.limit or win.tsumo or win.is_dealer),
    "tsumo": lambda win, won: win.tsumo and not (won.limit or win.is_dealer),
    "dealer": lambda win, won: win.is_dealer and not won.limit,
    "limit": lambda win, won: bool(won.limit) and not won.yakuman,
    "yakuman": lambda win, won: won.yakuman > 0,
}


def score_it(what: str, deal: Deal, setting: Setting, random: Random) -> Exercise | None:
    """The whole score: han, fu if they matter, the payments, and the winner's total."""
    deal = fitted(deal, setting)
    won = _counted(deal, setting)
    if won is None or not _SCORE[what](deal.win, won):
        return None
    kinds = [StepKind.YAKU, StepKind.DORA, StepKind.LOOKUP, StepKind.PAYMENT]
    if setting.fu_for_limits or _fu_matter(won, setting):
        kinds.append(StepKind.FU)
    passages = lesson(deal, setting, *kinds)
    parts = tuple(_score_parts(deal.win, won, setting))
    return Exercise(f"score.{what}", say("ask.score"), finished(deal, setting), parts, passages, deal.origin)


def _score_parts(win: Win, won: Score, setting: Setting) -> Iterator[Part]:
    if not won.yakuman:
        yield Part(NumberAnswer(won.han, "han"), say("part.han"))
        if won.fu is not None and (setting.fu_for_limits or _fu_matter(won, setting)):
            yield Part(_fu_answer(won), say("part.fu"))
    yield Part(_payment(win, won), _pays(win))
    if setting.counters and (win.honba or win.riichi_sticks):
        assert won.deltas is not None
        yield Part(NumberAnswer(won.deltas[0], "points"), say("part.gets"))
