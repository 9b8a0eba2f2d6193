"""A whole evening of one game: photos, a draw, several rons, chombo, corrections, reloads in the middle."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scorer import replay
from tests.end_to_end.evening import agrees, booked, draw, kept, start, told, won
from tests.end_to_end.page import tap, upload
from tests.end_to_end.safari import Window, expect
from tests.end_to_end.test_typed import typed

Look = Callable[[Any], None]
"""What every screen is looked at by, in the browser that it is made for."""


def to_book(page: Window) -> None:
    """From the tiles to the book; what is open is seen, and left so."""
    page.locator('[data-key="step-score"]').tap()
    expect(page.locator("#reasons")).to_contain_text("Fu")
    way = page.locator('[data-key="way"]:enabled')
    expect(way).to_have_count(1)
    if "Answer" in way.all_inner_texts()[0]:
        tap(page, "way")
        expect(page.locator("#check")).to_be_visible()
        expect(way).to_have_count(1)
    tap(page, "way")


def closed(page: Window, look: Look) -> None:
    """A dialog that was opened is looked at, and closed without an answer."""
    expect(page.locator("#act")).to_be_visible()
    look(page)
    page.keyboard.press("Escape")
    expect(page.locator("#act")).to_be_hidden()


def hanchan(page: Window, look: Look) -> None:
    """Ten hands, from the first start to the standings, the totals those of the scorer all the way. ``look``:
    what every screen is looked at by."""
    look(page)
    start(page, "ema2008")
    look(page)

    tap(page, "seat-1")  # riichi
    expect(page.locator('[data-key="seat-1"] .have')).to_have_text("29,000")
    tap(page, "draw")
    closed(page, look)
    draw(page, 2)  # the dealer is not ready
    booked(page, 1)
    assert agrees(page).game.sticks == 1

    won(page, 2, 3)  # a photo: nothing is asked that the game knows
    look(page)
    upload(page)
    page.reload()
    expect(page.locator("#photo")).to_be_visible()  # it is not lost
    to_book(page)
    booked(page, 2)
    game = agrees(page)
    assert game.turns[-1].changes == (0, 0, 9000, -8000)  # 7,700, a counter, a bet
    page.go_back()
    expect(page.locator("#score")).to_be_hidden()  # of a hand that is booked
    page.go_forward()
    expect(page.locator("#home")).to_be_visible()

    won(page, 1)
    tap(page, "told")
    closed(page, look)
    told(page, "limit-baiman")
    booked(page, 3)
    agrees(page)

    tap(page, "more")
    look(page)
    tap(page, "chombo-3")
    closed(page, look)
    tap(page, "more")
    tap(page, "chombo-3")
    tap(page, "book-it")
    booked(page, 4)
    assert agrees(page).turns[-1].penalties[3] < 0 or agrees(page).turns[-1].changes[3] < 0

    tap(page, "seat-0")
    tap(page, "seat-2")
    tap(page, "won")
    tap(page, "seat-0")
    page.reload()  # a dead battery: riichi lies on the table as before
    page.wait_for_selector("body[data-ready]")
    assert page.locator(".seat[aria-pressed=true]").count() == 2
    tap(page, "won")  # two winners on one discard
    tap(page, "seat-2")
    tap(page, "another")
    tap(page, "seat-0")
    tap(page, "seat-1")
    told(page, "han-2", "fu-40")
    expect(page.locator("#claimed")).to_contain_text("Aki")  # Chie sits nearer to Ben
    page.reload()  # the first winner's worth is not lost either
    page.wait_for_selector("body[data-ready]")
    told(page, "han-3", "fu-30")
    booked(page, 5)
    game = agrees(page)
    assert game.turns[-1].settled is not None and len(game.turns[-1].settled.winners) >= 1
    assert len(game.turns[-1].declared) == 2

    tap(page, "seat-0")
    won(page, 0)  # the dealer
    typed(page, "234m345567p2267s", "8s")
    expect(page.locator("#ask")).to_be_visible()
    for field in ("dealer", "seat_wind", "round_wind", "tsumo", "riichi"):
        expect(page.locator(f'#questions [data-field="{field}"]')).to_have_count(0)
    to_book(page)
    booked(page, 6)
    assert agrees(page).turns[-1].declared

    tap(page, "more")
    tap(page, "abort-nine_terminals")
    tap(page, "book-it")  # nobody is ready
    booked(page, 7)
    for many in (8, 9):
        draw(page, many % 4)
        booked(page, many)
    before = agrees(page)

    tap(page, "book")
    expect(page.locator(".booked-hands > li")).to_have_count(9)
    expect(page.locator(".entry-hand > img[src]")).to_have_count(1)
    look(page)
    tap(page, "correct-3")  # it was a haneman, and all that follows is reckoned anew
    expect(page.locator(".correcting")).to_contain_text("East 3")
    look(page)
    won(page, 1)
    told(page, "limit-haneman")
    booked(page, 9)
    game = agrees(page)
    assert game.turns[2].changes != before.turns[2].changes and game.turns[3:] != before.turns[3:]
    page.locator('[data-key="undo"]:visible').tap()
    expect(page.locator('[data-key="seat-1"] .have')).to_have_text(f"{before.game.points[1]:,}")
    assert agrees(page).game.points == before.game.points
    tap(page, "book")
    tap(page, "take-back-9")
    expect(page.locator(".booked-hands > li")).to_have_count(8)
    page.locator('[data-key="undo"]:visible').tap()
    expect(page.locator(".booked-hands > li")).to_have_count(9)

    with page.expect_download() as sheet:
        tap(page, "share-csv")
    rows = list(csv.reader(io.StringIO(Path(sheet.value.path()).read_text())))
    assert [int(points) for points in rows[-2][-4:]] == list(before.game.points)
    with page.expect_download() as record:
        tap(page, "share-json")
    assert replay(json.loads(Path(record.value.path()).read_text())) == before
    with page.expect_download() as picture:
        tap(page, "share-picture")
    assert Path(picture.value.path()).read_bytes()[1:4] == b"PNG"

    page.locator("#go-home").tap()
    draw(page)  # the last hand of the game
    expect(page.locator(".ended")).to_be_visible()
    assert kept(page).game.is_over and len(kept(page).turns) == 10
    look(page)
    scores = kept(page).game.scores()
    told_scores = page.locator("#home .ranking td strong").all_inner_texts()
    assert sorted(int(text.replace(",", "").replace("−", "-")) for text in told_scores) == sorted(scores)
    tap(page, "book")
    tap(page, "past-games")
    expect(page.locator(".standings tbody tr")).to_have_count(4)
    look(page)
