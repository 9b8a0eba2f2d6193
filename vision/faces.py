"""The face classifier: it crops each tile, names its face and refines its corners."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision import pixels
from vision.arrays import Array, Array32, Pixels
from vision.config import CONFIG, GEOMETRY, SceneConfig
from vision.detections import Detections
from vision.labels import CLASSES, FOREIGN, NOT_A_FACE_INDEX, WITH_FOREIGN
from vision.network import Network
from vision.quads import convex, lengths, project, rotated


@dataclass(frozen=True, slots=True)
class CropShape:
    """The network's input: ``width`` × ``height`` pixels that show a quad, enlarged ``margin`` times."""

    width: int = 64
    height: int = 80
    margin: float = 1.25

    def tile(self) -> tuple[float, float]:
        """Width and height in pixels of the quad inside the crop."""
        return self.width / self.margin, self.height / self.margin

    def corners(self) -> Array32:
        """Where the quad's corners (4, 2) lie in the crop."""
        width, height = self.tile()
        left, top = (self.width - width) / 2, (self.height - height) / 2
        return np.array(
            [[left, top], [left + width, top], [left + width, top + height], [left, top + height]], np.float32
        )

    def matrix(self, quad: Array32) -> Array:
        """Homography (3, 3) from the pixels of a picture to those of the crop at ``quad``."""
        matrix: Array = self.matrices(quad[None])[0]
        return matrix

    def matrices(self, quads: Array32) -> Array:
        """:meth:`matrix`, (n, 3, 3), of quads (n, 4, 2)."""
        centre = quads.mean(1, keepdims=True)
        around = (centre + self.margin * (quads - centre)).astype(np.float32)
        frame = np.array([[0, 0], [self.width, 0], [self.width, self.height], [0, self.height]], np.float32)
        return pixels.homographies(around, frame)

    def encode(self, corners: Array32) -> Array32:
        """Offsets (8,), in tile sides, from the quad's corners to the true ones (4, 2), in crop pixels."""
        return np.asarray(
            ((corners - self.corners()) / np.array(self.tile(), np.float32)).ravel(), np.float32
        )

    def decode(self, offsets: Array32) -> Array32:
        """Inverse of :meth:`encode`: corners (..., 4, 2) in crop pixels of offsets (..., 8)."""
        shape = (*offsets.shape[:-1], 4, 2)
        moved = self.corners() + offsets.reshape(shape) * np.array(self.tile(), np.float32)
        return np.asarray(moved, np.float32)


def cut(rgb: Pixels, quads: Array32, shape: CropShape) -> Pixels:
    """The crops (n, height, width, 3) of ``rgb`` at ``quads``; outside the photo the edge's pixels repeat.

    A tile much larger than its crop is sampled from a halved photo, so that fine strokes do not alias.
    """
    crops = np.empty((len(quads), shape.height, shape.width, 3), np.uint8)
    if not len(quads):
        return crops
    sides = lengths(quads)
    shrink = np.minimum(sides[:, ::2].mean(1) / shape.tile()[0], sides[:, 1::2].mean(1) / shape.tile()[1])
    levels = np.ceil(np.log2(np.maximum(shrink / GEOMETRY.sampling, 1))).astype(int)
    deepest = int(levels.max())
    source, level, low = rgb, 0, np.zeros(2)
    if deepest:
        # Halve only the part of the photo around the tiles.
        centre = quads.mean(1, keepdims=True)
        around = (centre + shape.margin * (quads - centre)).reshape(-1, 2)
        limit, edge = np.array(rgb.shape[1::-1]), 2**deepest
        low = np.clip(np.floor(around.min(0)) - edge, 0, limit - 1).astype(int)
        high = np.clip(np.ceil(around.max(0)) + edge, low + 1, limit).astype(int)
        source = rgb[low[1] : high[1], low[0] : high[0]]
    for target in np.unique(levels).tolist():
        while level < target and min(source.shape[:2]) > 1:
            height, width = source.shape[0] // 2, source.shape[1] // 2
            even = source[: 2 * height, : 2 * width]
            source = pixels.shrink(even, (width, height))
            level += 1
        same_level = levels == target
        # Whole numbers are pixel centres, at every level.
        scaled = (quads[same_level] + 0.5 - low) / 2**level - 0.5
        matrices = shape.matrices(scaled.astype(np.float32))
        crops[same_level] = pixels.warp(source, matrices, (shape.width, shape.height))
    return crops


class FaceReader:
    """Classifies tiles with the face network.

    Raises ValueError when ``network`` is no face classifier or has other classes than this program.
    """

    def __init__(self, network: Network) -> None:
        self._network = network
        metadata = network.metadata
        if metadata.get("task") != "faces":
            raise ValueError("this model file is no face classifier")
        try:
            classes = tuple(json.loads(metadata["classes"]))
            settings = json.loads(metadata["settings"])
            self.shape = CropShape(**settings["crop"])
            self._passes = int(settings["passes"])
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            raise ValueError(f"the face model's metadata is incomplete: {error}") from error
        if classes not in (CLASSES, WITH_FOREIGN):
            raise ValueError("the face model has other classes than this program")

    def classify(self, rgb: Pixels, quads: Array32, config: SceneConfig = CONFIG) -> Detections:
        """The tiles at ``quads`` (n, 4, 2), in pixels of the (H, W, 3) photo ``rgb``, with logits, turns,
        embeddings and refined corners. The first corner may be any; refined, it is the face's top left.

        A second crop follows where the corners were far off, or the face is unsure and its corners moved.
        """
        count, quads = len(quads), np.array(quads, np.float32).reshape(-1, 4, 2)
        logits = np.full((count, len(WITH_FOREIGN)), config.excluded, np.float32)
        turns = np.zeros((count, 4), np.float32)
        embeddings = np.zeros((count, 0), np.float32)
        waiting = np.arange(count)
        for _ in range(self._passes):
            if not len(waiting):
                break
            labels, rotations, offsets, maps = self.run(cut(rgb, quads[waiting], self.shape))
            pooled = np.asarray(maps.mean(axis=2), np.float32)
            if not embeddings.size:
                embeddings = np.zeros((count, pooled.shape[1]), np.float32)
            turn = softmax(rotations)
            logits[waiting, : labels.shape[1]] = labels  # a network may not know foreign tiles
            turns[waiting], embeddings[waiting] = turn, pooled
            quads[waiting] = self._refined(quads[waiting], turn, offsets)
            off, unsure = np.abs(offsets).max(axis=1), softmax(labels).max(axis=1) < config.confident
            moved = (off > config.corner_tolerance) | (turn.argmax(axis=1) != 0)
            waiting = waiting[(off > config.corner_error) | (unsure & moved)]
        best = turns.argmax(axis=1) if count else np.zeros(0, np.intp)
        # The quads were rotated by the likeliest turn: the others count from there.
        rest = np.take_along_axis(turns, (best[:, None] + np.arange(4)) % 4, axis=1)
        return Detections(quads, np.full(count, config.confident, np.float32), logits, rest, embeddings)

    def run(self, crops: Pixels) -> Sequence[Array32]:
        """Of crops (n, H, W, 3): label logits (n, 39 or 40), rotation logits (n, 4), corner offsets (n, 8)
        and the last feature maps (n, channels, cells)."""
        return self._network.run(crops)

    def _refined(self, quads: Array32, turns: Array32, offsets: Array32) -> Array32:
        """The quads (n, 4, 2) moved by offsets (n, 8), clockwise from the likeliest top left."""
        back = np.asarray(np.linalg.inv(self.shape.matrices(quads)))
        corners = project(
            self.shape.decode(np.clip(offsets, -GEOMETRY.corner_shift, GEOMETRY.corner_shift)), back
        )
        good = np.isfinite(corners).all(axis=(1, 2)) & convex(corners)
        return rotated(np.where(good[:, None, None], corners, quads), -turns.argmax(axis=1))


def probabilities(found: Detections) -> Array32:
    """Probabilities (n, 39) of classified tiles, in the order of ``vision.labels.CLASSES``. A foreign tile
    counts as no tile."""
    assert found.logits is not None
    shares = softmax(found.logits)
    shares[:, NOT_A_FACE_INDEX] += shares[:, WITH_FOREIGN.index(FOREIGN)]
    return shares[:, : len(CLASSES)]


def softmax(logits: Array32) -> Array32:
    """Probabilities (..., classes) of logits."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float32)
