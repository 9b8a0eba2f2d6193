"""The same game open in two windows of one browser: nothing is booked twice, and nothing lost."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, expect

from tests.end_to_end.evening import DEAF, agrees, booked, draw, start, taps, told, won
from tests.end_to_end.links import HAND, go, link
from tests.end_to_end.page import Server, open_home, tap


def test_a_hand_that_is_booked_in_one_window_shows_in_the_other(
    phone: BrowserContext, server: Server
) -> None:
    one = open_home(phone, server.url)
    start(one, "wrc2017")  # where the deal passes on though the dealer is ready
    draw(one, 0)
    booked(one, 1)
    two = open_home(phone, server.url)
    booked(two, 1)

    won(two, 2, 3)  # on its way in one window
    draw(one, 1)  # while the other books it
    expect(two.locator("#notice")).to_contain_text("has recorded this hand. East 2-1: ")
    booked(two, 2)
    tap(two, "dismiss")
    tap(two, "seat-3")
    draw(two, 2)
    for page in (one, two):
        booked(page, 3)
    tap(one, "undo")
    for page in (one, two):
        booked(page, 2)
    assert agrees(one) == agrees(two)

    taps(two, "draw", "ready-2")  # chosen in one window
    taps(one, "book", "correct-1", "won", "seat-0", "seat-1")  # while the other moves the deal
    told(one, "limit-mangan")
    expect(two.locator(".foretold")).to_contain_text("Chie +3,000")
    taps(two, "book-it")
    for page in (one, two):
        booked(page, 3)
    game = agrees(two)
    assert game.turns[-1].before.deal != 2 and game.turns[-1].players(game.turns[-1].tenpai) == [2]

    taps(two, "won", "seat-2")
    taps(one, "dora", "key-1z", "dora-done")
    two.wait_for_function("async () => (await import('./games/games.js')).turnedDora().length")
    taps(two, "seat-3")  # still whose discard it was
    expect(two.locator("#take")).to_be_visible()

    go(two, link(HAND))  # while another hand is looked at
    expect(two.locator("#score")).to_be_visible()
    draw(one, 1)
    booked(one, 4)
    two.locator("#go-home").tap()  # the win that is entered there is over
    booked(two, 4)
    expect(two.locator('[data-key="won"]')).to_be_visible()


def test_the_same_hand_is_booked_once_where_windows_do_not_hear_each_other(
    phone: BrowserContext, server: Server
) -> None:
    phone.add_init_script(DEAF)
    one = open_home(phone, server.url)
    start(one)
    draw(one, 0)
    booked(one, 1)
    two = open_home(phone, server.url)
    booked(two, 1)

    won(two, 2, 3)  # on its way in one window
    won(one, 2, 3)
    told(one, "limit-mangan")  # while the other books it
    booked(one, 2)
    told(two, "limit-mangan")
    expect(two.locator("#notice")).to_contain_text("Another phone or window has recorded this hand")
    booked(two, 2)
    assert agrees(one) == agrees(two) and len(agrees(two).turns) == 2

    draw(two, 1)  # the other goes on, and the first is caught
    booked(two, 3)
    draw(one, 2)
    expect(one.locator("#notice")).to_contain_text("Another phone or window has recorded this hand")
    booked(one, 3)
    assert agrees(one) == agrees(two)
    tap(one, "dismiss")
    draw(one, 3)
    booked(one, 4)
    game = agrees(one)
    assert [turn.kind for turn in game.turns] == ["draw", "win", "draw", "draw"]
    two.reload()
    booked(two, 4)
    assert agrees(two) == game


def test_a_setting_of_one_window_outlives_another_setting_of_the_other(
    phone: BrowserContext, server: Server
) -> None:
    choose = "async (changes) => (await import('./app/store.js')).choose(changes)"
    one, two = open_home(phone, server.url), open_home(phone, server.url)
    one.evaluate(choose, {"theme": "dark"})
    two.evaluate(choose, {"automatic": False})
    one.reload()
    one.wait_for_selector("body[data-ready]")
    settings = one.evaluate("async () => (await import('./app/store.js')).settings")
    assert (settings["theme"], settings["automatic"]) == ("dark", False)
