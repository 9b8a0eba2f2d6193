"""What a stage of the scene reader shows to whoever watches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vision.detections import Detections
from vision.scene.decode import Scene

StageName = Literal["detect", "classify", "relate", "decode", "judge"]


@dataclass(frozen=True, slots=True)
class Stage:
    """The detections after a stage, to be judged those of the scene that is told; ``scene``: from decoding
    on. The last stage's value is the reading."""

    name: StageName
    found: Detections
    scene: Scene | None = None
