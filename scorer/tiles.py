"""Tiles and their notation: parse and format come in pairs (``docs/hand.md``, "Tiles").

A face has an index: 0–8 are 1m–9m, 9–17 1p–9p, 18–26 1s–9s, 27–33 the honours 1z–7z (east, south, west,
north, white, green, red), 34–36 the red fives 0m 0p 0s. The *kind* of a tile is its index with the red fives
counted as fives. Sets and yaku depend on kinds alone. *Counts* are 34 numbers of tiles, one for each kind.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from reprlib import repr as shown
from typing import Final

from scorer.memo import Memo

KINDS: Final = 34
"""How many different tiles there are, red fives counted as fives."""

COPIES: Final = 4
"""How many of each kind a set of tiles holds (EMA 2008 §1)."""

_SUITS: Final = "mpsz"
_TEXTS: Final[tuple[str, ...]] = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)),
    *(f"{rank}z" for rank in range(1, 8)),
    *("0m", "0p", "0s"),
)
FIVES: Final = (4, 13, 22)
"""The kinds of the fives. A set of tiles may have red ones."""

_RED_136: Final = (16, 52, 88)
_MJAI: Final[tuple[str, ...]] = (*_TEXTS[:27], *"ESWNPFC", "5mr", "5pr", "5sr")

_SUIT_NAMES: Final = {"m": "characters", "p": "circles", "s": "bamboos"}
_HONOUR_NAMES: Final = ("east", "south", "west", "north", "white dragon", "green dragon", "red dragon")


class TileError(ValueError):
    """Invalid tiles. The message is a sentence that quotes the text."""


class Tile(int):
    """One face. A tile is an ``int``, its index 0–36, so that it works as an index and sorts.

    ``Tile("5m")`` is :meth:`parse`.

    >>> Tile.parse("0p").kind == Tile.parse("5p")
    True
    >>> str(Tile(33)), Tile(33).name
    ('7z', 'red dragon')
    """

    __slots__ = ()

    def __new__(cls, index: int | str) -> Tile:
        if isinstance(index, str):
            return cls.parse(index)
        if not isinstance(index, int) or not 0 <= index < len(_TEXTS):
            raise TileError(f"A tile's index lies between 0 and {len(_TEXTS) - 1}; {shown(index)} does not.")
        return super().__new__(cls, index)

    @classmethod
    def parse(cls, text: str) -> Tile:
        """The tile that ``text`` (``"5m"``, ``"0s"``, ``"7z"``) names. Raises :class:`TileError`."""
        try:
            return TILES[_TEXTS.index(text)]
        except ValueError:
            raise TileError(
                f"{shown(text)} is not a tile: write 1m–9m, 1p–9p, 1s–9s, 1z–7z, or 0m 0p 0s for a red five."
            ) from None

    @classmethod
    def from_136(cls, id_: int, *, red_fives: bool = True) -> Tile:
        """The tile with that number among all 136, four of each kind in order, as Tenhou counts them.

        ``red_fives``: whether the first five of each suit (16, 52, 88) is red. Raises :class:`TileError`.

        >>> str(Tile.from_136(16)), str(Tile.from_136(16, red_fives=False)), str(Tile.from_136(135))
        ('0m', '5m', '7z')
        """
        if type(id_) is not int or not 0 <= id_ < COPIES * KINDS:
            raise TileError(
                f"A tile's number lies between 0 and {COPIES * KINDS - 1}; {shown(id_)} does not."
            )
        if red_fives and id_ in _RED_136:
            return TILES[KINDS + _RED_136.index(id_)]
        return TILES[id_ // COPIES]

    @classmethod
    def from_mjai(cls, name: str) -> Tile:
        """The tile that mjai calls so: ``5m``, ``5mr`` for a red five, ``E S W N P F C``. Raises
        :class:`TileError`.

        >>> [str(Tile.from_mjai(name)) for name in ("9p", "5sr", "P")]
        ['9p', '0s', '5z']
        """
        try:
            return TILES[_MJAI.index(name)]
        except ValueError:
            raise TileError(
                f"{shown(name)} is no tile of mjai: write 1m–9s, 5mr 5pr 5sr, E S W N P F C."
            ) from None

    @property
    def mjai(self) -> str:
        """What mjai calls it.

        >>> Tile("0m").mjai, Tile("6z").mjai
        ('5mr', 'F')
        """
        return _MJAI[self]

    @property
    def kind(self) -> int:
        """The index 0–33 with a red five counted as a five."""
        return KIND_OF[self]

    @property
    def is_red(self) -> bool:
        return int(self) >= KINDS

    def __lt__(self, other: int) -> bool:
        """Tiles sort by kind, a red five after plain fives. Beside a plain ``int``, a tile is its index.

        >>> format_tiles(sorted(parse_tiles("6p0p4p5p1z")))
        '4506p1z'
        """
        if type(other) is Tile:
            return (KIND_OF[self], int(self)) < (KIND_OF[other], int(other))
        return int(self) < other

    def __gt__(self, other: int) -> bool:
        return other.__lt__(self) if type(other) is Tile else int(self) > other

    def __le__(self, other: int) -> bool:
        return not self > other

    def __ge__(self, other: int) -> bool:
        return not self < other

    @property
    def suit(self) -> str:
        """``m``, ``p``, ``s``, or ``z`` for an honour."""
        return _SUITS[self.kind // 9]

    @property
    def rank(self) -> int:
        """1–9 in a suit, 1–7 among the honours; 5 for a red five."""
        return self.kind % 9 + 1

    @property
    def name(self) -> str:
        """English, as EMA 2008 §1 says it: ``"1 circle"``, ``"red 5 circles"``, ``"east"``."""
        if self.suit == "z":
            return _HONOUR_NAMES[self.rank - 1]
        suit = _SUIT_NAMES[self.suit].removesuffix("s" if self.rank == 1 else "")
        return f"{'red ' if self.is_red else ''}{self.rank} {suit}"

    def __str__(self) -> str:
        return _TEXTS[self]

    def __repr__(self) -> str:
        return f"Tile({_TEXTS[self]!r})"


KIND_OF: Final[tuple[int, ...]] = (*range(KINDS), *FIVES)
"""Index 0–36 of a face to its kind 0–33."""

TILES: Final = tuple(Tile(index) for index in range(len(_TEXTS)))
"""All 37 faces by index."""

YAOCHUU: Final = frozenset({0, 8, 9, 17, 18, 26, *range(27, 34)})
"""Kinds of the terminals and honours."""

TERMINALS: Final = frozenset({0, 8, 9, 17, 18, 26})
HONOURS: Final = frozenset(range(27, 34))
WINDS: Final = frozenset(range(27, 31))
DRAGONS: Final = frozenset(range(31, 34))
GREENS: Final = frozenset({19, 20, 21, 23, 25, 32})
"""2 3 4 6 8 of bamboos and the green dragon (EMA 2008 §4.2.5)."""

NORTH: Final = 30
"""The kind that three players set aside as dora."""

LEFT_OUT: Final = frozenset(range(1, 8))
"""2m to 8m, with which three players do not play."""

_DRAGON_AFTER: Final[dict[int, int]] = {33: 31, 31: 32, 32: 33}


Tiles = Iterable["Tile | str"] | str
"""Tiles as a caller may give them: tiles, texts of one tile each, or one text (:func:`parse_tiles`)."""


_CHARACTERS: Final = {
    **{0x1F007 + rank: f"{rank + 1}m" for rank in range(9)},
    **{0x1F010 + rank: f"{rank + 1}s" for rank in range(9)},
    **{0x1F019 + rank: f"{rank + 1}p" for rank in range(9)},
    **{0x1F000 + at: f"{rank}z" for at, rank in enumerate((1, 2, 3, 4, 7, 6, 5))},
    **dict.fromkeys((0xFE0E, 0xFE0F), ""),
}
"""Tile characters (Unicode, Mahjong Tiles) as mpsz text. Variation selectors become empty text."""


def plain_text(text: str) -> str:
    """The text with full-width letters and digits as plain ones, and tile characters as mpsz text.

    >>> plain_text("１２３ｍ 🀄🀙")
    '123m 7z1p'
    """
    return text if text.isascii() else unicodedata.normalize("NFKC", text.translate(_CHARACTERS))


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """The tiles of mpsz text or tile characters, in the order written. Spaces are ignored.

    Raises :class:`TileError` with a sentence that names what cannot be read.

    >>> [str(tile) for tile in parse_tiles("123m055p77z")]
    ['1m', '2m', '3m', '0p', '5p', '5p', '7z', '7z']
    """
    if not isinstance(text, str):
        raise TileError(f'Tiles are parsed from text such as "123m055p77z", not from {shown(text)}.')
    return _PARSED[text] if len(text) <= _SHORT else _parsed(text)


def _parsed(text: str) -> tuple[Tile, ...]:
    tiles: list[Tile] = []
    ranks = ""
    for character in plain_text(text):
        if character in _SUITS:
            if not ranks:
                raise TileError(f"{shown(text)} has the letter {character!r} without a number before it.")
            tiles += [_BY_TEXT[rank + character] for rank in ranks]
            ranks = ""
        elif character in "0123456789":
            ranks += character
        elif not character.isspace():
            raise TileError(
                f"{shown(text)} has {character!r}, which is no part of a tile: write numbers and m p s z,"
                " 1z–4z for east south west north, 5z–7z for white green red."
            )
    if ranks:
        raise TileError(f"{shown(text)} ends in {shown(ranks)} without a suit: add m, p, s or z.")
    return tuple(tiles)


_ONLY_TILES: Final = {Tile}


def tiles_of(name: str, value: Tiles) -> tuple[Tile, ...]:
    """The argument ``name`` of a caller, tiles or text, as tiles in their order.

    Raises :class:`TileError` with a sentence that begins with the name.
    """
    if type(value) is tuple and _ONLY_TILES.issuperset(map(type, value)):
        return value  # the common case within the scorer
    try:
        if isinstance(value, str):
            return parse_tiles(value)
        tiles = tuple(Tile.parse(one) if isinstance(one, str) else one for one in value)
    except TileError as error:
        raise TileError(f"{name}: {error}") from None
    except TypeError:  # nothing to go through
        tiles = (value,)  # type: ignore[assignment]
    if not _ONLY_TILES.issuperset(map(type, tiles)):
        raise TileError(f'{name} must be tiles, or text such as "123m055p77z", not {shown(value)}.')
    return tiles


def tile_of(name: str, value: Tile | str) -> Tile:
    """The argument ``name`` of a caller, a tile or text, as a tile. Raises :class:`TileError`."""
    if type(value) is Tile:
        return value
    tiles = tiles_of(name, value) if isinstance(value, str) else ()
    if len(tiles) != 1:
        raise TileError(f'{name} must be one tile, or text such as "5p", not {shown(value)}.')
    return tiles[0]


def format_tiles(tiles: Tiles) -> str:
    """The tiles as mpsz text in the order given, neighbours of a suit sharing the letter.

    >>> format_tiles(parse_tiles("1m 2m 3m 0p 7z"))
    '123m0p7z'
    """
    value = tiles_of("tiles", tiles)
    return _FORMATTED[value] if len(value) <= _FEW else _formatted(value)


def _formatted(tiles: tuple[Tile, ...]) -> str:
    text = ""
    for tile in tiles:
        rank, suit = _TEXTS[tile][0], _TEXTS[tile][1]
        text = (text[:-1] if text.endswith(suit) else text) + rank + suit
    return text


_SHORT: Final = 40
_FEW: Final = 4
_MOST: Final = 1 << 13
_BY_TEXT: Final = Memo(Tile.parse)
_PARSED: Final = Memo(_parsed, _MOST)
_FORMATTED: Final = Memo(_formatted, _MOST)
"""Caches of parsing and formatting: records repeat the same tiles, sets and indicators."""


def count_kinds(tiles: Iterable[int]) -> tuple[int, ...]:
    """34 counts of the tiles (or face indices 0–36), red fives as fives."""
    counts = [0] * KINDS
    for tile in tiles:
        counts[KIND_OF[tile]] += 1
    return tuple(counts)


def dora_of(indicator: int, players: int = 4) -> int:
    """The kind that an indicator makes dora: the next in suit, winds E S W N E, dragons red white green red.

    Source: EMA 2008 §2.7. With three players 9m comes after 1m.

    >>> str(TILES[dora_of(Tile.parse("9p"))]), str(TILES[dora_of(Tile.parse("6z"))])
    ('1p', '7z')
    """
    kind = KIND_OF[indicator]
    if players == 3 and kind == 0:
        return 8
    if kind in DRAGONS:
        return _DRAGON_AFTER[kind]
    if kind in WINDS:
        return 27 + (kind - 26) % 4
    return kind - 8 if kind % 9 == 8 else kind + 1
