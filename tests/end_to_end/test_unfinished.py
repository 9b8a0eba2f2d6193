"""A hand that is not finished: the page says what to discard, and takes the wait of a ready one apart."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, expect

from tests.end_to_end.looks import OUTSIDE, SMALL, faults
from tests.end_to_end.page import Server, open_page, tap
from tests.end_to_end.test_typed import by_line, typed


def test_a_hand_that_is_not_finished_hears_what_to_discard(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    typed(page, "123m456p78s112257z")
    expect(page.locator("#bar")).to_contain_text("One away from tenpai")
    expect(page.locator('[data-key="way"]')).to_be_disabled()
    advice = page.locator("#unfinished")
    expect(advice.locator("h2")).to_contain_text("are equally good, 12 tiles of 4 kinds each")
    expect(advice.locator("li")).to_have_count(2)
    advice.locator(".all > summary").tap()
    expect(advice.locator(".step h3").filter(has_text="What to discard")).to_be_visible()
    tap(page, "step-take")
    what_13_tiles_wait_for(page)
    tap(page, "step-take")
    how_many_tiles_of_a_wait_can_win(page)
    tap(page, "step-take")
    what_each_discard_risks(page)


def what_13_tiles_wait_for(page: Page) -> None:
    """It is taken apart."""
    typed(page, "3334m345p678p999s")
    advice = page.locator("#unfinished")
    expect(advice.locator("h2")).to_contain_text("Tenpai: waits for")
    advice.locator(".all > summary").tap()
    expect(advice.locator(".row.won")).to_have_count(3)


def how_many_tiles_of_a_wait_can_win(page: Page) -> None:
    """Only white gives this open hand a yaku."""
    by_line(page, "22m1456p789s55z [c234s]")
    expect(page.locator("#unfinished li").first).to_contain_text("1,000 a win on 2 of 4 tiles of 2 kinds")


def what_each_discard_risks(page: Page) -> None:
    """As the rivers of the others say."""
    typed(page, "2234m345p345s5667s")
    advice = page.locator("#unfinished")
    expect(advice.locator("li")).to_have_count(3)
    expect(advice.locator("li").first).to_contain_text("6,633 a win, 6 tiles of 2 kinds")
    expect(advice.locator(".risk")).to_have_count(0)
    advice.locator(".rivers summary").tap()
    tap(page, "river-riichi-left")
    advice.locator('.rivers [data-key="key-6s"]').tap()
    safe = advice.locator('.risk[data-danger="nothing"]')
    expect(safe).to_have_text("Safe against the Riichi on the left: own discard")
    expect(advice.locator(".risk")).to_have_count(11)  # of every discard, those that lead back too
    expect(advice.locator("h2")).to_contain_text("safe against the Riichi on the left")
    for _ in range(4):
        advice.locator('.rivers [data-key="key-2m"]').tap()
    expect(advice.locator('.picked [data-key^="river-left-"]')).to_have_count(3)  # no fifth of a kind
    expect(advice.locator("li").filter(has_text=" tiles of 1 kind")).not_to_have_count(0)
    expect(advice).not_to_contain_text("1 kinds")
    assert faults(page, {}) == [] and page.evaluate(SMALL) == [] and page.evaluate(OUTSIDE) == []
    page.reload()
    expect(advice.locator(".risk")).to_have_count(11)  # with the hand
    advice.locator(".rivers summary").tap()
    tap(page, "river-left-0")
    expect(advice.locator('.picked [data-key^="river-left-"]')).to_have_count(2)
