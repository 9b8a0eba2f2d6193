"""The parts of a lesson: steps of lines, and sentences that have no language yet.

A sentence is the id of a message of the catalogue (:mod:`scorer.telling.catalogue`) and its values. Tiles
stay tiles, so that each output can draw them in its own way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from scorer.tiles import Tile
from scorer.yaku import DORA, YAKUMAN

Tiles: TypeAlias = tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """A term or yaku by its id in the glossary. Outputs use its name in the vocabulary of the rule set."""

    id: str


@dataclass(frozen=True, slots=True)
class Source:
    """A citation of a rule set: a document with sections, a colon, the content."""

    text: str


Value: TypeAlias = "int | str | Name | Source | tuple[Name, ...] | Tiles | Sentence"
"""Outputs print a text as it is, look up a :class:`Name`, list names and draw tiles."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """``kind``: the id of the message. ``values``: of its placeholders."""

    kind: str
    values: Mapping[str, Value] = field(default_factory=dict)


def say(kind: str, **values: Value) -> Sentence:
    """The sentence of that kind with these values."""
    return Sentence(kind, values)


class Unit(StrEnum):
    """The unit of the amount of a line."""

    HAN = "han"
    FU = "fu"
    POINTS = "points"
    CHIPS = "chips"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a lesson: a sentence, its groups of tiles, and the amount that it adds.

    ``label``: the yaku or terms of the line, or a proper name. ``source``: a citation. ``amount``: in
    ``unit``.
    ``total``: whether the amount is the sum of the lines before. ``won``: whether the last group is the
    winning tile, which finishes the group before it. ``drill``: the level of drills that practises it.
    ``words``: the ids of the terms to explain here, because the lesson uses them first here. ``turned``: the
    indices of the tiles of the only group that lie sideways.
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
        """The amount with its unit, or the name of a yakuman; None without an amount."""
        if self.amount is None or self.unit is None:
            return None
        dora = isinstance(self.label, Name) and self.label.id in DORA
        if self.unit is Unit.HAN and self.amount >= YAKUMAN and not dora:
            times = self.amount // YAKUMAN
            return Sentence("amount.yakuman" if times == 1 else "amount.yakumans", {"times": times})
        return Sentence(f"amount.{self.unit}", {"amount": self.amount})

    @property
    def yaku_explained(self) -> tuple[str, ...]:
        """The id of the yaku of the line, if the line explains its rule; otherwise empty."""
        rules = {
            self.sentence.kind,
            *(one.kind for one in self.sentence.values.values() if isinstance(one, Sentence)),
        }
        return (self.label.id,) if isinstance(self.label, Name) and f"rule.{self.label.id}" in rules else ()

    @property
    def cited(self) -> Sentence | None:
        """The source of the line, or None."""
        return Sentence("line.source", {"source": Source(self.source)}) if self.source else None


NO_CELL: Final = (-1, -1)
"""The marked cell of a table without one."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A part of a table: the column heads, the rows, and the marked cell as (row, column)."""

    head: tuple[Value, ...]
    rows: tuple[tuple[Value, ...], ...]
    marked: tuple[int, int] = NO_CELL


class StepKind(StrEnum):
    """The steps of a lesson in their order. The message ``step.<kind>`` is the heading."""

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
    """A step of a lesson: a heading, lines, and perhaps a part of a table.

    ``words``: the ids of the terms that heading and table use first.
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
