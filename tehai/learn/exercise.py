"""An exercise: what lies on the table, what is asked, the answers that are right, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from scorer.hand import Meld, MeldType
from scorer.rules import RuleSet
from scorer.svg import BACK
from scorer.telling.sentence import Grid, Line, Sentence, Step, Tiles, Value
from scorer.tiles import Tile
from tehai.learn.pictures import from_atlas

if TYPE_CHECKING:
    from PIL.Image import Image as Picture


class Answer(Protocol):
    """One thing asked for, and what it earns: 1 for all of it, 0 for nothing, and parts of it between."""

    @property
    def right(self) -> Value:
        """What would have earned 1."""

    @property
    def how(self) -> Sentence:
        """How an answer is written."""

    def credit(self, text: str) -> float:
        """What the text earns. Raises :class:`UnclearAnswer` where it is no answer."""

    def apart(self, text: str) -> tuple[Line, ...]:
        """An answer that earned less than 1 taken apart: what is right, what it missed, what is wrong."""


@dataclass(frozen=True, slots=True)
class Part:
    """An answer that is asked for. ``label``: which, None where the question asks for one thing alone."""

    answer: Answer
    label: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What lies there: a tile to be named, or a hand and what is known of its win.

    ``face``: the tile and the style in which the atlas shows it, or ``cut``: from a photo of the user's;
    ``drawn``: the tile, where that is our own drawing of it.
    ``concealed``: in the order to show them; ``last``: the winning tile or none. ``facts``: what is known.
    """

    face: tuple[Tile, int] | None = None
    cut: Picture | None = None
    drawn: Tile | None = None
    concealed: Tiles = ()
    last: Tiles = ()
    melds: tuple[Meld, ...] = ()
    facts: tuple[Sentence, ...] = ()

    @property
    def picture(self) -> Picture | None:
        """What there is to be named, 72 × 96 pixels."""
        return from_atlas(*self.face) if self.face is not None else self.cut


def lying(meld: Meld) -> Iterator[Tile | str]:
    """The tiles of a meld as they lie, the outer ones of a concealed kan face down (``BACK``)."""
    for at, tile in enumerate(meld.tiles):
        yield BACK if meld.type is MeldType.ANKAN and at in (0, 3) else tile


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of an explanation: a heading or none, lines, and a piece of the table or none."""

    lines: tuple[Line, ...]
    title: Sentence | None = None
    grid: Grid | None = None

    @classmethod
    def of(cls, step: Step) -> Passage:
        """The step of a lesson."""
        return cls(step.lines, step.title, step.grid)


@dataclass(frozen=True, slots=True)
class Exercise:
    """``topic``: what it trains, as ``fu.wait``. ``explanation``: told after the answer.

    ``origin``: whose hand it is, None where it was dealt for the exercise.
    """

    topic: str
    question: Sentence
    shown: Shown
    parts: tuple[Part, ...]
    explanation: tuple[Passage, ...]
    origin: Sentence | None = None

    @property
    def level(self) -> str:
        """The id of the level that the topic is of."""
        return self.topic.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an exercise: what each part earned, None for one that the learner does not know.

    Not to know is no mistake: it earns nothing and costs nothing, and the topic comes again soon.
    """

    earned: tuple[float | None, ...]

    @property
    def is_known(self) -> bool:
        """Whether every part was answered."""
        return None not in self.earned

    @property
    def credit(self) -> float | None:
        """What the parts that were answered earn together, their mean; None where none was."""
        answered = [one for one in self.earned if one is not None]
        return sum(answered) / len(answered) if answered else None

    @property
    def is_right(self) -> bool:
        return self.is_known and self.credit == 1

    @property
    def verdict(self) -> str:
        """The message that says how it went."""
        credit = self.credit
        if credit is None:
            return "talk.unknown"
        if credit == 1:
            return "talk.right" if self.is_known else "talk.so_far"
        return "talk.partly" if credit else "talk.wrong"


@dataclass(frozen=True, slots=True)
class Setting:
    """How drills are posed. ``rules``: in whose words they speak; ``preset``: their id or file.

    ``fu_for_limits``: whether minipoints are asked for where they change nothing. ``counters``: whether
    counters and bets are on the table. ``colours``: whether pictures show them; without, no red five can be
    told in a photo.
    """

    rules: RuleSet
    preset: str = "ema2008"
    language: str = "en"
    fu_for_limits: bool = False
    counters: bool = False
    colours: bool = True
