"""What drives the page: a server as a process, a film for the camera, and how a browser is started."""

from __future__ import annotations

import io
import os
import re
import shutil
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Route

from tehai.hand.sample import sample_path
from tests.end_to_end.forked import Child
from tests.end_to_end.safari import Window, expect

ROOT = Path(__file__).resolve().parent.parent.parent
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""Debian has both. Without windows of its own, the first does the same for half the processor's time."""
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
PATIENCE = 60_000
"""Milliseconds before a step of the page counts as failed: other tests may run beside it."""

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
    "service_workers": "block",
}
"""A small phone, as Playwright wants it said."""

BREAKS_OFF = """(path) => {
    const read = Response.prototype.json;
    Response.prototype.json = function () {
        if (!this.url.includes(path)) return read.call(this);
        Response.prototype.json = read;
        return Promise.reject(new TypeError("Failed to fetch"));
    };
}"""
"""The next answer of such an address has a head and no end, as of a server that stops while it answers."""

USUAL = ("dealer-no", "tsumo-ron", "special-none", "riichi-no", "dora_indicators-none")
"""Answers to the questions about the sample, those of most hands."""


class Held:
    """Requests to an address that wait, from when this is made until they are let go.

    Playwright tells of a request before it hands it over: count with ``came``, never ``expect_request``."""

    def __init__(self, page: Page, address: str) -> None:
        self._page, self._address = page, address
        self.routes: list[Route] = []
        page.route(address, lambda route: self.routes.append(route))

    def came(self, many: int = 1) -> None:
        """Return when so many are held."""
        end = time.monotonic() + PATIENCE / 1000
        while len(self.routes) < many:
            assert time.monotonic() < end, f"{len(self.routes)} of {many} requests to {self._address} came"
            self._page.wait_for_timeout(10)  # hands over what has come

    def lose(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        """The server gets the first; ``meanwhile`` happens, and no answer reaches the page."""
        route = self.routes.pop(0)
        route.fetch()
        meanwhile()
        route.abort()
        self.let_go()

    def let_go(self) -> None:
        """They reach the server, in their order, and so do those to come."""
        for route in self.routes:
            route.continue_()
        self._page.unroute(self._address)


class Server:
    """``tehai serve`` on a port that stays the same when it is stopped and started again: a process, of those
    that have imported everything already."""

    def __init__(self, home: Path, *flags: str) -> None:
        self._flags = flags
        self._environment = {
            **os.environ,
            "XDG_DATA_HOME": str(home),
            "HOME": str(home),
            "PYTHONUNBUFFERED": "1",
        }
        self._child: Child | None = None
        self.port = 0  # any that is free
        self.url = ""

    def start(self) -> Server:
        """Returns once it has said its address, which it does when it listens."""
        self._child = Child(["serve", *self._flags, "--port", str(self.port)], self._environment)
        printed = ""
        for line in self._child.output:
            printed += line
            if found := re.search(r"https?://[^:]+:(\d+)\S*", line):
                self.url, self.port = found[0], int(found[1])
                return self
        raise AssertionError(f"the server did not start: {printed}")

    def kill(self) -> None:
        """At once, as by a power cut."""
        assert self._child is not None
        self._child.end(signal.SIGKILL)

    def stop(self) -> None:
        assert self._child is not None
        self._child.end(signal.SIGTERM)


def film(folder: Path) -> Path:
    """The sample photo as JPEG after JPEG, moving by a pixel as in a hand that holds still."""
    photo = np.asarray(Image.open(sample_path()).convert("RGB").resize((960, 720)))
    path = folder / "hand.mjpeg"
    with path.open("wb") as frames:
        for step in range(8):
            buffer = io.BytesIO()
            Image.fromarray(np.roll(photo, (step % 2, step // 4), (0, 1))).save(buffer, "JPEG", quality=88)
            frames.write(buffer.getvalue())
    return path


def launch(playwright: Playwright, camera: Path | None = None) -> Browser:
    """Chromium, with a camera that shows a film or with none."""
    fake = (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={camera}",
    )
    return playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *(fake if camera else ())])


def has_fonts(playwright: Playwright) -> bool:
    """Whether Chromium can draw what the page says. Without fonts all text is 0 pixels wide, and what no font
    has is as wide as a code point that means nothing."""
    wide = """() => {
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = "40px sans-serif";
        return ["T", "手", "\\u{10FFFE}"].map((text) => pen.measureText(text).width);
    }"""
    with launch(playwright) as browser:
        latin, kanji, nothing = browser.new_page().evaluate(wide)
    return bool(latin > 0 and kanji not in (0, nothing))


def open_page(context: BrowserContext, url: str) -> Page:
    """The page once its scripts run; where it begins, on the way to a single hand."""
    return begin(context.new_page(), url)


def begin(page: Page, url: str) -> Page:
    """The same in a page that is there."""
    page.goto(url)
    page.wait_for_selector("body[data-ready]")
    if page.locator("#home").is_visible():
        click(page, "one")
        expect(page.locator("#take")).to_be_visible()
    return page


def open_home(context: BrowserContext, url: str) -> Page:
    """The page as it opens, once its scripts run."""
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("body[data-ready]")
    return page


def upload(page: Window, photo: Path | None = None) -> None:
    """A photo, or the sample, through the file input, as a phone's camera app hands it over, on Take."""
    give(page, photo or sample_path())
    expect(page.locator("#check")).to_be_visible()


def give(page: Window, photo: Any, place: str = "#from-camera") -> None:
    """A photo through a file input of Take, once its script listens."""
    expect(page.locator("#take")).to_be_visible()
    page.set_input_files(place, photo)


def tap(page: Window, key: str) -> None:
    """Touches what is called so."""
    _forward(page)
    page.locator(f'[data-key="{key}"]').first.tap()


def click(page: Window, key: str) -> None:
    """Clicks on it, which a device without touch can do too."""
    _forward(page)
    page.locator(f'[data-key="{key}"]').first.click()


def _forward(page: Window) -> None:
    """Behind another page a frame, of which a touch awaits two, takes a second."""
    if isinstance(page, Page) and len(page.context.pages) > 1:
        page.bring_to_front()


PRESS = """async (labels) => {
    const held = () => document.querySelectorAll(".group.closed .held").length;
    const press = (key) => document.querySelector(`[data-key="${key}"]`).click();
    for (const label of labels) {
        const before = held();
        if (document.querySelector("#sheet").hidden) press("add-closed");
        press(`key-${label}`);
        while (held() === before) await new Promise(requestAnimationFrame);
    }
}"""


def press(page: Page, labels: Sequence[str]) -> None:
    """Tiles of the hand on the keypad, one after another in one call: of touches, each of which costs
    Chromium a tenth of a second, other tests have enough."""
    page.evaluate(PRESS, list(labels))


def painted(page: Page) -> None:
    """Once what has changed has been laid out and seen."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def settled(page: Page, field: str) -> None:
    """What was answered is asked no more: the reply is there, and nothing moves under a finger."""
    expect(page.locator(f'#questions [data-field="{field}"]')).to_have_count(0)


def answer(page: Page, *keys: str) -> int:
    """Taps these answers as their questions come, then goes on to the score; how many taps it took."""
    way = page.locator('[data-key="way"]')
    expect(way).to_be_enabled()  # what is asked is known
    taps = 0
    while page.locator(".question").count():
        offered = [key for key in keys if page.locator(f'#questions [data-key="{key}"]').count()]
        assert offered, page.locator("#questions").inner_text()
        tap(page, offered[0])
        taps += 1
        expect(page.locator(f'#questions [data-key="{offered[0]}"]')).to_have_count(0)
    way.tap()
    expect(page.locator("#score")).to_be_visible()
    return taps + 1


def to_score(page: Page) -> int:
    """From Check to Score with the usual answers; the taps that it took."""
    return answer(page, *USUAL)


LISTED_HAND = """async () => {
    const { evening } = await import("./app/store.js");
    const tiles = { concealed: "123m456p78s22z444z", win_tile: "9s", melds: [] };
    const record = { ...tiles, tsumo: true, seat_wind: "W", honba: 0, riichi_sticks: 0 };
    const how = { rules: "ema2008", result: { points: 1000 }, answers: [] };
    await evening.put({ id: "one", at: "2026-02-27T20:00:00Z", record, ...how });
}"""
"""A single hand stands in the evening's list."""


def kept(page: Page, count: int) -> None:
    """Once so many hands stand in the evening's list: a hand is written after it is shown."""
    script = """async (count) => {
        const { evening } = await import("./app/store.js");
        while ((await evening.all()).length !== count) await new Promise(requestAnimationFrame);
        return true;
    }"""
    page.wait_for_function(script, arg=count)
