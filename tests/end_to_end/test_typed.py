"""A hand that is typed: once all its tiles are there, the page always has a way on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.end_to_end.page import Server, open_page, settled, tap
from tests.end_to_end.safari import Window, expect


def typed(page: Window, tiles: str, win: str = "") -> None:
    """Types the tiles one after another, and which of them won."""
    page.locator("#type-hand").tap()
    expect(page.locator("#check")).to_be_visible()
    labels = [rank + suit for ranks, suit in re.findall(r"(\d+)([mpsz])", tiles) for rank in ranks]
    for nth, label in enumerate(labels, 1):
        if page.locator("#sheet").is_hidden():
            tap(page, "add-closed")
        tap(page, f"key-{label}")
        expect(page.locator(".group.closed .held")).to_have_count(nth)  # with the last one the sheet closes
    if page.locator("#sheet").is_visible():
        tap(page, "close")
    if win:
        tap(page, "add-win")
        tap(page, f"key-{win}")


def on(page: Page, *steps: str) -> None:
    """The button at the bottom says these, one after another; "Score" leads there."""
    way = page.locator('[data-key="way"]')
    for step in steps:
        expect(way).to_contain_text(step)
        expect(way).to_be_enabled()
        way.tap()
    if steps[-1] == "Score":
        expect(page.locator("#score")).to_be_visible()


@pytest.mark.parametrize(
    ("tiles", "win", "steps"),
    [
        ("234m345567p22678s", "", ["Score"]),
        ("234m345567p22678s", "8s", ["Score"]),  # the winning tile was typed with the others
        ("234m345567p2267s", "8s", ["Score"]),
        ("1111m345567p22678s", "", ["Concealed kong", "Score"]),
        ("1111m345567p22678s", "8s", ["Concealed kong", "Score"]),
        ("1111m345567p2267s", "8s", ["Concealed kong", "Score"]),
        ("1111m2222p3333s4444z55z", "", [*["Concealed kong"] * 4, "Score"]),
        ("19m19p19s12345677z", "7z", ["Score"]),
        ("1199m1199p1199s11z", "1z", ["Score"]),
        ("1111m2345678999m", "", ["Score"]),  # four alike, and no kong
    ],
)
def test_a_complete_hand_leads_on(
    phone: BrowserContext, server: Server, tiles: str, win: str, steps: list[str]
) -> None:
    page = open_page(phone, server.url)
    typed(page, tiles, win)
    on(page, *steps)


@pytest.mark.parametrize("tiles", ["111m345567p22678s44z", "111m345567p22678s4444z", "111999m345p22678s4z"])
def test_norths_typed_with_the_hand_of_three_players_are_set_aside(
    phone: BrowserContext, server: Server, tiles: str
) -> None:
    page = open_page(phone, server.url)
    page.locator("#rules-take").select_option("tenhou3")
    typed(page, tiles)
    kong = ["Concealed kong"] * ("4444z" in tiles)
    if kong:  # it may be one; then the player takes that back
        tap(page, "way")
        page.locator(".group.meld .held").first.tap()
        tap(page, "break")
        return
    on(page, "Set aside")
    expect(page.locator("#given")).to_contain_text("Set aside")
    expect(page.locator('[data-key="way"]')).to_contain_text("Score")


def test_an_answer_that_forbids_the_win_can_be_reached(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    typed(page, "234m345567p2267s", "8s")
    there = page.locator(".discards").element_handle()
    tap(page, "tsumo-ron")
    settled(page, "tsumo")
    assert there is not None and there.evaluate("one => one.isConnected")  # a touch may have begun on it
    page.locator(".discards summary").tap()
    page.locator(".discards").locator('[data-key="key-5s"]').tap()
    expect(page.locator("#bar")).to_contain_text("5s is among your own discards")
    on(page, "How was it won?")
    expect(page.locator("#given")).to_be_in_viewport()


def test_tiles_that_are_no_hand_say_so(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    typed(page, "1479m1479p1479s12z")
    expect(page.locator("#bar")).to_contain_text("No winning hand")
    expect(page.locator('[data-key="way"]')).to_be_disabled()


def test_a_hand_is_typed_as_one_line(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    page.locator("#type-hand").tap()
    line = page.locator("#sheet .line input")
    line.fill("234m067p3488s + 9x")
    tap(page, "line-read")
    expect(page.locator("#sheet .wrong")).to_contain_text("9x")
    expect(line).to_have_value("234m067p3488s + 9x")
    line.fill("234m067p3488s + 5s [777z>]")
    line.press("Enter")
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator('[data-group="win"] img')).to_have_attribute("src", "tiles/5s.svg")
    expect(page.locator('[data-group="meld:0"] h2')).to_have_text("Pung from the right")
    expect(page.locator("#bar strong")).to_have_text("2,000")
    tap(page, "undo")
    expect(page.locator("#bar strong")).to_have_text("0 of 14 tiles")


@pytest.mark.parametrize(("width", "in_a_row"), [(360, 5), (740, 10), (1200, 10)])
def test_the_keypad_has_rows_for_each_suit(
    browser: Browser, server: Server, width: int, in_a_row: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, locale="en-GB")
    page = open_page(context, server.url)
    page.locator("#type-hand").click()
    keys = page.locator("#sheet .keypad .key")
    expect(keys).to_have_count(37)
    boxes = [box for key in keys.all() if (box := key.bounding_box()) is not None]
    assert len(boxes) == 37 and all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    for suit in range(3):
        rows = {round(box["y"]) for box in boxes[10 * suit : 10 * suit + 10]}
        assert len(rows) == 10 // in_a_row
        assert not rows & {round(box["y"]) for box in boxes[10 * suit + 10 :]}
    assert len({round(box["y"]) for box in boxes[30:]}) == 1  # winds and dragons
    context.close()
