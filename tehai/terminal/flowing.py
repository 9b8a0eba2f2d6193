"""Lines broken as their language breaks them: Japanese between its characters, the rest between words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.text import Text

_WIDE: Final = "\u2e80-\u9fff\uff01-\uff60"
_CLOSING: Final = "、。，：；？！）」ーゃゅょっャュョッ％"
_PIECE: Final = re.compile(rf" *(?:[（「]*[{_WIDE}]|[^ {_WIDE}]+)[{_CLOSING}]* *")
"""What stays in one line: a word, or a character with the brackets and signs that go with it."""


@dataclass(frozen=True, slots=True)
class Flowing:
    """Text to be printed in as many lines as it needs; Rich itself would break it at blanks alone."""

    text: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        width = options.max_width
        for line in self.text.split("\n", allow_blank=True):
            for part in line.divide(_breaks(line.plain, width)):
                while cell_len(part.plain) > width and part.plain.endswith(" "):
                    part.right_crop(1)
                yield part

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        lines = self.text.plain.split("\n")
        longest = max(
            (cell_len(piece.strip()) for line in lines for piece in _PIECE.findall(line)), default=0
        )
        return Measurement(longest, max(map(cell_len, lines))).with_maximum(options.max_width)


def _breaks(text: str, width: int) -> Iterator[int]:
    """Where the lines after the first begin."""
    used = 0
    for piece in _PIECE.finditer(text):
        if used and used + cell_len(piece[0].rstrip()) > width:
            yield piece.start()
            used = 0
        used += cell_len(piece[0])
