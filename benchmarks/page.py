"""From opening the page to the score: ``python -m benchmarks.page [PHOTO] [--rounds 5]``.

Chromium as a phone of 360 pixels, on the machine that serves: opens the page, hands it a 12-megapixel JPEG
as the camera app does, and taps from the tiles to the score. Prints the seconds that the page, the reading
and the answers took, and how many taps; a player adds only the time of these. Ends with 1 where the median of
the whole is more than half of the 20 seconds that it may take with the player. Needs the extra ``test`` and
Debian's Chromium; PHOTO must read as the bundled sample does.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, expect, sync_playwright

from benchmarks.photo import enlarged
from tehai.hand.sample import sample_path
from tests.end_to_end.page import PATIENCE, PHONE, Server, launch, open_page, to_score, upload

MOST: Final = 10.0
"""Seconds of the machine's own."""

STAGES: Final = ("page opened", "photo to tiles", "taps to score")


def once(browser: Browser, url: str, photo: Path) -> tuple[list[float], int]:
    """Seconds of each stage, and the taps."""
    context = browser.new_context(**PHONE)
    clock = [time.perf_counter()]
    page = open_page(context, url)
    clock.append(time.perf_counter())
    upload(page, photo)
    clock.append(time.perf_counter())
    taps = to_score(page)
    clock.append(time.perf_counter())
    context.close()
    return [after - before for before, after in itertools.pairwise(clock)], taps


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("photo", nargs="?", type=Path, default=sample_path())
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        photo = enlarged(options.photo, Path(folder))
        server = Server(Path(folder)).start()
        try:
            with launch(playwright) as browser:
                runs = [once(browser, server.url, photo) for _ in range(options.rounds)]
        finally:
            server.stop()
    for name, seconds in zip(STAGES, zip(*(stages for stages, _ in runs), strict=True), strict=True):
        print(f"{name:<16}{statistics.median(seconds):6.2f} s median {max(seconds):6.2f} s at most")
    whole = statistics.median(sum(stages) for stages, _ in runs)
    print(f"{'in all':<16}{whole:6.2f} s median, {runs[0][1]} taps")
    if whole > MOST:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
