"""A hand that is typed: once all its tiles are there, the page always has a way on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Locator, Page

from tests.end_to_end.looks import OUTSIDE
from tests.end_to_end.page import Server, click, open_page, press, settled, tap
from tests.end_to_end.safari import Window, expect


def typed(page: Window, tiles: str, win: str = "") -> None:
    """Types the tiles one after another, and which of them won."""
    page.locator("#type-hand").tap()
    expect(page.locator("#check")).to_be_visible()
    labels = [rank + suit for ranks, suit in re.findall(r"(\d+)([mpsz])", tiles) for rank in ranks]
    if page.locator("#sheet").is_hidden():
        tap(page, "add-closed")
    if isinstance(page, Page):
        press(page, labels)
    else:
        for label in labels:
            tap(page, f"key-{label}")
    expect(page.locator(".group.closed .held")).to_have_count(len(labels))
    if page.locator("#sheet").is_visible():
        tap(page, "close")
    if win:
        tap(page, "add-win")
        tap(page, f"key-{win}")


def on(page: Page, *steps: str) -> None:
    """The button at the bottom says these, one after another; "Show score" leads there."""
    way = page.locator('[data-key="way"]')
    for step in steps:
        expect(way).to_contain_text(step)
        expect(way).to_be_enabled()
        way.tap()
    if steps[-1] == "Show score":
        expect(page.locator("#score")).to_be_visible()


COMPLETE = [
    ("234m345567p22678s", "", ["Show score"]),
    ("234m345567p22678s", "8s", ["Show score"]),  # the winning tile was typed with the others
    ("234m345567p2267s", "8s", ["Show score"]),
    ("1111m345567p22678s", "", ["Concealed kan", "Show score"]),
    ("1111m345567p2267s", "8s", ["Concealed kan", "Show score"]),
    ("1111m2222p3333s4444z55z", "", [*["Concealed kan"] * 4, "Show score"]),
    ("19m19p19s12345677z", "7z", ["Show score"]),
    ("1199m1199p1199s11z", "1z", ["Show score"]),
    ("1111m2345678999m", "", ["Show score"]),  # four alike, and no kong
]


def test_a_complete_hand_leads_on(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    for tiles, win, steps in COMPLETE:
        typed(page, tiles, win)
        on(page, *steps)
        expect(page.locator("#reasons li").first).to_be_visible()
        assert not page.evaluate(OUTSIDE), tiles
        tap(page, "way")  # the next hand


@pytest.mark.parametrize("tiles", ["111m345567p22678s44z", "111m345567p22678s4444z", "111999m345p22678s4z"])
def test_norths_typed_with_the_hand_of_three_players_are_set_aside(
    phone: BrowserContext, server: Server, tiles: str
) -> None:
    page = open_page(phone, server.url)
    page.locator("#rules-take").select_option("tenhou3")
    typed(page, tiles)
    kong = ["Concealed kan"] * ("4444z" in tiles)
    if kong:  # it may be one; then the player takes that back
        tap(page, "way")
        page.locator(".group.meld .held").first.tap()
        tap(page, "break")
        return
    on(page, "Set aside")
    expect(page.locator("#given")).to_contain_text("Set aside")
    expect(page.locator('[data-key="way"]')).to_contain_text("Show score")


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
    expect(page.locator('[data-group="meld:0"] h2')).to_have_text("Pon from the right")
    expect(page.locator("#bar strong")).to_have_text("2,000")
    tap(page, "undo")
    expect(page.locator("#bar strong")).to_have_text("0 of 14 tiles")


WIDTHS = [(360, 5), (399, 5), (400, 9), (412, 9), (430, 9), (740, 9), (1200, 9)]
"""Of a screen, and how many tiles of a suit stand in a row: nine keys of 44 pixels need 396."""


def rows(keys: Locator) -> dict[str, tuple[float, float]]:
    """Where each key stands; each of them can be hit."""
    boxes = {key.get_attribute("data-key"): key.bounding_box() for key in keys.all()}
    assert all(box and box["width"] >= 43.9 and box["height"] >= 43.9 for box in boxes.values())
    return {str(name)[4:]: (box["x"], round(box["y"])) for name, box in boxes.items() if box}


def in_rows(places: dict[str, tuple[float, float]], in_a_row: int) -> None:
    """The plain tiles of each suit in so many rows, in order, which they share with no other suit."""
    for suit in "mps":
        own = [places[f"{rank}{suit}"] for rank in range(1, 10)]
        assert len({y for _, y in own}) == (1 if in_a_row == 9 else 2)
        assert own == sorted(own, key=lambda place: (place[1], place[0]))
        others = {y for label, (_, y) in places.items() if label[1] != suit}
        assert not others & {y for _, y in own}
    assert len({places[f"{rank}z"][1] for rank in range(1, 8)}) == 1  # winds and dragons


def test_the_keypad_has_rows_for_each_suit(desktop: BrowserContext, server: Server) -> None:
    page = open_page(desktop, server.url)
    page.locator("#type-hand").click()
    keys = page.locator("#sheet .keypad .key")
    expect(keys).to_have_count(37)
    for width, in_a_row in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        places = rows(keys)
        reds = {suit: places.pop(f"0{suit}")[1] for suit in "mps"}
        in_rows(places, in_a_row)
        with_suit = all(y in {places[f"{rank}{suit}"][1] for rank in (5, 6)} for suit, y in reds.items())
        assert with_suit or len(set(reds.values())) == 1
        assert not page.evaluate(OUTSIDE)


def test_indicators_are_picked_from_rows_of_nine(desktop: BrowserContext, server: Server) -> None:
    page = open_page(desktop, server.url)
    page.locator("#type-hand").click()
    page.locator("#sheet .line input").fill("234m345567p2267s + 8s")
    click(page, "line-read")
    strip = page.locator('[data-field="dora_indicators"]')
    for number in range(5):
        expect(strip.locator(".strip .answer").nth(number)).to_contain_text(str(number))
    strip.locator("summary").click()
    keys = strip.locator(".keypad .key")
    expect(keys).to_have_count(34)  # a red five shows the same dora as a plain one
    for width, in_a_row in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        in_rows(rows(keys), in_a_row)
        assert not page.evaluate(OUTSIDE)
    click(page, "key-5s")
    click(page, "dora_indicators-done")
    expect(page.locator('[data-group="dora"] img')).to_have_attribute("src", "tiles/5s.svg")
