"""From what is given to a score: with questions, with defaults, or with nothing but what is open listed."""

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
from scorer.hand_tiles import FactSource
from scorer.open_record import OpenRecord
from scorer.payment import STICK
from scorer.record import score_record
from scorer.records import ResultRecord
from scorer.rules import RulesError, load_rules
from scorer.safety import River
from scorer.telling.advice import headline, risk_sentence
from scorer.telling.catalogue import Catalogue
from scorer.tiles import Tile
from tehai.errors import Mistake
from tehai.flags.facts import flags_for
from tehai.hand.inputs import Given, check_hand, inferred_facts
from tehai.hand.other_rules import NO_VALUE, under_other_rules

_OF_A_WIN: Final = ("riichi", "tsumo", "special", "win_tile")
"""What nobody takes for granted of a hand that waits."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A hand scored, or why not.

    ``result``: as in ``docs/hand.md``, None where the hand cannot even be put to the rules. ``plan``: what
    was open. ``problem``: one sentence, empty where there is a score.
    """

    given: Given
    result: ResultRecord | None
    plan: Plan
    problem: str = ""

    @property
    def summary(self) -> str:
        """What the score takes for granted: every fact that nobody named, and the rules."""
        rules = self.given.opened.rules.named(self.given.language)
        said = Phrases(self.given.language).of("summary", "rules", what=rules)
        return self.assumed + (" " if self.assumed and self.given.language == "en" else "") + said

    @property
    def assumed(self) -> str:
        """The facts alone, for several rule sets; empty where nothing is taken for granted."""
        phrases, told = Phrases(self.given.language), self.plan.questions
        if self.given.hand_tiles.is_waiting:  # how it will be won is told for each way
            told = tuple(question for question in told if question.field not in _OF_A_WIN)
        what = phrases.of("summary", "comma").join(assumed(told, phrases))
        return what and phrases.of("summary", "assumed", what=what)

    @property
    def elsewhere(self) -> str:
        """Where other common rules would score the hand otherwise; empty where they would not."""
        return under_other_rules(self.given.opened, self.result, self.given.language) if self.result else ""

    @property
    def extras(self) -> str:
        """What counters and riichi sticks add to the points; empty where nothing lies on the table."""
        opened, phrases = self.given.opened, Phrases(self.given.language)
        if self.result is None or self.result["status"] != "ok":
            return ""
        win, each, said = opened.win, opened.rules.honba_points, []
        if win.honba and each:
            said.append(phrases.of("summary", "counters", each=f"{each:,}", all=f"{each * win.honba:,}"))
        if win.riichi_sticks:
            said.append(phrases.of("summary", "sticks", all=f"{STICK * win.riichi_sticks:,}"))
        return (" " if self.given.language == "en" else "").join(said)

    @property
    def is_worthless(self) -> bool:
        """Whether the hand is one, but has no value."""
        return self.result is not None and self.result.get("error") in NO_VALUE

    @property
    def notes(self) -> tuple[str, ...]:
        """What stands beside a score or a lesson."""
        return tuple(filter(None, (self.extras, self.summary, self.elsewhere)))

    @property
    def beneath(self) -> tuple[str, ...]:
        """What stands under the headline of a lesson, which names the rules itself."""
        return tuple(filter(None, (self.assumed, self.elsewhere)))

    @property
    def told(self) -> tuple[str, ...]:
        """The notes where a hand is shown: a problem that is none of value stands alone."""
        return () if self.problem and not self.is_worthless else self.notes

    @property
    def advice(self) -> Advice | None:
        """What to do with a hand that is not finished; None for any other."""
        return self.advice_beside(())

    def advice_beside(self, rivers: Sequence[River], seen: Sequence[Tile] = ()) -> Advice | None:
        """The same where it is known what others have discarded, and what else is ``seen``."""
        is_scored = self.result is not None and self.result["status"] == "ok"
        return None if is_scored else advice_on(self.given, seen, rivers)

    def to_record(self, rivers: Sequence[River] = (), seen: Sequence[Tile] = ()) -> dict[str, Any]:
        """What ``tehai score --json`` prints. ``rivers``: what others have discarded, for the advice;
        ``seen``: what else lies in sight."""
        reading, reach, advice = self.given.reading, self.plan.reach, self.advice_beside(rivers, seen)
        return {
            "record": {**self.given.record, "known": self.given.known},
            "reading": None if reading is None else reading.to_record(),
            "result": self.result,
            "range": None if reach is None else {"low": reach.low, "high": reach.high},
            "inferred": inferred_facts(self.given, self.plan),
            "questions": [question.to_record() for question in self.plan.questions],
            "later": list(self.plan.later),
            "summary": self.summary,
            "elsewhere": self.elsewhere,
            **({"message": self.problem} if self.problem else {}),
            **({} if advice is None else {"advice": advice_record(advice, self.given)}),
        }


def is_terminal() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def advice_on(given: Given, seen: Sequence[Tile] = (), rivers: Sequence[River] = ()) -> Advice | None:
    """What to do with a hand that is not finished; None for one that is, and where the tiles are no hand's.

    ``seen``: tiles that lie in sight elsewhere; ``rivers``: what others have discarded.
    """
    hand_tiles = given.hand_tiles
    if not hand_tiles.is_unfinished:
        return None
    opened = given.opened
    win = replace(opened.whole_win, tsumo=False)
    try:
        return advise(hand_tiles.closed, hand_tiles.melds, win, opened.rules, seen=seen, rivers=rivers)
    except HandError:
        return None


def advice_record(advice: Advice, given: Given) -> dict[str, Any]:
    """The advice as JSON values, with the sentences that say it and each risk."""
    words = "kanji" if given.language == "ja" else given.opened.rules.words
    catalogue, record = Catalogue(given.language, words), advice.to_record()
    for option, told in zip(advice.options, record["discards"], strict=True):
        for risk, of_it in zip(option.risks, told["risks"], strict=True):
            of_it["text"] = catalogue.text(risk_sentence(risk))
    return {**record, "text": catalogue.text(headline(advice))}


def advice_assumed(given: Given) -> tuple[str, ...]:
    """What advice takes for granted: what nobody told of the seat, the round and the dora."""
    phrases, settled = Phrases(given.language), given.opened.settled
    taken = []
    if "seat_wind" not in settled and given.opened.dealer is None:
        taken.append(phrases.assumed("dealer", "no", ""))
    if "round_wind" not in settled:
        taken.append(phrases.assumed("round_wind", "E", ""))
    if "dora_indicators" not in settled:
        taken.append(phrases.assumed("dora_indicators", "none", ""))
    what = phrases.of("summary", "comma").join(taken)
    return (phrases.of("summary", "assumed", what=what),) if taken else ()


def settle(given: Given) -> Outcome:
    """The score with a default for everything open, and what was open."""
    try:
        check_hand(given)
    except Mistake as mistake:
        return Outcome(given, None, given.plan(), str(mistake))
    return conclude(given)


def conclude(given: Given) -> Outcome:
    """The score of the best guess: what follows, and a default for every other field that is not there."""
    plan = given.plan()
    result = score_record(plan.guess)
    phrases = Phrases(given.language)
    problem = "" if result["status"] == "ok" else phrases.error(result["error"], result["message"])
    return Outcome(replace(given, opened=plan.guess), result, plan, problem)


def to_tell(given: Given, plan: Plan) -> OpenRecord:
    """What a lesson is about: the best guess; of 13 tiles without a winning tile or a riichi that nobody
    named, since it tells what each would bring."""
    guess = plan.guess
    if not given.hand_tiles.is_waiting:
        return guess.put({"concealed": given.hand_tiles.concealed, "win_tile": given.hand_tiles.win_tile})
    declared = guess.win.riichi and guess.known.get("riichi") is not FactSource.DEFAULT
    return guess.put({"win_tile": None, "riichi": declared})


def under(opened: OpenRecord, rules: Sequence[str]) -> dict[str, ResultRecord]:
    """The results of one hand by rule set, in the order given. Raises :class:`Mistake` for unknown rules."""
    filled = opened.filled()
    try:
        return {name: score_record(filled.under(load_rules(name), name).as_played()) for name in rules}
    except RulesError as error:
        raise Mistake(str(error)) from None


def missing_flags(outcome: Outcome) -> str:
    """The flags that would have answered the open questions, as a sentence."""
    flags = ", ".join(flags_for(outcome.plan.questions, outcome.plan.last))
    return f"Nothing can be asked here, as this is no terminal: add {flags}; or --defaults, or --json."
