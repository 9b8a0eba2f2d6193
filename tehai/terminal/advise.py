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
from tehai.flags.facts import FIELD_NAMES, Flags, facts_of
from tehai.hand import inputs, scoring
from tehai.hand.inputs import HandInput
from tehai.hand.notation import typed_tiles
from tehai.hand.rivers import (
    OWN,
    TableRiver,
    check_copies,
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
    if options.as_json and options.explain is not None:
        raise Mistake("--json and --explain each print the advice in a way: say one of them.")
    with inputs.mistakes_in(known_language(options.language)):
        hand_input = _given(hand, options)
        hand_input, seen, rivers, read = _in_sight(hand_input, options)
    trouble = _trouble(hand_input)
    if options.as_json:
        write(_json(hand_input, seen, rivers, trouble, read))
    if trouble:
        raise Mistake(trouble)
    if options.as_json:
        return
    aside = console_beside(console, options.explain)
    print_doubts(aside, hand_input.doubt_sentences, options.language)
    print_rivers(aside, read, hand_input.opened.rules.players, options.language)
    if options.explain is not None:
        Explanation(options.explain, options.language, options.reader).tell(
            console, hand_input.opened, scoring.advice_assumed(hand_input), seen=seen, rivers=rivers
        )
    else:
        print_advice(console, hand_input, seen, rivers, options.reader)


def print_advice(
    console: Console,
    hand_input: HandInput,
    seen: Sequence[Tile] = (),
    rivers: Sequence[River] = (),
    reader: Reader = for_everybody,
) -> None:
    """The advice about a hand that is not finished, without the words explained."""
    lesson = lesson_about(hand_input.opened, hand_input.language, seen=seen, rivers=rivers)
    lesson = reader(replace(lesson, notes=scoring.advice_assumed(hand_input)))
    print_lesson(console, lesson, glossary=False)


def _given(hand: str, options: Options) -> HandInput:
    """The hand as the photo or the line has it, and what the flags say."""
    vocabulary(options.terms)
    region = None if options.region is None else inputs.parse_region(options.region)
    hand_input = replace(inputs.from_argument(hand, region), language=options.language)
    if options.tiles is not None:
        hand_input = hand_input.corrected(options.tiles)
    facts = {**facts_of(options.flags), "rules": rules_or_default(options.rules)}
    terms = {} if options.terms is None else {"words": options.terms}
    return hand_input.with_facts({**facts, **terms}, FIELD_NAMES).as_played()


def _in_sight(
    hand_input: HandInput, options: Options
) -> tuple[HandInput, tuple[Tile, ...], tuple[River, ...], tuple[TableRiver, ...]]:
    """Four values: the hand with its own discards, other visible tiles, the others' rivers, and the rivers to
    print as read.

    Typed rivers replace those of the photo, whose tiles then do not count.
    """
    players, seen = hand_input.opened.rules.players, _other_tiles(hand_input, options)
    named = rivers_of(options.rivers, options.riichi_by, options.since, hand_input.hand_tiles, players)
    if options.rivers is not None:
        typed_by = {river.who for river in named if river.tiles}
        own = [one for one in table_rivers(hand_input.reading, players) if one.who == OWN]
        overridden = [one for one in table_rivers(hand_input.reading, players, 0) if one.who in typed_by]
        return (
            with_own_discards(hand_input, own),
            (*seen, *others_seen(hand_input, (*own, *overridden))),
            named,
            (),
        )
    found = table_rivers(hand_input.reading, players)
    seen = (*seen, *others_seen(hand_input, found))
    read = without_fifths(found, (*hand_input.hand_tiles.line, *hand_input.hand_tiles.dora_indicators, *seen))
    others = tuple(one for one in read if one.who != OWN)
    shown = others if "discards" in hand_input.known else read  # what a person has named is not corrected
    return with_own_discards(hand_input, read), seen, tuple(one.river for one in others), shown


def _other_tiles(hand_input: HandInput, options: Options) -> tuple[Tile, ...]:
    """The tiles of ``--seen``. Raises :class:`Mistake` for a fifth tile of a kind."""
    seen, tiles = typed_tiles(options.seen or ""), hand_input.hand_tiles
    if seen:
        where = "the hand, the dora indicators and --seen"
        check_copies((*tiles.line, *tiles.dora_indicators, *seen), where)
    return seen


def _trouble(hand_input: HandInput) -> str:
    """Why there is nothing to advise; empty where there is."""
    hand_tiles, phrases = hand_input.hand_tiles, Phrases(hand_input.language)
    if "concealed" not in hand_tiles.known:
        return (
            phrases.reading(hand_input.reading.message)
            if hand_input.reading
            else phrases.of("advice", "no_tiles")
        )
    if hand_tiles.is_complete:
        return phrases.of("advice", "finished")
    if hand_tiles.is_unfinished:
        return inputs.impossible_tiles(hand_input)
    kan = hand_input.opened.rules.vocabulary.terms["kan"]
    return phrases.of("advice", "count", count=len(hand_tiles.line), kan=kan)


def _json(
    hand_input: HandInput,
    seen: Sequence[Tile],
    rivers: Sequence[River],
    trouble: str,
    read: Sequence[TableRiver],
) -> str:
    """Record, reading and advice; ``trouble`` instead where there is nothing to advise. ``read``: the rivers
    that the photo shows."""
    advice = None if trouble else scoring.advice_on(hand_input, seen, rivers)
    by_player = {one.who: format_tiles(one.river.tiles) for one in read if one.who != OWN}
    record = {
        "record": {**hand_input.record, "known": hand_input.known},
        "reading": None if hand_input.reading is None else hand_input.reading.to_record(),
        "seen": [str(tile) for tile in seen],
        **({"rivers": by_player, "riichi_by": riichi_by(read)} if by_player else {}),
        "advice": None if advice is None else scoring.advice_record(advice, hand_input),
        **({"message": trouble} if trouble else {}),
    }
    return json.dumps(record, ensure_ascii=False)
