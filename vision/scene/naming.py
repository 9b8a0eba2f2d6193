"""What a reading calls a detection, by the faces that the scene model sees."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array32
from vision.labels import FOREIGN, NOT_A_FACE_INDEX, UNREADABLE, WITH_FOREIGN
from vision.scene.config import SceneConfig


def likeliest_face(shares: Array32) -> str:
    """The likeliest of faces with these ``shares`` (40,), "no tile" apart."""
    first: int = next(k for k in np.argsort(-shares).tolist() if k != NOT_A_FACE_INDEX)
    return WITH_FOREIGN[first]


def named_face(
    shares: Array32, told: str | None, config: SceneConfig
) -> tuple[str, float, tuple[str, float]]:
    """The label of a detection, how probable it is, and the runner-up with its share. ``told``: the face that
    its hand gives it; without one it is the likeliest, or cannot be read."""
    label = told or likeliest_face(shares)
    probability = float(shares[WITH_FOREIGN.index(label)])
    other = next(k for k in np.argsort(-shares).tolist() if WITH_FOREIGN[k] != label)
    if told is None and probability < config.unreadable and label != FOREIGN:
        label = UNREADABLE
    return label, probability, (WITH_FOREIGN[other], float(shares[other]))
