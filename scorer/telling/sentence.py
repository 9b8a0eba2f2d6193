"""What a lesson is made of: sentences before they have a language, lines, steps.

A sentence is the id of a message of the catalogue (:mod:`scorer.telling.catalogue`) and the values that it
speaks of. Tiles stay tiles until the very end, so that each output draws them in its own way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from scorer.tiles import Tile
from scorer.yaku import YAKUMAN

Tiles: TypeAlias = tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """A term or yaku by its id in the glossary: said in the words of the rule set."""

    id: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where something is written, as a rule set cites it: a document with sections, a colon, what it says."""

    text: str


Value: TypeAlias = "int | str | Name | Source | tuple[Name, ...] | Tiles | Sentence"
"""A text is said as it is, a :class:`Name` looked up, a row of names listed, tiles drawn."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """``kind``: the id of the message. ``values``: what its placeholders stand for."""

    kind: str
    values: Mapping[str, Value] = field(default_factory=dict)


def say(kind: str, **values: Value) -> Sentence:
    """The sentence of that kind with these values."""
    return Sentence(kind, values)


class Unit(StrEnum):
    """What the amounts of lines count."""

    HAN = "han"
    FU = "fu"
    POINTS = "points"
    CHIPS = "chips"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing told: the sentence, the tiles it is about group by group, what it adds, where it is written.

    ``label``: the yaku or terms that the line is about, or a proper name. ``amount``: so many of ``unit``;
    ``total``: that is the sum of the lines before, and adds nothing itself. ``won``: whether the last group
    is the winning tile, which is set apart and finishes the one before it. ``drill``: the level of drills
    that practises it. ``words``: the terms that are explained here, as the lesson says them first here.
    ``turned``: the tiles of the only group that lie sideways, as they were called.
    """

    sentence: Sentence
    groups: tuple[Tiles, ...] = ()
    amount: int | None = None
    unit: Unit | None = None
    source: str = ""
    label: Name | tuple[Name, ...] | str | None = None
    won: bool = False
    total: bool = False
    drill: str = ""
    words: tuple[str, ...] = ()
    turned: tuple[int, ...] = ()

    @property
    def worth(self) -> Sentence | None:
        """The amount with its unit, a yakuman by its name, None where the line adds nothing."""
        if self.amount is None or self.unit is None:
            return None
        if self.unit is Unit.HAN and self.amount >= YAKUMAN:
            times = self.amount // YAKUMAN
            return Sentence("amount.yakuman" if times == 1 else "amount.yakumans", {"times": times})
        return Sentence(f"amount.{self.unit}", {"amount": self.amount})

    @property
    def yaku_explained(self) -> tuple[str, ...]:
        """The yaku that the line is about, where it tells what that asks for."""
        rules = {
            self.sentence.kind,
            *(one.kind for one in self.sentence.values.values() if isinstance(one, Sentence)),
        }
        return (self.label.id,) if isinstance(self.label, Name) and f"rule.{self.label.id}" in rules else ()

    @property
    def cited(self) -> Sentence | None:
        """Where the line is written, None where nowhere."""
        return Sentence("line.source", {"source": Source(self.source)}) if self.source else None


NO_CELL: Final = (-1, -1)
"""What is marked in a table of which every cell is meant."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A piece of a table: the heads of its columns, its rows, and the cell (row, column) that is meant."""

    head: tuple[Value, ...]
    rows: tuple[tuple[Value, ...], ...]
    marked: tuple[int, int] = NO_CELL


class StepKind(StrEnum):
    """The steps in the order in which they are told; each has its heading ``step.<kind>``."""

    HAND = "hand"
    WAIT = "wait"
    NO_YAKU = "no_yaku"
    YAKU = "yaku"
    DORA = "dora"
    FU = "fu"
    LOOKUP = "lookup"
    PAYMENT = "payment"
    DISTANCE = "distance"
    DISCARD = "discard"
    SAFETY = "safety"
    TURNS = "turns"
    WAITS = "waits"
    BLOCKS = "blocks"
    FURITEN = "furiten"
    READINGS = "readings"
    CHOICE = "choice"
    LUCK = "luck"
    RULES = "rules"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class Step:
    """A heading, its lines, and where one is looked up a piece of the table.

    ``words``: the terms that heading and table say first.
    """

    kind: StepKind
    lines: tuple[Line, ...]
    grid: Grid | None = None
    words: tuple[str, ...] = ()

    @property
    def title(self) -> Sentence:
        return Sentence(f"step.{self.kind}")

    def total(self, unit: Unit) -> int:
        """The sum of the amounts that count ``unit``."""
        adding = (line for line in self.lines if line.unit is unit and not line.total)
        return sum(line.amount for line in adding if line.amount is not None)
