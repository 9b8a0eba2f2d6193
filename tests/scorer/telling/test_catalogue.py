"""The catalogue is whole: languages, placeholders, the compiled file as the source, golden texts."""

from __future__ import annotations

import ast
import gettext
import re
import string
import tomllib
from pathlib import Path

import pytest

from scorer.rules import LIMIT_HANDS, LIMITS
from scorer.telling.catalogue import DOMAIN, LANGUAGES, LOCALE, Catalogue, document, glossary
from scorer.telling.sentence import StepKind
from scorer.words import VOCABULARIES
from scorer.yaku import BY_ID, DORA
from tests.scorer.telling.texts import GOLDEN, golden, lessons

_ENTRY = re.compile(r'^msgid "(.+)"\nmsgstr (".*")$', re.M)


def folder(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES"


def source(language: str) -> dict[str, str]:
    """The messages of the .po file, one line each."""
    text = (folder(language) / f"{DOMAIN}.po").read_text(encoding="utf-8")
    entries = {id_: str(ast.literal_eval(quoted)) for id_, quoted in _ENTRY.findall(text)}
    assert len(entries) == text.count("msgid ") - 1, "an entry is not on one line, or is there twice"
    return entries


def values(text: str) -> set[str]:
    return {field for field in placeholders(text) if not field.startswith("term[")}


def placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_messages_are_those_of_the_source(language: str) -> None:
    with (folder(language) / f"{DOMAIN}.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for id_, text in source(language).items():
        assert compiled.gettext(id_) == text, f"{id_}: compile with python docs/messages.py"


def test_all_languages_have_all_messages_with_the_same_values() -> None:
    """Which terms a sentence needs is a matter of the language."""

    english, *others = (source(language) for language in LANGUAGES)
    for other in others:
        assert english.keys() == other.keys()
        for id_, text in english.items():
            assert values(text) == values(other[id_]), id_


def test_every_term_that_a_message_names_is_in_the_glossary() -> None:
    for language in LANGUAGES:
        for text in source(language).values():
            for field in placeholders(text) - values(text):
                assert field[5:-1] in glossary(), field


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_of_a_lesson_has_an_entry(language: str) -> None:
    """Wherever a name of the glossary stands, in a label, in the midst of a sentence or in another entry."""
    kanji = language == "ja"
    longest_first = sorted(glossary().values(), key=lambda one: -len(one.kanji if kanji else one.english))
    names = [
        (name, re.compile(re.escape(name) if kanji else rf"\b{name}s?\b"))
        for term in longest_first
        for name in map(str.casefold, (term.kanji,) if kanji else (term.english, term.japanese))
    ]
    for lesson in lessons(language):
        entries = {entry.id: entry for entry in lesson.glossary}
        named = lesson.rules.named(language)  # a rule set may be called after what is played
        # a text is a proper name: of rules that are compared with
        values = [value for value in lesson.values() if not isinstance(value, str)]
        sentences = [lesson.text(value).replace(named, "") for value in values] + [
            entry.means for entry in entries.values()
        ]
        for text in sentences:
            rest = text.casefold()
            for name, found in names:
                if found.search(rest):
                    same = {one.id for one in longest_first if name in map(str.casefold, one.names)}
                    plain = {id_ for id_ in same if language in glossary()[id_].plain}
                    assert same & entries.keys() or plain, (name, text)
                    rest = rest.replace(name, "_")
        assert all(entry.means for entry in entries.values())


def test_every_yaku_limit_and_term_is_explained() -> None:
    catalogue = Catalogue("en", "english")
    assert glossary().keys() >= {*BY_ID, *DORA, *LIMITS, *LIMIT_HANDS, "yakuman"}
    for term in glossary().values():
        assert catalogue.message(term.message)
        assert all(term.name(words) for words in VOCABULARIES)
        yaku = term.id in BY_ID  # what one may lack, tests/test_adding_a_yaku.py names
        assert re.fullmatch(r"[ァ-ヶー・]+", term.kana) or (yaku and not term.kana), term.id
        assert re.fullmatch(r"[A-Za-z;' -]+", term.pronunciation) or (yaku and not term.pronunciation), (
            term.id
        )


def test_every_step_has_a_heading() -> None:
    assert {f"step.{kind}" for kind in StepKind} <= source("en").keys()


def test_a_message_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError, match="nothing"):
        Catalogue("en", "english").message("nothing")


def test_each_kind_of_sentence_reads_as_it_was_approved() -> None:
    """After a change: ``python -m tests.scorer.telling.texts``, and read what differs."""
    with GOLDEN.open("rb") as file:
        assert golden() == tomllib.load(file)


def test_nothing_is_in_the_catalogue_that_no_lesson_says() -> None:
    separators = {"list.comma"}
    assert source("en").keys() - separators == golden().keys()


def test_other_names_differ_by_more_than_a_capital_letter() -> None:
    terms = glossary()
    assert terms["riichi"].others("english") == ("立直",)
    assert terms["riichi"].others("kanji") == ("Riichi",)
    assert terms["pinfu"].others("japanese") == ("平和",)
    assert terms["pung"].others("english") == ("pung", "koutsu", "刻子")
    assert terms["dora_indicator"].others("kanji") == ("dora indicator",)


def test_the_japanese_sentences_that_were_read_are_those_that_are_said() -> None:
    """``docs/japanese.md``: who changes one reads it again, and says there against what."""
    text = (Path(__file__).resolve().parents[3] / "docs" / "japanese.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(.+?)` \| (.+?) \| ([A-Z, ]+) \|", text, re.M)
    known = set(re.findall(r"^\| ([A-Z]) \| \[", text, re.M))
    said = golden()
    assert len({id_ for id_, _, _ in rows}) == 100
    for id_, sentence, against in rows:
        assert said[id_]["ja"] == sentence, id_
        assert set(against.split(", ")) <= known, id_


@pytest.mark.parametrize(
    ("cited", "named"),
    [
        (
            "WRC 2015 §6.5, as far as it was read | EMA 2008 §4.2: the rest",
            "世界リーチ麻雀選手権2015 §6.5、EMAルール2008 §4.2",
        ),
        ("RRC, chapter on yaku", "ロシアリーチルール"),
        ("no text found; chosen: as the 40,000 of it", "資料なし（仮定）"),
    ],
)
def test_a_japanese_lesson_names_its_sources(cited: str, named: str) -> None:
    assert document(cited, "ja") == named
