"""A hand that is not finished: the page says what to discard, and takes the wait of a ready one apart."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, expect

from tests.end_to_end.page import Server, open_page
from tests.end_to_end.test_typed import typed


def test_a_hand_that_is_not_finished_hears_what_to_discard(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    typed(page, "123m456p78s112257z")
    expect(page.locator("#bar")).to_contain_text("One away from tenpai")
    expect(page.locator('[data-key="way"]')).to_be_disabled()
    advice = page.locator("#unfinished")
    expect(advice.locator("h2")).to_contain_text("are equally good, 12 tiles of 4 kinds each")
    expect(advice.locator("li")).to_have_count(2)
    advice.locator("summary").tap()
    expect(advice.locator(".step h3").filter(has_text="What to discard")).to_be_visible()


def test_what_13_tiles_wait_for_is_taken_apart(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    typed(page, "3334m345p678p999s")
    advice = page.locator("#unfinished")
    expect(advice.locator("h2")).to_contain_text("Tenpai: waits for")
    advice.locator("summary").tap()
    expect(advice.locator(".row.won")).to_have_count(3)
