"""Black tiles with bright faces. The networks never saw any, but in a negative that keeps the hues they look
like light tiles."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Pixels
from vision.config import CONFIG, GEOMETRY, SceneConfig
from vision.detections import Detections
from vision.faces import softmax
from vision.labels import FACES, WHITE_INDEX
from vision.quads import overlaps_any
from vision.scene.decode import UNFINISHED

BLACK_TILES: Final = (
    "These tiles are black: Tehai was not taught such a set. Go closer in even light, or type the hand."
)

_DARKER: Final = np.rint(255 * (np.arange(256) / 255) ** GEOMETRY.negative_gamma).astype(np.uint8)


def negative(rgb: Pixels) -> Pixels:
    """The negative of an (H, W, 3) photo with its hues kept: red print stays red."""
    light = 255 + rgb.astype(np.int16) - rgb.max(axis=2, keepdims=True) - rgb.min(axis=2, keepdims=True)
    return np.asarray(_DARKER[light.clip(0, 255)])


def may_be_black(found: Detections, config: SceneConfig = CONFIG) -> bool:
    """Whether classified detections have fewer confident faces than a hand has tiles."""
    return len(_confident_faces(found, config)) < UNFINISHED


def are_black(found: Detections, inverted: Detections, config: SceneConfig = CONFIG) -> bool:
    """Whether a photo shows black tiles: its negative has more confident faces, enough for a hand of them
    where the photo has none. ``found``, ``inverted``: classified detections of the photo and the negative."""
    own, others = _confident_faces(found, config), _confident_faces(inverted, config)
    new = ~overlaps_any(others.quads, own.quads)
    return len(others) > len(own) and int(new.sum()) >= config.min_group


def _confident_faces(found: Detections, config: SceneConfig) -> Detections:
    """The detections with a confident face; not white dragons, as cloth in a negative is as blank."""
    if not len(found):
        return found
    assert found.logits is not None
    shares = np.delete(softmax(found.logits)[:, : len(FACES)], WHITE_INDEX, axis=1)
    return found[shares.max(axis=1) >= config.confident]
