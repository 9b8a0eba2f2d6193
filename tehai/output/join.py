"""Pieces of sentences that several rooms print."""

from __future__ import annotations


def capitalised(text: object) -> str:
    """With a capital at its start, as a sentence by itself; the rest stays."""
    return f"{str(text)[:1].upper()}{str(text)[1:]}"


def plural(count: int, noun: str, several: str = "") -> str:
    """``1 photo``, ``1,468 tiles``."""
    return f"{count:,} {noun if count == 1 else several or f'{noun}s'}"


def printable(path: str) -> str:
    """A path on one line of a terminal: line breaks and what is no text are escaped."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in path
    )
