"""An observer receives every stage of a reading, to draw or to measure it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from vision.detections import Detections
    from vision.scene.decode import Scene


@dataclass(frozen=True, slots=True)
class Stage:
    """The detections after a stage, and from ``decode`` on the decoded scene."""

    name: Literal["detect", "classify", "relate", "decode", "judge"]
    found: Detections
    scene: Scene | None = None


Observer: TypeAlias = Callable[[object], None]
"""Takes the loaded :class:`vision.image.Photo`, each :class:`Stage`, and last the
:class:`vision.reading.Reading`."""


def no_observer(stage: object) -> None:
    """Ignores every stage."""
