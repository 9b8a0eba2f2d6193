"""A hand as a person types it (:mod:`scorer.notation`), and its corrections."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from scorer.hand_tiles import HandTiles
from scorer.notation import format_line as format_hand
from scorer.notation import parse_line
from scorer.tiles import Tile, TileError, parse_tiles
from tehai.errors import Mistake, Mistyped

__all__ = ["Record", "correct", "format_hand", "parse_hand", "typed_tiles"]

Record = dict[str, Any]
"""A hand record (``docs/hand.md``)."""


def typed_tiles(text: str) -> tuple[Tile, ...]:
    """The tiles of mpsz text in any case. Raises :class:`Mistake` with the invalid text."""
    try:
        return parse_tiles(text.lower())
    except TileError as error:
        raise Mistyped(str(error)) from None


def parse_hand(line: str) -> HandTiles:
    """The tiles of a typed line. Raises :class:`Mistake` for a line that does not follow the grammar."""
    try:
        return parse_line(line)
    except TileError as error:
        raise Mistyped(str(error)) from None


_FIX = re.compile(r"(\d+)=([0-9][mpsz])")


def correct(hand_tiles: HandTiles, answer: str) -> HandTiles:
    """The tiles after a correction: ``3=5p 7=0s`` by position, or a whole line typed anew.

    A whole line replaces all tiles of the hand. Without ``+`` the winning tile becomes unknown.
    """
    if "=" not in answer:
        typed = parse_hand(answer)
        return replace(hand_tiles, concealed=typed.concealed, melds=typed.melds, win_tile=typed.win_tile)
    for word in answer.replace(",", " ").split():
        fix = _FIX.fullmatch(word.lower())
        if fix is None:
            raise Mistake(
                f"“{word}” is no correction; write position=tile, for example 3=5p, or the whole line."
            )
        tile = typed_tiles(fix[2])[0]
        try:
            hand_tiles = hand_tiles.with_tile(int(fix[1]), tile)
        except IndexError:
            raise Mistake(f"there is no tile {int(fix[1])}; the line has {len(hand_tiles.line)}.") from None
    return hand_tiles
