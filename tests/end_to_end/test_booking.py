"""From "Won" to "Book it": what the bar says is what is booked, whatever was read, typed or answered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.end_to_end.evening import agrees, booked, start, won
from tests.end_to_end.page import Server, open_home, tap, upload
from tests.end_to_end.test_typed import typed


@pytest.fixture
def evening(phone: BrowserContext, server: Server) -> Iterator[Page]:
    page = open_home(phone, server.url)
    start(page, "mleague")
    yield page


def book(page: Page) -> None:
    """The button at the bottom until the hand is in the book: where something is open its first tap leads
    there."""
    way = page.locator('[data-key="way"]')
    expect(way).to_be_enabled()
    if "Book it" not in way.inner_text():
        way.tap()
        expect(way).to_contain_text("Book it")
    way.tap()


# --- a win without a named winning tile ---


@pytest.mark.parametrize("tiles", ["123456789m11122z", "11m22m33m44m55m66m77m", "234567m234567p88p"])
def test_a_hand_of_14_tiles_without_a_named_winning_tile_is_booked(evening: Page, tiles: str) -> None:
    page = evening
    won(page, 1)
    typed(page, tiles)
    expect(page.locator('[data-group="win"] .held')).to_have_count(0)
    book(page)
    booked(page, 1)
    assert agrees(page).turns[-1].changes[1] > 0


def test_a_photo_whose_winning_tile_was_pushed_into_the_row_is_booked(evening: Page) -> None:
    page = evening
    won(page, 1)
    upload(page)
    tap(page, "win/0")
    tap(page, "hand")  # into the row
    expect(page.locator('[data-group="win"] .held')).to_have_count(0)
    book(page)
    booked(page, 1)
    assert agrees(page).turns[-1].changes[1] > 0


# --- an answer counts when it is tapped ---


def test_an_answer_counts_when_it_is_tapped(evening: Page) -> None:
    page = evening
    tap(page, "seat-2")
    won(page, 2, 3)
    typed(page, "234m345567p2267s", "8s")
    tap(page, "dora_indicators-none")
    tap(page, "ura_indicators-none")
    expect(page.locator("#bar strong")).to_have_text("3,900")
    tap(page, "special-ippatsu")
    expect(page.locator("#bar strong")).to_have_text("8,000")
    expect(page.locator('[data-key="special-ippatsu"]')).to_have_attribute("aria-pressed", "true")
    tap(page, "special-ippatsu")
    expect(page.locator("#bar strong")).to_have_text("3,900")
    tap(page, "special-ippatsu")
    tap(page, "special-houtei")
    expect(page.locator("#bar strong")).to_have_text("8,000")
    book(page)
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (0, 0, 8000, -8000)


def test_indicators_count_as_they_are_picked(evening: Page) -> None:
    page = evening
    won(page, 2, 3)
    typed(page, "234m345567p2267s", "8s")
    expect(page.locator("#bar strong")).to_have_text("2,000")
    strip = page.locator('[data-field="dora_indicators"]')
    strip.locator("summary").tap()
    strip.locator('[data-key="key-3m"]').tap()
    expect(page.locator("#bar strong")).to_have_text("3,900")
    expect(page.locator('[data-group="dora"] .held')).to_have_count(1)
    strip.locator('[data-key="key-1s"]').tap()
    expect(page.locator("#bar strong")).to_have_text("8,000")
    tap(page, "dora_indicators-done")
    expect(strip).to_have_count(0)
    book(page)
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (0, 0, 8000, -8000)
