"""The big screen of a shared game: it follows, outlives the server, and nobody sees it without the token."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.end_to_end.looks import violations
from tests.end_to_end.page import BREAKS_OFF, PATIENCE, Server
from tests.scorer.short_games import DRAW, RON, start, win
from tests.tehai.web.games.logs import entry


@pytest.fixture
def booking(sharing: Server) -> Iterator[httpx.Client]:
    """A phone that has scanned the code."""
    with httpx.Client(base_url=sharing.url.partition("?")[0], timeout=60) as phone:
        phone.get(sharing.url).raise_for_status()
        yield phone


def begin(phone: httpx.Client, *events: dict[str, Any]) -> dict[str, Any]:
    entries = [entry(f"e{at}", event) for at, event in enumerate(events)]
    return dict(phone.post("/api/games", json={"entries": entries}).raise_for_status().json())


def book(phone: httpx.Client, game: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    name = f"hand-{game['number']}"
    body = {"after": game["number"], "id": name, "add": entry(name, event)}
    return dict(phone.post(f"/api/games/{game['id']}/changes", json=body).raise_for_status().json())


def big_screen(context: BrowserContext, server: Server) -> Page:
    """As who opens the address that the server printed for it."""
    home, _, token = server.url.partition("?")
    page = context.new_page()
    page.goto(f"{home}table/?{token}")
    page.wait_for_selector("body[data-ready]")
    return page


def test_it_follows_a_game_through_a_kill_of_the_server(
    desktop: BrowserContext, sharing: Server, booking: httpx.Client
) -> None:
    page = big_screen(desktop, sharing)
    expect(page.locator("#nothing")).to_contain_text("No game yet")
    game = begin(booking, start())
    expect(page.locator("#hand")).to_have_text("East 1")
    game = book(booking, game, DRAW)
    expect(page.locator("#hand")).to_have_text("East 1-1")
    expect(page.locator("#last")).to_contain_text("Draw, tenpai: Aki, Ben")
    sharing.kill()
    expect(page.locator("#trouble")).to_contain_text("The server does not answer")
    expect(page.locator("#hand")).to_have_text("East 1-1")
    sharing.start()
    expect(page.locator("#trouble")).to_be_hidden(timeout=3 * PATIENCE)
    game = book(booking, game, win(RON))  # with the cookie of before
    expect(page.locator("#hand")).to_have_text("East 2")
    expect(page.locator("#players .have")).to_have_text(["24,900", "25,500", "26,100", "23,500"])
    expect(page.locator("#players [data-dealer] .name")).to_have_text("Ben")
    expect(page.locator("#hands tbody tr")).to_have_count(2)
    page.locator("#language").click()
    expect(page.locator("#hand")).to_have_text("東2局")
    book(booking, game, {"event": "end"})
    expect(page.locator("#hand")).to_have_text("対局終了")
    expect(page.locator("#players .name")).to_have_text(["Chie", "Ben", "Aki", "Dan"])


def test_what_does_not_come_leaves_what_stands(
    desktop: BrowserContext, sharing: Server, booking: httpx.Client
) -> None:
    game = begin(booking, start())
    page = big_screen(desktop, sharing)
    expect(page.locator("#hand")).to_have_text("East 1")
    page.evaluate(BREAKS_OFF, "api/games")
    book(booking, game, DRAW)
    expect(page.locator("#hand")).to_have_text("East 1-1")
    page.route("**/lang/ja.json", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.locator("#language").click()
    expect(page.locator("#hand")).to_have_text("East 1-1")
    page.unroute("**/lang/ja.json")
    page.locator("#language").click()
    expect(page.locator("#hand")).to_have_text("東1局1本場")


def test_it_is_readable_by_all(desktop: BrowserContext, sharing: Server, booking: httpx.Client) -> None:
    names = "Bartholomäus von Wolkenstein-Trostburg", "W" * 40, "麻雀牌太郎" * 8, "Dan"
    begin(booking, start(players=names), DRAW, win(RON))
    page = big_screen(desktop, sharing)
    expect(page.locator("#hand")).to_have_text("East 2")
    small = "[...document.querySelectorAll('button, select')].filter((one) => one.offsetHeight < 44).length"
    for width in (360, 1200):
        page.set_viewport_size({"width": width, "height": 740})
        for _ in ("light", "dark"):
            assert not violations(page)
            page.locator("#theme").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(small) == 0
    assert page.evaluate("document.querySelector('#hands').offsetWidth") <= 1200, "nobody scrolls it by hand"


def test_a_stranger_does_not_see_it(browser: Browser, sharing: Server, booking: httpx.Client) -> None:
    begin(booking, start())
    home = sharing.url.partition("?")[0]
    page = browser.new_page()
    for address in ("table", "table/", "table/?t=wrong"):
        page.goto(home + address)
        expect(page.locator("body")).to_contain_text(re.compile("QR code|laptop's screen"))
        expect(page.locator("body")).not_to_contain_text("Aki")
    page.close()
