"""``tehai advise``: what to do with a hand that is not finished."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rich.console import Console

from scorer import Hand
from scorer.asking.phrases import Phrases
from scorer.safety import River
from scorer.status import tile_faults
from scorer.tiles import TILES, Tile
from tehai.errors import Mistake
from tehai.flags.facts import Flags, facts_of
from tehai.hand import inputs, scoring
from tehai.hand.inputs import Given
from tehai.hand.notation import typed_tiles
from tehai.hand.rivers import rivers_of
from tehai.lesson.hand import lesson_about
from tehai.settings.options import known_language, vocabulary
from tehai.settings.preferences import rules_or_default
from tehai.terminal.explain import Explanation, Reader, for_everybody
from tehai.terminal.lesson import print_lesson
from tehai.terminal.show import print_doubts

_FACES: Final = {str(tile): tile for tile in TILES}


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says. ``flags``: by record field, None where not given. ``seen``: tiles that lie
    in sight elsewhere; ``rivers``, ``riichi_by``, ``since``: as :func:`tehai.rivers.rivers_of` takes them;
    the rest as :class:`tehai.terminal.score.Options` has it."""

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
        given, seen = _given(hand, options), typed_tiles(options.seen or "")
        players = given.opened.rules.players
        rivers = rivers_of(options.rivers, options.riichi_by, options.since, given.laid, players)
    seen = (*seen, *others_seen(given))
    trouble = _trouble(given)
    if options.as_json:
        write(_json(given, seen, rivers, trouble))
    if trouble:
        raise Mistake(trouble)
    if options.as_json:
        return
    print_doubts(console, given.doubts_told, options.language)
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


def others_seen(given: Given) -> tuple[Tile, ...]:
    """The faces in the photo that are no part of the hand: nobody draws them any more.

    A label that is no face (face down, unreadable, of another game) says nothing.
    """
    if given.reading is None:
        return ()
    return tuple(
        _FACES[one.label] for one in given.reading.tiles if one.role == "other" and one.label in _FACES
    )


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


def _trouble(given: Given) -> str:
    """Why there is nothing to advise; empty where there is."""
    laid, phrases = given.laid, Phrases(given.language)
    if "concealed" not in laid.known:
        return phrases.reading(given.reading.message) if given.reading else phrases.of("advice", "no_tiles")
    if laid.is_complete:
        return phrases.of("advice", "finished")
    if laid.is_unfinished:
        rest, last = laid.closed[:-1], laid.closed[-1]
        wrong = tile_faults(Hand(rest, last, laid.melds), given.opened.whole_win, given.opened.rules)
        return phrases.error(wrong[0].id, wrong[0].message) if wrong else ""
    kan = given.opened.rules.vocabulary.terms["kan"]
    return phrases.of("advice", "count", count=len(laid.line), kan=kan)


def _json(given: Given, seen: Sequence[Tile], rivers: Sequence[River], trouble: str) -> str:
    """Record, reading and advice; ``trouble`` instead where there is nothing to advise."""
    advice = None if trouble else scoring.advice_on(given, seen, rivers)
    record = {
        "record": {**given.record, "known": given.known},
        "reading": None if given.reading is None else given.reading.to_record(),
        "seen": [str(tile) for tile in seen],
        "advice": None if advice is None else scoring.advice_record(advice, given),
        **({"message": trouble} if trouble else {}),
    }
    return json.dumps(record, ensure_ascii=False)
