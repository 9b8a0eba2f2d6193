"""The evening in the site without a network: a whole game, reckoned and kept in the browser."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import BrowserContext, Page

from tests.end_to_end.hanchan import hanchan
from tests.end_to_end.page import open_home
from tests.end_to_end.site import Host
from tests.end_to_end.test_site import START, kept, ready


def unseen(page: Page) -> None:
    """The screens are those of the page that a server hands out: they are looked at there."""


def test_a_hanchan_without_a_network(keeping_phone: BrowserContext, built: Path) -> None:
    host = Host(built)
    page = ready(open_home(keeping_phone, host.url))
    kept(page)
    host.stop()
    page.reload()
    page.wait_for_selector("body[data-core]", timeout=START)
    hanchan(page, unseen)
