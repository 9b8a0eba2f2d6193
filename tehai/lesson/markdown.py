"""A lesson as Markdown; tiles are mpsz text in code spans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scorer.telling.lesson import Lesson
from scorer.telling.sentence import Grid, Line, Tiles, Value
from scorer.tiles import format_tiles

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#])")


def markdown(lesson: Lesson) -> str:
    """The whole lesson, ending in a line break."""
    return "\n".join(_lines(lesson)) + "\n"


def _lines(lesson: Lesson) -> Iterator[str]:
    yield f"# {_wording(lesson, lesson.headline)}"
    yield ""
    melds = [_groups((meld.tiles,), meld.turned) for meld in lesson.melds]
    yield " ".join((_groups((lesson.concealed, lesson.last)), *melds))
    for note in filter(None, (lesson.catalogue.bracket(lesson.words), *lesson.notes)):
        yield ""
        yield _escaped(note)
    for step in lesson.steps:
        yield ""
        yield f"## {_wording(lesson, step.title)}"
        yield ""
        if step.words:
            yield _escaped(lesson.catalogue.bracket(step.words))
            yield ""
        yield from (f"- {_line(lesson, line)}" for line in step.lines)
        if step.grid is not None:
            yield ""
            yield from _grid(lesson, step.grid)
    yield ""
    yield f"## {_wording(lesson, lesson.glossary_title)}"
    yield ""
    for entry in lesson.glossary:
        sound = f"“{entry.pronunciation}”" if entry.pronunciation else ""
        names = ", ".join(filter(None, (*entry.others, entry.kana, sound)))
        yield f"- **{_escaped(entry.name)}**: {_escaped(names)}"


def _line(lesson: Lesson, line: Line) -> str:
    parts = []
    if line.label is not None:
        parts.append(f"**{_wording(lesson, line.label)}**")
    if line.won:
        parts.append(f"{_groups(line.groups[:-1])} + **{_groups(line.groups[-1:])}**")
    elif line.groups:
        parts.append(_groups(line.groups, line.turned))
    parts.append(_wording(lesson, line.sentence))
    if line.words:
        parts.append(_escaped(lesson.catalogue.bracket(line.words)))
    if line.worth is not None:
        parts.append(f"**{_wording(lesson, line.worth)}**")
    if line.cited is not None:
        parts.append(f"*({_wording(lesson, line.cited)})*")
    return " ".join(parts)


def _grid(lesson: Lesson, grid: Grid) -> Iterator[str]:
    yield _row(_wording(lesson, cell) for cell in grid.head)
    yield _row("--:" for _ in grid.head)
    for at, row in enumerate(grid.rows):
        cells = [_wording(lesson, cell) for cell in row]
        if at == grid.marked[0]:
            cells[grid.marked[1]] = f"**{cells[grid.marked[1]]}**"
        yield _row(cells)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _groups(groups: Iterable[Tiles], turned: Sequence[int] = ()) -> str:
    """The groups as mpsz; those that lie sideways bear a dash, as in ``7'77z``."""
    return " ".join(f"`{_typed(group, turned)}`" for group in groups if group)


def _typed(group: Tiles, turned: Sequence[int]) -> str:
    if not turned:
        return format_tiles(group)
    ranks = (str(tile)[0] + ("'" if at in turned else "") for at, tile in enumerate(group))
    return "".join(ranks) + group[0].suit


def _wording(lesson: Lesson, value: Value) -> str:
    return "".join(
        _escaped(piece) if isinstance(piece, str) else f"`{format_tiles(piece)}`"
        for piece in lesson.catalogue.pieces(value)
    )


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
