"""The evening on other screens than the usual phone: nothing sticks out, nothing needed is hidden."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.end_to_end.evening import booked, draw, start
from tests.end_to_end.looks import OUTSIDE, is_good, speak
from tests.end_to_end.page import PATIENCE, PHONE, Server, open_home, painted, tap
from tests.end_to_end.tour import tour

HIDDEN = """() => [...document.querySelectorAll("#home-body button, .middle, .booked, .top button")]
    .filter((one) => one.checkVisibility({visibilityProperty: true}))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([one, box]) => box.top < -0.5 || box.bottom > innerHeight + 0.5
        || one.scrollWidth > one.clientWidth + 1)
    .map(([one]) => one.outerHTML.slice(0, 120))"""
"""What is above or below the screen, or cut off."""


def on_the_table(page: Page, players: int) -> None:
    """A hand booked, riichi, a winner: what the table shows then."""
    start(page, "tenhou3" if players == 3 else "ema2008", players)
    tap(page, "seat-1")
    draw(page, 0)
    booked(page, 1)
    tap(page, "seat-2")


@pytest.mark.parametrize(("players", "language"), [(4, "en-GB"), (3, "ja-JP")])
def test_the_table_fits(browser: Browser, server: Server, players: int, language: str) -> None:
    with browser.new_context(**PHONE, locale=language, reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE)
        page = open_home(context, server.url)
        assert not page.evaluate(OUTSIDE)
        on_the_table(page, players)
        for key in (None, "won", "seat-2"):
            if key:
                tap(page, key)
            fits(page)
        is_good(page)


def fits(page: Page) -> None:
    """On phones held upright and lying, the smallest last."""
    for width, height in ((360, 740), (740, 360), (568, 320), (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        painted(page)
        assert not page.evaluate(OUTSIDE), width
        assert width < height or not page.evaluate(HIDDEN), width


def test_every_screen_of_the_evening_in_both_languages_and_on_a_laptop(
    browser: Browser, server: Server
) -> None:
    with browser.new_context(**PHONE, locale="ja-JP", reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE)
        page = open_home(context, server.url)
        for stop in tour(page):
            is_good(page)
            for width, language in ((320, "ja"), (320, "en"), (1200, "en"), (360, "ja")):
                page.set_viewport_size({"width": width, "height": 740})
                speak(page, language)
                assert not page.evaluate(OUTSIDE), (stop, width, language)
