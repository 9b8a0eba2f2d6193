"""The user's own hands and tiles, as input of exercises. ``own_files`` reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from scorer.hand import Meld, Win, seats_of
from scorer.record import Record, RecordError, parse_record
from scorer.rules import RuleSet
from scorer.telling.sentence import Sentence, say
from scorer.tiles import Tile, TileError, format_tiles, parse_tiles
from tehai.learn.deal import Deal, circumstances
from tehai.learn.pose.tiles import Crop


@dataclass(frozen=True, slots=True)
class OwnHand:
    """A hand of the user's. ``known``: whether it is known how it was won; otherwise each exercise assumes a
    win."""

    record: Record
    known: bool
    source: str

    def deal(self, random: Random, rules: RuleSet) -> Deal:
        """The hand with a possible win."""
        hand, win = self.record.hand, self.record.win
        if not self.known:
            shown = win.dora_indicators
            win = circumstances(hand, random, rules)
            win = replace(win, dora_indicators=shown or win.dora_indicators)
        elif not win.tsumo and win.loser_offset is None:
            win = replace(win, loser_offset=random.randint(1, 3))
        if win.seat_wind is None:
            win = replace(win, seat_wind=random.choice(seats_of(rules.players)[1:]))
        # no exercise tells who is liable, or that another winner took the counters
        return Deal(hand, replace(win, pao=None, ron_index=0), say("origin.own", source=self.source))


@dataclass(frozen=True, slots=True)
class OwnDiscard:
    """A discard in a game: the held tiles, the seat (in ``win``), and the chosen tile.

    ``players``: the number of players. ``source``: the hand and the game. ``player``: the name.
    """

    tiles: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    win: Win
    chosen: Tile
    players: int
    source: str
    player: str

    @property
    def origin(self) -> Sentence:
        return say("origin.own", source=self.source)


@dataclass(frozen=True, slots=True)
class OwnHands:
    """Finished hands, faces cut from photos, and discards of games."""

    hands: tuple[OwnHand, ...] = ()
    crops: tuple[Crop, ...] = ()
    discards: tuple[OwnDiscard, ...] = ()


def hand_of(record: Mapping[str, Any], source: str) -> OwnHand | None:
    """The hand of a record; None if it is not finished. ``source``: its name."""
    fields = {name: value for name, value in record.items() if name not in ("rules", "words", "at")}
    known = isinstance(fields.get("tsumo"), bool)
    concealed = fields.get("concealed")
    try:
        if isinstance(concealed, str) and fields.get("win_tile") is None:
            *rest, last = parse_tiles(concealed)
            fields |= {"concealed": format_tiles(rest), "win_tile": str(last)}
        found = parse_record({"tsumo": False, **fields})
    except (RecordError, TileError, ValueError):
        return None
    finished = len(found.hand.concealed) + 3 * len(found.hand.melds) == 13
    return OwnHand(found, known, source) if finished else None
