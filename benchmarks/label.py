"""How fast, right and lean ``tehai label`` is: ``python -m benchmarks.label
{truth,speed,memory,journal,index,review,ray}``.

``truth``: labels the photos of one use of ``--photos`` and compares every tile with the truth, unreviewed.
``review``: labels ``--most`` of the training photos into ``--out`` and reviews them as their truth says, for
``python -m models.train faces --labels``.
``speed``: photos a second one by one in one process, and by crews of workers and threads.
``memory``: labels ``--most`` small photos, 10,000 unless said, and prints memory as the run goes on.
``journal``: the same of the journal alone, without reading a photo.
``index``: what ``tehai stats`` and the first answer of ``tehai review`` take, each a process of its own, on a
journal of ``--most`` made-up photos of 35 tiles, 100,000 unless said: without an index, with it, after a
review; and what making the whole index takes.
``ray``: labels ``--most`` small photos, 2,000 unless said, on Ray, twice, and prints what the process that
writes takes for each, and its workers' memory.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from datasets.boxes import match
from datasets.photos import COMPLETE, PHOTOS, Photo, read_manifest
from models.tally import FOUND, Tally
from tehai.hand.sample import sample_path
from tehai.label import journal
from tehai.label.labeller import PhotoResult
from tehai.label.run import Run, digest, label
from tehai.label.workers import Crew, Job, crew, labeller, read_all
from vision.labels import FACES
from vision.quads import bounds, box_iou
from vision.reader import Engine, Reader
from vision.reading import SeenTile, quad_of

ROOT = Path(__file__).resolve().parent.parent
MODES = ("truth", "speed", "memory", "journal", "index", "review", "ray")
CREWS = (Crew(1, 1), Crew(1, 2), Crew(2, 1), Crew(2, 2), Crew(4, 1))


def upright(photos: Sequence[Photo], folder: Path) -> dict[str, Photo]:
    """The photos without their stretching, as files; by the names of the files."""
    files = {}
    for number, photo in enumerate(photos):
        name = f"{number:05}.jpg"
        bgr = cv2.cvtColor(photo.load(), cv2.COLOR_RGB2BGR)
        cv2.imwrite(str(folder / name), bgr, [cv2.IMWRITE_JPEG_QUALITY, 98])
        files[name] = photo
    return files


def measure_truth(photos: Sequence[Photo], use: str, workers: int | None) -> None:
    """Label and compare."""
    with tempfile.TemporaryDirectory() as name:
        files = upright(photos, Path(name))
        run = label(Path(name), None, workers, print)
        tally = Tally(extra=0 if use in COMPLETE else None)
        with journal.reading(Path(name) / journal.NAME) as opened:
            for line in opened.photos():
                tiles = [_seen(tile) for tile in line["tiles"]]
                tally.add(tiles, files[line["path"]].boxes, files[line["path"]].labels)
    facts = tally.to_record()
    print(
        f"{use}: {facts['photos']} photos, {facts['tiles']} tiles: found {facts['found']:.2%}, right "
        f"{facts['right']:.2%}, extra {facts['extra']}, {facts['photos_wholly_right']} photos wholly right; "
        f"{run.seconds / max(run.read, 1):.2f} s a photo with {(crew(workers)).workers} workers"
    )
    print("   ", ", ".join(f"{pair} {count}" for pair, count in facts["confusions"]) or "no confusions")


def review(photos: Sequence[Photo], out: Path, workers: int | None) -> None:
    """Label photos, and say of each what a person would who knows its truth: accepted, or corrected. Where
    the truth does not hold every tile, what it holds is imported; photos with a tile that was not found stay
    as they are."""
    out.mkdir(parents=True)
    files = upright(photos, out)
    label(out, None, workers, print)
    states: Counter[str] = Counter()
    with journal.writing(out / journal.NAME) as opened:
        for line in list(opened.photos()):
            photo = files[line["path"]]
            quads = np.array([tile["quad"] for tile in line["tiles"]], np.float32).reshape(-1, 4, 2)
            scores = np.array([tile["probability"] for tile in line["tiles"]], np.float32)
            pairs = match(scores, box_iou(bounds(quads), photo.boxes), FOUND) if len(quads) else []
            if not pairs or (photo.complete and len(pairs) < len(photo.boxes)):
                states["unreviewed"] += 1
                continue
            tiles = [
                {**line["tiles"][i], "label": photo.labels[j]} for i, j in pairs if photo.labels[j] in FACES
            ]
            before, after = (
                {(str(tile["quad"]), tile["label"]) for tile in some} for some in (line["tiles"], tiles)
            )
            state = ("accepted" if before == after else "corrected") if photo.complete else "imported"
            review = {"state": state, "by": "manifest", "at": journal.now()}
            later = {**line, "revision": line["revision"] + 1, "tiles": tiles, "review": review}
            opened.append(later, after=1)
            states[state] += 1
            states["tiles"] += len(tiles)
            states["tiles with another label"] += len(after - before)
    print(", ".join(f"{count} {what}" for what, count in states.items()))


def _seen(tile: dict[str, object]) -> SeenTile:
    quad = quad_of(tile["quad"])  # type: ignore[arg-type]
    return SeenTile(quad, str(tile["label"]), float(str(tile["probability"])), ("", 0.0))


def measure_speed(photos: Sequence[Photo]) -> None:
    """Photos a second, starting included neither here nor there: the first photo of each is not counted."""
    with tempfile.TemporaryDirectory() as name:
        jobs = [
            Job(file, Path(name) / file, digest(Path(name) / file)) for file in upright(photos, Path(name))
        ]
        reader = Reader(Engine(threads=2))
        reader.read(Path(name) / jobs[0].path)
        start = time.perf_counter()
        for job in jobs[1:]:
            reader.read(Path(name) / job.path)
        alone = (len(jobs) - 1) / (time.perf_counter() - start)
        print(f"one by one, 2 threads, without candidates and hash: {alone:.2f} photos/s")
        for each in CREWS:
            times = [time.perf_counter() for _ in read_all([*jobs[: each.workers], *jobs], each)]
            measured = times[2 * each.workers :]
            rate = (len(measured) - 1) / (measured[-1] - measured[0])
            print(
                f"{each.workers} workers × {each.threads} threads: {rate:.2f} photos/s ({rate / alone:.2f} ×)"
            )


def measure_memory(most: int, workers: int | None) -> None:
    """Resident memory of the run's processes, a line now and then."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _cloth(folder, most)
        command = [sys.executable, "-m", "tehai", "label", name]
        command += [] if workers is None else ["--workers", str(workers)]
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=ROOT)
        step = 0
        while process.poll() is None:
            time.sleep(1)
            file = folder / journal.NAME
            done = file.read_bytes().count(b"\n") if file.exists() else 0
            if done >= step:
                step += max(most // 20, 1)
                megabytes = [f"{resident(pid) / 1e6:.0f}" for pid in (process.pid, *children(process.pid))]
                print(
                    f"{time.perf_counter() - start:5.0f} s {done:6} photos  MB: {' '.join(megabytes)}",
                    flush=True,
                )


def _cloth(folder: Path, most: int) -> None:
    """Plain cloth, hence no tiles: what grows must be the run itself."""
    noise = np.random.default_rng(1)
    for number in range(most):
        cloth = noise.normal(120, 3, (48, 64, 3)).clip(0, 255).astype(np.uint8)
        cv2.imwrite(str(folder / f"{number:06}.jpg"), cloth)


def measure_journal(most: int) -> None:
    """Memory and time of the process that writes, with photos of 34 tiles that nobody has to read; then of
    one that opens the journal and goes through it."""
    tile = {"quad": [[406.3, 681.6], [486.9, 690.5], [463.5, 769.8], [382.9, 760.8]], "label": "0p"}
    facts = {
        "width": 4000, "height": 3000, "taken": None, "hand": None, "status": "incomplete", "message": "",
        "tiles": [
            {**tile, "probability": 0.9039, "margin": 0.8859, "role": "hand", "sideways": False,
             "upside_down": False, "source": "seen", "top3": [["0p", 0.9039], ["5p", 0.018], ["0m", 0.0077]]}
        ] * 34,
    }  # fmt: skip
    models = {name: {"name": name, "sha256": "0" * 64} for name in ("finder", "faces")}
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / journal.NAME
        start = time.perf_counter()
        with journal.writing(file, Path(name)) as opened:
            run = Run(opened, Path(name), models, skip=lambda: None)
            for number in range(most):
                if number % max(most // 10, 1) == 0:
                    _say_memory(start, number)
                sha256 = hashlib.sha256(str(number).encode()).hexdigest()
                job = Job(f"{number:07}.jpg", Path(name) / f"{number:07}.jpg", sha256)
                run.claimed[sha256] = [job.path]
                run.take(job, PhotoResult(sha256, {**facts, "phash": sha256}))
            _say_memory(start, most)
        start = time.perf_counter()
        with journal.reading(file) as opened:
            _say_memory(start, len(opened.index.photos))
            tiles = sum(len(line["tiles"]) for line in opened.photos())
            _say_memory(start, tiles // 34)


def measure_index(most: int) -> None:
    """Processes from their start: time on the clock, of the processor, memory at most."""
    from benchmarks.review import written

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = written(most, folder)
        kept = file.with_name(f".{file.name}.index")
        print(f"{most} photos, {file.stat().st_size / 1e6:.0f} MB", flush=True)
        for what, before, commands in (
            ("no index", partial(kept.unlink, missing_ok=True), ("stats", "review", "prepare")),
            ("index", partial(bool), ("stats", "review")),
            ("after a review", partial(_accept, file), ("stats", "review")),
        ):
            for command in commands:
                before()
                print(f"{what:15} {command:7} {_process(command, folder)}", flush=True)
        print(f"the index has {kept.stat().st_size / 1e6:.0f} MB")


def _accept(file: Path) -> None:
    """A person accepts the next photo."""
    with journal.writing(file) as opened:
        sha256 = next(key for key, entry in opened.index.photos.items() if entry.state == "unreviewed")
        line = opened.photo(sha256)
        review = {"state": "accepted", "by": "anna", "at": journal.now()}
        opened.append({**line, "revision": line["revision"] + 1, "review": review}, after=line["revision"])


_PREPARE = "import sys, pathlib, tehai.review.queue as queue; queue.prepare(pathlib.Path(sys.argv[1]))"


def _process(what: str, folder: Path) -> str:
    """What a command took; of a review until the queue has come, by the socket."""
    start = time.perf_counter()
    if what == "prepare":
        command = [sys.executable, "-c", _PREPARE, str(folder / journal.NAME)]
    else:
        options = ["--port", "0", "--no-browser"] if what == "review" else []
        command = [sys.executable, "-m", "tehai", what, str(folder), *options]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    if what == "review":
        url = next(line for line in process.stdout if line.startswith("http"))
        with urllib.request.urlopen(f"{url.strip()}api/queue") as answer:
            answer.read()
        seconds = time.perf_counter() - start
        process.send_signal(signal.SIGINT)
    process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if what != "review":
        seconds = time.perf_counter() - start
    worked = used.ru_utime + used.ru_stime
    return f"{seconds:5.1f} s, {worked:5.1f} s of the processor, {used.ru_maxrss / 1e3:.0f} MB at most"


def measure_ray(most: int, workers: int | None) -> None:
    """What each photo costs the one process that writes; then what a photo costs that is known already."""
    from tehai.label import cluster

    with tempfile.TemporaryDirectory() as name, cluster.joined():
        _cloth(Path(name), most)
        shutil.copy(sample_path(), Path(name) / "sample.jpg")
        for what in ("read", "known"):
            wall, cpu = time.perf_counter(), time.process_time()
            label(Path(name), None, workers, print, "ray")
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            print(
                f"{what}: {cpu / most * 1000:.1f} ms of the writing process a photo, {wall:.0f} s in all, "
                f"{resident(os.getpid()) / 1e6:.0f} MB"
            )
        looked = labeller(threads=1)(sample_path())
        tiles = len((looked.facts or {})["tiles"])
        print(f"a photo of {tiles} tiles comes back in {len(pickle.dumps(looked))} bytes")


def _say_memory(start: float, photos: int) -> None:
    megabytes = resident(os.getpid()) / 1e6
    print(f"{time.perf_counter() - start:5.0f} s {photos:6} photos  MB: {megabytes:.0f}", flush=True)


def children(pid: int) -> list[int]:
    """Processes that a process has started (Linux)."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def resident(pid: int) -> int:
    """Bytes of memory of a process (Linux)."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Measure tehai label.")
    parser.add_argument("what", choices=MODES)
    parser.add_argument("--photos", type=Path, default=PHOTOS)
    parser.add_argument("--use", default="eval-tray")
    parser.add_argument("--most", type=int)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--out", type=Path, default=Path("runs/labelled"), help="a new folder")
    args = parser.parse_args(arguments)
    if args.what == "memory":
        measure_memory(args.most or 10_000, args.workers)
        return
    if args.what == "ray":
        measure_ray(args.most or 2_000, args.workers)
        return
    if args.what == "index":
        measure_index(args.most or 100_000)
        return
    if args.what == "journal":
        measure_journal(args.most or 10_000)
        return
    try:
        photos = read_manifest(args.photos, ["train" if args.what == "review" else args.use])
    except OSError as error:
        parser.error(str(error))
    if args.what == "review":
        fit = [p for p in photos if p.shaped and p.plausible and not (p.whole or p.mirrored or p.held_back)]
        review(fit[:: max(1, len(fit) // args.most) if args.most else 1][: args.most], args.out, args.workers)
        return
    photos = photos[: args.most]
    if args.what == "truth":
        measure_truth(photos, args.use, args.workers)
    else:
        measure_speed(photos)


if __name__ == "__main__":
    main()
