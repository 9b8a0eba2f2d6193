"""From "Won" to "Record it": what the bar says is what is booked, whatever was read, typed or answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.end_to_end.evening import HOUSE, KEPT, agrees, booked, start, won
from tests.end_to_end.looks import is_good
from tests.end_to_end.page import Server, open_home, tap, upload
from tests.end_to_end.test_page import PUNG, WON_APART, Doubted, hold, let_go
from tests.end_to_end.test_shared_game import shared
from tests.end_to_end.test_typed import typed


@pytest.fixture
def evening(phone: BrowserContext, server: Server) -> Iterator[Page]:
    page = open_home(phone, server.url)
    start(page, HOUSE)
    yield page


def book(page: Page) -> None:
    """The button at the bottom until the hand is in the book: where something is open its first tap leads
    there."""
    way = page.locator('[data-key="way"]')
    expect(way).to_be_enabled()
    if "Record it" not in way.inner_text():
        way.tap()
        expect(way).to_contain_text("Record it")
    way.tap()


# --- a win without a named winning tile ---


@pytest.mark.parametrize("tiles", ["123456789m11122z", "11m22m33m44m55m66m77m", "234567m234567p88p"])
def test_a_hand_of_14_tiles_without_a_named_winning_tile_is_booked(evening: Page, tiles: str) -> None:
    page = evening
    won(page, 1)
    typed(page, tiles)
    expect(page.locator('[data-group="win"] .held')).to_have_count(0)
    book(page)
    booked(page, 1)
    assert agrees(page).turns[-1].changes[1] > 0


def test_a_photo_whose_winning_tile_was_pushed_into_the_row_is_booked(evening: Page) -> None:
    page = evening
    won(page, 1)
    upload(page)
    tap(page, "win/0")
    tap(page, "hand")  # into the row
    expect(page.locator('[data-group="win"] .held')).to_have_count(0)
    book(page)
    booked(page, 1)
    assert agrees(page).turns[-1].changes[1] > 0


# --- an answer counts when it is tapped ---


def test_an_answer_counts_when_it_is_tapped(evening: Page) -> None:
    page = evening
    tap(page, "seat-2")
    won(page, 2, 3)
    typed(page, "234m345567p2267s", "8s")
    tap(page, "dora_indicators-none")
    tap(page, "ura_indicators-none")
    expect(page.locator("#bar strong")).to_have_text("3,900")
    tap(page, "special-ippatsu")
    expect(page.locator("#bar strong")).to_have_text("8,000")
    expect(page.locator('[data-key="special-ippatsu"]')).to_have_attribute("aria-pressed", "true")
    tap(page, "special-ippatsu")
    expect(page.locator("#bar strong")).to_have_text("3,900")
    held = hold(page)  # both are tapped before the server has answered the first
    tap(page, "special-ippatsu")
    tap(page, "special-houtei")
    expect(page.locator('[data-key^="special-"][aria-pressed="true"]')).to_have_count(2)
    let_go(page, held)
    expect(page.locator("#bar strong")).to_have_text("8,000")
    book(page)
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (0, 0, 8000, -8000)
    (hand,) = page.evaluate(KEPT)[0][-1]["hands"]
    assert hand["ippatsu"] and hand["houtei"]


def test_indicators_count_as_they_are_picked(evening: Page) -> None:
    page = evening
    won(page, 2, 3)
    typed(page, "234m345567p2267s", "8s")
    expect(page.locator("#bar strong")).to_have_text("2,000")
    strip = page.locator('[data-field="dora_indicators"]')
    strip.locator("summary").tap()
    strip.locator('[data-key="key-3m"]').tap()
    expect(page.locator("#bar strong")).to_have_text("3,900")
    expect(page.locator('[data-group="dora"] .held')).to_have_count(1)
    strip.locator('[data-key="key-1s"]').tap()
    expect(page.locator("#bar strong")).to_have_text("8,000")
    tap(page, "dora_indicators-done")
    expect(strip).to_have_count(0)
    book(page)
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (0, 0, 8000, -8000)


# --- the bar says who pays whom, and that is booked ---


def says(page: Page, *parts: str) -> None:
    """The bar over the button, in the check screen or in a dialog."""
    place = page.locator(".foretold:visible, #bar .pays:visible")
    expect(place).to_have_text(" · ".join(parts))


def test_the_bar_says_who_pays_whom_before_every_booking(evening: Page) -> None:
    page = evening
    tap(page, "draw")
    tap(page, "ready-0")
    says(page, "Aki +3,000", "Ben −1,000", "Chie −1,000", "Dan −1,000")
    tap(page, "book-it")
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (3000, -1000, -1000, -1000)

    for seat in (2, 2, 3):  # riichi, won, on Dan's tile
        tap(page, f"seat-{seat}")
    typed(page, "234m345567p2267s", "8s")
    tap(page, "dora_indicators-none")
    tap(page, "ura_indicators-none")
    tap(page, "special-ippatsu")
    expect(page.locator("#bar strong")).to_have_text("8,000")
    says(page, "Chie +9,300", "Dan −8,300", "sticks 1,000")
    book(page)
    booked(page, 2)
    assert agrees(page).turns[-1].changes == (0, 0, 8300, -8300)

    won(page, 2)  # the dealer
    typed(page, "234m345567p2267s", "8s")
    tap(page, "dora_indicators-2")
    expect(page.locator("#bar strong")).to_have_text("4,000 all")
    says(page, "Chie +12,000", "Aki −4,000", "Ben −4,000", "Dan −4,000")
    tap(page, "from-0")
    says(page, "Chie +12,000", "Aki −12,000")
    tap(page, "winner-1")
    says(page, "Ben +8,000", "Aki −8,000")
    tap(page, "from-nobody")
    expect(page.locator("#bar strong")).to_have_text("2,000/4,000")
    says(page, "Ben +8,000", "Aki −2,000", "Dan −2,000", "Chie −4,000")
    book(page)
    booked(page, 3)
    assert agrees(page).turns[-1].changes == (-2000, 8000, -4000, -2000)

    won(page, 0, 1)
    tap(page, "told")
    tap(page, "limit-mangan")
    expect(page.locator(".foretold")).to_have_text("8,000: Aki +8,000 · Ben −8,000")
    tap(page, "book-it")
    booked(page, 4)
    assert agrees(page).turns[-1].changes == (8000, -8000, 0, 0)

    tap(page, "more")
    tap(page, "chombo-3")
    says(page, "Aki +4,000", "Ben +2,000", "Chie +2,000", "Dan −8,000")
    tap(page, "book-it")
    booked(page, 5)
    assert agrees(page).turns[-1].changes == (4000, 2000, 2000, -8000)

    tap(page, "seat-1")  # riichi, which stays on the table
    tap(page, "more")
    tap(page, "abort-nine_terminals")
    says(page, "Nobody pays")
    tap(page, "book-it")
    booked(page, 6)
    assert agrees(page).turns[-1].changes == (0, -1000, 0, 0)

    have = agrees(page).game.points
    tap(page, "more")
    tap(page, "points")
    for player, points in enumerate((have[0] + 500, have[1], have[2], have[3] - 500)):
        page.locator(f"#points-{player}").fill(str(abs(points)))
    says(page, "Aki +500", "Dan −500")
    tap(page, "book-it")
    booked(page, 7)
    assert agrees(page).turns[-1].changes == (500, 0, 0, -500)


def test_what_is_open_is_said_and_the_first_tap_leads_there(evening: Page) -> None:
    page = evening
    won(page, 2, 3)
    typed(page, "234m345567p2267s", "8s")
    expect(page.locator("#bar")).to_contain_text("1 open")
    way = page.locator('[data-key="way"]')
    expect(way).to_have_text("Answer (1)")
    way.tap()
    expect(page.locator('[data-field="dora_indicators"]')).to_be_in_viewport()
    expect(page.locator("#home")).to_be_hidden()
    expect(way).to_have_text("Record it anyway")
    tap(page, "dora_indicators-1")
    expect(way).to_have_text("Record it")
    expect(page.locator("#bar")).not_to_contain_text("open")


def test_who_is_liable_is_open_though_the_points_are_settled(evening: Page) -> None:
    page = evening
    won(page, 2, 0)
    page.locator("#type-hand").tap()
    page.locator("#sheet .line input").fill("99m23p + 4p [555z<] [666z^] [777z>]")
    tap(page, "line-read")
    question = page.locator('[data-field="pao"]')
    expect(question).to_be_visible()
    expect(page.locator("#bar")).to_contain_text("1 open")
    tap(page, "pao-right")  # who fed the last of them
    expect(question).to_have_count(0)
    says(page, "Chie +32,000", "Aki −16,000", "Dan −16,000")
    book(page)
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (-16000, 0, 32000, -16000)


def test_the_last_discard_is_the_last_one_for_every_winner(evening: Page) -> None:
    page = evening
    tap(page, "won")
    tap(page, "seat-2")
    tap(page, "another")
    tap(page, "seat-1")
    tap(page, "seat-0")
    typed(page, "234m345567p2267s", "8s")
    tap(page, "dora_indicators-none")
    way = page.locator('[data-key="way"]')
    expect(way).to_have_text("Next winner")
    expect(way).to_be_enabled()
    held: list[Route] = []
    page.route("**/api/score", lambda route: held.append(route))
    tap(page, "special-houtei")
    expect(way).to_be_disabled()  # the hand without it is not recorded meanwhile
    held[0].continue_()
    page.unroute("**/api/score")
    tap(page, "way")
    expect(page.locator("#claimed")).to_contain_text("Chie")
    typed(page, "234m345567p2267s", "8s")
    expect(page.locator("#bar strong")).to_have_text("3,900 + 3,900")  # a han more, which nobody told again
    expect(page.locator('[data-key="special-houtei"]')).to_have_count(0)
    book(page)
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (-7800, 3900, 3900, 0)


# --- the winner may be told after the photo ---


def test_the_photo_comes_first_and_the_winner_after(evening: Page) -> None:
    page = evening
    tap(page, "won")
    tap(page, "photo_first")
    upload(page)
    way = page.locator('[data-key="way"]')
    expect(way).to_have_text("Who won?")
    way.tap()
    expect(page.locator("#who")).to_be_in_viewport()
    tap(page, "winner-2")
    expect(way).to_have_text("On whose discard?")
    tap(page, "from-3")
    says(page, "Chie +8,000", "Dan −8,000")
    page.reload()
    says(page, "Chie +8,000", "Dan −8,000")
    book(page)
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (0, 0, 8000, -8000)


def test_who_wins_on_his_own_discard_trades_places(evening: Page) -> None:
    page = evening
    won(page, 2, 3)
    upload(page)
    tap(page, "winner-3")
    says(page, "Dan +8,000", "Chie −8,000")
    assert page.locator("#photo").evaluate("canvas => canvas.width") > 300


# --- a booked hand opens as it was ---


def test_a_booked_hand_opens_as_it_was_and_all_of_it_can_be_changed(evening: Page) -> None:
    page = evening
    won(page, 2, 3)
    upload(page)
    page.locator('[data-group="closed"] .held').nth(3).tap()
    tap(page, "red")  # a plain five
    tap(page, "close")
    expect(page.locator("#bar strong")).to_have_text("3,900")
    tap(page, "special-chankan")
    expect(page.locator("#bar strong")).to_have_text("8,000")
    book(page)
    booked(page, 1)
    tap(page, "book")
    tap(page, "open-1-0")
    expect(page.locator("#photo")).to_be_visible()
    assert page.locator("#photo").evaluate("canvas => canvas.width") > 300
    expect(page.locator(".held img")).to_have_count(15)
    expect(page.locator('#check [data-group="ura"]')).to_have_count(0)  # nobody declared riichi
    expect(page.locator('[data-key="winner-2"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator('[data-key="from-3"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#given")).to_contain_text("Chankan")
    says(page, "Chie +8,000", "Dan −8,000")
    page.locator('[data-group="closed"] .held').first.tap()
    expect(page.locator("#sheet .judged > .crop")).to_be_visible()  # where it lies in the photo
    tap(page, "close")
    page.reload()
    expect(page.locator("#photo")).to_be_visible()
    tap(page, "change-special")
    tap(page, "special-chankan")
    tap(page, "winner-1")
    tap(page, "from-0")
    says(page, "Ben +3,900", "Aki −3,900")
    book(page)
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (-3900, 3900, 0, 0)
    tap(page, "book")
    tap(page, "open-1-0")
    says(page, "Ben +3,900", "Aki −3,900")
    expect(page.locator("#photo")).to_be_visible()


def test_another_winner_of_a_booked_hand_keeps_its_tiles(evening: Page) -> None:
    page = evening
    won(page, 2, 3)
    typed(page, "234m345567p2267s", "8s")
    tap(page, "dora_indicators-1")
    book(page)
    booked(page, 1)
    tap(page, "book")
    tap(page, "correct-1")
    tap(page, "won")
    tap(page, "seat-1")
    tap(page, "seat-3")
    expect(page.locator("#given")).to_contain_text("1 dora")
    says(page, "Ben +3,900", "Dan −3,900")
    book(page)
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (0, 3900, 0, -3900)


def test_photos_of_both_winners_are_kept_and_another_phone_says_where_they_are(
    phone: BrowserContext, other_phone: BrowserContext, sharing: Server
) -> None:
    page = open_home(phone, sharing.url)
    second = shared(page, sharing, other_phone)
    tap(page, "won")
    tap(page, "seat-2")
    tap(page, "another")
    tap(page, "seat-1")
    tap(page, "seat-0")
    for winner, way in (("Ben", "Next winner"), ("Chie", "Record it")):
        expect(page.locator("#claimed")).to_contain_text(winner)
        upload(page)
        expect(page.locator('[data-key="way"]:enabled')).to_have_text(way)
        tap(page, "way")
    booked(page, 1)
    tap(page, "book")
    tap(page, "past-games")
    with page.expect_download() as file:
        tap(page, "save-all")
    assert len(json.loads(Path(file.value.path()).read_text())["pictures"]) == 2
    booked(second, 1)
    tap(second, "book")
    tap(second, "open-1-1")
    expect(second.locator("#no-picture")).to_contain_text("on the phone that took it")
    expect(second.locator(".held img")).to_have_count(14 + 1)
    is_good(second)
    second.reload()
    expect(second.locator("#no-picture")).to_be_visible()


# --- doubts, like questions, are there only where they matter ---

DOUBTED = """(told) => {
    const fetched = window.fetch;
    window.fetch = async (path, options) => {
        const answer = await fetched(path, options);
        if (path !== "api/read" || !answer.ok) return answer;
        const read = await answer.json();
        const names = read.reading.tiles.map((tile) => `${tile.label} ${tile.role}`);
        read.reading.doubts = told.map(([kind, name, instead]) => {
            return { kind, tiles: name ? [names.indexOf(name)] : [], text: "", instead };
        });
        return Response.json(read);
    };
}"""
"""Puts doubts into what the server says of the photo; whether they matter it says itself."""


def doubted(page: Page, *doubts: Doubted) -> None:
    page.evaluate(DOUBTED, list(doubts))
    won(page, 2, 3)
    upload(page)


def test_a_doubt_that_changes_a_payment_is_open_and_the_first_tap_leads_there(evening: Page) -> None:
    page = evening
    doubted(page, ("face", "0p hand", {"label": "5p"}))
    tap(page, "close")
    pill = page.locator('[data-key="doubts"]')
    expect(pill).to_have_text("1 to check")
    expect(pill).to_be_enabled()
    expect(page.locator("#bar")).to_contain_text("1 open")
    tap(page, "way")
    card = page.locator("#doubts li")
    expect(card).to_be_in_viewport()
    card.get_by_text("No, 5 circles").tap()
    expect(card).to_have_count(0)
    says(page, "Chie +3,900", "Dan −3,900")
    book(page)
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (0, 0, 3900, -3900)


def test_a_doubt_that_changes_nothing_is_not_shown(evening: Page) -> None:
    page = evening
    doubted(page, ("win", "5s win", WON_APART), ("indicator", "", None))
    expect(page.locator("#doubts li")).to_have_count(0)
    expect(page.locator("#check-tools")).to_contain_text("All tiles clear")
    says(page, "Chie +8,000", "Dan −8,000")


def test_an_indicator_that_nobody_has_confirmed_counts_for_nothing(
    evening: Page,
) -> None:
    page = evening
    doubted(page, ("face", "7s dora", {"label": "4s"}))  # it may be a tile of the river
    question = page.locator('[data-field="dora_indicators"]')
    expect(question).to_be_visible()
    expect(page.locator('[data-group="dora"] .held.doubt')).to_have_count(1)
    expect(page.locator("#bar strong")).to_have_text("2,000")
    expect(page.locator("#bar")).to_contain_text("1 open")
    question.locator('[data-key="dora-read"]').tap()
    expect(question).to_have_count(0)
    expect(page.locator('[data-group="dora"] .held.doubt')).to_have_count(0)
    says(page, "Chie +8,000", "Dan −8,000")


def test_an_indicator_that_is_none_leaves_the_strip(evening: Page) -> None:
    page = evening
    hand = {"concealed": "234m067p3488s", "win_tile": "5s", "melds": [PUNG]}
    doubted(page, ("indicator", "6z other", {"hand": {**hand, "dora_indicators": ["7s", "6z"]}}))
    tap(page, "dora_indicators-none")
    expect(page.locator('[data-field="dora_indicators"]')).to_have_count(0)
    expect(page.locator('[data-group="dora"] .held')).to_have_count(0)
    says(page, "Chie +2,000", "Dan −2,000")
    expect(page.locator("#check-tools")).to_contain_text("All tiles clear")
