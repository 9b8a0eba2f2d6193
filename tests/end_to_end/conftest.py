"""The server and Debian's Chromium for the tests of the page; without a browser they skip."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

from tests.end_to_end.page import CHROMIUM, PATIENCE, PHONE, Server, film, launch

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


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium without a camera."""
    with launch(playwright) as running:
        yield running


@pytest.fixture
def filming_phone(playwright: Playwright, tmp_path: Path) -> Iterator[BrowserContext]:
    """A phone whose camera shows the sample hand."""
    with launch(playwright, film(tmp_path)) as running:
        yield from _context(running, PHONE)


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """A small phone that is touched, in English."""
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
