"""Who is shown every stage of a reading; mostly nobody is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Watch: TypeAlias = Callable[[object], None]
"""Takes the loaded :class:`vision.image.Photo`, then each :class:`vision.scene.stage.Stage`, and at last the
:class:`vision.reading.Reading`."""


def nobody(stage: object) -> None:
    """Looks away."""
