"""Helpers for sentences."""

from __future__ import annotations


def capitalised(text: object) -> str:
    """The text with a capital first letter and the rest unchanged."""
    return f"{str(text)[:1].upper()}{str(text)[1:]}"


def plural(count: int, noun: str, several: str = "") -> str:
    """``1 photo``, ``1,468 tiles``."""
    return f"{count:,} {noun if count == 1 else several or f'{noun}s'}"


def printable(path: str) -> str:
    """A path for one line of a terminal, with line breaks and undecodable bytes escaped."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in path
    )
