"""A lesson in a few lines: the value of the hand, its reasons, and one thing to remember."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from scorer.telling.lesson import Lesson
from scorer.telling.sentence import Line, Sentence, StepKind, Unit, say

_WHY: Final = {
    StepKind.NO_YAKU: 2,
    StepKind.FURITEN: 2,
    StepKind.PAYMENT: 2,
    StepKind.DISCARD: 1,
    StepKind.CHOICE: 1,
    StepKind.NEXT: 1,
}
"""The steps of a short lesson, with the most lines of each."""


def short(lesson: Lesson, *, choice: bool = True) -> tuple[Line, ...]:
    """The lines under the headline: the yaku with their han, who pays, and what to look for next time.

    ``choice``: whether to include what the player could have chosen otherwise.
    """
    return tuple(replace(line, words=(), source="") for line in _lines(lesson, choice))


def _lines(lesson: Lesson, choice: bool) -> Iterator[Line]:
    score = lesson.score
    if score is not None:
        named = ((name, line) for step in lesson.steps for line in step.lines if (name := line.label))
        earned = [
            say("short.yaku", name=name, amount=line.worth)
            for name, line in named
            if line.unit is Unit.HAN and line.amount and line.worth is not None
        ]
        joined = earned[0]
        for one in earned[1:]:
            joined = say("short.and", first=joined, then=one)
        yield Line(joined)
    for kind, many in _WHY.items():
        if (score is not None and kind is StepKind.FURITEN) or (kind is StepKind.CHOICE and not choice):
            continue
        step = lesson.step(kind)
        lines = [line for line in step.lines if line.sentence.kind not in _KNOWN] if step else []
        if kind is StepKind.PAYMENT:
            lines = _payers(lines, lesson.rules.players - 1)
        yield from map(_bare, lines[:many])


_KNOWN: Final = frozenset({"no_yaku.finished", "discard.equals"})
"""Lines that repeat the headline."""


def _payers(lines: Sequence[Line], others: int) -> list[Line]:
    """The payments, with equal ones in one line. ``others``: the number of other players."""
    payers = [line for line in lines if line.sentence.kind.startswith(_PAYS)]
    each = [share for line in payers for share in _shares(line)]
    if len(each) < others or any(map(_is_liable, payers)):
        return payers
    least, most = min(each), max(each)
    of_dealer = say("short.dealer" if others > 2 else "short.dealer_three", points=most)
    one_line = say("short.each") if least == most else of_dealer
    of = payers[0].sentence.values
    if "counters" in of:
        one_line = say("short.counters", sentence=one_line, points=of["points"], counters=of["counters"])
    return [Line(one_line, amount=least, unit=Unit.POINTS)]


_PAYS: Final = ("payment.pays", "payment.others")


def _shares(line: Line) -> tuple[int, ...]:
    """What each payer of the line pays."""
    assert line.amount is not None
    each = line.sentence.values.get("each")
    return (each,) * (line.amount // each) if isinstance(each, int) else (line.amount,)


def _is_liable(line: Line) -> bool:
    who = line.sentence.values.get("who")
    return isinstance(who, Sentence) and who.kind == "payment.liable"


def _bare(line: Line) -> Line:
    """The line without its tiles. A line about riichi loses the part about ippatsu and ura dora."""
    sentence = line.sentence
    if sentence.kind in ("riichi.luck", "riichi.gone"):
        inner = sentence.values["sentence"]
        assert isinstance(inner, Sentence)
        sentence = inner
    if sentence.kind == "riichi.more":
        sentence = say("short.riichi", worth=sentence.values["worth"], more=sentence.values["more"])
    return replace(line, sentence=sentence, groups=())
