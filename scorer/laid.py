"""The tiles as they lie: what a photo, a typed line or a record shows of a hand, won or not.

A :class:`scorer.Hand` has a winning tile; tiles on a table may have none yet, or nothing that sets it apart.
As JSON they are fields of the hand record (:mod:`scorer.record`).
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


class Known(StrEnum):
    """How a fact is known: seen in the photo, inferred from others, asked of a person; or it is not, and
    stands at its default."""

    SEEN = "seen"
    INFERRED = "inferred"
    ASKED = "asked"
    DEFAULT = "default"


Sources = Mapping[str, Known]
"""By field, how it is known; a field that is not named is not there."""


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
"""What each field of tiles is as JSON."""


@dataclass(frozen=True, slots=True)
class Laid:
    """``concealed``: the closed tiles; without ``win_tile`` the winning one is among them, or still to come.

    ``known``: how each of the other fields is known, those that are there. What is not there is empty.
    """

    concealed: tuple[Tile, ...] = ()
    melds: tuple[Meld, ...] = ()
    win_tile: Tile | None = None
    dora_indicators: tuple[Tile, ...] = ()
    ura_indicators: tuple[Tile, ...] = ()
    known: Sources = field(default_factory=dict, hash=False)

    @classmethod
    def from_record(cls, record: Mapping[str, Any], known: Mapping[str, str]) -> Laid:
        """What :meth:`to_record` wrote, and how each field is known; what others write goes through
        :func:`scorer.record.parse_open`."""
        win_tile = record.get("win_tile")
        return cls(
            parse_tiles(record["concealed"]),
            tuple(map(Meld.from_record, record.get("melds", ()))),
            None if win_tile is None else Tile.parse(win_tile),
            tiles_of("dora_indicators", record.get("dora_indicators", ())),
            tiles_of("ura_indicators", record.get("ura_indicators", ())),
            {name: Known(source) for name, source in known.items() if name in record},
        )

    def to_record(self) -> dict[str, Any]:
        """The fields that are there as JSON values, as a hand record has them."""
        return {name: AS_JSON[name](getattr(self, name)) for name in self.known}

    @property
    def closed(self) -> tuple[Tile, ...]:
        """The concealed tiles and the winning tile, if it is there."""
        return self.concealed if self.win_tile is None else (*self.concealed, self.win_tile)

    @property
    def line(self) -> tuple[Tile, ...]:
        """Every tile of the hand: concealed, winning tile, melds. Positions count from 1 there."""
        return (*self.closed, *(tile for meld in self.melds for tile in meld.tiles))

    @property
    def size(self) -> int:
        """Tiles of the hand, each meld counted as three: 14 when finished."""
        return len(self.closed) + 3 * len(self.melds)

    def with_open_win(self) -> Laid:
        """The winning tile among the others again, as its last."""
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
        """Whether the tiles are as many as a hand has, its winning tile drawn or not, and no finished one."""
        return bool(self.closed) and (self.is_waiting or (self.size == 14 and not self.is_complete))

    @property
    def is_complete(self) -> bool:
        """Whether the tiles are those of a finished hand, whichever of them won."""
        return counts_are_complete(count_kinds(self.closed), len(self.melds))

    @property
    def hand(self) -> Hand | None:
        """What is scored; None without a winning tile."""
        return None if self.win_tile is None else Hand(self.concealed, self.win_tile, self.melds)

    @property
    def unordered(self) -> Laid:
        """Tiles, sets and indicators in one order however they lie, and not how they are known: equal for two
        that are scored alike."""
        melds = (Meld(meld.type, sorted(meld.tiles), meld.source) for meld in self.melds)
        return Laid(
            tuple(sorted(self.concealed)),
            tuple(sorted(melds, key=lambda meld: (meld.tiles, meld.type))),
            self.win_tile,
            tuple(sorted(self.dora_indicators)),
            tuple(sorted(self.ura_indicators)),
        )

    def last_won(self) -> Laid:
        """A full row without a winning tile as won on its last tile; any other as it is."""
        if self.win_tile is None and len(self.concealed) % 3 == 2:
            return replace(self, concealed=self.concealed[:-1], win_tile=self.concealed[-1])
        return self

    def won_on(self, tile: Tile) -> Laid | None:
        """With that winning tile: taken from a full row, or added to a hand one tile short.

        A winning tile that was there goes back among the closed tiles first. None where the row lacks it.
        """
        closed = list(self.closed)
        if len(closed) % 3 == 2:
            if tile not in closed:
                return None
            closed.remove(tile)
        return replace(self, concealed=tuple(closed), win_tile=tile)

    def winning_tiles(self) -> Iterator[Laid]:
        """Won on each kind of tile that can have won, the last of a row first; a row without ``win_tile``."""
        if self.is_complete:
            row, last = self.concealed, len(self.concealed) - 1
            last_of = {tile.kind: at for at, tile in enumerate(row)}
            for at in sorted(last_of.values(), key=lambda at: (at != last, at)):
                yield replace(self, concealed=(*row[:at], *row[at + 1 :]), win_tile=row[at])
        else:
            for tile in self.waits:
                yield replace(self, win_tile=tile)

    def with_tile(self, position: int, tile: Tile) -> Laid:
        """With the tile at ``position`` (from 1) of the line replaced; ``IndexError`` where none is."""
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
