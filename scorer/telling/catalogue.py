"""The texts of the lessons: one gettext catalogue in English and Japanese, and the glossary of its terms.

``scorer/telling/locale/<language>/LC_MESSAGES/lesson.po`` is the source, the ``.mo`` beside it what is read
(``python docs/messages.py`` compiles it). A message is a format text: ``{tile}`` is a value of the sentence,
``{term[pung]}`` a term of ``scorer/telling/glossary.toml`` in the words of the rule set.
"""

from __future__ import annotations

import gettext
import re
import string
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from scorer.own_yaku import OwnYaku
from scorer.telling.sentence import Name, Sentence, Source, Tiles, Value
from scorer.tiles import Tile, format_tiles
from scorer.words import VOCABULARIES
from scorer.yaku import BY_ID, DORA

LANGUAGES: Final = ("en", "ja")
"""The languages of the catalogue (ISO 639-1)."""

LOCALE: Final = Path(__file__).parent / "locale"
DOMAIN: Final = "lesson"

Piece = str | Tiles
"""A stretch of text, or tiles to draw in it."""

_TERM: Final = "term["
_RULE: Final = "rule."
NO_RULE: Final = "rule.none"
"""What is said of a yaku that has no sentence of its own."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the game. ``english``: as it is spoken; ``ema``: EMA's; ``japanese``: in Latin letters;
    ``kana``: how it is read.

    ``pronunciation``: how it sounds, for readers of English; it and ``kana`` are empty for a yaku without an
    entry of its own. ``message``: what it means, an id of the catalogue. ``plain``: the languages in which it
    is a word of every day that nobody needs explained.
    """

    id: str
    english: str
    ema: str
    japanese: str
    kanji: str
    kana: str
    pronunciation: str
    message: str
    plain: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, str, str, str]:
        """In all vocabularies."""
        return self.english, self.ema, self.japanese, self.kanji

    def others(self, vocabulary: str) -> tuple[str, ...]:
        """As the other vocabularies call it, where they differ by more than a capital letter."""
        named = {name.casefold(): name for name in reversed(self.names)}
        named.pop(self.name(vocabulary).casefold())
        return tuple(reversed(named.values()))

    def name(self, vocabulary: str) -> str:
        """As a vocabulary (``english``, ``ema``, ``japanese``, ``kanji``) calls it."""
        return dict(zip(VOCABULARIES, self.names, strict=True))[vocabulary]


@cache
def glossary() -> Mapping[str, Term]:
    """Every term and yaku by its id."""
    with (Path(__file__).parent / "glossary.toml").open("rb") as file:
        written = tomllib.load(file)
    plain = {id_: tuple(words.pop("plain", ())) for id_, words in written["terms"].items()}
    terms = {
        id_: Term(
            id_, message=f"term.{id_}", plain=plain.get(id_, ()), **{**_spoken(id_), **_with_ema(words)}
        )
        for id_, words in written["terms"].items()
    }
    for id_ in (*BY_ID, *DORA):
        names = {name: words.yaku(id_) for name, words in VOCABULARIES.items()}
        own = {**names, "kana": "", "pronunciation": "", **written["yaku"].get(id_, {})}
        terms[id_] = Term(id_, message=f"{_RULE}{id_}", **own)
    return terms


def _with_ema(words: dict[str, str]) -> dict[str, str]:
    """With EMA's word, which is the English one that is written here unless it is, too."""
    return {"ema": words["english"], **words} if "english" in words else words


def _spoken(id_: str) -> dict[str, str]:
    """What the vocabularies call a term, empty for one that is only spoken of in lessons."""
    names = {}
    for name, vocabulary in VOCABULARIES.items():
        waits = {str(wait): text for wait, text in vocabulary.waits.items()}
        words = {**vocabulary.terms, **vocabulary.limits, **waits}
        if id_ in words:
            names[name] = words[id_]
    return names


@cache
def _ids(kanji: bool) -> Mapping[str, str]:
    """The terms by how a text calls them: in kanji, or in Latin letters."""
    ids: dict[str, str] = {}
    for term in glossary().values():
        for name in (term.kanji,) if kanji else term.names[:-1]:
            ids.setdefault(name.casefold(), term.id)
    return ids


@cache
def _names(kanji: bool) -> re.Pattern[str]:
    """Finds the longest name that begins at a place; of Latin letters whole words alone."""
    names = "|".join(re.escape(name) for name in sorted(_ids(kanji), key=len, reverse=True))
    return re.compile(f"({names})" if kanji else rf"\b({names})s?\b", re.IGNORECASE)


SEVERAL: Final = " | "
"""Stands between the citations of a line that has several."""

_SECTION: Final = re.compile(r"§[\d.]+")


@cache
def _documents() -> Mapping[str, list[tuple[str, str]]]:
    """By language what citations begin with and what the document is called there."""
    return tomllib.loads((Path(__file__).parent / "sources.toml").read_text(encoding="utf-8"))


def document(source: str, language: str) -> str:
    """The documents that a rule set cites and their sections, without what they say.

    >>> document("EMA 2008 §4.1.3: tables | Toudai §7.2: a variation", "en")
    'EMA 2008 §4.1.3; Toudai §7.2'
    >>> document("EMA 2008 §4.1.3: tables | Toudai §7.2: a variation", "ja")
    'EMAルール2008 §4.1.3、東大式 §7.2'
    """
    cited = [one.strip().partition(":")[0] for one in source.split(SEVERAL)]
    names = _documents().get(language)
    if names is None:
        return "; ".join(dict.fromkeys(cited))
    told: dict[str, None] = {}
    for one in cited:
        title = next(name for start, name in names if one.startswith(start))
        told[" ".join([title, *_SECTION.findall(one)])] = None
    return "、".join(told)


@cache
def _messages(language: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, LOCALE, [language])


class Catalogue:
    """The texts in one language, with the terms of one vocabulary (``scorer.words``).

    ``own``: the yaku that only the rules of the lesson know, which have names and no entry.

    Raises :class:`ValueError` for a language that it does not have.

    >>> from scorer.telling.sentence import say
    >>> Catalogue("en", "english").text(say("group.called", set=Name("pung")))
    'Pung, called.'
    """

    __slots__ = ("_gettext", "language", "own", "vocabulary")

    def __init__(
        self, language: str, vocabulary: str, own: Mapping[str, OwnYaku] = MappingProxyType({})
    ) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"There are no lessons in {language!r}; choose one of {', '.join(LANGUAGES)}.")
        self.language = language
        self.vocabulary = vocabulary
        self.own = own
        self._gettext = _messages(language).gettext

    def message(self, id_: str) -> str:
        """The format text of a message. Raises :class:`KeyError` where the catalogue has none.

        The rule of a yaku that has none is that it is one of the rules' own.
        """
        text = self._gettext(id_)
        if text != id_:
            return text
        if id_.removeprefix(_RULE) in (*BY_ID, *self.own):
            return self._gettext(NO_RULE)
        raise KeyError(id_)

    def name(self, id_: str) -> str:
        """A term in the catalogue's vocabulary."""
        if own := self.own.get(id_):
            return own.name_ja if self.vocabulary == "kanji" else own.name
        return glossary()[id_].name(self.vocabulary)

    def pieces(self, value: Value) -> tuple[Piece, ...]:
        """The value as text and tiles; a sentence begins with a capital letter."""
        pieces = list(_joined(self._pieces(value)))
        if isinstance(value, Sentence) and pieces and isinstance(pieces[0], str):
            pieces[0] = pieces[0][:1].upper() + pieces[0][1:]
        return tuple(pieces)

    def text(self, value: Value) -> str:
        """The value as plain text, tiles as mpsz."""
        return "".join(
            piece if isinstance(piece, str) else format_tiles(piece) for piece in self.pieces(value)
        )

    def bracket(self, words: Iterable[str]) -> str:
        """What terms mean, to stand behind the sentence that says them first; empty where there are none.

        >>> Catalogue("en", "english").bracket(["pung", "terminal"])
        '(pung: three identical tiles; terminal: a 1 or 9)'
        """
        told = [f"{self.name(id_)}{self.message('words.is')}{self._meaning(id_)}" for id_ in words]
        opening, closing = tuple(self.message("words.bracket"))
        return f"{opening}{self.message('words.and').join(told)}{closing}" if told else ""

    def _meaning(self, id_: str) -> str:
        """What a term means, for the midst of a sentence."""
        text = self.text(Sentence(glossary()[id_].message)).rstrip(".。")
        return text if text[1:2].isupper() else text[:1].lower() + text[1:]

    def terms(self, text: str) -> tuple[str, ...]:
        """The ids of the terms and yaku whose names occur in a plain text, as they come.

        >>> Catalogue("en", "english").terms("Four Concealed Pungs, won on a single wait; pairs are none.")
        ('suuankou', 'tanki', 'pair')
        """
        found = _names(self.language == "ja").finditer(text)
        return tuple(dict.fromkeys(_ids(self.language == "ja")[one[1].casefold()] for one in found))

    def _pieces(self, value: Value) -> Iterator[Piece]:
        match value:
            case Sentence():
                for literal, field, _, _ in string.Formatter().parse(self.message(value.kind)):
                    yield literal
                    if field is None:
                        continue
                    if field.startswith(_TERM):
                        yield self.name(field[len(_TERM) : -1])
                    else:
                        yield from self._pieces(value.values[field])
            case Name():
                yield self.name(value.id)
            case Source():
                yield document(value.text, self.language)
            case tuple():
                tiles = tuple(one for one in value if isinstance(one, Tile))
                names = [self.name(one.id) for one in value if isinstance(one, Name)]
                yield tiles or self.message("list.comma").join(names)
            case int():
                yield f"{value:,}"
            case str():
                yield value


def _joined(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The same with neighbouring texts in one, empty ones left out."""
    text = ""
    for piece in pieces:
        if isinstance(piece, str):
            text += piece
        else:
            if text:
                yield text
            yield piece
            text = ""
    if text:
        yield text
