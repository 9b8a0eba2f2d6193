"""Which detection is which truth."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array32


def match(scores: Array32, overlaps: Array32, least: float) -> list[tuple[int, int]]:
    """Pairs (detection, truth), best score first, one to one, of an overlap of at least ``least``."""
    pairs: list[tuple[int, int]] = []
    free = np.ones(overlaps.shape[1], bool)
    for i in np.argsort(-scores, kind="stable"):
        if not free.any():
            break
        j = int(np.argmax(np.where(free, overlaps[i], -1)))
        if overlaps[i, j] >= least:
            free[j] = False
            pairs.append((int(i), j))
    return pairs
