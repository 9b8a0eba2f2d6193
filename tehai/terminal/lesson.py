"""A lesson on the terminal: tiles as small blocks that read without colours too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scorer.telling.catalogue import Catalogue
from scorer.telling.lesson import Lesson
from scorer.telling.sentence import Grid, Line, Step, Tiles, Value
from scorer.telling.short import short
from scorer.tiles import Tile
from tehai.terminal.flowing import Flowing
from tehai.terminal.show import tile_text

INDENT: Final = (0, 0, 0, 2)
_FEW = 4


def print_lesson(console: Console, lesson: Lesson, *, glossary: bool = True, words: bool = True) -> None:
    """The whole lesson, step by step, then its glossary unless nobody wants it (``words``: that alone)."""
    console.print()
    melds = [_groups((meld.tiles,), meld.turned) for meld in lesson.melds]
    console.print(Text("  ").join((_groups((lesson.concealed, lesson.last)), *melds)))
    console.print(Flowing(_worded(lesson, lesson.headline, "bold")))
    _print_words(console, lesson, lesson.words if glossary else ())
    for note in lesson.notes:
        console.print(Text(note, "dim"))
    for step in lesson.steps:
        _print_step(console, lesson, step if glossary else without_words(step))
    if glossary and words:
        _print_glossary(console, lesson)
    else:
        console.print()


_SHORT: Final = 12
"""Lines of a short lesson at most."""


def print_short(console: Console, lesson: Lesson) -> None:
    """The hand, what it is worth, why, and one thing to remember: at most 12 lines of 80 columns. What could
    have been chosen otherwise is left out where they would be more."""
    whole = _short(lesson, short(lesson))
    if sum(len(console.render_lines(one)) for one in whole) > _SHORT:
        whole = _short(lesson, short(lesson, choice=False))
    console.print()
    for one in whole:
        console.print(one)


def _short(lesson: Lesson, lines: Sequence[Line]) -> list[RenderableType]:
    melds = [_groups((meld.tiles,), meld.turned) for meld in lesson.melds]
    return [
        Text("  ").join((_groups((lesson.concealed, lesson.last)), *melds)),
        Flowing(_worded(lesson, lesson.headline, "bold")),
        *(Text(note, "dim") for note in lesson.notes[:1]),
        _lines(lesson.catalogue, lines),
    ]


def _print_step(console: Console, lesson: Lesson, step: Step) -> None:
    console.print()
    console.print(_worded(lesson, step.title, "bold underline"))
    _print_words(console, lesson, step.words)
    print_lines(console, lesson.catalogue, step.lines, step.grid)


def _print_words(console: Console, lesson: Lesson, words: Sequence[str]) -> None:
    """What the words of a heading mean, below it."""
    if words:
        console.print(Padding(Flowing(Text(lesson.catalogue.bracket(words), "dim")), INDENT))


def without_words(step: Step) -> Step:
    """The step for who knows the words."""
    return replace(step, words=(), lines=tuple(replace(line, words=()) for line in step.lines))


def print_lines(console: Console, catalogue: Catalogue, lines: Sequence[Line], grid: Grid | None) -> None:
    """Lines, each with its worth on the right, and below them a piece of a table."""
    console.print(_lines(catalogue, lines))
    if grid is not None:
        console.print(Padding(_grid(catalogue, grid), INDENT))


def _lines(catalogue: Catalogue, lines: Sequence[Line]) -> RenderableType:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(ratio=1)
    table.add_column(justify="right", no_wrap=True)
    for line in lines:
        table.add_row(
            Flowing(line_text(catalogue, line)),
            Text() if line.worth is None else wording(catalogue, line.worth, "bold"),
        )
    return Padding(table, INDENT)


def line_text(catalogue: Catalogue, line: Line) -> Text:
    """A line in one piece: few tiles stand before the sentence, many below it."""
    text = Text()
    if line.label is not None:
        text.append(catalogue.text(line.label), "bold").append("  ")
    text.append_text(wording(catalogue, line.sentence))
    if line.words:
        text.append(" ").append(catalogue.bracket(line.words), "dim")
    if line.cited is not None:
        text.append("  ").append_text(wording(catalogue, line.cited, "dim"))
    tiles = _groups(line.groups[:-1] if line.won else line.groups, line.turned)
    if line.won:
        tiles.append(" + ", "bold").append_text(blocks(line.groups[-1]))
    if not tiles:
        return text
    few = sum(map(len, line.groups)) <= _FEW
    return Text.assemble(tiles, "  ", text) if few else Text.assemble(text, "\n", tiles)


def _grid(catalogue: Catalogue, grid: Grid) -> RenderableType:
    table = Table(box=box.SIMPLE, pad_edge=False)
    for cell in grid.head:
        table.add_column(wording(catalogue, cell), justify="right")
    for at, row in enumerate(grid.rows):
        cells = [wording(catalogue, cell) for cell in row]
        if at == grid.marked[0]:
            marked = cells[grid.marked[1]]
            cells[grid.marked[1]] = Text.assemble("[", marked, "]", style="bold reverse")
        table.add_row(*cells)
    return table


def _print_glossary(console: Console, lesson: Lesson) -> None:
    console.print()
    console.print(_worded(lesson, lesson.glossary_title, "bold underline"))
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", overflow="fold")
    table.add_column(overflow="fold")
    for entry in lesson.glossary:
        read = entry.kana if lesson.catalogue.language == "ja" else entry.pronunciation
        others = Text(", ".join(entry.others))
        table.add_row(entry.name, others.append("  " if read and entry.others else "").append(read, "dim"))
    console.print(Padding(table, (0, 0, 1, 2)))


def _groups(groups: Iterable[Tiles], turned: Sequence[int] = ()) -> Text:
    return Text("  ").join(blocks(group, turned) for group in groups if group)


def blocks(tiles: Iterable[Tile], turned: Sequence[int] = ()) -> Text:
    """The tiles side by side; those at ``turned`` lie sideways."""
    return Text().join(tile_text(str(tile), at in turned) for at, tile in enumerate(tiles))


def _worded(lesson: Lesson, value: Value, style: str = "") -> Text:
    return wording(lesson.catalogue, value, style)


def wording(catalogue: Catalogue, value: Value, style: str = "") -> Text:
    """The value with its tiles as blocks."""
    text = Text(style=style)
    for piece in catalogue.pieces(value):
        text.append_text(Text(piece) if isinstance(piece, str) else blocks(piece))
    return text
