"""The table on a photo: each player's river, called sets and hand, and the walls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypedDict, get_args

from vision.config import CONFIG

Seat = Literal["near", "right", "across", "left"]
SEATS: tuple[Seat, ...] = get_args(Seat)
"""The players as the owner of the hand sees them, in turn."""

RIICHI_THRESHOLD: Final = CONFIG.certain
"""Probability from which a discard counts as turned for riichi."""


class TableRecord(TypedDict):
    """A table as JSON values (``docs/reading.md``)."""

    players: list[dict[str, Any]]
    wall: list[int]
    dora: list[int]
    ura: list[int]
    dead_wall: str | None


@dataclass(frozen=True, slots=True)
class SeenRiver:
    """The discards of a player; tiles are indices of the reading's tiles.

    ``tiles``: in order, as far as the photo shows them; ``rows``: the number in each row. ``riichi``: the
    place, from 0, of the discard most like one turned for riichi; ``turned``: the probability that it is one.
    ``probability``: that all these tiles are this player's, in this order. ``stick``: whether a riichi stick
    lies before them.
    """

    tiles: tuple[int, ...]
    rows: tuple[int, ...]
    riichi: int
    turned: float
    probability: float
    stick: bool = False

    @property
    def after_riichi(self) -> tuple[int, ...]:
        """The tiles that were discarded after the one that may be turned."""
        return self.tiles[self.riichi + 1 :]

    def to_record(self) -> dict[str, Any]:
        """As JSON values, probabilities to 4 digits."""
        return {
            "tiles": list(self.tiles),
            "rows": list(self.rows),
            "riichi": self.riichi,
            "turned": round(self.turned, 4),
            "stick": self.stick,
            "probability": round(self.probability, 4),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> SeenRiver:
        """The inverse of :meth:`to_record`."""
        tiles, rows = tuple(record["tiles"]), tuple(record["rows"])
        return cls(tiles, rows, record["riichi"], record["turned"], record["probability"], record["stick"])


@dataclass(frozen=True, slots=True)
class SeenSet:
    """A called set: its ``type`` and ``source`` as ``type`` and ``from`` of a hand record."""

    type: str
    tiles: tuple[int, ...]
    source: int | None

    def to_record(self) -> dict[str, Any]:
        """As JSON values."""
        return {"type": self.type, "tiles": list(self.tiles), "from": self.source}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> SeenSet:
        """The inverse of :meth:`to_record`."""
        return cls(record["type"], tuple(record["tiles"]), record["from"])


@dataclass(frozen=True, slots=True)
class SeenPlayer:
    """One player. ``hand``: open tiles that are in no called set; ``closed``: the backs of a closed hand,
    standing or face down."""

    seat: Seat
    river: SeenRiver | None = None
    called: tuple[SeenSet, ...] = ()
    hand: tuple[int, ...] = ()
    closed: tuple[int, ...] = ()

    def to_record(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "seat": self.seat,
            "river": None if self.river is None else self.river.to_record(),
            "called": [each.to_record() for each in self.called],
            "hand": list(self.hand),
            "closed": list(self.closed),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> SeenPlayer:
        """The inverse of :meth:`to_record`."""
        river = None if record["river"] is None else SeenRiver.from_record(record["river"])
        called = tuple(map(SeenSet.from_record, record["called"]))
        return cls(record["seat"], river, called, tuple(record["hand"]), tuple(record.get("closed", ())))


@dataclass(frozen=True, slots=True)
class SeenTable:
    """The table. ``players``: those with any tile on the photo, in turn order from the near one, the owner of
    the reading's hand. ``wall``: tiles of walls; ``dora``, ``ura``: indicators. ``dead_wall``: the player
    before whom it lies, None if unknown."""

    players: tuple[SeenPlayer, ...]
    wall: tuple[int, ...] = ()
    dora: tuple[int, ...] = ()
    ura: tuple[int, ...] = ()
    dead_wall: Seat | None = None

    def __iter__(self) -> Iterator[SeenPlayer]:
        return iter(self.players)

    def river(self, seat: Seat) -> SeenRiver | None:
        """A player's river, None if the photo shows none."""
        return next((each.river for each in self.players if each.seat == seat), None)

    def to_record(self) -> TableRecord:
        """As JSON values (``docs/reading.md``)."""
        return {
            "players": [each.to_record() for each in self.players],
            "wall": list(self.wall),
            "dora": list(self.dora),
            "ura": list(self.ura),
            "dead_wall": self.dead_wall,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> SeenTable:
        """The inverse of :meth:`to_record`."""
        players = tuple(map(SeenPlayer.from_record, record["players"]))
        wall, dora, ura = (tuple(record[name]) for name in ("wall", "dora", "ura"))
        return cls(players, wall, dora, ura, record.get("dead_wall"))
