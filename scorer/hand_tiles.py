"""The tiles of a hand from a photo, a typed line or a record. The winning tile may be unknown.

A :class:`scorer.Hand`, by contrast, always has a winning tile. As JSON the tiles are fields of the hand
record (:mod:`scorer.record`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from scorer.hand import Hand, Meld
from scorer.readings import counts_are_complete, waits
from scorer.records import MeldRecord
from scorer.tiles import Tile, count_kinds, format_tiles, parse_tiles, tiles_of


class FactSource(StrEnum):
    """Where a fact comes from: seen in the photo, inferred from other facts, asked of a person, or its
    default."""

    SEEN = "seen"
    INFERRED = "inferred"
    ASKED = "asked"
    DEFAULT = "default"


FactSources = Mapping[str, FactSource]
"""The source of each field that a record has."""


def _texts(tiles: tuple[Tile, ...]) -> list[str]:
    return [str(tile) for tile in tiles]


def _melds(melds: tuple[Meld, ...]) -> list[MeldRecord]:
    return [meld.to_record() for meld in melds]


AS_JSON: Final[Mapping[str, Callable[[Any], Any]]] = {
    "concealed": format_tiles,
    "melds": _melds,
    "win_tile": lambda tile: None if tile is None else str(tile),
    "dora_indicators": _texts,
    "ura_indicators": _texts,
}
"""Converts each field of tiles to JSON values."""


@dataclass(frozen=True, slots=True)
class HandTiles:
    """The tiles of a hand. Without ``win_tile`` the winning tile is one of ``concealed``, or still missing.

    ``known``: the source of each field that the record has. An absent field is empty.
    """

    concealed: tuple[Tile, ...] = ()
    melds: tuple[Meld, ...] = ()
    win_tile: Tile | None = None
    dora_indicators: tuple[Tile, ...] = ()
    ura_indicators: tuple[Tile, ...] = ()
    known: FactSources = field(default_factory=dict, hash=False)

    @classmethod
    def from_record(cls, record: Mapping[str, Any], known: Mapping[str, str]) -> HandTiles:
        """The tiles that :meth:`to_record` wrote, with their sources. For other records use
        :func:`scorer.record.parse_open`."""
        win_tile = record.get("win_tile")
        return cls(
            parse_tiles(record["concealed"]),
            tuple(map(Meld.from_record, record.get("melds", ()))),
            None if win_tile is None else Tile.parse(win_tile),
            tiles_of("dora_indicators", record.get("dora_indicators", ())),
            tiles_of("ura_indicators", record.get("ura_indicators", ())),
            {name: FactSource(source) for name, source in known.items() if name in record},
        )

    def to_record(self) -> dict[str, Any]:
        """The present fields of the hand record as JSON values."""
        return {name: AS_JSON[name](getattr(self, name)) for name in self.known}

    @property
    def closed(self) -> tuple[Tile, ...]:
        """The concealed tiles and the winning tile, if known."""
        return self.concealed if self.win_tile is None else (*self.concealed, self.win_tile)

    @property
    def line(self) -> tuple[Tile, ...]:
        """Every tile of the hand: concealed, winning tile, melds. Positions of tiles count from 1 here."""
        return (*self.closed, *(tile for meld in self.melds for tile in meld.tiles))

    @property
    def size(self) -> int:
        """Tiles of the hand, each meld counted as three: 14 when finished."""
        return len(self.closed) + 3 * len(self.melds)

    def with_open_win(self) -> HandTiles:
        """The same tiles with the winning tile moved back to the end of ``concealed``."""
        known = {name: source for name, source in self.known.items() if name != "win_tile"}
        return replace(self, concealed=self.closed, win_tile=None, known=known)

    @property
    def is_waiting(self) -> bool:
        """Whether the hand is one tile short of a finished one."""
        return self.win_tile is None and bool(self.concealed) and self.size == 13

    @property
    def waits(self) -> tuple[Tile, ...]:
        """The tiles that finish a hand of 13, lowest first; empty for any other."""
        return waits(self.concealed, self.melds) if self.win_tile is None and self.size == 13 else ()

    @property
    def is_unfinished(self) -> bool:
        """Whether the hand has 13 tiles, or 14 that are no finished hand."""
        return bool(self.closed) and (self.is_waiting or (self.size == 14 and not self.is_complete))

    @property
    def is_complete(self) -> bool:
        """Whether the tiles are a finished hand, whichever tile won."""
        return counts_are_complete(count_kinds(self.closed), len(self.melds))

    @property
    def hand(self) -> Hand | None:
        """The hand to score; None without a winning tile."""
        return None if self.win_tile is None else Hand(self.concealed, self.win_tile, self.melds)

    @property
    def unordered(self) -> HandTiles:
        """The tiles in sorted order, without their sources. Two hands that score alike become equal."""
        melds = (Meld(meld.type, sorted(meld.tiles), meld.source) for meld in self.melds)
        return HandTiles(
            tuple(sorted(self.concealed)),
            tuple(sorted(melds, key=lambda meld: (meld.tiles, meld.type))),
            self.win_tile,
            tuple(sorted(self.dora_indicators)),
            tuple(sorted(self.ura_indicators)),
        )

    def last_won(self) -> HandTiles:
        """With the last tile of a full row as the winning tile, if that is unknown."""
        if self.win_tile is None and len(self.concealed) % 3 == 2:
            return replace(self, concealed=self.concealed[:-1], win_tile=self.concealed[-1])
        return self

    def won_on(self, tile: Tile) -> HandTiles | None:
        """With that winning tile: taken from a full row, or added to a hand one tile short.

        An earlier winning tile goes back among the concealed tiles. None if a full row lacks the tile.
        """
        closed = list(self.closed)
        if len(closed) % 3 == 2:
            if tile not in closed:
                return None
            closed.remove(tile)
        return replace(self, concealed=tuple(closed), win_tile=tile)

    def winning_tiles(self) -> Iterator[HandTiles]:
        """The hand once for each kind of tile that can be the winning tile, the last of the row first.

        The hand must have no ``win_tile``.
        """
        if self.is_complete:
            row, last = self.concealed, len(self.concealed) - 1
            last_of = {tile.kind: at for at, tile in enumerate(row)}
            for at in sorted(last_of.values(), key=lambda at: (at != last, at)):
                yield replace(self, concealed=(*row[:at], *row[at + 1 :]), win_tile=row[at])
        else:
            for tile in self.waits:
                yield replace(self, win_tile=tile)

    def with_tile(self, position: int, tile: Tile) -> HandTiles:
        """With the tile at ``position`` (from 1) of :attr:`line` replaced. Raises ``IndexError``."""
        if not 1 <= position <= len(self.line):
            raise IndexError(position)
        line = list(self.line)
        line[position - 1] = tile
        end = len(self.closed)
        closed, melds = line[:end], []
        for meld in self.melds:
            melds.append(Meld(meld.type, line[end : end + len(meld.tiles)], meld.source))
            end += len(meld.tiles)
        win_tile = None if self.win_tile is None else closed.pop()
        return replace(self, concealed=tuple(closed), win_tile=win_tile, melds=tuple(melds))
