"""Faces in doubt, told by a larger network from pictures of their prints.

The face network is asked about every tile of a table, and is as small as that allows; one tile in six it
leaves in doubt. Those alone are shown to a network that reckons four times as much about each, by how its
colours differ from the white around the print, whatever the light. Both words count.

The network, ``vision/prints.onnx``, and the layers on it, ``prints.npz``, are fitted on renders and photos by
``python -m models.prints``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from vision.arrays import Array32, Indices
from vision.inks import Crops, pictures
from vision.kinds import KIND_OF_FACE, of_kinds
from vision.labels import FACES
from vision.layer import Stored
from vision.stages import See, seen_beneath

FILE: Final = Path(__file__).with_name("prints.npz")

Compare = Callable[[Array32, Indices, Crops], Array32]
"""What the probabilities (n, classes) of a photo's tiles become, some of which are in doubt, by the crops of
these: :func:`compare`."""

_LEAST = 1e-4
"""Probability that a kind has at least."""

_CERTAIN = 0.93
"""Probability of a face from which it is in no doubt: of 34,000 tiles of 1,200 held-out scenes (seeds 914 and
915) a sixth was below it, and of 449 that were misread 435."""


def in_doubt(probabilities: Array32) -> Indices:
    """Which of the tiles, by their probabilities (n, classes), show some face, and none surely."""
    face = probabilities.argmax(axis=1) < len(FACES)
    return np.flatnonzero(face & (probabilities.max(axis=1) < _CERTAIN))


def logs(probabilities: Array32) -> Array32:
    """(n, 34) logs of how likely each kind is, should a tile show any, by probabilities (n, classes)."""
    kinds = of_kinds(probabilities)
    return np.asarray(np.log(kinds / kinds.sum(axis=1, keepdims=True) + _LEAST), np.float32)


_ALONE = 0.1
"""Share of the face network's word by itself in what both tell: where they contradict each other what is
told is less sure, so that the rules of a hand may overrule it. Of 5,902 faces in doubt (seeds 914 and 916)
five are told wrongly with 98 % and more, thirteen without."""


@dataclass(frozen=True, slots=True, eq=False)
class Prints(Stored):
    """The weights: of the maps of a picture ``hidden`` (k, h) with ``hidden_bias`` (h,), of these ``last``
    (h, 34) with ``last_bias`` (34,); and ``own`` () of the face network's word."""

    hidden: Array32
    hidden_bias: Array32
    last: Array32
    last_bias: Array32
    own: Array32

    PRECISION, MOST = np.int8, 31

    def seen(self, maps: Array32) -> Array32:
        """(m, 34) what the maps (m, k) of pictures tell of each kind by themselves, as logs but for what is
        the same for all."""
        return np.asarray(
            np.maximum(maps @ self.hidden + self.hidden_bias, 0) @ self.last + self.last_bias, np.float32
        )

    def told(self, own: Array32, maps: Array32) -> Array32:
        """(m, 34) how likely each kind is, by the face network's ``own`` logs (m, 34) and the maps (m, k) of
        pictures."""
        both = softmax(self.seen(maps) + self.own * own)
        return np.asarray((1 - _ALONE) * both + _ALONE * softmax(own), np.float32)


def softmax(logs: Array32) -> Array32:
    """Probabilities (m, k), those of each row together one, by logs of what they are to each other."""
    raised = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)


PRINTS: Final = Prints.read(FILE)
"""The weights that photos are read with."""


SEE: Final = seen_beneath(FILE)
"""What sees the pictures, where nothing else runs its network."""


def compare(probabilities: Array32, tiles: Indices, crops: Crops, see: See = SEE) -> Array32:
    """The probabilities (n, classes) with what each of the ``tiles`` (m,) has shared anew among the kinds of
    faces; red fives and plain ones as they were to each other. ``see``: what tells the maps of pictures."""
    if not len(tiles):
        return probabilities
    changed, faces = probabilities.copy(), probabilities[tiles, : len(FACES)]
    before = np.maximum(of_kinds(faces), _LEAST**2)
    now = PRINTS.told(logs(faces), see(pictures(crops(tiles)))) * faces.sum(axis=1, keepdims=True)
    # A kind that the face network thought next to nothing of may be likely now: red or plain, who knows.
    even = np.where(before > _LEAST, before, np.bincount(KIND_OF_FACE) * _LEAST)
    parts = np.where((before > _LEAST)[:, KIND_OF_FACE], faces, _LEAST)
    changed[tiles, : len(FACES)] = parts * (now / even)[:, KIND_OF_FACE]
    return changed
