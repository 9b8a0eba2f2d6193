"""Who is shown every stage of a reading as it passes: :mod:`vision.trace` draws them; mostly nobody is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Watch: TypeAlias = Callable[[object], None]
"""Takes what a stage made: the value itself, or the frozen dataclass of the room that the stage lies in."""


class TraceError(OSError):
    """A trace that cannot be written; the message is one sentence: what is wrong and what to do."""


def nobody(stage: object) -> None:
    """Looks away."""
