"""What a person did wrong, said in one sentence."""

from __future__ import annotations


class Mistake(ValueError):
    """Input that cannot be used: the message is one sentence that says what is wrong and what to do."""
