"""Every figure of how photos are read, with one command and any reader::

    python -m models.measure runs/today --old runs/held-old --new runs/held-new --workers 2
    python -m models.measure runs/other --reader package.module:factory ... --beside runs/today

The scenes are drawn once, with drawings that training never sees::

    python -m datasets render runs/held-old --kind game --held-out --seed 7060 --side 1280 --photos 1500
    python -m datasets render runs/held-new --kind varied --held-out --seed 7061 --side 1280 --photos 1000

What became of each photo is a line of ``records.jsonl`` in the folder named first; the same command goes on
where it was interrupted, or with what was drawn since. ``figures.txt`` and ``figures.json`` say what they
come to: each figure with its count, its 95 % interval, and what it should be. A reader is a factory without
arguments of what has ``read(photo, region=None)``, as :class:`vision.reader.Reader` has it; ``--network
faces=FILE`` gives it a keyword.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields
from functools import cache
from importlib import import_module
from itertools import zip_longest
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol

import cv2
from rich.console import Console
from rich.progress import track

from datasets.photos import HANDS, PHOTOS, USES, Photo, read_manifest
from datasets.renders import Render, read_renders
from models.card import table
from models.conditions import CONDITIONS, OTHERWISE, became
from models.photographed import expected, misses, photographed, record_of
from models.scene_check import Indicators, SceneResult, check_scene
from models.scene_figures import FINISHED, summary
from models.shares import Share
from models.tally import Tally
from vision.image import load
from vision.reader import Engine, Reader
from vision.reading import Reading, Region

Record = dict[str, Any]


class Reads(Protocol):
    """What is measured."""

    def read(self, photo: Any, *, region: Region | None = None) -> Reading:
        """As :meth:`vision.reader.Reader.read`."""
        ...


def today(**networks: str) -> Reads:
    """The reader that ships, on one thread; with other networks where their files are named."""
    ships = Engine(threads=1)
    files = {name: Path(networks.get(name, getattr(ships, name))) for name in ("finder", "faces", "scene")}
    return Reader(Engine(**files, threads=1))


# --- what is read -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Task:
    """One photo to be read: of which ``part`` of the measure, its ``name`` within it, and how to read it."""

    part: str
    name: str
    run: Callable[[Reads], Record]


@dataclass(frozen=True, slots=True)
class ReadScene:
    """A drawn moment of a game, and what a player should get of it."""

    render: Render

    def __call__(self, reader: Reads) -> Record:
        return asdict(check_scene(reader.read(self.render.path), self.render))


@dataclass(frozen=True, slots=True)
class ReadHand:
    """A photographed hand, whole or within its ``region``, as it is or taken otherwise (``condition``)."""

    folder: Path
    photo: Record
    region: Region | None = None
    condition: str | None = None

    def __call__(self, reader: Reads) -> Record:
        file = self.photo["file"]
        pixels = load(self.folder / file).pixels
        if self.condition:
            pixels = CONDITIONS[self.condition](pixels)
        start = time.process_time()
        reading = reader.read(pixels, region=self.region)
        spent = time.process_time() - start
        missed = misses(reading, record_of(self.photo), expected()[file])
        return {
            "became": became(reading, missed), "missed": missed, "confidence": reading.confidence,
            "message": reading.message, "doubts": [doubt.kind for doubt in reading.doubts],
            "ms": round(1000 * spent, 1),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReadTiles:
    """A real photo whose tiles have boxes."""

    photo: Photo

    def __call__(self, reader: Reads) -> Record:
        tally = Tally.of(self.photo.use)
        pixels = self.photo.load()
        start = time.process_time()
        reading = reader.read(pixels)
        tally.milliseconds.append(round(1000 * (time.process_time() - start), 1))
        tally.add(reading.tiles, self.photo.boxes, self.photo.labels)
        return {each.name: getattr(tally, each.name) for each in fields(tally)}  # asdict spoils a Counter


def tasks(args: argparse.Namespace) -> Iterator[Task]:
    """All that is to be read, photographs first, the kinds of scenes by turns."""
    yield from _photographs(args.photos, args.uses) if args.photos else ()
    scenes = [
        [
            Task(part, f"{render.seed}/{render.path.name}", ReadScene(render))
            for render in _renders(folder, args.most)
        ]
        for part, folder in (("old mix", args.old), ("new layouts", args.new))
        if folder
    ]
    yield from (task for turn in zip_longest(*scenes) for task in turn if task)


def _photographs(folder: Path, uses: Sequence[str]) -> Iterator[Task]:
    for photo in photographed(folder):
        box = photo.get("box") or HANDS.get(photo["file"])
        yield Task("hands", f"{photo['file']} whole", ReadHand(folder, photo))
        yield Task("hands", f"{photo['file']} framed", ReadHand(folder, photo, tuple(box) if box else None))
    for each in labelled(folder, uses):
        yield Task(each.use, str(each.path.relative_to(folder)), ReadTiles(each))
    for photo in photographed(folder, OTHERWISE):
        for condition in CONDITIONS:
            yield Task("conditions", f"{photo['file']} {condition}", ReadHand(folder, photo, None, condition))


def _renders(folder: Path, most: int | None) -> list[Render]:
    try:
        return read_renders(folder, most)
    except KeyError as error:
        raise ValueError(f"{folder / 'truth.jsonl'} lacks {error}: render these photos again") from error


def labelled(folder: Path, uses: Sequence[str]) -> Iterator[Photo]:
    """Labelled photos of these uses. Of ``train`` only those that are held back from it and not sheared: to
    tune on."""
    for photo in read_manifest(folder, uses):
        if photo.use != "train" or (photo.held_back and photo.shaped and photo.plausible and not photo.whole):
            yield photo


# --- reading, in parallel, and going on ---------------------------------------------------------------------


def _start(reader: str) -> None:
    cv2.setNumThreads(1)
    load_reader(reader)


@cache
def load_reader(spec: str) -> Reads:
    """The reader of ``module:factory``, with ``name=FILE`` of other networks after it."""
    name, *networks = spec.split()
    module, _, factory = name.partition(":")
    named = dict(network.split("=", 1) for network in networks)
    made: Reads = getattr(import_module(module), factory)(**named)
    return made


def _run(job: tuple[str, Task]) -> Record:
    reader, task = job
    return {"part": task.part, "name": task.name, **task.run(load_reader(reader))}


def records(out: Path) -> list[Record]:
    """What a folder holds so far; a last line that was cut off is left out."""
    file = out / "records.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True) if file.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def measure(out: Path, reader: str, some: Iterable[Task], workers: int) -> list[Record]:
    """Read what has not been read yet, and note what became of it. Returns all records of the folder.

    Raises ValueError where the folder holds what another reader made of the photos.
    """
    out.mkdir(parents=True, exist_ok=True)
    whose = out / "reader.txt"
    if whose.exists() and whose.read_text() != reader:
        raise ValueError(f"{out} holds what {whose.read_text()} read: name another folder")
    whose.write_text(reader)
    done = records(out)
    there = {(record["part"], record["name"]) for record in done}
    jobs = [(reader, task) for task in some if (task.part, task.name) not in there]
    with (out / "records.jsonl").open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in done)
        for record in track(_all(jobs, workers), "reading", len(jobs), console=Console(stderr=True)):
            lines.write(json.dumps(record, ensure_ascii=False) + "\n")
            lines.flush()
    return records(out)


def _all(jobs: Sequence[tuple[str, Task]], workers: int) -> Iterator[Record]:
    if workers == 1 or not jobs:
        yield from map(_run, jobs)
        return
    # Started afresh, not forked: the parent's threads and locks stay its own.
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, _start, (jobs[0][0],)) as pool:
        yield from pool.map(_run, jobs, chunksize=2)


# --- what it comes to ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table: of which ``part``, ``what`` it counts, and what it ``should`` be."""

    part: str
    what: str
    share: Share
    should: str = ""

    def to_record(self) -> Record:
        """As JSON values."""
        return {"part": self.part, "what": self.what, "should": self.should, **self.share.to_record()}


def figures(some: Sequence[Record]) -> Iterator[Figure]:
    """All figures that these records give."""
    for part in ("old mix", "new layouts"):
        yield from _scene_figures(part, [_scene(record) for record in some if record["part"] == part])
    yield from _hand_figures([record for record in some if record["part"] == "hands"])
    taken = [record for record in some if record["part"] == "conditions"]
    if taken:
        yield Figure("conditions", "right", _became(taken, "met"), "187 of 207 or more")
        yield Figure("conditions", "wrong without a word", _became(taken, "silent"), "none")
    for use in USES:
        total = _tally(use, some)
        if total.photos:
            yield Figure(use, "tiles right", Share(total.right, total.tiles), "0.5 points below today")
            if total.extra is not None:
                yield Figure(use, "extra tiles", Share(total.extra, total.tiles), "at most 1.5 %")


def _tally(use: str, some: Sequence[Record]) -> Tally:
    total = Tally.of(use)
    for record in some:
        if record["part"] == use:
            values = {name: value for name, value in record.items() if name not in ("part", "name")}
            total.merge(Tally(**values | {"confusions": Counter(values["confusions"])}))
    return total


def _scene(record: Record) -> SceneResult:
    values = {name: value for name, value in record.items() if name not in ("part", "name")}
    indicators = Indicators(**values.pop("indicators"))
    return SceneResult(**values | {"indicators": indicators, "doubts": tuple(values["doubts"])})


def _scene_figures(part: str, scenes: Sequence[SceneResult]) -> Iterator[Figure]:
    if not scenes:
        return
    new = part == "new layouts"

    def figure(
        what: str, among: Sequence[SceneResult], test: Callable[[SceneResult], bool], should: str = ""
    ) -> Figure:
        return Figure(part, what, Share.of([each for each in among if test(each)], among), should)

    finished = [scene for scene in scenes if scene.outcome in FINISHED]
    right = [scene for scene in finished if scene.verdict == "right"]
    least = "at least 90 %" if new else "2 points below today"
    yield figure("finished hands right", finished, lambda s: s.verdict == "right", least)
    for name in sorted({scene.scene for scene in finished}):
        among = [scene for scene in finished if scene.scene == name]
        yield figure(f"… {name}", among, lambda s: s.verdict == "right")
    unfinished = [scene for scene in scenes if scene.tiles is not None]
    yield figure("hands that are not finished: tiles right", unfinished, lambda s: bool(s.tiles))
    yield figure("wrong without a word", scenes, lambda s: s.verdict == "silent", "at most 0.5 %")
    none = [scene for scene in scenes if scene.outcome == "none"]
    yield figure("scored without a hand", none, lambda s: s.scored, "at most 0.5 %")
    for sure, least in ((0.98, "at least 99 %"), (0.95, "at least 98 %")):
        among = [scene for scene in scenes if (scene.confidence or 0) >= sure]
        yield figure(f"right of those with confidence {sure} or more", among, lambda s: s.exact, least)
    yield figure(
        "right hands with .95 or more", right, lambda s: (s.confidence or 0) >= 0.95, "at least 70 %"
    )
    doubted = "right hands with a doubt that is not about indicators"
    yield figure(doubted, right, lambda s: bool({*s.doubts} - {"indicator"}), "at most 10 %")
    read = [scene.indicators for scene in finished if scene.scored]
    listed = "at least 80 %" if new else ""
    shown, ok = sum(i.shown - i.beside for i in read), sum(i.right - i.beside_right for i in read)
    yield Figure(part, "indicators on a wall listed rightly", Share(ok, shown), listed)
    beside, ok = sum(i.beside for i in read), sum(i.beside_right for i in read)
    yield Figure(part, "indicators laid elsewhere listed rightly", Share(ok, beside), listed)


def _became(some: Sequence[Record], word: str) -> Share:
    return Share.of([record for record in some if record["became"] == word], some)


_WORSE = ("met", "asked", "doubted", "silent")


def _hand_figures(hands: Sequence[Record]) -> Iterator[Figure]:
    by: Mapping[str, dict[str, Record]] = {"whole": {}, "framed": {}}
    for record in hands:
        file, how = record["name"].rsplit(" ", 1)
        by[how][file] = record
    for how, photos in by.items():
        some = list(photos.values())
        if some:
            yield Figure("hands", f"{how}: right", _became(some, "met"))
            good = [record for record in some if record["became"] in ("met", "asked")]
            yield Figure("hands", f"{how}: right or asked", Share.of(good, some), "all")
            yield Figure("hands", f"{how}: wrong without a word", _became(some, "silent"), "none")
    both = by["whole"].keys() & by["framed"].keys()
    if both:
        worse = [f for f in both if _rank(by["framed"][f]) > _rank(by["whole"][f])]
        yield Figure("hands", "worse with a frame than without", Share.of(worse, both), "none")


def _rank(record: Record) -> int:
    return _WORSE.index(record["became"])


def _speed(some: Sequence[Record]) -> Iterator[str]:
    times = {r["name"]: r["ms"] for r in some if r["part"] == "hands" and r["name"].endswith("whole")}
    if times:
        slow, quick = max(times.values()), min(times.values())
        yield f"A photo of `hands/` takes {quick:.0f} to {slow:.0f} ms of the processor: the slowest"
        yield f"{slow / max(quick, 0.1):.1f} times as long as the quickest (at most 2.5)."
        yield "Beside a peer, as a live frame and with 12 megapixels: `python -m benchmarks.photo`."


def report(columns: Mapping[str, Sequence[Record]]) -> Iterator[str]:
    """The table as Markdown, a column for each folder of records; then each photo of a hand, and speed."""
    found = {name: {(f.part, f.what): f for f in figures(some)} for name, some in columns.items()}
    keys = dict.fromkeys(key for each in found.values() for key in each)
    should = {key: each[key].should for each in found.values() for key in each}

    def cell(name: str, key: tuple[str, str]) -> str:
        return str(found[name][key].share) if key in found[name] else ""

    rows = [(*key, *(cell(name, key) for name in found), should[key]) for key in keys]
    yield from table(("part", "what", *found, "should be"), rows)
    for name, some in columns.items():
        hands = [record for record in some if record["part"] == "hands"]
        yield from ("", f"## Photographed hands: {name}", "")
        rows = [
            (r["name"], r["became"], " ".join(r["missed"]), r["message"] or "", _percent(r["confidence"]))
            for r in hands
        ]
        yield from table(("photo", "became", "missed", "message", "confidence"), rows)
        yield ""
        yield from _speed(some)


def _percent(confidence: float | None) -> str:
    return "" if confidence is None else f"{confidence:.1%}".replace("%", " %")


def _write(out: Path, columns: Mapping[str, Sequence[Record]]) -> None:
    (out / "figures.txt").write_text("\n".join(report(columns)) + "\n", encoding="utf-8")
    some = next(iter(columns.values()))
    ships, (_, *networks) = Engine(), (out / "reader.txt").read_text().split()
    shipped = {name: getattr(ships, name) for name in ("finder", "faces", "scene")}
    files = shipped | dict(each.split("=", 1) for each in networks)
    digests = {name: hashlib.sha256(Path(file).read_bytes()).hexdigest() for name, file in files.items()}
    whole = {"models": digests} | _values(some)
    (out / "figures.json").write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")


def _values(some: Sequence[Record]) -> Record:
    """What cards are made from, as JSON values: the figures, and all that is behind them."""
    wanted = expected()
    hands = [record for record in some if record["part"] == "hands" and record["name"].endswith(" whole")]
    return {
        "figures": [each.to_record() for each in figures(some)],
        "uses": {use: tally.to_record() for use in USES if (tally := _tally(use, some)).photos},
        "outcomes": [
            {
                "file": (file := record["name"].removesuffix(" whole")),
                "outcome": wanted[file].words,
                "met": record["became"] == "met",
                **{name: record[name] for name in ("missed", "message", "confidence", "doubts")},
            }
            for record in hands
        ],
        **{
            name: _scenes([record for record in some if record["part"] == part])
            for name, part in (("scenes", "old mix"), ("new_scenes", "new layouts"))
        },
    }


def _scenes(some: Sequence[Record]) -> Record:
    """What became of drawn scenes, and the seeds that drew them."""
    seeds = sorted({int(record["name"].partition("/")[0]) for record in some})
    return {"seeds": seeds, **summary([_scene(record) for record in some])}


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m models.measure", description="Measure how photos are read, with any reader."
    )
    parser.add_argument("out", type=Path, help="folder for what became of each photo, and the table")
    parser.add_argument("--reader", default="models.measure:today", help="module:factory of the reader")
    parser.add_argument("--network", action="append", default=[], help="name=FILE for the reader")
    parser.add_argument("--old", type=Path, help="drawn scenes of the old mix (--kind game)")
    parser.add_argument("--new", type=Path, help="drawn scenes of hands as people lay them (--kind varied)")
    parser.add_argument("--photos", type=Path, help=f"folder of real photos, such as {PHOTOS}")
    parser.add_argument("--uses", nargs="*", default=USES, help="of the labelled photos; train: to tune on")
    parser.add_argument("--most", type=int, help="so many scenes of either kind at most")
    parser.add_argument("--workers", type=int, default=1, help="processes that read")
    parser.add_argument("--beside", type=Path, nargs="*", default=(), help="other folders, a column each")
    args = parser.parse_args(arguments)
    if args.workers < 1:
        parser.error("--workers is at least 1")
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
