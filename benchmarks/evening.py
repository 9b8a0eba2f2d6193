"""From the tap on "Won" to the hand in the book: ``python -m benchmarks.evening [--site OUT] [--rounds 5]``.

Chromium as a phone of 360 pixels, on the machine that serves, with a game running: the taps on Won, the
winner and the discarder, a photo, the tap on "Record it", until the table shows the hand. The photo is a
12-megapixel JPEG as the camera app hands it over, or the shutter of the live view goes by itself in front of
a film. OUT is what ``tehai site build`` has made: the same without a server. Prints the seconds of the
machine; a player adds the time of his taps, and of holding the phone. Ends with 1 where a median is more
than half of the 10 seconds that it may take with the player. Needs the extra ``test`` and Debian's Chromium.

``--hands DIR`` counts taps instead, over the first twenty finished hands of rendered photos::

    python -m datasets render DIR --kind game --scene won --scene table-won --side 1280 --held-out
    python -m benchmarks.evening --hands DIR

Each line has the taps from who won to the book, first and last included, and what was tapped that no usual
hand needs. A hand that was misread is not booked, and is no usual one. Ends with 1 where fewer than 15 of 20
take at most four taps, and at once where other points are booked than the hand is worth.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, expect, sync_playwright

from benchmarks import taps
from benchmarks.photo import enlarged
from tehai.hand.sample import sample_path
from tests.end_to_end.evening import booked, start, won
from tests.end_to_end.page import PATIENCE, PHONE, Server, film, launch, open_home, tap, upload
from tests.end_to_end.site import Host

MOST: Final = 5.0
"""Seconds of the machine's own."""


def once(page: Page, photo: Path | None, nth: int) -> float:
    """Seconds of a hand, the so many-th of the game; without a photo it comes from the live view."""
    began = time.perf_counter()
    won(page, 1 + nth % 3, 0)
    if photo:
        upload(page, photo)
    way = page.locator('[data-key="way"]')
    expect(way).to_have_text("Record it")
    tap(page, "way")
    booked(page, nth)
    return time.perf_counter() - began


def hands(browser: Browser, url: str, photo: Path | None, rounds: int, ready: str) -> Iterator[float]:
    """Of one game, the first hand among them. ``ready``: what the page shows when photos can be read."""
    with browser.new_context(**PHONE, locale="en-GB") as context:
        context.set_default_timeout(PATIENCE)
        page = open_home(context, url)
        page.wait_for_selector(ready, timeout=10 * PATIENCE)
        start(page)
        for nth in range(1, rounds + 1):
            yield once(page, photo, nth)


def few_taps(folder: Path) -> int:
    """Prints the taps of each hand; how many are usual ones."""
    usual = 0
    with ExitStack() as over:
        home = Path(over.enter_context(tempfile.TemporaryDirectory()))
        playwright = over.enter_context(sync_playwright())
        server = Server(home).start()
        over.callback(server.stop)
        browser = over.enter_context(launch(playwright))
        for hand in islice(taps.hands(folder), taps.MANY):
            with browser.new_context(**PHONE, locale="en-GB") as context:
                context.set_default_timeout(PATIENCE)
                found, more = taps.count(open_home(context, server.url), hand)
            usual += found is not None and found <= taps.USUAL
            print(f"{hand!s:<48}{found or '-':>2}  {more}", flush=True)
    print(f"{usual} of {taps.MANY} in at most {taps.USUAL} taps")
    return usual


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--site", type=Path, metavar="OUT")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--hands", type=Path, metavar="DIR")
    options = parser.parse_args()
    expect.set_options(timeout=PATIENCE)
    if options.hands:
        raise SystemExit(few_taps(options.hands) < taps.ENOUGH)
    missed = False
    with ExitStack() as over:
        folder = Path(over.enter_context(tempfile.TemporaryDirectory()))
        playwright = over.enter_context(sync_playwright())
        server = Server(folder).start()
        over.callback(server.stop)
        places = [("server", server.url, "body[data-ready]")]
        if options.site:
            host = Host(options.site)
            over.callback(host.stop)
            places.append(("site", host.url, "body[data-reading]"))
        photo = enlarged(sample_path(), folder)
        for name, url, ready in places:
            for how, given, camera in (("photo", photo, None), ("live view", None, film(folder))):
                with launch(playwright, camera) as browser:
                    spent = list(hands(browser, url, given, options.rounds, ready))
                median = statistics.median(spent)
                missed |= median > MOST
                print(f"{f'{name}, {how}':<18}{median:6.2f} s median {max(spent):6.2f} s at most", flush=True)
    raise SystemExit(missed)


if __name__ == "__main__":
    main()
