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
from collections.abc import Iterable
from typing import Any

from scorer import tiles
from tehai.errors import Mistake

Record = dict[str, Any]
"""A hand record (``docs/hand.md``)."""

MELD_LETTERS = {"c": "chi", "p": "pon", "k": "minkan", "s": "kakan", "a": "ankan"}
CALLED_FROM = {">": 1, "^": 2, "<": 3}

_LETTER_OF = {kind: letter for letter, kind in MELD_LETTERS.items()}
_MARK_OF = {player: mark for mark, player in CALLED_FROM.items()}
_MELD = re.compile(r"\[([cpksa]?)((?:[0-9]+[mpsz])+)([>^<]?)\]")
_EXAMPLE = "for example 123m456p789s11z + 1z [p777z]"


def parse_tiles(text: str) -> tuple[str, ...]:
    """``"055p7z"`` as ``("0p", "5p", "5p", "7z")``. Raises :class:`Mistake` naming what is no tile."""
    try:
        return tuple(str(tile) for tile in tiles.parse_tiles(text.lower()))
    except tiles.TileError as error:
        raise Mistake(str(error)) from None


def format_tiles(texts: Iterable[str]) -> str:
    """``("0p", "5p", "7z")`` as ``"05p7z"``; the order is kept."""
    return tiles.format_tiles(tiles.Tile.parse(text) for text in texts)


def parse_hand(line: str) -> Record:
    """The typed line as a record's tile fields: ``concealed``, ``melds`` and, if typed, ``win_tile``.

    Raises :class:`Mistake` where the line is not in the grammar; whether the hand is one is not asked here.
    """
    text = "".join(line.split()).lower()
    melds = [_meld(*found.groups()) for found in _MELD.finditer(text)]
    rest = _MELD.sub(" ", text)
    if "[" in rest or "]" in rest:
        raise Mistake(
            f"“{line.strip()}” has a meld that cannot be read; write [c123m], [p777z], [k1111s] or [a2222p]."
        )
    concealed, plus, win = rest.partition("+")
    record: Record = {"concealed": "", "melds": melds}
    if plus:
        winning = parse_tiles(win)
        if len(winning) != 1:
            raise Mistake(f"after + comes one tile, the winning tile, {_EXAMPLE}.")
        record["win_tile"] = winning[0]
    record["concealed"] = format_tiles(parse_tiles(concealed))
    return record


def format_hand(record: Record) -> str:
    """The line that :func:`parse_hand` reads back as the same tile fields."""
    parts = [record.get("concealed", "")]
    if record.get("win_tile"):
        parts.append(f"+ {record['win_tile']}")
    for meld in record.get("melds", ()):
        mark = _MARK_OF.get(meld.get("from"), "")
        parts.append(f"[{_LETTER_OF[meld['type']]}{meld['tiles']}{mark}]")
    return " ".join(part for part in parts if part)


def _meld(letter: str, text: str, mark: str) -> dict[str, Any]:
    held = parse_tiles(text)
    kind = MELD_LETTERS[letter] if letter else _kind_of(held)
    return {"type": kind, "tiles": format_tiles(held), "from": CALLED_FROM.get(mark)}


def _kind_of(held: tuple[str, ...]) -> str:
    plain = {tile.replace("0", "5") for tile in held}
    if len(plain) > 1:
        return "chi"
    return "minkan" if len(held) == 4 else "pon"


def line_of(record: Record) -> list[str]:
    """Every tile in the order of the line: concealed, winning tile, melds. Positions count from 1 there."""
    line = list(parse_tiles(record.get("concealed", "")))
    if record.get("win_tile"):
        line.append(record["win_tile"])
    for meld in record.get("melds", ()):
        line.extend(parse_tiles(meld["tiles"]))
    return line


def with_tile(record: Record, position: int, tile: str) -> Record:
    """The record with the tile at ``position`` (from 1) of :func:`line_of` replaced."""
    line = line_of(record)
    if not 1 <= position <= len(line):
        raise Mistake(f"there is no tile {position}; the line has {len(line)}.")
    line[position - 1] = tile
    changed = dict(record)
    count = len(parse_tiles(record.get("concealed", "")))
    changed["concealed"], line = format_tiles(line[:count]), line[count:]
    if record.get("win_tile"):
        changed["win_tile"], line = line[0], line[1:]
    melds = []
    for meld in record.get("melds", ()):
        size = len(parse_tiles(meld["tiles"]))
        melds.append({**meld, "tiles": format_tiles(line[:size])})
        line = line[size:]
    changed["melds"] = melds
    return changed


_FIX = re.compile(r"(\d+)=([0-9][mpsz])")


def correct(record: Record, answer: str) -> Record:
    """The record after a correction: ``3=5p 7=0s`` by position, or a whole line typed anew.

    A whole line takes the place of every tile field; without ``+`` in it the winning tile is open again.
    """
    if "=" not in answer:
        retyped = {key: value for key, value in record.items() if key != "win_tile"}
        return {**retyped, **parse_hand(answer)}
    for word in answer.replace(",", " ").split():
        fix = _FIX.fullmatch(word.lower())
        if fix is None:
            raise Mistake(
                f"“{word}” is no correction; write position=tile, for example 3=5p, or the whole line."
            )
        record = with_tile(record, int(fix[1]), parse_tiles(fix[2])[0])
    return record
