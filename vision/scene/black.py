"""Black tiles with bright faces. The networks were taught none, but in the photo's negative they see them."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Pixels
from vision.detections import Detections
from vision.faces import FaceReader
from vision.finder import Finder
from vision.labels import FACES
from vision.scene.classify import classify, softmax
from vision.scene.config import CONFIG, SceneConfig
from vision.scene.detect import detect

BLACK: Final = "These tiles are black: Tehai was not taught such a set."


def negative(finder: Finder, faces: FaceReader, rgb: Pixels, config: SceneConfig = CONFIG) -> Detections:
    """What the networks see in the negative of an (H, W, 3) photo, classified."""
    pixels = np.invert(rgb)
    return classify(faces, pixels, detect(finder, pixels, config), config)


def are_black(found: Detections, inverted: Detections, config: SceneConfig = CONFIG) -> bool:
    """Whether a photo shows black tiles: its negative shows more faces, surely read ones, than it does
    itself, and enough for a hand. ``found``, ``inverted``: classified detections of both."""
    return _faces(inverted, config) > max(_faces(found, config), config.fewest - 1)


def _faces(found: Detections, config: SceneConfig) -> int:
    if not len(found):
        return 0
    assert found.logits is not None
    return int((softmax(found.logits)[:, : len(FACES)].max(axis=1) >= config.sure_face).sum())
