"""One game: a photo, a draw, two winners, a chombo, corrections, reloads in the middle."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scorer import replay
from tests.end_to_end.evening import agrees, booked, draw, kept, set_up, taps, told, won
from tests.end_to_end.page import tap, upload
from tests.end_to_end.safari import Window, expect

Look = Callable[[Any], None]
"""What every screen is looked at by, in the browser that it is made for."""


def to_book(page: Window) -> None:
    """From the tiles to the book; what is open is seen, and left so."""
    taps(page, "step-score")
    expect(page.locator("#reasons")).to_contain_text("Fu")
    way = page.locator('[data-key="way"]:enabled')
    expect(way).to_have_count(1)
    if "Answer" in way.all_inner_texts()[0]:
        taps(page, "way")
        expect(page.locator("#check")).to_be_visible()
        expect(way).to_have_count(1)
    taps(page, "way")


def closed(page: Window, look: Look) -> None:
    """A dialog that was opened is looked at, and closed without an answer."""
    expect(page.locator("#act")).to_be_visible()
    look(page)
    page.keyboard.press("Escape")
    expect(page.locator("#act")).to_be_hidden()


def hanchan(page: Window, look: Look) -> None:
    """An East round in which each kind of event is booked once, from the dialog of a new game to the
    standings, the totals those of the scorer all the way. ``look``: what screens that nothing else visits are
    looked at by."""
    set_up(page, "ema2008", rounds="1")
    look(page)
    a_draw(page, look)
    a_photo(page, look)
    a_typed_hand(page)
    two_winners(page, 4)
    a_chombo(page, look)
    the_book(page, look)
    files(page)
    the_end(page)


def a_draw(page: Window, look: Look) -> None:
    tap(page, "seat-1")  # riichi
    expect(page.locator('[data-key="seat-1"] .have')).to_have_text("29,000")
    tap(page, "draw")
    closed(page, look)
    draw(page, 2)  # the dealer is not ready
    booked(page, 1)
    assert agrees(page).game.sticks == 1


def a_photo(page: Window, look: Look) -> None:
    """Nothing is asked that the game knows, and a reload loses nothing."""
    won(page, 2, 3)
    look(page)
    upload(page)
    page.reload()
    expect(page.locator("#photo")).to_be_visible()
    to_book(page)
    booked(page, 2)
    assert agrees(page).turns[-1].changes == (0, 0, 9000, -8000)  # 7,700, a counter, a bet
    page.go_back()
    expect(page.locator("#score")).to_be_hidden()  # of a hand that is booked
    page.go_forward()
    expect(page.locator("#home")).to_be_visible()


def a_typed_hand(page: Window) -> None:
    tap(page, "seat-2")
    won(page, 2)  # the dealer
    page.locator("#type-hand").tap()
    page.fill("#sheet .line input", "234m345567p2267s + 8s")
    taps(page, "line-read")
    expect(page.locator("#ask")).to_be_visible()
    for field in ("dealer", "seat_wind", "round_wind", "tsumo", "riichi"):
        expect(page.locator(f'#questions [data-field="{field}"]')).to_have_count(0)
    to_book(page)
    booked(page, 3)
    assert agrees(page).turns[-1].declared


def two_winners(page: Window, many: int) -> None:
    """On one discard, and the battery is dead twice: neither riichi nor what the first has won is lost."""
    tap(page, "seat-0")
    tap(page, "seat-3")
    taps(page, "won", "seat-0")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.locator(".seat[aria-pressed=true]").count() == 2
    taps(page, "won", "seat-3", "another", "seat-0", "seat-1")
    told(page, "han-2", "fu-40")
    expect(page.locator("#claimed")).to_contain_text("Aki")  # Dan sits nearer to Ben
    page.reload()
    page.wait_for_selector("body[data-ready]")
    told(page, "han-3", "fu-30")
    booked(page, many)
    turn = agrees(page).turns[-1]
    assert turn.settled is not None and len(turn.declared) == 2


def a_chombo(page: Window, look: Look) -> None:
    tap(page, "more")
    tap(page, "chombo-3")
    closed(page, look)
    taps(page, "more", "chombo-3", "book-it")
    booked(page, 5)
    assert agrees(page).game.penalties[3] < 0 or agrees(page).turns[-1].changes[3] < 0


def the_book(page: Window, look: Look) -> None:
    """A hand is corrected, and all that follows is reckoned anew; the last is taken back; both are undone."""
    before = agrees(page)
    tap(page, "book")
    expect(page.locator(".booked-hands > li")).to_have_count(5)
    expect(page.locator(".entry-hand > img[src]")).to_have_count(1)
    look(page)
    tap(page, "correct-4")  # it was a haneman of one of them
    expect(page.locator(".correcting")).to_contain_text("East 3-1")
    won(page, 3, 1)
    told(page, "limit-haneman")
    booked(page, 5)
    game = agrees(page)
    assert game.turns[3].changes != before.turns[3].changes and game.turns[4:] != before.turns[4:]
    page.locator('[data-key="undo"]:visible').tap()
    expect(page.locator('[data-key="seat-1"] .have')).to_have_text(f"{before.game.points[1]:,}")
    assert agrees(page).game.points == before.game.points
    tap(page, "book")
    tap(page, "take-back-5")
    expect(page.locator(".booked-hands > li")).to_have_count(4)
    page.locator('[data-key="undo"]:visible').tap()
    expect(page.locator(".booked-hands > li")).to_have_count(5)


def files(page: Window) -> None:
    """A sheet, a record and a picture of the game."""
    game = kept(page)
    with page.expect_download() as sheet:
        tap(page, "share-csv")
    rows = list(csv.reader(io.StringIO(Path(sheet.value.path()).read_text())))
    assert [int(points) for points in rows[-2][-4:]] == list(game.game.points)
    with page.expect_download() as record:
        tap(page, "share-json")
    assert replay(json.loads(Path(record.value.path()).read_text())) == game
    with page.expect_download() as picture:
        tap(page, "share-picture")
    assert Path(picture.value.path()).read_bytes()[1:4] == b"PNG"


def the_end(page: Window) -> None:
    page.locator("#go-home").tap()
    draw(page)  # the last hand of the game
    expect(page.locator(".ended")).to_be_visible()
    game = kept(page)
    assert game.game.is_over
    told_scores = page.locator("#home .ranking td strong").all_inner_texts()
    scores = sorted(int(text.replace(",", "").replace("−", "-")) for text in told_scores)
    assert scores == sorted(game.game.scores())
    tap(page, "book")
    tap(page, "past-games")
    expect(page.locator(".standings tbody tr")).to_have_count(4)
