"""Cells of CSV that a spreadsheet takes as they are meant.

A text that begins with ``= + - @`` or a tab is a formula to a spreadsheet, whoever wrote it (CWE-1236). An
apostrophe before it makes it a text again.
"""

from __future__ import annotations

import re
from typing import Final

_FORMULA: Final = re.compile("'*[=+\\-@\t\r\n]")


def cell(value: object) -> object:
    """A value as a cell: numbers stay, a text is a text."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def value_of(text: str) -> str:
    """The text that :func:`cell` made a cell of."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
