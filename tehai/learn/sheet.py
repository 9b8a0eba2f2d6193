"""Exercises on paper: an HTML page of questions with space to write, and a key for the teacher."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from scorer.svg import sprite, use
from scorer.telling.sentence import Sentence, Value, say
from scorer.tiles import Tile
from tehai.learn.exercise import Exercise, Part, Passage, Shown, lying
from tehai.learn.levels import LEVELS, title
from tehai.learn.pages import Page, pages
from tehai.learn.texts import Texts
from tehai.lesson.html import PIECES, document, drawn, grid, statement, wording
from tehai.output.picture import data_uri

STYLE: Final = (
    PIECES
    + """\
.lesson { --ink: #1b1b1b; --soft: #555; --rule: #bbb; --mark: #ddd;
  margin: 0 auto; padding: 1.2rem; max-width: 48rem; }
body { margin: 0; background: #fff; }
h1 { font-size: 1.3rem; margin: 0; }
h2 { font-size: 1rem; margin: 1.4rem 0 .6rem; border-bottom: 1px solid var(--rule); break-after: avoid; }
p { margin: .15rem 0; }
.page { border: 1px solid #bbb; border-radius: .4rem; padding: .4rem .8rem; margin: 0 0 .9rem;
  font-size: .9rem; }
h3 { font-size: .95rem; margin: 0 0 .2rem; }
.meta, .how { color: var(--soft); font-size: .9rem; }
.name { display: flex; gap: 2rem; margin: .8rem 0; }
.name span, .blank { flex: 1; border-bottom: 1px solid #777; }
ol { padding: 0; margin: 0; list-style: none; }
ol.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0 1.5rem; }
li, .page, .why { break-inside: avoid; }
li[id^=a] p, .page { break-after: avoid; }
ol > li { margin: 0 0 1.1rem; padding-left: 2.2rem; position: relative; }
ol > li > b:first-child { position: absolute; left: 0; }
.hand { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .2rem 0; }
.hand small { display: block; color: var(--soft); font-size: .75rem; }
.lesson .tile { width: 8mm; height: auto; }
.lesson p .tile { vertical-align: -.6rem; }
img, .lesson .drawn .tile { height: 6rem; width: auto; }
.points { float: right; color: var(--soft); font-size: .9rem; }
.fact, .why { font-size: .9rem; }
.fact { display: inline-block; margin-right: 1.2rem; }
.lesson .fact .tile { width: 8mm; vertical-align: -.6rem; }
.part { display: flex; gap: .8rem; align-items: end; margin: .45rem 0 0; }
.blank { min-height: 1.3rem; }
.lesson .said .tile { width: 8mm; height: auto; }
.right { font-weight: 700; }
.why { margin: .2rem 0 .2rem .8rem; }
.why .line { padding: 0; }
.lesson .why .tile { width: 1.1rem; }
.lesson td.marked { outline: 2px solid var(--ink); }
@media print { .lesson { max-width: none; padding: 0; font-size: 11pt; }
  @page { margin: 16mm; @bottom-right { content: counter(page) " / " counter(pages);
    font: 9pt sans-serif; } } }
"""
)
"""White paper in both themes: the page is for printing, possibly without colours and backgrounds."""


def page(texts: Texts, exercises: Sequence[Exercise], about: Value, lesson: Page | None = None) -> str:
    """The questions. ``about``: identifies the sheet, so that it can be made again. ``lesson``: the page to
    teach; None for the page of each level."""
    return _document(texts, say("sheet.title"), about, _questions(texts, exercises, lesson))


def key(texts: Texts, exercises: Sequence[Exercise], about: Value) -> str:
    """The answers with explanations, numbered as on the page."""
    return _document(texts, say("sheet.key"), about, _answers(texts, exercises))


def _document(texts: Texts, heading: Sentence, about: Value, body: Iterable[str]) -> str:
    name = texts.text(heading)
    parts = (
        sprite(),
        '<main class="lesson">',
        f'<h1>{escape(name)}</h1>\n<p class="meta">{wording(texts, about)}</p>',
        *body,
        "</main>",
    )
    return document(texts.language, name, STYLE, "".join(f"{part}\n" for part in parts))


def _questions(texts: Texts, exercises: Sequence[Exercise], lesson: Page | None) -> Iterator[str]:
    who, when = (escape(texts.text(Sentence(f"sheet.{what}"))) for what in ("name", "date"))
    points = wording(texts, say("sheet.total", points=sum(len(one.parts) for one in exercises)))
    yield f'<div class="name"><span>{who}</span><span>{when}</span><span>{points}</span></div>'
    if lesson is not None:
        yield _taught(texts, lesson)
    for level, numbered in _by_level(exercises):
        yield f"<h2>{wording(texts, LEVELS[level].title)}</h2>"
        if lesson is None:
            yield _taught(texts, pages()[level])
        yield f'<ol class="{level}">'
        for number, exercise in numbered:
            points = wording(texts, say("sheet.points", points=len(exercise.parts)))
            yield f'<li id="q{number}"><b>{number}.</b><span class="points">{points}</span>'
            yield _shown(texts, exercise.shown)
            yield f'<p class="said">{wording(texts, exercise.question)} {_how(texts, exercise.parts)}</p>'
            for part in exercise.parts:
                label = (
                    "" if part.label is None else f'<span class="said">{wording(texts, part.label)}</span>'
                )
                yield f'<div class="part">{label}<span class="blank"></span></div>'
            yield "</li>"
        yield "</ol>"


def _answers(texts: Texts, exercises: Sequence[Exercise]) -> Iterator[str]:
    for level, numbered in _by_level(exercises):
        yield f'<h2>{wording(texts, LEVELS[level].title)}</h2>\n<ol class="{level}">'
        for number, exercise in numbered:
            yield f'<li id="a{number}"><b>{number}.</b>'
            yield f'<p class="how">{wording(texts, title(exercise.topic))}</p>'
            for part in exercise.parts:
                label = "" if part.label is None else f"{wording(texts, part.label)} "
                right = f'<span class="right">{wording(texts, part.answer.right)}</span>'
                yield f'<p class="said">{label}{right}</p>'
            yield from (_passage(texts, passage) for passage in exercise.explanation)
            yield "</li>"
        yield "</ol>"


def _taught(texts: Texts, page: Page) -> str:
    """A page that teaches."""
    lines = "".join(statement(texts, line) for line in page.passage.lines)
    return f'<section class="page"><h3>{wording(texts, page.title)}</h3>{lines}</section>'


def _by_level(exercises: Sequence[Exercise]) -> Iterator[tuple[str, list[tuple[int, Exercise]]]]:
    """The exercises with their numbers, grouped by level."""
    levels: dict[str, list[tuple[int, Exercise]]] = {}
    for number, exercise in enumerate(exercises, 1):
        levels.setdefault(exercise.topic.partition(".")[0], []).append((number, exercise))
    yield from levels.items()


def _how(texts: Texts, parts: Sequence[Part]) -> str:
    """How to write the answer, if there is something to write."""
    return f'<span class="how">({escape(texts.text(parts[0].answer.how))})</span>' if len(parts) == 1 else ""


def _shown(texts: Texts, shown: Shown) -> str:
    """The tiles and the known facts."""
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
        groups += [_group(lying(meld), texts.text(Sentence(f"caption.{meld.type}"))) for meld in shown.melds]
        text += f'<div class="hand">{"".join(groups)}</div>'
    return text + "".join(f'<p class="fact">{wording(texts, fact)}</p>' for fact in shown.facts)


def _group(tiles: Iterable[Tile | str], caption: str) -> str:
    return f"<span>{drawn(tiles)}<small>{escape(caption)}</small></span>"


def _passage(texts: Texts, passage: Passage) -> str:
    heading = f"<b>{wording(texts, passage.title)}</b>" if passage.title is not None else ""
    table = grid(texts, passage.grid) if passage.grid is not None else ""
    lines = "".join(statement(texts, line) for line in passage.lines)
    return f'<div class="why">{heading}{lines}{table}</div>'
