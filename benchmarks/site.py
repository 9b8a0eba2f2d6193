"""The page without a server beside its bars: ``python -m benchmarks.site OUT [--rounds 3] [--photos 20]``.

OUT is what ``tehai site build`` has made. Chromium opens it as a phone: what a first visit brings, packed
as hosts pack it; seconds from opening the page to the score of a typed hand and of the sample photo, on
the first visit, on later ones, and on those with a quarter of the processor (the page's process stopped
three quarters of the time); milliseconds of the sample and of an answer, beside the same code natively in
the same run; memory of the page's process after half of the photos and after all of them. Ends with 1
where a bar is missed, which on a machine that is busy with other things says little. Needs the extra
``test`` and Debian's Chromium.
"""

from __future__ import annotations

import argparse
import gzip
import os
import signal
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

from playwright.sync_api import BrowserContext, Page, sync_playwright

from tehai.hand.inputs import from_reading
from tehai.hand.sample import sample_path
from tehai.web.hands import scored
from tests.end_to_end.page import CHROMIUM, FLAGS, PHONE
from tests.end_to_end.site import Host
from vision.reader import Engine, Reader

WAIT: Final = 240_000
"""Milliseconds."""

ASK: Final = """
const { send } = await import("./transport.js");
const json = { "Content-Type": "application/json" };
const record = { concealed: "234m340567p2267s", win_tile: "8s", tsumo: false, seat_wind: "S" };
const typed = async () => (await send("api/score", { method: "POST", headers: json, body: JSON.stringify({ record }) })).json();
const photo = new File([await (await fetch("sample.jpg")).blob()], "sample.jpg");
const read = async () => {
	const body = new FormData();
	body.append("photo", photo);
	return (await send("api/read", { method: "POST", body })).json();
};
"""  # noqa: E501
"""How the page itself asks."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A measure and the most that it may be."""

    name: str
    value: float
    most: float
    unit: str

    def __str__(self) -> str:
        verdict = "" if self.value <= self.most else "   MISSED"
        return f"{self.name:<52}{self.value:9.2f} {self.unit:<3} of {self.most:g}{verdict}"


def ask(page: Page, script: str) -> Any:
    return page.evaluate(f"(async () => {{ {ASK} {script} }})()")


def scores(page: Page, url: str) -> tuple[float, float]:
    """Seconds from opening the page to the score of a typed hand, and to that of the sample."""
    page.set_default_timeout(WAIT)
    page.goto(url, wait_until="commit")
    page.wait_for_load_state("domcontentloaded")
    done = ask(
        page,
        "await typed(); const first = performance.now();"
        " const { result } = await read(); return [first, performance.now(), result.points];",
    )
    assert done[2] > 0
    return done[0] / 1000, done[1] / 1000


def renderers(context: BrowserContext) -> list[int]:
    """The processes that show pages: children of ours that say so."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes()
            if b"--type=renderer" in words and _is_ours(int(place.name)):
                found.append(int(place.name))
        except OSError:
            continue
    return found


def _is_ours(process: int) -> bool:
    while process > 1:
        if process == os.getpid():
            return True
        stat = Path(f"/proc/{process}/stat").read_text()
        process = int(stat.rpartition(")")[2].split()[1])
    return False


def memory(context: BrowserContext) -> float:
    """MB of the largest process that shows a page, its share of what is shared counted."""
    sizes = [0.0]
    for process in renderers(context):
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        sizes += [int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")]
    return max(sizes)


@contextmanager
def slowed(context: BrowserContext, times: float, beat: float = 0.02) -> Iterator[None]:
    """Every page's process runs a part of the time only."""
    over = Event()

    def hold() -> None:
        while not over.is_set():
            processes = renderers(context)
            until = time.monotonic() + 0.5
            while time.monotonic() < until and not over.is_set():
                _tell(processes, signal.SIGSTOP)
                time.sleep(beat * (1 - 1 / times))
                _tell(processes, signal.SIGCONT)
                time.sleep(beat / times)

    holding = Thread(target=hold)
    holding.start()
    try:
        yield
    finally:
        over.set()
        holding.join()


def _tell(processes: list[int], what: signal.Signals) -> None:
    for process in processes:
        try:
            os.kill(process, what)
        except ProcessLookupError:
            continue


def median(act: Callable[[], object], rounds: int) -> float:
    """Milliseconds."""
    spent = []
    for _ in range(rounds):
        start = time.perf_counter()
        act()
        spent.append(1000 * (time.perf_counter() - start))
    return statistics.median(spent)


def native(rounds: int) -> float:
    """Milliseconds of the sample to its score, as ``tehai serve`` does it."""
    reader, photo = Reader(Engine()), sample_path().read_bytes()

    def work() -> None:
        scored(from_reading(reader.read(photo)), "en")

    work()
    return median(work, rounds)


def download(out: Path) -> float:
    """MB of a first visit, each file packed where that makes it smaller."""
    files = [path.read_bytes() for path in out.rglob("*") if path.is_file()]
    return sum(min(len(data), len(gzip.compress(data, 9))) for data in files) / 1e6


def measured(out: Path, rounds: int, photos: int) -> Iterator[Bar]:
    """Every bar, in the order of the work."""
    yield Bar("download, packed", download(out), 16, "MB")
    host = Host(out)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=CHROMIUM, args=list(FLAGS), **{**PHONE, "service_workers": "allow"}
        )
        page = context.new_page()
        typed, read = scores(page, host.url)
        yield Bar("first visit to a typed hand's score", typed, 60, "s")
        yield Bar("first visit to the sample's score", read, 90, "s")
        while not page.evaluate("Boolean(navigator.serviceWorker.controller)"):
            time.sleep(0.1)
        page.close()
        later = [_again(context, host.url) for _ in range(rounds + 1)][1:]  # the first one warms what is kept
        yield Bar("later visit to a typed hand's score", statistics.median(one for one, _ in later), 1.5, "s")
        yield Bar("later visit to the sample's score", statistics.median(two for _, two in later), 3, "s")
        with slowed(context, 4):
            slow = [_again(context, host.url) for _ in range(rounds)]
        yield Bar("the same, 4 times slower: typed hand", statistics.median(one for one, _ in slow), 7, "s")
        yield Bar("the same, 4 times slower: sample", statistics.median(two for _, two in slow), 10, "s")
        page = context.new_page()
        scores(page, host.url)
        times = "const spent = []; for (let k = 0; k < {}; k++) {{ const t = performance.now(); await {}();"
        times += " spent.push(performance.now() - t); }} return spent;"
        here = statistics.median(ask(page, times.format(rounds + 2, "read")))
        beside = native(rounds + 2)
        yield Bar(f"sample to score, times native ({here:.0f} / {beside:.0f} ms)", here / beside, 5, "x")
        yield Bar("an answer tapped", statistics.median(ask(page, times.format(10, "typed"))), 100, "ms")
        ask(page, times.format(photos // 2, "read"))
        half = memory(context)
        ask(page, times.format(photos - photos // 2, "read"))
        whole = memory(context)
        yield Bar(f"memory after {photos} photos", whole, 500, "MB")
        yield Bar(f"growth from photo {photos // 2} to {photos}", whole - half, 10, "MB")
        context.close()
    host.stop()


def _again(context: BrowserContext, url: str) -> tuple[float, float]:
    page = context.new_page()
    try:
        return scores(page, url)
    finally:
        page.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--photos", type=int, default=20)
    options = parser.parse_args()
    missed = False
    for bar in measured(options.out, options.rounds, options.photos):
        print(bar, flush=True)
        missed |= bar.value > bar.most
    raise SystemExit(missed)


if __name__ == "__main__":
    main()
