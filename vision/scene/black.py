"""Black tiles with bright faces. The networks were taught none, but in the photo's negative they see them."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Pixels
from vision.detections import Detections
from vision.faces import FaceReader, softmax
from vision.finder import Finder
from vision.labels import FACES, WHITE_INDEX
from vision.quads import covered
from vision.scene.classify import classify
from vision.scene.config import CONFIG, SceneConfig
from vision.scene.detect import detect

BLACK: Final = "These tiles are black: Tehai was not taught such a set."


def negative(finder: Finder, faces: FaceReader, rgb: Pixels, config: SceneConfig = CONFIG) -> Detections:
    """What the networks see in the negative of an (H, W, 3) photo, classified."""
    pixels = np.invert(rgb)
    return classify(faces, pixels, detect(finder, pixels, config), config)


def are_black(found: Detections, inverted: Detections, config: SceneConfig = CONFIG) -> bool:
    """Whether a photo shows black tiles: its negative shows more faces than it does itself, a hand's worth of
    them where it shows none. ``found``, ``inverted``: classified detections of both."""
    own, others = _faces(found, config), _faces(inverted, config)
    new = ~covered(others.quads, own.quads)
    return len(others) > len(own) and int(new.sum()) >= config.fewest


def _faces(found: Detections, config: SceneConfig) -> Detections:
    """Those that surely show a face; white dragons apart, for in a negative cloth may be as blank."""
    if not len(found):
        return found
    assert found.logits is not None
    shares = np.delete(softmax(found.logits)[:, : len(FACES)], WHITE_INDEX, axis=1)
    return found[shares.max(axis=1) >= config.sure_face]
