"""The functions of ``import tehai`` that combine reader and scorer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scorer import Hand, Score, Win
from scorer import score as score_win
from scorer.advice import Advice
from scorer.asking.plan import Plan
from scorer.record import DEFAULTS, complete, contradicting_seats
from scorer.rules import RuleSet
from tehai.errors import Mistake
from tehai.hand import scoring
from tehai.hand.inputs import HandInput, check_hand, from_line, from_reading, impossible_tiles, nothing
from tehai.hand.notation import Record
from tehai.hand.rivers import rivers_of
from tehai.settings.options import rule_set
from vision.reading import Reading

HandLike = Hand | Reading | str | Mapping[str, Any]
"""A hand, a photo that was read, a typed line (:mod:`scorer.notation`), or a hand record."""


def score(
    hand: HandLike, win: Win | None = None, *, rules: RuleSet | str | None = None, **facts: Any
) -> Score:
    """Score a hand. ``win``: how it was won; or ``facts``, by the fields of the hand record
    (``tsumo=True``, ``seat_wind="S"``, ``riichi=True``, ``dora_indicators=["3m"]``).

    ``rules``: by default those of the record, or else ``ema2008``. Missing facts have the defaults of
    :class:`scorer.Win`, and the win is a ron; ``Score.assumed`` lists them. Raises :class:`tehai.Mistake` for
    an unfinished hand and for invalid facts, and :class:`scorer.HandError` for a hand that does not win.

    >>> from tehai import Win, score
    >>> score("340567p2267s + 8s [666z]", tsumo=True, dealer=True).deltas
    (3000, -1000, -1000, -1000)
    >>> score("234m340567p2267s + 8s", Win(tsumo=False, riichi=True), rules="mleague").points
    8000
    """
    if isinstance(hand, Hand) and win is not None and not facts:
        return score_win(hand, win, _rules(rules))
    hand_input = _given(hand, win, rules, facts)
    check_hand(hand_input)
    record = complete(hand_input.plan().guess)
    return score_win(record.hand, record.win, record.rules)


def plan(hand: HandLike, *, rules: RuleSet | str | None = None, language: str = "en", **facts: Any) -> Plan:
    """The open questions that can change the score, the most decisive first. ``facts`` as for :func:`score`.

    ``language``: of the questions, ``en`` or ``ja``.
    """
    return replace(_given(hand, None, rules, facts), language=language).plan()


def advise(
    hand: HandLike,
    *,
    rules: RuleSet | str | None = None,
    rivers: str | None = None,
    riichi_by: str | None = None,
    since: str | None = None,
    **facts: Any,
) -> Advice:
    """The advice for an unfinished hand: its shanten and the best discards. ``facts`` as for :func:`score`.

    ``rivers``: the discards of the others, from the right: ``9s1z/2p/4m6s``. ``riichi_by``: the players in
    riichi: ``right``, ``across``, ``left``. ``since``: the discards since then, or since the last of
    several. Each option has its risks.
    Raises :class:`tehai.Mistake` for a finished hand and for invalid tiles.

    >>> from tehai import advise
    >>> [str(option.discard.tile) for option in advise("123m456p78s112257z").best]
    ['5z', '7z']
    >>> advise("123m456p78s112257z", rivers="//7z9p", riichi_by="left").options[0].risks[0].reason
    <Reason.OWN_DISCARD: 'own_discard'>
    """
    hand_input = _given(hand, None, rules, facts)
    known = rivers_of(rivers, riichi_by, since, hand_input.hand_tiles, hand_input.opened.rules.players)
    advice = scoring.advice_on(hand_input, rivers=known)
    if advice is None:
        wrong = impossible_tiles(hand_input) if hand_input.hand_tiles.is_unfinished else ""
        raise Mistake(wrong or "There is nothing to advise: give 13 tiles, or 14 that are no finished hand.")
    return advice


def _given(hand: HandLike, win: Win | None, rules: RuleSet | str | None, facts: Record) -> HandInput:
    """The known facts of a hand in any of its forms."""
    hand_input = _tiles(hand)
    if rules is not None or not isinstance(hand, Mapping) or "rules" not in hand:
        rule_set_ = _rules(rules)
        hand_input = replace(hand_input, opened=hand_input.opened.under(rule_set_, rule_set_.id))
    said = {**({} if win is None else win.to_record()), **facts}
    hand_input = hand_input.with_facts(
        {name: list(v) if isinstance(v, tuple) else v for name, v in said.items()}
    )
    if wrong := contradicting_seats(said.get("dealer"), said.get("seat_wind")):
        raise Mistake(str(wrong[0]))
    return (
        hand_input if hand_input.reading is None else hand_input.as_played()
    )  # a set of tiles has what it has


def _tiles(hand: HandLike) -> HandInput:
    if isinstance(hand, Reading):
        return from_reading(hand)
    if isinstance(hand, str):
        return from_line(hand)
    if isinstance(hand, Hand):
        return nothing().with_facts(dict(hand.to_record()))
    return nothing().with_facts(dict(hand))


def _rules(rules: RuleSet | str | None) -> RuleSet:
    return rules if isinstance(rules, RuleSet) else rule_set(rules or DEFAULTS["rules"])
