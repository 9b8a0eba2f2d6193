"""From "Won" to "Record it": what the bar says is what is booked, whatever was read, typed or answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tehai.hand.sample import sample_path
from tests.end_to_end.evening import HOUSE, KEPT, agrees, anew, booked, lay, taps, won
from tests.end_to_end.looks import is_good
from tests.end_to_end.page import Held, Server, give, open_home, upload
from tests.end_to_end.test_page import PUNG, SCORE, WON_APART, Doubted
from tests.end_to_end.test_shared_game import shared

Part = Callable[[Page], None]

FROM_PHOTO = """(doubts) => {
    window.seen ??= { fetch: window.fetch.bind(window) };
    window.fetch = async (path, options) => {
        if (path !== "api/read") return window.seen.fetch(path, options);
        window.seen.answer ??= await (await window.seen.fetch(path, options)).json();
        const read = structuredClone(window.seen.answer);
        const names = read.reading.tiles.map((tile) => `${tile.label} ${tile.role}`);
        read.reading.doubts = doubts.map(([kind, name, instead]) => {
            return { kind, tiles: name ? [names.indexOf(name)] : [], text: "", instead };
        });
        return Response.json(read);
    };
}"""
"""The server reads the photo of the same winner once. Puts doubts into what it says of it; whether they
matter it says itself."""


@pytest.fixture
def evening(phone: BrowserContext, server: Server) -> Iterator[Page]:
    yield open_home(phone, server.url)


def each(page: Page, *parts: Part) -> None:
    """One after another, each in a game of its own."""
    for part in parts:
        anew(page, rules=HOUSE)
        part(page)


def book(page: Page) -> None:
    """The button at the bottom until the hand is in the book: where something is open its first tap leads
    there."""
    way = page.locator('[data-key="way"]')
    expect(way).to_be_enabled()
    if "Record it" not in way.inner_text():
        taps(page, "way")
        expect(way).to_contain_text("Record it")
    taps(page, "way")


def changed(page: Page, many: int = 1) -> tuple[int, ...]:
    """What the last of so many hands has changed, once it is in the book."""
    booked(page, many)
    return agrees(page).turns[-1].changes


def says(page: Page, *parts: str) -> None:
    """The bar over the button, in the check screen or in a dialog."""
    place = page.locator(".foretold:visible, #bar .pays:visible")
    expect(place).to_have_text(" · ".join(parts))


def worth(page: Page, text: str) -> None:
    expect(page.locator("#bar strong")).to_have_text(text)


# --- an answer counts when it is tapped ---


def an_answer_counts_when_it_is_tapped(page: Page) -> None:
    taps(page, "seat-2")
    won(page, 2, 3)
    lay(page)
    taps(page, "dora_indicators-none", "ura_indicators-none")
    worth(page, "3,900")
    taps(page, "special-ippatsu")
    worth(page, "8,000")
    expect(page.locator('[data-key="special-ippatsu"]')).to_have_attribute("aria-pressed", "true")
    taps(page, "special-ippatsu")
    worth(page, "3,900")
    held = Held(page, SCORE)  # both are tapped before the server has answered the first
    taps(page, "special-ippatsu", "special-houtei")
    expect(page.locator('[data-key^="special-"][aria-pressed="true"]')).to_have_count(2)
    held.let_go()
    worth(page, "8,000")
    book(page)
    assert changed(page) == (0, 0, 8000, -8000)
    (hand,) = page.evaluate(KEPT)[0][-1]["hands"]
    assert hand["ippatsu"] and hand["houtei"]


def indicators_count_as_they_are_picked(page: Page) -> None:
    won(page, 2, 3)
    lay(page)
    worth(page, "2,000")
    strip = page.locator('[data-field="dora_indicators"]')
    expect(strip.locator(".strip .answer")).to_have_count(5)
    strip.locator("summary").tap()
    strip.locator('[data-key="key-3m"]').tap()
    worth(page, "3,900")
    expect(page.locator('[data-group="dora"] .held')).to_have_count(1)
    strip.locator('[data-key="key-1s"]').tap()
    worth(page, "8,000")
    taps(page, "dora_indicators-done")
    expect(strip).to_have_count(0)
    book(page)
    assert changed(page) == (0, 0, 8000, -8000)


def what_is_open_is_said_and_the_first_tap_leads_there(page: Page) -> None:
    """And another winner of the booked hand keeps its tiles and answers."""
    won(page, 2, 3)
    lay(page)
    expect(page.locator("#bar")).to_contain_text("1 open")
    way = page.locator('[data-key="way"]')
    expect(way).to_have_text("Answer (1)")
    way.tap()
    expect(page.locator('[data-field="dora_indicators"]')).to_be_in_viewport()
    expect(page.locator("#home")).to_be_hidden()
    expect(way).to_have_text("Record it anyway")
    taps(page, "dora_indicators-1")
    expect(way).to_have_text("Record it")
    expect(page.locator("#bar")).not_to_contain_text("open")
    way.tap()
    booked(page, 1)
    taps(page, "book", "correct-1", "won", "seat-1", "seat-3")
    expect(page.locator("#given")).to_contain_text("1 dora")
    says(page, "Ben +3,900", "Dan −3,900")
    book(page)
    assert changed(page) == (0, 3900, 0, -3900)


def who_is_liable_is_open_though_the_points_are_settled(page: Page) -> None:
    won(page, 2, 0)
    page.locator("#type-hand").tap()
    page.locator("#sheet .line input").fill("99m23p + 4p [555z<] [666z^] [777z>]")
    taps(page, "line-read")
    question = page.locator('[data-field="pao"]')
    expect(question).to_be_visible()
    expect(page.locator("#bar")).to_contain_text("1 open")
    taps(page, "pao-right")  # who fed the last of them
    expect(question).to_have_count(0)
    says(page, "Chie +32,000", "Aki −16,000", "Dan −16,000")
    book(page)
    assert changed(page) == (-16000, 0, 32000, -16000)


def the_last_discard_is_the_last_one_for_every_winner(page: Page) -> None:
    taps(page, "won", "seat-2", "another", "seat-1", "seat-0")
    lay(page)
    taps(page, "dora_indicators-none")
    way = page.locator('[data-key="way"]')
    expect(way).to_have_text("Next winner")
    expect(way).to_be_enabled()
    held = Held(page, SCORE)
    taps(page, "special-houtei")
    held.came()
    expect(way).to_be_disabled()  # the hand without it is not recorded meanwhile
    held.let_go()
    taps(page, "way")
    expect(page.locator("#claimed")).to_contain_text("Chie")
    lay(page)
    worth(page, "3,900 + 3,900")  # a han more, which nobody told again
    expect(page.locator('[data-key="special-houtei"]')).to_have_count(0)
    book(page)
    assert changed(page) == (-7800, 3900, 3900, 0)


def what_needs_a_riichi_goes_with_it_from_the_hand_of_an_earlier_winner(page: Page) -> None:
    taps(page, "seat-1", "won", "seat-1", "another", "seat-2", "seat-0")
    lay(page)
    taps(page, "dora_indicators-none", "ura_indicators-none", "special-ippatsu", "special-done", "way")
    expect(page.locator("#claimed")).to_contain_text("Chie")
    lay(page)
    page.locator("#go-home").tap()
    taps(page, "seat-1", "go-on")  # it was none
    worth(page, "2,000 + 2,000")
    book(page)
    assert changed(page) == (-4000, 2000, 2000, 0)


def the_sticks_are_no_part_of_one_of_two_wins_whoever_discarded(page: Page) -> None:
    taps(page, "seat-1", "won", "seat-1", "another", "seat-3", "seat-0")
    lay(page)
    taps(page, "dora_indicators-none", "ura_indicators-none", "special-none", "from-2", "step-score")
    expect(page.locator("#pays li")).to_have_text(["Ben+3,900", "Chie−3,900"])
    taps(page, "way")
    lay(page)
    taps(page, "step-score")
    expect(page.locator("#pays li")).to_have_text(["Dan+2,000", "Chie−2,000"])
    book(page)
    assert changed(page) == (0, 3900, -5900, 2000)


def test_what_is_answered_counts_and_is_booked(evening: Page) -> None:
    each(
        evening,
        an_answer_counts_when_it_is_tapped,
        indicators_count_as_they_are_picked,
        what_is_open_is_said_and_the_first_tap_leads_there,
        who_is_liable_is_open_though_the_points_are_settled,
        the_last_discard_is_the_last_one_for_every_winner,
        what_needs_a_riichi_goes_with_it_from_the_hand_of_an_earlier_winner,
        the_sticks_are_no_part_of_one_of_two_wins_whoever_discarded,
    )


# --- the bar says who pays whom, and that is booked ---


def a_draw(page: Page) -> None:
    taps(page, "draw", "ready-0")
    says(page, "Aki +3,000", "Ben −1,000", "Chie −1,000", "Dan −1,000")
    taps(page, "book-it")
    assert changed(page, 1) == (3000, -1000, -1000, -1000)


def a_win_with_sticks(page: Page) -> None:
    taps(page, "seat-2", "seat-2", "seat-3")  # riichi, won, on Dan's tile
    lay(page)
    taps(page, "dora_indicators-none", "ura_indicators-none", "special-ippatsu")
    worth(page, "8,000")
    says(page, "Chie +9,300", "Dan −8,300", "sticks 1,000")
    book(page)
    assert changed(page, 2) == (0, 0, 8300, -8300)


def a_win_of_others_than_was_said(page: Page) -> None:
    won(page, 2)  # the dealer
    lay(page)
    taps(page, "dora_indicators-2")
    worth(page, "4,000 all")
    says(page, "Chie +12,000", "Aki −4,000", "Ben −4,000", "Dan −4,000")
    taps(page, "from-0")
    says(page, "Chie +12,000", "Aki −12,000")
    taps(page, "winner-1")
    says(page, "Ben +8,000", "Aki −8,000")
    taps(page, "from-nobody")
    worth(page, "2,000/4,000")
    says(page, "Ben +8,000", "Aki −2,000", "Dan −2,000", "Chie −4,000")
    book(page)
    assert changed(page, 3) == (-2000, 8000, -4000, -2000)


def a_worth_that_is_told(page: Page) -> None:
    won(page, 0, 1)
    taps(page, "told", "limit-mangan")
    expect(page.locator(".foretold")).to_have_text("8,000: Aki +8,000 · Ben −8,000")
    taps(page, "book-it")
    assert changed(page, 4) == (8000, -8000, 0, 0)


def what_is_rare(page: Page) -> None:
    taps(page, "more", "chombo-3")
    says(page, "Aki +4,000", "Ben +2,000", "Chie +2,000", "Dan −8,000")
    taps(page, "book-it")
    assert changed(page, 5) == (4000, 2000, 2000, -8000)
    taps(page, "seat-1", "more", "abort-nine_terminals")  # riichi, which stays on the table
    says(page, "Nobody pays")
    taps(page, "book-it")
    assert changed(page, 6) == (0, -1000, 0, 0)
    have = agrees(page).game.points
    taps(page, "more", "points")
    for player, points in enumerate((have[0] + 500, have[1], have[2], have[3] - 500)):
        page.locator(f"#points-{player}").fill(str(abs(points)))
    says(page, "Aki +500", "Dan −500")
    taps(page, "book-it")
    assert changed(page, 7) == (500, 0, 0, -500)


def test_the_bar_says_who_pays_whom_before_every_booking(evening: Page) -> None:
    anew(evening, rules=HOUSE)
    for part in (
        a_draw,
        a_win_with_sticks,
        a_win_of_others_than_was_said,
        a_worth_that_is_told,
        what_is_rare,
    ):
        part(evening)


# --- a photo: who won may be told after it, and it opens as it was booked ---


def the_photo_comes_first_and_the_winner_after(page: Page) -> None:
    """And its winning tile is pushed into the row, where nobody names another."""
    taps(page, "won", "photo_first")
    upload(page)
    way = page.locator('[data-key="way"]')
    expect(way).to_have_text("Who won?")
    way.tap()
    expect(page.locator("#who")).to_be_in_viewport()
    taps(page, "winner-2")
    expect(way).to_have_text("On whose discard?")
    taps(page, "from-3")
    says(page, "Chie +8,000", "Dan −8,000")
    page.reload()
    says(page, "Chie +8,000", "Dan −8,000")
    expect(way).to_have_text("Record it")  # on the screen that shows the photo
    taps(page, "win/0", "hand")
    expect(page.locator('[data-group="win"] .held')).to_have_count(0)
    book(page)
    assert changed(page) == (0, 0, 8000, -8000)


def a_win_that_is_entered_waits_while_an_earlier_hand_is_corrected(page: Page) -> None:
    taps(page, "draw", "ready-0", "book-it")
    booked(page, 1)
    won(page, 2, 3)
    upload(page)
    page.locator("#go-home").tap()
    taps(page, "book", "correct-1")
    expect(page.locator(".correcting")).to_be_visible()
    taps(page, "won", "seat-1", "seat-2", "told", "limit-mangan", "book-it")
    expect(page.locator(".correcting")).to_have_count(0)
    taps(page, "go-on")  # though its winner has another wind now
    expect(page.locator("#photo")).to_be_visible()
    expect(page.locator('[data-key="winner-2"]')).to_have_attribute("aria-pressed", "true")
    says(page, "Chie +8,000", "Dan −8,000")
    book(page)
    assert changed(page, 2) == (0, 0, 8000, -8000)


def a_booked_hand_opens_as_it_was_and_all_of_it_can_be_changed(page: Page) -> None:
    won(page, 2, 3)
    upload(page)
    taps(page, "winner-3")  # who wins on his own discard trades places
    says(page, "Dan +8,000", "Chie −8,000")
    taps(page, "winner-2")
    page.locator('[data-group="closed"] .held').nth(3).tap()
    taps(page, "red", "close")  # a plain five
    worth(page, "3,900")
    taps(page, "special-chankan")
    worth(page, "8,000")
    book(page)
    booked(page, 1)
    taps(page, "book", "open-1-0")
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
    taps(page, "close")
    page.reload()
    expect(page.locator("#photo")).to_be_visible()
    taps(page, "change-special", "special-chankan", "winner-1", "from-0")
    says(page, "Ben +3,900", "Aki −3,900")
    book(page)
    assert changed(page) == (-3900, 3900, 0, 0)
    taps(page, "book", "open-1-0")
    says(page, "Ben +3,900", "Aki −3,900")
    expect(page.locator("#photo")).to_be_visible()


def another_winner_stays_whom_a_photo_was_not_read_with(page: Page) -> None:
    won(page, 2, 3)
    upload(page)
    held = Held(page, "**/api/read")
    taps(page, "camera")
    give(page, sample_path())
    held.came()
    taps(page, "step-check", "winner-1")
    says(page, "Ben +8,000", "Dan −8,000")
    with page.expect_response("**/api/score"):
        held.let_go()
    says(page, "Ben +8,000", "Dan −8,000")


def without_a_photo_too_nobody_needs_to_name_the_winning_tile(page: Page) -> None:
    won(page, 1)
    lay(page, {"concealed": "11223344556677m"})
    expect(page.locator('[data-group="win"] .held')).to_have_count(0)
    book(page)
    assert changed(page)[1] > 0


def test_a_photo_is_booked_and_opens_as_it_was(evening: Page) -> None:
    each(
        evening,
        the_photo_comes_first_and_the_winner_after,
        a_win_that_is_entered_waits_while_an_earlier_hand_is_corrected,
        a_booked_hand_opens_as_it_was_and_all_of_it_can_be_changed,
        another_winner_stays_whom_a_photo_was_not_read_with,
        without_a_photo_too_nobody_needs_to_name_the_winning_tile,
    )


def test_photos_of_both_winners_are_kept_and_another_phone_says_where_they_are(
    phone: BrowserContext, other_phone: BrowserContext, sharing: Server
) -> None:
    page = open_home(phone, sharing.url)
    second = shared(page, sharing, other_phone)
    taps(page, "won", "seat-2", "another", "seat-1", "seat-0")
    for winner, way in (("Ben", "Next winner"), ("Chie", "Record it")):
        expect(page.locator("#claimed")).to_contain_text(winner)
        upload(page)
        expect(page.locator('[data-key="way"]:enabled')).to_have_text(way)
        taps(page, "way")
    booked(page, 1)
    taps(page, "book", "past-games")
    with page.expect_download() as file:
        taps(page, "save-all")
    assert len(json.loads(Path(file.value.path()).read_text())["pictures"]) == 2
    booked(second, 1)
    taps(second, "book", "open-1-1")
    expect(second.locator("#no-picture")).to_contain_text("on the phone that took it")
    expect(second.locator(".held img")).to_have_count(14 + 1)
    is_good(second)
    second.reload()
    expect(second.locator("#no-picture")).to_be_visible()


# --- doubts, like questions, are there only where they matter ---


def doubted(page: Page, *doubts: Doubted) -> None:
    page.evaluate(FROM_PHOTO, list(doubts))
    won(page, 2, 3)
    upload(page)


def a_doubt_that_changes_a_payment_is_open_and_the_first_tap_leads_there(page: Page) -> None:
    doubted(page, ("face", "0p hand", {"label": "5p"}))
    taps(page, "close")
    pill = page.locator('[data-key="doubts"]')
    expect(pill).to_have_text("1 to check")
    expect(pill).to_be_enabled()
    expect(page.locator("#bar")).to_contain_text("1 open")
    taps(page, "way")
    card = page.locator("#doubts li")
    expect(card).to_be_in_viewport()
    card.get_by_text("No, 5 circles").tap()
    expect(card).to_have_count(0)
    says(page, "Chie +3,900", "Dan −3,900")
    book(page)
    assert changed(page) == (0, 0, 3900, -3900)


def a_doubt_that_changes_nothing_is_not_shown(page: Page) -> None:
    doubted(page, ("win", "5s win", WON_APART), ("indicator", "", None))
    expect(page.locator("#doubts li")).to_have_count(0)
    expect(page.locator("#check-tools")).to_contain_text("All tiles clear")
    says(page, "Chie +8,000", "Dan −8,000")


def an_indicator_that_nobody_has_confirmed_counts_for_nothing(page: Page) -> None:
    doubted(page, ("face", "7s dora", {"label": "4s"}))  # it may be a tile of the river
    question = page.locator('[data-field="dora_indicators"]')
    expect(question).to_be_visible()
    expect(page.locator('[data-group="dora"] .held.doubt')).to_have_count(1)
    worth(page, "2,000")
    expect(page.locator("#bar")).to_contain_text("1 open")
    question.locator('[data-key="dora-read"]').tap()
    expect(question).to_have_count(0)
    expect(page.locator('[data-group="dora"] .held.doubt')).to_have_count(0)
    says(page, "Chie +8,000", "Dan −8,000")


def an_indicator_that_is_none_leaves_the_strip(page: Page) -> None:
    hand = {"concealed": "234m067p3488s", "win_tile": "5s", "melds": [PUNG]}
    doubted(page, ("indicator", "6z other", {"hand": {**hand, "dora_indicators": ["7s", "6z"]}}))
    taps(page, "dora_indicators-none")
    expect(page.locator('[data-field="dora_indicators"]')).to_have_count(0)
    expect(page.locator('[data-group="dora"] .held')).to_have_count(0)
    says(page, "Chie +2,000", "Dan −2,000")
    expect(page.locator("#check-tools")).to_contain_text("All tiles clear")


def test_doubts_are_shown_where_they_matter(evening: Page) -> None:
    each(
        evening,
        a_doubt_that_changes_a_payment_is_open_and_the_first_tap_leads_there,
        a_doubt_that_changes_nothing_is_not_shown,
        an_indicator_that_nobody_has_confirmed_counts_for_nothing,
        an_indicator_that_is_none_leaves_the_strip,
    )
