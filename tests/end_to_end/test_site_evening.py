"""The evening in the site without a network: a whole game, reckoned and kept in the browser."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import BrowserContext

from tests.end_to_end.hanchan import hanchan
from tests.end_to_end.safari import Safari, Window
from tests.end_to_end.site import Host
from tests.end_to_end.test_site import unplugged
from tests.end_to_end.webkit import WebKit


def unseen(page: Window) -> None:
    """The screens are those of the page that a server hands out: they are looked at there."""


def test_a_hanchan_without_a_network(keeping_phone: BrowserContext, built: Path) -> None:
    hanchan(unplugged(keeping_phone, built), unseen)


def test_a_hanchan_without_a_network_in_webkit(safari: WebKit, built: Path) -> None:
    host = Host(built)
    page = Safari(safari)
    for _ in range(2):  # the first visit brings the site, the second has the service worker
        page.goto(host.url)
        safari.until("document.body.dataset.reading")
        safari.until("navigator.serviceWorker.controller")
    host.stop()
    host.asked.clear()
    page.reload()
    hanchan(page, unseen)
    assert not host.asked
