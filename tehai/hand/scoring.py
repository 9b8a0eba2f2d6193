"""Score the known facts of a hand, with defaults for the open ones."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from scorer import HandError
from scorer.advice import Advice, advise
from scorer.asking.assumed import assumed
from scorer.asking.phrases import Phrases
from scorer.asking.plan import Plan
from scorer.hand import Win
from scorer.hand_tiles import FactSource
from scorer.open_record import OpenRecord
from scorer.payment import STICK, gets_counters
from scorer.record import score_record
from scorer.records import ResultRecord
from scorer.rules import RulesError, load_rules
from scorer.safety import River
from scorer.telling.advice import headline, risk_sentence
from scorer.telling.catalogue import Catalogue
from scorer.tiles import Tile
from tehai.errors import Mistake
from tehai.flags.facts import flags_for
from tehai.hand.inputs import HandInput, check_hand, inferred_facts
from tehai.hand.other_rules import NO_VALUE, under_other_rules

_OF_A_WIN: Final = ("riichi", "tsumo", "special", "win_tile")
"""Questions whose defaults are no assumptions for a hand in tenpai."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The score of a hand, or why it has none.

    ``result``: as in ``docs/hand.md``; None if the tiles are no hand. ``plan``: the open questions.
    ``problem``: one sentence, empty if there is a score.
    """

    hand_input: HandInput
    result: ResultRecord | None
    plan: Plan
    problem: str = ""

    @property
    def summary(self) -> str:
        """The assumptions of the score and the rules, in one sentence each."""
        rules = self.hand_input.opened.rules.named(self.hand_input.language)
        said = Phrases(self.hand_input.language).of("summary", "rules", what=rules)
        return self.assumed + (" " if self.assumed and self.hand_input.language == "en" else "") + said

    @property
    def assumed(self) -> str:
        """The assumed facts without the rules; empty without assumptions."""
        phrases, questions = Phrases(self.hand_input.language), self.plan.questions
        if self.hand_input.hand_tiles.is_waiting:  # the output has every way of winning
            questions = tuple(question for question in questions if question.field not in _OF_A_WIN)
        what = phrases.of("summary", "comma").join(assumed(questions, phrases))
        return what and phrases.of("summary", "assumed", what=what)

    @property
    def other_rules_note(self) -> str:
        """The score under other common rules if it differs; otherwise empty."""
        return (
            under_other_rules(self.hand_input.opened, self.result, self.hand_input.language)
            if self.result
            else ""
        )

    @property
    def extras(self) -> str:
        """What honba and riichi sticks add to the points; empty without them."""
        opened, phrases = self.hand_input.opened, Phrases(self.hand_input.language)
        if self.result is None or self.result["status"] != "ok":
            return ""
        win, each, said = opened.win, opened.rules.honba_points, []
        paid = self.result["deltas"] is not None  # who pays, which is shown then, includes the counters
        gets = paid and not is_by_role(win)
        if win.honba and each and gets_counters(win, opened.rules):
            form = "counters_in" if paid else "counters"
            said.append(phrases.of("summary", form, each=f"{each:,}", all=f"{each * win.honba:,}"))
        if win.riichi_sticks:
            form = "sticks_in" if gets else "sticks"
            said.append(phrases.of("summary", form, all=f"{STICK * win.riichi_sticks:,}"))
        return (" " if self.hand_input.language == "en" else "").join(said)

    @property
    def has_no_value(self) -> bool:
        """Whether the hand is valid but has no value."""
        return self.result is not None and self.result.get("error") in NO_VALUE

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of a score or a lesson."""
        return tuple(filter(None, (self.extras, self.summary, self.other_rules_note)))

    @property
    def headline_notes(self) -> tuple[str, ...]:
        """The notes under the headline of a lesson, which already has the rules."""
        return tuple(filter(None, (self.assumed, self.other_rules_note)))

    @property
    def shown_notes(self) -> tuple[str, ...]:
        """The notes for the display of a hand. An invalid hand has none beside its problem."""
        return () if self.problem and not self.has_no_value else self.notes

    @property
    def advice(self) -> Advice | None:
        """The advice for an unfinished hand; None for any other."""
        return self.advice_beside(())

    def advice_beside(self, rivers: Sequence[River], seen: Sequence[Tile] = ()) -> Advice | None:
        """The advice with the known rivers of others and further visible tiles (``seen``)."""
        is_scored = self.result is not None and self.result["status"] == "ok"
        return None if is_scored else advice_on(self.hand_input, seen, rivers)

    def to_record(self, rivers: Sequence[River] = (), seen: Sequence[Tile] = ()) -> dict[str, Any]:
        """The output of ``tehai score --json``. ``rivers``: discards of others, for the advice; ``seen``:
        other visible tiles."""
        reading, reach, advice = self.hand_input.reading, self.plan.reach, self.advice_beside(rivers, seen)
        return {
            "record": {**self.hand_input.record, "known": self.hand_input.known},
            "reading": None if reading is None else reading.to_record(),
            "result": self.result,
            "range": None if reach is None else {"low": reach.low, "high": reach.high},
            "inferred": inferred_facts(self.hand_input, self.plan),
            "questions": [question.to_record() for question in self.plan.questions],
            "later": list(self.plan.later),
            "summary": self.summary,
            "elsewhere": self.other_rules_note,
            **({"message": self.problem} if self.problem else {}),
            **({} if advice is None else {"advice": advice_record(advice, self.hand_input)}),
        }


def is_by_role(win: Win) -> bool:
    """Whether the payments are shown by role, without what the winner gets: of a self-draw by a winner of
    unknown seat."""
    return win.tsumo and win.seat_wind is None and win.pao is None


def is_terminal() -> bool:
    """Whether input and output are a terminal, so that Tehai can ask."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def advice_on(
    hand_input: HandInput, seen: Sequence[Tile] = (), rivers: Sequence[River] = ()
) -> Advice | None:
    """The advice for an unfinished hand; None for a finished one and for impossible tiles.

    ``seen``: other visible tiles; ``rivers``: discards of others.
    """
    hand_tiles = hand_input.hand_tiles
    if not hand_tiles.is_unfinished:
        return None
    opened = hand_input.opened
    win = replace(opened.whole_win, tsumo=False)
    try:
        return advise(hand_tiles.closed, hand_tiles.melds, win, opened.rules, seen=seen, rivers=rivers)
    except HandError:
        return None


def advice_record(advice: Advice, hand_input: HandInput) -> dict[str, Any]:
    """The advice as JSON values, with a sentence for it and for each risk."""
    words = "kanji" if hand_input.language == "ja" else hand_input.opened.rules.words
    catalogue, record = Catalogue(hand_input.language, words), advice.to_record()
    for option, discard in zip(advice.options, record["discards"], strict=True):
        for risk, written in zip(option.risks, discard["risks"], strict=True):
            written["text"] = catalogue.text(risk_sentence(risk))
    return {**record, "text": catalogue.text(headline(advice))}


def advice_assumed(hand_input: HandInput) -> tuple[str, ...]:
    """The assumptions of advice: unknown seat, round and dora, in one sentence."""
    phrases, settled = Phrases(hand_input.language), hand_input.opened.settled
    taken = []
    if "seat_wind" not in settled and hand_input.opened.dealer is None:
        taken.append(phrases.assumed("dealer", "no", ""))
    if "round_wind" not in settled:
        taken.append(phrases.assumed("round_wind", "E", ""))
    if "dora_indicators" not in settled:
        taken.append(phrases.assumed("dora_indicators", "none", ""))
    what = phrases.of("summary", "comma").join(taken)
    return (phrases.of("summary", "assumed", what=what),) if taken else ()


def settle(hand_input: HandInput) -> Outcome:
    """The score with a default for every open fact, and the open questions."""
    try:
        check_hand(hand_input)
    except Mistake as mistake:
        return Outcome(hand_input, None, hand_input.plan(), str(mistake))
    return conclude(hand_input)


def conclude(hand_input: HandInput) -> Outcome:
    """The score of the best guess: inferred facts, and defaults for all other open ones."""
    plan = hand_input.plan()
    result = score_record(plan.guess)
    phrases = Phrases(hand_input.language)
    problem = "" if result["status"] == "ok" else phrases.error(result["error"], result["message"])
    return Outcome(replace(hand_input, opened=plan.guess), result, plan, problem)


def lesson_record(hand_input: HandInput, plan: Plan) -> OpenRecord:
    """The record for a lesson: the best guess. For 13 tiles it has no winning tile and no assumed riichi,
    because the lesson lists them all."""
    guess = plan.guess
    if not hand_input.hand_tiles.is_waiting:
        return guess.put(
            {"concealed": hand_input.hand_tiles.concealed, "win_tile": hand_input.hand_tiles.win_tile}
        )
    declared = guess.win.riichi and guess.known.get("riichi") is not FactSource.DEFAULT
    return guess.put({"win_tile": None, "riichi": declared})


def under(opened: OpenRecord, rules: Sequence[str]) -> dict[str, ResultRecord]:
    """The results of one hand by rule set, in order. Raises :class:`Mistake` for unknown rules."""
    filled = opened.filled()
    try:
        return {name: score_record(filled.under(load_rules(name), name).as_played()) for name in rules}
    except RulesError as error:
        raise Mistake(str(error)) from None


def missing_flags(outcome: Outcome) -> str:
    """A sentence with the flags that would answer the open questions."""
    flags = ", ".join(flags_for(outcome.plan.questions, outcome.plan.last))
    return f"Nothing can be asked here, as this is no terminal: add {flags}; or --defaults, or --json."
