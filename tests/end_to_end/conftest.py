"""The server and Debian's Chromium for the tests of the page; without a browser they skip."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

from tests.end_to_end.page import CHROMIUM, PATIENCE, PHONE, Server, film, has_fonts, launch
from tests.end_to_end.webkit import BROWSER, DRIVER, SCREEN, WebKit, webkit
from tests.folders import DATA, ROOT

OWN = re.compile(r"https?://127\.0\.0\.1:|blob:|data:")
"""Addresses that lead to no other machine."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """On this machine alone, over plain HTTP."""
    running = Server(tmp_path_factory.mktemp("home")).start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def secure_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With the certificate that it makes."""
    running = Server(tmp_path_factory.mktemp("home"), "--https").start()
    yield running
    running.stop()


@pytest.fixture
def sharing(tmp_path: Path) -> Iterator[Server]:
    """Reached from the network; it keeps games that phones share."""
    server = Server(tmp_path, "--lan", "lo", "--games", str(tmp_path / "games")).start()
    yield server
    server.stop()


PARTS = [Path(path) for path in os.environ.get("TEHAI_PARTS", "").split(os.pathsep) if path]
WHEELS = DATA.parent / "wheels"
"""numpy for the browser, which npm does not have."""


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once for all tests, of whichever process they are."""
    folders = [folder for folder in (*PARTS, WHEELS) if folder.is_dir()]
    if not PARTS and shutil.which("npm") is None:
        pytest.skip("npm is not installed, which fetches the parts of the site")
    given = [argument for folder in folders for argument in ("--parts", str(folder))]
    all_processes = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        all_processes = all_processes.parent
    out = all_processes / "site"
    with (all_processes / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if out.is_dir():
            return out
        command = [sys.executable, "-m", "tehai", "site", "build", str(out), *given]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if "cannot fetch" in done.stderr or "cannot be fetched" in done.stderr:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as running:
        if not has_fonts(running):
            pytest.skip("Chromium finds no fonts for Latin and Japanese: install fonts-noto-cjk")
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium without a camera."""
    with launch(playwright) as running:
        yield running


@pytest.fixture
def safari() -> Iterator[WebKit]:
    """Another browser, with a home of its own."""
    if not (DRIVER and BROWSER and SCREEN):
        pytest.skip("webkit2gtk-driver and xvfb are not installed")
    with webkit(DRIVER, SCREEN, BROWSER) as running:
        yield running


@pytest.fixture(scope="session")
def camera(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Chromium whose camera shows the sample hand."""
    with launch(playwright, film(tmp_path_factory.mktemp("film"))) as running:
        yield running


@pytest.fixture
def filming_phone(camera: Browser) -> Iterator[BrowserContext]:
    """A phone with that camera."""
    yield from _context(camera, {**PHONE, "permissions": ["camera"]})


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """A small phone that is touched, in English."""
    yield from _context(browser, PHONE)


@pytest.fixture(scope="module")
def lasting_phone(browser: Browser) -> Iterator[BrowserContext]:
    """The same for all tests of a file."""
    yield from _context(browser, PHONE)


@pytest.fixture
def other_phone(browser: Browser) -> Iterator[BrowserContext]:
    """A second one at the same table."""
    yield from _context(browser, PHONE)


@pytest.fixture
def keeping_phone(browser: Browser) -> Iterator[BrowserContext]:
    """The same with a service worker, which keeps the page."""
    yield from _context(browser, {**PHONE, "service_workers": "allow"})


@pytest.fixture
def desktop(browser: Browser) -> Iterator[BrowserContext]:
    """A screen with mouse and keyboard."""
    yield from _context(browser, {"viewport": {"width": 1200, "height": 800}, "service_workers": "block"})


def _context(browser: Browser, device: dict[str, Any]) -> Iterator[BrowserContext]:
    """The device in English. An error in the page's scripts fails the test, and so does anything that its
    Content-Security-Policy refuses or that is asked of another machine."""
    context = browser.new_context(**device, locale="en-GB", ignore_https_errors=True, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    failures: list[str] = []
    context.on("weberror", lambda error: failures.append(str(error.error)))
    context.on(
        "console",
        lambda message: failures.append(message.text) if "Content Security" in message.text else None,
    )
    context.on("request", lambda request: None if OWN.match(request.url) else failures.append(request.url))
    yield context
    context.close()
    assert not failures
