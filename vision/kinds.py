"""The 34 kinds of tiles, by the faces that there are of each: a red five is of its plain one's kind."""

from __future__ import annotations

from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import KIND_OF, KINDS
from vision.labels import FACES

F = TypeVar("F", bound=np.floating)

KIND_OF_FACE: Final = np.array([KIND_OF[face] for face in range(len(FACES))])
"""(37,) the kind of each face."""


def of_kinds(probabilities: NDArray[F]) -> NDArray[F]:
    """(n, 34): how likely each kind is, by (n, 37 or more) of the classes."""
    kinds = probabilities[:, :KINDS].copy()
    for red in range(KINDS, len(FACES)):
        kinds[:, KIND_OF[red]] += probabilities[:, red]
    return kinds
