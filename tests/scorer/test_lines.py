"""The table of ``docs/rules.md``, line by line: it is whole, and its tests are there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from scorer import load_rules, preset_ids
from scorer.yaku import TABLE
from tests.folders import DATA
from tests.scorer.test_source_tables import SOURCES

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "rules.md").read_text("utf-8").partition("## Line by line")[2]
TEXTS = {
    "EMA 2008": ("ema2008", "000_0aee9ccaa93da099.txt"),
    "EMA revised": ("ema_revised", "003_f82c346daa8129dc.txt"),
    "Toudai": ("toudai", "001_344feca4fe0e0f9d.txt"),
    "WRC 2017": ("wrc2017", "002_d03943ca50d09232.txt"),
    "Scoring Reference": ("reference", "004_474742d22c802391.txt"),
}
"""What each text is called, the preset of it, and its file beside the repository."""

LINES = {
    heading: {
        cells[0]: (cells[1], cells[2])
        for line in part.splitlines()
        if line.startswith("| ")
        and (cells := [cell.strip() for cell in line.strip("| ").split(" | ")])[0] != "line"
    }
    for heading, _, part in (text.partition("\n") for text in PAGE.split("\n### ")[1:])
}
"""By text and line, what it says and what is told of it."""

NUMBERED = ("EMA 2008", "EMA revised", "Toudai")
CITED = re.compile(r"(EMA 2008|EMA revised|Toudai) ((?:§[\d.]+\d|§\d)(?:, §[\d.]*\d)*)")


def test_every_text_is_there() -> None:
    assert LINES.keys() == TEXTS.keys() and all(LINES.values())


@cache
def named_in(path: str) -> set[str]:
    folder, _, name = path.rpartition("/")
    file = ROOT / "tests" / "scorer" / folder / f"test_{name}.py"
    return set(re.findall(r"^def test_(\w+)", file.read_text("utf-8"), re.M))


@pytest.mark.parametrize("text", TEXTS)
def test_every_line_is_tested_or_says_why_not(text: str) -> None:
    for line, (says, told) in LINES[text].items():
        named = re.findall(r"`([^`]+)`", told)
        assert says and (named or told.startswith("–") or told == "the lines below"), line
        for one in named:
            path, _, test = one.rpartition("/")
            assert test in named_in(path), (line, one)


def citations() -> set[tuple[str, str]]:
    """Each line that a preset, a yaku or the code names."""
    texts = [text for name in preset_ids() for text in load_rules(name).cite.values()]
    texts += [yaku.source for yaku in TABLE]
    texts += [path.read_text("utf-8") for path in (ROOT / "scorer").rglob("*.py")]
    return {
        (text, number)
        for one in texts
        for text, numbers in CITED.findall(one)
        for number in numbers.split(", ")
    }


def test_every_line_that_is_cited_has_its_row() -> None:
    cited = citations()
    assert len(cited) > 60
    assert not sorted((text, number) for text, number in cited if number not in LINES[text])


def test_every_table_of_the_sources_has_its_row() -> None:
    """The tables that the tests hold cell by cell (``data/*.toml``), by number or by name."""
    called = {preset: text for text, (preset, _) in TEXTS.items()}
    for source in SOURCES:
        text = called[source["preset"]]
        rows = " ".join((*LINES[text], *(says for says, _ in LINES[text].values())))
        kinds = ("payments", "fu", "yaku", "nagashi", "successors", "kinds")
        for name in (table["table"] for kind in kinds for table in source.get(kind, ())):
            numbers = re.findall(r"§[\d.]*\d", name)
            assert LINES[text].keys() >= set(numbers), name
            assert numbers or text in NUMBERED or name.split(",")[0] in rows, name


@pytest.mark.parametrize("text", TEXTS)
def test_the_rows_are_the_lines_of_the_text(text: str) -> None:
    """Where the texts are at hand: each heading with a number has its row, and no other has."""
    file = DATA.parent / "sources" / TEXTS[text][1]
    if not file.is_file():
        pytest.skip(f"{file} is not there")
    printed = file.read_text("utf-8")
    if text == "EMA 2008":
        numbers = re.findall(r"^#+ (\d(?:\.\d+)*) [A-Z]", printed, re.M)
    elif text == "EMA revised":
        numbers = ["4.2", *dict.fromkeys(re.findall(r"^\|? ?(4\.2\.\d)", printed, re.M))]
    elif text == "Toudai":
        contents = printed.partition("Contents")[2].partition("Introduction\n\nThere is")[0]
        numbers = list(dict.fromkeys(re.findall(r"^(\d(?:\.\d+)*)\t", contents, re.M)))
    else:
        for row in LINES[text]:
            name = row.removeprefix("Definitions: ").split(", ")[0].split(" and Five")[0]
            assert name.casefold() in printed.casefold() or row == "Names of tiles", row
        return
    assert sorted(f"§{number}" for number in numbers) == sorted(LINES[text])
