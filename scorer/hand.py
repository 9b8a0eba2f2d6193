"""The input of a score: the tiles of a hand (:class:`Hand`) and how it was won (:class:`Win`).

:mod:`scorer.status` lists what can be wrong with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from reprlib import repr as shown
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, cast

from scorer.tiles import (
    KIND_OF,
    KINDS,
    Tile,
    TileError,
    Tiles,
    format_tiles,
    parse_tiles,
    plain_text,
    tile_of,
    tiles_of,
)

if TYPE_CHECKING:
    from scorer.records import HandRecord, MeldRecord

_Value = TypeVar("_Value")


class MeldType(StrEnum):
    """How a set was declared; every kind of kan counts as one set (EMA 2008 §3.3)."""

    CHI = "chi"
    PON = "pon"
    MINKAN = "minkan"
    KAKAN = "kakan"
    ANKAN = "ankan"

    # melds are keys of the scorer's caches, and the hash of an enum is a slow Python call
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

    # fast, as for MeldType
    __hash__ = str.__hash__

    kind: int

    def __init__(self, letter: str) -> None:
        self.kind = 27 + "ESWN".index(letter)


_SEATS: Final = tuple(Wind)


def seats_of(players: int) -> tuple[Wind, ...]:
    """The seats of a table: with three players nobody sits North."""
    return _SEATS[:players]


def seat_at(seat: Wind, offset: int, players: int) -> Wind:
    """The seat of the next player (1), of the one across (2) or of the previous one (3).

    >>> seat_at(Wind.WEST, 1, players=3), seat_at(Wind.EAST, 3, players=3)
    (<Wind.EAST: 'E'>, <Wind.WEST: 'W'>)
    """
    table = seats_of(players)
    return table[(table.index(seat) + (-1 if offset == 3 else offset)) % players]


OTHERS: Final = {3: (1, 3), 4: (1, 2, 3)}
"""By number of players: the offsets of the other players. With three, nobody sits across (2)."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Meld:
    """A declared set. ``source``: who gave the tile, 1 next player (right), 2 across, 3 previous (left).

    Type and tiles may be text: ``Meld("pon", "777z")``. Raises :class:`scorer.TileError` for invalid tiles
    and ``ValueError`` for an unknown type or source.

    >>> called = Meld("chi", "340p", source=3)
    >>> called.type, called.is_open, called.is_set
    (<MeldType.CHI: 'chi'>, True, True)
    """

    type: MeldType
    tiles: tuple[Tile, ...]
    source: int | None

    def __init__(self, type: MeldType | str, tiles: Tiles, source: int | None = None) -> None:
        if type not in tuple(MeldType):
            raise ValueError(f"type must be one of {', '.join(MeldType)}, not {shown(type)}.")
        if source not in (None, 1, 2, 3):
            raise ValueError(
                f"source must be 1 (next player), 2 (across), 3 (previous) or None, not {shown(source)}."
            )
        object.__setattr__(self, "type", MeldType(type))
        object.__setattr__(self, "tiles", tiles_of("tiles", tiles))
        object.__setattr__(self, "source", source)

    @property
    def is_open(self) -> bool:
        """A concealed kan keeps the hand concealed (EMA 2008 §3.3.8)."""
        return self.type is not MeldType.ANKAN

    @property
    def turned(self) -> tuple[int, ...]:
        """The indices of the tiles that lie sideways on the table.

        The called tile shows who gave it: left means the previous player, middle the player across, right the
        next player. The fourth tile of an added kan lies beside it. An unknown source counts as left.

        >>> Meld("pon", "777z", source=1).turned, Meld("kakan", "7777z", source=2).turned
        ((2,), (1, 2))
        """
        if self.type is MeldType.ANKAN:
            return ()
        last = 2 if self.type is MeldType.KAKAN else len(self.tiles) - 1
        at = {1: last, 2: 1}.get(self.source or 3, 0)
        return (at, at + 1) if self.type is MeldType.KAKAN else (at,)

    @property
    def faces(self) -> list[Tile | str]:
        """The tiles as they lie on the table: a concealed kan has its first and last tile face down."""
        from scorer.svg import BACK  # imported late, because only drawings need it

        if self.type is MeldType.ANKAN and len(self.tiles) == 4:
            return [BACK, *self.tiles[1:3], BACK]
        return list(self.tiles)

    @classmethod
    def parse(cls, text: str) -> Meld:
        """The meld of a typed line: ``[p777z>]`` (:mod:`scorer.notation`). Raises :class:`scorer.TileError`.

        >>> Meld.parse("[777z]") == Meld("pon", "777z"), str(Meld("chi", "340p", 3))
        (True, '[c340p<]')
        """
        found = _MELD.fullmatch("".join(plain_text(text).split()).lower())
        if found is None:
            raise TileError(f"{shown(text)} is no meld; write [c123m], [p777z], [k1111s] or [a2222p].")
        return _meld(*found.groups())

    def __str__(self) -> str:
        return f"[{_LETTER_OF[self.type]}{format_tiles(self.tiles)}{_MARK_OF.get(self.source, '')}]"

    def __repr__(self) -> str:
        return f"Meld.parse({str(self)!r})"

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Meld:
        """The meld of a hand record that :meth:`to_record` wrote."""
        return cls(record["type"], record["tiles"], record.get("from"))

    def to_record(self) -> MeldRecord:
        """The meld of a hand record, as JSON values."""
        return cast(
            "MeldRecord", {"type": str(self.type), "tiles": format_tiles(self.tiles), "from": self.source}
        )

    @property
    def is_set(self) -> bool:
        """Whether the tiles fit the type: a run of three, three alike or four alike."""
        kinds = sorted(map(KIND_OF.__getitem__, self.tiles))
        if self.type is MeldType.CHI:
            first = kinds[0] if kinds else KINDS
            return kinds == [first, first + 1, first + 2] and first < 27 and first % 9 <= 6
        return len(kinds) == (4 if self.type.is_kan else 3) and kinds[0] == kinds[-1]


_EXAMPLE: Final = "for example 123m456p789s11z + 1z [p777z]"

_TYPE_OF: Final = {
    "c": MeldType.CHI,
    "p": MeldType.PON,
    "k": MeldType.MINKAN,
    "s": MeldType.KAKAN,
    "a": MeldType.ANKAN,
}
_PLAYER_OF: Final = {">": 1, "^": 2, "<": 3}
_LETTER_OF: Final = {type_: letter for letter, type_ in _TYPE_OF.items()}
_MARK_OF: Final[dict[int | None, str]] = {player: mark for mark, player in _PLAYER_OF.items()}
_MELD: Final = re.compile(r"\[([cpksa]?)((?:[0-9]+[mpsz])+)([>^<]?)\]")


def _meld(letter: str, text: str, mark: str) -> Meld:
    tiles = parse_tiles(text)
    kan = MeldType.MINKAN if len(tiles) == 4 else MeldType.PON
    plain = MeldType.CHI if len({tile.kind for tile in tiles}) > 1 else kan
    return Meld(_TYPE_OF.get(letter, plain), tiles, _PLAYER_OF.get(mark))


def parse_parts(line: str) -> tuple[tuple[Tile, ...], Tile | None, tuple[Meld, ...]]:
    """The concealed tiles, the winning tile if there is one, and the melds of a typed line
    (:mod:`scorer.notation`). Raises :class:`scorer.TileError`."""
    text = "".join(plain_text(line).split()).lower()
    melds = tuple(_meld(*found.groups()) for found in _MELD.finditer(text))
    rest = _MELD.sub(" ", text)
    if "[" in rest or "]" in rest:
        raise TileError(
            f"“{line.strip()}” has a meld that cannot be read; write [c123m], [p777z], [k1111s] or [a2222p]."
        )
    concealed, plus, win = rest.partition("+")
    winning = parse_tiles(win)
    if plus and len(winning) != 1:
        raise TileError(f"after + comes one tile, the winning tile, {_EXAMPLE}.")
    return parse_tiles(concealed), winning[0] if plus else None, melds


def format_parts(concealed: Iterable[Tile], win_tile: Tile | None, melds: Iterable[Meld]) -> str:
    """The line that :func:`parse_parts` reads back as the same tiles."""
    win = "" if win_tile is None else f"+ {win_tile}"
    return " ".join(part for part in (format_tiles(concealed), win, *map(str, melds)) if part)


def melds_of(value: Iterable[Meld]) -> tuple[Meld, ...]:
    """A caller's argument as melds. Raises ``ValueError`` with a sentence for anything else."""
    melds = tuple(value) if isinstance(value, Iterable) else (value,)
    for meld in melds:
        if not isinstance(meld, Meld):
            raise ValueError(f'melds must be melds, such as [Meld("pon", "777z")], not {shown(value)}.')
    return melds


def wind_of(name: str, value: Wind | str) -> Wind:
    """A caller's argument, a wind or its letter, as a wind. Raises ``ValueError`` with a sentence."""
    if value not in tuple(Wind):
        raise ValueError(f'{name} must be a wind, "E", "S", "W" or "N", not {shown(value)}.')
    return Wind(value)


def winds_of(name: str, value: Iterable[Wind | str]) -> frozenset[Wind]:
    """A caller's argument as winds. Raises ``ValueError`` with a sentence for anything else."""
    winds = tuple(value) if isinstance(value, Iterable) else (value,)
    if any(wind not in tuple(Wind) for wind in winds):
        raise ValueError(f'{name} must be winds, of "E", "S", "W" and "N", not {shown(value)}.')
    return frozenset(map(Wind, winds))


def require_type(name: str, value: object, type_: type[_Value], example: str) -> None:
    """Raise ``TypeError`` with a sentence if an argument of a public function has the wrong type."""
    if not isinstance(value, type_):
        raise TypeError(f"{name} must be a {type_.__name__}, such as {example}, not {shown(value)}.")


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Hand:
    """The tiles: ``concealed`` without the winning tile, ``win_tile``, and the declared sets.

    Tiles may be text: ``Hand("234m340567p2267s", "8s")``. Raises :class:`scorer.TileError` for invalid tiles
    and ``ValueError`` for invalid melds. :func:`scorer.check` tests whether the tiles are a finished hand.

    >>> hand = Hand("340567p2267s", "8s", [Meld("pon", "666z")])
    >>> hand.is_closed, len(hand.tiles)
    (False, 14)
    """

    concealed: tuple[Tile, ...]
    win_tile: Tile
    melds: tuple[Meld, ...]

    def __init__(self, concealed: Tiles, win_tile: Tile | str, melds: Iterable[Meld] = ()) -> None:
        object.__setattr__(self, "concealed", tiles_of("concealed", concealed))
        object.__setattr__(self, "win_tile", tile_of("win_tile", win_tile))
        object.__setattr__(self, "melds", melds_of(melds))

    @classmethod
    def parse(cls, line: str) -> Hand:
        """The hand of a typed line (:mod:`scorer.notation`). Raises :class:`scorer.TileError`.

        >>> hand = Hand.parse("340567p2267s + 8s [666z]")
        >>> str(hand), Hand.parse(str(hand)) == hand
        ('340567p2267s + 8s [p666z]', True)
        """
        concealed, win_tile, melds = parse_parts(line)
        if win_tile is None:
            raise TileError(f"{shown(line)} has no winning tile: write it behind +, {_EXAMPLE}.")
        return cls(concealed, win_tile, melds)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Hand:
        """The tiles of a hand record that :meth:`to_record` wrote. For other records use
        :func:`scorer.parse_record`."""
        melds = map(Meld.from_record, record.get("melds", ()))
        return cls(record["concealed"], record["win_tile"], melds)

    def to_record(self) -> HandRecord:
        """Its fields of a hand record, as JSON values."""
        melds = [meld.to_record() for meld in self.melds]
        return {"concealed": format_tiles(self.concealed), "win_tile": str(self.win_tile), "melds": melds}

    def __str__(self) -> str:
        return format_parts(self.concealed, self.win_tile, self.melds)

    def __repr__(self) -> str:
        return f"Hand.parse({str(self)!r})"

    def _repr_svg_(self) -> str:
        """The tiles as they lie, for a notebook."""
        from scorer.svg import row_svg

        melds = [meld.faces for meld in self.melds]
        return row_svg([list(self.concealed), [self.win_tile], *melds])

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


WindText = Wind | Literal["E", "S", "W", "N"]
"""A wind, as such or as its letter."""


@dataclass(frozen=True, slots=True, repr=False)
class Win:
    """How the hand was won; the fields are those of ``docs/hand.md``.

    Fields that the caller leaves out have defaults: not the dealer, no seat wind, no riichi, no dora, round
    East. ``assumed`` lists them. ``seat_wind`` None: a non-dealer whose wind is unknown.

    ``honba``: counters on the table. ``riichi_sticks``: bets of 1000 that this winner takes.
    ``loser_offset``: the discarder: 1 next player, 2 across, 3 previous. ``pao``: the liable player, counted
    likewise. ``ron_index``: 0 for the first winner on a discard, 1 and 2 for later ones.
    ``dealer_wins``: how many hands in a row the dealer has won before this one, or stayed, if the rules count
    that. ``robbed_ankan``: whether the robbed kan (``chankan``) was concealed.
    ``tsubame_gaeshi``, ``kanburi``: whether the discard declared a riichi, or followed a kan of the
    discarder. ``nukidora``: how many tiles the winner set aside as dora. ``dora_count``, ``ura_count``: the
    number of dora, for a caller who does not know the indicators; it adds to those of the indicators.
    ``discards``: the winner's own known discards, called ones included. They may forbid a ron (furiten).

    Winds and tiles may be text (``"S"``, ``"3m5z"``). Raises ``ValueError`` with a sentence for an invalid
    value and :class:`scorer.TileError` for invalid tiles.

    >>> how = Win(tsumo=False, seat_wind="S", double_riichi=True)
    >>> how.is_dealer, how.has_riichi, how.assumed
    (False, True, ('round_wind', 'dora_indicators'))
    """

    tsumo: bool
    seat_wind: Wind | None = None
    round_wind: Wind = None  # type: ignore[assignment]  # after __init__ East
    riichi: bool = None  # type: ignore[assignment]  # after __init__ False
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
    tsubame_gaeshi: bool = False
    kanburi: bool = False
    dora_indicators: tuple[Tile, ...] = None  # type: ignore[assignment]  # after __init__ none
    ura_indicators: tuple[Tile, ...] = ()
    honba: int = 0
    riichi_sticks: int = 0
    loser_offset: int | None = None
    pao: int | None = None
    ron_index: int = 0
    dealer_wins: int = 0
    robbed_ankan: bool = False
    nukidora: int = 0
    dora_count: int = 0
    ura_count: int = 0
    discards: tuple[Tile, ...] = ()
    unnamed: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The facts that the caller left out. :attr:`assumed` keeps those that still have their default."""

    if TYPE_CHECKING:

        def __init__(
            self,
            tsumo: bool,
            seat_wind: WindText | None = None,
            round_wind: WindText | None = None,
            riichi: bool | None = None,
            double_riichi: bool = False,
            open_riichi: bool = False,
            ippatsu: bool = False,
            rinshan: bool = False,
            chankan: bool = False,
            haitei: bool = False,
            houtei: bool = False,
            tenhou: bool = False,
            chiihou: bool = False,
            renhou: bool = False,
            tsubame_gaeshi: bool = False,
            kanburi: bool = False,
            dora_indicators: Tiles | None = None,
            ura_indicators: Tiles = (),
            honba: int = 0,
            riichi_sticks: int = 0,
            loser_offset: int | None = None,
            pao: int | None = None,
            ron_index: int = 0,
            dealer_wins: int = 0,
            robbed_ankan: bool = False,
            nukidora: int = 0,
            dora_count: int = 0,
            ura_count: int = 0,
            discards: Tiles = (),
            unnamed: tuple[str, ...] = (),
        ) -> None: ...

    def __post_init__(self) -> None:
        # written out for speed: a plan of questions makes thousands of wins
        if self.tsumo is not True and self.tsumo is not False:
            raise ValueError(f"tsumo must be true or false, not {shown(self.tsumo)}.")
        unnamed = self.unnamed
        if self.seat_wind is None:
            if "seat_wind" not in unnamed:
                unnamed = ("dealer", "seat_wind", *unnamed)
        elif type(self.seat_wind) is not Wind:
            object.__setattr__(self, "seat_wind", wind_of("seat_wind", self.seat_wind))
        if type(self.round_wind) is not Wind:
            if self.round_wind is None:
                unnamed = (*unnamed, "round_wind")
                object.__setattr__(self, "round_wind", Wind.EAST)
            else:
                object.__setattr__(self, "round_wind", wind_of("round_wind", self.round_wind))
        if self.riichi is None:
            unnamed = (*unnamed, "riichi")
            object.__setattr__(self, "riichi", False)
        if self.dora_indicators is None:
            unnamed = (*unnamed, "dora_indicators")
            object.__setattr__(self, "dora_indicators", ())
        elif self.dora_indicators != ():
            object.__setattr__(self, "dora_indicators", tiles_of("dora_indicators", self.dora_indicators))
        if self.ura_indicators != ():
            object.__setattr__(self, "ura_indicators", tiles_of("ura_indicators", self.ura_indicators))
        if self.discards != ():
            object.__setattr__(self, "discards", tiles_of("discards", self.discards))
        object.__setattr__(self, "unnamed", unnamed)

    def __repr__(self) -> str:
        """The fields that differ from their defaults."""
        default = Win(self.tsumo)
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "unnamed"}
        written = {
            name: format_tiles(value) if isinstance(value, tuple) else value
            for name, value in fields.items()
            if name == "tsumo" or value != getattr(default, name)
        }
        texts = [
            f"{name}={str(value)!r}" if isinstance(value, Wind) else f"{name}={value!r}"
            for name, value in written.items()
        ]
        return f"Win({', '.join(texts)})"

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Win:
        """The win of a hand record that :meth:`to_record` wrote. For other records use
        :func:`scorer.parse_record`."""
        win = cls(**{name: record[name] for name in cls.__dataclass_fields__ if name in record})
        left_out = {*win.unnamed, *record.get("known", ())} - ({"dealer"} if "dealer" in record else set())
        return replace(win, unnamed=tuple(name for name in ASSUMABLE if name in left_out))

    def to_record(self) -> HandRecord:
        """Its fields of a hand record, as JSON values, without the assumed ones."""
        left_out = {*self.assumed, "unnamed"}
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in left_out}
        for name in {"seat_wind", "round_wind"} & fields.keys():
            fields[name] = str(fields[name])
        for name in {"dora_indicators", "ura_indicators"} & fields.keys():
            fields[name] = [str(tile) for tile in fields[name]]
        if self.seat_wind is None and "dealer" not in self.unnamed:
            fields["dealer"] = False  # the caller named the winner a non-dealer
        if "tsumo" in left_out:  # a record always has it
            fields |= {"tsumo": False, "known": {"tsumo": "default"}}
        return cast("HandRecord", {**fields, "discards": format_tiles(self.discards)})

    @property
    def is_dealer(self) -> bool:
        return self.seat_wind is Wind.EAST

    @property
    def has_riichi(self) -> bool:
        """Riichi in any of its forms."""
        return self.riichi or self.double_riichi or self.open_riichi

    def without_riichi(self) -> Win:
        """The same win without riichi, ippatsu and ura dora."""
        return replace(
            self,
            riichi=False,
            double_riichi=False,
            open_riichi=False,
            ippatsu=False,
            ura_indicators=(),
            ura_count=0,
        )

    @property
    def seat_kind(self) -> int:
        """The kind of the seat wind tile; ``KINDS``, which is no kind, if the seat is unknown."""
        return KINDS if self.seat_wind is None else self.seat_wind.kind

    @property
    def assumed(self) -> tuple[str, ...]:
        """The fields of the hand record that the caller left out and that still have their defaults.

        >>> Win(tsumo=True).assumed
        ('dealer', 'seat_wind', 'round_wind', 'riichi', 'dora_indicators')
        """
        return tuple(name for name in self.unnamed if _IS_DEFAULT[name](self))


_IS_DEFAULT: Final[Mapping[str, Callable[[Win], bool]]] = {
    "dealer": lambda win: win.seat_wind is None,
    "seat_wind": lambda win: win.seat_wind is None,
    "round_wind": lambda win: win.round_wind is Wind.EAST,
    "riichi": lambda win: not win.has_riichi,
    "tsumo": lambda win: not win.tsumo,
    "dora_indicators": lambda win: not win.dora_indicators and not win.dora_count,
}
"""The facts that a caller may leave out of a win, each with a test whether it has its default."""

ASSUMABLE: Final = tuple(_IS_DEFAULT)
"""The names of these facts."""
