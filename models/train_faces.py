"""Train the face classifier: ``python -m models.train faces --renders DIR --crops DIR --labels JOURNAL``."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass, fields
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as fn

from datasets.labels import patches_of
from datasets.patches import KINDS, PATCH, Patches, from_renders, read_patches
from datasets.photos import PHOTOS
from datasets.renders import gather
from models import augment, training
from models.nets import FaceNet
from vision.arrays import Array32 as Array
from vision.faces import CropShape
from vision.labels import BACK, CLASSES, FIVES, LOOK_ALIKE_UPSIDE_DOWN, NOT_A_FACE, PLAIN
from vision.quads import axes, parallelograms, project, turned

SHAPE = CropShape()
WEIGHT = {"render": 1.0, "photo": 1.0, "web": 0.4}
"""How much a crop's label counts, by where it comes from (``web``: single tiles of unknown origin)."""


HARD = 20
"""How much more often a class is drawn of which all are wrong."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A crop with its targets: label index and weight, rotation probabilities (4,) and weight, corner offsets
    (8,) and weight."""

    rgb: NDArray[np.uint8]
    label: int
    label_weight: float
    rotation: Array
    rotation_weight: float
    offsets: Array
    offsets_weight: float


def _colour(rgb: NDArray[np.uint8], label: str, rng: np.random.Generator) -> NDArray[np.uint8]:
    # Every maker draws and paints the faces differently.
    if rng.random() < 0.3:
        rgb = augment.bend(rgb, rng, 2.5)
    if rng.random() < 0.3:
        rgb = augment.strokes(rgb, rng)
    if rng.random() < 0.12 and label not in FIVES:
        rgb = augment.hues(rgb, rng)
    # Photos show a tile with 20 or with 200 pixels, renders mostly with 40: blur some, sharpen others.
    draw = rng.random()
    if draw < 0.5:
        rgb = augment.coarse(rgb, rng, 0.28)
    elif draw < 0.65:
        rgb = augment.sharpen(rgb, rng, 1.5)
    if rng.random() < 0.85:
        # Little tint: a strong one would turn a five's black or blue into red.
        rgb = augment.exposure(rgb, rng, 0.08)
    if rng.random() < 0.3:
        rgb = augment.blur(rgb, rng, 1.5)
    if rng.random() < 0.3:
        rgb = augment.noise(rgb, rng, 12)
    if rng.random() < 0.08 and label not in FIVES:
        rgb = augment.grey(rgb)
    if rng.random() < 0.25:
        rgb = augment.jpeg(rgb, rng, 35)
    if rng.random() < 0.08:
        rgb = _cover(rgb, rng)
    return rgb


def _cover(rgb: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Something in front of one edge."""
    rgb = rgb.copy()
    height, width = rgb.shape[:2]
    depth = rng.uniform(0.05, 0.22)
    colour = rng.integers(0, 256, 3)
    side = int(rng.integers(4))
    rows, columns = round(height * (depth + 0.1)), round(width * (depth + 0.1))
    window = (
        (slice(0, rows), slice(None)),
        (slice(height - rows, None), slice(None)),
        (slice(None), slice(0, columns)),
        (slice(None), slice(width - columns, None)),
    )[side]
    rgb[window] = colour
    return rgb


def fed_quad(truth: Array, rng: np.random.Generator, strength: float) -> Array:
    """A quad as a finder may give it for a tile whose corners are ``truth``: moved, scaled, sheared, turned a
    little, its corners uneven. ``strength`` 1: shift up to 12 %, scale 0.85 to 1.2, 12 degrees."""
    centre = truth.mean(0)
    across, along = axes(truth)
    shift = (across * rng.uniform(-0.12, 0.12) + along * rng.uniform(-0.12, 0.12)) * strength
    whole = 1 + rng.uniform(-0.12, 0.16) * strength
    scale = whole * (1 + rng.uniform(-0.07, 0.07, 2) * strength)
    angle = np.deg2rad(rng.triangular(-12, 0, 12)) * strength
    shear = rng.uniform(-0.12, 0.12) * strength
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    linear = turn @ np.array([[scale[0], shear], [0, scale[1]]])
    size = np.sqrt(np.linalg.norm(across) * np.linalg.norm(along))
    wobble = rng.normal(0, 0.025 * strength, (4, 2)) * size
    return np.asarray((truth - centre) @ linear.T + centre + shift + wobble, np.float32)


def _part_quad(truth: Array, rng: np.random.Generator) -> Array:
    """Half a tile, or half of each of two neighbours: what must be called no face."""
    across, along = axes(truth)
    centre = truth.mean(0)
    kind = rng.random()
    sign = rng.choice([-1.0, 1.0])
    if kind < 0.4:
        centre, along = centre + sign * along * 0.25, along * rng.uniform(0.45, 0.55)
    elif kind < 0.5:
        centre, across = centre + sign * across * 0.25, across * rng.uniform(0.45, 0.55)
    elif kind < 0.8:
        centre = centre + sign * across * rng.uniform(0.38, 0.5)
    else:
        centre = centre + sign * along * rng.uniform(0.38, 0.5)
    return fed_quad(parallelograms(centre, across, along).astype(np.float32), rng, 0.3)


def sample(patch: NDArray[np.uint8], label: str, kind: str, rng: np.random.Generator) -> Sample:
    """A random augmented crop from a stored patch. ``kind``: ``render``, ``photo`` or ``web``."""
    truth = PATCH.corners()
    exact = kind == "render" and label != NOT_A_FACE
    target = label
    weight = WEIGHT[kind]
    draw = rng.random()
    if label in (NOT_A_FACE, BACK) or not exact or draw < 0.82:
        quad = fed_quad(truth, rng, 1.0 if draw < 0.6 else 0.4)
    elif draw < 0.9:
        # So far off that only the corners matter: the next pass reads the label.
        quad, weight = fed_quad(truth, rng, 2.2), 0.25
    else:
        quad, target = _part_quad(truth, rng), NOT_A_FACE
    quarters = int(rng.choice(4, p=[0.4, 0.12, 0.36, 0.12]))
    fed = turned(quad, quarters)
    matrix = SHAPE.matrix(fed)
    rgb = cv2.warpPerspective(
        patch, matrix, (SHAPE.width, SHAPE.height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    offsets = SHAPE.encode(project(turned(truth, quarters), matrix))
    rotation = np.zeros(4, np.float32)
    rotation[quarters] = 1
    if label in LOOK_ALIKE_UPSIDE_DOWN:
        rotation[quarters] = rotation[(quarters + 2) % 4] = 0.5
    return Sample(
        _colour(np.asarray(rgb, np.uint8), label, rng),
        CLASSES.index(target),
        weight,
        rotation,
        float(exact),
        offsets,
        float(exact and bool(np.abs(offsets).max() < 0.7)),
    )


@dataclass(frozen=True, slots=True)
class Batch(training.Batch):
    """Samples stacked, field by field."""

    label: Tensor
    label_weight: Tensor
    rotation: Tensor
    rotation_weight: Tensor
    offsets: Tensor
    offsets_weight: Tensor


def collate(samples: list[Sample]) -> Batch:
    """A batch of samples."""
    names = [one.name for one in fields(Batch)]
    stacked = [np.stack([np.asarray(getattr(s, name)) for s in samples]) for name in names]
    return Batch(*(torch.from_numpy(a.astype(np.float32) if a.dtype == np.float64 else a) for a in stacked))


class Source:
    """Random batches, every class as often as any other but those that are hard; :meth:`admit` adds patches
    while it runs, :meth:`favour` says which are."""

    def __init__(self, pools: list[tuple[Patches, float]], batch: int, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._batch = batch
        self._pools: list[tuple[Patches, float, dict[str, NDArray[np.intp]]]] = []
        for patches, share in pools:
            self.admit(patches, share)
        self._often = np.ones(len(CLASSES))
        self._often[CLASSES.index(NOT_A_FACE)] = 2.5
        self._often[CLASSES.index(BACK)] = 1.5
        self._chance = self._often / self._often.sum()

    def favour(self, wrong: NDArray[np.float64]) -> None:
        """From now on draw classes more often the more are ``wrong`` (39,), as shares: twice as often where
        one of twenty is."""
        often = self._often * (1 + HARD * wrong)
        self._chance = often / often.sum()

    def admit(self, patches: Patches, share: float) -> None:
        """From now on draw from ``patches`` too, red fives from their plain ones where they have none: real
        photos to train on hold no red five, so real plain ones are painted over (:func:`augment.redden`)."""
        if len(patches.labels):
            by = patches.by_label()
            by |= {red: by[plain] for red, plain in PLAIN.items() if red not in by and plain in by}
            self._pools = [*self._pools, (patches, share, by)]

    def __call__(self) -> Batch:
        rng = self._rng
        samples: list[Sample] = []
        pools = self._pools
        while len(samples) < self._batch:
            label = CLASSES[int(rng.choice(len(CLASSES), p=self._chance))]
            able = [(p, s, by[label]) for p, s, by in pools if label in by]
            if not able:
                continue
            shares = np.array([share for _, share, _ in able])
            patches, _, indices = able[int(rng.choice(len(able), p=shares / shares.sum()))]
            i = int(indices[int(rng.integers(len(indices)))])
            patch = patches.pixels[i]
            if patches.labels[i] != label:
                patch = augment.redden(patch, PATCH.corners(), rng)
            samples.append(sample(patch, label, KINDS[int(patches.kinds[i])], rng))
        return collate(samples)


def loss_of(out: tuple[Tensor, Tensor, Tensor], batch: Batch) -> dict[str, Tensor]:
    """The loss's parts: label, rotation, corners."""
    labels, rotations, offsets = (part.float() for part in out)
    label = fn.cross_entropy(labels, batch.label, label_smoothing=0.05, reduction="none")
    rotation = -(batch.rotation * fn.log_softmax(rotations, 1)).sum(1)
    corners = fn.smooth_l1_loss(offsets, batch.offsets, beta=0.03, reduction="none").mean(1)
    return {
        "label": (label * batch.label_weight).sum() / batch.label_weight.sum().clamp(min=1),
        "rotation": 0.3 * (rotation * batch.rotation_weight).sum() / batch.rotation_weight.sum().clamp(min=1),
        "corners": 8 * (corners * batch.offsets_weight).sum() / batch.offsets_weight.sum().clamp(min=1),
    }


@torch.no_grad()
def answers(net: FaceNet, patches: Patches, where: torch.device, mirror: bool = False) -> tuple[Array, Array]:
    """Log-probabilities (n, 39) and rotation logits (n, 4) at the patches' own quads, upright."""
    net.eval()
    matrix = SHAPE.matrix(PATCH.corners())
    labels, rotations = [np.zeros((0, len(CLASSES)), np.float32)], [np.zeros((0, 4), np.float32)]
    for start in range(0, len(patches.labels), 256):
        crops = [
            cv2.warpPerspective(patch[:, ::-1] if mirror else patch, matrix, (SHAPE.width, SHAPE.height))
            for patch in patches.pixels[start : start + 256]
        ]
        label, rotation, _ = net(training.normalise(torch.from_numpy(np.stack(crops)).to(where)))
        labels.append(fn.log_softmax(label.float(), 1).cpu().numpy())
        rotations.append(rotation.float().cpu().numpy())
    return np.concatenate(labels), np.concatenate(rotations)


def validate(
    net: FaceNet, sets: dict[str, Patches], where: torch.device
) -> tuple[dict[str, float], list[str], NDArray[np.float64]]:
    """Accuracy of each set (and of the rotation on renders), the ten commonest confusions of all, and the
    share that is wrong of each class (39,)."""
    figures: dict[str, float] = {}
    counts = np.zeros((2, len(CLASSES)))
    wrong: Counter[str] = Counter()
    for name, patches in sets.items():
        if not len(patches.labels):
            continue
        labels, rotations = answers(net, patches, where)
        read = [CLASSES[i] for i in labels.argmax(1)]
        right = [a == b for a, b in zip(read, patches.labels, strict=True)]
        figures[f"{name} right"] = float(np.mean(right))
        truths = np.array([CLASSES.index(label) for label in patches.labels])
        np.add.at(counts, (np.array(right, np.intp), truths), 1)
        wrong.update(
            f"{truth}→{answer}"
            for truth, answer, ok in zip(patches.labels, read, right, strict=True)
            if not ok
        )
        firm = [i for i, label in enumerate(patches.labels) if label not in LOOK_ALIKE_UPSIDE_DOWN]
        if name == "render" and firm:
            figures["render upright"] = float((rotations[firm].argmax(1) == 0).mean())
    shares = counts[0] / np.maximum(counts.sum(axis=0), 1)
    return figures, [f"{pair} {count}" for pair, count in wrong.most_common(10)], shares


def unmirror(net: FaceNet, patches: Patches, where: torch.device, margin: float = 0.3) -> Patches:
    """Patches of photos of which nobody knows whether they are mirrored, the mirrored ones turned back.

    A photo is decided as a whole, by the mean log-probability of its tiles' true labels both ways; one whose
    two means differ by less than ``margin`` is left out.
    """
    index = np.array([CLASSES.index(label) for label in patches.labels], int)
    lopsided = np.array([label[-1] == "m" or label in LOPSIDED for label in patches.labels], bool)
    row = np.arange(len(index))
    plain = np.maximum(answers(net, patches, where)[0][row, index], -8)
    mirrored = np.maximum(answers(net, patches, where, mirror=True)[0][row, index], -8)
    pixels = patches.pixels.copy()
    keep = np.zeros(len(index), bool)
    flipped = decided = 0
    photos = set(patches.photos)
    names = np.array(patches.photos)
    for name in photos:
        own = names == name
        votes = own & lopsided
        if not votes.any():
            continue
        lead = float((plain[votes] - mirrored[votes]).mean())
        if abs(lead) < margin:
            continue
        decided += 1
        keep |= own
        if lead < 0:
            flipped += 1
            pixels[own] = pixels[own][:, :, ::-1]
    print(f"mirrored: {flipped} of {decided} decided photos, {len(photos) - decided} left out", flush=True)
    return patches.with_pixels(pixels).take(np.flatnonzero(keep))


LOPSIDED = frozenset(["1s", "7p", "1z", "2z", "3z", "4z", "6z"])
"""Faces besides the characters that differ from their mirror image (3p does too, but is no other face)."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The command line's."""
    parser.add_argument(
        "--renders", type=Path, nargs="+", required=True, help="folders of rendered photographs"
    )
    parser.add_argument("--crops", type=Path, help="folder written by python -m datasets.mine")
    parser.add_argument("--label-share", type=float, default=0.3, help="how often a reviewed tile is drawn")
    parser.add_argument(
        "--photos",
        type=Path,
        default=PHOTOS,
        help="folder of manifest.jsonl: its evaluation photos are refused",
    )
    parser.add_argument("--render-share", type=float, default=0.55)
    parser.add_argument("--per-class", type=int, default=1700, help="rendered patches of a class at most")
    parser.add_argument(
        "--admit", type=float, default=0.35, help="when photos that may be mirrored are decided"
    )
    training.add_options(parser, out=Path("runs/faces"), minutes=112, batch=128, rate=3e-3, check=10)


def train(args: argparse.Namespace) -> None:
    """The whole training. Raises OSError and ValueError where what it learns from is not there."""
    where = training.settle(args)
    learn, keep = gather(args.renders, args.most)
    rendered = from_renders(learn, args.per_class, args.seed)
    held = {"render": from_renders(keep, 60, args.seed)}
    pools = [(rendered, args.render_share)]
    unknown = Patches.empty()
    if args.crops:
        real = read_patches(args.crops)
        teaching = real.where(lambda row: not row["held_back"])
        certain = teaching.where(lambda row: row["mirrored"] is not None)
        unknown = teaching.where(lambda row: row["mirrored"] is None)
        held["photo"] = real.where(
            lambda row: row["held_back"] and row["mirrored"] is not None and row["kind"] == "photo"
        )
        pools.append((certain, 1 - args.render_share))
    labelled, labels = training.reviewed(args)
    patches = patches_of(labelled)
    held["label"] = patches.where(lambda row: row["held_back"])
    pools.append((patches.where(lambda row: not row["held_back"]), args.label_share))
    photographed = sum(len(patches.labels) for patches, _ in pools[1:])
    print(
        f"{len(rendered.labels)} rendered patches, {photographed} real, "
        f"{len(unknown.labels)} of photos that may be mirrored",
        flush=True,
    )
    learner = training.Learner(FaceNet(), args, decay=0.03)
    admitted = not len(unknown.labels)
    maker = Source(pools, args.batch, args.seed)

    def prepare(fraction: float) -> None:
        nonlocal admitted
        if not admitted and fraction >= args.admit:
            # Half the real share goes to either part; both are drawn per class.
            maker.admit(unmirror(learner.averaged(), unknown, where), (1 - args.render_share) / 2)
            admitted = True

    def check(net: FaceNet) -> tuple[dict[str, float], str]:
        figures, confused, wrong = validate(net, held, where)
        maker.favour(wrong)
        return figures, ", ".join(confused)

    counts = {"render": len(rendered.labels), "photo": photographed}
    training.run(
        args, learner, maker,
        prepare=prepare, loss_of=loss_of, validate=check,
        facts={"task": "faces", "renders": len(learn), "patches": json.dumps(counts), **labels},
    )  # fmt: skip
