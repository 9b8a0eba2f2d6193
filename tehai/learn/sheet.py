"""Exercises on paper: a page of questions with room to write, and its key for the teacher, as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from scorer.hand import Meld, MeldType
from scorer.sentence import Grid, Line, Sentence, Value, say
from scorer.tiles import Tile
from tehai.learn.exercise import Exercise, Part, Shown, Told
from tehai.learn.levels import LEVELS, title
from tehai.learn.pictures import data_uri
from tehai.learn.texts import Texts
from tehai.svg import BACK, sprite, use

STYLE: Final = """\
body { margin: 0 auto; padding: 1.2rem; max-width: 48rem; background: #fff; color: #1b1b1b;
  font: 1rem/1.45 system-ui, sans-serif; }
h1 { font-size: 1.3rem; margin: 0; }
h2 { font-size: 1rem; margin: 1.4rem 0 .2rem; border-bottom: 1px solid #bbb; }
.meta { color: #555; font-size: .9rem; margin: .2rem 0 1rem; }
.name { display: flex; gap: 2rem; margin: .8rem 0; }
.name span { flex: 1; border-bottom: 1px solid #777; }
ol { padding: 0; margin: 0; list-style: none; }
ol.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0 1.5rem; }
ol > li { break-inside: avoid; margin: 0 0 1.1rem; padding-left: 2.2rem; position: relative; }
ol > li > b:first-child { position: absolute; left: 0; }
.hand { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .2rem 0; }
.hand small { display: block; color: #555; font-size: .75rem; }
.tile { height: 2.5rem; width: auto; margin-right: 1px; vertical-align: middle; }
.said .tile, li p .tile, .fact .tile { height: 1.6rem; }
img, .drawn .tile { height: 6rem; width: auto; }
p { margin: .15rem 0; }
.fact { color: #333; font-size: .92rem; }
.part { display: flex; gap: .8rem; align-items: end; margin: .45rem 0 0; }
.part .line { flex: 1; border-bottom: 1px solid #777; min-height: 1.3rem; }
.how { color: #555; font-size: .85rem; }
.right { font-weight: 700; }
.why { color: #333; font-size: .88rem; margin-left: .8rem; }
.why .tile { height: 1.35rem; }
table { border-collapse: collapse; margin: .2rem 0 .2rem .8rem; font-size: .85rem; }
th, td { border: 1px solid #bbb; padding: .05rem .5rem; text-align: right; }
td.marked { font-weight: 700; outline: 2px solid #1b1b1b; }
@media print { body { max-width: none; padding: 0; font-size: 11pt; } @page { margin: 16mm; } }
"""
"""White paper in any case: the page is made to be printed."""


def page(texts: Texts, exercises: Sequence[Exercise], about: Value) -> str:
    """The questions. ``about``: what says which sheet it is, so that it can be made again."""
    return _document(texts, say("sheet.title"), about, _questions(texts, exercises))


def key(texts: Texts, exercises: Sequence[Exercise], about: Value) -> str:
    """The answers and why, numbered as on the page."""
    return _document(texts, say("sheet.key"), about, _answers(texts, exercises))


def _document(texts: Texts, heading: Sentence, about: Value, body: Iterable[str]) -> str:
    name = escape(texts.text(heading))
    return (
        f'<!doctype html>\n<html lang="{texts.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{sprite()}\n<main>\n"
        f'<h1>{name}</h1>\n<p class="meta">{_said(texts, about)}</p>\n'
        + "".join(f"{part}\n" for part in body)
        + "</main>\n</body>\n</html>\n"
    )


def _questions(texts: Texts, exercises: Sequence[Exercise]) -> Iterator[str]:
    who, when = (escape(texts.text(Sentence(f"sheet.{what}"))) for what in ("name", "date"))
    yield f'<div class="name"><span>{who}</span><span>{when}</span></div>'
    for level, numbered in _by_level(exercises):
        yield f'<h2>{_said(texts, LEVELS[level].title)}</h2>\n<ol class="{level}">'
        for number, exercise in numbered:
            yield f'<li id="q{number}"><b>{number}.</b>{_shown(texts, exercise.shown)}'
            yield f'<p class="said">{_said(texts, exercise.question)} {_how(texts, exercise.parts)}</p>'
            for part in exercise.parts:
                label = "" if part.label is None else f'<span class="said">{_said(texts, part.label)}</span>'
                yield f'<div class="part">{label}<span class="line"></span></div>'
            yield "</li>"
        yield "</ol>"


def _answers(texts: Texts, exercises: Sequence[Exercise]) -> Iterator[str]:
    for level, numbered in _by_level(exercises):
        yield f'<h2>{_said(texts, LEVELS[level].title)}</h2>\n<ol class="{level}">'
        for number, exercise in numbered:
            yield f'<li id="a{number}"><b>{number}.</b>'
            yield f'<p class="how">{_said(texts, title(exercise.topic))}</p>'
            for part in exercise.parts:
                label = "" if part.label is None else f"{_said(texts, part.label)} "
                right = f'<span class="right">{_said(texts, part.answer.right)}</span>'
                yield f'<p class="said">{label}{right}</p>'
            for told in exercise.explanation:
                yield from _told(texts, told)
            yield "</li>"
        yield "</ol>"


def _by_level(exercises: Sequence[Exercise]) -> Iterator[tuple[str, list[tuple[int, Exercise]]]]:
    """The exercises with their numbers, level by level as they come."""
    levels: dict[str, list[tuple[int, Exercise]]] = {}
    for number, exercise in enumerate(exercises, 1):
        levels.setdefault(exercise.topic.partition(".")[0], []).append((number, exercise))
    yield from levels.items()


def _how(texts: Texts, parts: Sequence[Part]) -> str:
    """How to write the answer, where there is one to write."""
    return f'<span class="how">({escape(texts.text(parts[0].answer.how))})</span>' if len(parts) == 1 else ""


def _shown(texts: Texts, shown: Shown) -> str:
    """The tiles and what is known."""
    text = ""
    if shown.drawn is not None:
        # hidden from screen readers as the name would be the answer
        text += f'<div class="drawn" aria-hidden="true">{use(shown.drawn)}</div>'
    elif shown.picture is not None:
        text += f'<img alt="" src="{data_uri(shown.picture)}">'
    if shown.concealed:
        groups = [_group(shown.concealed, "")]
        if shown.last:
            groups.append(_group(shown.last, texts.text(Sentence("caption.last"))))
        groups += [_group(_lying(meld), texts.text(Sentence(f"caption.{meld.type}"))) for meld in shown.melds]
        text += f'<div class="hand">{"".join(groups)}</div>'
    return text + "".join(f'<p class="fact">{_said(texts, fact)}</p>' for fact in shown.facts)


def _lying(meld: Meld) -> Iterator[Tile | str]:
    for at, tile in enumerate(meld.tiles):
        yield BACK if meld.type is MeldType.ANKAN and at in (0, 3) else tile


def _group(tiles: Iterable[Tile | str], caption: str) -> str:
    return f"<span>{''.join(map(use, tiles))}<small>{escape(caption)}</small></span>"


def _told(texts: Texts, told: Told) -> Iterator[str]:
    if told.title is not None:
        yield f'<p class="why"><b>{_said(texts, told.title)}</b></p>'
    for line in told.lines:
        yield f'<p class="why">{_line(texts, line)}</p>'
    if told.grid is not None:
        yield from _grid(texts, told.grid)


def _line(texts: Texts, line: Line) -> str:
    parts = ["".join(map(use, group)) for group in line.groups]
    if line.label is not None:
        parts.append(f"<b>{_said(texts, line.label)}</b>")
    parts.append(_said(texts, line.sentence))
    if line.worth is not None:
        parts.append(f"<b>{_said(texts, line.worth)}</b>")
    return " ".join(parts)


def _grid(texts: Texts, grid: Grid) -> Iterator[str]:
    yield f"<table><tr>{''.join(f'<th>{_said(texts, cell)}</th>' for cell in grid.head)}</tr>"
    for at, row in enumerate(grid.rows):
        marks = (' class="marked"' if (at, column) == grid.marked else "" for column in range(len(row)))
        cells = (f"<td{mark}>{_said(texts, cell)}</td>" for cell, mark in zip(row, marks, strict=True))
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</table>"


def _said(texts: Texts, value: Value) -> str:
    """The value as HTML, its tiles drawn."""
    return "".join(
        escape(piece) if isinstance(piece, str) else "".join(map(use, piece)) for piece in texts.pieces(value)
    )
