"""Facts of a hand that follow from the table around it.

They are riichi, ippatsu, a win that can only be a self-draw, and no win on the first turn or the last tile. A
fact with weak evidence becomes the first answer of its question. Tehai takes a fact without a question if
such facts were right on at least 98 % of rendered tables (``python -m models.tables``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from scorer.asking.phrases import Phrases
from scorer.hand import MeldType
from scorer.hand_tiles import FactSource, HandTiles
from scorer.open_record import OpenRecord
from scorer.tiles import Tile
from tehai.hand.turns import SURE_RIVER, is_after_first_turn, is_before_last_tile, is_last_tile, sure_rivers
from vision.labels import FACES, plain
from vision.players import RIICHI_THRESHOLD, SeenRiver, SeenTable
from vision.reading import TILE_THRESHOLD, Reading

TURNED: Final = 0.5
"""The least probability of a turned discard."""

FIRST_TURN: Final = ("tenhou", "chiihou", "renhou")
LAST_TILE: Final = ("haitei", "houtei")


@dataclass(frozen=True, slots=True)
class TableFact:
    """A field of the record with its value, its source, and the ``tiles`` of the reading as evidence.
    ``sign``: the kind of evidence, an id of the phrases. Facts with one sign share a sentence."""

    field: str
    value: Any
    known: FactSource
    tiles: tuple[int, ...]
    sign: str


def table_facts(reading: Reading) -> Iterator[TableFact]:
    """The facts of a finished hand from the rivers."""
    if reading.status != "ok" or reading.hand is None or reading.table is None:
        return
    hand_tiles = HandTiles.from_record(reading.hand, reading.known)
    river = reading.table.river("near")
    if river is not None and river.probability >= SURE_RIVER:
        if all(meld.type is MeldType.ANKAN for meld in hand_tiles.melds):
            yield from _riichi(river)
        yield from _furiten(reading, hand_tiles, river)
    yield from _turns(hand_tiles, reading.table)


def facts_that_hold(reading: Reading, opened: OpenRecord) -> list[TableFact]:
    """The facts that the record still has from the reading. A fact is left out if a person has overridden one
    of the same sentence."""
    facts = tuple(table_facts(reading))
    gone = {
        fact.sign
        for fact in facts
        if opened.known.get(fact.field) is not fact.known or opened.value(fact.field) != fact.value
    }
    return [fact for fact in facts if fact.sign not in gone]


def is_surely_turned(river: SeenRiver) -> bool:
    """Whether the turned discard of the river means riichi: its probability is high, or a riichi stick lies
    before it."""
    return river.turned >= RIICHI_THRESHOLD or (river.turned > TURNED and river.stick)


def _riichi(river: SeenRiver) -> Iterator[TableFact]:
    turned = (river.tiles[river.riichi],)
    if river.turned > TURNED:
        known, sign = (FactSource.SEEN, "turned_and_stick") if river.stick else (FactSource.DEFAULT, "turned")
        yield TableFact("riichi", True, known, turned, sign)
    elif river.stick:
        yield TableFact("riichi", True, FactSource.DEFAULT, (), "stick_alone")
    if is_surely_turned(river):
        if river.after_riichi:
            yield TableFact("ippatsu", False, FactSource.SEEN, (*turned, *river.after_riichi), "goes_on")
        if river.riichi:
            yield TableFact("double_riichi", False, FactSource.SEEN, turned, "not_first")


def _furiten(reading: Reading, hand_tiles: HandTiles, river: SeenRiver) -> Iterator[TableFact]:
    """Furiten: a wait lies in the own river, so the win cannot be a ron."""
    if hand_tiles.win_tile is None:
        return
    waits = {str(tile) for tile in replace(hand_tiles, win_tile=None).waits}
    own = tuple(
        at for at in river.tiles
        if (tile := reading.tiles[at]).label in FACES and plain(tile.label) in waits and _is_sure(reading, at)
    )  # fmt: skip
    if own:
        yield TableFact("tsumo", True, FactSource.DEFAULT, own, "furiten")


def _turns(hand_tiles: HandTiles, table: SeenTable) -> Iterator[TableFact]:
    """A win in the middle of a hand is neither on the first turn nor on the last tile. A call also ends the
    first turn. If the wall is empty, the win on the last tile is the first answer: haitei or houtei."""
    first = () if hand_tiles.melds or not is_after_first_turn(table) else FIRST_TURN
    last = LAST_TILE if is_before_last_tile(table) else ()
    sign = "in_the_middle" if first and last else "after_first_turn" if first else "before_last_tile"
    tiles = tuple(tile for river in sure_rivers(table).values() for tile in river.tiles)
    for field in (*first, *last):
        yield TableFact(field, False, FactSource.SEEN, tiles, sign)
    if is_last_tile(table, sum(meld.type.is_kan for meld in hand_tiles.melds)):
        yield TableFact("haitei", True, FactSource.DEFAULT, tiles, "last_tile")


def _is_sure(reading: Reading, at: int) -> bool:
    return reading.tiles[at].probability >= TILE_THRESHOLD


def sentence(fact: TableFact, reading: Reading, phrases: Phrases) -> str:
    """The sentence of a fact, with its evidence."""
    return phrases.of("own_river", fact.sign, tiles=_named(fact, reading), count=len(fact.tiles))


def _named(fact: TableFact, reading: Reading) -> str:
    """The tiles of the evidence of a fact; only the first one if the others follow from it."""
    labels = [reading.tiles[at].label for at in fact.tiles]
    faces = dict.fromkeys(str(Tile.parse(label)) if label in FACES else label for label in labels)
    return " ".join(list(faces)[: 1 if fact.field != "tsumo" else None])
