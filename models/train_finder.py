"""Train the finder: ``python -m models.train finder --renders DIR --photos DIR --labels JOURNAL``."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as fn

from datasets.boxes import match
from datasets.labels import Labelled
from datasets.photos import Photo, read_manifest
from datasets.renders import Render, gather
from models import augment, training
from models.nets import FinderNet
from vision.arrays import Array32 as Array
from vision.maps import Encoding, decode, encode
from vision.plane import fit_plane
from vision.quads import bounds, box_iou, iou, project, sizes

ENCODING = Encoding()
SIDES = (256, 288, 320)
SMALLEST, MIDDLING, LARGEST = 15.0, 38.0, 115.0
"""Sizes (square root of the area) in pixels of the tiles that the finder learns to find; it begins with
middling ones."""

WARM, HARD = 0.06, 0.35
"""Shares of the training at which tiles of other sizes and turns begin to come, and at which all do. With
everything from the start, runs of 460 and 260 steps taught no direction; with easy views 200 did."""

VISIBLE = 0.45
"""Share of a face that must be seen for a tile to be worth finding; those below are ignored."""

ABOVE_SIDE, ABOVE_MOST = 40.0, 1024
"""Pixels of a tile's side, and of the picture at most, in renders seen from above."""

BOX_CELLS = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
"""Directions from a real tile's centre to the cells whose predicted quads are held against its box."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A decoded photograph with what is known: ``quads`` where ``exact``, else ``boxes``; ``ignored`` quads
    count neither way; ``complete``: what is not listed is no tile."""

    rgb: NDArray[np.uint8]
    quads: Array
    ignored: Array
    boxes: Array
    shaped: bool
    complete: bool
    exact: bool

    def sizes(self) -> Array:
        """Square roots of the tiles' areas in pixels."""
        if self.exact:
            return sizes(self.quads)
        return np.asarray(np.sqrt(np.prod(self.boxes[:, 2:] - self.boxes[:, :2], -1)), np.float32)


@dataclass(frozen=True, slots=True)
class Sample:
    """A crop and its targets. ``boxes`` (k, 10): cell y and x, the box's centre relative to the cell's (dx,
    dy), its width and height in pixels of the photo, and the 2×2 matrix from crop to photo vectors."""

    rgb: NDArray[np.uint8]
    maps: Array
    weight: Array
    negative: Array
    doubtful: Array
    boxes: Array


def scene_of_render(render: Render) -> Scene:
    """A render decoded."""
    seen = render.visible >= VISIBLE
    none = np.zeros((0, 4), np.float32)
    return Scene(render.load(), render.quads[seen], render.quads[~seen], none, False, True, True)


def from_above(scene: Scene) -> Scene:
    """A render as the reader sees it when it looks again: through the homography that takes its table's plane
    to a view from above."""
    plane = fit_plane(scene.quads.astype(float), np.ones(len(scene.quads)))
    matrix, size = plane.from_above(scene.quads.astype(float), ABOVE_SIDE, ABOVE_MOST)
    rgb = cv2.warpPerspective(scene.rgb, matrix, size, flags=cv2.INTER_LINEAR, borderValue=(114, 114, 114))
    seen, hidden = (
        project(each.reshape(-1, 2), matrix).reshape(-1, 4, 2) for each in (scene.quads, scene.ignored)
    )
    return replace(scene, rgb=np.asarray(rgb, np.uint8), quads=seen, ignored=hidden)


def scene_of_photo(photo: Photo) -> Scene:
    """A real photo decoded."""
    none = np.zeros((0, 4, 2), np.float32)
    return Scene(photo.load(), none, none, photo.boxes, photo.shaped, photo.complete, False)


def scene_of_labelled(photo: Labelled) -> Scene:
    """A reviewed photo decoded; where its labels have been boxes, boxes they are."""
    rgb, quads = photo.decoded()
    boxes = np.zeros((0, 4), np.float32) if photo.exact else bounds(quads)
    if not photo.exact:
        quads = np.zeros((0, 4, 2), np.float32)
    ignored = np.zeros((0, 4, 2), np.float32)
    return Scene(rgb, quads, ignored, boxes, True, photo.complete, photo.exact)


def _view(scene: Scene, side: int, rng: np.random.Generator, hardness: float) -> Array:
    """A random 2×3 matrix from scene to crop pixels: scale, rotation and mirror about a tile or a place.

    With ``hardness`` 0 tiles are of middling size and upright as photographed; with 1 any size and turn.
    """
    height, width = scene.rgb.shape[:2]
    tiles = scene.sizes()
    if len(tiles):
        low, high = MIDDLING * (SMALLEST / MIDDLING) ** hardness, MIDDLING * (LARGEST / MIDDLING) ** hardness
        wanted = float(np.exp(rng.uniform(np.log(low), np.log(high))))
        scale = wanted / max(4.0, float(np.median(tiles)))
        # Far enlargements show nothing but blur, far reductions nothing but frame.
        scale = float(np.clip(scale, 0.8 * side / max(width, height), 2.5))
    else:
        scale = float(rng.uniform(0.5, 1.5))
    centre = rng.uniform([0.1, 0.1], [0.9, 0.9]) * [width, height]
    if len(tiles) and rng.random() < 0.85:
        pick = int(rng.integers(len(tiles)))
        about = scene.quads[pick].mean(0) if scene.exact else scene.boxes[pick].reshape(2, 2).mean(0)
        centre = about + rng.uniform(-0.35, 0.35, 2) * side / scale
    # Keep the crop on the photo as far as it is large enough, but for a tenth of it.
    half = np.minimum(0.4 * side / scale, np.array([width, height]) / 2)
    centre = np.clip(centre, half, [width, height] - half)
    angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.45 * hardness else rng.normal(0, 0.1)
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    linear = np.array([[cos, -sin], [sin, cos]])
    if rng.random() < 0.5:
        linear[:, 0] *= -1
    # Now and then as much as when an upright photo was taken for a stretched wide one.
    strongest = 1.6 if rng.random() < 0.15 * hardness else 1.12
    linear[0] *= strongest ** rng.uniform(-1, 1)
    shift = side / 2 - linear @ centre
    return np.concatenate([linear, shift[:, None]], 1).astype(np.float32)


def _colour(rgb: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    if rng.random() < 0.8:
        rgb = augment.exposure(rgb, rng, 0.18)
    if rng.random() < 0.25:
        rgb = augment.blur(rgb, rng, 1.6)
    if rng.random() < 0.3:
        rgb = augment.noise(rgb, rng, 12)
    if rng.random() < 0.06:
        rgb = augment.grey(rgb)
    if rng.random() < 0.25:
        rgb = augment.jpeg(rgb, rng, 35)
    return rgb


def sample(scene: Scene, side: int, rng: np.random.Generator, hardness: float = 1.0) -> Sample:
    """A random augmented crop of ``side`` pixels with its targets."""
    matrix = _view(scene, side, rng, hardness)
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    source = scene.rgb
    if scale < 0.5:
        # warpAffine samples points: without this, far tiles would alias as no camera lets them.
        source = np.asarray(cv2.GaussianBlur(source, (0, 0), 0.35 / scale), np.uint8)
    fill = tuple(int(v) for v in rng.integers(0, 255, 3)) if rng.random() < 0.7 else (114, 114, 114)
    rgb = cv2.warpAffine(
        source, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=fill
    )
    rgb = _colour(np.asarray(rgb, np.uint8), rng)
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


def _inside_share(quads: Array, side: int) -> Array:
    """Share of each quad's bounding box inside the crop."""
    if not len(quads):
        return np.zeros(0, np.float32)
    box = bounds(quads)
    low, high = np.clip(box[:, :2], 0, side), np.clip(box[:, 2:], 0, side)
    areas = np.prod(box[:, 2:] - box[:, :2], -1)
    return np.asarray(np.prod(high - low, -1) / np.maximum(areas, 1e-3), np.float32)


def _write_boxes(scene: Scene, matrix: Array, maps: Array, cells: int) -> tuple[Array, Array]:
    """Heat of real tiles into ``maps``; where unlabelled tiles may be, and the rows of :class:`Sample`."""
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
        # A little narrower than on renders: a box tells the centre less sharply than a quad.
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
    """Samples stacked; ``boxes`` (k, 11) begin with the sample's index."""

    maps: Tensor
    weight: Tensor
    negative: Tensor
    doubtful: Tensor
    boxes: Tensor


def collate(samples: list[Sample]) -> Batch:
    """A batch of samples of one side."""
    boxes = [
        np.concatenate([np.full((len(s.boxes), 1), i, np.float32), s.boxes], 1) for i, s in enumerate(samples)
    ]
    arrays = [
        np.stack([getattr(s, name) for s in samples])
        for name in ("rgb", "maps", "weight", "negative", "doubtful")
    ]
    return Batch(*(torch.from_numpy(a) for a in (*arrays, np.concatenate(boxes))))


def loss_of(out: Tensor, batch: Batch) -> dict[str, Tensor]:
    """The loss's parts: heat, offset, angle, length, boxes."""
    out = out.float()
    target = batch.maps
    logit, heat = out[:, 0], target[:, 0]
    p = torch.sigmoid(logit)
    positive = (heat >= 0.999).float()
    away = ((batch.doubtful > 0) & (p.detach() > 0.3)).float()
    negative = (1 - positive) * (1 - heat) ** 4 * batch.negative * (1 - away)
    count = positive.sum().clamp(min=4)
    focal = positive * (1 - p) ** 2 * fn.softplus(-logit) + negative * p**2 * fn.softplus(logit)
    weight = batch.weight
    mass = weight.sum().clamp(min=4)
    # An offset of half a tile is as bad on a large tile as on a small one.
    size = torch.exp((target[:, 5] + target[:, 8]) / 2) * (ENCODING.unit / ENCODING.stride)
    offset = fn.smooth_l1_loss(
        out[:, 1:3] / size[:, None], target[:, 1:3] / size[:, None], reduction="none", beta=0.05
    )
    angle = torch.zeros_like(weight)
    for first in (3, 6):
        # Against the unit vector itself: normalised first, a short vector's gradient would drown all others.
        angle = angle + (out[:, first : first + 2] - target[:, first : first + 2]).square().sum(1)
    length = fn.smooth_l1_loss(out[:, [5, 8]], target[:, [5, 8]], reduction="none", beta=0.05)
    return {
        "heat": focal.sum() / count,
        "offset": 2 * (offset.sum(1) * weight).sum() / mass,
        "angle": 1.2 * (angle * weight).sum() / mass,
        "length": 1.0 * (length.sum(1) * weight).sum() / mass,
        "boxes": 0.4 * _box_loss(out, batch.boxes),
    }


def _box_loss(out: Tensor, rows: Tensor) -> Tensor:
    """How badly the predicted quads' bounding boxes fit the real tiles' boxes."""
    if not len(rows):
        return out.new_zeros(())
    index = rows[:, :3].long()
    values = out[index[:, 0], :, index[:, 1], index[:, 2]]
    width, height = rows[:, 5], rows[:, 6]
    a, b, c, d = rows[:, 7], rows[:, 8], rows[:, 9], rows[:, 10]
    half = [torch.zeros_like(width), torch.zeros_like(height)]
    lengths = []
    for first in (3, 6):
        unit = fn.normalize(values[:, first : first + 2], dim=1, eps=0.5)
        length = torch.exp(values[:, first + 2].clamp(-3, 3)) * ENCODING.unit
        lengths.append(length)
        # Squares and product of the axis's components from its doubled angle: no sign has to be chosen.
        xx, yy, xy = (1 + unit[:, 0]) / 2, (1 - unit[:, 0]) / 2, unit[:, 1] / 2
        for k, (p, q) in enumerate(((a, b), (c, d))):
            square = p * p * xx + q * q * yy + 2 * p * q * xy
            half[k] = half[k] + length * torch.sqrt(square.clamp(min=0) + 1e-6)
    shaped = (width > 0).float()
    error = torch.stack([(half[0] - width) / width.clamp(min=1), (half[1] - height) / height.clamp(min=1)], 1)
    beyond = (error.abs() - 0.06).clamp(min=0)
    shape = fn.smooth_l1_loss(beyond, torch.zeros_like(beyond), reduction="none", beta=0.1).sum(1) * shaped
    own = torch.sqrt(lengths[0] * lengths[1]).detach().clamp(min=8) / ENCODING.stride
    missed = ((values[:, 1:3] - rows[:, 3:5]).abs() / own[:, None] - 0.04).clamp(min=0)
    centre = fn.smooth_l1_loss(missed, torch.zeros_like(missed), reduction="none", beta=0.05).sum(1)
    return (shape.sum() + 2 * centre.sum()) / len(rows)


class Source:
    """Random batches from decoded scenes."""

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


@torch.no_grad()
def maps_of(net: FinderNet, rgb: NDArray[np.uint8], where: torch.device) -> Array:
    """The maps (9, h, w) of a photo, heat as probability; the photo is padded to a multiple of 32."""
    bottom, right = -rgb.shape[0] % 32, -rgb.shape[1] % 32
    padded = cv2.copyMakeBorder(rgb, 0, bottom, 0, right, cv2.BORDER_CONSTANT, value=(114, 114, 114))
    out = net(training.normalise(torch.from_numpy(padded[None]).to(where)))[0].float()
    out[0] = torch.sigmoid(out[0])
    return np.asarray(out.cpu().numpy(), np.float32)


def validate(
    net: FinderNet, renders: list[Scene], photos: list[Scene], where: torch.device
) -> dict[str, float]:
    """Recall, precision and mean IoU at threshold 0.3 on held-back renders (quads) and photos (boxes)."""
    net.eval()
    result: dict[str, float] = {}
    for name, scenes in (("render", renders), ("photo", photos)):
        truth = found = hits = listed = 0
        overlaps: list[float] = []
        for scene in scenes:
            detected = decode(maps_of(net, scene.rgb, where), ENCODING, 0.3, 0.4)
            if scene.exact:
                table = np.array(
                    [[iou(d, t) for t in scene.quads] for d in detected.quads], np.float32
                ).reshape(len(detected.scores), len(scene.quads))
                hidden = [any(iou(d, t) > 0.3 for t in scene.ignored) for d in detected.quads]
            else:
                table = box_iou(bounds(detected.quads), scene.boxes)
                hidden = [False] * len(detected.scores)
                if not scene.shaped:
                    continue
            pairs = match(detected.scores, table, 0.5)
            truth += table.shape[1]
            hits += len(pairs)
            overlaps += [float(table[i, j]) for i, j in pairs]
            if scene.complete:
                matched = {i for i, _ in pairs}
                listed += sum(1 for i in range(len(hidden)) if i in matched or not hidden[i])
                found += len(pairs)
        result[f"{name} recall"] = hits / max(1, truth)
        result[f"{name} precision"] = found / max(1, listed)
        result[f"{name} iou"] = float(np.mean(overlaps)) if overlaps else 0.0
    return result


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command line's."""
    parser.add_argument("--renders", type=Path, nargs="+", default=[], help="folders of rendered photographs")
    parser.add_argument("--photos", type=Path, help="folder of manifest.jsonl")
    parser.add_argument("--real-share", type=float, default=0.35)
    training.add_options(parser, out=Path("runs/finder"), minutes=115, batch=8, rate=1.2e-3, check=12)


def train(args: argparse.Namespace) -> None:
    """The whole training. Raises OSError and ValueError where there is nothing to learn from."""
    if not args.renders and not args.photos:
        raise ValueError("give --renders, --photos or both")
    where = training.settle(args)
    learn, keep = gather(args.renders, args.most)
    # Whole photos are slow to validate on.
    keep = keep[:: max(1, len(keep) // 40)]
    photos = read_manifest(args.photos, ["train"]) if args.photos else []
    photos = [photo for photo in photos if not photo.whole and photo.plausible]
    if args.most:
        photos = photos[: args.most]
    print(f"decoding {len(learn)} renders and {len(photos)} photos", flush=True)
    scenes = [scene_of_render(render) for render in learn]
    hands = [scene for render, scene in zip(learn, scenes, strict=True) if render.hand]
    scenes += [from_above(scene) for scene in hands if len(scene.quads)]
    real = [scene_of_photo(photo) for photo in photos if not photo.held_back]
    held = [scene_of_render(render) for render in keep]
    held_real = [scene_of_photo(photo) for photo in photos if photo.held_back and photo.shaped][:60]
    labelled, labels = training.reviewed(args)
    real += [scene_of_labelled(photo) for photo in labelled if not photo.held_back]

    learner = training.Learner(FinderNet(), args, decay=0.02)
    samples = Source(scenes, real, args.real_share, args.batch, args.seed + learner.step)

    def prepare(fraction: float) -> None:
        samples.hardness = min(1.0, max(0.0, (fraction - WARM) / (HARD - WARM)))

    def check(net: FinderNet) -> tuple[dict[str, float], str]:
        return validate(net, held, held_real, where), ""

    training.run(
        args, learner, samples,
        prepare=prepare, loss_of=loss_of, validate=check,
        facts={"task": "finder", "renders": len(scenes), "photos": len(real), **labels},
    )  # fmt: skip
