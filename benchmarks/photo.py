"""How long a 12-megapixel photo takes: ``python -m benchmarks.photo [PHOTO] [--rounds 20]``.

Prints milliseconds by stage (median, p95) once loaded, seconds of ``tehai score sample --json`` as a whole
process, and peak memory; then how long OpenCV and numpy alone take for the same photo, by turns. Without a
photo the bundled sample is enlarged. Beside the one other reader that can be installed, in the same run, and
with ``--photos`` on how many tiles of real photos each is right::

    python -m venv peer && peer/bin/pip install mahjong-detector==0.0.6
    python -m benchmarks.photo --peer peer/bin/python --photos ../shared/data/photos

``--each DIR`` prints instead what each photo of a folder takes of the processor, by stage, what it takes as
a frame of the live view, and the slowest frame of a camera that sees it until its reading is steady, and how
far the slowest photo is from the quickest. Each is the least of ``--rounds``: times on a busy machine are too
long, never too short.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
MEGAPIXELS = (4000, 3000)

READ = """
import json, resource, sys, time
from vision.reader import read
path, rounds = sys.argv[1], int(sys.argv[2])
start = time.perf_counter()
reading = read(path)
first = time.perf_counter() - start
stages = [read(path).elapsed_ms for _ in range(rounds)]
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
facts = {"tiles": len(reading.tiles), "status": reading.status}
print(json.dumps({"first": first, "stages": stages, "peak": peak, **facts}))
"""

ROOMS = """
import json, sys, time
from types import SimpleNamespace
from vision import pixels
from vision.reader import read
path, rounds = sys.argv[1], int(sys.argv[2])
spent = 0.0
def timed(operation):
    def run(*arguments):
        global spent
        start = time.perf_counter()
        try:
            return operation(*arguments)
        finally:
            spent += (time.perf_counter() - start) * 1000
    return run
operations = [name for name, each in vars(pixels.Backend).items() if callable(each) and name[0] != "_"]
rooms = {
    room.NAME: SimpleNamespace(NAME=room.NAME, **{name: timed(getattr(room, name)) for name in operations})
    for room in pixels.backends()
}
times = {name: [] for name in rooms}
for _ in range(rounds + 1):
    for name, room in rooms.items():
        with pixels.using(room):
            spent = 0.0
            times[name].append([sum(read(path).elapsed_ms.values()), spent])
print(json.dumps({name: each[1:] for name, each in times.items()}))
"""

EACH = """
import json, os, sys, time
os.environ["OMP_NUM_THREADS"] = "1"  # numpy's threads wait for each other, which counts as processor time
time.perf_counter = time.process_time  # of each stage
import cv2
import vision.reader
from tehai.web.photos import see_frame
from tehai.webcam.steady import State, Steady
from vision.image import load
path, rounds = sys.argv[1], int(sys.argv[2])
reader = vision.reader.Reader(vision.reader.Engine(threads=1))
cv2.setNumThreads(1)
pixels = load(path, max_side=960).pixels
_, frame = cv2.imencode(".jpg", pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 80])
def timed(see, what):
    start = time.process_time()
    seen = see(what)
    return seen, (time.process_time() - start) * 1000
def stream():
    steady, taken = Steady(reader), []
    while not taken or taken[-1][0].state is not State.STEADY:
        taken.append(timed(steady.see, pixels))
    return max(milliseconds for _, milliseconds in taken)
def live(jpeg):
    see_frame(reader, jpeg)
live(frame.tobytes())
done = [(reader.read(path), timed(live, frame.tobytes())[1], stream()) for _ in range(rounds)]
readings, frames, streams = zip(*done)
reading = min(readings, key=lambda each: sum(each.elapsed_ms.values()))
facts = {"tiles": len(reading.tiles), "status": reading.status, "frame": min(frames), "camera": min(streams)}
print(json.dumps({"stages": reading.elapsed_ms, **facts}))
"""

PEER = """
import json, sys, time
from mahjong_detector import detect_tiles
path, rounds = sys.argv[1], int(sys.argv[2])
def once():
    start = time.perf_counter()
    detect_tiles(path)
    return (time.perf_counter() - start) * 1000
once()
print(json.dumps([once() for _ in range(rounds)]))
"""

PEER_TILES = """
import json, sys, time
from pathlib import Path
from PIL import Image
from mahjong_detector.predict import CLASS_NAMES, predict
from mahjong_detector.preprocess import preprocess_image
def tiles(path):
    image = Image.open(path).convert("RGB")
    start = time.perf_counter()
    found = predict(*preprocess_image(image))
    ms = (time.perf_counter() - start) * 1000
    return ms, [[d.x1, d.y1, d.x2, d.y2, CLASS_NAMES[d.class_id], d.confidence] for d in found]
paths = sorted(Path(sys.argv[1]).iterdir())
tiles(paths[0])
print(json.dumps([tiles(path) for path in paths]))
"""

SUFFIXES = frozenset((".jpg", ".jpeg", ".png", ".webp"))

PEER_NAMES = {"tou": "1z", "nan": "2z", "sha": "3z", "pe": "4z", "haku": "5z", "hatsu": "6z", "chun": "7z"}


def enlarged(photo: Path, folder: Path) -> Path:
    """The photo as a 12-megapixel JPEG."""
    with Image.open(photo) as image:
        landscape = image.width >= image.height
        size = MEGAPIXELS if landscape else MEGAPIXELS[::-1]
        if image.width * image.height >= 0.9 * size[0] * size[1]:
            return photo
        out = folder / "12-megapixels.jpg"
        image.convert("RGB").resize(size, Image.Resampling.BICUBIC).save(out, quality=90)
        return out


def run(python: str, code: str, *arguments: object) -> str:
    """The last line that the code prints, run by another interpreter in the repository's root."""
    command = [python, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{python} failed: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout.strip().splitlines()[-1]


def summary(name: str, values: Sequence[float], unit: str = "ms") -> str:
    """Median and 95th percentile in one line."""
    ranked = sorted(values)
    p95 = ranked[min(len(ranked) - 1, round(0.95 * (len(ranked) - 1)))]
    return f"{name:<24}{statistics.median(ranked):9.1f} {unit} median {p95:9.1f} {unit} p95"


def whole_process(rounds: int) -> tuple[list[float], float]:
    """Seconds of ``tehai score sample --json`` from start to end, and its peak memory in MB."""
    command = [sys.executable, "-m", "tehai", "score", "sample", "--json"]
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
        if done.returncode:
            raise SystemExit("the sample was not scored, so its time says nothing")
        seconds.append(time.perf_counter() - start)
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def rooms(photo: Path, rounds: int) -> None:
    """Print how long reading takes with numpy alone beside OpenCV, round by round in one process."""
    measured: dict[str, list[list[float]]] = json.loads(run(sys.executable, ROOMS, photo, rounds))
    middle = {
        name: [statistics.median(column) for column in zip(*times, strict=True)]
        for name, times in measured.items()
    }
    print()
    for name, (whole, pixels) in middle.items():
        print(f"by {name:<21}{whole:9.1f} ms median {pixels:9.1f} ms of it for pixels")
    if len(middle) == 2:
        (whole, pixels), (longer, more) = middle.values()
        print(f"{'ratio':<24}{longer / whole:9.2f}{more / pixels:20.2f} of OpenCV's time")


def each(folder: Path, rounds: int) -> None:
    """Print the processor time of each photo of a folder, read and as a frame of the live view."""
    photos = [path for path in sorted(folder.iterdir()) if path.suffix.lower() in SUFFIXES]
    if not photos:
        raise SystemExit(f"{folder} holds no photo.")
    read, frames, cameras = [], [], []
    print("milliseconds of the processor, one thread")
    for path in photos:
        measured = json.loads(run(sys.executable, EACH, path, rounds))
        stages: dict[str, float] = measured["stages"]
        read.append(sum(stages.values()))
        frames.append(measured["frame"])
        cameras.append(measured["camera"])
        by_stage = ", ".join(f"{stage} {time:.0f}" for stage, time in stages.items())
        print(
            f"{path.name[:32]:<33}{read[-1]:6.0f} ({by_stage}), {measured['tiles']} tiles, "
            f"{measured['status']}; as a frame {frames[-1]:.0f}, of a camera's the slowest {cameras[-1]:.0f}",
            flush=True,
        )
    print(f"\nslowest {max(read):.0f}, quickest {min(read):.0f}: {max(read) / min(read):.1f} times as long")
    print(f"slowest frame {max(frames):.0f}, quickest {min(frames):.0f}; of a camera's {max(cameras):.0f}")


def beside(python: str, folder: Path) -> None:
    """Print how many tiles of the photos kept for measuring are right, ours and the peer's.

    Decoding the files is not timed.
    """
    sys.path.insert(0, str(ROOT))  # of a script only its own folder is there
    from datasets.photos import USES, read_manifest
    from models.tally import Tally
    from vision.reader import Engine, Reader
    from vision.reading import SeenTile

    reader = Reader(Engine())
    print("\nright tiles; the peer looks at grey and has no red fives, so none of these is right")
    for use in USES:
        photos = read_manifest(folder, [use])
        ours, theirs = Tally.of(use), Tally()
        for photo in photos:
            rgb = photo.load()
            start = time.perf_counter()
            reading = reader.read(rgb)
            ours.milliseconds.append((time.perf_counter() - start) * 1000)
            ours.add(reading.tiles, photo.boxes, photo.labels)
        with tempfile.TemporaryDirectory() as pictures:
            for number, photo in enumerate(photos):
                Image.fromarray(photo.load()).save(f"{pictures}/{number:04}.png", compress_level=1)
            answers = json.loads(run(python, PEER_TILES, pictures))
        for photo, (ms, found) in zip(photos, answers, strict=True):
            theirs.milliseconds.append(ms)
            tiles = [
                SeenTile(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), PEER_NAMES.get(name, name), p, ("", 0.0))
                for x0, y0, x1, y1, name, p in found
            ]
            theirs.add(tiles, photo.boxes, photo.labels)
        for name, tally in (("tehai", ours), ("mahjong-detector", theirs)):
            row = tally.to_record()
            print(
                f"{use:<12}{name:<17}right {row['right']:7.2%}, "
                f"without fives {row['right_without_fives']:7.2%}, "
                f"found {row['found']:7.2%}, {row['ms_median']:6.1f} ms median"
            )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("photo", nargs="?", type=Path, default=ROOT / "tehai" / "hand" / "sample.jpg")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--peer", type=Path, help="interpreter of an environment with mahjong-detector 0.0.6")
    parser.add_argument("--photos", type=Path, help="labelled photos, on which the peer is compared too")
    parser.add_argument("--each", type=Path, metavar="DIR", help="measure each photo of a folder instead")
    options = parser.parse_args()
    if options.each is not None:
        if not options.each.is_dir():
            raise SystemExit(f"{options.each} is no folder; name one with photos.")
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        each(options.each, options.rounds)
        return
    if not options.photo.is_file():
        raise SystemExit(f"{options.photo} is not there; name a photo.")
    if options.peer is None and options.photos is not None:
        raise SystemExit("--photos compares with the peer: name its interpreter with --peer.")
    if options.peer is not None and not options.peer.is_file():
        raise SystemExit(f"{options.peer} is not there; name the interpreter that has mahjong-detector.")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    if (ROOT / "tehai" / "hand" / "sample.jpg").is_file():
        seconds, peak = whole_process(5)
        print(summary("tehai score sample --json", seconds, "s "))
        print(f"{'its peak memory':<24}{peak:9.0f} MB")
    with tempfile.TemporaryDirectory() as folder:
        photo = enlarged(options.photo, Path(folder))
        measured = json.loads(run(sys.executable, READ, photo, options.rounds))
        stages: list[dict[str, float]] = measured["stages"]
        totals = [sum(stage.values()) for stage in stages]
        print(
            f"\n12-megapixel JPEG, {measured['tiles']} tiles, {measured['status']}, {options.rounds} rounds"
        )
        print(f"{'loading and first photo':<24}{measured['first'] * 1000:9.1f} ms")
        for stage in stages[0]:
            print(summary(f"  {stage}", [times[stage] for times in stages]))
        print(summary("reading", totals))
        print(f"{'peak memory':<24}{measured['peak']:9.0f} MB")
        rooms(photo, options.rounds)
        if options.peer is None:
            print("\npeer: not measured; --peer names an environment with mahjong-detector 0.0.6")
            return
        theirs: list[float] = json.loads(run(str(options.peer.absolute()), PEER, photo, options.rounds))
        print(summary("\nmahjong-detector", theirs))
        ratio = statistics.median(totals) / statistics.median(theirs)
        print(f"{'ratio':<24}{ratio:9.2f} of the peer's time")
    if options.photos is not None:
        beside(str(options.peer.absolute()), options.photos)


if __name__ == "__main__":
    main()
