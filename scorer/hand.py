"""What is scored: the tiles of a hand and how it was won (what can be wrong: :mod:`scorer.status`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scorer.tiles import KIND_OF, KINDS, Tile


class MeldType(StrEnum):
    """How a set was declared; every kind of kong counts as one set (EMA 2008 §3.3)."""

    CHI = "chi"
    PON = "pon"
    MINKAN = "minkan"
    KAKAN = "kakan"
    ANKAN = "ankan"

    # of a table's key; an enum's own hash is a call, and says the same
    __hash__ = str.__hash__

    @property
    def is_kan(self) -> bool:
        return self in (MeldType.MINKAN, MeldType.KAKAN, MeldType.ANKAN)


class Wind(StrEnum):
    """A seat or round wind; ``kind`` is its tile."""

    EAST = "E"
    SOUTH = "S"
    WEST = "W"
    NORTH = "N"

    kind: int

    def __init__(self, letter: str) -> None:
        self.kind = 27 + "ESWN".index(letter)


@dataclass(frozen=True, slots=True)
class Meld:
    """A declared set. ``source``: who gave the tile, 1 next player (right), 2 across, 3 previous (left)."""

    type: MeldType
    tiles: tuple[Tile, ...]
    source: int | None = None

    @property
    def is_open(self) -> bool:
        """A concealed kong keeps the hand concealed (EMA 2008 §3.3.8)."""
        return self.type is not MeldType.ANKAN

    @property
    def is_set(self) -> bool:
        """Whether the tiles are what the type says: a run of three, three alike, four alike."""
        kinds = sorted(map(KIND_OF.__getitem__, self.tiles))
        if self.type is MeldType.CHI:
            first = kinds[0] if kinds else KINDS
            return kinds == [first, first + 1, first + 2] and first < 27 and first % 9 <= 6
        return len(kinds) == (4 if self.type.is_kan else 3) and kinds[0] == kinds[-1]


@dataclass(frozen=True, slots=True)
class Hand:
    """The tiles: ``concealed`` without the winning tile, ``win_tile``, and the declared sets."""

    concealed: tuple[Tile, ...]
    win_tile: Tile
    melds: tuple[Meld, ...] = ()

    @property
    def is_closed(self) -> bool:
        return not any(meld.is_open for meld in self.melds)

    @property
    def has_kan(self) -> bool:
        return any(meld.type.is_kan for meld in self.melds)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All of them: concealed, the winning tile, the melds."""
        return (*self.concealed, self.win_tile, *(tile for meld in self.melds for tile in meld.tiles))


@dataclass(frozen=True, slots=True)
class Win:
    """How the hand was won; the fields are those of ``HAND.md``.

    ``honba``: counters on the table. ``riichi_sticks``: bets of 1000 that this winner takes.
    ``loser_offset``: who discarded, 1 next player, 2 across, 3 previous; ``pao``: who is liable, likewise.
    ``ron_index``: 0 for the first winner on a discard, 1 and 2 for later ones.
    ``dealer_wins``: how often the dealer has won in a row before this hand. ``robbed_ankan``: whether the
    kong that was robbed (``chankan``) was a concealed one.
    """

    tsumo: bool
    seat_wind: Wind = Wind.EAST
    round_wind: Wind = Wind.EAST
    riichi: bool = False
    double_riichi: bool = False
    open_riichi: bool = False
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    haitei: bool = False
    houtei: bool = False
    tenhou: bool = False
    chiihou: bool = False
    renhou: bool = False
    dora_indicators: tuple[Tile, ...] = ()
    ura_indicators: tuple[Tile, ...] = ()
    honba: int = 0
    riichi_sticks: int = 0
    loser_offset: int | None = None
    pao: int | None = None
    ron_index: int = 0
    dealer_wins: int = 0
    robbed_ankan: bool = False

    @property
    def is_dealer(self) -> bool:
        return self.seat_wind is Wind.EAST

    @property
    def has_riichi(self) -> bool:
        """Riichi in any of its forms."""
        return self.riichi or self.double_riichi or self.open_riichi
