"""A hand as one typed line, and back: ``123m456p789s11z + 1z [p777z]``.

The tiles are mpsz text (``docs/hand.md``): digits, then the letter of their suit; ``0`` is a red five;
``1z``–``7z`` are east south west north white green red. Tile characters (🀇) and full-width text
are read, too. Blanks mean nothing.

- ``+ 1z`` is the winning tile. Without it the winning tile is open.
- ``[777z]`` is a meld: a run is a chi, three alike a pon, four alike an open kan. A letter in front says it
  outright: ``c`` chi, ``p`` pon, ``k`` open kan (called), ``s`` kan added to a pon, ``a`` concealed kan.
  A mark behind the tiles says whose tile was called: ``>`` the next player's (right), ``^`` across, ``<`` the
  previous player's (left).

:func:`parse_line` and :func:`format_line` are each other's inverse.
"""

from __future__ import annotations

from scorer.hand import format_parts, parse_parts
from scorer.laid import Laid


def parse_line(line: str) -> Laid:
    """The tiles of the typed line, whether they are a hand or not. Raises :class:`scorer.TileError` where the
    line is not in the grammar."""
    concealed, win_tile, melds = parse_parts(line)
    return Laid(concealed, melds, win_tile)


def format_line(laid: Laid) -> str:
    """The line that :func:`parse_line` reads back as the same tiles."""
    return format_parts(laid.concealed, laid.win_tile, laid.melds)
