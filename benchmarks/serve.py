"""The server under load: ``python -m benchmarks.serve [PHOTO] [--clients 10] [--photos 20] [--rounds 10]``.

Starts ``tehai serve --lan 127.0.0.1`` and asks it as phones do, each with a cookie of its own. Prints the
milliseconds of ``/api/read`` of a 12-megapixel JPEG, of ``/api/find`` of a frame 1280 pixels wide and of
``/api/score``; then all clients send their photos at once: how many failed, how long one waited, the server's
memory before, at its highest and after; then the largest photos that are let through, in the formats that
take most; and what is held when nobody has sent a photo for a while. Ends with 1 if any request failed or the
memory grew on and on.
"""

from __future__ import annotations

import argparse
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # of a script only its own folder is there

from benchmarks.photo import MEGAPIXELS, summary  # noqa: E402
from tehai.web.worker_pool import QUIET  # noqa: E402

GROWTH = 1.15
"""Times its memory after a third of the photos that the server may have after all of them."""


@dataclass(frozen=True, slots=True)
class Server:
    """``url`` holds the token; ``process`` is asked for its memory."""

    url: str
    process: subprocess.Popen[str]

    @contextmanager
    def phone(self) -> Iterator[httpx.Client]:
        """A client that has scanned the code."""
        with httpx.Client(base_url=self.url.partition("?")[0], timeout=600) as client:
            client.get(self.url).raise_for_status()
            yield client

    def memory(self, field: str = "VmRSS") -> float:
        """MB that the process holds, or has held at most (``VmHWM``); 0 where nobody says (not on Linux)."""
        try:
            lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        except OSError:
            return 0.0
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field))


@contextmanager
def served() -> Iterator[Server]:
    command = [sys.executable, "-m", "tehai", "serve", "--lan", "127.0.0.1", "--port", "0"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        if not url.startswith("http"):
            raise SystemExit(f"the server did not start: {url}")
        with httpx.Client() as client:
            while True:
                try:
                    client.get(url)
                    break
                except httpx.ConnectError:
                    time.sleep(0.1)
        yield Server(url, process)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def resized(photo: Path, size: tuple[int, int]) -> bytes:
    """The photo as a JPEG of that size, turned as it lies."""
    with Image.open(photo) as image:
        wanted = size if image.width >= image.height else size[::-1]
        file = io.BytesIO()
        image.convert("RGB").resize(wanted, Image.Resampling.BICUBIC).save(file, "JPEG", quality=90)
    return file.getvalue()


def milliseconds(client: httpx.Client, path: str, rounds: int, **request: Any) -> list[float]:
    """How long each of so many answers took, after one that is not counted."""
    times = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        client.post(path, **request).raise_for_status()
        times.append((time.perf_counter() - start) * 1000)
    return times[1:]


def latency(server: Server, photo: Path, rounds: int) -> None:
    large, frame = resized(photo, MEGAPIXELS), resized(photo, (1280, 960))
    with server.phone() as phone:
        read = milliseconds(phone, "/api/read", rounds, files={"photo": ("p.jpg", large)})
        print(summary("read, 12 megapixels", read))
        print(summary("find, 1280 pixels", milliseconds(phone, "/api/find", rounds, files={"photo": frame})))
        record = phone.post("/api/read", files={"photo": ("p.jpg", frame)}).json()["record"]
        print(summary("score", milliseconds(phone, "/api/score", rounds, json={"record": record})))


def load(server: Server, photo: bytes, clients: int, photos: int) -> bool:
    """All clients at once; whether none failed and the memory stayed bounded."""
    done: list[tuple[int, float, float]] = []

    def evening(_: int) -> None:
        with server.phone() as phone:
            for _ in range(photos):
                start = time.perf_counter()
                try:
                    status = phone.post("/api/read", files={"photo": ("p.jpg", photo)}).status_code
                except httpx.HTTPError as error:
                    print(f"  failed: {error!r}")
                    status = 0
                done.append((status, (time.perf_counter() - start) * 1000, server.memory()))

    before, start = server.memory(), time.perf_counter()
    with ThreadPoolExecutor(clients) as phones:
        list(phones.map(evening, range(clients)))
    seconds = time.perf_counter() - start
    failed = sum(status != 200 for status, _, _ in done)
    warm, after = done[len(done) // 3][2], server.memory()
    print(
        f"\n{clients} clients × {photos} photos: {failed} failed, {len(done) / seconds:.1f} photos a second"
    )
    print(summary("an answer", [time for _, time, _ in done]))
    print(f"{'memory':<24}{before:9.0f} MB before {warm:6.0f} MB after a third {after:6.0f} MB after all")
    print(f"{'at its highest':<24}{server.memory('VmHWM'):9.0f} MB")
    return not failed and after <= GROWTH * warm


def large(mode: str, size: tuple[int, int], format: str, **options: Any) -> bytes:
    """A photo of one colour: many pixels in a small file."""
    file = io.BytesIO()
    Image.new(mode, size).save(file, format, **options)
    return file.getvalue()


def phones_own(server: Server, photo: Path) -> bool:
    """Photos as phones take them, one after the other; whether all were answered."""
    answered = True
    print()
    with server.phone() as phone:
        for megapixels, size, times in ((12, MEGAPIXELS, 10), (48, (8000, 6000), 1), (64, (9248, 6944), 1)):
            taken = resized(photo, size)
            for _ in range(times):
                answered &= phone.post("/api/read", files={"photo": ("p", taken)}).status_code == 200
            told(server, f"{times} × {megapixels} megapixels")
    idle(server)
    return answered


def told(server: Server, name: str) -> None:
    print(f"{name:<30}{server.memory('VmHWM'):6.0f} MB at the highest {server.memory():6.0f} MB after")


def idle(server: Server) -> None:
    """Nobody sends a photo until the server has given back what it held for the next one."""
    time.sleep(QUIET + 2)
    told(server, f"idle for {QUIET + 2:.0f} s")


def largest(server: Server) -> bool:
    """The largest photos that are let through; whether all were answered."""
    answered = True
    photos = {
        "PNG, 64 megapixels": large("RGBA", (8000, 8000), "PNG", compress_level=9),
        "JPEG in CMYK, 64 megapixels": large("CMYK", (8000, 8000), "JPEG"),
        "WebP, 32 megapixels": large("RGBA", (8000, 4000), "WEBP", lossless=True, method=0),
    }
    print()
    with server.phone() as phone:
        for name, photo in photos.items():
            answered &= phone.post("/api/read", files={"photo": ("p", photo)}).status_code == 200
            told(server, name)
    idle(server)
    return answered


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("photo", nargs="?", type=Path, default=ROOT / "tehai" / "hand" / "sample.jpg")
    parser.add_argument("--clients", type=int, default=10)
    parser.add_argument("--photos", type=int, default=20, help="of each client")
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    if not options.photo.is_file():
        raise SystemExit(f"{options.photo} is not there; name a photo.")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with served() as server:
        print(f"{'memory at the start':<24}{server.memory():9.0f} MB")
        answered = phones_own(server, options.photo)
        latency(server, options.photo, options.rounds)
        held = load(server, options.photo.read_bytes(), options.clients, options.photos)
        answered &= largest(server)
    if not (held and answered):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
