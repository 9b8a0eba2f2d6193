"""Cells of CSV that a spreadsheet shows unchanged.

A spreadsheet runs a text that begins with ``= + - @`` or a tab as a formula (CWE-1236). An apostrophe before
it prevents that.
"""

from __future__ import annotations

import re
from typing import Final

_FORMULA: Final = re.compile("'*[=+\\-@\t\r\n]")


def cell(value: object) -> object:
    """A value as a cell. Numbers stay; a text cannot become a formula."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def value_of(text: str) -> str:
    """The inverse of :func:`cell` for a text."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
