"""The texts of the lessons: one gettext catalogue in English and Japanese, and the glossary of its terms.

``scorer/telling/locale/<language>/LC_MESSAGES/lesson.po`` is the source. ``python docs/messages.py`` compiles
it to the ``.mo`` that the program reads. A message is a format text: ``{tile}`` is a value of the sentence,
``{term[pung]}`` a term of ``scorer/telling/glossary.toml`` in the vocabulary of the rule set.
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
"""A text, or tiles to draw within a text."""

_TERM: Final = "term["
_RULE: Final = "rule."
NO_RULE: Final = "rule.none"
"""The message for a yaku without a rule sentence."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the game in all vocabularies. ``japanese``: in Latin letters.

    ``kana``: the Japanese reading. ``pronunciation``: for readers of English. Both are empty for a yaku
    without a glossary entry. ``message``: the id of the message with its meaning. ``plain``: the languages in
    which it is an everyday word that needs no explanation.
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
        """The names in all vocabularies."""
        return self.english, self.ema, self.japanese, self.kanji

    def others(self, vocabulary: str) -> tuple[str, ...]:
        """The names in other vocabularies that differ by more than a capital letter."""
        named = {name.casefold(): name for name in reversed(self.names)}
        named.pop(self.name(vocabulary).casefold())
        return tuple(reversed(named.values()))

    def name(self, vocabulary: str) -> str:
        """The name in a vocabulary (``english``, ``ema``, ``japanese``, ``kanji``)."""
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
    """With EMA's name. By default it is the English name of the entry."""
    return {"ema": words["english"], **words} if "english" in words else words


def _spoken(id_: str) -> dict[str, str]:
    """The names of a term by vocabulary; empty for a term that only lessons use."""
    names = {}
    for name, vocabulary in VOCABULARIES.items():
        waits = {str(wait): text for wait, text in vocabulary.waits.items()}
        words = {**vocabulary.terms, **vocabulary.limits, **waits}
        if id_ in words:
            names[name] = words[id_]
    return names


@cache
def _ids(kanji: bool) -> Mapping[str, str]:
    """The ids of terms by name, in kanji or in Latin letters."""
    ids: dict[str, str] = {}
    for term in glossary().values():
        for name in (term.kanji,) if kanji else term.names[:-1]:
            ids.setdefault(name.casefold(), term.id)
    return ids


@cache
def _names(kanji: bool) -> re.Pattern[str]:
    """A pattern for the longest name at a position; in Latin letters only whole words."""
    names = "|".join(re.escape(name) for name in sorted(_ids(kanji), key=len, reverse=True))
    return re.compile(f"({names})" if kanji else rf"\b({names})s?\b", re.IGNORECASE)


SEVERAL: Final = " | "
"""The separator of several citations."""

_SECTION: Final = re.compile(r"§[\d.]+")


@cache
def _documents() -> Mapping[str, list[tuple[str, str]]]:
    """By language: (start of a citation, name of the document)."""
    return tomllib.loads((Path(__file__).parent / "sources.toml").read_text(encoding="utf-8"))


def document(source: str, language: str) -> str:
    """The documents and sections of citations, without the content.

    >>> document("EMA 2008 §4.1.3: tables | Toudai §7.2: a variation", "en")
    'EMA 2008 §4.1.3; Toudai §7.2'
    >>> document("EMA 2008 §4.1.3: tables | Toudai §7.2: a variation", "ja")
    'EMAルール2008 §4.1.3、東大式 §7.2'
    """
    cited = [one.strip().partition(":")[0] for one in source.split(SEVERAL)]
    names = _documents().get(language)
    if names is None:
        return "; ".join(dict.fromkeys(cited))
    cited_names: dict[str, None] = {}
    for one in cited:
        title = next(name for start, name in names if one.startswith(start))
        cited_names[" ".join([title, *_SECTION.findall(one)])] = None
    return "、".join(cited_names)


@cache
def _messages(language: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, LOCALE, [language])


class Catalogue:
    """The texts in one language, with the terms of one vocabulary (``scorer.words``).

    ``own``: the yaku that only the rules of the lesson have. They have names but no glossary entry.

    Raises :class:`ValueError` for a language that it does not have.

    >>> from scorer.telling.sentence import say
    >>> Catalogue("en", "english").text(say("group.called", set=Name("pung")))
    'Triplet, called.'
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
        """The format text of a message. Raises :class:`KeyError` for an unknown id.

        A yaku without a rule sentence gets a general one.
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
        """The meanings of terms in brackets, to follow the sentence that uses them first; empty without
        terms.

        >>> Catalogue("en", "english").bracket(["pung", "terminal"])
        '(triplet: three identical tiles; terminal: a 1 or 9)'
        """
        names = [f"{self.name(id_)}{self.message('words.is')}{self._meaning(id_)}" for id_ in words]
        opening, closing = tuple(self.message("words.bracket"))
        return f"{opening}{self.message('words.and').join(names)}{closing}" if names else ""

    def _meaning(self, id_: str) -> str:
        """The meaning of a term, to use within a sentence."""
        text = self.text(Sentence(glossary()[id_].message)).rstrip(".。")
        return text if text[1:2].isupper() else text[:1].lower() + text[1:]

    def terms(self, text: str) -> tuple[str, ...]:
        """The ids of the terms and yaku in a plain text, in their order.

        >>> Catalogue("en", "english").terms("Four Concealed Triplets, won on a single wait; pairs are none.")
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
    """The pieces with neighbouring texts joined, without empty ones."""
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
