"""The table as it is seen: names whole, points plain, nothing covered, also at 200 % text; and the focus."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.end_to_end.evening import NAMES, agrees, booked, draw, kept, start
from tests.end_to_end.looks import OUTSIDE, is_good
from tests.end_to_end.page import PATIENCE, PHONE, Server, click, open_home, tap

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


@pytest.mark.parametrize(("width", "height"), [(320, 640), (740, 360), (1200, 800)])
def test_names_are_whole_and_changes_cover_nothing(
    browser: Browser, server: Server, width: int, height: int
) -> None:
    device = {**PHONE, "viewport": {"width": width, "height": height}}
    with browser.new_context(**device, locale="en-GB", reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE)
        page = open_home(context, server.url)
        named(page)
        tap(page, "seat-1")
        draw(page, 0)
        booked(page, 1)
        expect(page.locator(".seat .moved")).to_have_count(4)
        assert not page.evaluate(COVERED)
        assert not page.evaluate(CUT)
        for name, seat in zip(LONG, page.locator(".seat .name").all(), strict=True):
            assert seat.inner_text() == name
        bottom = page.evaluate("document.querySelector('#home-body').getBoundingClientRect().bottom")
        assert bottom > height - 60  # the table fills the screen
        is_good(page)


@pytest.mark.parametrize(("width", "language"), [(320, "en-GB"), (360, "ja-JP")])
def test_text_of_twice_the_size_cuts_nothing(
    browser: Browser, server: Server, width: int, language: str
) -> None:
    device = {**PHONE, "viewport": {"width": width, "height": 740}}
    with browser.new_context(**device, locale=language, reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE)
        context.add_init_script(LARGE)
        page = open_home(context, server.url)

        def looks() -> None:
            assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") == 32
            assert not page.evaluate(CUT)
            assert not page.evaluate(OUTSIDE)

        looks()
        click(page, "new")
        expect(page.locator("#act")).to_be_visible()
        looks()
        page.keyboard.press("Escape")
        expect(page.locator("#act")).to_be_hidden()
        named(page)
        tap(page, "seat-1")
        draw(page, 0)
        booked(page, 1)
        looks()
        tap(page, "more")
        looks()
        tap(page, "points")
        looks()
        page.keyboard.press("Escape")
        tap(page, "won")
        tap(page, "seat-2")
        looks()


def test_points_below_zero_have_a_minus_and_a_colour(evening: Page) -> None:
    page = evening
    start(page, rules="mleague")
    tap(page, "more")
    tap(page, "points")
    for player, points in enumerate(("1000", "51000", "25000", "25000")):
        page.fill(f"#points-{player}", points)
    tap(page, "minus-0")
    page.fill("#points-1", "51000")
    tap(page, "book-it")
    booked(page, 1)
    seat = page.locator('[data-key="seat-0"] .have')
    expect(seat).to_have_text("−1,000")
    plain = page.locator('[data-key="seat-1"] .have')
    colour = "one => getComputedStyle(one).color"
    assert seat.evaluate(colour) != plain.evaluate(colour)


def test_focus_stays_where_the_work_goes_on(desktop: BrowserContext, server: Server) -> None:
    page = open_home(desktop, server.url)
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


def test_seats_and_names_are_changed_in_a_running_game(evening: Page) -> None:
    page = evening
    start(page)
    draw(page, 0)
    booked(page, 1)
    draw(page, 2)
    booked(page, 2)
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


def test_the_same_players_again_with_seats_drawn(evening: Page) -> None:
    page = evening
    start(page, rounds="1")
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
