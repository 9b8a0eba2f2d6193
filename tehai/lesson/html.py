"""A lesson as HTML: one file without scripts, fonts or pictures from elsewhere, for light and dark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from scorer.lesson import Entry, Lesson
from scorer.sentence import Grid, Line, Step, Tiles, Value
from tehai.svg import sprite, use

STYLE = """\
.lesson { --ink: #1d2733; --soft: #5b6673; --paper: #f6f4ee; --card: #fff; --rule: #ddd8cc; --mark: #ffe9a8;
  color: var(--ink); font: 16px/1.5 system-ui, "Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP",
  sans-serif;
  max-width: 46rem; margin: 0 auto; padding: 1rem; }
@media (prefers-color-scheme: dark) { .lesson { --ink: #e8e4da; --soft: #a9a396; --paper: #16191d;
  --card: #20252b; --rule: #39404a; --mark: #5a4a12; color-scheme: dark; } }
.lesson h1 { font-size: 1.5rem; margin: .6rem 0 1rem; }
.lesson h2 { font-size: 1.05rem; margin: 0 0 .4rem; }
.lesson section { background: var(--card); border: 1px solid var(--rule); border-radius: .6rem;
  padding: .8rem 1rem; margin: 0 0 .8rem; break-inside: avoid; }
.lesson h1 .tile { height: 2rem; vertical-align: -.45rem; }
.lesson .line { display: flex; gap: 1rem; justify-content: space-between; align-items: center;
  padding: .25rem 0; }
.lesson .worth { font-weight: 600; white-space: nowrap; text-align: right; }
.lesson .group { display: inline-flex; flex-wrap: wrap; margin: 0 .5rem .15rem 0; vertical-align: middle; }
.lesson .tile { height: 2.5rem; width: auto; margin-right: 1px; }
.lesson .said .tile { height: 1.6rem; vertical-align: -.45rem; }
.lesson .whole .tile { height: 3.4rem; }
.lesson .wide { display: block; }
.lesson .source { color: var(--soft); font-size: .8rem; }
.lesson table { border-collapse: collapse; margin: .5rem 0 .2rem; font-variant-numeric: tabular-nums; }
.lesson th, .lesson td { border: 1px solid var(--rule); padding: .2rem .6rem; text-align: right; }
.lesson th { font-weight: 500; color: var(--soft); }
.lesson td.marked { background: var(--mark); font-weight: 700; }
.lesson dt { font-weight: 600; margin-top: .4rem; }
.lesson dd { margin: 0; }
.lesson .reading { color: var(--soft); font-weight: 400; }
@media (max-width: 30rem) { .lesson .tile { height: 1.9rem; } .lesson .whole .tile { height: 2.2rem; } }
"""
"""What :func:`fragment` is styled with; nothing outside of the class ``lesson`` is touched."""


def page(lesson: Lesson) -> str:
    """The lesson as a page of its own."""
    title = escape(lesson.text(lesson.headline))
    return (
        f'<!doctype html>\n<html lang="{lesson.catalogue.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>\n{STYLE}body {{ margin: 0; background: #f6f4ee; }}\n"
        "@media (prefers-color-scheme: dark) { body { background: #16191d; } }\n</style>\n</head>\n<body>\n"
        f"{fragment(lesson)}</body>\n</html>\n"
    )


def fragment(lesson: Lesson) -> str:
    """The lesson as an element of the class ``lesson`` for a page that has :data:`STYLE`."""
    return "".join(f"{part}\n" for part in _parts(lesson))


def _parts(lesson: Lesson) -> Iterator[str]:
    yield f'<article class="lesson" lang="{lesson.catalogue.language}">'
    yield sprite()
    hand = (lesson.concealed, lesson.last, *(meld.tiles for meld in lesson.melds))
    yield f'<div class="whole">{_groups(hand)}</div>'
    yield f"<h1>{_said(lesson, lesson.headline)}</h1>"
    for step in lesson.steps:
        yield from _step(lesson, step)
    yield f"<section><h2>{_said(lesson, lesson.glossary_title)}</h2>"
    yield "<dl>"
    yield from (_entry(entry) for entry in lesson.glossary)
    yield "</dl></section>"
    yield "</article>"


def _step(lesson: Lesson, step: Step) -> Iterator[str]:
    yield f'<section class="{step.kind}"><h2>{_said(lesson, step.title)}</h2>'
    yield from (_line(lesson, line) for line in step.lines)
    if step.grid is not None:
        yield from _grid(lesson, step.grid)
    yield "</section>"


def _line(lesson: Lesson, line: Line) -> str:
    label = f"<b>{_said(lesson, line.label)}</b> " if line.label is not None else ""
    source = f' <span class="source">{_said(lesson, line.cited)}</span>' if line.cited is not None else ""
    worth = f'<span class="worth">{_said(lesson, line.worth)}</span>' if line.worth is not None else ""
    told = f'<span class="said">{label}{_said(lesson, line.sentence)}{source}</span>'
    wide = ' class="wide"' if sum(map(len, line.groups)) > 4 else ""
    tiles = f"<span{wide}>{_groups(line.groups)}</span>"
    told = f"{told}{tiles}" if wide else f"{tiles}{told}"
    return f'<div class="line"><div>{told}</div>{worth}</div>'


def _grid(lesson: Lesson, grid: Grid) -> Iterator[str]:
    yield "<table>"
    yield _row("th", ((_said(lesson, cell), "") for cell in grid.head))
    for at, row in enumerate(grid.rows):
        marks = (' class="marked"' if (at, column) == grid.marked else "" for column in range(len(row)))
        yield _row("td", zip((_said(lesson, cell) for cell in row), marks, strict=True))
    yield "</table>"


def _row(element: str, cells: Iterable[tuple[str, str]]) -> str:
    return "<tr>" + "".join(f"<{element}{mark}>{cell}</{element}>" for cell, mark in cells) + "</tr>"


def _entry(entry: Entry) -> str:
    others = ", ".join((*(_word(name, entry) for name in entry.others), f"“{escape(entry.said)}”"))
    name = f'{_word(entry.name, entry)} <span class="reading">{others}</span>'
    return f"<dt>{name}</dt><dd>{escape(entry.means)}</dd>"


def _word(name: str, entry: Entry) -> str:
    """A name of a term, kanji with its reading above."""
    if name != entry.kanji:
        return escape(name)
    if entry.kana == entry.kanji:
        return f'<span lang="ja">{escape(name)}</span>'
    return f'<ruby lang="ja">{escape(name)}<rt>{escape(entry.kana)}</rt></ruby>'


def _groups(groups: Iterable[Tiles]) -> str:
    return "".join(f'<span class="group">{"".join(map(use, group))}</span>' for group in groups if group)


def _said(lesson: Lesson, value: Value) -> str:
    """The value as HTML, its tiles drawn."""
    return "".join(
        escape(piece) if isinstance(piece, str) else "".join(map(use, piece))
        for piece in lesson.catalogue.pieces(value)
    )
