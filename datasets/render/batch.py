"""Many photographs, from orders: the same order gives the same photos, whatever the number of workers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from datasets.render import game, scene, tilesets, varied
from datasets.render.layouts import MIX, Kind, Layout, compose

_GAME = 0.3
TRAINING: Mapping[Kind, float] = {**{kind: (1 - _GAME) * share for kind, share in MIX.items()}, "game": _GAME}
"""How often each kind is drawn where none is asked for: what the networks learn from."""

KINDS: tuple[Kind, ...] = (*TRAINING, "varied")
"""The kinds that can be asked for."""

FINER: Mapping[Kind, float] = {"game": 1.6}
"""The scale of a kind's photos relative to others. On a small photo of a whole table only one hand would be
large enough to learn from."""

_PHOTOS_PER_SET = 4  # a new tile set takes longer to draw than a photo of it
_SHAPES = ((4, 3), (4, 3), (4, 3), (4, 3), (16, 9), (3, 4))


@dataclass(frozen=True, slots=True)
class Order:
    """What to render; everything that a photo depends on but its number. ``kind`` None: the mix that networks
    learn from, whose kinds of :data:`FINER` have more pixels than ``long_side``. ``scenes``: those of a game
    that are drawn, each as often beside the others as it is among all."""

    seed: int
    kind: Kind | None
    long_side: int
    held_out: bool
    art: Path | None
    scenes: tuple[str, ...] = tuple(game.SCENES)


@lru_cache(maxsize=1)
def _sources(art: Path | None) -> tuple[tilesets.Source, ...]:
    return tilesets.sources(art)


@lru_cache(maxsize=1)
def _tile_set(order: Order, number: int) -> tilesets.TileSet:
    rng = np.random.default_rng([order.seed, 0, number])
    unusual = order.kind == "varied"
    return tilesets.draw_set(rng, _sources(order.art), held_out=order.held_out, unusual=unusual)


def layout(
    rng: np.random.Generator, kind: Kind, scenes: tuple[str, ...] = tuple(game.SCENES), rare: float = 0.0
) -> Layout:  # fmt: skip
    """A random layout of this kind. ``scenes``: the allowed scenes of a game. ``rare``: the share of yakuman
    among finished hands of games."""
    if kind == "varied":
        return varied.compose(rng, rare)
    return game.compose(rng, scenes, rare) if kind == "game" else compose(rng, kind)


def shape(rng: np.random.Generator, long_side: float) -> tuple[int, int]:
    """Width and height of a photo whose long side has so many pixels."""
    wide, high = _SHAPES[int(rng.integers(len(_SHAPES)))]
    unit = long_side / max(wide, high)
    return round(wide * unit), round(high * unit)


def photograph(order: Order, number: int) -> scene.Scene:
    """The photo with this number of an order."""
    rng = np.random.default_rng([order.seed, 1, number])
    kind, finer = order.kind, 1.0
    if kind is None:
        kind = tuple(TRAINING)[int(rng.choice(len(TRAINING), p=list(TRAINING.values())))]
        finer = FINER.get(kind, 1.0)
    size = shape(rng, finer * order.long_side)
    tileset = _tile_set(order, number // _PHOTOS_PER_SET)
    return scene.make(rng, tileset, layout(rng, kind, order.scenes), *size)


def _render(task: tuple[Order, int, Path]) -> str:
    order, number, out = task
    cv2.setNumThreads(1)
    made = photograph(order, number)
    name = f"{number:06d}.jpg"
    bgr = cv2.cvtColor(made.image, cv2.COLOR_RGB2BGR)
    _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 95])
    (out / name).write_bytes(data.tobytes())  # imwrite says nothing of a disk that is full
    told = {"seed": order.seed, "held_out": order.held_out}
    return json.dumps({"file": name, **told, **made.truth}, separators=(",", ":"))


def render(order: Order, photos: int, workers: int, out: Path, *, begin: int = 0) -> Iterator[str]:
    """Write the photos ``begin`` to ``photos`` of an order into ``out``; yields their lines of truth in
    turn."""
    tasks = [(order, number, out) for number in range(begin, photos)]
    if workers == 1:
        yield from map(_render, tasks)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_render, tasks, chunksize=_PHOTOS_PER_SET)
