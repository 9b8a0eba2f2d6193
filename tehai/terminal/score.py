"""``tehai score``: a hand from a photo or as text, what is open asked, and its score printed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rich.console import Console

from scorer.asking.phrases import Phrases
from scorer.hand_tiles import FactSource
from scorer.tiles import Tile
from tehai.errors import InDoubt, Mistake
from tehai.flags.facts import FIELD_NAMES, Flags, facts_of
from tehai.hand import inputs, scoring
from tehai.hand.doubts import confidence_sentence
from tehai.hand.inputs import HandInput
from tehai.hand.notation import Record
from tehai.hand.rivers import others_seen
from tehai.hand.scoring import Outcome
from tehai.settings.options import known_language, vocabulary
from tehai.settings.preferences import chosen_rules, kept_rules
from tehai.terminal.advise import print_advice
from tehai.terminal.ask import ask_all, ask_rules
from tehai.terminal.doubts import ask_hand, hands_meant
from tehai.terminal.explain import Explanation, Reader, console_beside, for_everybody
from tehai.terminal.show import print_comparison, print_doubts, print_notes, print_score

if TYPE_CHECKING:
    from vision.reading import Region


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says. ``flags``: by record field, None where not given. ``rules``: a rule set, or
    several with commas between. ``region``: of the photo; ``tiles``: the whole line, instead of those read.
    ``defaults``: ask nothing; ``as_json``: nor print anything but JSON. ``explain``: a format of the lesson.
    ``language``: of the lesson, and of the questions. ``strict``: no score
    where the reading is in doubt. ``corrections``: of tiles by their positions, ``3=5p``.
    ``reader``: for whom lessons are."""

    flags: Flags
    rules: str | None = None
    terms: str | None = None
    region: str | None = None
    tiles: str | None = None
    defaults: bool = False
    as_json: bool = False
    explain: str | None = None
    language: str = "en"
    strict: bool = False
    corrections: Sequence[str] = ()
    reader: Reader = for_everybody

    @property
    def asks(self) -> bool:
        """Whether somebody is to be asked, and there."""
        return not self.as_json and not self.defaults and scoring.is_terminal()

    def rule_sets(self) -> list[str]:
        """Those to be shown side by side; the first is the hand's own."""
        return [name.strip() for name in self.rules.split(",")] if self.rules else []

    def facts(self) -> Record:
        """The record fields that are stated. Raises :class:`Mistake` for words that mean nothing."""
        if self.as_json and self.explain is not None:
            raise Mistake("--json and --explain each print the hand in a way: say one of them.")
        vocabulary(self.terms)
        known_language(self.language)
        facts = facts_of(self.flags)
        rules = self.rules.split(",")[0].strip() if self.rules is not None else kept_rules()
        if rules is not None:
            facts["rules"] = rules
        if self.terms is not None:
            facts["words"] = self.terms
        elif self.language == "ja" and not self.as_json and self.explain is None:
            facts["words"] = "kanji"
        return facts


def score(hand: str, options: Options, console: Console, write: Callable[[str], object]) -> None:
    """Print the score of a photo or of a typed hand. ``write`` takes a line of JSON.

    Raises :class:`Mistake` if there is no score, or if a question is open and nobody can answer. Raises
    :class:`InDoubt` for a doubtful reading under ``--strict``.
    """
    if options.asks and options.rules is None and chosen_rules() is None:
        options = replace(options, rules=ask_rules(console, options.language))
    facts = options.facts()
    region = None if options.region is None else inputs.parse_region(options.region)
    with inputs.mistakes_in(options.language):
        hand_input = _given(hand, facts, options, region)
    if options.strict and hand_input.is_in_doubt:
        raise _refused(hand_input, options, write)
    if options.asks and len(hands := hands_meant(hand_input)) > 1:
        meant = ask_hand(console, hands, options.language)
        hand_input = hand_input if meant is None else _given(hand, facts, options, meant)
        hand_input = hand_input.without_doubts("hand")
    _tell(hand_input, options, console)
    beside = options.rule_sets()
    if options.explain is not None:
        explanation = Explanation(options.explain, options.language, options.reader)
        if hand_input.hand_tiles.is_unfinished and not hand_input.hand_tiles.waits:
            explanation.tell(
                console, hand_input.opened, scoring.advice_assumed(hand_input), seen=others_seen(hand_input)
            )
        elif hand_input.hand_tiles.is_waiting:
            outcome = scoring.settle(hand_input)
            explanation.tell(console, scoring.lesson_record(hand_input, outcome.plan), outcome.headline_notes)
        else:
            outcome = _settled(hand_input, options, console)
            explanation.tell(console, outcome.hand_input.opened, outcome.headline_notes, beside)
        return
    outcome = _settled(hand_input, options, console)
    opened = outcome.hand_input.opened
    several = scoring.under(opened, beside) if len(beside) > 1 else {}
    if options.as_json:
        write(_json(outcome, several))
    elif several:
        print_comparison(console, opened, several, options.language)
        print_notes(console, [outcome.assumed])
    if several:
        return
    if outcome.problem:
        if options.as_json or outcome.advice is None:
            raise Mistake(" ".join((outcome.problem, *outcome.shown_notes)))
        print_advice(console, outcome.hand_input, others_seen(outcome.hand_input), reader=options.reader)
        said = (
            hand_input.opened.known.get("win_tile") is FactSource.ASKED
        )  # then what it would finish is told, too
        if said or outcome.result is None:
            raise Mistake(outcome.problem)
        raise Mistake(Phrases(options.language).of("summary", "unfinished"))
    if not options.as_json and outcome.result is not None:
        print_score(console, opened, outcome.result, options.language)
        print_notes(console, outcome.notes)


def _given(hand: str, facts: Record, options: Options, region: Region | None) -> HandInput:
    """The hand as the photo, the line and the flags have it."""
    hand_input = replace(inputs.from_argument(hand, region), language=options.language)
    if options.tiles is not None:
        if "=" in options.tiles:
            raise Mistake("--tiles is the whole line of tiles, such as “123m456p789s11z + 1z [p777z]”.")
        hand_input = hand_input.corrected(options.tiles)
    for correction in options.corrections:
        if "=" not in correction:
            raise Mistake(f"--set is position=tile, such as 3=5p, not “{correction}”.")
        hand_input = hand_input.corrected(correction)
    hand_input = hand_input.with_facts(
        {field: value for field, value in facts.items() if field != "win_tile"}, FIELD_NAMES
    )
    winning, typed = facts.get("win_tile"), hand_input.hand_tiles.win_tile
    named = typed is not None and hand_input.opened.known.get("win_tile") is FactSource.ASKED
    if named and winning not in (None, str(typed)):
        raise Mistake(f"--win {winning} and + {typed} name two winning tiles: drop one.")
    if winning is not None and hand_input.hand_tiles.concealed:
        hand_input = hand_input.won_on(Tile.parse(winning))
    return (
        hand_input if options.rule_sets()[1:] else hand_input.as_played()
    )  # of several some may play red fives


def _tell(hand_input: HandInput, options: Options, console: Console) -> None:
    """Prints what is in doubt: beside what is printed for a program, on standard error."""
    if options.as_json:
        return
    print_doubts(console_beside(console, options.explain), hand_input.doubt_sentences, options.language)


def _refused(hand_input: HandInput, options: Options, write: Callable[[str], object]) -> InDoubt:
    """Why there is no score for a reading in doubt; as JSON, too, where that is wanted."""
    doubt = " ".join(hand_input.doubt_sentences)
    if not doubt and hand_input.reading is not None and hand_input.reading.confidence is not None:
        # flags have settled the named doubts
        doubt = confidence_sentence(hand_input.reading.confidence, options.language)
    sentence = Phrases(options.language).of("doubt", "refused", what=doubt)
    if options.as_json:
        write(_json(replace(scoring.settle(hand_input), result=None, problem=sentence), {}))
    return InDoubt(sentence)


def _settled(hand_input: HandInput, options: Options, console: Console) -> Outcome:
    """The hand scored: asked about, or with a default for what is open where none is to be asked."""
    if options.asks:
        return scoring.settle(ask_all(console, hand_input))
    outcome = scoring.settle(hand_input)
    if outcome.plan.questions and not (options.as_json or options.defaults or outcome.problem):
        raise Mistake(scoring.missing_flags(outcome))
    return outcome


def _json(outcome: Outcome, several: Mapping[str, Any]) -> str:
    beside = {"by_rules": several} if several else {}
    return json.dumps({**outcome.to_record(), **beside}, ensure_ascii=False)
