"""An observer receives every stage of a reading, to draw or to measure it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Observer: TypeAlias = Callable[[object], None]
"""Takes the loaded :class:`vision.image.Photo`, then each :class:`vision.scene.stage.Stage`, and last the
:class:`vision.reading.Reading`."""


def no_observer(stage: object) -> None:
    """Ignores every stage."""
