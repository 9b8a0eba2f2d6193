"""Train the finder: ``python -m models.train finder --renders DIR --photos DIR``."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as fn

from datasets.boxes import iou, match
from datasets.photos import read_manifest
from datasets.renders import gather
from models import training
from models.begin import begin
from models.finder_samples import ENCODING, Batch, Source
from models.nets import FinderNet
from models.scenes import Scene, from_above, scene_of_labelled, scene_of_photo, scene_of_render
from vision.arrays import Array32
from vision.maps import decode
from vision.quads import bounds, box_iou

WARM, HARD = 0.06, 0.35
"""Shares of the training at which other sizes and rotations begin, and at which all of them appear. With all
from the start, 460 steps taught no direction; with easy views first, 200 steps did."""

REAL_SHARE = 0.35
"""Share of crops that come from real photos."""


def loss_of(out: Tensor, batch: Batch) -> dict[str, Tensor]:
    """Losses of the maps ``out`` (n, 9, h, w): heat, offset, angle, length and boxes."""
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
    """How badly the predicted quads' bounding boxes fit the labelled boxes. ``rows``: ``Batch.boxes``."""
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


@torch.no_grad()
def maps_of(net: FinderNet, rgb: NDArray[np.uint8], device: torch.device) -> Array32:
    """Maps (9, h, w) of a photo (H, W, 3), heat as a probability. Pads the photo to a multiple of 32."""
    bottom, right = -rgb.shape[0] % 32, -rgb.shape[1] % 32
    padded = cv2.copyMakeBorder(rgb, 0, bottom, 0, right, cv2.BORDER_CONSTANT, value=(114, 114, 114))
    out = net(training.normalise(torch.from_numpy(padded[None]).to(device)))[0].float()
    out[0] = torch.sigmoid(out[0])
    return np.asarray(out.cpu().numpy(), np.float32)


def validate(
    net: FinderNet, renders: list[Scene], photos: list[Scene], device: torch.device
) -> dict[str, float]:
    """Recall, precision and mean IoU at threshold 0.3, of renders by quads and of photos by boxes."""
    net.eval()
    result: dict[str, float] = {}
    for name, scenes in (("render", renders), ("photo", photos)):
        truth = found = hits = listed = 0
        overlaps: list[float] = []
        for scene in scenes:
            detected = decode(maps_of(net, scene.rgb, device), ENCODING, 0.3)
            if scene.exact:
                table = box_iou(bounds(detected.quads), bounds(scene.quads))
                for i, j in np.argwhere(table > 0):
                    table[i, j] = iou(detected.quads[i], scene.quads[j])
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
    """Add the options of the command line."""
    parser.add_argument("--renders", type=Path, nargs="+", default=[], help="folders of rendered photographs")
    parser.add_argument("--photos", type=Path, help="folder of manifest.jsonl")
    training.add_options(parser, out=Path("runs/finder"), minutes=115, batch=8, rate=1.2e-3, check=4000)


def run(args: argparse.Namespace) -> None:
    """Train the finder. Raises OSError and ValueError if there is nothing to train on."""
    if not args.renders and not args.photos:
        raise ValueError("give --renders, --photos or both")
    device = training.set_up(args)
    learn, keep = gather(args.renders)
    # Whole photos are slow to validate on.
    keep = keep[:: max(1, len(keep) // 40)]
    photos = read_manifest(args.photos, ["train"]) if args.photos else []
    photos = [photo for photo in photos if not photo.whole and photo.plausible]
    print(f"decoding {len(learn)} renders and {len(photos)} photos", flush=True)
    scenes = [scene_of_render(render) for render in learn]
    hands = [scene for render, scene in zip(learn, scenes, strict=True) if render.hand]
    scenes += [from_above(scene) for scene in hands if len(scene.quads)]
    real = [scene_of_photo(photo) for photo in photos if not photo.held_back]
    held = [scene_of_render(render) for render in keep]
    held_real = [scene_of_photo(photo) for photo in photos if photo.held_back and photo.shaped][:60]
    labelled, labels = training.read_reviewed(args)
    real += [scene_of_labelled(photo) for photo in labelled if not photo.held_back]
    if not scenes and not real:
        raise ValueError("these folders hold no photo to train on: draw some with python -m datasets render")

    net, begun = FinderNet(), {}
    if args.begin:
        first = Source(scenes, real, REAL_SHARE, args.batch, args.seed)
        first.hardness = 1.0
        begun = begin(net, args.begin, first().rgb)
    learner = training.Learner(net.to(device), args, decay=0.02)
    samples = Source(scenes, real, REAL_SHARE, args.batch, args.seed + learner.step)

    def before_step(fraction: float) -> None:
        samples.hardness = 1.0 if begun else min(1.0, max(0.0, (fraction - WARM) / (HARD - WARM)))

    def check(net: FinderNet) -> tuple[dict[str, float], str]:
        return validate(net, held, held_real, device), ""

    training.train_on_pictures(
        args, learner, samples, loss_of, check, before_step,
        facts={"task": "finder", "renders": len(scenes), "photos": len(real), **labels, **begun},
    )  # fmt: skip
