"""Train the face network: ``python -m models.train faces --renders DIR --crops DIR``."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as fn

from datasets.labels import patches_of
from datasets.patches import PATCH, Patches, from_renders, read_patches
from datasets.photos import PHOTOS
from datasets.renders import gather
from models import training
from models.begin import begin
from models.face_samples import SHAPE, Batch, Source
from models.nets import FaceNet
from vision.arrays import Array, Array32
from vision.labels import CLASSES, LOOK_ALIKE_UPSIDE_DOWN, WITH_FOREIGN

RENDER_SHARE, LABEL_SHARE = 0.55, 0.3
"""Weights by which a crop is drawn from renders and from reviewed labels."""

PER_CLASS, HELD_PER_CLASS = 1700, 60
"""Rendered patches of a class at most, to train on and to validate with."""

UNMIRROR_AT = 0.35
"""Share of the training after which :func:`unmirror` decides about photos that may be mirrored."""


def loss_of(out: tuple[Tensor, Tensor, Tensor], batch: Batch) -> dict[str, Tensor]:
    """Losses of the three heads: label, rotation and corners."""
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
def answers(
    net: FaceNet, patches: Patches, device: torch.device, mirror: bool = False
) -> tuple[Array32, Array32]:
    """Log probabilities (n, classes) and rotation logits (n, 4) of upright crops at the labelled corners."""
    net.eval()
    matrix = SHAPE.matrix(PATCH.corners())
    labels, rotations = [np.zeros((0, net.label.out_features), np.float32)], [np.zeros((0, 4), np.float32)]
    for start in range(0, len(patches.labels), 256):
        crops = [
            cv2.warpPerspective(patch[:, ::-1] if mirror else patch, matrix, (SHAPE.width, SHAPE.height))
            for patch in patches.pixels[start : start + 256]
        ]
        label, rotation, _ = net(training.normalise(torch.from_numpy(np.stack(crops)).to(device)))
        labels.append(fn.log_softmax(label.float(), 1).cpu().numpy())
        rotations.append(rotation.float().cpu().numpy())
    return np.concatenate(labels), np.concatenate(rotations)


def validate(
    net: FaceNet, sets: dict[str, Patches], device: torch.device
) -> tuple[dict[str, float], list[str], Array]:
    """Accuracy on each set and of the rotation on renders; the ten most common confusions; the error rate of
    each class."""
    figures: dict[str, float] = {}
    counts = np.zeros((2, net.label.out_features))
    wrong: Counter[str] = Counter()
    for name, patches in sets.items():
        if not len(patches.labels):
            continue
        labels, rotations = answers(net, patches, device)
        read = [WITH_FOREIGN[i] for i in labels.argmax(1)]
        right = [a == b for a, b in zip(read, patches.labels, strict=True)]
        figures[f"{name} right"] = float(np.mean(right))
        truths = np.array([WITH_FOREIGN.index(label) for label in patches.labels])
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


def unmirror(net: FaceNet, patches: Patches, device: torch.device, margin: float = 0.3) -> Patches:
    """Patches of photos that may be mirrored, with the mirrored ones flipped back.

    A whole photo counts as mirrored if its labels are likelier that way, by their mean log probability.
    Photos whose two means differ by less than ``margin`` are left out.
    """
    index = np.array([WITH_FOREIGN.index(label) for label in patches.labels], int)
    asymmetric = np.array([label[-1] == "m" or label in ASYMMETRIC for label in patches.labels], bool)
    row = np.arange(len(index))
    plain, mirrored = (
        np.maximum(answers(net, patches, device, mirror)[0][row, index], -8) for mirror in (False, True)
    )
    names, photo = np.unique(patches.photos, return_inverse=True)
    votes, leads = (
        np.bincount(photo[asymmetric], weights, len(names))
        for weights in (None, (plain - mirrored)[asymmetric])
    )
    lead = leads / np.maximum(votes, 1)
    decided, is_mirrored = (votes > 0) & (np.abs(lead) >= margin), lead < 0
    pixels = patches.pixels.copy()
    turned = (decided & is_mirrored)[photo]
    pixels[turned] = pixels[turned][:, :, ::-1]
    print(
        f"mirrored: {(decided & is_mirrored).sum()} of {decided.sum()} decided photos, "
        f"{(~decided).sum()} left out",
        flush=True,
    )
    return patches.with_pixels(pixels).take(np.flatnonzero(decided[photo]))


ASYMMETRIC = frozenset(["1s", "7p", "1z", "2z", "3z", "4z", "6z"])
"""Faces that differ from their mirror image, besides the characters. 3p differs, too, but stays a 3p."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command line."""
    parser.add_argument(
        "--renders", type=Path, nargs="+", required=True, help="folders of rendered photographs"
    )
    parser.add_argument("--crops", type=Path, help="folder written by python -m datasets.mine")
    parser.add_argument(
        "--photos", type=Path, default=PHOTOS, help="folder whose evaluation photos --labels must not hold"
    )
    parser.add_argument(
        "--foreign", action="store_true", help="add a class for flowers, jokers and other foreign tiles"
    )
    training.add_options(parser, out=Path("runs/faces"), minutes=112, batch=128, rate=3e-3, check=3000)


def run(args: argparse.Namespace) -> None:
    """Train the face network. Raises OSError and ValueError if its data is not there."""
    device = training.set_up(args)
    learn, keep = gather(args.renders)
    classes = WITH_FOREIGN if args.foreign else CLASSES
    rendered = from_renders(learn, PER_CLASS, args.seed, classes)
    held = {"render": from_renders(keep, HELD_PER_CLASS, args.seed, classes)}
    pools = [(rendered, RENDER_SHARE)]
    unknown = Patches.empty()
    if args.crops:
        real = read_patches(args.crops).where(lambda row: row["label"] in classes)
        teaching = real.where(lambda row: not row["held_back"])
        certain = teaching.where(lambda row: row["mirrored"] is not None)
        unknown = teaching.where(lambda row: row["mirrored"] is None)
        held["photo"] = real.where(
            lambda row: row["held_back"] and row["mirrored"] is not None and row["kind"] == "photo"
        )
        pools.append((certain, 1 - RENDER_SHARE))
    labelled, labels = training.read_reviewed(args)
    patches = patches_of(labelled)
    held["label"] = patches.where(lambda row: row["held_back"])
    pools.append((patches.where(lambda row: not row["held_back"]), LABEL_SHARE))
    photographed = sum(len(patches.labels) for patches, _ in pools[1:])
    print(
        f"{len(rendered.labels)} rendered patches, {photographed} real, "
        f"{len(unknown.labels)} of photos that may be mirrored",
        flush=True,
    )
    if not len(rendered.labels) + photographed:
        raise ValueError("these folders hold no photo to train on: draw some with python -m datasets render")
    maker = Source(pools, args.batch, args.seed, classes)
    net = FaceNet(len(classes))
    begun = begin(net, args.begin, maker().rgb) if args.begin else {}
    learner = training.Learner(net.to(device), args, decay=0.03)
    if learner.step:  # other samples than before the interruption
        maker = Source(pools, args.batch, args.seed + learner.step, classes)
        maker.favour(validate(learner.averaged(), held, device)[2])
    is_added = not len(unknown.labels)

    def before_step(fraction: float) -> None:
        nonlocal is_added
        if not is_added and (begun or fraction >= UNMIRROR_AT):
            # Both parts of the real crops get half of their share.
            maker.add(unmirror(learner.averaged(), unknown, device), (1 - RENDER_SHARE) / 2)
            is_added = True

    def check(net: FaceNet) -> tuple[dict[str, float], str]:
        figures, confused, wrong = validate(net, held, device)
        maker.favour(wrong)
        return figures, ", ".join(confused)

    counts = {"render": len(rendered.labels), "photo": photographed}
    training.train_on_pictures(
        args, learner, maker, loss_of, check, before_step,
        facts={"task": "faces", "renders": len(learn), "patches": json.dumps(counts), **labels, **begun},
    )  # fmt: skip
