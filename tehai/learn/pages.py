"""The pages that teach: twenty short lessons, and the first page of each level (``pages.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from scorer.telling.sentence import Line, Sentence, Tiles
from scorer.tiles import parse_tiles
from tehai.learn.exercise import Passage

_FILE: Final = Path(__file__).with_name("pages.toml")
_MARK: Final = "page."
"""The prefix of the pages' messages: ``page.tiles`` is a title, ``page.tiles.1`` the first text."""


@dataclass(frozen=True, slots=True)
class Page:
    """``drill``: the levels and topics of the exercises after it. ``passage``: its text and pictures."""

    id: str
    drill: tuple[str, ...]
    passage: Passage

    @property
    def title(self) -> Sentence:
        return Sentence(f"{_MARK}{self.id}")


@cache
def _written() -> dict[str, Any]:
    with _FILE.open("rb") as file:
        return tomllib.load(file)


@cache
def pages() -> Mapping[str, Page]:
    """All pages by id. A level begins with the page of its id."""
    return {id_: _page(id_, one) for id_, one in _written()["pages"].items()}


@cache
def course() -> tuple[Page, ...]:
    """The short lessons in order."""
    return tuple(pages()[id_] for id_ in _written()["course"])


def _page(id_: str, written: Mapping[str, Any]) -> Page:
    lines = tuple(
        Line(Sentence(f"{_MARK}{id_}.{at}"), _groups(part.get("tiles", "")), won=part.get("won", False))
        for at, part in enumerate(written["parts"], 1)
    )
    return Page(id_, tuple(written["drill"]), Passage(lines))


def _groups(text: str) -> tuple[Tiles, ...]:
    return tuple(map(parse_tiles, text.split()))


@cache
def texts(language: str) -> Mapping[str, str]:
    """The messages of the pages by id."""
    found = {}
    for id_, page in _written()["pages"].items():
        found[f"{_MARK}{id_}"] = page[language]
        found.update((f"{_MARK}{id_}.{at}", part[language]) for at, part in enumerate(page["parts"], 1))
    return found
