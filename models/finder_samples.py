"""Training samples of the finder: random crops of photos, with target maps, in batches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models import augment, training
from models.maps import encode
from models.scenes import VISIBLE, Scene
from vision.arrays import Array32
from vision.maps import Encoding
from vision.quads import bounds, sizes

ENCODING = Encoding()

SIDES = (256, 288, 320)
"""Sides of a crop in pixels; all crops of a batch share one."""

SMALLEST, MIDDLING, LARGEST = 12.0, 38.0, 115.0
"""Sizes of tiles in pixels (square root of the area) to train on. Training begins with ``MIDDLING`` ones. The
first pass halves a photo 1,280 pixels wide, so that a tile of 24 pixels has 12."""

BOX_CELLS = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
"""Steps (x, y) from a labelled box's centre to the cells whose predicted quads are compared with the box."""

CHANGES: tuple[tuple[float, augment.Change], ...] = (
    (0.8, partial(augment.exposure, tint=0.18)),
    (0.12, partial(augment.dim, warmest=0.35)),
    (0.25, partial(augment.blur, strongest=1.6)),
    (0.3, partial(augment.noise, strongest=12)),
    (0.06, augment.grey),
    (0.25, partial(augment.jpeg, worst=35)),
)
"""Changes of a crop's colours, each with its probability."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A crop (s, s, 3) with its targets, for h = w = s / 4 cells.

    ``maps`` (9, h, w) and ``weight`` (h, w): as :func:`models.maps.encode` returns them. ``negative`` (h, w):
    0 where a hidden tile lies. ``doubtful`` (h, w): 1 where a tile without a box may lie. ``boxes`` (k, 10):
    cell y and x, the offset (dx, dy) of the box's centre from the cell's, width and height in pixels of the
    photo, and the 2×2 matrix that turns vectors of the crop into those of the photo.
    """

    rgb: NDArray[np.uint8]
    maps: Array32
    weight: Array32
    negative: Array32
    doubtful: Array32
    boxes: Array32


def sample(scene: Scene, side: int, rng: np.random.Generator, hardness: float = 1.0) -> Sample:
    """A random augmented crop of ``side`` pixels. ``hardness``: as of :func:`_view`."""
    matrix = _view(scene, side, rng, hardness)
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    source = scene.rgb
    if scale < 0.5:
        # warpAffine samples points: blur first, so that small tiles do not alias.
        source = np.asarray(cv2.GaussianBlur(source, (0, 0), 0.35 / scale), np.uint8)
    fill = tuple(int(v) for v in rng.integers(0, 255, 3)) if rng.random() < 0.7 else (114, 114, 114)
    rgb = cv2.warpAffine(
        source, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=fill
    )
    rgb = augment.by_chance(np.asarray(rgb, np.uint8), rng, CHANGES)
    cells = side // ENCODING.stride
    flip = float(np.linalg.det(matrix[:, :2])) < 0
    quads = scene.quads @ matrix[:, :2].T + matrix[:, 2]
    if flip:
        quads = quads[:, [1, 0, 3, 2]]
    inside = np.all((quads.mean(1) > -20) & (quads.mean(1) < side + 20), -1)
    visible = _inside_share(quads, side)
    big_enough = sizes(quads) > 7 if len(quads) else np.zeros(0, bool)
    usable = (visible >= VISIBLE) & big_enough
    maps, weight = encode(quads[inside & usable], cells, cells, ENCODING)
    negative = np.ones((cells, cells), np.float32)
    ignored = scene.ignored @ matrix[:, :2].T + matrix[:, 2]
    hidden = [*ignored, *quads[inside & ~usable]]
    if hidden:
        mask = np.zeros((cells, cells), np.uint8)
        for quad in hidden:
            cv2.fillConvexPoly(mask, np.round(quad / ENCODING.stride).astype(np.int32), 1)
        negative = np.where((mask > 0) & (maps[0] < 0.2), 0, negative).astype(np.float32)
    doubtful = np.zeros((cells, cells), np.float32)
    boxes = np.zeros((0, 10), np.float32)
    if not scene.exact:
        doubtful, boxes = _write_boxes(scene, matrix, maps, cells)
    return Sample(rgb, maps, weight, negative, doubtful, boxes)


def _view(scene: Scene, side: int, rng: np.random.Generator, hardness: float) -> Array32:
    """A random 2×3 matrix from photo to crop pixels: scale, rotation and mirror image around a tile or place.

    ``hardness`` 0: tiles of middling size, as upright as in the photo; 1: any size and rotation.
    """
    height, width = scene.rgb.shape[:2]
    tiles = scene.sizes()
    if len(tiles):
        low, high = MIDDLING * (SMALLEST / MIDDLING) ** hardness, MIDDLING * (LARGEST / MIDDLING) ** hardness
        wanted = float(np.exp(rng.uniform(np.log(low), np.log(high))))
        scale = wanted / max(4.0, float(np.median(tiles)))
        # Enlarged further, a crop shows blur alone; reduced further, more border than photo.
        scale = float(np.clip(scale, 0.8 * side / max(width, height), 2.5))
    else:
        scale = float(rng.uniform(0.5, 1.5))
    centre = rng.uniform([0.1, 0.1], [0.9, 0.9]) * [width, height]
    if len(tiles) and rng.random() < 0.85:
        pick = int(rng.integers(len(tiles)))
        about = scene.quads[pick].mean(0) if scene.exact else scene.boxes[pick].reshape(2, 2).mean(0)
        centre = about + rng.uniform(-0.35, 0.35, 2) * side / scale
    # Keep the crop inside the photo if that is large enough, but for a tenth of the side.
    half = np.minimum(0.4 * side / scale, np.array([width, height]) / 2)
    centre = np.clip(centre, half, [width, height] - half)
    angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.45 * hardness else rng.normal(0, 0.1)
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    linear = np.array([[cos, -sin], [sin, cos]])
    if rng.random() < 0.5:
        linear[:, 0] *= -1
    # Sometimes as strongly as an upright photo that was taken for a stretched wide one.
    strongest = 1.6 if rng.random() < 0.15 * hardness else 1.12
    linear[0] *= strongest ** rng.uniform(-1, 1)
    shift = side / 2 - linear @ centre
    return np.concatenate([linear, shift[:, None]], 1).astype(np.float32)


def _inside_share(quads: Array32, side: int) -> Array32:
    """(n,) share of each quad's bounding box inside the crop."""
    if not len(quads):
        return np.zeros(0, np.float32)
    box = bounds(quads)
    low, high = np.clip(box[:, :2], 0, side), np.clip(box[:, 2:], 0, side)
    areas = np.prod(box[:, 2:] - box[:, :2], -1)
    return np.asarray(np.prod(high - low, -1) / np.maximum(areas, 1e-3), np.float32)


def _write_boxes(scene: Scene, matrix: Array32, maps: Array32, cells: int) -> tuple[Array32, Array32]:
    """Write the heat of labelled boxes into ``maps``. Returns ``doubtful`` and ``boxes`` of the sample."""
    stride = ENCODING.stride
    middle = (scene.boxes[:, :2] + scene.boxes[:, 2:]) / 2
    centre = (middle @ matrix[:, :2].T + matrix[:, 2]) / stride
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    extent = scene.boxes[:, 2:] - scene.boxes[:, :2]
    size = np.sqrt(np.prod(extent, -1)) * scale / stride
    if not scene.shaped:
        size = size * 0.85
    grid_x, grid_y = np.meshgrid(np.arange(cells) + 0.5, np.arange(cells) + 0.5)
    far = np.full((cells, cells), not scene.complete)
    inverse = np.linalg.inv(matrix[:, :2])
    rows: list[list[float]] = []
    for (cx, cy), sz, (bw, bh) in zip(centre, size, extent, strict=True):
        if not (-sz < cx < cells + sz and -sz < cy < cells + sz):
            continue
        distance = (grid_x - cx) ** 2 + (grid_y - cy) ** 2
        far &= distance > (1.2 * sz + 1) ** 2
        # A little narrower than for quads: a box gives the centre less exactly.
        np.maximum(maps[0], np.exp(-distance / (2 * max(0.35, 0.13 * sz) ** 2)) * 0.99, out=maps[0])
        if not (0 <= cx < cells and 0 <= cy < cells):
            continue
        maps[0, int(cy), int(cx)] = 1.0
        width, height = (bw, bh) if scene.shaped else (0.0, 0.0)
        spread = max(0.0, 0.15 * sz)
        for dx, dy in BOX_CELLS:
            x, y = int(cx + dx * spread), int(cy + dy * spread)
            if 0 <= x < cells and 0 <= y < cells:
                rows.append([y, x, cx - x - 0.5, cy - y - 0.5, width, height, *inverse.ravel()])
    return far.astype(np.float32), np.array(rows, np.float32).reshape(-1, 10)


@dataclass(frozen=True, slots=True)
class Batch(training.Batch):
    """Samples of one side, stacked. ``boxes`` (k, 11) begin with the sample's index."""

    maps: Tensor
    weight: Tensor
    negative: Tensor
    doubtful: Tensor
    boxes: Tensor


def collate(samples: list[Sample]) -> Batch:
    """Stack samples of one side to a batch."""
    boxes = [
        np.concatenate([np.full((len(s.boxes), 1), i, np.float32), s.boxes], 1) for i, s in enumerate(samples)
    ]
    arrays = [
        np.stack([getattr(s, name) for s in samples])
        for name in ("rgb", "maps", "weight", "negative", "doubtful")
    ]
    return Batch(*(torch.from_numpy(a) for a in (*arrays, np.concatenate(boxes))))


class Source:
    """Random batches of renders and, with the probability ``share``, of photos."""

    def __init__(
        self, renders: list[Scene], photos: list[Scene], share: float, batch: int, seed: int
    ) -> None:
        self._renders, self._photos, self._batch = renders, photos, batch
        self._share = 0.0 if not photos else 1.0 if not renders else share
        self._rng = np.random.default_rng(seed)
        self.hardness = 0.0

    def __call__(self) -> Batch:
        rng = self._rng
        side = int(rng.choice(SIDES))
        samples = []
        for _ in range(self._batch):
            pool = self._photos if rng.random() < self._share else self._renders
            samples.append(sample(pool[int(rng.integers(len(pool)))], side, rng, self.hardness))
        return collate(samples)
