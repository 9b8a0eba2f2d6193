"""A talk on the terminal: correct the tiles, then answer what is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rich.console import Console
from rich.text import Text

from scorer.questions import Question, QuestionKind, open_questions
from scorer.record import RecordError
from tehai.errors import Mistake
from tehai.gather import Given, check_size, doubtful_positions
from tehai.notation import format_hand
from tehai.show import numbered_line

T = TypeVar("T")


def ask_all(console: Console, given: Given) -> Given:
    """Everything that has to be known for the score. Raises :class:`Mistake` at the end of the input."""
    if given.reading is not None:
        given = ask_tiles(console, given)
    check_size(given.record)
    return ask_facts(console, given)


def ask_tiles(console: Console, given: Given) -> Given:
    """Show the line of tiles and take corrections until there is none."""
    console.print(numbered_line(given.record, doubtful_positions(given)))
    while True:
        try:
            check_size(given.record)
        except Mistake as mistake:
            console.print(Text(str(mistake), "yellow"))
        prompt = "Are these your tiles? Enter, or correct as 3=5p, or type the whole line"
        corrected = _ask(console, prompt, format_hand(given.record), given.corrected)
        if corrected is None:
            return given
        given = corrected
        console.print(numbered_line(given.record))


def ask_facts(console: Console, given: Given) -> Given:
    """The open questions one by one: an answer can open or settle others."""
    while True:
        question = next(iter(open_questions(given.record, given.known)), None)
        if question is None:
            return given
        fields = _ask(console, *_words(question), question.answer)
        given = given.told(question.answer("") if fields is None else fields)


def _words(question: Question) -> tuple[str, str]:
    """What is asked, and the default as a person says it."""
    if question.kind is QuestionKind.TILES:
        return f"{question.text} (indicators, such as 3m)", question.default or "none"
    choices = ", ".join(
        choice.id if choice.id == choice.label else f"{choice.id} = {choice.label}"
        for choice in question.choices
    )
    return f"{question.text} ({choices})", question.default


def _ask(console: Console, prompt: str, default: str, parse: Callable[[str], T]) -> T | None:
    """One answer, asked again until it is one; None where Enter takes the default."""
    while True:
        line = Text.assemble((prompt, "bold"), " ", (f"[{default}]", "cyan"), " ")
        try:
            text = console.input(line)
        except EOFError:
            console.print()
            raise Mistake("The input ended before the hand was complete; answer, or add flags.") from None
        if not text.strip():
            return None
        try:
            return parse(text)
        except (Mistake, RecordError) as mistake:
            console.print(Text(str(mistake), "yellow"))
