"""How sharp rendered tiles are beside photographed ones:
``python -m models.sharpness --crops DIR --renders DIR …``.

Prints, for the real training photos in ``--crops`` (:mod:`datasets.mine`) and for each folder of renders, the
softest per cent of photos and the middle one. A photo's sharpness is the median over its tiles of the 97th
percentile of the gradient on the face, brought to 64 × 80 pixels, in levels of CIELAB a pixel.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.patches import PATCH, VISIBLE, read_patches
from datasets.renders import read_renders
from vision.faces import CropShape, cut
from vision.labels import BACK, FOREIGN, NOT_A_FACE

FACE: Final = CropShape(64, 80, 1.0)
RIM: Final = 8
"""Pixels at each side of a face that do not count: its edge is sharp whatever is drawn on it."""

BLANK: Final = frozenset(["5z", BACK, FOREIGN, NOT_A_FACE])
"""Nothing is drawn on these."""

FEWEST: Final = 5
"""Tiles of a photo that counts."""

PERCENTILES: Final = (1, 5, 10, 25, 50)


def sharpness(face: NDArray[np.uint8]) -> float:
    """Of a face (80, 64, 3) RGB."""
    lab = cv2.cvtColor(face, cv2.COLOR_RGB2LAB)[RIM:-RIM, RIM:-RIM].astype(np.float32)
    across = np.abs(np.diff(lab, axis=1))[:-1].sum(axis=2)
    along = np.abs(np.diff(lab, axis=0))[:, :-1].sum(axis=2)
    return float(np.percentile(np.hypot(across, along), 97))


def of_photos(crops: Path) -> list[float]:
    """Of each real photo of which tiles were cut."""
    patches = read_patches(crops)
    matrix = FACE.matrix(PATCH.corners())
    photos: dict[str, list[float]] = defaultdict(list)
    for pixels, label, photo, row in zip(
        patches.pixels, patches.labels, patches.photos, patches.rows, strict=True
    ):
        if row["kind"] == "photo" and label not in BLANK:
            face = cv2.warpPerspective(np.asarray(pixels), matrix, (FACE.width, FACE.height))
            photos[photo].append(sharpness(np.asarray(face, np.uint8)))
    return _medians(photos.values())


def of_renders(folder: Path) -> list[float]:
    """Of each render."""
    found = []
    for render in read_renders(folder):
        seen = [
            at
            for at, (label, visible) in enumerate(zip(render.labels, render.visible, strict=True))
            if visible >= VISIBLE and label not in BLANK
        ]
        if len(seen) >= FEWEST:
            found.append([sharpness(face) for face in cut(render.load(), render.quads[seen], FACE)])
    return _medians(found)


def _medians(photos: Iterable[Sequence[float]]) -> list[float]:
    return [float(np.median(tiles)) for tiles in photos if len(tiles) >= FEWEST]


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m models.sharpness", description=__doc__)
    parser.add_argument("--crops", type=Path, required=True, help="folder written by python -m datasets.mine")
    parser.add_argument("--renders", type=Path, nargs="+", required=True, help="folders of renders")
    args = parser.parse_args(arguments)
    print(f"{'percentile of photos':<28}{'photos':>7}" + "".join(f"{p:>7}" for p in PERCENTILES))
    try:
        sets = {"real": of_photos(args.crops), **{str(one): of_renders(one) for one in args.renders}}
    except OSError as error:
        parser.error(str(error))
    for name, values in sets.items():
        figures = np.percentile(values, PERCENTILES) if values else [np.nan] * len(PERCENTILES)
        print(f"{name:<28}{len(values):>7}" + "".join(f"{value:>7.1f}" for value in figures))


if __name__ == "__main__":
    main()
