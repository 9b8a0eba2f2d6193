"""How well photos are read: ``python -m models.evaluate --photos ../shared/data/photos [--renders DIR]``, and
how well moments of a game: ``python -m models.evaluate --scenes DIR``.

What is measured is what :func:`vision.read` lists, not what the networks answer.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from rich.console import Console
from rich.progress import track

from datasets.boxes import match
from datasets.photos import COMPLETE, PHOTOS, USES, Photo, read_manifest
from datasets.renders import Render, read_renders
from models.photographed import measure_hands, measure_outcomes
from models.scene_check import SceneResult, check_scene
from models.scene_figures import printed, summary
from models.whole_hands import asked_for, check, reason
from vision.labels import FACES
from vision.quads import bounds, box_iou
from vision.reader import Engine, Reader
from vision.reading import Reading, SeenTile

FOUND = 0.5
"""IoU of a listed tile's bounding box with a true box that makes it found."""

APART = 0.3
"""IoU with every true box below which a listed face, its centre outside them all, is extra."""

_ASIDE = Console(stderr=True)


@dataclass(slots=True)
class Tally:
    """Counts over the photos of one use. ``plain``: tiles that are no fives of any colour; ``extra`` is None
    where photos hold tiles without a box."""

    photos: int = 0
    tiles: int = 0
    found: int = 0
    right: int = 0
    plain: int = 0
    plain_right: int = 0
    extra: int | None = None
    wholly: int = 0
    milliseconds: list[float] = field(default_factory=list)
    confusions: Counter[str] = field(default_factory=Counter)

    def add(self, tiles: Sequence[SeenTile], boxes: np.ndarray[Any, Any], labels: Sequence[str]) -> None:
        """One photo: what was listed, and its true boxes (n, 4) and labels; other labels than faces (flowers)
        count neither way."""
        is_face = np.array([label in FACES for label in labels], bool)
        quads = np.array([tile.quad for tile in tiles], np.float32).reshape(-1, 4, 2)
        overlaps = box_iou(bounds(quads), boxes)
        scores = np.array([tile.probability for tile in tiles], np.float32)
        truth = [label for label, face in zip(labels, is_face, strict=True) if face]
        pairs = match(scores, overlaps[:, is_face], FOUND) if len(tiles) else []
        read = {j: tiles[i].label for i, j in pairs}
        right = sum(read.get(j) == label for j, label in enumerate(truth))
        self.photos += 1
        self.tiles += len(truth)
        self.found += len(pairs)
        self.right += right
        plain = [(j, label) for j, label in enumerate(truth) if label[0] not in "05" or label[1] == "z"]
        self.plain += len(plain)
        self.plain_right += sum(read.get(j) == label for j, label in plain)
        self.confusions.update(f"{truth[j]}→{label}" for j, label in read.items() if label != truth[j])
        extra = 0
        if self.extra is not None:
            extra = sum(tiles[i].label in FACES for i in _extra(quads, boxes, overlaps))
            self.extra += extra
        self.wholly += right == len(truth) and not extra

    def to_record(self) -> dict[str, Any]:
        """Figures as JSON values; shares are of the true tiles, or of the photos."""

        def share(count: int, whole: int) -> float:
            return round(count / whole, 4) if whole else 0.0

        times = np.array(self.milliseconds or [0.0])
        return {
            "photos": self.photos,
            "tiles": self.tiles,
            "found": share(self.found, self.tiles),
            "right": share(self.right, self.tiles),
            "right_without_fives": share(self.plain_right, self.plain),
            "extra": None if self.extra is None else self.extra,
            "extra_share": None if self.extra is None else share(self.extra, self.tiles),
            "photos_wholly_right": self.wholly,
            "ms_median": round(float(np.median(times)), 1),
            "ms_p95": round(float(np.percentile(times, 95)), 1),
            "confusions": self.confusions.most_common(10),
        }


def _extra(
    quads: np.ndarray[Any, Any], boxes: np.ndarray[Any, Any], overlaps: np.ndarray[Any, Any]
) -> list[int]:
    """Indices of listed tiles that lie apart from every true box."""
    centre = quads.mean(1)[:, None]
    inside = np.all((centre >= boxes[None, :, :2]) & (centre <= boxes[None, :, 2:]), -1)
    return np.flatnonzero((overlaps < APART).all(1) & ~inside.any(1)).tolist()


def measure_photos(reader: Reader, use: str, photos: Sequence[Photo]) -> Tally:
    """The tally of one use."""
    tally = Tally(extra=0 if use in COMPLETE else None)
    for photo in track(photos, description=use, console=_ASIDE, transient=True):
        rgb = photo.load()
        start = time.perf_counter()
        reading = reader.read(rgb)
        tally.milliseconds.append((time.perf_counter() - start) * 1000)
        tally.add(reading.tiles, photo.boxes, photo.labels)
    return tally


def measure_renders(reader: Reader, renders: Sequence[Render]) -> dict[str, Any]:
    """Whole finished hands of rendered photos."""
    reasons: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}
    right = sides = 0
    for render in track(renders, description="rendered hands", console=_ASIDE, transient=True):
        reading: Reading = reader.read(render.path)
        assert render.hand is not None
        result = check(reading.hand, render.hand)
        right += result.right
        sides += result.right and result.sides
        if not result.right:
            why = reason(reading, render, result)
            reasons[why] += 1
            examples.setdefault(why, []).append(render.path.name)
    return {
        "hands": len(renders),
        "right": right,
        "right_share": round(right / len(renders), 4) if renders else 0.0,
        "right_with_sides": sides,
        "reasons": reasons.most_common(),
        "examples": {why: names[:8] for why, names in examples.items()},
    }


def measure_scenes(engine: Engine, scenes: Sequence[Render], workers: int) -> dict[str, Any]:
    """What became of rendered moments of a game; several ``workers`` are processes with a thread each."""
    results = track(
        _checked(engine, scenes, workers),
        total=len(scenes),
        description="scenes",
        console=_ASIDE,
        transient=True,
    )
    seeds = sorted({scene.seed for scene in scenes if scene.seed is not None})
    return {"seeds": seeds, **summary(list(results))}


def _checked(engine: Engine, scenes: Sequence[Render], workers: int) -> Iterator[SceneResult]:
    if workers == 1:
        reader = Reader(engine)
        for scene in scenes:
            yield check_scene(reader.read(scene.path), scene)
        return
    # Started afresh, not forked: the parent's threads and locks stay its own.
    start = replace(engine, threads=1)
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_start, initargs=(start,)) as pool:
        yield from pool.map(_check, scenes, chunksize=4)


_reader: Reader | None = None
"""A worker's."""


def _start(engine: Engine) -> None:
    global _reader
    cv2.setNumThreads(1)
    _reader = Reader(engine)


def _check(scene: Render) -> SceneResult:
    assert _reader is not None
    return check_scene(_reader.read(scene.path), scene)


def chosen(folder: Path, uses: Iterable[str], most: int | None) -> dict[str, list[Photo]]:
    """Photos by use. Of ``train`` only those that are held back from it and not sheared: to tune on."""
    photos: dict[str, list[Photo]] = {}
    for use in uses:
        found = read_manifest(folder, [use])
        if use == "train":
            found = [p for p in found if p.held_back and p.shaped and p.plausible and not p.whole]
        photos[use] = found[:most]
    return photos


def _renders(folder: Path, most: int | None = None) -> list[Render]:
    try:
        return read_renders(folder, most)
    except KeyError as error:
        raise ValueError(f"{folder / 'truth.jsonl'} lacks {error}: render these photos again") from error


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _print(report: dict[str, Any]) -> None:
    for use, row in report["uses"].items():
        extra = (
            "extra not counted"
            if row["extra"] is None
            else f"extra {row['extra']} ({row['extra_share']:.2%})"
        )
        print(
            f"{use}: {row['photos']} photos, {row['tiles']} tiles: found {row['found']:.2%}, "
            f"right {row['right']:.2%} (without fives {row['right_without_fives']:.2%}), {extra}, "
            f"wholly right {row['photos_wholly_right']} of {row['photos']}, "
            f"{row['ms_median']} ms median, {row['ms_p95']} ms p95"
        )
        print("   ", ", ".join(f"{pair} {count}" for pair, count in row["confusions"]) or "no confusions")
    for hand in report["hands"]:
        verdict = "exact" if hand["exact"] else f"wrong: {', '.join(hand['wrong'])}"
        print(f"{hand['file']}: {verdict} ({hand['ms']} ms). {hand['message']}")
        if not hand["exact"]:
            print(f"    read  {json.dumps(hand['read'])}\n    truth {json.dumps(hand['truth'])}")
    for photo in report["outcomes"]:
        met = "met" if photo["met"] else f"not met ({', '.join(photo['missed'])})"
        print(f"{photo['file']}: {photo['outcome']}: {met}. {photo['message']}")
        if not photo["met"]:
            print(f"    read  {photo['status']} {json.dumps(photo['read'])}")
        for doubt in photo["doubts"]:
            print(f"    doubt {doubt}")
    if report["renders"]:
        row = report["renders"]
        print(
            f"rendered hands: {row['right']} of {row['hands']} wholly right ({row['right_share']:.2%}), "
            f"{row['right_with_sides']} with the sides they were called from"
        )
        for why, count in row["reasons"]:
            print(f"    {why}: {count} ({', '.join(row['examples'][why])})")
    if report["scenes"]:
        print("\n".join(printed(report["scenes"])))


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m models.evaluate", description="Measure how well photos are read."
    )
    parser.add_argument("--photos", type=Path, default=PHOTOS)
    parser.add_argument("--renders", type=Path, help="folder of rendered photographs with finished hands")
    parser.add_argument("--scenes", type=Path, help="folder of rendered moments of a game (--kind game)")
    parser.add_argument(
        "--uses", nargs="*", help="all, but none with --scenes; train: the held-back part, to tune on"
    )
    parser.add_argument("--no-hands", action="store_true", help="leave the photographed hands out")
    parser.add_argument("--most", type=int, help="so many photos of each use, renders and scenes at most")
    parser.add_argument("--finder", type=Path, default=Engine().finder)
    parser.add_argument("--faces", type=Path, default=Engine().faces)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=1, help="processes that read scenes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args(arguments)
    if args.workers < 1:
        parser.error("--workers is at least 1")
    uses = args.uses if args.uses is not None else [] if args.scenes else USES
    try:
        photos = chosen(args.photos, uses, args.most)
        engine = Engine(finder=args.finder, faces=args.faces, threads=args.threads)
        reader = Reader(engine)
        report: dict[str, Any] = {
            "models": {"finder": _digest(args.finder), "faces": _digest(args.faces)},
            "uses": {use: measure_photos(reader, use, some).to_record() for use, some in photos.items()},
            "hands": [] if args.no_hands else measure_hands(reader, args.photos),
            "outcomes": [] if args.no_hands else measure_outcomes(reader, args.photos),
            "renders": None,
            "scenes": None,
        }
        if args.renders:
            hands = [render for render in _renders(args.renders) if asked_for(render)]
            report["renders"] = measure_renders(reader, hands[: args.most])
        if args.scenes:
            report["scenes"] = measure_scenes(engine, _renders(args.scenes, args.most), args.workers)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if args.json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        _print(report)


if __name__ == "__main__":
    main()
