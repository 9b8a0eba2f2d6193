"""The table as it is seen: names whole, points plain, nothing covered, also at 200 % text; and the focus."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.end_to_end.evening import FORGET, NAMES, agrees, anew, booked, draw, drawn, kept, taps
from tests.end_to_end.looks import OUTSIDE, SMALL, is_good
from tests.end_to_end.page import Server, click, open_home, painted, tap

LONG = ("Aleksandra", "Maximilian", "Wilhelmina", "Bartholomäus")

CUT = """() => [...document.querySelectorAll("main *, dialog[open] *")]
    .filter((one) => one.checkVisibility({visibilityProperty: true}) && !one.closest(".visually-hidden, svg"))
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline")
    .filter((one) => !one.matches("input, select, fieldset"))
    .map((one) => one.outerHTML.slice(0, 160))"""
"""What has text that does not fit into it."""

LARGE = """
addEventListener("DOMContentLoaded", () => { document.documentElement.style.fontSize = "200%"; });
"""
"""A browser whose text is set to twice the size."""

COVERED = """() => [...document.querySelectorAll(".seat")].flatMap((seat) => {
    const box = (name) => seat.querySelector(name)?.getBoundingClientRect();
    const over = (a, b) => a && b && a.left < b.right && a.top < b.bottom;
    const meet = (a, b) => over(a, b) && over(b, a);
    return [".wind", ".name", ".have"].filter((name) => meet(box(".moved"), box(name)));
})"""
"""What the pill with the change lies over."""


@pytest.fixture
def evening(phone: BrowserContext, server: Server) -> Iterator[Page]:
    yield open_home(phone, server.url)


def named(page: Page, names: tuple[str, ...] = LONG) -> None:
    click(page, "new")
    for at, name in enumerate(names):
        page.fill(f"#name-{at}", name)
    page.locator("#new-rules").select_option("ema2008")
    click(page, "begin")
    expect(page.locator(".seat")).to_have_count(4)


def test_names_are_whole_and_changes_cover_nothing(evening: Page) -> None:
    page = evening
    named(page)
    taps(page, "seat-1")
    draw(page, 0)
    booked(page, 1)
    for width, height in ((320, 640), (740, 360), (1200, 800)):
        page.set_viewport_size({"width": width, "height": height})
        painted(page)
        expect(page.locator(".seat .moved")).to_have_count(4)
        assert not page.evaluate(COVERED)
        assert not page.evaluate(CUT)
        assert not page.evaluate(SMALL)
        assert not page.evaluate(OUTSIDE)
        assert page.locator(".seat .name").all_inner_texts() == list(LONG)
        bottom = page.evaluate("document.querySelector('#home-body').getBoundingClientRect().bottom")
        assert bottom > height - 60  # the table fills the screen
    is_good(page)


SPEAK = """async (lang) => {
    const { choose } = await import("./app/store.js");
    choose({ lang });
}"""


def test_text_of_twice_the_size_cuts_nothing(phone: BrowserContext, server: Server) -> None:
    phone.add_init_script(LARGE)
    page = open_home(phone, server.url)

    def looks() -> None:
        assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") == 32
        assert not page.evaluate(CUT)
        assert not page.evaluate(OUTSIDE)

    for width, language in ((320, "en"), (360, "ja")):
        page.evaluate(FORGET)
        page.evaluate(SPEAK, language)
        page.set_viewport_size({"width": width, "height": 740})
        page.reload()
        page.wait_for_selector(f'html[lang="{language}"] body[data-ready]')
        looks()
        taps(page, "new")
        expect(page.locator("#act")).to_be_visible()
        looks()
        page.keyboard.press("Escape")
        expect(page.locator("#act")).to_be_hidden()
        named(page)
        taps(page, "seat-1")
        draw(page, 0)
        booked(page, 1)
        looks()
        taps(page, "more")
        looks()
        taps(page, "points")
        looks()
        page.keyboard.press("Escape")
        taps(page, "won", "seat-2")
        looks()


def focus_stays_where_the_work_goes_on(page: Page) -> None:
    page.locator('[data-key="new"]').press("Enter")
    page.locator('[data-key="begin"]').press("Enter")
    expect(page.locator('[data-key="won"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator('[data-key="seat-0"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".seat:focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator('[data-key="won"]')).to_be_focused()
    page.locator('[data-key="draw"]').press("Enter")
    expect(page.locator('[data-key="book-it"]')).to_be_enabled()  # once it says who pays whom
    page.locator('[data-key="book-it"]').press("Enter")
    booked(page, 1)
    assert page.evaluate("document.activeElement !== document.body")


FOCUSED = "(key) => document.activeElement.dataset.key === key"


def by_keyboard(page: Page, *keys: str) -> None:
    """Goes to what is called so by the Tab key alone, and presses Enter."""
    for key in keys:
        expect(page.locator(f'[data-key="{key}"]:visible').first).to_be_enabled()
        for _ in range(60):
            if page.evaluate(FOCUSED, key):
                break
            page.keyboard.press("Tab")
        else:
            raise AssertionError(f"{key} is not reached by the keyboard")
        page.keyboard.press("Enter")


def a_game_is_played_by_the_keyboard_alone(page: Page) -> None:
    page.evaluate(FORGET)
    by_keyboard(page, "new", "begin", "draw", "ready-1", "book-it")
    booked(page, 1)
    by_keyboard(page, "seat-2", "won", "seat-2", "seat-3", "told", "limit-mangan", "book-it")
    booked(page, 2)
    by_keyboard(page, "undo")
    booked(page, 1)
    by_keyboard(page, "book", "correct-1", "draw", "ready-0", "book-it")
    expect(page.locator(".correcting")).to_have_count(0)
    game = agrees(page)
    assert [turn.players(turn.tenpai) for turn in game.turns] == [[0, 1]]


def test_a_game_is_played_by_the_keyboard(desktop: BrowserContext, server: Server) -> None:
    page = open_home(desktop, server.url)
    focus_stays_where_the_work_goes_on(page)
    a_game_is_played_by_the_keyboard_alone(page)


def seats_and_names_are_changed_in_a_running_game(page: Page) -> None:
    anew(page, drawn("E"), drawn("W"))
    before = agrees(page).game.points
    tap(page, "more")
    tap(page, "seats")
    is_good(page)
    tap(page, "up-1")  # Ben was the first dealer
    page.fill("#name-3", "Daniela")
    tap(page, "book-it")
    expect(page.locator('[data-key="seat-0"] .name')).to_have_text("Ben")
    game = kept(page)
    assert game.names == ("Ben", "Aki", "Chie", "Daniela") and game.game.points == before
    page.locator('[data-key="undo"]:visible').tap()
    expect(page.locator('[data-key="seat-0"] .name')).to_have_text("Aki")
    assert kept(page).names == NAMES


def the_same_players_again_with_seats_drawn(page: Page) -> None:
    anew(page, rounds="1")
    page.once("dialog", lambda dialog: dialog.accept())
    tap(page, "more")
    tap(page, "end")
    expect(page.locator(".ended")).to_be_visible()
    page.evaluate(
        "() => { crypto.getRandomValues = (lots) => (lots.set([3, 2, 1, 0].slice(0, lots.length)), lots); }"
    )
    tap(page, "again")
    names = [page.locator(f"#name-{at}").input_value() for at in range(4)]
    assert names == list(reversed(NAMES))
    assert page.locator("#new-rules").input_value() == "ema2008"
    assert page.locator("#new-length").input_value() == "1"
    tap(page, "draw-seats")
    assert [page.locator(f"#name-{at}").input_value() for at in range(4)] == list(NAMES)


def test_seats_are_changed_and_drawn(evening: Page) -> None:
    seats_and_names_are_changed_in_a_running_game(evening)
    the_same_players_again_with_seats_drawn(evening)
