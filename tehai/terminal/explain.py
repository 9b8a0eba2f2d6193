"""A lesson to its reader: ``tehai score HAND --explain FORMAT``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rich.console import Console

from scorer import HandError, RecordError
from scorer.asking.phrases import Phrases
from scorer.open_record import OpenRecord
from scorer.safety import River
from scorer.telling.lesson import Lesson, with_explanations
from scorer.telling.sentence import StepKind
from scorer.tiles import Tile
from tehai.errors import Mistake
from tehai.lesson.hand import lesson_about
from tehai.lesson.html import page
from tehai.lesson.markdown import markdown
from tehai.terminal.lesson import print_lesson, print_short


def _json(lesson: Lesson) -> str:
    return json.dumps(lesson.to_record(), ensure_ascii=False) + "\n"


_WRITERS: Final[Mapping[str, Callable[[Lesson], str]]] = {"markdown": markdown, "html": page, "json": _json}

_LEFT_OUT: Final = frozenset({StepKind.HAND, StepKind.READINGS, StepKind.LUCK})
"""What a lesson of the middle length does not tell: how the sets lie, other readings, what luck would have
brought."""


def _middle(lesson: Lesson) -> Lesson:
    steps = (step for step in lesson.steps if step.kind not in _LEFT_OUT)
    return with_explanations(replace(lesson, steps=tuple(steps)))


_PRINTERS: Final[Mapping[str, Callable[[Console, Lesson], None]]] = {
    "short": print_short,
    "text": lambda console, lesson: print_lesson(console, _middle(lesson), words=False),
    "full": print_lesson,
}

FORMATS: Final = (*_PRINTERS, *_WRITERS)
"""Three lengths on the terminal, and the whole in other formats."""


def console_beside(console: Console, format_: str | None) -> Console:
    """Where to print what belongs to no lesson: beside one that is for a program, on standard error.
    ``format_``: of the lesson, None without one."""
    return console if format_ in (None, "text") else Console(stderr=True, highlight=False)


Reader = Callable[[Lesson], Lesson]
"""Makes of a lesson what its reader needs of it, by what was taught before."""


def for_everybody(lesson: Lesson) -> Lesson:
    """The whole lesson, for a reader of whom nothing is known."""
    return lesson


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a hand is explained: a format of :data:`FORMATS`, the language; ``reader``: for whom.

    Raises :class:`Mistake` for a format that there is not.
    """

    format: str
    language: str = "en"
    reader: Reader = for_everybody

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise Mistake(f"--explain is one of {', '.join(FORMATS)}, not “{self.format}”.")

    def tell(
        self,
        console: Console,
        opened: OpenRecord,
        notes: Sequence[str] = (),
        beside: Sequence[str] = (),
        seen: Sequence[Tile] = (),
        rivers: Sequence[River] = (),
    ) -> None:
        """Prints the lesson about a finished hand, or about one that is not yet.

        ``notes``: what stands under its headline. ``beside``: the rules to compare with. ``seen``: tiles that
        lie in sight elsewhere; ``rivers``: what others have discarded. Raises :class:`Mistake` where the
        record is no hand.
        """
        try:
            lesson = lesson_about(opened, self.language, beside, seen, rivers)
            lesson = self.reader(replace(lesson, notes=tuple(notes)))
        except RecordError as error:
            raise Mistake(Phrases(self.language).error(error.id, str(error))) from None
        except HandError as error:
            raise Mistake(Phrases(self.language).error(error.faults[0].id, str(error))) from None
        if self.format in _PRINTERS:
            _PRINTERS[self.format](console, lesson)
        else:
            console.file.write(_WRITERS[self.format](lesson))
