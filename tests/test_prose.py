"""What people read keeps to the lengths of docs/style.md."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import median

import pytest

from tests.prose import sentences

ROOT = Path(__file__).resolve().parent.parent
README, CONTRIBUTING, CHANGELOG = (ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG"))
PAGES = (README, CONTRIBUTING, CHANGELOG, ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md")))
LONGEST, USUAL = 25, 16
"""Words of a sentence: at most, and in the median of those that are more than a label."""


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_sentences_are_short(page: Path) -> None:
    found = list(sentences(page.read_text("utf-8")))
    assert [" ".join(words) for words in found if len(words) > LONGEST] == []
    assert median([len(words) for words in found if len(words) > 4] or [0]) <= USUAL


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_measurements_stand_in_the_cards(page: Path) -> None:
    text = re.sub(r"(?ms)^```.*?^```|`[^`]*`", "", page.read_text("utf-8"))
    assert re.findall(r"(?i)\bseed \d+|log[- ]likelihood", text) == []


def test_the_readme_is_a_front_door() -> None:
    text = README.read_text("utf-8")
    assert len(text.splitlines()) <= 150 and len(text.split()) <= 700


def test_contributing_fits_on_a_screen_or_two() -> None:
    lines = CONTRIBUTING.read_text("utf-8").splitlines()
    assert len(lines) <= 150 and [line for line in lines if len(line) > 120] == []


def test_a_version_has_the_changes_that_matter() -> None:
    versions = re.split(r"(?m)^## ", CHANGELOG.read_text("utf-8"))[1:]
    assert versions
    for version in versions:
        assert version.count("\n- ") <= 15, version.splitlines()[0]
        assert [line for line in version.splitlines() if line and not line.startswith(("- ", "["))][1:] == []


def test_a_long_sentence_is_seen() -> None:
    long = " ".join(["word"] * 40)
    text = f"# Title\n\nShort. {long.capitalize()}.\n\n- item {long}\n\n| a | {long} |\n\n```\n{long}\n```\n"
    assert sorted(len(words) for words in sentences(text)) == [1, 1, 1, 40, 40, 41]
