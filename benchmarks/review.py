"""How soon ``tehai review`` answers, and what it shows first: ``python -m benchmarks.review {size,order}``.

``size``: writes a journal of ``--most`` made-up photos of 35 tiles, 10,000 unless said, a tenth of them
labelled by people; asks the server without a socket; prints how long opening, each endpoint and accepting by
margins take: on the clock, and of the processor, as the machine may have other work to do.
``order``: reads the photos of ``--photos`` that are held back from training, and prints how much of what is
wrong is in doubt, comes first in the queue, or would be accepted by its margins.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
from starlette.testclient import TestClient

from datasets.photos import PHOTOS, Photo, read_manifest
from tehai.label import journal
from tehai.label.labeller import Labeller
from tehai.review.app import make_app
from tehai.review.hardness import RULES, hardness, reasons
from tehai.review.store import Store
from vision.labels import FACES
from vision.reader import Engine, Reader

TILES = 35
WALL = [face for face in FACES if face[0] != "0" for _ in range(4)]
REPEATS = 15


def photo(number: int, random: np.random.Generator) -> journal.Line:
    """A photo of the first revision, read by the models: of two hundred tiles one is in doubt."""
    sha256 = hashlib.sha256(str(number).encode()).hexdigest()
    return {
        "kind": "photo",
        "revision": 1,
        "sha256": sha256,
        "path": f"{number % 50:02}/{number:06}.jpg",
        "width": 4032,
        "height": 3024,
        "taken": None,
        "phash": sha256,
        "tiles": [
            tile(at, WALL[kind], random) for at, kind in enumerate(random.permutation(len(WALL))[:TILES])
        ],
        "hand": None,
        "status": "incomplete",
        "message": "",
        "ms": 500.0,
        "models": {"faces": {"name": "faces.onnx", "sha256": "0" * 64}},
        "review": {"state": "unreviewed", "by": "models", "at": journal.now()},
    }


def tile(at: int, label: str, random: np.random.Generator) -> dict[str, Any]:
    """A tile of a heap: no two lie in one place."""
    x, y = 100 + 380.0 * (at % 10), 100 + 480.0 * (at // 10)
    sure = 0.5 + 0.46 * random.random() if random.random() < 0.005 else 0.96
    return {
        "quad": [[x, y], [x + 120.5, y + 3.2], [x + 118.1, y + 163.4], [x - 2.7, y + 160.9]],
        "label": label,
        "probability": sure,
        "margin": round(2 * sure - 1, 4),
        "top3": [[label, sure], ["back", round(1 - sure, 4)], ["none", 0.0]],
        "role": "other",
        "sideways": False,
        "upside_down": False,
        "source": "seen",
    }


def written(photos: int, folder: Path) -> Path:
    """The journal. Its lines are not waited for one by one, as the journal itself would."""
    random = np.random.default_rng(1)
    file = folder / journal.NAME
    with file.open("wb") as out:
        out.write(journal.encode({"kind": "project", "photos": ".", "at": journal.now()}))
        for number in range(photos):
            line = photo(number, random)
            out.write(journal.encode(line))
            if number % 10 == 0:
                tiles = [{**one, "label": "5z"} if at == 0 else one for at, one in enumerate(line["tiles"])]
                review = {"state": "corrected", "by": "anna", "at": journal.now()}
                out.write(journal.encode({**line, "tiles": tiles, "revision": 2, "review": review}))
    return file


def timed(what: str, act: Callable[[], object], repeats: int = REPEATS) -> None:
    """Print the middle and the longest of several times."""
    clock, worked = [], []
    for _ in range(repeats):
        start = time.perf_counter(), time.process_time()
        act()
        clock.append((time.perf_counter() - start[0]) * 1000)
        worked.append((time.process_time() - start[1]) * 1000)
    print(f"{what:44} {median(clock):8.0f} ms, at most {max(clock):6.0f}; processor {median(worked):6.0f} ms")


def megabytes() -> float:
    """The memory of this process, without the journal's pages that the system keeps for it."""
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1e3 for line in status if line.startswith("RssAnon"))


def measure_size(photos: int) -> None:
    """Times and memory with so many photos."""
    with tempfile.TemporaryDirectory() as name:
        file = written(photos, Path(name))
        print(f"{photos} photos, {photos * TILES} tiles, {file.stat().st_size / 1e6:.0f} MB")
        reader = Reader()
        print(f"networks loaded: {megabytes():.0f} MB")
        start = time.process_time()
        with journal.writing(file) as opened:
            print(f"journal read: {time.process_time() - start:.1f} s of the processor, {megabytes():.0f} MB")
            store = Store(opened)
            with store.up_to_date():
                pass
            print(f"queue made:   {time.process_time() - start:.1f} s of the processor, {megabytes():.0f} MB")
            measure(TestClient(make_app(store, reader, "anna"), base_url="http://localhost"))
            print(f"at the end: {megabytes():.0f} MB")


def measure(client: TestClient) -> None:
    """Every endpoint that the number of photos could slow down."""

    def get(path: str) -> Any:
        return client.get(path).raise_for_status().json()

    def accept(key: str) -> None:
        client.put(f"/api/photos/{key}", json={"after": 1, "state": "accepted"}).raise_for_status()

    def accept_and_list(key: str) -> None:
        accept(key)
        get("/api/queue")

    corrected = get("/api/queue?state=corrected&limit=1")["photos"][0]["key"]
    waiting = iter([one["key"] for one in get("/api/queue?limit=200")["photos"]])
    for path in (
        "/api/queue",
        "/api/queue?state=all&face=5z&folder=07&kind=margin",
        "/api/queue?offset=5000&limit=1000",
        "/api/faces/1m",
        "/api/auto",
        f"/api/photos/{next(waiting)}",
        f"/api/photos/{corrected}",
    ):
        timed(f"GET {path[:40]}", partial(get, path))
    timed("PUT accepted", lambda: accept(next(waiting)))
    timed("PUT accepted, then the queue", lambda: accept_and_list(next(waiting)))
    photos = get("/api/auto")["eligible"]
    timed(f"POST auto, {photos} photos", lambda: client.post("/api/auto", json={}).raise_for_status(), 1)


@dataclass(frozen=True, slots=True)
class Read:
    """A photo as it was read. ``margins`` and ``wrong``: of the tiles that have a true box; ``least``: margin
    of all its tiles."""

    margins: tuple[float, ...]
    wrong: tuple[bool, ...]
    least: float
    hardness: float
    legal: bool


def read(photo: Photo, labeller: Labeller) -> Read:
    """The photo read and compared. A tile's true label is that of the box around its middle whose own
    is nearest."""
    _, data = cv2.imencode(".jpg", cv2.cvtColor(photo.load(), cv2.COLOR_RGB2BGR))
    facts = labeller(Bytes(data.tobytes())).facts
    if facts is None:
        raise SystemExit(f"{photo.path} cannot be read")
    line = {**facts, "review": {"state": "unreviewed"}}
    why = tuple(reasons(line))
    margins, wrong = [], []
    for one in line["tiles"]:
        x, y = np.mean(one["quad"], axis=0)
        x0, y0, x1, y1 = photo.boxes.T
        around = np.flatnonzero((x0 < x) & (x < x1) & (y0 < y) & (y < y1))
        if len(around):
            nearest = around[np.hypot((x0 + x1) / 2 - x, (y0 + y1) / 2 - y)[around].argmin()]
            margins.append(one["margin"])
            wrong.append(one["label"] != photo.labels[nearest])
    return Read(
        tuple(margins),
        tuple(wrong),
        min((one["margin"] for one in line["tiles"]), default=-1.0),
        hardness(line, why),
        RULES.isdisjoint(reason.id for reason in why),
    )


@dataclass(frozen=True, slots=True)
class Bytes:
    """A file in memory, for the labeller."""

    data: bytes

    def read_bytes(self) -> bytes:
        return self.data


def measure_order(folder: Path) -> None:
    """Whether what is wrong comes first, on the photos that are held back from training."""
    fit = [
        photo
        for photo in read_manifest(folder, ["train"])
        if photo.held_back and photo.plausible and not photo.whole and not photo.mirrored
    ]
    labeller = Labeller(Engine())
    photos = sorted((read(photo, labeller) for photo in fit), key=lambda one: -one.hardness)
    margins = np.array([margin for one in photos for margin in one.margins])
    wrong = np.array([is_ for one in photos for is_ in one.wrong])
    print(f"{len(photos)} photos, {len(wrong)} tiles with a true label, {wrong.sum()} wrong")
    total = wrong.sum()
    for margin in (0.5, 0.7, 0.8, 0.9):
        low = margins < margin
        held = wrong[low].sum() / total
        print(f"margin below {margin}: {low.mean():.1%} of the tiles, {held:.1%} of the wrong ones")
    for share in (0.25, 0.5, 0.75):
        first = sum(sum(one.wrong) for one in photos[: round(share * len(photos))])
        print(f"first {share:.0%} of the queue: {first / total:.1%} of the wrong tiles")
    for margin in (0.8, 0.85, 0.9):
        accepted = [one for one in photos if one.least >= margin and one.legal]
        unseen = [is_ for one in accepted for is_ in one.wrong]
        print(f"accepted at {margin}: {len(accepted)} photos, {sum(unseen)} of {len(unseen)} tiles wrong")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure tehai review.")
    parser.add_argument("what", choices=("size", "order"))
    parser.add_argument("--most", type=int, default=10_000, help="photos of the journal that is made up")
    parser.add_argument("--photos", type=Path, default=PHOTOS)
    args = parser.parse_args()
    if args.what == "size":
        measure_size(args.most)
    else:
        measure_order(args.photos)


if __name__ == "__main__":
    main()
