"""The real photographs of ``manifest.jsonl`` as the trainings see them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.renders import Render
from vision.arrays import Array32

PHOTOS = Path("../shared/data/photos")
"""Where the manifest of the real photos lies unless the command line names another folder."""

ASPECT = {"alanchoi": 4 / 3, "leo_miura": 16 / 9}
"""Width over height, before someone stretched them to a square, of the photos of each source."""

COMPLETE_STYLES = frozenset({"jp-tray"})
"""Styles whose photos have a box around every tile."""

USES = ("eval-tray", "eval-club", "eval-unseen")
COMPLETE = frozenset({"eval-tray", "eval-unseen"})
"""Uses in whose photos every tile has a box, so that what is listed beyond them is an extra detection."""

HANDS: dict[str, tuple[float, float, float, float] | None] = {
    "hands/seven-pairs.jpg": None,
    "hands/tenpai.jpg": None,
    "hands/four-kans-table.jpg": (0.4, 0.66, 1.0, 1.0),
}
"""The photographed hands, and the region that a player would point at."""


@dataclass(frozen=True, slots=True)
class Photo:
    """One labelled photograph.

    ``boxes`` (n, 4): x0 y0 x1 y1 in pixels of the un-stretched photo. ``shaped``: whether the boxes fit the
    tiles; in sheared copies only their centres do. ``complete``: whether every tile has a box. ``mirrored``:
    None if unknown. ``whole``: whether the file is a single tile without boxes.
    """

    path: Path
    source: str
    src: str
    use: str
    style: str
    boxes: Array32
    labels: tuple[str, ...]
    mirrored: bool | None
    shaped: bool
    complete: bool
    whole: bool
    stretch: float

    def load(self) -> NDArray[np.uint8]:
        """RGB pixels, un-stretched. Raises ValueError when the file is no readable picture."""
        bgr = cv2.imread(str(self.path))
        if bgr is None:
            raise ValueError(f"cannot read {self.path}")
        rgb = cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB)
        if self.stretch != 1:
            size = (round(rgb.shape[1] * self.stretch), rgb.shape[0])
            rgb = cv2.resize(rgb, size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(rgb, np.uint8)

    @property
    def plausible(self) -> bool:
        """Whether tiles keep roughly their shape: a few files are long strips pressed into a square, whose
        true shape nobody noted."""
        if self.whole:
            return True
        extent = self.boxes[:, 2:] - self.boxes[:, :2]
        return bool(0.5 < float(np.median(extent[:, 0] / extent[:, 1])) < 2)

    @property
    def held_back(self) -> bool:
        """Whether the photo measures and tunes instead of teaching: some 8 % of the photographs, all copies
        of one alike."""
        return zlib.crc32(self.src.encode()) % 100 < 8


def read_manifest(folder: Path, uses: Iterable[str]) -> list[Photo]:
    """The photos of ``folder`` whose ``use`` is among ``uses``, in the manifest's order."""
    wanted = frozenset(uses)
    rows: dict[str, list[dict[str, object]]] = {}
    with (folder / "manifest.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["use"] in wanted:
                rows.setdefault(row["file"], []).append(row)
    return [_photo(folder, file, tiles) for file, tiles in rows.items()]


def _photo(folder: Path, file: str, rows: list[dict[str, object]]) -> Photo:
    first = rows[0]
    source = file.split("/", 1)[0]
    stretch = ASPECT[source] if first["stretched_to_square"] else 1.0
    boxed = [row for row in rows if row["box"] is not None]
    boxes = np.array([row["box"] for row in boxed], np.float32).reshape(-1, 4)
    boxes[:, [0, 2]] *= stretch
    mirrored = first["mirrored"]
    return Photo(
        path=folder / file,
        source=source,
        src=str(first["src"]),
        use=str(first["use"]),
        style=str(first["style"]),
        boxes=boxes,
        labels=tuple(str(row["label"]) for row in (boxed or rows)),
        mirrored=None if mirrored is None else bool(mirrored),
        shaped=first.get("aug") == "none",
        complete=str(first["style"]) in COMPLETE_STYLES,
        whole=not boxed,
        stretch=stretch,
    )


@dataclass(frozen=True, slots=True)
class Photographed(Render):
    """A photo with what is known of it told as of a render: a quad for each box, upright, and whole. Its
    ``kind`` is ``photo``."""

    photo: Photo | None = None

    def load(self) -> NDArray[np.uint8]:
        """As :meth:`Photo.load`."""
        assert self.photo is not None
        return self.photo.load()


def teaching(folder: Path) -> list[Photographed]:
    """The photos of ``folder`` to learn from whose tiles have boxes that fit them, none of them mirrored and
    none held back. Raises OSError when the manifest is not there."""
    return [
        Photographed(
            path=photo.path, kind="photo", quads=photo.boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2),
            labels=photo.labels, roles=("other",) * len(photo.labels),
            visible=np.ones(len(photo.labels), np.float32), hand=None, photo=photo,
        )
        for photo in read_manifest(folder, ["train"])
        if photo.shaped and photo.plausible and photo.mirrored is False
        and not (photo.whole or photo.held_back)
    ]  # fmt: skip
