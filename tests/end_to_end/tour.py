"""A way through the screens of an evening, the same in every language and on every device."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page, expect

from tests.end_to_end.evening import booked, draw, start, won
from tests.end_to_end.page import tap


def tour(page: Page) -> Iterator[str]:
    """Stops at each of them and says its name: Home before a game, settings, the keypad, what is rare, a
    worth that is told, a correction, the end, games of before."""
    yield "home"
    page.locator("#open-settings").tap()
    yield "settings"
    page.keyboard.press("Escape")
    tap(page, "one")
    page.locator("#type-hand").tap()
    expect(page.locator("#sheet")).to_be_visible()
    yield "keypad"
    page.locator("#go-home").tap()
    start(page, rounds="1")
    tap(page, "more")
    yield "more"
    page.keyboard.press("Escape")
    won(page, 2, 3)
    tap(page, "told")
    tap(page, "han-3")
    yield "told"
    tap(page, "limit-mangan")
    tap(page, "book-it")
    booked(page, 1)
    tap(page, "book")
    tap(page, "correct-1")
    expect(page.locator(".correcting")).to_be_visible()
    yield "correction"
    tap(page, "leave-correction")
    for many in (2, 3, 4):
        draw(page, many % 4)  # not the dealer, who would stay
        booked(page, many)
    expect(page.locator(".ended")).to_be_visible()
    yield "end"
    tap(page, "book")
    tap(page, "past-games")
    expect(page.locator(".standings")).to_be_visible()
    yield "past"
