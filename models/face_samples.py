"""Random crops of stored patches with what the face classifier is to answer, and batches of them."""

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
from vision.quads import axes, parallelograms, project, turned

SHAPE = CropShape()

WEIGHT = {"render": 1.0, "photo": 1.0, "web": 0.4}
"""How much a crop's label counts, by where it comes from (``web``: single tiles of unknown origin)."""

OFTEN = {
    NOT_A_FACE: 2.5, BACK: 1.5, "5z": 2.0, "6s": 1.8, "9s": 1.8, **dict.fromkeys(sorted(FIVES), 2.0)
}  # fmt: skip
"""How much more often than any other a class is drawn from the start."""

STRESS = 0.15
STRESSED = {"5z": 0.4, "6s": 0.35, "9s": 0.35, **dict.fromkeys(sorted(FIVES), 0.25)}
"""How often a face is seen small and unsharp, or in a dark room, or both; more often those that suffer most.
Renders are exposed well: hardly one of a hundred is as dark as photos of an evening."""

STRESSES: tuple[tuple[float, augment.Change], ...] = (
    (0.65, partial(augment.far, least=0.4, most=0.72)),
    (0.6, partial(augment.dim, warmest=0.45)),
)
"""Of a crop under stress; a tile has 24 to 41 pixels where it is small."""

HARD = 20
"""How much more often a class is drawn of which all are wrong."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A crop with its targets: label index and weight, rotation probabilities (4,) and weight, corner offsets
    (8,) and weight."""

    rgb: NDArray[np.uint8]
    label: int
    label_weight: float
    rotation: Array32
    rotation_weight: float
    offsets: Array32
    offsets_weight: float


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
        changed(np.asarray(rgb, np.uint8), label, rng),
        WITH_FOREIGN.index(target),
        weight,
        rotation,
        float(exact),
        offsets,
        float(exact and bool(np.abs(offsets).max() < 0.7)),
    )


def changed(rgb: NDArray[np.uint8], label: str, rng: np.random.Generator) -> NDArray[np.uint8]:
    """What makers, cameras and light do to a face; a five, red or plain by its colour alone, keeps it."""
    many_coloured = label not in FIVES
    # Every maker draws and paints the faces differently.
    drawing: tuple[tuple[float, augment.Change], ...] = (
        (0.3, partial(augment.bend, strongest=2.5)),
        (0.3, augment.strokes),
        (0.12 * many_coloured, augment.hues),
        (0.4 * (not many_coloured), augment.inks),
    )
    rgb = augment.by_chance(rgb, rng, drawing)
    if rng.random() < STRESSED.get(label, STRESS):
        return augment.by_chance(rgb, rng, (*STRESSES, (0.06, _ended)))
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
        (0.06, _ended),
    )
    return augment.by_chance(rgb, rng, photograph)


def _ended(rgb: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The tile is cut by the photo's edge: by a fifth of it at most, the margin apart."""
    return augment.edge(rgb, rng, 0.26)


def _cover(rgb: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Something in front of one edge."""
    rgb = rgb.copy()
    depth = rng.uniform(0.05, 0.22)
    colour = rng.integers(0, 256, 3)
    turned = np.rot90(rgb, (0, 2, 3, 1)[int(rng.integers(4))])  # the same pixels, that edge first
    turned[: round(len(turned) * (depth + 0.1))] = colour
    return rgb


def fed_quad(truth: Array32, rng: np.random.Generator, strength: float) -> Array32:
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


def _part_quad(truth: Array32, rng: np.random.Generator) -> Array32:
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
    """Random batches of some classes, each as often as any other but those that are hard (:data:`OFTEN`, and
    as :meth:`favour` says); :meth:`admit` adds patches while it runs."""

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
            self.admit(patches, share)
        self._often = np.array([OFTEN.get(name, 1.0) for name in classes])
        self._chance: Array = self._often / self._often.sum()

    @property
    def chances(self) -> Array:
        """How often each class is drawn, as shares."""
        return self._chance

    def favour(self, wrong: Array) -> None:
        """From now on draw classes more often the more are ``wrong``, a share each: twice as often where
        one of twenty is. Twins are favoured alike."""
        wrong = wrong.copy()
        for twins in TWINS:  # drawn alike, or the network would guess the commoner one
            both = [self._classes.index(label) for label in twins]
            wrong[both] = wrong[both].max()
        often = self._often * (1 + HARD * wrong)
        self._chance = often / often.sum()

    def admit(self, patches: Patches, share: float) -> None:
        """From now on draw from ``patches`` too, red fives from their plain ones where they have none: real
        photos to train on hold no red five, so real plain ones are made red (:func:`augment.redden`)."""
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
