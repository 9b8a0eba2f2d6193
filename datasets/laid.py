"""Scenes without pixels: the renderer's ground truth of what a camera would see.

``python -m datasets lay OUT --scenes N --seed S`` writes them in shards of :data:`SHARD` scenes,
``OUT/000000.jsonl.gz`` and so on. A line is a scene, with the fields of a line of ``truth.jsonl``. It has the
number of the scene instead of a file:

=============  ==========================================================================================
``tiles``      the visible ones: ``quad`` (4, 2) pixels, clockwise from the face's own top left;
               ``label`` (a face, ``back`` or ``foreign``); ``role`` (``hand``, ``win``, ``meld:0``…,
               ``dora``, ``ura``, ``river``, ``wall``, ``other``); ``sideways``; ``upside_down``;
               ``visible`` (share of the face that can be seen); ``size`` (side in pixels of a square as
               large); ``seat`` (whose hand it belongs to), ``owner`` (whose river), ``order`` (the index
               in its river), each only if there is one
``hands``      every open hand: ``seat``, ``concealed``, ``win_tile``, ``melds``, ``finished``, ``whole``,
               ``least``, ``waits``, ``win``
``rivers``     every river whose ``owner`` is known: ``tiles``, ``riichi``, ``stick``
``outcome``    ``finished``, ``several`` or ``none``; ``hand``: the record where it is ``finished``
``width``, ``height``, ``kind``, ``scene``, ``seed``, ``number``
=============  ==========================================================================================

:func:`read` yields the scenes of such a folder, and of a folder of drawn photos (``truth.jsonl``) as well.
Training adds the errors of a detector: jitter, misses, misread faces.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.render import batch, raycast, scene
from datasets.render.layouts import Kind, Layout
from vision.arrays import Pixels

KINDS: tuple[Kind, ...] = ("game", "varied")
"""What is laid where nothing else is asked for, each as often as the other."""

SHARD = 250
"""Scenes in a file: what an interrupted run does once more at most."""

ZOOM = 0.35
"""The resolution for occlusion, relative to the photo: it gives the visible share of a 20-pixel tile to a
tenth."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to lay; everything that a scene depends on but its number."""

    seed: int
    kinds: tuple[Kind, ...]
    long_side: int
    rare: float = 0.0


def lay(order: Order, number: int) -> dict[str, Any]:
    """The scene with this number of an order, as a line of ``truth.jsonl`` says it."""
    rng = np.random.default_rng([order.seed, 2, number])
    kind = order.kinds[int(rng.integers(len(order.kinds)))]
    width, height = batch.shape(rng, order.long_side)
    layout = batch.layout(rng, kind, rare=order.rare)
    told = see(layout, scene.aim(layout, rng, width, height))
    return {"number": number, "seed": order.seed, **told}


def see(layout: Layout, camera: raycast.Camera) -> dict[str, Any]:
    """What a camera sees of a layout, as a line of ``truth.jsonl`` says it."""
    coarse = camera.scaled(ZOOM)
    pieces = layout.pieces
    boxes = raycast.Boxes(
        np.array([piece.centre for piece in pieces], np.float32),
        np.array([piece.axes for piece in pieces], np.float32),
        np.array([piece.size for piece in pieces], np.float32) / np.float32(2),
        np.full(len(pieces), _CORNER, np.float32),
    )
    owner, depth = raycast.trace(boxes, coarse)
    seen = scene.tiles_seen(layout, camera, ZOOM, raycast.shown(owner, depth, boxes, coarse))
    return scene.truth(layout, seen, camera.width, camera.height)


_CORNER = 1.5  # mm, how round a tile's edges are: about the middle of what the renderer draws


_COLOURS = {
    "hand": (60, 180, 60), "win": (230, 50, 40), "dora": (220, 40, 200), "ura": (150, 90, 230),
    "meld": (240, 160, 30), "river": (60, 140, 160), "wall": (70, 90, 120),
}  # fmt: skip
"""RGB of tiles by their role."""


def picture(told: dict[str, Any]) -> Pixels:
    """A scene (H, W, 3) RGB as its truth has it: each tile in the colour of its role, its top edge white."""
    image = np.full((told["height"], told["width"], 3), 40, np.uint8)
    for tile in sorted(told["tiles"], key=lambda tile: float(tile["visible"])):
        quad = np.array(tile["quad"]).round().astype(np.int32)
        colour = _COLOURS.get(tile["role"].split(":")[0], (130, 130, 130))
        cv2.fillConvexPoly(image, quad, colour, cv2.LINE_AA)
        cv2.polylines(image, [quad], True, (0, 0, 0), 2, cv2.LINE_AA)
        cv2.line(image, quad[0].tolist(), quad[1].tolist(), (255, 255, 255), 2, cv2.LINE_AA)
        whose = tile.get("seat", tile.get("owner"))
        words = tile["label"][:2] + ("" if whose is None else f" {whose}")
        at = (quad.mean(axis=0) - (12, -5)).astype(int).tolist()
        cv2.putText(image, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 255, 255), 1, cv2.LINE_AA)
    return image


def _shard(task: tuple[Order, int, int, Path]) -> int:
    """Lay the scenes ``start`` to ``stop`` into one file, whole or not at all."""
    order, start, stop, file = task
    lines = (json.dumps(lay(order, number), separators=(",", ":")) for number in range(start, stop))
    unfinished = file.with_suffix(".part")
    unfinished.write_bytes(gzip.compress("".join(line + "\n" for line in lines).encode(), 4))
    unfinished.replace(file)
    return stop - start


def write(order: Order, scenes: int, workers: int, out: Path) -> Iterator[int]:
    """Write the first ``scenes`` scenes of an order into ``out``; yields how many each new file holds.

    Files that are there stay: the same command goes on where it was interrupted, and a larger number adds to
    them. Raises ValueError for scenes of another seed.
    """
    starts = range(0, scenes, SHARD)
    tasks = [(order, start, min(start + SHARD, scenes), out / f"{start:06d}.jsonl.gz") for start in starts]
    there = [task for task in tasks if task[-1].exists()]
    tasks = [task for task in tasks if task not in there]
    if there:
        _, start, stop, file = there[-1]
        with gzip.open(file, "rt") as lines:
            laid = [json.loads(line) for line in lines]
        if laid[0]["seed"] != order.seed:
            raise ValueError(f"{out} holds scenes of seed {laid[0]['seed']}: name another folder")
        if len(laid) < stop - start:  # the end of an order of fewer scenes
            tasks.insert(0, there[-1])
    if workers == 1:
        yield from map(_shard, tasks)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_shard, tasks)


def read(folders: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """The scenes of folders, laid or drawn, in turn. Raises FileNotFoundError where a folder has none."""
    for folder in folders:
        files = [*sorted(folder.glob("*.jsonl.gz")), *folder.glob("truth.jsonl")]
        if not files:
            raise FileNotFoundError(
                f"{folder} holds no scenes: lay some with python -m datasets lay {folder}"
            )
        for file in files:
            with gzip.open(file, "rt") if file.suffix == ".gz" else file.open() as lines:
                yield from map(json.loads, lines)
