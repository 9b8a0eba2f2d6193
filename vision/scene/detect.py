"""Stage 1: where tiles may lie. The finder network, read at a low threshold: sure tiles and faint ones."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array32, Pixels
from vision.detections import Detections
from vision.finder import Finder
from vision.maps import Candidates
from vision.quads import covered
from vision.scene.config import CONFIG, SceneConfig
from vision.scene.rectify import rectifying


def detect(finder: Finder, rgb: Pixels, config: SceneConfig = CONFIG) -> Detections:
    """What may be a tile on an (H, W, 3) photo, the surest first, quads in its pixels."""
    return _best(finder.find(rgb, threshold=config.faint), config.most)


def detect_again(
    finder: Finder, rgb: Pixels, quads: Array32, known: Array32, config: SceneConfig = CONFIG
) -> Detections:
    """What else may be a tile about ``quads`` (k, 4, 2) than the ``known`` ones (n, 4, 2): this part of the
    photo alone is searched, larger and as seen from above."""
    found = finder.find_flat(rgb, quads, rectifying(quads), config.again, config.faint)
    new = ~covered(found.quads, known)
    return _best(Candidates(found.quads[new], found.scores[new]), config.most)


def _best(found: Candidates, most: int) -> Detections:
    best = np.argsort(-found.scores, kind="stable")[:most]
    return Detections(found.quads[best].astype(np.float32), found.scores[best].astype(np.float32))
