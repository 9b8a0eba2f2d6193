"""The table around a photographed hand, as ``/api/read`` returns it (``docs/server.md``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorer.asking.phrases import Phrases
from scorer.safety import River
from scorer.telling.catalogue import LANGUAGES
from scorer.tiles import Tile, format_tiles
from tehai.hand.inputs import HandInput
from tehai.hand.rivers import (
    OWN,
    TableRiver,
    others_seen,
    riichi_by,
    rivers_of,
    table_rivers,
    typed,
    with_own_discards,
    without_fifths,
)
from tehai.hand.table_facts import facts_that_hold, sentence
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class TableSeen:
    """The table around a hand.

    ``given``: the hand, with its own discards if it is not finished. ``rivers`` and ``seen``: the others'
    discards and other visible tiles, for the advice. ``record``: all as JSON values, with the facts that
    follow; None without a table.
    """

    hand_input: HandInput
    rivers: tuple[River, ...] = ()
    seen: tuple[Tile, ...] = ()
    record: dict[str, Any] | None = None


def table_of(hand_input: HandInput) -> TableSeen:
    """The table in the photo of a hand, without facts that a person has already stated."""
    if hand_input.reading is None or hand_input.reading.table is None:
        return TableSeen(hand_input)
    facts = _facts(hand_input, hand_input.reading)
    if not hand_input.hand_tiles.is_unfinished:
        empty: dict[str, Any] = {"rivers": None, "riichi_by": "", "seen": "", "discards": "", "turned": {}}
        return TableSeen(hand_input, record={"facts": facts, **empty})
    players = hand_input.opened.rules.players
    found = table_rivers(hand_input.reading, players)
    other_rules_note = others_seen(hand_input, found)
    fitting = without_fifths(
        found, (*hand_input.hand_tiles.line, *hand_input.hand_tiles.dora_indicators, *other_rules_note)
    )
    hand_input = with_own_discards(hand_input, fitting)
    read = tuple(one.without_doubtful() for one in fitting)
    others = tuple(one for one in read if one.who != OWN)
    discards = "".join(format_tiles(one.faces) for one in read if one.who == OWN)
    lines, declared = typed(others, players), riichi_by(others)
    record = {
        "facts": facts,
        "rivers": lines if others or other_rules_note else None,
        "riichi_by": declared,
        "seen": format_tiles(other_rules_note),
        "discards": discards,
        "turned": {one.who: at for one in read if (at := _turned(one)) is not None},
    }
    read_of_others = rivers_of(lines, declared, None, hand_input.hand_tiles, players) if others else ()
    return TableSeen(hand_input, read_of_others, other_rules_note, record)


def _turned(river: TableRiver) -> int | None:
    """The index of the discard that was turned for riichi."""
    return next((at for at, (place, _) in enumerate(river.tiles) if place == river.turned), None)


def _facts(hand_input: HandInput, reading: Reading) -> list[dict[str, Any]]:
    return [
        {
            "field": fact.field,
            "value": fact.value,
            "known": str(fact.known),
            "tiles": list(fact.tiles),
            "texts": {language: sentence(fact, reading, Phrases(language)) for language in LANGUAGES},
        }
        for fact in facts_that_hold(reading, hand_input.opened)
    ]
