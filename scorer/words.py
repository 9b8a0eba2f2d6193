"""The vocabularies of the game: common English, EMA's English, and Japanese in Latin letters or kanji.

They are the columns of ``scorer/words.toml``. EMA's has only the terms that differ from common English.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from scorer.readings import GroupType, Wait
from scorer.yaku import BY_ID, DORA


@dataclass(frozen=True, slots=True)
class Words:
    """One vocabulary. ``{}`` in ``han``, ``fu``, ``points`` and ``yakuman`` stands for the number.

    ``name``: ``english``, ``ema``, ``japanese`` or ``kanji``. ``comma``: between the parts of a value.
    ``sets``: by type and whether concealed; ``{}`` stands for their tiles. ``waits``: the waits that earn fu.
    ``limits``: by id. ``terms``: the terms of sentences by id, yaku included. ``names``: the English names of
    yaku, by id, that differ from those of ``scorer.yaku``. ``own``: the English and Japanese names of yaku
    that only these rules have.
    """

    name: str
    han: str
    fu: str
    points: str
    yakuman: str
    comma: str
    simples: str
    terminals: str
    dragons: str
    seat: str
    round: str
    both: str
    ron_closed: str
    base: str
    seven_pairs: str
    self_draw: str
    open_pinfu: str
    rounded: str
    sets: Mapping[tuple[GroupType, str], str]
    waits: Mapping[Wait, str]
    limits: Mapping[str, str]
    terms: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def yaku(self, id_: str) -> str:
        """The name of a yaku or of a kind of dora.

        >>> VOCABULARIES["english"].yaku("haitei"), VOCABULARIES["kanji"].yaku("dora")
        ('Under the Sea, self-draw', 'ドラ')
        """
        spoken = id_.replace("_", " ")
        if id_ in BY_ID:
            english, kanji = self.names.get(id_, BY_ID[id_].english), BY_ID[id_].japanese
        else:
            english, kanji = self.own.get(id_) or DORA.get(id_) or (spoken, spoken)
        return {"japanese": spoken, "kanji": kanji}.get(self.name, english)

    def phrase(self, text: str, **values: object) -> str:
        """The text with its ``{ids}`` replaced by terms or by the values of that name (``8,000``).

        The id follows the name of a yaku, because it is the field and the flag that claims it. An id that
        equals the name is left out.

        >>> VOCABULARIES["english"].phrase("{rinshan} needs a {kan}")
        'After a Kan (rinshan) needs a kan'
        """
        written = {id_: f"{value:,}" if type(value) is int else value for id_, value in values.items()}
        return text.format_map({**self.terms, **written})

    def say(self, sentence: str, **values: object) -> str:
        """A phrase that begins with a capital letter."""
        text = self.phrase(sentence, **values)
        return text[:1].upper() + text[1:]


def _named(words: Words) -> dict[str, str]:
    """The names of the yaku in sentences."""
    named = {}
    for id_ in BY_ID:
        name, spoken = words.yaku(id_), id_.replace("_", " ")
        named[id_] = name if name.lower() == spoken else f"{name} ({spoken})"
    return named


_NAMES: Final = ("english", "ema", "japanese", "kanji")


@cache
def _read() -> Mapping[str, Words]:
    import tomllib  # imported late, because a score without words does not need it
    from pathlib import Path

    rows = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
    ema_yaku, found = rows.pop("ema_yaku"), {}
    for name in _NAMES:
        column = _column(rows, name)
        words = Words(
            name=name,
            **column["value"],
            **column["fu"],
            sets=MappingProxyType(
                {
                    (GroupType(type_), way): text
                    for way, types in column["sets"].items()
                    for type_, text in types.items()
                }
            ),
            waits=MappingProxyType({Wait(wait): text for wait, text in column["waits"].items()}),
            limits=MappingProxyType(column["limits"]),
            terms=(terms := column["terms"]),
            names=MappingProxyType(ema_yaku if name == "ema" else {}),
        )
        terms.update(_named(words))
        found[name] = words
    return found


def _column(rows: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The tables of the file, with the text of one vocabulary in place of each row."""
    return {
        id_: row.get(name, row["english"]) if "english" in row else _column(row, name)
        for id_, row in rows.items()
    }


class _Vocabularies(Mapping[str, Words]):
    """The vocabularies by name. The file is read on first use."""

    def __getitem__(self, name: str) -> Words:
        return _read()[name]

    def __contains__(self, name: object) -> bool:
        return name in _NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


VOCABULARIES: Final[Mapping[str, Words]] = _Vocabularies()
"""The vocabularies by the key ``words`` of a rule set."""


def value_in_words(
    han: int, fu: int | None, points: int, limit: str | None, yakuman: int, words: Words
) -> str:
    """The value of a hand as players say it.

    >>> value_in_words(4, 30, 7700, None, 0, VOCABULARIES["english"])
    '4 han 30 fu, 7,700 points'
    >>> value_in_words(4, 30, 7700, None, 0, VOCABULARIES["ema"])
    '4 fan 30 minipoints, 7,700 points'
    >>> value_in_words(26, None, 64000, "yakuman", 2, VOCABULARIES["japanese"])
    '2 yakuman, 64,000 points'
    >>> value_in_words(5, 30, 8000, "mangan", 0, VOCABULARIES["kanji"])
    '満貫 5翻 8,000点'
    """
    if yakuman > 1:
        parts = [words.yakuman.format(yakuman)]
    elif yakuman:
        parts = [words.limits["yakuman"]]
    elif limit:
        parts = [words.limits[limit], words.han.format(han)]
    else:
        parts = [f"{words.han.format(han)} {words.fu.format(fu)}" if fu else words.han.format(han)]
    return words.comma.join([*parts, words.points.format(points)])
