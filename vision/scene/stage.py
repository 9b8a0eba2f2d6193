"""What a stage of the scene reader shows to whoever watches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vision.detections import Detections
from vision.scene.decode import Scene

StageName = Literal["detect", "classify", "relate", "decode"]


@dataclass(frozen=True, slots=True)
class Stage:
    """The detections after a stage; ``scene``: from decoding on. The last stage's value is the reading."""

    name: StageName
    found: Detections
    scene: Scene | None = None
