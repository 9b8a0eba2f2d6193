"""Rectified tiles with what lies around them, from which the face training cuts its crops."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.render.foreign import BLANK
from datasets.renders import Render
from vision.arrays import Array32, Indices
from vision.faces import CropShape, cut
from vision.labels import CLASSES, NOT_A_FACE, PLAIN_OF, WITH_FOREIGN
from vision.quads import bounds, box_iou, sizes

PATCH = CropShape(width=112, height=140, margin=1.75)
"""A stored patch: the tile 64 × 80 pixels in the middle, room for shifts and turns around it."""

KINDS = ("render", "photo", "web")
"""Where a patch comes from."""

VISIBLE = 0.5
"""Share of a face that must be seen for its label to be taught."""

TWINS = (*PLAIN_OF.items(), ("6s", "9s"))
"""Faces that little tells apart: more of them are learnt from."""

SMALLEST = 12.0
"""Pixels (square root of the area) below which a face cannot be told."""


@dataclass(frozen=True, slots=True)
class Patches:
    """``pixels`` (n, 140, 112, 3) RGB, ``labels``, ``kinds`` (n,) indices into :data:`KINDS`, ``photos``:
    which file each comes from, ``rows``: what else is known of each."""

    pixels: NDArray[np.uint8]
    labels: tuple[str, ...]
    kinds: NDArray[np.uint8]
    photos: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]

    @classmethod
    def empty(cls) -> Patches:
        """None."""
        pixels = np.zeros((0, PATCH.height, PATCH.width, 3), np.uint8)
        return cls(pixels, (), np.zeros(0, np.uint8), (), ())

    def take(self, indices: Indices) -> Patches:
        """Those patches alone."""
        return Patches(
            self.pixels[indices],
            tuple(self.labels[i] for i in indices),
            self.kinds[indices],
            tuple(self.photos[i] for i in indices),
            tuple(self.rows[i] for i in indices),
        )

    def where(self, wanted: Callable[[dict[str, Any]], bool]) -> Patches:
        """The patches whose row is wanted."""
        return self.take(np.flatnonzero([wanted(row) for row in self.rows]))

    def with_pixels(self, pixels: NDArray[np.uint8]) -> Patches:
        """The same patches with other pixels."""
        return Patches(pixels, self.labels, self.kinds, self.photos, self.rows)

    def by_label(self) -> dict[str, Indices]:
        """Indices of each label."""
        names = np.array(self.labels)
        return {name: np.flatnonzero(names == name) for name in WITH_FOREIGN if name in set(self.labels)}


def _background(render: Render, shape: tuple[int, ...], rng: np.random.Generator) -> Array32 | None:
    """A tile-sized quad where no tile's face is, or None where chance does not find one."""
    size = float(np.median(sizes(render.quads))) if len(render.quads) else 40.0
    size = max(SMALLEST, size * rng.uniform(0.7, 1.4))
    height, width = size * 1.15, size / 1.15
    angle = rng.uniform(0, np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    box = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    quad = (box @ turn + rng.uniform([0, 0], [shape[1], shape[0]])).astype(np.float32)
    if len(render.quads) and rng.random() < 0.5:
        # Beside a tile rather than anywhere: sides of bodies, shadows, the edge of the row.
        pick = render.quads[int(rng.integers(len(render.quads)))]
        quad += pick.mean(0) + rng.normal(0, 1, 2) * size * 1.1 - quad.mean(0)
    if len(render.quads) and float(box_iou(bounds(quad[None]), bounds(render.quads)).max()) > 0.12:
        return None
    return np.asarray(quad, np.float32)


def _taught(render: Render, classes: Sequence[str]) -> list[int]:
    """Indices of a render's tiles that show one of the classes, not from the edge. A blank spare shows none:
    nobody can tell it from a white dragon without the rest of its set."""
    drawings = render.drawings or (None,) * len(render.labels)
    shown = enumerate(zip(render.labels, render.visible, render.facing(), drawings, strict=True))
    return [
        at
        for at, (label, visible, facing, drawing) in shown
        if visible >= VISIBLE and facing and label in classes and drawing != BLANK
    ]


def from_renders(
    renders: list[Render], per_class: int, seed: int, classes: Sequence[str] = CLASSES
) -> Patches:
    """Patches of rendered tiles of the classes, ``per_class`` of each at most, twice as many of twins and
    of backgrounds."""
    rng = np.random.default_rng(seed)
    taken: Counter[str] = Counter()
    pixels: list[NDArray[np.uint8]] = []
    labels: list[str] = []
    photos: list[str] = []
    total = Counter(render.labels[at] for render in renders for at in _taught(render, classes))
    per_photo = max(1, round(2 * per_class / max(1, len(renders))))
    for render in renders:
        rgb = render.load()
        own = sizes(render.quads) if len(render.quads) else np.zeros(0)
        for at in _taught(render, classes):
            quad, label, size = render.quads[at], render.labels[at], own[at]
            # Thin out plentiful classes evenly over the photos rather than stop after the first ones.
            most = per_class * (1 + (label in chain(*TWINS)))
            spare = most / max(most, total[label])
            if size < SMALLEST or taken[label] >= most or rng.random() > spare:
                continue
            taken[label] += 1
            pixels.append(cut(rgb, quad[None], PATCH)[0])
            labels.append(label)
            photos.append(render.path.name)
        for _ in range(3 * per_photo):
            if taken[NOT_A_FACE] >= 2 * per_class:
                break
            background = _background(render, rgb.shape, rng)
            if background is not None:
                taken[NOT_A_FACE] += 1
                pixels.append(cut(rgb, background[None], PATCH)[0])
                labels.append(NOT_A_FACE)
                photos.append(render.path.name)
    if not labels:
        return Patches.empty()
    kinds = np.full(len(labels), KINDS.index("render"), np.uint8)
    return Patches(np.stack(pixels), tuple(labels), kinds, tuple(photos), tuple({} for _ in labels))


def write_patches(folder: Path, pixels: NDArray[np.uint8], rows: list[dict[str, Any]]) -> None:
    """``patches.npy`` and ``patches.jsonl`` (a row a patch: label, kind, photo, mirrored, held_back)."""
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "patches.npy", pixels)
    with (folder / "patches.jsonl").open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def read_patches(folder: Path) -> Patches:
    """What :func:`write_patches` wrote. Raises OSError when it is not there."""
    pixels = np.load(folder / "patches.npy", mmap_mode="r")
    with (folder / "patches.jsonl").open(encoding="utf-8") as lines:
        rows = tuple(json.loads(line) for line in lines)
    kinds = np.array([KINDS.index(row["kind"]) for row in rows], np.uint8)
    return Patches(
        pixels, tuple(row["label"] for row in rows), kinds, tuple(row["photo"] for row in rows), rows
    )


def mirror(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Left and right exchanged."""
    return np.asarray(cv2.flip(rgb, 1), np.uint8)
