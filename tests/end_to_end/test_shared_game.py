"""Two phones and the big screen at one table: each sees what the others book; a dead server loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from scorer import replay
from tests.end_to_end.evening import KEPT, NAMES, agrees, booked, draw, lay, start, taps, told, won
from tests.end_to_end.looks import violations
from tests.end_to_end.page import PATIENCE, Held, Server, open_home, tap

LATER = 3 * PATIENCE
"""Milliseconds that a server which starts again, and who follows it, may take."""


def has_no_faults(page: Page) -> None:
    assert not violations(page)


def points(page: Page, *have: str) -> None:
    expect(page.locator(".seat .have")).to_have_text(have)


def shared(
    page: Page,
    server: Server,
    other: BrowserContext,
    rules: str = "ema2008",
    look: Callable[[Page], None] = lambda _: None,
) -> Page:
    """A game begun on one phone and followed on the other. ``look``: what the offer is looked at by."""
    start(page, rules)
    tap(page, "share-here")
    expect(page.locator("#shared-standing")).to_contain_text("Shared")
    second = open_home(other, server.url)
    offered = second.get_by_role("button", name=f"Follow: {', '.join(NAMES)}")
    expect(offered).to_be_visible()
    look(second)
    offered.tap()
    expect(second.locator("#shared-standing")).to_contain_text("Shared")
    return second


def test_two_phones_and_the_big_screen_follow_through_a_kill_of_the_server(
    phone: BrowserContext,
    other_phone: BrowserContext,
    desktop: BrowserContext,
    sharing: Server,
    tmp_path: Path,
) -> None:
    first = open_home(phone, sharing.url)
    second = shared(first, sharing, other_phone, "wrc2017", has_no_faults)
    screen = desktop.new_page()
    home, _, token = sharing.url.partition("?")
    screen.goto(f"{home}table?{token}")
    expect(screen.locator("#hand")).to_have_text("East 1")

    draw(first, 1, 2)  # the dealer is not ready: the deal passes
    booked(first, 1)
    for page in (first, second):
        points(page, "28,500", "31,500", "31,500", "28,500")
    expect(screen.locator("#hand")).to_have_text("East 2-1")
    won(second, 2, 3)
    told(second, "limit-mangan")
    booked(second, 2)
    for page in (first, second):
        points(page, "28,500", "31,500", "39,800", "20,200")
    expect(screen.locator("#players .have")).to_have_text(["28,500", "31,500", "39,800", "20,200"])

    games = tmp_path / "games" / "games.sqlite"
    aside = games.rename(games.with_name("aside"))
    draw(second)  # what the server cannot keep stays on the phone
    expect(second.locator("#notice")).to_contain_text("stays on this phone")
    expect(second.locator("#home .noted li")).to_have_count(1)
    aside.rename(games)
    sharing.kill()
    for page in (first, second):
        expect(page.locator("#shared-standing")).to_contain_text("does not answer")
        points(page, "28,500", "31,500", "39,800", "20,200")
    expect(screen.locator("#trouble")).to_be_visible()
    has_no_faults(first)
    draw(second)  # booked while nobody answers, and the phone's page is opened anew
    expect(second.locator("#notice")).to_contain_text("does not answer")
    sharing.start()
    second.reload()
    expect(screen.locator("#hand")).to_have_text("South 1-2", timeout=LATER)
    for page in (first, second):
        expect(page.locator(".middle strong")).to_have_text("South 1-2", timeout=LATER)
        expect(page.locator("#shared-standing")).to_contain_text("Shared")
    record, other = first.evaluate(KEPT), second.evaluate(KEPT)
    assert [len(game) for game in (record[0], other[0])] == [5, 5]
    assert replay(record[0]).game == replay(other[0]).game


def test_the_second_booking_of_a_hand_is_caught_and_told(
    phone: BrowserContext, other_phone: BrowserContext, sharing: Server
) -> None:
    first = open_home(phone, sharing.url)
    second = shared(first, sharing, other_phone)
    won(second, 1, 0)  # his tiles are being photographed, and the other phone books
    draw(first)
    expect(second.locator("#notice")).to_contain_text(
        "Another phone or window has recorded this hand. East 1: Draw"
    )
    expect(second.locator("#home")).to_be_visible()
    booked(second, 1)

    second.route("**/follow?*", lambda route: route.abort())  # nothing is told to this phone now
    second.reload()
    second.wait_for_selector("body[data-ready]")
    draw(first, 0)
    booked(first, 2)
    draw(second, 1)
    expect(second.locator("#notice")).to_contain_text("Another phone or window has recorded this hand")
    booked(second, 2)
    tap(second, "dismiss")
    assert first.evaluate(KEPT) == second.evaluate(KEPT)


def test_a_correction_of_a_hand_that_another_phone_has_just_corrected_is_told(
    phone: BrowserContext, other_phone: BrowserContext, sharing: Server
) -> None:
    first = open_home(phone, sharing.url)
    second = shared(first, sharing, other_phone)
    draw(first, 0)
    for page in (first, second):
        booked(page, 1)
    tap(second, "seat-3")  # a riichi of the next hand
    taps(first, "book", "correct-1")
    taps(second, "book", "correct-1", "draw", "ready-1")
    draw(first, 2)
    expect(second.locator("#notice")).to_contain_text("has recorded this hand. East 1: Draw")
    expect(second.locator("#notice")).to_contain_text("Chie")
    booked(second, 1)
    expect(second.locator(".correcting")).to_have_count(0)
    expect(second.locator(".seat[aria-pressed=true]")).to_have_count(1)
    tap(second, "dismiss")
    taps(second, "book", "correct-1")  # knowing of it
    draw(second, 3)
    expect(second.locator(".correcting")).to_have_count(0)
    points(first, "31,000", "27,000", "31,000", "31,000")
    points(second, "31,000", "27,000", "31,000", "30,000")
    for page in (first, second):
        expect(page.locator("#notice")).to_be_hidden()
    assert first.evaluate(KEPT) == second.evaluate(KEPT)


def test_a_phone_follows_though_an_answer_was_lost_and_however_it_began(
    phone: BrowserContext, other_phone: BrowserContext, sharing: Server
) -> None:
    first = open_home(phone, sharing.url)
    start(first)
    first.reload()
    tap(first, "share-here")
    second = open_home(other_phone, sharing.url)
    asked = Held(second, "**/api/games/*?lang=en")
    second.locator('[data-key^="join-"]').evaluate("button => (button.click(), button.click())")
    asked.came()
    asked.let_go()
    expect(second.locator("#shared-standing")).to_contain_text("Shared")
    assert len(second.evaluate(KEPT)) == 1

    tap(second, "seat-1")
    held = Held(second, "**/changes")
    draw(second)
    held.came()
    held.lose(lambda: booked(first, 1))  # the followers hear of it
    booked(second, 1)
    expect(second.locator(".seat[aria-pressed=true]")).to_have_count(0)  # it was a riichi of that hand

    second.route("**/api/health", lambda route: route.abort())
    with second.expect_request("**/api/health"):
        second.reload()
    second.wait_for_selector("body[data-ready]")
    second.unroute("**/api/health")
    draw(first, 1)
    booked(second, 2)

    won(second, 2, 3)
    lay(second)
    taps(second, "dora_indicators-none")
    second.route("**/changes", lambda route: None)
    with second.expect_request("**/changes"):
        taps(second, "way")
    again = open_home(other_phone, sharing.url)  # as after a dead battery, before there was an answer
    booked(again, 3)


def begin_unheard(page: Page, server: Server, *ready: int) -> None:
    """The game is shared, and the server dies when it has kept it, before it answers. A draw is noted
    until it is there again: without one the page shares the game by itself when it hears of the server."""

    held = Held(page, "**/api/games")
    tap(page, "share-here")
    held.came()
    held.lose(server.kill)
    expect(page.locator("#notice")).to_contain_text("does not answer")
    draw(page, *ready)
    expect(page.locator("#home .noted li")).to_have_count(1)
    server.start()
    expect(page.locator("#home .noted")).to_have_count(0, timeout=LATER)


def share_now(page: Page) -> None:
    tap(page, "share-here")
    expect(page.locator("#shared-standing")).to_contain_text("Shared", timeout=LATER)


def follow(server: Server, other: BrowserContext) -> Page:
    page = open_home(other, server.url)
    page.get_by_role("button", name=f"Follow: {', '.join(NAMES)}").tap()
    expect(page.locator("#shared-standing")).to_contain_text("Shared")
    return page


def test_what_is_booked_while_the_answer_to_sharing_is_lost_comes_into_the_shared_game(
    phone: BrowserContext, other_phone: BrowserContext, sharing: Server
) -> None:
    page = open_home(phone, sharing.url)
    start(page, rules="tenhou")
    for many in (1, 2, 3):
        draw(page, 0, many)
        booked(page, many)
    begin_unheard(page, sharing, 3)  # the deal passes
    booked(page, 4)
    begin_unheard(page, sharing, 1)  # the same again, of a longer game
    booked(page, 5)
    tap(page, "book")
    tap(page, "take-back-2")
    expect(page.locator(".booked-hands > li")).to_have_count(4)
    tap(page, "correct-1")
    tap(page, "draw")
    tap(page, "ready-1")
    tap(page, "book-it")
    expect(page.locator(".correcting")).to_have_count(0)
    before = agrees(page)
    share_now(page)
    booked(page, 4)
    assert agrees(page) == before
    second = follow(sharing, other_phone)
    booked(second, 4)
    assert second.evaluate(KEPT) == page.evaluate(KEPT)
    draw(second, 2)
    for one in (page, second):
        booked(one, 5)
    assert agrees(page) == agrees(second)


def test_what_another_phone_has_made_of_the_game_meanwhile_stays_and_what_is_only_here_waits_for_the_player(
    phone: BrowserContext, other_phone: BrowserContext, sharing: Server
) -> None:
    page = open_home(phone, sharing.url)
    start(page)
    for many in (1, 2, 3):
        draw(page, many)
        booked(page, many)
    begin_unheard(page, sharing, 0)
    booked(page, 4)
    tap(page, "book")
    tap(page, "correct-1")
    tap(page, "draw")
    tap(page, "ready-2")
    tap(page, "book-it")
    expect(page.locator(".correcting")).to_have_count(0)
    tap(page, "book")
    tap(page, "take-back-2")
    expect(page.locator(".booked-hands > li")).to_have_count(3)
    page.locator("#go-home").tap()
    second = follow(sharing, other_phone)
    booked(second, 3)
    tap(second, "book")
    tap(second, "take-back-3")
    expect(second.locator(".booked-hands > li")).to_have_count(2)
    second.locator("#go-home").tap()
    draw(second, 1, 3)
    booked(second, 3)

    share_now(page)
    for one in (page, second):  # the correction and what was taken back, which nobody has touched there
        booked(one, 2)
    expect(page.locator("#home .noted .hint")).to_contain_text("in the meantime")
    expect(page.locator("#home .noted li")).to_have_count(1)
    expect(page.locator("#home .noted li")).to_contain_text("Draw: Aki")
    tap(page, "noted-now")
    for one in (page, second):
        booked(one, 3)
    expect(page.locator("#home .noted")).to_have_count(0)
    game = agrees(page)
    assert game == agrees(second)
    assert [turn.players(turn.tenpai) for turn in game.turns] == [[1, 2], [1, 3], [0]]


def test_what_is_booked_while_the_folder_of_the_games_is_another_comes_into_the_shared_game(
    phone: BrowserContext, sharing: Server, tmp_path: Path
) -> None:
    page = open_home(phone, sharing.url)
    start(page)
    share_now(page)
    draw(page, 0)
    booked(page, 1)
    sharing.kill()
    elsewhere = Server(tmp_path, "--lan", "lo", "--games", str(tmp_path / "others"))
    elsewhere.port = sharing.port
    elsewhere.start()
    expect(page.locator('[data-key="share-here"]')).to_be_visible(timeout=LATER)  # this phone's alone
    for many in (2, 3):
        draw(page, many)
        booked(page, many)
    before = agrees(page)
    elsewhere.kill()
    sharing.start()
    share_now(page)
    booked(page, 3)
    assert agrees(page) == before
    draw(page)
    booked(page, 4)
    agrees(page)


def test_a_game_whose_sharing_was_not_heard_of_is_followed_as_the_one_that_it_is(
    phone: BrowserContext, sharing: Server
) -> None:
    page = open_home(phone, sharing.url)
    start(page)
    begin_unheard(page, sharing, 0)
    booked(page, 1)
    tap(page, "more")
    tap(page, "close-game")
    page.get_by_role("button", name=f"Follow: {', '.join(NAMES)}").tap()
    expect(page.locator("#shared-standing")).to_contain_text("Shared")
    booked(page, 1)
    agrees(page)  # there is one game here, not two


def test_a_hand_that_another_window_books_while_a_game_is_shared_comes_along(
    phone: BrowserContext, sharing: Server
) -> None:
    page = open_home(phone, sharing.url)
    start(page)
    other = open_home(phone, sharing.url)
    held = Held(page, "**/api/games")
    tap(page, "share-here")
    held.came()
    draw(other, 0)
    for one in (page, other):
        booked(one, 1)
    held.let_go()
    for one in (page, other):
        expect(one.locator("#shared-standing")).to_contain_text("Shared")
        booked(one, 1)
    assert len(agrees(page).turns) == 1
    draw(other, 1)
    for one in (page, other):
        booked(one, 2)
    assert agrees(page) == agrees(other)
