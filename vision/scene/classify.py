"""Stage 2: what each detection shows. The face network, once a crop, twice where its corners moved."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array32, Pixels
from vision.detections import Detections
from vision.faces import CropShape, FaceReader, cut, softmax
from vision.labels import WITH_FOREIGN
from vision.quads import SAME_TILE, convex, project, suppress, turned
from vision.scene.config import CONFIG, SceneConfig

_FURTHEST = 0.5
"""Tile sides: a corner moved further is a guess at the next tile."""

_PASSES = 2

_NEVER = -20.0
"""Logit of what a network does not know."""


def classify(network: FaceReader, rgb: Pixels, found: Detections, config: SceneConfig = CONFIG) -> Detections:
    """The detections with logits, turns and embeddings; quads with better corners, from the face's own top
    left. A crop is cut anew where its corners were far off, or its face is unsure and its corners moved."""
    count, shape = len(found), network.shape
    quads = found.quads.copy()
    logits = np.full((count, len(WITH_FOREIGN)), _NEVER, np.float32)
    turns = np.zeros((count, 4), np.float32)
    embeddings: Array32 | None = None
    waiting = np.arange(count)
    for _ in range(_PASSES):
        if not len(waiting):
            break
        labels, rotations, offsets, maps = network.run(cut(rgb, quads[waiting], shape))
        looks = np.asarray(maps.mean(axis=2), np.float32)
        if embeddings is None:
            embeddings = np.zeros((count, looks.shape[1]), np.float32)
        turn = softmax(rotations)
        logits[waiting, : labels.shape[1]] = labels  # a network may not know foreign tiles
        turns[waiting], embeddings[waiting] = turn, looks
        quads[waiting] = _better(quads[waiting], turn, offsets, shape)
        off, unsure = np.abs(offsets).max(axis=1), softmax(labels).max(axis=1) < config.sure_face
        moved = (off > config.lies_well) | (turn.argmax(axis=1) != 0)
        waiting = waiting[(off > config.lies_badly) | (unsure & moved)]
    best = turns.argmax(axis=1) if count else np.zeros(0, np.intp)
    rest = np.take_along_axis(turns, (best[:, None] + np.arange(4)) % 4, axis=1)
    none = np.zeros((0, 0), np.float32)
    seen = found.adding(
        quads=quads, logits=logits, turns=rest, embeddings=none if embeddings is None else embeddings
    )
    # With better corners two peaks may show one tile: the surer one stays.
    order = np.argsort(-found.scores, kind="stable")
    return seen[np.sort(order[suppress(quads[order], SAME_TILE)])]


def _better(quads: Array32, turns: Array32, offsets: Array32, shape: CropShape) -> Array32:
    """The quads (n, 4, 2) moved by offsets (n, 8), clockwise from the likeliest top left."""
    back = np.asarray(np.linalg.inv(shape.matrices(quads)))
    corners = project(shape.decode(np.clip(offsets, -_FURTHEST, _FURTHEST)), back)
    good = np.isfinite(corners).all(axis=(1, 2)) & convex(corners)
    return turned(np.where(good[:, None, None], corners, quads), -turns.argmax(axis=1))
