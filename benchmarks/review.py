"""How soon ``tehai review`` answers, and what it takes of memory: ``python benchmarks/review.py``.

Writes a journal of ``--photos`` made-up photos of 35 tiles, 10,000 unless said, a tenth of them labelled by
people; asks the server without a socket; prints how long opening, each endpoint and accepting by margins
take: on the clock, and of the processor, as the machine may have other work to do.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from starlette.testclient import TestClient

from tehai.label import journal
from tehai.review.app import make_app
from tehai.review.store import Store
from vision.labels import FACES
from vision.reader import Reader

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
                said = [{**one, "label": "5z"} if at == 0 else one for at, one in enumerate(line["tiles"])]
                review = {"state": "corrected", "by": "anna", "at": journal.now()}
                out.write(journal.encode({**line, "tiles": said, "revision": 2, "review": review}))
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


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--photos", type=int, default=10_000)
    photos = parser.parse_args().photos
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


if __name__ == "__main__":
    main()
