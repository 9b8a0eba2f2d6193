"""What the finder and the face network say of drawn photographs and of real ones, kept part by part."""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Self

import numpy as np

from datasets.boxes import match
from datasets.photos import PHOTOS, Photographed, teaching
from models.jobs import run_jobs
from models.scene import scenes
from models.scene.scenes import NOBODY, UNTAUGHT, Scenes, Tile
from models.tally import FOUND
from vision import image, network
from vision.arrays import Array32, Pixels
from vision.detections import Detections
from vision.faces import FaceReader
from vision.finder import Finder
from vision.labels import FOREIGN, NOT_A_FACE, WITH_FOREIGN
from vision.quads import bounds, box_iou
from vision.scene.classify import classify
from vision.scene.detect import are_double, detect, look_again

PART = 200
"""Photos whose scenes are one file."""

_AGAIN = 4
"""Of so many drawn photos one is looked at a second time."""

_PHOTO_LABELS = {"flower": FOREIGN}
"""Labels of real photos that the networks call otherwise."""


class Networks:
    """The two networks that answer before the scene model does."""

    @classmethod
    @cache
    def loaded(cls) -> Self:
        """Those that ship, loaded once in each process."""
        return cls()

    def __init__(self) -> None:
        self.finder = Finder(network.load(network.FINDER, 1))
        self.faces = FaceReader(network.load(network.FACES, 1))

    def see(self, rgb: Pixels) -> Detections:
        """What lies on a photo, classified."""
        return classify(self.faces, rgb, detect(self.finder, rgb))

    def see_more(self, rgb: Pixels, found: Detections, hands: Sequence[int]) -> Detections:
        """The same and what a second look at these tiles finds, as readings have it that are not sure."""
        quads = found.quads[list(hands)]
        is_double = are_double(found.quads, quads)
        more = look_again(self.finder, rgb, quads, found.quads, found.quads[is_double])
        return found[~is_double].joined(classify(self.faces, rgb, more)) if len(more) else found


def _matched(found: Detections, quads: Array32) -> dict[int, int]:
    overlaps = box_iou(bounds(found.quads), bounds(quads.astype(np.float32)))
    return dict(match(found.scores, overlaps, FOUND))


def _scene(found: Detections, tiles: Sequence[Tile], photo: tuple[int, int], hands: Sequence[Any]) -> Scenes:
    assert found.logits is not None and found.turns is not None and found.embeddings is not None
    answers = found.scores, found.logits, found.turns, found.embeddings
    return scenes.pack(tiles, photo, hands, answers)


def scene_of_drawn(row: dict[str, Any], rgb: Pixels, networks: Networks) -> Scenes | None:
    """A line of ``truth.jsonl`` as the networks see its photo; None where they find nothing."""
    found = networks.see(rgb)
    if not len(found):
        return None
    truth = row["tiles"]
    quads = np.array([tile["quad"] for tile in truth], np.float32).reshape(-1, 4, 2)
    matched = _matched(found, quads)
    hands = [i for i, j in matched.items() if "seat" in truth[j]]
    if hands and int(Path(row["file"]).stem) % _AGAIN == 0:
        found = networks.see_more(rgb, found, hands)
        matched = _matched(found, quads)
    nothing = scenes.label_index(NOT_A_FACE), scenes.role_index("other", NOT_A_FACE, is_game=True)
    tiles = [
        _tile(quad, truth[matched[i]], row) if i in matched else (quad, *nothing, NOBODY, NOBODY, 0.0)
        for i, quad in enumerate(found.quads)
    ]
    return _scene(found, tiles, (row["width"], row["height"]), row.get("hands", ()))


def _tile(quad: Array32, tile: dict[str, Any], row: dict[str, Any]) -> Tile:
    """A tile that lies at ``quad``, as the truth of its photo has it."""
    role = scenes.role_index(tile["role"], tile["label"], is_game="hands" in row)
    label, seat = scenes.label_index(tile["label"]), scenes.seat_of(tile)
    return quad, label, role, seat, scenes.set_index(tile["role"]), tile["visible"]


def scene_of_photo(photo: Photographed, networks: Networks) -> Scenes | None:
    """A real photo whose boxes name faces: of what the networks answer, what lies in a box."""
    rgb = photo.load()
    found = networks.see(rgb)
    matched = _matched(found, photo.quads)
    names = {i: _PHOTO_LABELS.get(photo.labels[j], photo.labels[j]) for i, j in matched.items()}
    kept = sorted(i for i, name in names.items() if name in WITH_FOREIGN)
    if not kept:
        return None
    tiles = [(found.quads[i], scenes.label_index(names[i]), UNTAUGHT, NOBODY, NOBODY, 1.0) for i in kept]
    return _scene(found[kept], tiles, (rgb.shape[1], rgb.shape[0]), ())


def scene_of_laid(row: dict[str, Any]) -> Scenes | None:
    """A scene that was laid and not drawn, without answers: of the tiles in the photo what the truth says."""
    tiles = []
    for tile in row["tiles"]:
        quad = np.array(tile["quad"], np.float32)
        if 0 <= quad[:, 0].mean() < row["width"] and 0 <= quad[:, 1].mean() < row["height"]:
            tiles.append(_tile(quad, tile, row))
    photo = row["width"], row["height"]
    return scenes.pack(tiles, photo, row.get("hands", ())) if tiles else None


# --- many of them, in files --------------------------------------------------------------------------------


Job = Callable[[], Path]
"""Writes a file, and says which."""


def drawn_jobs(folder: Path, out: Path) -> Iterator[Job]:
    """The scenes of a folder of renders, in files of :data:`PART` photos.

    Only whole parts are written, so that this may run beside the renderer.
    """
    lines = (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    for start in range(0, len(lines) - PART + 1, PART):
        yield partial(_drawn, folder, lines[start : start + PART], out / f"{folder.name}-{start:06}.npz")


def _drawn(folder: Path, lines: Sequence[str], file: Path) -> Path:
    rows = map(json.loads, lines)
    networks = Networks.loaded()
    some = (scene_of_drawn(row, image.load(folder / row["file"]).pixels, networks) for row in rows)
    return _written(file, some)


def laid_jobs(folder: Path, out: Path) -> Iterator[Job]:
    """The laid scenes of a folder of shards (``python -m datasets lay``), a file each."""
    for shard in sorted(folder.glob("*.jsonl.gz")):
        yield partial(_laid, shard, out / f"{folder.name}-{shard.name.split('.')[0]}.npz")


def _laid(shard: Path, file: Path) -> Path:
    with gzip.open(shard, "rt", encoding="utf-8") as lines:
        return _written(file, (scene_of_laid(json.loads(line)) for line in lines))


def photo_jobs(photos: Sequence[Photographed], out: Path) -> Iterator[Job]:
    """The same of real photos to learn from."""
    for start in range(0, len(photos), PART):
        yield partial(_photos, photos[start : start + PART], out / f"photos-{start:06}.npz")


def _photos(photos: Sequence[Photographed], file: Path) -> Path:
    networks = Networks.loaded()
    return _written(file, (scene_of_photo(photo, networks) for photo in photos))


def _written(file: Path, some: Iterable[Scenes | None]) -> Path:
    """A file of these scenes; they are not looked at where it is there already."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        Scenes.joined([each for each in some if each is not None]).write(file)
    return file


def add_options(parser: argparse.ArgumentParser) -> None:
    """Of the command line."""
    parser.add_argument("renders", type=Path, nargs="*", help="folders of drawn scenes")
    parser.add_argument("--laid", type=Path, action="append", default=[], help="a folder of laid scenes")
    parser.add_argument("--photos", type=Path, nargs="?", const=PHOTOS, help="folder of real photos")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=1, help="processes that read")


def run(args: argparse.Namespace) -> None:
    """Extract what the options name, and print each file when it is there."""
    jobs = [job for folder in args.laid for job in laid_jobs(folder, args.out / "laid")]
    jobs += [job for folder in args.renders for job in drawn_jobs(folder, args.out / "drawn")]
    if args.photos:
        jobs += photo_jobs(teaching(args.photos), args.out / "photos")
    for file in run_jobs(jobs, args.workers):
        print(file, flush=True)
