"""Stage 2: what each detection shows. The face network, once a crop, twice where its corners moved."""

from __future__ import annotations

import numpy as np

from vision.arrays import Pixels
from vision.detections import Detections
from vision.faces import FaceReader
from vision.quads import SAME_TILE, suppress
from vision.scene.config import CONFIG, SceneConfig


def classify(network: FaceReader, rgb: Pixels, found: Detections, config: SceneConfig = CONFIG) -> Detections:
    """The detections with logits, turns and embeddings; quads with better corners, from the face's own top
    left, each tile once."""
    seen = network.look(rgb, found.quads, config).adding(scores=found.scores)
    # With better corners two peaks may show one tile: the surer one stays.
    order = np.argsort(-found.scores, kind="stable")
    return seen[np.sort(order[suppress(seen.quads[order], SAME_TILE)])]
