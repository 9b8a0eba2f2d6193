"""Training samples of the face network: random crops of stored patches, with targets, in batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from datasets.patches import KINDS, PATCH, TWINS, Patches
from models import augment, training
from vision.arrays import Array, Array32, Indices
from vision.faces import CropShape
from vision.labels import (
    BACK,
    CLASSES,
    FIVES,
    LOOK_ALIKE_UPSIDE_DOWN,
    NOT_A_FACE,
    PLAIN_OF,
    WITH_FOREIGN,
)
from vision.quads import axes, parallelograms, project, rotated

SHAPE = CropShape()

WEIGHT = {"render": 1.0, "photo": 1.0, "web": 0.4}
"""Weight of a crop's label by the crop's kind. ``web``: pictures of one tile, of unknown origin."""

OFTEN = {
    NOT_A_FACE: 2.5, BACK: 1.5, "5z": 2.0, "6s": 1.8, "9s": 1.8, **dict.fromkeys(sorted(FIVES), 2.0)
}  # fmt: skip
"""How many times as often as other classes these are drawn."""

STRESS = 0.15
STRESSED = {"5z": 0.4, "6s": 0.35, "9s": 0.35, **dict.fromkeys(sorted(FIVES), 0.25)}
"""Share of crops that are made small and unsharp, or dark, or both; more of the classes that suffer most.
Renders are well exposed: hardly 1 % are as dark as photos taken in the evening."""

STRESSES: tuple[tuple[float, augment.Change], ...] = (
    (0.65, partial(augment.far, least=0.4, most=0.72)),
    (0.6, partial(augment.dim, warmest=0.45)),
)
"""Changes of such a crop, each with its probability. A small tile has 24 to 41 pixels."""

HARD = 20
"""How many times more often a class is drawn if all of its validation crops are wrong."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A crop (80, 64, 3) with its targets: label index, rotation probabilities (4,) and corner offsets (8,),
    each with a weight."""

    rgb: NDArray[np.uint8]
    label: int
    label_weight: float
    rotation: Array32
    rotation_weight: float
    offsets: Array32
    offsets_weight: float


def sample(patch: NDArray[np.uint8], label: str, kind: str, rng: np.random.Generator) -> Sample:
    """A random augmented crop of a stored patch. ``kind``: ``render``, ``photo`` or ``web``."""
    truth = PATCH.corners()
    exact = kind == "render" and label != NOT_A_FACE
    target = label
    weight = WEIGHT[kind]
    draw = rng.random()
    if label in (NOT_A_FACE, BACK) or not exact or draw < 0.82:
        quad = fed_quad(truth, rng, 1.0 if draw < 0.6 else 0.4)
    elif draw < 0.9:
        # So far off that mainly the corners count: the second pass reads the label.
        quad, weight = fed_quad(truth, rng, 2.2), 0.25
    else:
        quad, target = _part_quad(truth, rng), NOT_A_FACE
    quarters = int(rng.choice(4, p=[0.4, 0.12, 0.36, 0.12]))
    fed = rotated(quad, quarters)
    matrix = SHAPE.matrix(fed)
    rgb = cv2.warpPerspective(
        patch, matrix, (SHAPE.width, SHAPE.height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    offsets = SHAPE.encode(project(rotated(truth, quarters), matrix))
    rotation = np.zeros(4, np.float32)
    rotation[quarters] = 1
    if label in LOOK_ALIKE_UPSIDE_DOWN:
        rotation[quarters] = rotation[(quarters + 2) % 4] = 0.5
    return Sample(
        augmented(np.asarray(rgb, np.uint8), label, rng),
        WITH_FOREIGN.index(target),
        weight,
        rotation,
        float(exact),
        offsets,
        float(exact and bool(np.abs(offsets).max() < 0.7)),
    )


def augmented(rgb: NDArray[np.uint8], label: str, rng: np.random.Generator) -> NDArray[np.uint8]:
    """A crop as other makers, cameras and light would show it. Fives keep their hue, which tells red ones."""
    many_coloured = label not in FIVES
    drawing: tuple[tuple[float, augment.Change], ...] = (
        (0.3, partial(augment.bend, strongest=2.5)),
        (0.3, augment.strokes),
        (0.12 * many_coloured, augment.hues),
        (0.4 * (not many_coloured), augment.inks),
    )
    rgb = augment.by_chance(rgb, rng, drawing)
    if rng.random() < STRESSED.get(label, STRESS):
        return augment.by_chance(rgb, rng, (*STRESSES, (0.06, _cut_by_edge)))
    # Photos show a tile with 20 or with 200 pixels, renders mostly with 40: blur some, sharpen others.
    draw = rng.random()
    if draw < 0.5:
        rgb = augment.coarse(rgb, rng, 0.28)
    elif draw < 0.65:
        rgb = augment.sharpen(rgb, rng, 1.5)
    photograph: tuple[tuple[float, augment.Change], ...] = (
        # Little tint: a strong one would turn a five's black or blue into red.
        (0.85, partial(augment.exposure, tint=0.08)),
        (0.3, partial(augment.blur, strongest=1.5)),
        (0.3, partial(augment.noise, strongest=12)),
        (0.08 * many_coloured, augment.grey),
        (0.25, partial(augment.jpeg, worst=35)),
        (0.08, _cover),
        (0.06, _cut_by_edge),
    )
    return augment.by_chance(rgb, rng, photograph)


def _cut_by_edge(rgb: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The photo's edge cuts the tile, by a fifth of it at most."""
    return augment.edge(rgb, rng, 0.26)


def _cover(rgb: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """An object of one colour covers one side of the tile."""
    rgb = rgb.copy()
    depth = rng.uniform(0.05, 0.22)
    colour = rng.integers(0, 256, 3)
    turned = np.rot90(rgb, (0, 2, 3, 1)[int(rng.integers(4))])  # the same pixels, that edge first
    turned[: round(len(turned) * (depth + 0.1))] = colour
    return rgb


def fed_quad(truth: Array32, rng: np.random.Generator, strength: float) -> Array32:
    """A quad as the finder may give it for the true corners (4, 2): shifted, scaled, sheared, rotated, with
    noise on each corner. ``strength`` 1: shift up to 12 %, scale 0.85 to 1.2, up to 12 degrees."""
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


def _part_quad(truth: Array32, rng: np.random.Generator) -> Array32:
    """A quad of half a tile, or of parts of two neighbours. Its label is ``none``."""
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


@dataclass(frozen=True, slots=True)
class Batch(training.Batch):
    """Samples stacked field by field."""

    label: Tensor
    label_weight: Tensor
    rotation: Tensor
    rotation_weight: Tensor
    offsets: Tensor
    offsets_weight: Tensor


def collate(samples: list[Sample]) -> Batch:
    """Stack samples to a batch."""
    names = [one.name for one in fields(Batch)]
    stacked = [np.stack([np.asarray(getattr(s, name)) for s in samples]) for name in names]
    return Batch(*(torch.from_numpy(a.astype(np.float32) if a.dtype == np.float64 else a) for a in stacked))


class Source:
    """Random batches, balanced by class but for :data:`OFTEN` and :meth:`favour`."""

    def __init__(
        self,
        pools: list[tuple[Patches, float]],
        batch: int,
        seed: int,
        classes: Sequence[str] = CLASSES,
    ) -> None:
        self._rng = np.random.default_rng(seed)
        self._batch = batch
        self._classes = classes
        self._pools: list[tuple[Patches, float, dict[str, Indices]]] = []
        for patches, share in pools:
            self.add(patches, share)
        self._often = np.array([OFTEN.get(name, 1.0) for name in classes])
        self._chance: Array = self._often / self._often.sum()

    @property
    def chances(self) -> Array:
        """(classes,) the probability by which each class is drawn."""
        return self._chance

    def favour(self, wrong: Array) -> None:
        """From now on draw classes with mistakes more often. ``wrong`` (classes,): the error rate of each; at
        5 % a class is drawn twice as often. The members of :data:`TWINS` get the same factor."""
        wrong = wrong.copy()
        for twins in TWINS:  # else the network would guess the more common one
            both = [self._classes.index(label) for label in twins]
            wrong[both] = wrong[both].max()
        often = self._often * (1 + HARD * wrong)
        self._chance = often / often.sum()

    def add(self, patches: Patches, share: float) -> None:
        """From now on draw from ``patches``, too, with the weight ``share``. Where these have no red five, a
        plain one is painted red (:func:`augment.redden`): no real photo to train on has one."""
        if len(patches.labels):
            by = patches.by_label()
            by |= {red: by[plain] for red, plain in PLAIN_OF.items() if red not in by and plain in by}
            self._pools = [*self._pools, (patches, share, by)]

    def __call__(self) -> Batch:
        rng = self._rng
        samples: list[Sample] = []
        pools = self._pools
        while len(samples) < self._batch:
            label = self._classes[int(rng.choice(len(self._classes), p=self._chance))]
            able = [(p, s, by[label]) for p, s, by in pools if label in by]
            if not able:
                continue
            shares = np.array([share for _, share, _ in able])
            patches, _, indices = able[int(rng.choice(len(able), p=shares / shares.sum()))]
            i = int(indices[int(rng.integers(len(indices)))])
            patch = patches.pixels[i]
            if patches.labels[i] != label:
                patch = augment.redden(patch, PATCH.corners(), label, rng)
            samples.append(sample(patch, label, KINDS[int(patches.kinds[i])], rng))
        return collate(samples)
