"""Two phones and the big screen at one table: each sees what the others book; a dead server loses nothing."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

from scorer import replay
from tests.end_to_end.evening import KEPT, NAMES, booked, draw, start, told, won
from tests.end_to_end.page import PATIENCE, Server, open_home, tap

LATER = 3 * PATIENCE
"""Milliseconds that a server which starts again, and who follows it, may take."""


def points(page: Page, *have: str) -> None:
    expect(page.locator(".seat .have")).to_have_text(have)


def shared(page: Page, server: Server, other: BrowserContext) -> Page:
    """A game begun on one phone and followed on the other."""
    start(page)
    tap(page, "share-here")
    expect(page.locator("#shared-standing")).to_contain_text("Shared")
    second = open_home(other, server.url)
    offered = second.get_by_role("button", name=f"Follow: {', '.join(NAMES)}")
    expect(offered).to_be_visible()
    assert not Axe().run(second).response["violations"]
    offered.tap()
    expect(second.locator("#shared-standing")).to_contain_text("Shared")
    return second


def test_two_phones_and_the_big_screen_follow_through_a_kill_of_the_server(
    phone: BrowserContext, other_phone: BrowserContext, desktop: BrowserContext, sharing: Server
) -> None:
    first = open_home(phone, sharing.url)
    second = shared(first, sharing, other_phone)
    screen = desktop.new_page()
    home, _, token = sharing.url.partition("?")
    screen.goto(f"{home}table?{token}")
    expect(screen.locator("#hand")).to_have_text("East 1")

    draw(first, 0, 1)
    booked(first, 1)
    for page in (first, second):
        points(page, "31,500", "31,500", "28,500", "28,500")
    expect(screen.locator("#hand")).to_have_text("East 2-1")
    won(second, 2, 3)
    told(second, "limit-mangan")
    booked(second, 2)
    for page in (first, second):
        points(page, "31,500", "31,500", "36,800", "20,200")
    expect(screen.locator("#players .have")).to_have_text(["31,500", "31,500", "36,800", "20,200"])

    sharing.kill()
    for page in (first, second):
        expect(page.locator("#shared-standing")).to_contain_text("does not answer")
        points(page, "31,500", "31,500", "36,800", "20,200")
    expect(screen.locator("#trouble")).to_be_visible()
    assert not Axe().run(first).response["violations"]
    draw(second)  # booked while nobody answers, and the phone's page is opened anew
    expect(second.locator("#notice")).to_contain_text("does not answer")
    sharing.start()
    second.reload()
    expect(screen.locator("#hand")).to_have_text("East 4-1", timeout=LATER)
    for page in (first, second):
        expect(page.locator(".middle strong")).to_have_text("East 4-1", timeout=LATER)
        expect(page.locator("#shared-standing")).to_contain_text("Shared")
    record, other = first.evaluate(KEPT), second.evaluate(KEPT)
    assert [len(game) for game in (record[0], other[0])] == [4, 4]
    assert replay(record[0]).game == replay(other[0]).game


def test_the_second_booking_of_a_hand_is_caught_and_told(
    phone: BrowserContext, other_phone: BrowserContext, sharing: Server
) -> None:
    first = open_home(phone, sharing.url)
    second = shared(first, sharing, other_phone)
    won(second, 1, 0)  # his tiles are being photographed, and the other phone books
    draw(first)
    expect(second.locator("#notice")).to_contain_text(
        "Another phone or window has booked this hand. East 1: draw"
    )
    expect(second.locator("#home")).to_be_visible()
    booked(second, 1)

    second.route("**/follow?*", lambda route: route.abort())  # nothing is told to this phone now
    second.reload()
    second.wait_for_selector("body[data-ready]")
    draw(first, 0)
    booked(first, 2)
    draw(second, 1)
    expect(second.locator("#notice")).to_contain_text("Another phone or window has booked this hand")
    booked(second, 2)
    tap(second, "dismiss")
    assert first.evaluate(KEPT) == second.evaluate(KEPT)
