"""Black tiles with bright faces. The networks were taught none, but in a negative that keeps the hues they
see tiles as they know them."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Pixels
from vision.detections import Detections
from vision.faces import softmax
from vision.labels import FACES, WHITE_INDEX
from vision.quads import covered
from vision.scene.config import CONFIG, SceneConfig

BLACK: Final = (
    "These tiles are black: Tehai was not trained on such a set. Go closer in even light, or type the hand."
)

_HAND: Final = 13
"""Tiles of a hand."""

_DARKER: Final = np.rint(255 * (np.arange(256) / 255) ** 1.5).astype(np.uint8)


def negative(rgb: Pixels) -> Pixels:
    """An (H, W, 3) photo with dark and light exchanged and every hue as it was: red print stays red. The
    power keeps black tiles apart from dark cloth, which would be as light as they are."""
    light = 255 + rgb.astype(np.int16) - rgb.max(axis=2, keepdims=True) - rgb.min(axis=2, keepdims=True)
    return np.asarray(_DARKER[light.clip(0, 255)])


def may_be_black(found: Detections, config: SceneConfig = CONFIG) -> bool:
    """Whether classified detections show fewer sure faces than a hand has: else its tiles are as the networks
    know them."""
    return len(_faces(found, config)) < _HAND


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
