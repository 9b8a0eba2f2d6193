"""What a person did wrong, said in one sentence."""

from __future__ import annotations


def capitalised(text: object) -> str:
    """With a capital at its start, as a sentence by itself; the rest stays."""
    return f"{str(text)[:1].upper()}{str(text)[1:]}"


class Mistake(ValueError):
    """Input that cannot be used: the message is one sentence that says what is wrong and what to do."""
