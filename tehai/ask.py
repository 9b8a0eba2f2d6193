"""A talk on the terminal: correct the tiles, then answer what is open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from scorer.questions import Question, QuestionKind
from scorer.record import RecordError
from tehai.errors import Mistake
from tehai.gather import Given, check_hand, doubtful_positions
from tehai.notation import format_hand
from tehai.scoring import conclude
from tehai.show import numbered_line

T = TypeVar("T")

ONLY_VALUE = frozenset({"no_yaku", "below_minimum"})
"""Errors that say what a hand is worth, not that it is none."""


def ask_all(console: Console, given: Given) -> Given:
    """Everything that has to be known for the score. Raises :class:`Mistake` at the end of the input."""
    if given.reading is not None and given.record.get("concealed"):
        given = ask_tiles(console, given)
    check_hand(given)
    return ask_facts(console, given)


def ask_tiles(console: Console, given: Given) -> Given:
    """Show the line of tiles and take corrections until there is none."""
    console.print(numbered_line(given.record, doubtful_positions(given)))
    while True:
        trouble = _trouble(given)
        if trouble:
            console.print(Text(trouble, "yellow"))
        prompt = "Are these your tiles? Enter, or correct as 3=5p, or type the whole line"
        corrected = _ask(console, prompt, format_hand(given.record), given.corrected)
        if corrected is None:
            return given
        given = corrected
        console.print(numbered_line(given.record))


def _trouble(given: Given) -> str:
    """Why the tiles are no finished hand, however they were won; empty where they are one."""
    try:
        check_hand(given)
    except Mistake as mistake:
        return str(mistake)
    outcome = conclude(given)
    assert outcome.result is not None
    return "" if outcome.result.get("error") in ONLY_VALUE else outcome.problem


def ask_facts(console: Console, given: Given) -> Given:
    """The open questions one by one: an answer can open or settle others."""
    while True:
        question = next(iter(given.questions()), None)
        if question is None:
            return given
        console.print(_menu(question))
        fields = _ask(console, "›", question.default or "none", partial(_answer, question))
        given = given.told(question.answer("") if fields is None else fields)


def _menu(question: Question) -> RenderableType:
    """The question, why it is asked, and each answer with what the hand is worth then."""
    head = Text.assemble((question.text, "bold"), "  ", (question.why, "dim"))
    if question.kind is QuestionKind.TILES:
        return Group("", head, Text("  tiles such as 3m or 3m5z", "dim"))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", style="green", no_wrap=True)
    for choice in question.choices:
        table.add_row(
            choice.id, choice.label, "no yaku" if choice.points is None else f"{choice.points} points"
        )
    return Group("", head, table)


def _answer(question: Question, text: str) -> dict[str, Any]:
    """The fields of the answer; the beginning of a choice is enough, ``r`` for ``ron`` before ``ron1``."""
    typed = text.strip().casefold()
    begun = [
        choice.id
        for choice in question.choices
        if choice.id.casefold().startswith(typed) or choice.label.casefold().startswith(typed)
    ]
    shortest = min(begun, key=len, default=text)
    return question.answer(shortest if all(other.startswith(shortest) for other in begun) else text)


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
