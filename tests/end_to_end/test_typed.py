"""A hand that is typed: once all its tiles are there, the page always has a way on."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, Locator, Page

from tests.end_to_end.looks import OUTSIDE
from tests.end_to_end.page import Held, Server, click, open_page, painted, press, tap
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
    if "Show score" in steps:
        expect(page.locator("#score")).to_be_visible()


KAN = "Concealed kan"
COMPLETE = [
    ("234m345567p22678s", "8s", []),  # the winning tile was typed with the others
    ("1111m345567p22678s", "", [KAN]),
    ("1111m2222p3333s4444z55z", "", [KAN] * 4),
    ("19m19p19s12345677z", "7z", []),
    ("1199m1199p1199s11z", "1z", []),
    ("1111m2345678999m", "", []),  # four alike, and no kan
]
"""Hands, which of their tiles won where that is said, and the steps from there to their score."""

NORTHS = ("111m345567p22678s44z", "111m345567p22678s4444z", "111999m345p22678s4z")
"""Typed with the hand of three players: they are set aside."""


def test_a_typed_hand_leads_on(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    typed(page, "234m345567p22678s")
    on(page, "Show score")
    expect(page.locator("#reasons li").first).to_be_visible()
    assert not page.evaluate(OUTSIDE)
    tap(page, "way")  # the next hand
    as_one_line(page)
    for tiles, win, steps in COMPLETE:
        by_line(page, tiles)
        if win:
            tap(page, "add-win")
            tap(page, f"key-{win}")
        on(page, *steps)
        expect(page.locator('[data-key="way"]')).to_contain_text("Show score")
        expect(page.locator('[data-key="way"]')).to_be_enabled()
        assert not page.evaluate(OUTSIDE), tiles
        tap(page, "step-take")
    no_hand(page)
    tap(page, "step-take")
    page.locator("#rules-take").select_option("tenhou3")
    for tiles in NORTHS:
        with_norths(page, tiles)
        tap(page, "step-take")


def as_one_line(page: Page) -> None:
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
    tap(page, "step-take")


def by_line(page: Page, line: str) -> None:
    page.locator("#type-hand").tap()
    page.locator("#sheet .line input").fill(line)
    tap(page, "line-read")
    expect(page.locator("#sheet .line")).to_have_count(0)


def no_hand(page: Page) -> None:
    by_line(page, "1479m1479p1479s12z")
    expect(page.locator("#bar")).to_contain_text("No winning hand")
    expect(page.locator('[data-key="way"]')).to_be_disabled()


def with_norths(page: Page, tiles: str) -> None:
    by_line(page, tiles)
    if "4444z" in tiles:  # a kan, it may be; then the player takes that back
        on(page, "Concealed kan")
        page.locator(".group.meld .held").first.tap()
        tap(page, "break")
        return
    on(page, "Set aside")
    expect(page.locator("#given")).to_contain_text("Set aside")
    expect(page.locator('[data-key="way"]')).to_contain_text("Show score")


WIDTHS = [(360, 5), (399, 5), (400, 9), (412, 9), (430, 9), (740, 9), (1200, 9)]
"""Of a screen, and how many tiles of a suit stand in a row: nine keys of 44 pixels need 396."""


BOXES = """keys => keys.map((key) => {
    const { x, y, width, height } = key.getBoundingClientRect();
    return [key.dataset.key.slice(4), x, Math.round(y), width, height];
})"""


def rows(keys: Locator) -> dict[str, tuple[float, float]]:
    """Where each key stands; each of them can be hit."""
    boxes = keys.evaluate_all(BOXES)
    assert all(width >= 43.9 and height >= 43.9 for *_, width, height in boxes)
    return {label: (x, y) for label, x, y, *_ in boxes}


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
        painted(page)
        places = rows(keys)
        reds = {suit: places.pop(f"0{suit}")[1] for suit in "mps"}
        in_rows(places, in_a_row)
        with_suit = all(y in {places[f"{rank}{suit}"][1] for rank in (5, 6)} for suit, y in reds.items())
        assert with_suit or len(set(reds.values())) == 1
        assert not page.evaluate(OUTSIDE)
    indicators(page)


def indicators(page: Page) -> None:
    """They are picked from the same rows."""
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
        painted(page)
        in_rows(rows(keys), in_a_row)
        assert not page.evaluate(OUTSIDE)
    click(page, "key-5s")
    click(page, "dora_indicators-done")
    expect(page.locator('[data-group="dora"] img')).to_have_attribute("src", "tiles/5s.svg")


def test_a_line_that_is_read_late_leaves_the_next_hand_alone(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    page.locator("#type-hand").tap()
    held = Held(page, "**/api/typed")
    page.locator("#sheet .line input").fill("234m067p3488s + 5s [777z]")
    tap(page, "line-read")
    held.came()
    tap(page, "step-take")
    page.locator("#type-hand").tap()
    press(page, ["1z"])
    with page.expect_response("**/api/typed"):
        held.let_go()
    press(page, ["2z"])
    expect(page.locator(".group.closed .held")).to_have_count(2)
    expect(page.locator("#sheet")).to_be_visible()


def test_the_score_is_asked_again_though_another_request_waits_for_the_server(
    phone: BrowserContext, server: Server
) -> None:
    page = open_page(phone, server.url)
    typed(page, "234m345567p22679s")
    expect(page.locator("#unfinished")).to_be_visible()
    phone.route("**/api/**", lambda route: route.abort())
    page.locator(".held").last.tap()
    tap(page, "all")
    tap(page, "key-8s")
    expect(page.locator("#notice")).to_contain_text("does not answer")
    page.locator("#unfinished details.all summary").tap()  # the lesson waits, too
    phone.unroute("**/api/**")
    expect(page.locator("#unfinished")).to_be_hidden()
    expect(page.locator("#questions .question").first).to_be_visible()
