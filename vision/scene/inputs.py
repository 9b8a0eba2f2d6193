"""The input of the scene model: one row of numbers for each detection. The network derives all else itself,
so training and reading cannot differ."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Array32
from vision.detections import Detections
from vision.labels import WITH_FOREIGN

QUAD: Final = slice(0, 8)
PHOTO: Final = slice(8, 10)
SCORE: Final = 10
FRAMED: Final = 11
TURNS: Final = slice(12, 16)
LOGITS: Final = slice(16, 16 + len(WITH_FOREIGN))
EMBEDDING: Final = slice(LOGITS.stop, LOGITS.stop + 120)
WIDTH: Final = EMBEDDING.stop
"""Numbers of a row: the quad's corners, and the photo's width and height, both relative to the photo's longer
side; the finder's score; whether a person drew a frame around the tiles; turns; logits; embedding."""


def rows(
    quads: Array32, photo: Array32, scores: Array32, framed: Array32,
    turns: Array32, logits: Array32, embeddings: Array32,
) -> Array32:  # fmt: skip
    """(n, WIDTH) of arrays of n detections; ``photo`` (n, 2) width and height in the quads' pixels."""
    side = photo.max(axis=1, keepdims=True)
    return np.concatenate(
        [
            quads.reshape(-1, 8) / side, photo / side, scores[:, None], framed[:, None], turns, logits,
            embeddings,
        ],
        axis=1, dtype=np.float32,
    )  # fmt: skip


def rows_of(found: Detections, photo: tuple[int, int], *, framed: bool) -> Array32:
    """The rows of classified detections; ``photo``: width and height in pixels."""
    assert found.logits is not None and found.turns is not None and found.embeddings is not None
    count = len(found)
    size = np.broadcast_to(np.array(photo, np.float32), (count, 2))
    drawn = np.full(count, framed, np.float32)
    return rows(found.quads, size, found.scores, drawn, found.turns, found.logits, found.embeddings)
