"""The site without a network: a whole game, lessons and drills, reckoned and kept in the browser."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from tests.end_to_end.hanchan import hanchan
from tests.end_to_end.page import tap
from tests.end_to_end.safari import Window
from tests.end_to_end.test_learn import begun, known
from tests.end_to_end.test_site import START, unplugged


def unseen(page: Window) -> None:
    """The screens are those of the page that a server hands out: they are looked at there."""


def lessons(page: Page) -> None:
    """What is posed and judged is known, after a reload, too."""
    page.locator("#go-home").tap()
    tap(page, "learn")
    expect(page.locator(".learn-list li")).to_have_count(46, timeout=START)
    begun(page, "level-tiles")
    expect(page.locator(".to-name")).to_be_visible()
    tap(page, "unknown")
    expect(page.locator(".verdict")).to_be_visible()
    known(page, 1)
    tap(page, "learn-back")
    begun(page, "lesson-discard")
    tap(page, "unknown")
    tap(page, "why")
    expect(page.locator(".why-so .row").first).to_be_visible()
    known(page, 2)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator(".learn-list li")).to_have_count(46, timeout=START)
    known(page, 2)


def test_a_hanchan_and_lessons_without_a_network(keeping_phone: BrowserContext, built: Path) -> None:
    page = unplugged(keeping_phone, built)
    hanchan(page, unseen)
    lessons(page)
