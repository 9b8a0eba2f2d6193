"""The table while the server is dead: hands are noted on the phone, and booked in order once it is back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.end_to_end.evening import DEAF, KEPT, agrees, booked, draw, kept, start, told, won
from tests.end_to_end.hanchan import closed
from tests.end_to_end.looks import is_good
from tests.end_to_end.page import Server, give, open_home, tap
from tests.end_to_end.test_shared_game import LATER, shared

NOTED = "#home .noted li"


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Server]:
    """A server of this test alone."""
    server = Server(tmp_path).start()
    yield server
    server.stop()


def noted(page: Page, *texts: str) -> None:
    """These wait for the server, in this order."""
    expect(page.locator(NOTED)).to_have_count(len(texts))
    for nth, text in enumerate(texts):
        expect(page.locator(NOTED).nth(nth)).to_contain_text(text)


def in_book(page: Page, *keys: str) -> None:
    """These are tapped in the book, and the table is gone back to."""
    tap(page, "book")
    for key in keys:
        tap(page, key)
    page.locator("#go-home").tap()
    expect(page.locator(".round-table")).to_be_visible()


def come_back(page: Page, server: Server, many: int) -> None:
    server.start()
    expect(page.locator(f'.round-table[data-booked="{many}"]')).to_be_visible(timeout=LATER)
    expect(page.locator(NOTED)).to_have_count(0)
    expect(page.locator("#notice")).to_be_hidden()


def test_hands_are_noted_while_the_server_is_dead_and_booked_in_their_order(
    phone: BrowserContext, mortal: Server
) -> None:
    page = open_home(phone, mortal.url)
    start(page)
    draw(page, 0)
    booked(page, 1)
    before = agrees(page)
    expect(page.locator('[data-key="draw"]')).to_be_enabled()
    mortal.kill()

    draw(page, 2)  # the dealer is not ready: the deal passes, and nobody here can know
    expect(page.locator("#notice")).to_contain_text("does not answer")
    noted(page, "Draw: Chie")
    tap(page, "more")
    tap(page, "points")  # the table shows those of before: a noted hand would be paid twice
    expect(page.locator("#points-0, [data-key='book-it']")).to_have_count(0)
    expect(page.locator("#act")).to_contain_text("once the noted hands are recorded")
    page.keyboard.press("Escape")
    tap(page, "seat-1")  # riichi in the hand after it
    won(page, 2, 3)
    told(page, "limit-mangan")
    noted(page, "Draw: Chie", "Chie, on Dan’s tile: Mangan")
    expect(page.locator(".seat[aria-pressed=true]")).to_have_count(0)
    tap(page, "more")
    tap(page, "chombo-3")
    tap(page, "book-it")
    noted(page, "Draw: Chie", "Chie", "Chombo of: Dan")
    won(page, 0)
    told(page, "han-3", "fu-30")
    draw(page)
    tap(page, "undo")  # the last one, a slip
    noted(page, "Draw: Chie", "Chie", "Chombo of: Dan", "Aki, tsumo: 3 han 30 fu")
    assert kept(page) == before  # nothing is reckoned here
    tap(page, "book")
    expect(page.locator(".booked-hands > li")).to_have_count(1)
    expect(page.locator("#book .noted li")).to_have_count(4)
    page.locator("#go-home").tap()
    is_good(page)

    tap(page, "seat-3")  # and riichi in the next one
    come_back(page, mortal, 5)
    expect(page.locator(".seat[aria-pressed=true]")).to_have_count(1)
    tap(page, "seat-3")
    tap(page, "no_riichi")
    game = agrees(page)
    assert [turn.kind for turn in game.turns] == ["draw", "draw", "win", "chombo", "win"]
    assert game.turns[2].before.deal == game.turns[1].before.deal + 1
    assert game.turns[2].changes[2] > 8000 and game.turns[2].changes[3] < -8000  # whatever their winds are
    assert game.turns[2].players(game.turns[2].declared) == [1] and game.turns[2].changes[1] == -1000
    assert game.turns[3].changes[3] < 0 < game.turns[4].changes[0]
    tap(page, "seat-3")
    draw(page)
    booked(page, 6)
    assert agrees(page).turns[5].players(agrees(page).turns[5].declared) == [3]


def test_what_is_noted_outlives_the_page(phone: BrowserContext, mortal: Server) -> None:
    page = open_home(phone, mortal.url)
    start(page)
    draw(page, 0)
    booked(page, 1)
    won(page, 1, 2)
    expect(page.locator("#take")).to_be_visible()
    mortal.kill()
    give(page, Path("tehai/hand/sample.jpg").resolve())
    expect(page.locator("#notice")).to_contain_text("does not answer")
    told(page, "han-2", "fu-40")  # the photo cannot be read: it goes into the book
    draw(page, 3)
    noted(page, "Ben, on Chie’s tile: 2 han 40 fu", "Draw: Dan")
    page.close()
    mortal.start()
    again = open_home(phone, mortal.url)
    booked(again, 3)
    noted(again)
    game = agrees(again)
    assert game.turns[1].changes[1] > 0 and game.turns[2].players(game.turns[2].tenpai) == [3]
    tap(again, "book")
    expect(again.locator(".entry-hand > img[src]")).to_have_count(1)


def test_what_cannot_have_been_waits_for_the_player(phone: BrowserContext, mortal: Server) -> None:
    page = open_home(phone, mortal.url)
    start(page, rounds="1")
    for many in (1, 2, 3):
        draw(page)
        booked(page, many)
    mortal.kill()
    draw(page)  # the last hand of the game
    draw(page, 1)
    tap(page, "more")
    tap(page, "chombo-2")
    tap(page, "book-it")
    noted(page, "Draw", "Draw: Ben", "Chombo of: Chie")
    mortal.start()
    expect(page.locator(".ended")).to_be_visible(timeout=LATER)
    noted(page, "Draw: Ben", "Chombo of: Chie")
    expect(page.locator("#notice")).to_contain_text("over")
    is_good(page)
    tap(page, "noted-drop-1")
    noted(page, "Draw: Ben")
    tap(page, "noted-drop-0")
    expect(page.locator("#home .noted")).to_have_count(0)
    assert len(kept(page).turns) == 4


def test_hands_noted_on_two_phones_are_booked_once(
    phone: BrowserContext, other_phone: BrowserContext, sharing: Server
) -> None:
    first = open_home(phone, sharing.url)
    second = shared(first, sharing, other_phone)
    for page in (first, second):
        tap(page, "draw")
        closed(page, lambda _: None)
    sharing.kill()
    for page in (first, second):
        expect(page.locator("#shared-standing")).to_contain_text("does not answer")
    draw(first, 0)
    noted(first, "Draw: Aki")
    draw(first, 1)
    noted(first, "Draw: Aki", "Draw: Ben")
    draw(second, 0)
    noted(second, "Draw: Aki")
    draw(second, 2)
    noted(second, "Draw: Aki", "Draw: Chie")
    won(second, 3)
    told(second, "limit-mangan")
    noted(second, "Draw: Aki", "Draw: Chie", "Dan, tsumo: Mangan")
    second.close()
    come_back(first, sharing, 2)
    second = open_home(other_phone, sharing.url)
    expect(second.locator(".noted .hint")).to_contain_text("in the meantime")
    noted(second, "Draw: Aki", "Draw: Chie", "Dan, tsumo: Mangan")
    booked(second, 2)
    tap(second, "noted-drop-0")
    tap(second, "noted-drop-0")
    noted(second, "Dan, tsumo: Mangan")
    tap(second, "noted-now")
    for page in (first, second):
        booked(page, 3)
    noted(second)
    assert agrees(second) == agrees(first) and agrees(first).turns[-1].changes[3] > 0
    assert first.evaluate(KEPT) == second.evaluate(KEPT)


def windows(phone: BrowserContext, server: Server, is_shared: bool) -> tuple[Page, Page]:
    """The same game in two of them, a hand booked and the server dead."""
    one = open_home(phone, server.url)
    start(one)
    if is_shared:
        tap(one, "share-here")
        expect(one.locator("#shared-standing")).to_contain_text("Shared")
    draw(one)
    booked(one, 1)
    two = open_home(phone, server.url)
    booked(two, 1)
    if is_shared:
        expect(two.locator("#shared-standing")).to_contain_text("Shared")
    server.kill()
    for page in (one, two) if is_shared else ():
        expect(page.locator("#shared-standing")).to_contain_text("does not answer")
    return one, two


def test_hands_noted_in_two_windows_are_all_kept_and_booked_once(
    phone: BrowserContext, sharing: Server
) -> None:
    one, two = both = windows(phone, sharing, is_shared=True)
    draw(one, 0)
    for page in both:
        noted(page, "Draw: Aki")
    won(two, 1, 2)
    told(two, "limit-mangan")
    for page in both:
        noted(page, "Draw: Aki", "Ben, on Chie’s tile: Mangan")
    won(two, 3)  # on its way in one window
    draw(one, 2)  # while the other notes it
    expect(two.locator("#notice")).to_contain_text("in the meantime")
    for page in both:
        noted(page, "Draw: Aki", "Ben", "Draw: Chie")
    tap(two, "undo")
    for page in both:
        noted(page, "Draw: Aki", "Ben")
    draw(one, 3)
    noted(two, "Draw: Aki", "Ben", "Draw: Dan")
    sharing.start()
    for page in both:
        booked(page, 4)
        noted(page)
        expect(page.locator("#notice")).to_be_hidden()
    assert [turn.kind for turn in agrees(one).turns] == ["draw", "draw", "win", "draw"]
    draw(two)
    for page in both:
        booked(page, 5)
    assert agrees(one) == agrees(two)


def test_what_was_noted_in_a_window_that_is_closed_is_booked_by_the_other(
    phone: BrowserContext, sharing: Server
) -> None:
    one, two = windows(phone, sharing, is_shared=False)
    draw(one, 0)
    noted(two, "Draw: Aki")
    one.close()
    come_back(two, sharing, 2)
    agrees(two)


def test_windows_that_do_not_hear_each_other_lose_nothing(phone: BrowserContext, sharing: Server) -> None:
    phone.add_init_script(DEAF)
    one, two = windows(phone, sharing, is_shared=False)
    draw(one, 0)
    noted(one, "Draw: Aki")
    draw(two, 1)  # nobody knows whether it is the same hand
    noted(two, "Draw: Aki", "Draw: Ben")
    one.close()
    sharing.start()
    booked(two, 2)
    noted(two, "Draw: Ben")
    expect(two.locator(".noted .hint")).to_contain_text("in the meantime")
    tap(two, "noted-now")
    booked(two, 3)
    noted(two)
    assert [turn.players(turn.tenpai) for turn in agrees(two).turns] == [[], [0], [1]]


@pytest.mark.parametrize("is_shared", [False, True], ids=["alone", "shared"])
def test_what_is_taken_back_or_corrected_while_the_server_is_dead_waits_with_the_hands(
    phone: BrowserContext, sharing: Server, is_shared: bool
) -> None:
    page = open_home(phone, sharing.url)
    start(page, rules="tenhou")  # the dealer stays who is ready
    if is_shared:
        tap(page, "share-here")
        expect(page.locator("#shared-standing")).to_contain_text("Shared")
    for many in (1, 2, 3):
        draw(page, 0, many)
        booked(page, many)
    sharing.kill()
    in_book(page, "take-back-2")
    expect(page.locator("#notice")).to_contain_text("does not answer")
    noted(page, "Take back East 1-1: ")
    tap(page, "book")
    tap(page, "correct-1")  # a slip: the dealer was not ready, and the deal passes
    expect(page.locator(".middle strong")).to_have_text("East 1")
    tap(page, "draw")
    tap(page, "ready-0")
    is_good(page)
    tap(page, "book-it")
    noted(page, "Take back East 1-1: ", "East 1 corrected: Draw: Ben")
    draw(page, 3)
    noted(page, "Take back East 1-1: ", "East 1 corrected: ", "Draw: Dan")
    draw(page)
    in_book(page, "take-back-3")  # comes before the hands that follow the book
    noted(page, "Take back East 1-1: ", "East 1 corrected: ", "Take back East 1-2: ", "Draw: Dan", "Draw")
    tap(page, "undo")
    noted(page, "Take back East 1-1: ", "East 1 corrected: ", "Draw: Dan", "Draw")
    is_good(page)
    tap(page, "noted-drop-3")
    noted(page, "Take back East 1-1: ", "East 1 corrected: ", "Draw: Dan")
    come_back(page, sharing, 3)
    game = agrees(page)
    assert [turn.players(turn.tenpai) for turn in game.turns] == [[1], [0, 3], [3]]
    assert [turn.before.deal for turn in game.turns] == [0, 1, 2]

    sharing.kill()
    tap(page, "undo")  # of what the server knows
    noted(page, "Take back East 3")
    draw(page, 2)
    noted(page, "Take back East 3", "Draw: Chie")
    page.close()
    sharing.start()
    page = open_home(phone, sharing.url)
    expect(page.locator(".middle strong")).to_have_text("East 3-3")
    noted(page)
    assert [turn.players(turn.tenpai) for turn in agrees(page).turns] == [[1], [0, 3], [2]]
    tap(page, "undo")
    booked(page, 2)
    tap(page, "undo")  # the correction
    expect(page.locator(".middle strong")).to_have_text("East 1-2")
    tap(page, "undo")  # what was taken back first
    booked(page, 3)


def test_a_take_back_that_another_phone_was_faster_with_waits_for_the_player(
    phone: BrowserContext, other_phone: BrowserContext, sharing: Server
) -> None:
    first = open_home(phone, sharing.url)
    second = shared(first, sharing, other_phone)
    for many in (1, 2):
        draw(first, many)
        for page in (first, second):
            booked(page, many)
    sharing.kill()
    in_book(second, "take-back-2")
    draw(second, 3)
    noted(second, "Take back East 2", "Draw: Dan")
    second.close()
    sharing.start()
    expect(first.locator("#shared-standing")).to_contain_text("Shared", timeout=LATER)
    tap(first, "book")
    tap(first, "correct-2")
    tap(first, "draw")
    tap(first, "ready-0")
    tap(first, "book-it")
    expect(first.locator(".correcting")).to_have_count(0)
    second = open_home(other_phone, sharing.url)
    expect(second.locator(".noted .hint")).to_contain_text("in the meantime")
    noted(second, "Take back East 2", "Draw: Dan")
    booked(second, 2)
    tap(second, "noted-drop-0")
    noted(second, "Draw: Dan")
    tap(second, "noted-now")
    for page in (first, second):
        booked(page, 3)
    noted(second)
    assert first.evaluate(KEPT) == second.evaluate(KEPT)
    assert [turn.players(turn.tenpai) for turn in agrees(second).turns] == [[1], [0, 2], [3]]


def test_a_correction_is_booked_for_its_players_though_their_winds_are_others_by_then(
    phone: BrowserContext, other_phone: BrowserContext, sharing: Server
) -> None:
    first = open_home(phone, sharing.url)
    start(first, rules="tenhou")  # the dealer stays who is ready
    tap(first, "share-here")
    expect(first.locator("#shared-standing")).to_contain_text("Shared")
    second = open_home(other_phone, sharing.url)
    second.locator('[data-key^="join-"]').tap()
    for many in (1, 2):
        draw(first, 0)
        for page in (first, second):
            booked(page, many)
    sharing.kill()
    tap(second, "book")
    tap(second, "correct-2")
    tap(second, "draw")
    tap(second, "ready-1")
    tap(second, "book-it")
    noted(second, "East 1-1 corrected: Draw: Aki and Ben")
    second.close()
    sharing.start()
    expect(first.locator("#shared-standing")).to_contain_text("Shared", timeout=LATER)
    for correct, ready in (
        ("correct-1", "ready-0"),
        ("correct-2", "ready-2"),
    ):  # the deal passes, and Chie was ready
        tap(first, "book")
        tap(first, correct)
        tap(first, "draw")
        tap(first, ready)
        tap(first, "book-it")
        expect(first.locator(".correcting")).to_have_count(0)
    second = open_home(other_phone, sharing.url)
    expect(second.locator(".noted .hint")).to_contain_text("in the meantime")
    tap(second, "noted-now")
    noted(second)
    game = agrees(second)
    assert [turn.players(turn.tenpai) for turn in game.turns] == [[], [0, 1]]


def test_after_a_game_that_a_noted_hand_has_ended_noting_goes_on(
    phone: BrowserContext, mortal: Server
) -> None:
    page = open_home(phone, mortal.url)
    start(page, rounds="1")
    for many in (1, 2, 3):
        draw(page)
        booked(page, many)
    mortal.kill()
    draw(page, 2)  # the last hand of the game: the dealer is not ready
    noted(page, "Draw: Chie")
    mortal.start()
    expect(page.locator(".ended")).to_be_visible(timeout=LATER)
    mortal.kill()
    tap(page, "undo")
    noted(page, "Take back East 4-3: ")
    expect(page.locator(".ended")).to_have_count(0)
    tap(page, "seat-1")
    draw(page, 0)  # whoever declared riichi is ready, too
    noted(page, "Take back East 4-3: ", "Draw: Ben and Aki")
    won(page, 2, 3)
    told(page, "limit-mangan")
    noted(page, "Take back East 4-3: ", "Draw: Ben and Aki", "Chie, on Dan’s tile: Mangan")
    is_good(page)
    tap(page, "undo")
    noted(page, "Take back East 4-3: ", "Draw: Ben and Aki")
    mortal.start()
    expect(page.locator(".ended")).to_be_visible(timeout=LATER)
    noted(page)
    game = kept(page)
    assert len(game.turns) == 4
    assert game.turns[3].players(game.turns[3].tenpai) == [0, 1]
    assert game.turns[3].players(game.turns[3].declared) == [1]


def test_noting_goes_on_after_the_end_where_an_earlier_hand_is_corrected(
    phone: BrowserContext, mortal: Server
) -> None:
    page = open_home(phone, mortal.url)
    start(page, rounds="1")
    for many in (1, 2, 3, 4):
        draw(page)
        booked(page, many)
    mortal.kill()
    tap(page, "book")
    tap(page, "correct-2")  # the dealer has won, and stays: there is a hand more
    won(page, 1)
    told(page, "limit-mangan")
    noted(page, "East 2-1 corrected: Ben, tsumo: Mangan")
    won(page, 0, 3)
    told(page, "limit-mangan")
    noted(page, "East 2-1 corrected: Ben, tsumo: Mangan", "Aki, on Dan’s tile: Mangan")
    mortal.start()
    expect(page.locator(".ended")).to_be_visible(timeout=LATER)
    noted(page)
    game = kept(page)
    assert len(game.turns) == 5 and game.turns[4].changes[0] > 0 > game.turns[4].changes[3]
