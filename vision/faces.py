"""Which face each tile shows: crops cut at the finder's quads, the face network, and corners made better."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision import fives, pixels
from vision.arrays import Array, Array32, Indices, Pixels
from vision.ground import ground
from vision.labels import CLASSES, FOREIGN, NOT_A_FACE_INDEX, WITH_FOREIGN
from vision.network import Network
from vision.quads import convex, lengths, project, turned


@dataclass(frozen=True, slots=True)
class CropShape:
    """The network's input: ``width`` × ``height`` pixels that show a quad enlarged ``margin`` times about its
    centre."""

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
        """Those (n, 3, 3) of quads (n, 4, 2)."""
        centre = quads.mean(1, keepdims=True)
        around = (centre + self.margin * (quads - centre)).astype(np.float32)
        frame = np.array([[0, 0], [self.width, 0], [self.width, self.height], [0, self.height]], np.float32)
        return pixels.homographies(around, frame)

    def encode(self, corners: Array32) -> Array32:
        """Offsets (8,), in tile sides, of true corners (4, 2) given in crop pixels from where the quad has
        them."""
        return np.asarray(
            ((corners - self.corners()) / np.array(self.tile(), np.float32)).ravel(), np.float32
        )

    def decode(self, offsets: Array32) -> Array32:
        """Inverse of :meth:`encode`: corners (..., 4, 2) in crop pixels of offsets (..., 8)."""
        shape = (*offsets.shape[:-1], 4, 2)
        moved = self.corners() + offsets.reshape(shape) * np.array(self.tile(), np.float32)
        return np.asarray(moved, np.float32)


_TOO_FINE = 1.5
"""Photo pixels a crop pixel beyond which sampling single points would turn fine strokes into noise."""


def cut(rgb: Pixels, quads: Array32, shape: CropShape) -> Pixels:
    """The crops (n, height, width, 3) of ``rgb`` at ``quads``; outside the photo the edge's pixels repeat.

    Tiles much larger than their crop are cut from a photo halved as often as it takes.
    """
    crops = np.empty((len(quads), shape.height, shape.width, 3), np.uint8)
    if not len(quads):
        return crops
    sides = lengths(quads)
    shrink = np.minimum(sides[:, ::2].mean(1) / shape.tile()[0], sides[:, 1::2].mean(1) / shape.tile()[1])
    levels = np.ceil(np.log2(np.maximum(shrink / _TOO_FINE, 1))).astype(int)
    deepest = int(levels.max())
    source, level, low = rgb, 0, np.zeros(2)
    if deepest:
        # Only what will be seen is halved.
        centre = quads.mean(1, keepdims=True)
        around = (centre + shape.margin * (quads - centre)).reshape(-1, 2)
        limit, edge = np.array(rgb.shape[1::-1]), 2**deepest
        low = np.clip(np.floor(around.min(0)) - edge, 0, limit - 1).astype(int)
        high = np.clip(np.ceil(around.max(0)) + edge, low + 1, limit).astype(int)
        source = rgb[low[1] : high[1], low[0] : high[0]]
    for wanted in np.unique(levels).tolist():
        while level < wanted and min(source.shape[:2]) > 1:
            height, width = source.shape[0] // 2, source.shape[1] // 2
            even = source[: 2 * height, : 2 * width]
            source = pixels.shrink(even, (width, height))
            level += 1
        alike = levels == wanted
        # Whole numbers are the middles of pixels, also of halved ones.
        there = (quads[alike] + 0.5 - low) / 2**level - 0.5
        matrices = shape.matrices(there.astype(np.float32))
        crops[alike] = pixels.warp(source, matrices, (shape.width, shape.height))
    return crops


_MIDDLE = CropShape(width=12, height=15, margin=0.7)
_ALIKE = 25.0
"""Of 255: how far the mean colours of two backs of one photo differ at most. On rendered photos they differed
by up to 18, a back and the cloth beside it mostly by more than 50."""


def alike_in_colour(rgb: Pixels, quads: Array32) -> bool:
    """Whether the middles of two quads (2, 4, 2) have one colour, as the backs of one set of tiles have."""
    first, second = cut(rgb, quads, _MIDDLE).mean(axis=(1, 2))
    return bool(np.abs(first - second).max() < _ALIKE)


_LIES_WELL, _LIES_BADLY = 0.04, 0.15
"""Tile sides by which a crop's corners may be off: below the first it shows nothing new when cut again,
above the second its label is not to be believed."""

_SURE = 0.9
"""Probability from which a face needs no second look. The labels were smoothed by 0.05 in training."""


@dataclass(frozen=True, slots=True)
class Faces:
    """Tiles read: ``quads`` (n, 4, 2) pixels, clockwise from the face's own top left; ``probabilities``
    (n, 39) in the order of ``vision.labels.CLASSES``; ``rotation`` (n, 4): how likely the face stands
    turned clockwise by 0, 1, 2, 3 quarters from what ``quads`` say (the first is the rest). ``foreign``: (n,)
    how likely each is a tile that no hand has, where the network tells these; in ``probabilities`` they count
    as no face. ``ground``: (n, 3) the colours around their prints (:func:`vision.ground.ground`), where they
    are known."""

    quads: Array32
    probabilities: Array32
    rotation: Array32
    foreign: Array32 = field(default_factory=lambda: np.zeros(0, np.float32))
    ground: Array32 = field(default_factory=lambda: np.zeros((0, 3), np.float32))


class FaceReader:
    """The face network with everything around it.

    ``colours``: what its answers become when the fives of a photo are held against its other tiles, by its
    last maps, where it tells them.

    Raises ValueError when ``network`` is no face classifier or answers other classes than this program knows.
    """

    def __init__(self, network: Network, colours: fives.Compare = fives.compare) -> None:
        self._network = network
        self._colours = colours
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
            raise ValueError("the face model answers other classes than this program knows")

    def read(self, rgb: Pixels, quads: Array32, *, briefly: bool = False) -> Faces:
        """Faces at ``quads`` (n, 4, 2), pixels of the (H, W, 3) photo ``rgb``, whatever corner comes first.

        Each pass cuts anew the doubtful crops whose quads the one before moved; the last answer counts.
        ``briefly``: one pass.
        """
        quads = np.asarray(quads, np.float32)
        if not len(quads):
            return Faces(
                quads.reshape(0, 4, 2), np.zeros((0, len(CLASSES)), np.float32), np.zeros((0, 4), np.float32)
            )
        quads = quads.copy()
        answers = np.zeros((len(quads), len(WITH_FOREIGN)), np.float32)
        rotation = np.empty((len(quads), 4), np.float32)
        seen: tuple[Array32, Indices] | None = None
        crops = np.empty((len(quads), self.shape.height, self.shape.width, 3), np.uint8)
        moved = np.arange(len(quads))
        for _ in range(1 if briefly else self._passes):
            crops[moved] = cut(rgb, quads[moved], self.shape)
            labels, rotations, offsets, *maps = self.run(crops[moved])
            turns = softmax(rotations)
            quads[moved] = self._better(quads[moved], turns, offsets)
            answers[moved, : labels.shape[1]], rotation[moved] = softmax(labels), turns
            if maps and seen is None:  # of the first pass: there all tiles are cut alike
                seen = maps[0], turns.argmax(axis=1)
            off = np.abs(offsets).max(1)
            unsure = answers[moved].max(1) < _SURE
            moved = moved[(off > _LIES_BADLY) | (unsure & ((off > _LIES_WELL) | (turns.argmax(1) != 0)))]
            if not len(moved):
                break
        # The quads were turned by the likeliest rotation; what is left counts from there.
        best = rotation.argmax(1)
        if seen is not None:
            answers = self._colours(answers, *seen)
        rest = np.take_along_axis(rotation, (best[:, None] + np.arange(4)) % 4, 1)
        foreign, probabilities = answers[:, WITH_FOREIGN.index(FOREIGN)], answers[:, : len(CLASSES)].copy()
        probabilities[:, NOT_A_FACE_INDEX] += foreign
        return Faces(quads, probabilities, rest, foreign, ground(crops))

    def run(self, crops: Pixels) -> Sequence[Array32]:
        """Label logits (n, 39 or 40), rotation logits (n, 4), corner offsets (n, 8) of crops (n, H, W, 3);
        and its last maps (n, channels, cells) where it tells them."""
        return self._network.run(crops)

    def _better(self, quads: Array32, rotations: Array32, offsets: Array32) -> Array32:
        """The quads (n, 4, 2) moved by their offsets (n, 8), clockwise from the likeliest top left."""
        back = np.asarray(np.linalg.inv(self.shape.matrices(quads)))
        # An offset beyond half a tile is a guess at another tile.
        corners = project(self.shape.decode(np.clip(offsets, -0.5, 0.5)), back)
        good = np.isfinite(corners).all(axis=(1, 2)) & convex(corners)
        corners = np.where(good[:, None, None], corners, quads)
        return turned(corners, -rotations.argmax(axis=1))


def softmax(logits: Array32) -> Array32:
    """Probabilities (..., classes) of logits."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float32)
