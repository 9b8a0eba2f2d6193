"""A hand as one typed line, and back: ``123m456p789s11z + 1z [p777z]``.

The tiles are mpsz text (``docs/hand.md``): digits, then the letter of their suit; ``0`` is a red five;
``1z``–``7z`` are east south west north white green red. Blanks mean nothing.

- ``+ 1z`` is the winning tile. Without it the winning tile is open.
- ``[777z]`` is a meld: a run is a chi, three alike a pon, four alike an open kan. A letter in front says it
  outright: ``c`` chi, ``p`` pon, ``k`` open kan (called), ``s`` kan added to a pon, ``a`` concealed kan.
  A mark behind the tiles says whose tile was called: ``>`` the next player's (right), ``^`` across, ``<`` the
  previous player's (left).

:func:`parse_hand` and :func:`format_hand` are each other's inverse.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from scorer.hand import Meld, MeldType
from scorer.laid import Laid
from scorer.tiles import Tile, TileError, format_tiles, parse_tiles
from tehai.errors import Mistake, Mistyped

Record = dict[str, Any]
"""A hand record (``docs/hand.md``)."""

MELD_LETTERS = {
    "c": MeldType.CHI,
    "p": MeldType.PON,
    "k": MeldType.MINKAN,
    "s": MeldType.KAKAN,
    "a": MeldType.ANKAN,
}
CALLED_FROM = {">": 1, "^": 2, "<": 3}

_LETTER_OF = {type_: letter for letter, type_ in MELD_LETTERS.items()}
_MARK_OF: dict[int | None, str] = {player: mark for mark, player in CALLED_FROM.items()}
_MELD = re.compile(r"\[([cpksa]?)((?:[0-9]+[mpsz])+)([>^<]?)\]")
_EXAMPLE = "for example 123m456p789s11z + 1z [p777z]"


def typed_tiles(text: str) -> tuple[Tile, ...]:
    """The tiles of mpsz text, capitals or not. Raises :class:`Mistake` naming what is no tile."""
    try:
        return parse_tiles(text.lower())
    except TileError as error:
        raise Mistyped(str(error)) from None


def parse_hand(line: str) -> Laid:
    """The tiles of the typed line.

    Raises :class:`Mistake` where the line is not in the grammar; whether the hand is one is not asked here.
    """
    text = "".join(line.split()).lower()
    melds = tuple(_meld(*found.groups()) for found in _MELD.finditer(text))
    rest = _MELD.sub(" ", text)
    if "[" in rest or "]" in rest:
        raise Mistyped(
            f"“{line.strip()}” has a meld that cannot be read; write [c123m], [p777z], [k1111s] or [a2222p]."
        )
    concealed, plus, win = rest.partition("+")
    winning = typed_tiles(win)
    if plus and len(winning) != 1:
        raise Mistyped(f"after + comes one tile, the winning tile, {_EXAMPLE}.")
    return Laid(typed_tiles(concealed), melds, winning[0] if plus else None)


def format_hand(laid: Laid) -> str:
    """The line that :func:`parse_hand` reads back as the same tiles."""
    win = "" if laid.win_tile is None else f"+ {laid.win_tile}"
    melds = (
        f"[{_LETTER_OF[meld.type]}{format_tiles(meld.tiles)}{_MARK_OF.get(meld.source, '')}]"
        for meld in laid.melds
    )
    return " ".join(part for part in (format_tiles(laid.concealed), win, *melds) if part)


def _meld(letter: str, text: str, mark: str) -> Meld:
    held = typed_tiles(text)
    return Meld(MELD_LETTERS[letter] if letter else _type_of(held), held, CALLED_FROM.get(mark))


def _type_of(held: tuple[Tile, ...]) -> MeldType:
    if len({tile.kind for tile in held}) > 1:
        return MeldType.CHI
    return MeldType.MINKAN if len(held) == 4 else MeldType.PON


_FIX = re.compile(r"(\d+)=([0-9][mpsz])")


def correct(laid: Laid, answer: str) -> Laid:
    """The tiles after a correction: ``3=5p 7=0s`` by position, or a whole line typed anew.

    A whole line takes the place of all tiles of the hand; without ``+`` in it the winning tile is open again.
    """
    if "=" not in answer:
        typed = parse_hand(answer)
        return replace(laid, concealed=typed.concealed, melds=typed.melds, win_tile=typed.win_tile)
    for word in answer.replace(",", " ").split():
        fix = _FIX.fullmatch(word.lower())
        if fix is None:
            raise Mistake(
                f"“{word}” is no correction; write position=tile, for example 3=5p, or the whole line."
            )
        tile = typed_tiles(fix[2])[0]
        try:
            laid = laid.with_tile(int(fix[1]), tile)
        except IndexError:
            raise Mistake(f"there is no tile {int(fix[1])}; the line has {len(laid.line)}.") from None
    return laid
