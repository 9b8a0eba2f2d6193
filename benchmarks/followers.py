"""How long a booking takes while many follow the game: ``python -m benchmarks.followers``.

Prints seconds of a booking, the median and the slowest of ``--bookings``, alone and with 48 followers from
twelve addresses, on one server in one run.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx

from tehai.server.limits import Limits
from tehai.web.app import make_app
from tehai.web.games.api import GamesApi
from tehai.web.games.store import GameStore
from tehai.web.request_rules import RequestRules
from tehai.web.worker_pool import WorkerPool
from tests.scorer.short_games import start
from tests.tehai.web.conftest import served
from tests.tehai.web.fakes import FakeReader
from tests.tehai.web.games.logs import EMPTY, entry

ADDRESSES, EACH = 12, 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bookings", type=int, default=20)
    bookings = parser.parse_args().bookings
    with (
        tempfile.TemporaryDirectory() as folder,
        WorkerPool(FakeReader()) as pool,
        GameStore(Path(folder)) as store,
    ):
        app = make_app(pool, games=GamesApi(store, pool, RequestRules(), Limits()))
        with served(app) as port, httpx.Client(base_url=f"http://localhost:{port}", timeout=60) as phone:
            for followers in (0, ADDRESSES * EACH):
                with ExitStack() as stack:
                    game = phone.post("/api/games", json={"entries": [entry(f"{followers}", start())]}).json()
                    for number in range(followers):
                        stack.enter_context(_following(port, game["id"], f"127.0.0.{2 + number % ADDRESSES}"))
                    _report(followers, _booked(phone, game["id"], bookings))


def _booked(phone: httpx.Client, game: str, bookings: int) -> Iterator[float]:
    """Seconds of each booking."""
    for number in range(1, bookings + 1):
        body = {"after": number, "id": f"e{number}", "add": entry(f"e{number}", EMPTY)}
        begun = time.perf_counter()
        phone.post(f"/api/games/{game}/changes", json=body).raise_for_status()
        yield time.perf_counter() - begun
        time.sleep(0.3)  # as at a table, where one hand follows another


def _report(followers: int, seconds: Iterator[float]) -> None:
    taken = sorted(seconds)
    middle, slowest = statistics.median(taken), taken[-1]
    print(f"{followers} followers: median {middle:.3f} s, slowest {slowest:.3f} s of {len(taken)}")


@contextmanager
def _following(port: int, game: str, address: str) -> Iterator[None]:
    """One who follows and reads what comes."""
    with (
        httpx.Client(transport=httpx.HTTPTransport(local_address=address), timeout=60) as client,
        client.stream("GET", f"http://localhost:{port}/api/games/{game}/follow") as answer,
    ):
        answer.raise_for_status()
        lines = answer.iter_lines()
        reading = threading.Thread(target=lambda: [None for _ in _until_closed(lines)], daemon=True)
        reading.start()
        yield


def _until_closed(lines: Iterator[str]) -> Iterator[str]:
    try:
        yield from lines
    except (httpx.HTTPError, httpx.StreamError, OSError):
        return


if __name__ == "__main__":
    main()
