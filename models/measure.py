"""Measure how photos are read, by the shipped reader or any other::

    python -m models.measure runs/today --old runs/held-old --new runs/held-new --workers 2
    python -m models.measure runs/other --reader package.module:factory ... --beside runs/today

Draw the scenes first, with drawings that training never sees::

    python -m datasets render runs/held-old --kind game --held-out --seed 7060 --side 1280 --photos 1500
    python -m datasets render runs/held-new --kind varied --held-out --seed 7061 --side 1280 --photos 1000

The folder named first gets a line of ``records.jsonl`` for each photo. The same command resumes after an
interruption, and reads scenes drawn since. ``figures.txt`` and ``figures.json`` have each figure with its
count, its 95 % interval and its target. ``--reader`` names a factory without arguments. It returns an object
with ``read(photo, region=None)`` like :class:`vision.reader.Reader`. ``--network faces=FILE`` gives the
factory a keyword.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache, partial
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from rich.console import Console
from rich.progress import track

from datasets.photos import HANDS, PHOTOS, USES, Photo, read_manifest
from datasets.renders import Render, read_renders
from models.build import fingerprint
from models.conditions import CONDITIONS
from models.figures import Record, report, values
from models.jobs import run_jobs
from models.photographed import OTHERWISE, became, expected, misses, photographed, record_of
from models.scene_check import check_scene
from models.tally import Tally
from vision.image import load
from vision.reader import Engine, Reader
from vision.reading import Reading, Region


class Reads(Protocol):
    """A reader that can be measured."""

    def read(self, photo: Any, *, region: Region | None = None) -> Reading:
        """As :meth:`vision.reader.Reader.read`."""
        ...


def today(**networks: str) -> Reads:
    """The shipped reader on one thread. ``networks``: files to use instead of shipped ones."""
    return Reader(Engine(**_files(networks), threads=1))


def _files(networks: Mapping[str, str]) -> dict[str, Path]:
    """The files of all three networks: those named, or else the shipped ones."""
    ships = Engine()
    return {name: Path(networks.get(name, getattr(ships, name))) for name in ("finder", "faces", "scene")}


# --- what is read -------------------------------------------------------------------------------------------


class Task(NamedTuple):
    """One photo to read: the ``part`` of the figures, its ``name`` in that part, and how to read it."""

    part: str
    name: str
    run: Callable[[Reads], Record]


def read_scene(render: Render, reader: Reads) -> Record:
    """Read a drawn scene of a game."""
    return asdict(check_scene(reader.read(render.path), render))


def read_hand(
    folder: Path, photo: Record, region: Region | None, condition: str | None, reader: Reads
) -> Record:
    """Read a photographed hand: the whole photo or a ``region``, unchanged or under a ``condition``."""
    pixels = load(folder / photo["file"]).pixels
    if condition:
        pixels = CONDITIONS[condition](pixels)
    reading, spent = _timed(reader, pixels, region)
    missed = misses(reading, record_of(photo), expected()[photo["file"]])
    return {
        "became": became(reading, missed), "missed": missed, "confidence": reading.confidence,
        "message": reading.message, "doubts": [doubt.kind for doubt in reading.doubts], "ms": spent,
    }  # fmt: skip


def read_tiles(photo: Photo, reader: Reads) -> Record:
    """Read a real photo whose tiles have boxes."""
    tally = Tally.of(photo.use)
    reading, spent = _timed(reader, photo.load())
    tally.milliseconds.append(spent)
    tally.add(reading.tiles, photo.boxes, photo.labels)
    return tally.counts()


def _timed(reader: Reads, pixels: Any, region: Region | None = None) -> tuple[Reading, float]:
    """A reading, and its processor time in milliseconds."""
    start = time.process_time()
    reading = reader.read(pixels, region=region)
    return reading, round(1000 * (time.process_time() - start), 1)


def tasks(args: argparse.Namespace) -> Iterator[Task]:
    """All photos to read: real ones first, then the two kinds of scenes in turn."""
    yield from _photographs(args.photos) if args.photos else ()
    folders = {"old mix": args.old, "new layouts": args.new}
    scenes = [[*_scenes(part, folder)] for part, folder in folders.items() if folder]
    yield from (task for turn in zip_longest(*scenes) for task in turn if task)


def _photographs(folder: Path) -> Iterator[Task]:
    for photo in photographed(folder):
        box = photo.get("box") or HANDS.get(photo["file"])
        for how, region in (("whole", None), ("framed", tuple(box) if box else None)):
            yield Task("hands", f"{photo['file']} {how}", partial(read_hand, folder, photo, region, None))
    for each in read_manifest(folder, USES):
        yield Task(each.use, str(each.path.relative_to(folder)), partial(read_tiles, each))
    for photo in photographed(folder, OTHERWISE):
        for condition in CONDITIONS:
            run = partial(read_hand, folder, photo, None, condition)
            yield Task("conditions", f"{photo['file']} {condition}", run)


def _scenes(part: str, folder: Path) -> Iterator[Task]:
    try:
        for render in read_renders(folder):
            yield Task(part, f"{render.seed}/{render.path.name}", partial(read_scene, render))
    except KeyError as error:
        raise ValueError(f"{folder / 'truth.jsonl'} lacks {error}: render these photos again") from error


# --- reading ------------------------------------------------------------------------------------------------


@cache
def load_reader(spec: str) -> Reads:
    """The reader of ``module:factory``, followed by ``name=FILE`` for each other network."""
    module, _, factory = spec.split()[0].partition(":")
    made: Reads = getattr(import_module(module), factory)(**_networks(spec))
    return made


def _networks(spec: str) -> dict[str, str]:
    return dict(network.split("=", 1) for network in spec.split()[1:])


def _run(reader: str, task: Task) -> Record:
    return {"part": task.part, "name": task.name, **task.run(load_reader(reader))}


def records(out: Path) -> list[Record]:
    """The records of a folder, without a last line that was cut off."""
    file = out / "records.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True) if file.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def measure(out: Path, reader: str, some: Iterable[Task], workers: int) -> list[Record]:
    """Read photos that have no record yet. Returns all records of the folder.

    Raises ValueError if the folder has the records of another reader, or of other networks.
    """
    out.mkdir(parents=True, exist_ok=True)
    whose, files = out / "reader.txt", _files(_networks(reader))
    now = "\n".join([reader, *(f"{name} {fingerprint(file)}" for name, file in files.items())])
    before = whose.read_text() if whose.exists() else now
    if before != now:
        same = before.splitlines()[0] == reader
        by = "other networks" if same else before.splitlines()[0]
        raise ValueError(f"{out} holds what {by} read: name another folder, or remove this one")
    whose.write_text(now)
    done = records(out)
    there = {(record["part"], record["name"]) for record in done}
    jobs = [partial(_run, reader, task) for task in some if (task.part, task.name) not in there]
    with (out / "records.jsonl").open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in done)
        for record in track(run_jobs(jobs, workers), "reading", len(jobs), console=Console(stderr=True)):
            lines.write(json.dumps(record, ensure_ascii=False) + "\n")
            lines.flush()
    return records(out)


# --- figures ------------------------------------------------------------------------------------------------


def _write(out: Path, columns: Mapping[str, Sequence[Record]]) -> None:
    (out / "figures.txt").write_text("\n".join(report(columns)) + "\n", encoding="utf-8")
    _, *networks = (out / "reader.txt").read_text().splitlines()
    digests = dict(network.split(" ") for network in networks)
    whole = {"models": digests} | values(next(iter(columns.values())))
    (out / "figures.json").write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m models.measure",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("out", type=Path, help="folder of the records and figures")
    parser.add_argument("--reader", default="models.measure:today", help="module:factory of the reader")
    parser.add_argument("--network", action="append", default=[], help="name=FILE for the reader")
    parser.add_argument("--old", type=Path, help="drawn scenes of the old mix (--kind game)")
    parser.add_argument("--new", type=Path, help="drawn scenes of hands as people lay them (--kind varied)")
    parser.add_argument("--photos", type=Path, help=f"folder of real photos, such as {PHOTOS}")
    parser.add_argument("--workers", type=int, default=1, help="processes that read")
    parser.add_argument("--beside", type=Path, nargs="*", default=(), help="other folders, a column each")
    args = parser.parse_args(arguments)
    try:
        done = measure(args.out, " ".join((args.reader, *args.network)), tasks(args), args.workers)
    except (OSError, ValueError, ImportError, AttributeError) as error:
        parser.error(str(error))
    _write(
        args.out,
        {folder.name: records(folder) for folder in (args.out, *args.beside)} | {args.out.name: done},
    )
    print((args.out / "figures.txt").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
