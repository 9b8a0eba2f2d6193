"""Stage 3: the scene model relates all detections: players, roles, called sets, and faces in context."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from vision.detections import ROLES, Detections
from vision.labels import WITH_FOREIGN
from vision.network import Network
from vision.scene.inputs import rows_of


@dataclass(frozen=True, slots=True)
class Calibration:
    """The confidence curve: Platt scaling (1999) of the decoder's log odds and of the log odds of the hand's
    least certain face. It is fitted on held-out drawn scenes."""

    slope: float = 1.0
    face: float = 0.0
    shift: float = 0.0

    def confidence(self, odds: float, face: float) -> float:
        """Probability, 0 to 1, that a reading with these log ``odds`` is right; ``face``: log odds of its
        least certain face."""
        return float(1 / (1 + np.exp(-(self.shift + self.slope * odds + self.face * face))))


class SceneNetwork:
    """The scene model. Raises ValueError when ``network`` is none, or has other roles or classes."""

    def __init__(self, network: Network) -> None:
        self._network = network
        metadata = network.metadata
        if metadata.get("task") != "scene":
            raise ValueError("this model file is no scene model")
        try:
            roles, classes = (tuple(json.loads(metadata[name])) for name in ("roles", "classes"))
            self.calibration = Calibration(**json.loads(metadata["settings"])["calibration"])
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            raise ValueError(f"the scene model's metadata is incomplete: {error}") from error
        if roles != ROLES or classes != WITH_FOREIGN:
            raise ValueError("the scene model has other roles or classes than this program")

    def relate(self, found: Detections, photo: tuple[int, int], *, framed: bool) -> Detections:
        """Classified detections with roles, faces and pairs. ``photo``: width and height in pixels;
        ``framed``: a person drew a frame around them."""
        if not len(found):
            empty = np.zeros((0, 0), np.float32)
            roles, faces = (np.zeros((0, len(each)), np.float32) for each in (ROLES, WITH_FOREIGN))
            return found.with_arrays(roles=roles, faces=faces, same_player=empty, same_set=empty)
        tiles = rows_of(found, photo, framed=framed)
        roles, faces, pairs = self._network.run(tiles[None])
        return found.with_arrays(
            roles=roles[0], faces=faces[0], same_player=pairs[0, 0], same_set=pairs[0, 1]
        )
