"""A hand as one typed line, and back: ``123m456p789s11z + 1z [p777z]``.

The tiles are mpsz text (``docs/hand.md``): digits, then the letter of their suit. ``0`` is a red five.
``1z``–``7z`` are east south west north white green red. Tile characters (🀇) and full-width text work too.
Blanks are ignored.

- ``+ 1z`` is the winning tile. Without it the winning tile is unknown.
- ``[777z]`` is a meld: a sequence is a chi, three alike a pon, four alike an open kan. A letter in front
  names the type: ``c`` chi, ``p`` pon, ``k`` open kan (called), ``s`` kan added to a pon, ``a`` concealed
  kan. A mark behind the tiles names the player who discarded the called tile: ``>`` next (right),
  ``^`` across, ``<`` previous (left).

:func:`parse_line` and :func:`format_line` are each other's inverse.
"""

from __future__ import annotations

from scorer.hand import format_parts, parse_parts
from scorer.hand_tiles import HandTiles


def parse_line(line: str) -> HandTiles:
    """The tiles of a typed line, which need not be a valid hand. Raises :class:`scorer.TileError` for a line
    that does not follow the grammar."""
    concealed, win_tile, melds = parse_parts(line)
    return HandTiles(concealed, melds, win_tile)


def format_line(hand_tiles: HandTiles) -> str:
    """The line that :func:`parse_line` reads back as the same tiles."""
    return format_parts(hand_tiles.concealed, hand_tiles.win_tile, hand_tiles.melds)
