"""The label of a detection, by the scene model's probabilities of its face."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array32
from vision.config import SceneConfig
from vision.labels import FOREIGN, NOT_A_FACE_INDEX, UNREADABLE, WITH_FOREIGN


def likeliest_face(shares: Array32) -> str:
    """The likeliest class by its probabilities ``shares`` (40,), "no tile" excluded."""
    first: int = next(k for k in np.argsort(-shares).tolist() if k != NOT_A_FACE_INDEX)
    return WITH_FOREIGN[first]


def label_of(
    shares: Array32, decoded: str | None, config: SceneConfig
) -> tuple[str, float, tuple[str, float]]:
    """The label of a detection, its probability, and the runner-up with its probability.

    ``shares`` (40,): probabilities of the classes. ``decoded``: the face that the decoder chose; without one
    the label is the likeliest, or says that the face cannot be read.
    """
    label = decoded or likeliest_face(shares)
    probability = float(shares[WITH_FOREIGN.index(label)])
    other = next(k for k in np.argsort(-shares).tolist() if WITH_FOREIGN[k] != label)
    if decoded is None and probability < config.likely and label != FOREIGN:
        label = UNREADABLE
    return label, probability, (WITH_FOREIGN[other], float(shares[other]))
