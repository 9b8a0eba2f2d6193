"""A talk on the terminal: correct the tiles, then answer what is open, one question at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scorer.asking.branches import Reach
from scorer.asking.phrases import Phrases
from scorer.asking.plan import Choice, Plan, Question, QuestionKind
from scorer.record import DEFAULTS, RecordError
from scorer.rules import load_rules, preset_ids
from tehai.errors import Mistake
from tehai.hand import doubts
from tehai.hand.inputs import HandInput, check_hand, inferred_facts
from tehai.hand.notation import format_hand
from tehai.hand.scoring import conclude
from tehai.settings.options import rule_set
from tehai.settings.preferences import use_rules
from tehai.terminal.show import numbered_line

T = TypeVar("T")

ONLY_VALUE = frozenset({"no_yaku", "below_minimum"})
"""Errors that say what a hand is worth, not that it is none."""

BACK, WHY = "<", "?"


class _GoBack(Exception):
    """The last answer is to be taken back."""


def ask_rules(console: Console, language: str) -> str:
    """Which rules are played: asked once, and kept; where nothing can be kept that is said, and they hold."""
    phrases, common = Phrases(language), str(DEFAULTS["rules"])
    console.print(_table((id_, load_rules(id_).named(language)) for id_ in preset_ids()))
    for said in ("common", "how"):
        console.print(Text(phrases.of("rules", said), "dim"))
    prompt = Text.assemble((phrases.of("rules"), "bold"), " ", (f"({common})", "cyan"), (" › ", "bold"))
    chosen = ask_until_right(console, prompt, _rules_named) or common
    try:
        use_rules(chosen)
    except Mistake as unkept:
        console.print(Text(str(unkept), "yellow"))
    return chosen


def _rules_named(text: str) -> str:
    """The one preset whose id or name begins like that, or a file of house rules. Raises :class:`Mistake`."""
    typed = text.casefold()
    names = {
        id_: (id_, rules.name.casefold(), rules.name_ja.casefold())
        for id_, rules in ((id_, load_rules(id_)) for id_ in preset_ids())
    }
    exact = [id_ for id_, known in names.items() if typed in known]
    begun = exact or [id_ for id_, known in names.items() if any(name.startswith(typed) for name in known)]
    named = begun[0] if len(begun) == 1 else text
    rule_set(named)
    return named


def ask_all(console: Console, hand_input: HandInput) -> HandInput:
    """Everything that has to be known for the score. Raises :class:`Mistake` at the end of the input."""
    has_line = hand_input.reading is not None and bool(hand_input.hand_tiles.concealed)
    while True:
        checked = ask_tiles(console, hand_input) if has_line else hand_input
        if checked.hand_tiles.is_unfinished and not checked.hand_tiles.waits:
            return checked  # there is nothing to ask about a hand that is not finished
        if not checked.hand_tiles.waits:
            check_hand(checked)
        try:
            return ask_facts(console, checked)
        except _GoBack:
            if not has_line:
                console.print(Text(Phrases(hand_input.language).of("asking", "first"), "yellow"))


def ask_tiles(console: Console, hand_input: HandInput) -> HandInput:
    """Show the line of tiles and take corrections until there is none."""
    phrases = Phrases(hand_input.language)

    def parse(text: str) -> HandInput:
        if text == WHY:
            console.print(Text(phrases.of("asking", "correct"), "dim"))
            raise Mistake("")
        return hand_input.corrected(text)

    console.print(
        numbered_line(
            hand_input.hand_tiles,
            doubts.positions(hand_input.reading, hand_input.hand_tiles, hand_input.doubts),
        )
    )
    while True:
        trouble = _trouble(hand_input)
        if trouble:
            console.print(Text(trouble, "yellow"))
        prompt = phrases.of("asking", "tiles")
        corrected = ask_until_right(
            console, Text.assemble((prompt, "bold"), " ", _bracketed(hand_input)), parse
        )
        if corrected is None:
            return hand_input
        hand_input = corrected
        console.print(numbered_line(hand_input.hand_tiles))


def _bracketed(hand_input: HandInput) -> tuple[str, str]:
    return f"[{format_hand(hand_input.hand_tiles)}]", "cyan"


def _trouble(hand_input: HandInput) -> str:
    """Why the tiles are no finished hand, however they were won; empty where they are one."""
    try:
        check_hand(hand_input)
    except Mistake as mistake:
        return str(mistake)
    outcome = conclude(hand_input)
    assert outcome.result is not None
    return "" if outcome.result.get("error") in ONLY_VALUE else outcome.problem


def ask_facts(console: Console, hand_input: HandInput) -> HandInput:
    """The open questions one by one: an answer can open or settle others."""
    before: list[HandInput] = []
    printed: set[str] = set()
    phrases = Phrases(hand_input.language)
    if waiting := hand_input.hand_tiles.waits:
        console.print(Text(phrases.of("asking", "waiting", tiles=" ".join(map(str, waiting)))))
    while True:
        plan = hand_input.plan()
        for fact in inferred_facts(hand_input, plan):
            if fact not in printed:
                console.print(Text(phrases.of("inferred", "said", what=fact), "dim"))
                printed.add(fact)
        question = plan.next_question
        if question is None:
            return _settled(console, hand_input, plan)
        if not before:
            many = len(plan.questions) + len(plan.last)
            intro = phrases.of("asking", "many" if many > 1 else "one", many=many)
            console.print(Text(f"{intro} {phrases.of('asking', 'help')}", "dim"))
        console.print(_standing(plan, phrases))
        try:
            answered = _ask_one(console, question, hand_input)
        except _GoBack:
            if not before:
                raise
            hand_input = before.pop()
        else:
            before.append(hand_input)
            hand_input = answered


def _settled(console: Console, hand_input: HandInput, plan: Plan) -> HandInput:
    """A hand of 13 whose every winning tile pays the same gets the first of them."""
    tile = plan.guess.hand_tiles.win_tile
    if not hand_input.hand_tiles.waits or plan.reach is None or tile is None:
        return hand_input
    console.print(Text(Phrases(hand_input.language).of("asking", "same", tile=tile), "dim"))
    return hand_input.won_on(tile)


def _ask_one(console: Console, question: Question, hand_input: HandInput) -> HandInput:
    phrases = Phrases(hand_input.language)
    effects = _effects(question, phrases, chips=bool(hand_input.opened.rules.chips))
    prompt = Text.assemble((question.text, "bold"), " ", (f"({_keys(question)})", "cyan"))
    if rare := _rare(question, phrases):
        console.print(Padding(rare, (0, 0, 0, 2)))
    if isinstance(effects, Text) and prompt.cell_len + effects.cell_len + 5 <= console.width:
        prompt.append(" ").append_text(effects)
    else:
        console.print(Padding(effects, (0, 0, 0, 2)))

    def parse(text: str) -> HandInput:
        if text == BACK:
            raise _GoBack
        if text == WHY:
            console.print(_reasons(question, phrases))
            raise Mistake("")
        nothing = question.kind is not QuestionKind.CHOICE and text.casefold() in ("-", "none", "no", "n")
        return hand_input.answered(question, "" if nothing else text)

    answered = ask_until_right(console, prompt.append(" › ", "bold"), parse)
    return hand_input.answered(question, "") if answered is None else answered


# --- a question in words ------------------------------------------------------------------------------------


def _standing(plan: Plan, phrases: Phrases) -> Text:
    """What the hand is worth by the best guess, and what it can still come to."""
    assert plan.reach is not None
    reach = plan.reach
    so_far, low, high = (_points(one, reach, phrases) for one in (reach.points, reach.low, reach.high))
    text = Text.assemble("\n", (phrases.of("asking", "so_far"), "dim"), (so_far, "green"))
    if reach.low < reach.high:
        text.append(phrases.of("asking", "between", low=low, high=high), "dim")
    return text


def _points(value: int, of: Choice | Reach, phrases: Phrases) -> str:
    """``"3,900"``; a hand without yaku is worth none, nor is one with too few han."""
    return f"{value:,}" if value else phrases.of("asking", "too_few" if of.too_few else "no_yaku")


def _common(question: Question) -> Sequence[Choice]:
    """The choices but for those that tell something rare besides."""
    if question.kind is not QuestionKind.CHOICE:
        return question.choices
    return [choice for choice in question.choices if not choice.marks] or question.choices


def _keys(question: Question) -> str:
    """What to type, the default in capitals: ``y/N``."""
    ids = sorted((choice.id for choice in _common(question)), key=lambda id_: id_ == "no")
    if question.kind is not QuestionKind.CHOICE or len(ids) > 4:
        return question.default or "none"
    if not all(id_.isalpha() for id_ in ids) or len({id_[0] for id_ in ids}) < len(ids):
        return question.default
    return "/".join(id_[0].upper() if id_ == question.default else id_[0].lower() for id_ in ids)


def _effects(question: Question, phrases: Phrases, *, chips: bool) -> RenderableType:
    """What each common answer leads to: on the line if it is short, else as a table. ``chips``: whether the
    rules have chips, which points do not show."""
    choices = _common(question)
    values = _values(choices, phrases)
    if question.kind is QuestionKind.SEVERAL:
        return _table((*_named(one), value) for one, value in zip(choices[1:], values[1:], strict=True))
    if question.kind is QuestionKind.TILES:
        steps = [f"{one.label} {value}" for one, value in zip(choices, values, strict=True)]
        return _joined([values[0], *steps[1 : 1 + _STEPS]])
    if len(set(values)) == 1:
        who = len({choice.payments for choice in choices}) > 1
        why = phrases.of("asking", "payers" if who else "chips" if chips else "others")
        return Text(phrases.of("asking", "either", points=values[0], why=why), "green")
    if len(choices) == 2:
        return Text(" → ".join(values), "green")
    grouped: dict[str, list[str]] = {}
    for choice, value in zip(choices, values, strict=True):
        grouped.setdefault(value, []).append(choice.id)
    if len(choices) > 4:
        return _table((value, " ".join(ids)) for value, ids in grouped.items())
    return _joined([f"{' '.join(ids)} {value}" for value, ids in grouped.items()])


def _rare(question: Question, phrases: Phrases) -> RenderableType | None:
    """What may be answered besides, one thing at a time; None where there is no such thing."""
    common = _common(question)
    single = [choice for choice in question.choices if choice not in common and len(choice.marks) == 1]
    if not single:
        return None
    named = (
        Text.assemble((_named(choice)[0], "cyan"), " ", (_points(choice.points, choice, phrases), "green"))
        for choice in single
    )
    return Columns([Text(phrases.of("asking", "or"), "dim"), *named], padding=(0, 2))


_STEPS = 3
"""How many numbers of dora to show; more are rare."""


def _values(choices: Sequence[Choice], phrases: Phrases) -> list[str]:
    """What each is worth, or between what where that is all that tells them apart."""
    values = [_points(choice.points, choice, phrases) for choice in choices]
    return values if len(set(values)) > 1 else [_span(choice, phrases) for choice in choices]


def _span(choice: Choice, phrases: Phrases) -> str:
    low, high = _points(choice.low, choice, phrases), _points(choice.high, choice, phrases)
    return low if choice.low == choice.high else f"{low}–{high}"


def _named(choice: Choice) -> tuple[str, str]:
    """What to type, and what it means."""
    return choice.id.replace("_", " ") or "none", choice.label.partition(": ")[2] or choice.label


def _joined(parts: Iterable[str]) -> Text:
    return Text(" · ".join(parts), "green")


def _table(rows: Iterable[tuple[str, ...]]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*row)
    for column, style in zip(table.columns, ("cyan", "", "green", "dim"), strict=False):
        column.style = style
        column.overflow = "fold"
    return table


def _reasons(question: Question, phrases: Phrases) -> RenderableType:
    """Why the question is asked, and between what the score lies after each answer."""
    rows = _table(
        (*_named(one), _points(one.points, one, phrases), _span(one, phrases)) for one in question.choices
    )
    return Group(Text(question.why), Padding(rows, (0, 0, 0, 2)))


def ask_until_right(console: Console, prompt: Text, parse: Callable[[str], T]) -> T | None:
    """One answer, asked again until it is one; None where Enter takes the default."""
    while True:
        try:
            text = console.input(prompt).strip()
        except EOFError:
            console.print()
            raise Mistake("The input ended before the hand was complete; answer, or add flags.") from None
        if not text:
            return None
        try:
            return parse(text)
        except (Mistake, RecordError) as mistake:
            if str(mistake):
                console.print(Text(str(mistake), "yellow"))
