"""One device in the middle of the table, each seat turned to its player; and each player's record."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.evening import agrees, booked, draw, start, told, won
from tests.end_to_end.looks import is_good
from tests.end_to_end.page import PATIENCE, PHONE, Server, open_home, tap
from tests.end_to_end.test_typed import typed

TABLET = {**PHONE, "viewport": {"width": 1024, "height": 768}}


@pytest.mark.parametrize("language", ["en-GB", "ja-JP"])
def test_a_device_in_the_middle_of_the_table(browser: Browser, server: Server, language: str) -> None:
    with browser.new_context(**TABLET, locale=language, reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE)
        page = open_home(context, server.url)
        start(page)
        tap(page, "more")
        tap(page, "tablet")
        expect(page.locator(".tablet .panel")).to_have_count(4)
        assert page.evaluate("document.fullscreenElement !== null")
        is_good(page)
        while_the_points_are_held(page)
        from_riichi_to_the_book(page)
        if language == "en-GB":
            a_winner_at_the_side(page)
        tap(page, "leave-tablet")
        expect(page.locator(".seat")).to_have_count(4)


def to_book(page: Page) -> None:
    """From the tiles to the book, in whatever language; what is open is seen, and left so."""
    tap(page, "step-score")
    expect(page.locator("#reasons section")).not_to_have_count(0)
    way = page.locator('[data-key="way"]:enabled')
    expect(way).to_have_count(1)
    if page.locator(".paying .open-now").count():
        tap(page, "way")
        expect(page.locator("#check")).to_be_visible()
        expect(way).to_have_count(1)
    tap(page, "way")


def from_riichi_to_the_book(page: Page) -> None:
    """On the own seat."""
    turns = [
        page.locator(f".panel.{side} .turned-panel").evaluate("one => getComputedStyle(one).rotate")
        for side in ("near", "right", "far", "left")
    ]
    assert turns == ["none", "-90deg", "180deg", "90deg"]
    tap(page, "seat-2")  # riichi
    expect(page.locator(".panel.far .stick")).to_be_visible()
    tap(page, "won-2")
    is_good(page)
    tap(page, "seat-3")  # his discard
    expect(page.locator("#take")).to_be_visible()
    assert page.evaluate("document.body.dataset.turn") == "far"  # to who reads it
    typed(page, "234m345567p2267s", "8s")
    assert page.evaluate("getComputedStyle(document.body).rotate") == "180deg"
    expect(page.locator("#bar")).to_be_in_viewport()
    to_book(page)
    booked(page, 2)
    assert page.evaluate("document.body.dataset.turn") == ""
    turn = agrees(page).turns[-1]
    assert turn.players(turn.declared) == [2] and turn.changes[2] > 0


def a_winner_at_the_side(page: Page) -> None:
    """Whose page is turned to him."""
    tap(page, "won-1")
    tap(page, "seat-1")  # tsumo
    expect(page.locator("#take")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).rotate") == "-90deg"
    typed(page, "234m345567p2267s", "8s")
    expect(page.locator("#bar")).to_be_in_viewport()
    to_book(page)
    booked(page, 3)
    assert agrees(page).turns[-1].changes[1] > 0


def while_the_points_are_held(page: Page) -> None:
    """The differences to the others, else what the last hand has changed."""
    draw(page, 0)
    booked(page, 1)
    box = page.locator('[data-key="compare-0"]').bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    expect(page.locator(".panel.far .news")).to_have_text("−4,000")
    expect(page.locator(".panel.near .news")).to_have_text("")
    page.mouse.up()
    expect(page.locator(".panel.far .news")).to_have_text("−1,000")  # the last hand again
    page.locator('[data-key="compare-2"]').press("Enter")  # by keyboard, too
    expect(page.locator(".panel.near .news")).to_have_text("+4,000")
    page.locator('[data-key="compare-2"]').press("Enter")


def test_each_player_over_all_evenings(browser: Browser, server: Server) -> None:
    with browser.new_context(**PHONE, locale="en-GB", reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE)
        page = open_home(context, server.url)
        start(page, rounds="1")
        tap(page, "seat-2")
        won(page, 2, 3)
        typed(page, "234m345567p2267s", "8s")
        to_book(page)
        booked(page, 1)
        won(page, 2, 3)
        told(page, "limit-mangan")
        booked(page, 2)
        draw(page, 0)
        booked(page, 3)
        draw(page)
        expect(page.locator(".ended")).to_be_visible()
        tap(page, "again")
        page.fill("#name-0", "Chie")
        for at, name in ((1, "Aki"), (2, "Ben"), (3, "Dan")):
            page.fill(f"#name-{at}", name)
        tap(page, "begin")
        expect(page.locator(".seat")).to_have_count(4)
        draw(page, 0)
        booked(page, 1)
        tap(page, "book")
        tap(page, "past-games")
        chie = page.locator(".statistics li", has=page.locator("h3", has_text="Chie"))
        expect(chie).to_contain_text("Games 2 · hands 5")
        expect(chie).to_contain_text("40 % (2)")  # wins
        expect(chie).to_contain_text("20 % (1)")  # riichi
        expect(chie).to_contain_text("Pinfu 1")
        expect(chie).to_contain_text("1–0–0–0 (1)")
        dan = page.locator(".statistics li", has=page.locator("h3", has_text="Dan"))
        expect(dan).to_contain_text("40 % (2)")  # dealt in
        is_good(page)
