"""The catalogue of the drills is whole: languages, placeholders, the compiled file as the source."""

from __future__ import annotations

import gettext
import re
import tomllib
from pathlib import Path

import pytest

from scorer.telling.catalogue import LANGUAGES, glossary
from scorer.tiles import TILES
from tehai.learn.levels import LADDER
from tehai.learn.texts import DOMAIN, LOCALE, Texts
from tests.tehai.learn.texts import GOLDEN, golden, placeholders, source

CODE = Path(__file__).resolve().parents[3] / "tehai" / "learn"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_messages_are_those_of_the_source(language: str) -> None:
    with (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for id_, text in source(language).items():
        assert compiled.gettext(id_) == text, f"{id_}: compile with python docs/messages.py"


def test_all_languages_have_all_messages_with_the_same_values() -> None:
    english, *others = (source(language) for language in LANGUAGES)
    for other in others:
        assert english.keys() == other.keys()
        for id_, text in english.items():
            for one in placeholders(text) ^ placeholders(other[id_]):
                assert one.startswith("term["), id_


def test_every_term_that_a_message_names_is_in_the_glossary() -> None:
    for language in LANGUAGES:
        for text in source(language).values():
            for field in placeholders(text):
                if field.startswith("term["):
                    assert field[5:-1] in glossary(), field


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_level_topic_and_tile_has_its_message(language: str) -> None:
    messages = source(language)
    for level in LADDER:
        assert level.title.kind in messages
        for what in (*level.first, *level.rest):
            assert level.id == "yaku" or f"topic.{level.id}.{what}" in messages
    assert all(f"tile.{tile}" in messages for tile in TILES)


def test_nothing_is_in_the_catalogue_that_the_code_does_not_say() -> None:
    files = (*CODE.rglob("*.py"), CODE.parent / "web" / "drills.py")
    code = "".join(file.read_text(encoding="utf-8") for file in files)
    made = set(re.findall(r'f"([a-z]+[._][a-z_]*)\{', code)) | {"how.", "talk."}
    for id_ in source("en"):
        assert f'"{id_}"' in code or any(id_.startswith(start) for start in made), id_


def test_a_message_that_is_nowhere_is_an_error() -> None:
    texts = Texts("en", "english")
    assert texts.message("rule.pinfu") and texts.message("ask.tile")
    with pytest.raises(KeyError, match="nothing"):
        texts.message("nothing")


def test_each_message_reads_as_it_was_approved() -> None:
    """After a change: ``python -m tests.tehai.learn.texts``, and read what differs."""
    with GOLDEN.open("rb") as file:
        assert golden() == tomllib.load(file)
