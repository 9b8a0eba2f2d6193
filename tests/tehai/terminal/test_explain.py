"""Lessons as they are shown: terminal, Markdown, HTML, JSON, and the door of the command line."""

from __future__ import annotations

import contextlib
import io
import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console
from typer.testing import CliRunner

from scorer import parse_record
from scorer.telling.catalogue import LANGUAGES
from scorer.telling.lesson import Lesson, explain
from scorer.telling.next_time import drills
from tehai.cli import app
from tehai.learn.levels import LEVELS
from tehai.lesson.html import fragment, page
from tehai.lesson.markdown import markdown
from tehai.terminal.explain import FORMATS
from tehai.terminal.lesson import print_lesson

HAND = "222333444m67p77z + 5p"
FACTS = ["--tsumo", "--seat", "E", "--riichi", "--dora", "1m", "--defaults"]


def lesson(language: str = "en") -> Lesson:
    known = parse_record(
        {
            "concealed": "222333444m67p77z",
            "win_tile": "0p",
            "tsumo": True,
            "riichi": True,
            "dora_indicators": ["1m"],
            "honba": 1,
        }
    )
    return explain(known.hand, known.win, known.rules, language=language)


def terminal(explained: Lesson, colours: bool, width: int = 80) -> str:
    out = io.StringIO()
    system = "truecolor" if colours else None
    print_lesson(Console(file=out, width=width, force_terminal=colours, color_system=system), explained)
    return out.getvalue()


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["score", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terminal_text_fits_80_columns_and_needs_no_colour(language: str) -> None:
    explained = lesson(language)
    plain = terminal(explained, colours=False)
    assert "\x1b" not in plain
    assert "…" not in plain  # nothing is cut off
    assert max(cell_len(line) for line in plain.splitlines()) <= 80
    without_styles = re.sub(r"\x1b\[[0-9;]*m", "", terminal(explained, colours=True))
    assert without_styles.split() == plain.split()
    for step in explained.steps:
        assert explained.text(step.title) in plain


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("write", [markdown, page, lambda explained: terminal(explained, False, 500)])
def test_every_format_tells_every_line_and_its_amount(language: str, write: object) -> None:
    assert callable(write)
    explained = lesson(language)
    plain = unescape(re.sub(r"<[^>]*>|[*`]", "", write(explained).replace("\\", "")))
    text = "".join(plain.split())
    for step in explained.steps:
        for line in step.lines:
            for piece in explained.catalogue.pieces(line.sentence):
                if isinstance(piece, str):
                    assert "".join(piece.split()) in text
            if line.worth is not None:
                assert "".join(explained.text(line.worth).split()) in text


class Balance(HTMLParser):
    """Reads HTML and notes what is not closed, which tiles are defined and used, and what is fetched."""

    VOID = frozenset(("meta", "br"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.defined: set[str] = set()
        self.used: set[str] = set()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "symbol":
            self.defined.add(f"#{named['id']}")
        if tag == "use":
            self.used.add(named["href"] or "")
        if tag in ("script", "link", "img", "iframe") or "src" in named:
            self.fetched.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_whole_and_fetches_nothing(language: str) -> None:
    read = Balance()
    text = page(lesson(language))
    read.feed(text)
    assert read.open == []
    assert read.fetched == []
    assert read.used and read.used <= read.defined
    assert f'<html lang="{language}">' in text
    assert "prefers-color-scheme: dark" in text
    assert "url(" not in text and "@import" not in text


def test_names_are_escaped() -> None:
    explained = lesson()
    step = explained.steps[0]
    line = type(step.lines[0])(step.lines[0].sentence, label="<b>&*house*")
    odd = type(step)(step.kind, (line,))
    changed = Lesson(
        explained.catalogue,
        explained.rules,
        explained.concealed,
        explained.win_tile,
        explained.melds,
        explained.headline,
        (odd,),
    )
    assert "&lt;b&gt;&amp;*house*" in fragment(changed)
    assert r"\<b\>&\*house\*" in markdown(changed)


def test_the_command_line_tells_a_finished_hand() -> None:
    explained = json.loads(
        run(HAND, *FACTS, "--explain", "json", "--lang", "ja", "--rules", "ema2008,tenhou")
    )
    assert explained["language"] == "ja"
    assert explained["score"]["points"] == 18000
    beside = next(step for step in explained["steps"] if step["kind"] == "rules")
    assert beside["lines"][0]["label"] == "天鳳"
    assert run(HAND, *FACTS, "--explain", "markdown").startswith("# Haneman, 7 han")
    assert run(HAND, *FACTS, "--explain", "html").startswith("<!doctype html>")
    assert "Three Concealed Triplets" in run(HAND, *FACTS, "--explain", "text")


def test_the_command_line_tells_what_13_tiles_wait_for() -> None:
    explained = json.loads(run("234m345p45678s22s", "--explain", "json", "--discards", "9s", "--seat", "S"))
    kinds = [step["kind"] for step in explained["steps"]]
    assert kinds == ["distance", "turns", "waits", "blocks", "furiten", "next"]
    seats = [run("234m340567p2267s", "--explain", "markdown", *seat) for seat in ((), ("--dealer",))]
    assert ["3,900 points" in seats[0], "5,800 points" in seats[1]] == [True, True]
    out = run("45678s22s [p777z] [c123m]", "--explain", "markdown")
    assert "Tenpai: waits for `369s`" in out


def test_a_hand_without_yaku_is_a_lesson_and_no_error() -> None:
    out = run("45s567p66z + 3s [c234m][c234p]", "--ron", "--defaults", "--explain", "text")
    assert "only a yaku is missing" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--explain", "pdf"], f"--explain is one of {', '.join(FORMATS)}, not “pdf”."),
        (["--explain", "text", "--lang", "fr"], "--lang is one of en, ja, not “fr”."),
        (["--explain", "text", "--json"], "--json and --explain each print the hand in a way"),
        (["--explain", "text", "--discards", "8x"], "'8x' has 'x'"),
    ],
)
def test_a_wrong_option_is_one_sentence(arguments: list[str], sentence: str) -> None:
    done = CliRunner().invoke(app, ["score", HAND, *FACTS, *arguments])
    assert done.exit_code == 2
    assert sentence in done.output


def test_tiles_that_are_no_hand_are_one_sentence() -> None:
    done = CliRunner().invoke(app, ["score", "123m + 4m", "--explain", "text", "--defaults"])
    assert done.exit_code == 2
    assert done.output.startswith("tehai: ")


def test_the_example_of_the_documentation_runs() -> None:
    text = (Path(__file__).resolve().parents[3] / "docs" / "lesson.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.S)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})
    assert out.getvalue().startswith("The hand - Four sets and a pair.\n")


def test_every_drill_of_a_lesson_is_a_level() -> None:
    assert {*drills().values()} <= {*LEVELS}


def test_a_mistake_is_told_in_the_language_of_the_lesson() -> None:
    done = CliRunner().invoke(app, ["score", "123m + 4m", "--explain", "text", "--defaults", "--lang", "ja"])
    assert done.exit_code == 2 and "和了形は14枚です" in done.stderr


def test_the_headline_has_what_was_assumed_beneath() -> None:
    out = run("234m345p3467s22s8s + 5s", "--tsumo", "--defaults", "--explain", "markdown")
    head = out.split("## ")[0]
    assert head.startswith("# ") and "(EMA Riichi 2008)" in head and "not the dealer, no riichi" in head
    assert "EMA" not in head.split("\n", 1)[1]  # the rules are named once
