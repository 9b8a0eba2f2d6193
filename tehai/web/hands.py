"""A hand record as a request sends it: checked, scored, told as a lesson. No HTTP here, and no photo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from scorer import HandError, RecordError, RuleSet, parse_record
from scorer.asking.plan import apply_defaults
from scorer.record import DEFAULTS, REQUIRED
from scorer.telling.catalogue import LANGUAGES
from scorer.telling.lesson import Lesson
from tehai import scoring
from tehai.errors import Mistake
from tehai.gather import Given, waiting_on
from tehai.notation import Record, line_of
from tehai.server.answers import Refusal
from tehai.terminal import explain

FIELDS: Final = (*REQUIRED, *DEFAULTS, "dealer", "words")
"""The fields of a record that count; others are ignored."""

LONGEST: Final = 60
"""Characters of a text in a record: the tiles of any hand have fewer."""

_SOURCES: Final = ("seen", "inferred", "asked", "default")
_WORDS_OF: Final = {"en": None, "ja": "kanji"}
"""The vocabulary of a language: in English that of the rules."""


def language_of(value: object) -> str:
    """``en`` where nothing is said. Raises :class:`Refusal` for a language that there is not."""
    if value is None:
        return "en"
    if value not in LANGUAGES:
        raise Refusal(422, "bad_field", f"lang is one of {', '.join(LANGUAGES)}.")
    return str(value)


def given_of(record: object, rules: RuleSet) -> Given:
    """What a request knows of a hand: its record with ``known`` inside, as ``/api/read`` returned it.

    Null is as good as not there. Without ``known`` every field is as good as asked.
    Raises :class:`Refusal` for a field that cannot be understood.
    """
    if not isinstance(record, Mapping):
        raise Refusal(422, "bad_field", "record must be a JSON object: a hand record.")
    fields: Record = {name: record[name] for name in FIELDS if record.get(name) is not None}
    known = record.get("known")
    if known is None:
        known = dict.fromkeys(fields, "asked")
    if not isinstance(known, Mapping) or any(source not in _SOURCES for source in known.values()):
        raise Refusal(422, "bad_field", f"known says of each field one of {', '.join(_SOURCES)}.")
    fields["rules"] = rules
    _check(fields)
    return Given(fields, {name: str(source) for name, source in known.items() if name in FIELDS})


def _texts(value: object) -> Iterator[str]:
    """Every text inside a JSON value but the rules, which may be whole house rules."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            if name != "rules":
                yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _check(fields: Record) -> None:
    """Raises :class:`Refusal` for the first field that is of no use, whatever is still missing."""
    if not isinstance(fields.get("dealer", False), bool):
        raise Refusal(422, "bad_field", "dealer must be true or false.")
    if any(len(text) > LONGEST for text in _texts(fields)):
        raise Refusal(422, "bad_field", f"No text of a record has more than {LONGEST} characters.")
    try:
        parse_record({"win_tile": "1m", **apply_defaults({"concealed": "", **fields})})
    except RecordError as error:
        raise Refusal(422, error.id, str(error)) from None


def spoken(given: Given, language: str) -> Given:
    """In the vocabulary of a language, unless the record asks for one itself."""
    words = _WORDS_OF[language]
    return given if words is None else replace(given, record={"words": words, **given.record})


def scored(given: Given, rules: str, language: str) -> dict[str, Any]:
    """What ``tehai score --json`` prints of a hand. ``rules``: what the request calls them."""
    told = scoring.settle(spoken(given, language)).to_record()
    told["record"]["rules"] = rules
    if "words" not in given.record:
        told["record"].pop("words", None)  # the next request may speak another language
    return {**told, "tiles": tiles_of(given)}


def compared(given: Given, rules: Sequence[str], language: str) -> dict[str, dict[str, Any]]:
    """The results of the hand by rule set."""
    return scoring.under(spoken(given, language).record, rules)


def tiles_of(given: Given) -> dict[str, Any]:
    """How many tiles the hand has and would have as a finished one, and what 13 of them wait on."""
    melds = given.record.get("melds", ())
    kans = sum(len(line_of({"melds": [meld]})) == 4 for meld in melds)
    waits = waiting_on(given.record) if "concealed" in given.record else ()
    return {"count": len(line_of(given.record)), "wanted": 14 + kans, "waits": list(waits)}


def lesson_of(given: Given, language: str) -> Lesson:
    """The lesson about a hand that is finished or waits. Raises :class:`Refusal` where it is neither."""
    try:
        # the plan takes some tile for a winning one that nobody told
        record = {**given.plan().record, "win_tile": given.record.get("win_tile")}
        return explain.lesson_of(record, language)
    except RecordError as error:
        raise Refusal(422, error.id, str(error)) from None
    except HandError as error:
        raise Refusal(422, error.faults[0].id, str(error)) from None
    except Mistake as mistake:
        raise Refusal(422, "bad_hand", str(mistake)) from None
