"""Samples of rendered photographs as the reader sees them: gathered, kept part by part, so that an
interrupted run goes on where it was, and how well they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Self, TypeVar
from zlib import crc32

import numpy as np

from datasets.boxes import match
from datasets.renders import Render, drawn
from models.shares import Share
from vision import network
from vision.arrays import Array32, Indices, Mask
from vision.faces import FaceReader
from vision.finder import Finder
from vision.quads import bounds, box_iou
from vision.reader import Engine
from vision.reading import SURE

PART = 200
"""Photos whose samples are one file."""

VISIBLE = 0.6
"""Share of a face that is shown, at least, where its truth is learnt from."""

FOUND = 0.5
"""IoU of the bounding boxes from which a tile that was found is the one that is there."""

ALONE = 0.3
"""Share of the photos of which only some tiles are shown, as in a close look at one row."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Arrays of n samples each: the fields of what inherits from it."""

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Those of several parts."""
        return cls(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(cls)))

    @classmethod
    def read(cls, file: Path) -> Self:
        """Those of a file."""
        with np.load(file) as arrays:
            return cls(*(arrays[each.name] for each in fields(cls)))

    def write(self, file: Path) -> None:
        """Into a file, which is there whole or not at all."""
        part = file.with_suffix(".part")
        with part.open("wb") as out:
            np.savez(out, **{each.name: getattr(self, each.name) for each in fields(self)})
        part.replace(file)


Some = TypeVar("Some", bound=Samples)

Sampled = Callable[[Render, np.random.Generator], Some | None]
"""The samples of a render; None where it has none. Importable, for other processes call it."""


class _Noting:
    """Stands in the place of :func:`vision.fives.compare`, and keeps what it is shown."""

    def __init__(self) -> None:
        self.shown: tuple[Any, ...] | None = None

    def __call__(self, probabilities: Array32, *others: Any) -> Array32:
        self.shown = probabilities, *others
        return probabilities


@lru_cache(maxsize=1)
def _networks() -> tuple[Finder, FaceReader, _Noting]:
    noting, engine = _Noting(), Engine()
    faces = FaceReader(network.load(engine.faces, 1), noting)
    return Finder(network.load(engine.finder, 1)), faces, noting


def compared(render: Render) -> tuple[tuple[Any, ...], dict[int, int]] | None:
    """What the comparison of fives is shown of a render that both networks read, the probabilities first, and
    of the tiles what :func:`truths` tells; None where it is not asked."""
    finder, faces, noting = _networks()
    rgb, noting.shown = render.load(), None
    read = faces.read(rgb, finder.find(rgb).quads)
    if noting.shown is None:
        return None
    return noting.shown, truths(render, noting.shown[0], read.quads)


def truths(render: Render, probabilities: Array32, quads: Array32) -> dict[int, int]:
    """Tiles that were found to those of the render that they are, of those well to be seen."""
    clear = np.flatnonzero(render.visible >= VISIBLE)
    overlaps = box_iou(bounds(quads), bounds(render.quads[clear]))
    return {i: int(clear[j]) for i, j in match(probabilities.max(axis=1), overlaps, FOUND)}


def shown(count: int, rng: np.random.Generator) -> Indices:
    """Which of so many tiles of a photo are shown: mostly all."""
    kept = np.arange(count)
    if rng.random() < ALONE:
        kept = kept[rng.random(count) < rng.uniform(0.1, 0.7)]
    return kept


def _keep(task: tuple[Sequence[Render], Path], kind: type[Some], sampled: Sampled[Any], seed: int) -> Path:
    renders, file = task
    if not file.exists():
        seeds = ([seed, crc32(each.path.stem.encode())] for each in renders)
        some = map(sampled, renders, map(np.random.default_rng, seeds))
        kind.joined([each for each in some if each is not None]).write(file)
    return file


def gather(
    name: str, renders: Sequence[Render], kind: type[Some], sampled: Sampled[Some],
    *, out: Path, seed: int, workers: int,
) -> Iterator[Some]:  # fmt: skip
    """The samples of renders, part by part, in files of this ``name``."""
    out.mkdir(parents=True, exist_ok=True)
    tasks = [
        (renders[start : start + PART], out / f"{name}-{start:06}.npz")
        for start in range(0, len(renders), PART)
    ]
    keep = partial(_keep, kind=kind, sampled=sampled, seed=seed)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from map(kind.read, pool.map(keep, tasks))


def origin(folders: Sequence[Path]) -> str:
    """What folders of renders were drawn from."""
    facts = [drawn(folder) for folder in folders]
    return "; ".join(f"seed {each['seed']}, {each['drawings']} drawings" for each in facts)


MEASURED = ("", "told", "surely (0.98), of all", "wrong, of these", "nats each")
"""What :func:`measured` tells, after a name."""


def measured(odds: Array32, truth: Mask) -> tuple[str, str, str, str]:
    """How many of two kinds are told by logs of odds (n,), how many surely and wrongly so, and the mean
    negative log likelihood."""
    right, sure = (odds > 0) == truth, 1 / (1 + np.exp(-np.abs(odds))) >= SURE
    loss = float(np.logaddexp(0, np.where(truth, -odds, odds)).mean())
    told, surely = (str(Share(int(some.sum()), len(truth))) for some in (right, sure))
    return told, surely, str(Share(int((sure & ~right).sum()), int(sure.sum()))), f"{loss:.4f}"
