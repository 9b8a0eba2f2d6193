"""Train the face classifier: ``python -m models.train faces --renders DIR --crops DIR --labels JOURNAL``."""

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
def answers(
    net: FaceNet, patches: Patches, where: torch.device, mirror: bool = False
) -> tuple[Array32, Array32]:
    """Log-probabilities (n, classes) and rotation logits (n, 4) at the patches' own quads, upright."""
    net.eval()
    matrix = SHAPE.matrix(PATCH.corners())
    labels, rotations = [np.zeros((0, net.label.out_features), np.float32)], [np.zeros((0, 4), np.float32)]
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
) -> tuple[dict[str, float], list[str], Array]:
    """Accuracy of each set (and of the rotation on renders), the ten commonest confusions of all, and the
    share that is wrong of each class."""
    figures: dict[str, float] = {}
    counts = np.zeros((2, net.label.out_features))
    wrong: Counter[str] = Counter()
    for name, patches in sets.items():
        if not len(patches.labels):
            continue
        labels, rotations = answers(net, patches, where)
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


def unmirror(net: FaceNet, patches: Patches, where: torch.device, margin: float = 0.3) -> Patches:
    """Patches of photos of which nobody knows whether they are mirrored, the mirrored ones turned back.

    A photo is decided as a whole, by the mean log-probability of its tiles' true labels both ways; one whose
    two means differ by less than ``margin`` is left out.
    """
    index = np.array([WITH_FOREIGN.index(label) for label in patches.labels], int)
    lopsided = np.array([label[-1] == "m" or label in LOPSIDED for label in patches.labels], bool)
    row = np.arange(len(index))
    plain, mirrored = (
        np.maximum(answers(net, patches, where, mirror)[0][row, index], -8) for mirror in (False, True)
    )
    names, photo = np.unique(patches.photos, return_inverse=True)
    votes, leads = (
        np.bincount(photo[lopsided], weights, len(names)) for weights in (None, (plain - mirrored)[lopsided])
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
    parser.add_argument(
        "--foreign", action="store_true", help="teach flowers, jokers and their like as a class of their own"
    )
    training.add_options(parser, out=Path("runs/faces"), minutes=112, batch=128, rate=3e-3, check=10)


def run(args: argparse.Namespace) -> None:
    """The whole training. Raises OSError and ValueError where what it learns from is not there."""
    where = training.settle(args)
    learn, keep = gather(args.renders, args.most)
    classes = WITH_FOREIGN if args.foreign else CLASSES
    rendered = from_renders(learn, args.per_class, args.seed, classes)
    held = {"render": from_renders(keep, 60, args.seed, classes)}
    pools = [(rendered, args.render_share)]
    unknown = Patches.empty()
    if args.crops:
        real = read_patches(args.crops).where(lambda row: row["label"] in classes)
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
    maker = Source(pools, args.batch, args.seed, classes)
    net = FaceNet(len(classes))
    begun = begin(net, args.begin, maker().rgb) if args.begin else {}
    learner = training.Learner(net.to(where), args, decay=0.03)
    admitted = not len(unknown.labels)

    def prepare(fraction: float) -> None:
        nonlocal admitted
        if not admitted and (begun or fraction >= args.admit):
            # Half the real share goes to either part; both are drawn per class.
            maker.admit(unmirror(learner.averaged(), unknown, where), (1 - args.render_share) / 2)
            admitted = True

    def check(net: FaceNet) -> tuple[dict[str, float], str]:
        figures, confused, wrong = validate(net, held, where)
        maker.favour(wrong)
        return figures, ", ".join(confused)

    counts = {"render": len(rendered.labels), "photo": photographed}
    training.learn(
        args, learner, maker, loss_of, check, prepare,
        facts={"task": "faces", "renders": len(learn), "patches": json.dumps(counts), **labels, **begun},
    )  # fmt: skip
