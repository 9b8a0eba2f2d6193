"""Stage 3: all detections at once. The scene model says whose each tile is, in which role, in which set, and
which face it has in this company."""

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
    """The one curve to a confidence, fitted on drawn scenes that did not teach: the logistic (Platt 1999) of
    the decoder's log odds and of those of the face that is least sure in the hand."""

    slope: float = 1.0
    face: float = 0.0
    shift: float = 0.0

    def confidence(self, odds: float, face: float) -> float:
        """How probable it is, 0 to 1, that a reading of such log odds is right, whose least sure face has the
        log odds ``face``."""
        return float(1 / (1 + np.exp(-(self.shift + self.slope * odds + self.face * face))))


class SceneNetwork:
    """The scene model. Raises ValueError when ``network`` is none, or speaks of other roles or faces."""

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
            raise ValueError("the scene model knows other roles or faces than this program")

    def relate(self, found: Detections, photo: tuple[int, int], *, framed: bool) -> Detections:
        """Classified detections with roles, faces and pairs. ``photo``: width and height of the pixels in
        which they were found; ``framed``: a person drew a frame around them."""
        if not len(found):
            empty = np.zeros((0, 0), np.float32)
            roles, faces = (np.zeros((0, len(each)), np.float32) for each in (ROLES, WITH_FOREIGN))
            return found.adding(roles=roles, faces=faces, same_player=empty, same_set=empty)
        tiles = rows_of(found, photo, framed=framed)
        roles, faces, pairs = self._network.run(tiles[None])
        return found.adding(roles=roles[0], faces=faces[0], same_player=pairs[0, 0], same_set=pairs[0, 1])
