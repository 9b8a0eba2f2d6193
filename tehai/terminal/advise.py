"""``tehai advise``: what to do with a hand that is not finished."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rich.console import Console

from scorer.asking.phrases import Phrases
from scorer.safety import River
from scorer.tiles import Tile, format_tiles
from tehai.errors import Mistake
from tehai.flags.facts import Flags, facts_of
from tehai.hand import inputs, scoring
from tehai.hand.inputs import Given
from tehai.hand.notation import typed_tiles
from tehai.hand.rivers import (
    OWN,
    TableRiver,
    others_seen,
    riichi_by,
    rivers_of,
    table_rivers,
    with_own_discards,
    without_fifths,
)
from tehai.lesson.hand import lesson_about
from tehai.settings.options import known_language, vocabulary
from tehai.settings.preferences import rules_or_default
from tehai.terminal.explain import Explanation, Reader, console_beside, for_everybody
from tehai.terminal.lesson import print_lesson
from tehai.terminal.show import print_doubts, print_rivers


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says. ``flags``: by record field, None where not given. ``seen``: tiles that lie
    in sight elsewhere; ``rivers``, ``riichi_by``, ``since``: as :func:`tehai.hand.rivers.rivers_of` takes
    them; the rest as :class:`tehai.terminal.score.Options` has it."""

    flags: Flags
    rules: str | None = None
    terms: str | None = None
    region: str | None = None
    tiles: str | None = None
    seen: str | None = None
    rivers: str | None = None
    riichi_by: str | None = None
    since: str | None = None
    as_json: bool = False
    explain: str | None = None
    language: str = "en"
    reader: Reader = for_everybody


def advise(hand: str, options: Options, console: Console, write: Callable[[str], object]) -> None:
    """Print what to do with the hand of a photo or a typed one. ``write`` takes a line of JSON.

    Raises :class:`Mistake` where there is nothing to advise.
    """
    with inputs.told_in(known_language(options.language)):
        given = _given(hand, options)
        given, seen, rivers, read = _in_sight(given, options)
    trouble = _trouble(given)
    if options.as_json:
        write(_json(given, seen, rivers, trouble, read))
    if trouble:
        raise Mistake(trouble)
    if options.as_json:
        return
    aside = console_beside(console, options.explain)
    print_doubts(aside, given.doubts_told, options.language)
    print_rivers(aside, read, given.opened.rules.players, options.language)
    if options.explain is not None:
        Explanation(options.explain, options.language, options.reader).tell(
            console, given.opened, scoring.advice_assumed(given), seen=seen, rivers=rivers
        )
    else:
        print_advice(console, given, seen, rivers, options.reader)


def print_advice(
    console: Console,
    given: Given,
    seen: Sequence[Tile] = (),
    rivers: Sequence[River] = (),
    reader: Reader = for_everybody,
) -> None:
    """The advice about a hand that is not finished, without the words explained."""
    lesson = lesson_about(given.opened, given.language, seen=seen, rivers=rivers)
    lesson = reader(replace(lesson, notes=scoring.advice_assumed(given)))
    print_lesson(console, lesson, glossary=False)


def _given(hand: str, options: Options) -> Given:
    """The hand as the photo or the line has it, and what the flags say."""
    vocabulary(options.terms)
    region = None if options.region is None else inputs.parse_region(options.region)
    given = replace(inputs.from_argument(hand, region), language=options.language)
    if options.tiles is not None:
        given = given.corrected(options.tiles)
    facts = {**facts_of(options.flags), "rules": rules_or_default(options.rules)}
    terms = {} if options.terms is None else {"words": options.terms}
    return given.with_facts({**facts, **terms}).as_played()


def _in_sight(
    given: Given, options: Options
) -> tuple[Given, tuple[Tile, ...], tuple[River, ...], tuple[TableRiver, ...]]:
    """The hand with its own discards, what lies in sight beside hand and rivers, the rivers of the others,
    and the rivers to show as the photo has them.

    Typed rivers override those of the photo, and their tiles are not counted again.
    """
    players, seen = given.opened.rules.players, typed_tiles(options.seen or "")
    named = rivers_of(options.rivers, options.riichi_by, options.since, given.hand_tiles, players)
    if options.rivers is not None:
        typed_by = {river.who for river in named if river.tiles}
        own = [one for one in table_rivers(given.reading, players) if one.who == OWN]
        overridden = [one for one in table_rivers(given.reading, players, 0) if one.who in typed_by]
        return with_own_discards(given, own), (*seen, *others_seen(given, (*own, *overridden))), named, ()
    found = table_rivers(given.reading, players)
    seen = (*seen, *others_seen(given, found))
    read = without_fifths(found, (*given.hand_tiles.line, *given.hand_tiles.dora_indicators, *seen))
    others = tuple(one for one in read if one.who != OWN)
    shown = others if "discards" in given.known else read  # what a person has named is not corrected
    return with_own_discards(given, read), seen, tuple(one.river for one in others), shown


def _trouble(given: Given) -> str:
    """Why there is nothing to advise; empty where there is."""
    hand_tiles, phrases = given.hand_tiles, Phrases(given.language)
    if "concealed" not in hand_tiles.known:
        return phrases.reading(given.reading.message) if given.reading else phrases.of("advice", "no_tiles")
    if hand_tiles.is_complete:
        return phrases.of("advice", "finished")
    if hand_tiles.is_unfinished:
        return inputs.impossible_tiles(given)
    kan = given.opened.rules.vocabulary.terms["kan"]
    return phrases.of("advice", "count", count=len(hand_tiles.line), kan=kan)


def _json(
    given: Given, seen: Sequence[Tile], rivers: Sequence[River], trouble: str, read: Sequence[TableRiver]
) -> str:
    """Record, reading and advice; ``trouble`` instead where there is nothing to advise. ``read``: the rivers
    that the photo shows."""
    advice = None if trouble else scoring.advice_on(given, seen, rivers)
    by_player = {one.who: format_tiles(one.river.tiles) for one in read if one.who != OWN}
    record = {
        "record": {**given.record, "known": given.known},
        "reading": None if given.reading is None else given.reading.to_record(),
        "seen": [str(tile) for tile in seen],
        **({"rivers": by_player, "riichi_by": riichi_by(read)} if by_player else {}),
        "advice": None if advice is None else scoring.advice_record(advice, given),
        **({"message": trouble} if trouble else {}),
    }
    return json.dumps(record, ensure_ascii=False)
