"""An exercise: tiles, a question, the right answers, and an explanation."""

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
    """One answer and its credit: from 0 for nothing to 1 for all of it."""

    @property
    def right(self) -> Value:
        """The answer that earns 1."""

    @property
    def how(self) -> Sentence:
        """How to write an answer."""

    def credit(self, text: str) -> float:
        """The credit of a text. Raises :class:`UnclearAnswer` if it is no answer."""

    def apart(self, text: str) -> tuple[Line, ...]:
        """An answer with less than full credit, split into right, missed and wrong items."""


@dataclass(frozen=True, slots=True)
class Part:
    """One of the answers of an exercise. ``label``: its name; None if it is the only one."""

    answer: Answer
    label: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What an exercise shows: a tile to name, or a hand and the facts of its win.

    The tile is one of three: ``face``, the tile and its style in the atlas; ``cut``, from a user's photo;
    ``drawn``, our own drawing. ``concealed``: in the order to show. ``last``: the winning tile or None.
    ``facts``: the known facts.
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
        """The picture of the tile to name, 72 × 96 pixels."""
        return from_atlas(*self.face) if self.face is not None else self.cut


def lying(meld: Meld) -> Iterator[Tile | str]:
    """The tiles of a meld as they lie, the outer ones of a concealed kan face down (``BACK``)."""
    for at, tile in enumerate(meld.tiles):
        yield BACK if meld.type is MeldType.ANKAN and at in (0, 3) else tile


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of an explanation: a heading or None, lines, and a part of the score table or None."""

    lines: tuple[Line, ...]
    title: Sentence | None = None
    grid: Grid | None = None

    @classmethod
    def of(cls, step: Step) -> Passage:
        """The passage of a lesson's step."""
        return cls(step.lines, step.title, step.grid)


@dataclass(frozen=True, slots=True)
class Exercise:
    """An exercise. ``topic``: such as ``fu.wait``. ``explanation``: shown after the answer.

    ``origin``: the source of the hand, None if it was dealt.
    """

    topic: str
    question: Sentence
    shown: Shown
    parts: tuple[Part, ...]
    explanation: tuple[Passage, ...]
    origin: Sentence | None = None

    @property
    def level(self) -> str:
        """The id of the topic's level."""
        return self.topic.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an exercise: the credit of each part, None for one that the learner does not know.

    "I do not know" is no mistake: it counts as no answer, and the topic comes again soon.
    """

    earned: tuple[float | None, ...]

    @property
    def is_known(self) -> bool:
        """Whether every part was answered."""
        return None not in self.earned

    @property
    def credit(self) -> float | None:
        """The mean credit of the answered parts; None without any."""
        answered = [one for one in self.earned if one is not None]
        return sum(answered) / len(answered) if answered else None

    @property
    def is_right(self) -> bool:
        return self.is_known and self.credit == 1

    @property
    def verdict(self) -> str:
        """The message for the result."""
        credit = self.credit
        if credit is None:
            return "talk.unknown"
        if credit == 1:
            return "talk.right" if self.is_known else "talk.so_far"
        return "talk.partly" if credit else "talk.wrong"


@dataclass(frozen=True, slots=True)
class Setting:
    """How exercises are posed. ``rules``: their vocabulary is used; ``preset``: their id or file.

    ``fu_for_limits``: whether to ask for fu where they change nothing. ``counters``: whether there are
    counters and riichi sticks. ``colours``: whether pictures have colours; without, photos of red fives are
    not used.
    """

    rules: RuleSet
    preset: str = "ema2008"
    language: str = "en"
    fu_for_limits: bool = False
    counters: bool = False
    colours: bool = True
