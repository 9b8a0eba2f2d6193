"""A lesson as HTML: one file without scripts, fonts or pictures from elsewhere, for light and dark.

:func:`document`, :func:`wording`, :func:`statement` and :func:`grid` make pages of whatever else the
catalogue says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from scorer.svg import sprite, use
from scorer.telling.catalogue import Catalogue
from scorer.telling.lesson import Entry, Lesson
from scorer.telling.sentence import Grid, Line, Step, Tiles, Value
from scorer.tiles import Tile

PIECES: Final = """\
.lesson { color: var(--ink); font: 16px/1.5 system-ui, "Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP",
  sans-serif; }
.lesson .line { display: flex; gap: 1rem; justify-content: space-between; align-items: center;
  padding: .25rem 0; }
.lesson .worth { font-weight: 600; white-space: nowrap; text-align: right; }
.lesson .group { display: inline-flex; flex-wrap: wrap; margin: 0 .5rem .15rem 0; vertical-align: middle; }
.lesson .won { outline: 2px solid var(--soft); outline-offset: 2px; border-radius: 4px; }
.lesson .tile { height: 2.5rem; width: auto; margin-right: 1px; }
.lesson .said .tile { height: 1.6rem; vertical-align: -.45rem; }
.lesson .words { font-size: .85rem; font-weight: 400; }
.lesson details.word { display: inline-block; margin: 0 .25rem; }
.lesson details.word[open] { display: block; }
.lesson summary { cursor: pointer; }
.lesson details.word > summary { min-height: 1.5rem; text-decoration: underline dotted; color: var(--soft); }
.lesson .source { color: var(--soft); font-size: .8rem; }
.lesson table { border-collapse: collapse; margin: .5rem 0 .2rem; font-variant-numeric: tabular-nums; }
.lesson th, .lesson td { border: 1px solid var(--rule); padding: .2rem .6rem; text-align: right; }
.lesson th { font-weight: 500; color: var(--soft); }
.lesson td.marked { background: var(--mark); font-weight: 700; }
"""
"""What :func:`wording`, :func:`statement` and :func:`grid` are styled with, inside of the class ``lesson``.

The page says the colours: ``--ink``, ``--soft``, ``--rule`` of tables, ``--mark`` of the cell that is meant.
"""

STYLE: Final = (
    """\
.lesson { --ink: #1d2733; --soft: #5b6673; --paper: #f6f4ee; --card: #fff; --rule: #ddd8cc; --mark: #ffe9a8;
  max-width: 46rem; margin: 0 auto; padding: 1rem; }
@media (prefers-color-scheme: dark) { .lesson { --ink: #e8e4da; --soft: #a9a396; --paper: #16191d;
  --card: #20252b; --rule: #39404a; --mark: #5a4a12; color-scheme: dark; } }
"""
    + PIECES
    + """\
.lesson h1 { font-size: 1.5rem; margin: .6rem 0 1rem; }
.lesson h2 { font-size: 1.05rem; margin: 0 0 .4rem; }
.lesson section { background: var(--card); border: 1px solid var(--rule); border-radius: .6rem;
  padding: .8rem 1rem; margin: 0 0 .8rem; break-inside: avoid; }
.lesson h1 .tile { height: 2rem; vertical-align: -.45rem; }
.lesson .whole .tile { height: 3.4rem; }
.lesson > details { padding: .2rem 1rem .8rem; }
.lesson > details > summary { font-size: 1.05rem; font-weight: 700; }
.lesson dt { font-weight: 600; margin-top: .4rem; }
.lesson dd { margin: 0; }
.lesson .reading { color: var(--soft); font-weight: 400; }
@media (max-width: 30rem) { .lesson .tile { height: 1.9rem; } .lesson .whole .tile { height: 2.2rem; } }
"""
)
"""What :func:`fragment` is styled with; nothing outside of the class ``lesson`` is touched."""

_FEW: Final = 4
"""Tiles that stand beside a sentence; more stand below it."""


def page(lesson: Lesson) -> str:
    """The lesson as a page of its own."""
    style = (
        f"{STYLE}body {{ margin: 0; background: #f6f4ee; }}\n"
        "@media (prefers-color-scheme: dark) { body { background: #16191d; } }\n"
    )
    return document(
        lesson.catalogue.language, lesson.text(lesson.headline), style, fragment(lesson), "light dark"
    )


def document(language: str, title: str, style: str, body: str, schemes: str = "only light") -> str:
    """A page. ``body``: HTML; ``schemes``: the colour schemes that ``style`` knows."""
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="{schemes}">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def fragment(lesson: Lesson) -> str:
    """The lesson as an element of the class ``lesson`` for a page that has :data:`STYLE`."""
    return "".join(f"{part}\n" for part in _parts(lesson))


def _parts(lesson: Lesson) -> Iterator[str]:
    catalogue = lesson.catalogue
    yield f'<article class="lesson" lang="{catalogue.language}">'
    yield sprite()
    melds = "".join(_groups((meld.tiles,), turned=meld.turned) for meld in lesson.melds)
    yield f'<div class="whole">{_groups((lesson.concealed, lesson.last))}{melds}</div>'
    yield f"<h1>{wording(catalogue, lesson.headline)}</h1>"
    yield _explanations(lesson.explained(lesson.words))
    yield from (f'<p class="note">{escape(note)}</p>' for note in lesson.notes)
    for step in lesson.steps:
        yield from _step(lesson, step)
    yield f"<details><summary>{wording(catalogue, lesson.glossary_title)}</summary>"
    yield "<dl>"
    yield from (_entry(entry) for entry in lesson.glossary)
    yield "</dl></details>"
    yield "</article>"


def _step(lesson: Lesson, step: Step) -> Iterator[str]:
    catalogue = lesson.catalogue
    yield f'<section class="{step.kind}"><h2>{wording(catalogue, step.title)}</h2>'
    yield _explanations(lesson.explained(step.words))
    yield from (statement(catalogue, line, lesson.explained(line.words)) for line in step.lines)
    if step.grid is not None:
        yield grid(catalogue, step.grid)
    yield "</section>"


def _explanations(entries: Sequence[Entry]) -> str:
    """The words that are said here first, each to be touched for what it means; without a script."""
    if not entries:
        return ""
    words = "".join(
        f'<details class="word"><summary>{escape(entry.name)}</summary>'
        f"<span>{escape(entry.means)}</span></details>"
        for entry in entries
    )
    return f'<div class="words">{words}</div>'


def statement(catalogue: Catalogue, line: Line, words: Sequence[Entry] = ()) -> str:
    """A line of an explanation: its tiles, what is said of them, what it is worth.

    ``words``: those that it says first.
    """
    label = f"<b>{wording(catalogue, line.label)}</b> " if line.label is not None else ""
    source = (
        f' <span class="source">{wording(catalogue, line.cited)}</span>' if line.cited is not None else ""
    )
    worth = f'<span class="worth">{wording(catalogue, line.worth)}</span>' if line.worth is not None else ""
    text = f'<span class="said">{label}{wording(catalogue, line.sentence)}{source}</span>'
    tiles = _groups(line.groups, won=line.won, turned=line.turned)
    parts = (text, f"<div>{tiles}</div>") if sum(map(len, line.groups)) > _FEW else (tiles, text)
    return f'<div class="line"><div>{"".join(parts)}{_explanations(words)}</div>{worth}</div>'


def grid(catalogue: Catalogue, grid: Grid) -> str:
    """A piece of a table, the cell that is meant marked."""
    marked = {grid.marked: ' class="marked"'}
    rows = ["".join(f"<th>{wording(catalogue, cell)}</th>" for cell in grid.head)]
    for at, row in enumerate(grid.rows):
        cells = ((marked.get((at, column), ""), wording(catalogue, cell)) for column, cell in enumerate(row))
        rows.append("".join(f"<td{mark}>{text}</td>" for mark, text in cells))
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def wording(catalogue: Catalogue, value: Value) -> str:
    """The value as HTML, its tiles drawn."""
    return "".join(
        escape(piece) if isinstance(piece, str) else drawn(piece) for piece in catalogue.pieces(value)
    )


def drawn(tiles: Iterable[Tile | str], turned: Sequence[int] = ()) -> str:
    """The tiles side by side, of a page that has their :func:`scorer.svg.sprite`.

    ``turned``: those that lie sideways, by their places.
    """
    return "".join(use(tile, at in turned) for at, tile in enumerate(tiles))


def _groups(groups: Iterable[Tiles], *, won: bool = False, turned: Sequence[int] = ()) -> str:
    """The groups side by side; ``won``: the last one is the winning tile, and marked."""
    spans = [f'<span class="group">{drawn(group, turned)}</span>' for group in groups if group]
    if won:
        spans[-1] = spans[-1].replace('class="group"', 'class="group won"', 1)
    return "".join(spans)


def _entry(entry: Entry) -> str:
    sound = [f"“{escape(entry.pronunciation)}”"] if entry.pronunciation else []
    others = ", ".join([*(_word(name, entry) for name in entry.others), *sound])
    name = f'{_word(entry.name, entry)} <span class="reading">{others}</span>'
    return f"<dt>{name}</dt><dd>{escape(entry.means)}</dd>"


def _word(name: str, entry: Entry) -> str:
    """A name of a term, kanji with its reading above."""
    if name != entry.kanji:
        return escape(name)
    if entry.kana in ("", entry.kanji):
        return f'<span lang="ja">{escape(name)}</span>'
    return f'<ruby lang="ja">{escape(name)}<rt>{escape(entry.kana)}</rt></ruby>'
