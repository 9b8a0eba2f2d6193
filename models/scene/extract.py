"""Extract training scenes: run the finder and the face network on photos, and convert laid scenes."""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np

from datasets.boxes import match
from datasets.photos import PHOTOS, Photographed, teaching
from models.jobs import run_jobs
from models.scene import scenes
from models.scene.scenes import LOOSE, NONE, UNLABELLED, Scenes, Tile
from models.tally import FOUND
from vision import image, network
from vision.arrays import Array32, Pixels
from vision.detections import ROLES, Detections
from vision.faces import FaceReader
from vision.finder import Finder
from vision.labels import BACK, FOREIGN, NOT_A_FACE_INDEX, WITH_FOREIGN
from vision.quads import bounds, box_iou
from vision.scene.classify import classify
from vision.scene.detect import detect, second_pass, show_two_tiles

PART = 200
"""Photos whose scenes share a file."""

_AGAIN = 4
"""One of so many drawn photos gets the second pass, too."""

_PHOTO_LABELS = {"flower": FOREIGN}
"""Labels of real photos to those of the networks."""


class Networks:
    """The finder and the face network that ship."""

    @classmethod
    @cache
    def loaded(cls) -> Self:
        """Load them, once in each process."""
        return cls()

    def __init__(self) -> None:
        self.finder = Finder(network.load(network.FINDER, 1))
        self.faces = FaceReader(network.load(network.FACES, 1))

    def detect(self, rgb: Pixels) -> Detections:
        """Detections of a photo, classified."""
        return classify(self.faces, rgb, detect(self.finder, rgb))

    def detect_again(self, rgb: Pixels, found: Detections, hands: Sequence[int]) -> Detections:
        """Add what the second pass finds around the tiles ``hands``, as in an unsure reading."""
        quads = found.quads[list(hands)]
        is_double = show_two_tiles(found.quads, quads)
        more = second_pass(self.finder, rgb, quads, found.quads, found.quads[is_double])
        return found[~is_double].concatenated(classify(self.faces, rgb, more)) if len(more) else found


def _match(found: Detections, quads: Array32) -> dict[int, int]:
    overlaps = box_iou(bounds(found.quads), bounds(quads.astype(np.float32)))
    return dict(match(found.scores, overlaps, FOUND))


def _scene(found: Detections, tiles: Sequence[Tile], photo: tuple[int, int], hands: Sequence[Any]) -> Scenes:
    assert found.logits is not None and found.turns is not None and found.embeddings is not None
    answers = found.scores, found.logits, found.turns, found.embeddings
    return scenes.pack(tiles, photo, hands, answers)


def scene_of_drawn(row: dict[str, Any], rgb: Pixels, networks: Networks) -> Scenes | None:
    """The scene of a drawn photo. ``row``: its line of ``truth.jsonl``. None if nothing is detected."""
    found = networks.detect(rgb)
    if not len(found):
        return None
    truth = row["tiles"]
    quads = np.array([tile["quad"] for tile in truth], np.float32).reshape(-1, 4, 2)
    matched = _match(found, quads)
    hands = [i for i, j in matched.items() if "seat" in truth[j]]
    if hands and int(Path(row["file"]).stem) % _AGAIN == 0:
        found = networks.detect_again(rgb, found, hands)
        matched = _match(found, quads)
    nothing = NOT_A_FACE_INDEX, ROLES.index("none")
    tiles = [
        _tile(quad, truth[matched[i]], row) if i in matched else (quad, *nothing, NONE, NONE, 0.0)
        for i, quad in enumerate(found.quads)
    ]
    return _scene(found, tiles, (row["width"], row["height"]), row.get("hands", ()))


def _tile(quad: Array32, tile: dict[str, Any], row: dict[str, Any]) -> Tile:
    """The tile at ``quad``. ``tile``: its truth, of the photo of ``row``.

    Layouts that are no game do not say which loose tiles are discards, and no layout says of every back
    whether it is a wall tile.
    """
    name, label = tile["role"], tile["label"]
    if name.startswith("meld"):
        role = ROLES.index("called")
    elif name in ROLES:
        role = ROLES.index(name)
    else:
        role = ROLES.index("none") if "hands" in row and label != BACK else LOOSE
    seat = tile.get("seat", tile.get("owner"))
    number = int(name.split(":")[1]) if name.startswith("meld:") else NONE
    return quad, WITH_FOREIGN.index(label), role, NONE if seat is None else seat, number, tile["visible"]


def scene_of_photo(photo: Photographed) -> Scenes | None:
    """The detections of a real photo that match a box with a face. None if there are none."""
    rgb = photo.load()
    found = Networks.loaded().detect(rgb)
    matched = _match(found, photo.quads)
    names = {i: _PHOTO_LABELS.get(photo.labels[j], photo.labels[j]) for i, j in matched.items()}
    kept = sorted(i for i, name in names.items() if name in WITH_FOREIGN)
    if not kept:
        return None
    tiles = [(found.quads[i], WITH_FOREIGN.index(names[i]), UNLABELLED, NONE, NONE, 1.0) for i in kept]
    return _scene(found[kept], tiles, (rgb.shape[1], rgb.shape[0]), ())


def scene_of_laid(row: dict[str, Any]) -> Scenes | None:
    """The tiles of a laid scene whose centres lie in the photo, without answers. None if there are none."""
    tiles = []
    for tile in row["tiles"]:
        quad = np.array(tile["quad"], np.float32)
        if 0 <= quad[:, 0].mean() < row["width"] and 0 <= quad[:, 1].mean() < row["height"]:
            tiles.append(_tile(quad, tile, row))
    photo = row["width"], row["height"]
    return scenes.pack(tiles, photo, row.get("hands", ())) if tiles else None


# --- many of them, in files --------------------------------------------------------------------------------


T = TypeVar("T")

Job = Callable[[], Path]
"""Writes a file and returns its path."""


def drawn_jobs(folder: Path, out: Path) -> Iterator[Job]:
    """Jobs for a folder of renders, :data:`PART` photos each. An incomplete last part is left out: the
    renderer may still be drawing."""
    lines = (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    for start in range(0, len(lines) - PART + 1, PART):
        file = out / f"{folder.name}-{start:06}.npz"
        yield partial(_write, file, partial(_scene_of_line, folder), lines[start : start + PART])


def _scene_of_line(folder: Path, line: str) -> Scenes | None:
    row = json.loads(line)
    return scene_of_drawn(row, image.load(folder / row["file"]).pixels, Networks.loaded())


def laid_jobs(folder: Path, out: Path) -> Iterator[Job]:
    """Jobs for a folder of laid scenes (``python -m datasets lay``), one for each shard."""
    for shard in sorted(folder.glob("*.jsonl.gz")):
        yield partial(_write_laid, out / f"{folder.name}-{shard.name.split('.')[0]}.npz", shard)


def _write_laid(file: Path, shard: Path) -> Path:
    with gzip.open(shard, "rt", encoding="utf-8") as lines:
        return _write(file, scene_of_laid, map(json.loads, lines))


def photo_jobs(photos: Sequence[Photographed], out: Path) -> Iterator[Job]:
    """Jobs for real photos, :data:`PART` each."""
    for start in range(0, len(photos), PART):
        yield partial(_write, out / f"photos-{start:06}.npz", scene_of_photo, photos[start : start + PART])


def _write(file: Path, scene_of: Callable[[T], Scenes | None], items: Iterable[T]) -> Path:
    """Write the scenes of some items to a file. If it is there already, nothing is computed."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        Scenes.joined([scene for item in items if (scene := scene_of(item)) is not None]).write(file)
    return file


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command line."""
    parser.add_argument("renders", type=Path, nargs="*", help="folders of drawn scenes")
    parser.add_argument("--laid", type=Path, action="append", default=[], help="a folder of laid scenes")
    parser.add_argument("--photos", type=Path, nargs="?", const=PHOTOS, help="folder of real photos")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=1, help="processes that extract")


def run(args: argparse.Namespace) -> None:
    """Extract the scenes that the options name, and print each file."""
    jobs = [job for folder in args.laid for job in laid_jobs(folder, args.out / "laid")]
    jobs += [job for folder in args.renders for job in drawn_jobs(folder, args.out / "drawn")]
    if args.photos:
        jobs += photo_jobs(teaching(args.photos), args.out / "photos")
    for file in run_jobs(jobs, args.workers):
        print(file, flush=True)
