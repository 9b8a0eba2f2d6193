"""Crops of real tiles for the face training, cut at the finder's own quads.

``python -m datasets.mine --finder models/finder.onnx --photos DIR --out DIR [--renders DIR ...]``

A quad takes the label of the box that it fits. A detection without a tile becomes "not a face". This needs
renders, or photos whose tiles all have boxes.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from datasets.boxes import apart, match
from datasets.patches import PATCH, SMALLEST, mirror, write_patches
from datasets.photos import Photo, read_manifest
from datasets.renders import Render, gather
from vision import network
from vision.arrays import Array32
from vision.faces import cut
from vision.finder import Finder
from vision.labels import FOREIGN, NOT_A_FACE, WITH_FOREIGN
from vision.maps import Candidates
from vision.quads import bounds, box_iou, sizes

FITS = 0.5
"""IoU of a quad's bounding box with a box from which the box's label is believed."""

NEAR = 0.3
"""The same for sheared photos: distance of the centres, in tile sizes."""

CLEAR = 0.15
"""IoU with every box below which a detection on a completely labelled photo is a stray."""

FLOWER = "flower"
"""What the manifest of the real photos calls a flower or a season."""

MOST_STRAYS = 8
"""Of one picture, the best ones: a chequered cloth would outnumber all others."""

_ASIDE = Console(stderr=True)

Item = TypeVar("Item")
Row = dict[str, Any]
Mined = tuple[NDArray[np.uint8], list[Row]]


def labelled(found: Candidates, photo: Photo) -> list[tuple[int, str]]:
    """Detections of a real photo that fit one of its boxes, with the box's label."""
    if photo.shaped:
        fit, least = box_iou(bounds(found.quads), photo.boxes), FITS
    else:
        middle = photo.boxes.reshape(-1, 2, 2).mean(1)
        apart = np.linalg.norm(found.quads.mean(1)[:, None] - middle[None], axis=-1)
        fit, least = 1 - apart / np.maximum(sizes(found.quads), 1)[:, None], 1 - NEAR
    pairs = match(found.scores, fit.astype(np.float32), least)
    return [(i, label) for i, j in pairs if (label := _class(photo.labels[j]))]


def _class(label: str) -> str | None:
    """The class that a real photo's label teaches, None for a tile that nobody named."""
    label = FOREIGN if label == FLOWER else label
    return label if label in WITH_FOREIGN else None


def _patches(rgb: NDArray[np.uint8], quads: Array32, rows: list[Row]) -> Mined:
    large = sizes(quads) >= SMALLEST if len(quads) else np.zeros(0, bool)
    return cut(rgb, quads[large], PATCH), [row for row, kept in zip(rows, large, strict=True) if kept]


@dataclass(frozen=True, slots=True)
class Miner:
    """Patches of one picture. ``finder`` may serve several threads at once."""

    finder: Finder

    def photo(self, photo: Photo) -> Mined:
        """Tiles of a real photo, and strays where every tile has a box; or the file where it is a tile."""
        rgb = photo.load()
        about: Row = {"photo": photo.path.name, "mirrored": photo.mirrored, "held_back": photo.held_back}
        if photo.whole:
            height, width = rgb.shape[:2]
            quads = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float32) - 0.5
            kind, pairs = "web", [(0, label) for name in photo.labels if (label := _class(name))]
        else:
            found = self.finder.find(rgb)
            quads, kind, pairs = found.quads, "photo", labelled(found, photo)
            if photo.complete and photo.shaped:
                pairs += [(int(i), NOT_A_FACE) for i in apart(quads, photo.boxes, CLEAR)[:MOST_STRAYS]]
        rows = [{"label": label, "kind": kind, **about} for _, label in pairs]
        pixels, rows = _patches(rgb, quads[[i for i, _ in pairs]].reshape(-1, 4, 2), rows)
        if photo.mirrored:
            # From here on they are as any other.
            pixels = np.stack([mirror(patch) for patch in pixels]) if len(pixels) else pixels
            rows = [{**row, "mirrored": False} for row in rows]
        return pixels, rows

    def render(self, render: Render) -> Mined:
        """Strays of a rendered photo."""
        rgb = render.load()
        found = self.finder.find(rgb)
        quads = found.quads[apart(found.quads, bounds(render.quads), CLEAR)[:MOST_STRAYS]]
        row: Row = {
            "label": NOT_A_FACE,
            "kind": "render",
            "photo": render.path.name,
            "mirrored": False,
            "held_back": False,
        }
        return _patches(rgb, quads, [row] * len(quads))


def _each(work: Callable[[Item], Mined], items: Sequence[Item], threads: int, what: str) -> Iterator[Mined]:
    with ThreadPoolExecutor(threads) as pool:
        yield from track(pool.map(work, items), description=what, total=len(items), console=_ASIDE)


def mine(
    finder: Path, photos: Path, renders: Iterable[Path], most: int | None, most_renders: int, threads: int
) -> Mined:
    """Patches and rows of all pictures, the real ones first."""
    cv2.setNumThreads(1)
    miner = Miner(Finder(network.load(finder, 1)))
    real = [photo for photo in read_manifest(photos, ["train"]) if photo.plausible][:most]
    drawn, _ = gather(renders, most_renders)
    mined = [*_each(miner.photo, real, threads, "photos"), *_each(miner.render, drawn, threads, "renders")]
    pixels = np.concatenate([np.zeros((0, PATCH.height, PATCH.width, 3), np.uint8), *(p for p, _ in mined)])
    return pixels, [row for _, rows in mined for row in rows]


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m datasets.mine",
        description="Cut real tiles at the finder's quads for the face training.",
    )
    parser.add_argument("--finder", type=Path, required=True, help="ONNX file of the finder")
    parser.add_argument("--photos", type=Path, required=True, help="folder of manifest.jsonl")
    parser.add_argument("--renders", type=Path, nargs="*", default=[], help="folders of rendered photographs")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, help="use so many photos at most")
    parser.add_argument("--most-renders", type=int, default=500, help="use so many of each folder at most")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args(arguments)
    start = time.monotonic()
    try:
        pixels, rows = mine(
            args.finder, args.photos, args.renders, args.most, args.most_renders, args.threads
        )
    except (OSError, ValueError) as error:
        parser.error(str(error))
    write_patches(args.out, pixels, rows)
    counts = Counter(row["label"] for row in rows)
    totals = {"photos that may be mirrored": sum(row["mirrored"] is None for row in rows)}
    totals |= {"held back": sum(row["held_back"] for row in rows), "seconds": round(time.monotonic() - start)}
    print(f"{len(rows)} patches:", ", ".join(f"{label} {count}" for label, count in counts.most_common()))
    print(", ".join(f"{name} {value}" for name, value in totals.items()))


if __name__ == "__main__":
    main()
