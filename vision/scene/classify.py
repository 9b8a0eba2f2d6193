"""Stage 2: the face of each detection, and refined corners."""

from __future__ import annotations

import numpy as np

from vision.arrays import Pixels
from vision.config import CONFIG, SceneConfig
from vision.detections import Detections
from vision.faces import FaceReader
from vision.quads import suppress


def classify(network: FaceReader, rgb: Pixels, found: Detections, config: SceneConfig = CONFIG) -> Detections:
    """The detections with logits, turns, embeddings and refined quads, whose first corner is the face's top
    left. Duplicates are dropped."""
    classified = network.classify(rgb, found.quads, config).with_arrays(scores=found.scores)
    # With refined corners two detections may show one tile: the one of higher score stays.
    order = np.argsort(-found.scores, kind="stable")
    return classified[np.sort(order[suppress(classified.quads[order])])]
