"""A hand record of a request: checked, scored, explained. No HTTP here, and no photo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from scorer import HandError, RecordError, RuleSet
from scorer.hand_tiles import FactSource, HandTiles
from scorer.record import DEFAULTS, REQUIRED, parse_open, score_record, unknown_fields
from scorer.records import ResultRecord
from scorer.safety import River
from scorer.telling.catalogue import LANGUAGES
from scorer.telling.lesson import Lesson
from scorer.tiles import Tile
from tehai.errors import Mistake
from tehai.hand import scoring
from tehai.hand.inputs import HandInput, from_line
from tehai.hand.notation import Record, typed_tiles
from tehai.hand.rivers import rivers_of
from tehai.lesson.hand import lesson_about
from tehai.server.answers import Refusal

FIELDS: Final = (*REQUIRED, *DEFAULTS, "dealer", "words")
"""The fields of a record that count. Others are ignored."""

LONGEST: Final = 60
"""The most characters of a text in a record: the tiles of any hand have fewer."""

LONGEST_LINE: Final = 120
"""The most characters of a typed hand, with blanks and the marks of melds."""

LONGEST_RIVERS: Final = 240
"""The most characters of the others' discards: more than three full rivers."""

_WORDS_OF: Final = {"en": None, "ja": "kanji"}
"""The vocabulary of a language: in English that of the rules."""


def language_of(value: object) -> str:
    """The language, by default ``en``. Raises :class:`Refusal` for an unknown one."""
    if value is None:
        return "en"
    if value not in LANGUAGES:
        raise Refusal(422, "bad_field", f"lang is one of {', '.join(LANGUAGES)}.")
    return str(value)


def hand_input_of(record: object, rules: RuleSet, called: str) -> HandInput:
    """The hand of a request: its record with ``known`` inside, as ``/api/read`` returned it.

    Null equals a missing field. Without ``known`` every field counts as answered. ``called``: the request's
    name of the rules. Raises :class:`Refusal` for an invalid field.
    """
    if not isinstance(record, Mapping):
        raise Refusal(422, "bad_field", "record must be a JSON object: a hand record.")
    for unknown in unknown_fields(record):
        raise Refusal(422, "bad_field", str(unknown))
    fields: Record = {name: record[name] for name in FIELDS if record.get(name) is not None}
    known = record.get("known")
    if known is None:
        known = dict.fromkeys(fields, str(FactSource.ASKED))
    if not isinstance(known, Mapping) or any(source not in tuple(FactSource) for source in known.values()):
        raise Refusal(422, "bad_field", f"known says of each field one of {', '.join(FactSource)}.")
    sources = {"rules": str(FactSource.DEFAULT), **{name: known[name] for name in FIELDS if name in known}}
    fields.pop("rules", None)
    if not isinstance(fields.get("dealer", False), bool):
        raise Refusal(422, "bad_field", "dealer must be true or false.")
    if any(len(text) > LONGEST for text in texts_of(fields)):
        raise Refusal(422, "bad_field", f"No text of a record has more than {LONGEST} characters.")
    try:
        opened = parse_open(fields, sources)
    except RecordError as error:
        raise Refusal(422, error.id, str(error)) from None
    return HandInput(opened.under(rules, called))


def typed(text: object) -> Record:
    """The tiles of a hand typed as one line (:mod:`tehai.hand.notation`), as fields of a record."""
    if not isinstance(text, str) or len(text) > LONGEST_LINE:
        raise Refusal(422, "bad_field", f"text is a hand typed in at most {LONGEST_LINE} characters.")
    try:
        return from_line(text).hand_tiles.to_record()
    except (Mistake, RecordError) as reason:
        sentence = str(reason)
        raise Refusal(422, "bad_line", sentence[:1].upper() + sentence[1:]) from None


def texts_of(value: object) -> Iterator[str]:
    """Every text inside a JSON value except the rules, which may be whole house rules."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            if name != "rules":
                yield from texts_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_of(inner)


def spoken(hand_input: HandInput, language: str) -> HandInput:
    """The hand in the vocabulary of a language, unless the record asks for one."""
    opened, words = hand_input.opened, _WORDS_OF[language]
    if words is None or "words" in opened.sources:
        return hand_input
    rules = replace(opened.rules, words=words)
    return replace(hand_input, opened=replace(opened, rules=rules).known_as({"words": FactSource.DEFAULT}))


def rivers_in(body: Mapping[str, Any], hand_input: HandInput) -> tuple[River, ...]:
    """The others' discards in a request: ``rivers`` and ``riichi_by``, as :func:`tehai.hand.rivers.rivers_of`
    takes them.

    Empty for a finished hand. Raises :class:`Refusal` for invalid values.
    """
    rivers, riichi_by = (body.get(name) for name in ("rivers", "riichi_by"))
    for text in (rivers, riichi_by):
        if text is not None and (not isinstance(text, str) or len(text) > LONGEST_RIVERS):
            raise Refusal(422, "bad_field", "rivers and riichi_by are texts, as 9s1z/2p/4m6s and left.")
    if not hand_input.hand_tiles.is_unfinished:
        return ()
    try:
        return rivers_of(rivers, riichi_by, None, hand_input.hand_tiles, hand_input.opened.rules.players)
    except Mistake as mistake:
        raise Refusal(422, "bad_rivers", str(mistake)) from None


def seen_in(body: Mapping[str, Any], hand_input: HandInput) -> tuple[Tile, ...]:
    """Other visible tiles in a request: ``seen``, as text.

    Empty for a finished hand. Raises :class:`Refusal` for invalid tiles.
    """
    text = body.get("seen")
    if text is not None and (not isinstance(text, str) or len(text) > LONGEST_RIVERS):
        raise Refusal(422, "bad_field", "seen is a text, as 123m777z.")
    if not hand_input.hand_tiles.is_unfinished:
        return ()
    try:
        return typed_tiles(text or "")
    except Mistake as mistake:
        raise Refusal(422, "bad_seen", str(mistake)) from None


def scored(
    hand_input: HandInput, language: str, rivers: Sequence[River] = (), seen: Sequence[Tile] = ()
) -> dict[str, Any]:
    """The output of ``tehai score --json``, with questions in the language.

    ``seen``: tiles visible outside hand and rivers, for the advice.
    """
    played = spoken(hand_input, language).as_played()
    answer = scoring.settle(replace(played, language=language)).to_record(rivers, seen)
    if "words" not in hand_input.opened.sources:  # the next request may speak another language
        answer["record"].pop("words", None)
        answer["record"]["known"].pop("words", None)
    return {**answer, "tiles": tiles_of(hand_input.hand_tiles)}


def compared(hand_input: HandInput, rules: Sequence[str], language: str) -> dict[str, ResultRecord]:
    """The results of the hand by rule set."""
    return scoring.under(spoken(hand_input, language).opened, rules)


def is_otherwise(hand_input: HandInput, other: HandInput) -> bool:
    """Whether the same win with other tiles is another hand (red fives aside), or can pay otherwise."""
    mine, theirs = (sorted(tile.kind for tile in one.hand_tiles.line) for one in (hand_input, other))
    return mine != theirs or _worth(hand_input) != _worth(other)


def _worth(hand_input: HandInput) -> tuple[object, ...]:
    """The payment by the best guess, and all possible ones."""
    plan = hand_input.as_played().plan()
    result = score_record(plan.guess)
    return plan.reach, *(result.get(name) for name in ("status", "error", "points", "deltas"))


def tiles_of(hand_tiles: HandTiles) -> dict[str, Any]:
    """The number of tiles, the number of a finished hand, and the waits of 13 tiles."""
    kans = sum(len(meld.tiles) == 4 for meld in hand_tiles.melds)
    waits = hand_tiles.waits if "concealed" in hand_tiles.known else ()
    return {"count": len(hand_tiles.line), "wanted": 14 + kans, "waits": [str(tile) for tile in waits]}


def lesson_of(
    hand_input: HandInput, language: str, rivers: Sequence[River] = (), seen: Sequence[Tile] = ()
) -> Lesson:
    """The lesson about a hand, finished or not. Raises :class:`Refusal` if it is no hand."""
    try:
        hand_input = replace(spoken(hand_input, language).as_played(), language=language)
        outcome = scoring.settle(hand_input)
        lesson = lesson_about(
            scoring.lesson_record(hand_input, outcome.plan), language, seen=seen, rivers=rivers
        )
        return replace(lesson, notes=outcome.headline_notes)
    except RecordError as error:
        raise Refusal(422, error.id, str(error)) from None
    except HandError as error:
        raise Refusal(422, error.faults[0].id, str(error)) from None
    except Mistake as mistake:
        raise Refusal(422, "bad_hand", str(mistake)) from None
