"""The evening at the table: a game from its first hand to its ranking, its book, and what a reload leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from scorer import replay
from tests.end_to_end.evening import KEPT, NAMES, agrees, booked, draw, kept, start, told, won
from tests.end_to_end.hanchan import hanchan, to_book
from tests.end_to_end.looks import is_good
from tests.end_to_end.page import (
    PATIENCE,
    PHONE,
    Server,
    begin,
    open_home,
    open_page,
    scored_sample,
    tap,
    upload,
)
from tests.end_to_end.test_keeping import past_games
from tests.end_to_end.test_typed import typed


@pytest.fixture
def evening(phone: BrowserContext, server: Server) -> Iterator[Page]:
    yield open_home(phone, server.url)


def test_a_photographed_win_takes_four_taps(evening: Page) -> None:
    page = evening
    start(page, "ema2008")
    won(page, 2, 3)
    upload(page)
    way = page.locator('[data-key="way"]')
    expect(way).to_have_text("Record it")  # on the screen that shows the photo
    expect(page.locator("#bar strong")).to_have_text("7,700")
    way.tap()
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (0, 0, 7700, -7700)


def test_a_photographed_win_asks_dora_in_one_strip(evening: Page) -> None:
    page = evening
    start(page, "ema2008")
    won(page, 2, 3)
    upload(page)
    tap(page, "dora/0")
    tap(page, "delete")  # as if no indicator lay in the photo
    strip = page.locator('[data-field="dora_indicators"] .strip .answer')
    expect(strip).to_have_count(5)
    tap(page, "dora_indicators-1")
    way = page.locator('[data-key="way"]')
    expect(way).to_have_text("Record it")
    way.tap()
    booked(page, 1)
    assert agrees(page).turns[-1].changes[2] > 0


def test_a_riichi_that_was_forgotten_counts_though_the_hand_is_on_its_way(evening: Page) -> None:
    page = evening
    start(page)
    won(page, 2, 3)
    typed(page, "234m345567p2267s", "8s")
    expect(page.locator("#bar strong")).to_have_text("2,000")  # pinfu, tanyao
    page.locator("#go-home").tap()
    tap(page, "seat-2")
    tap(page, "go-on")
    expect(page.locator("#bar strong")).to_have_text("3,900")
    to_book(page)
    booked(page, 1)
    turn = agrees(page).turns[-1]
    assert turn.players(turn.declared) == [2] and turn.changes == (0, 0, 3900, -3900)


def test_how_much_a_hand_is_worth_is_told_without_scrolling(browser: Browser, server: Server) -> None:
    device = {**PHONE, "viewport": {"width": 740, "height": 360}}
    with browser.new_context(**device, locale="en-GB", reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE)
        page = open_home(context, server.url)
        start(page)
        won(page, 2, 3)
        tap(page, "told")
        tap(page, "han-2")
        tap(page, "fu-40")
        expect(page.locator('[data-key="book-it"]')).to_be_in_viewport(ratio=1)
        expect(page.locator('[data-key="limit-mangan"]')).to_have_text("Mangan")
        is_good(page)


def test_a_hanchan_hand_by_hand(evening: Page) -> None:
    hanchan(evening, is_good)


def test_the_tiles_of_a_hand_are_corrected_in_the_book(evening: Page) -> None:
    page = evening
    start(page)
    tap(page, "seat-1")
    won(page, 1, 0)
    typed(page, "234m345567p2267s", "8s")
    to_book(page)
    booked(page, 1)
    first = agrees(page).turns[0].changes
    tap(page, "book")
    tap(page, "correct-1")
    tap(page, "tiles-again-0")
    expect(page.locator("#check")).to_be_visible()
    page.locator('[data-group="closed"] .held').nth(5).tap()
    tap(page, "red")
    tap(page, "close")
    to_book(page)
    booked(page, 1)
    turn = agrees(page).turns[0]
    assert turn.changes[1] > first[1] and turn.declared  # one han more


def test_the_tiles_of_one_of_two_winners_are_corrected_in_the_book(evening: Page) -> None:
    page = evening
    start(page)
    tap(page, "won")
    tap(page, "seat-1")
    tap(page, "another")
    tap(page, "seat-2")
    tap(page, "seat-0")
    typed(page, "234m345567p2267s", "8s")
    to_book(page)
    expect(page.locator("#claimed")).to_contain_text("Chie")
    typed(page, "345m345567p2267s", "8s")
    to_book(page)
    booked(page, 1)
    first = agrees(page).turns[0]
    tap(page, "book")
    tap(page, "correct-1")
    expect(page.locator('[data-key="tiles-again-0"]')).to_have_text("Correct Ben's tiles")
    is_good(page)
    tap(page, "tiles-again-1")
    expect(page.locator("#check")).to_be_visible()
    page.locator('[data-group="closed"] .held').nth(5).tap()
    tap(page, "red")
    tap(page, "close")
    page.reload()  # the other winner's hand is not lost
    page.wait_for_selector("body[data-ready]")
    to_book(page)
    booked(page, 1)
    turn = agrees(page).turns[0]
    assert turn.changes[1] == first.changes[1] > 0 and turn.changes[2] > first.changes[2] > 0
    assert sum(turn.changes) == 0


def test_a_whole_game_of_three_players(evening: Page) -> None:
    page = evening
    start(page, "tenhou3", players=3, rounds="1")
    is_good(page)
    draw(page, 1)
    booked(page, 1)
    assert agrees(page).game.points == (34000, 37000, 34000)
    won(page, 1)  # the dealer, with a counter: the fourth share is nobody's
    told(page, "limit-mangan")
    booked(page, 2)
    assert agrees(page).turns[1].changes == (-4100, 8200, -4100)
    tap(page, "seat-2")
    won(page, 2, 0)
    typed(page, "234p345567p2267s", "8s")
    expect(page.locator('#questions [data-field="nukidora"]')).to_have_count(1)
    tap(page, "nukidora-2")  # norths that he has set aside
    expect(page.locator('#given [data-key="change-nukidora"]')).to_be_visible()
    is_good(page)
    to_book(page)
    booked(page, 3)
    game = agrees(page)
    (record,) = page.evaluate(KEPT)
    assert record[3]["hands"][0]["nukidora"] == 2 and game.turns[2].settled is not None
    (winner,) = game.turns[2].settled.winners
    assert winner.score.han == 5 and game.turns[2].changes[1] == 0  # riichi, pinfu, tanyao, two norths
    tap(page, "won")
    tap(page, "seat-1")
    tap(page, "another")
    tap(page, "seat-0")
    tap(page, "seat-2")
    told(page, "han-1", "fu-30")
    told(page, "han-2", "fu-30")
    expect(page.locator(".ended")).to_be_visible()  # somebody has what it takes
    game = kept(page)
    assert game.rules.players == 3 and game.rules.rounds == 1 and game.game.is_over
    assert len(game.turns) == 4 and all(turn.changes != (0, 0, 0) for turn in game.turns)
    scores = page.locator("#home .ranking td strong").all_inner_texts()
    shown = [int(text.replace(",", "").replace("−", "-")) for text in scores]
    assert shown == [game.game.scores()[player] for _, player in game.ranking()]
    is_good(page)


def test_a_game_is_put_away_and_goes_on(evening: Page) -> None:
    page = evening
    start(page)
    draw(page, 0)
    booked(page, 1)
    tap(page, "more")
    tap(page, "close-game")
    expect(page.locator('[data-key="new"]')).to_be_visible()
    tap(page, "past")
    page.locator(".past-games .past").tap()
    page.locator("#go-home").tap()
    booked(page, 1)
    draw(page, 1)
    booked(page, 2)
    agrees(page)


def test_past_evenings_have_their_dates_and_standings_over_all_of_them(evening: Page) -> None:
    page = evening
    page.on("dialog", lambda dialog: dialog.accept())
    for _ in range(2):
        start(page)
        draw(page, 0)
        booked(page, 1)
        tap(page, "more")
        tap(page, "end")
        expect(page.locator(".ended")).to_be_visible()
    start(page)  # goes on, and counts in none
    tap(page, "book")
    tap(page, "past-games")
    year = str(page.evaluate("new Date().getFullYear()"))
    games = page.locator(".past-games > li")
    expect(games).to_have_count(3)
    for at in range(3):
        expect(games.nth(at).locator(".when")).to_contain_text(year)
        expect(games.nth(at)).to_contain_text("Aki, Ben, Chie, Dan")
    leader = page.locator(".standings tbody tr").first
    score = kept_scores(page)[0]
    expect(leader.locator("th, td")).to_have_text(["Aki", "2", "2", "1.00", f"+{2 * score:,}"])
    games.last.locator(".tool").tap()
    expect(games).to_have_count(2)
    expect(leader.locator("th, td")).to_have_text(["Aki", "1", "1", "1.00", f"+{score:,}"])


def kept_scores(page: Page) -> tuple[int, ...]:
    """Of a game that is finished."""
    ended = [game for game in map(replay, page.evaluate(KEPT)) if game.game.is_over]
    return ended[0].game.scores()


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


def test_a_game_is_played_by_the_keyboard_alone(desktop: BrowserContext, server: Server) -> None:
    page = open_home(desktop, server.url)
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


def test_nagashi_mangan_is_booked_and_paid(evening: Page) -> None:
    page = evening
    start(page)
    tap(page, "draw")
    tap(page, "nagashi-1")
    tap(page, "book-it")
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (-4000, 8000, -2000, -2000)


def test_the_book_is_printed_without_what_is_to_be_touched(evening: Page) -> None:
    page = evening
    start(page)
    draw(page, 0)
    booked(page, 1)
    tap(page, "book")
    expect(page.locator(".booked-hands > li")).to_have_count(1)
    page.evaluate("window.print = () => (document.body.dataset.printed = 'yes')")
    tap(page, "share-print")
    expect(page.locator("body[data-printed]")).to_have_count(1)
    page.emulate_media(media="print")
    expect(page.locator(".booked-hands > li")).to_be_visible()
    expect(page.locator(".ranking, table").first).to_be_visible()
    expect(page.locator('[data-key="share-print"]')).to_be_hidden()
    expect(page.locator('[data-key="take-back-1"]')).to_be_hidden()


def test_players_stay_who_they_are_where_a_correction_turns_the_seats(evening: Page) -> None:
    page = evening
    start(page, "wrc2017")
    draw(page, 0)
    booked(page, 1)
    won(page, 2, 3)
    typed(page, "234m345567p2267s", "8s")
    to_book(page)
    booked(page, 2)
    tap(page, "seat-1")
    draw(page, 3)
    booked(page, 3)
    before = agrees(page)
    assert before.turns[1].before.honba == 1
    tap(page, "book")
    tap(page, "correct-1")  # the dealer won, and so stays
    expect(page.locator(".correcting")).to_be_visible()
    won(page, 0, 1)
    told(page, "limit-mangan")
    booked(page, 3)
    after = agrees(page)
    assert [turn.before.deal for turn in before.turns] == [0, 1, 2]
    assert [turn.before.deal for turn in after.turns] == [0, 0, 1]
    assert after.turns[1].changes[2] > 0 > after.turns[1].changes[3] and after.turns[1].changes[1] == 0
    assert after.turns[2].players(after.turns[2].tenpai) == [1, 3]
    assert after.turns[2].players(after.turns[2].declared) == [1]
    page.locator('[data-key="undo"]:visible').tap()
    expect(page.locator('[data-key="seat-0"] .have')).to_have_text(f"{before.game.points[0]:,}")
    assert agrees(page) == before


def test_a_dead_hand_and_a_dealer_stay_who_they_are_where_a_correction_turns_the_seats(
    evening: Page, tmp_path: Path
) -> None:
    """What only a record says, which another program may have written."""
    page = evening
    record = [
        {"event": "start", "rules": "wrc2017", "players": list(NAMES)},
        {"event": "draw", "tenpai": ["E"]},
        {"event": "draw", "tenpai": ["W"], "dead": ["S"]},
        {"event": "win", "hands": [{"value": {"limit": "mangan"}, "tsumo": True, "dealer": True}]},
    ]
    (tmp_path / "game.json").write_text(json.dumps(record))
    past_games(page)
    page.set_input_files("#load-file", tmp_path / "game.json")
    page.locator(".past-games .past").tap()
    tap(page, "correct-1")  # the dealer won, and so stays
    expect(page.locator(".correcting")).to_be_visible()
    won(page, 0, 1)
    told(page, "limit-mangan")
    booked(page, 3)
    for played in (replay(record), agrees(page)):
        _, drawn, last = played.turns
        assert (drawn.players(drawn.tenpai), drawn.players(drawn.dead)) == ([3], [2])
        assert last.changes[2] > 0


def test_riichi_lies_there_still_once_an_earlier_hand_is_corrected(evening: Page) -> None:
    page = evening
    start(page)
    draw(page, 0)
    booked(page, 1)
    tap(page, "seat-2")
    stick = page.locator('[data-key="seat-2"] .stick')
    for leave in (True, False):
        tap(page, "book")
        tap(page, "correct-1")
        expect(page.locator(".correcting")).to_be_visible()
        expect(stick).to_have_count(0)  # it is of another hand
        page.reload()
        page.wait_for_selector("body[data-ready]")
        expect(page.locator(".correcting")).to_be_visible()
        tap(page, "leave-correction") if leave else draw(page, 1)
        expect(stick).to_be_visible()
    draw(page)
    booked(page, 2)
    first, second = agrees(page).turns
    assert (first.players(first.tenpai), second.players(second.declared)) == ([0, 1], [2])


def test_changes_fly_to_the_seats_and_stay_there(browser: Browser, server: Server) -> None:
    flying = "document.getAnimations().filter((one) => one.animationName === 'fly').length"
    with browser.new_context(**PHONE, locale="en-GB", reduced_motion="no-preference") as context:
        context.set_default_timeout(PATIENCE)
        page = open_home(context, server.url)
        start(page)
        tap(page, "draw")
        tap(page, "ready-0")
        page.evaluate("addEventListener('animationstart', (event) => (window.flew = event.animationName))")
        tap(page, "book-it")
        page.wait_for_function("() => window.flew === 'fly'")
        booked(page, 1)
        page.wait_for_function(f"() => !{flying}")
        expect(page.locator(".moved")).to_have_count(4)
        tap(page, "won")
        expect(page.locator(".question-now")).to_be_visible()
        expect(page.locator(".moved")).to_have_count(4)
        assert not page.evaluate(flying)


def test_what_cannot_have_been_is_told_and_not_kept(evening: Page) -> None:
    page = evening
    start(page, "tenhou", rounds="1")
    draw(page, 0)
    booked(page, 1)
    won(page, 0, 1)
    told(page, "han-2", "fu-30")
    booked(page, 2)
    before = agrees(page)
    tap(page, "book")
    tap(page, "correct-1")
    expect(page.locator(".correcting")).to_be_visible()
    won(page, 3, 2)
    tap(page, "told")
    tap(page, "yakuman-1")  # somebody is bust, and no hand follows
    expect(page.locator(".foretold")).to_contain_text("makes East 1-1 impossible")
    expect(page.locator('[data-key="book-it"]')).to_be_disabled()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert kept(page) == before


def test_a_game_is_handed_on_as_a_link(phone: BrowserContext, server: Server, browser: Browser) -> None:
    page = open_home(phone, server.url)
    start(page)
    draw(page, 0)
    booked(page, 1)
    page.evaluate(
        """() => {
            navigator.share = undefined;
            const writeText = async (text) => (window.copied = text);
            Object.defineProperty(navigator, "clipboard", { value: { writeText } });
        }"""
    )
    tap(page, "book")
    tap(page, "share-link")
    expect(page.locator("#book-news")).not_to_have_text("")
    link = page.evaluate("window.copied")
    context = browser.new_context(**PHONE, locale="ja-JP", reduced_motion="reduce")
    other = context.new_page()
    other.goto(link)
    expect(other.locator(".booked-hands > li")).to_have_count(1)
    expect(other.locator("#book-body")).to_contain_text("流局")
    is_good(other)
    assert not other.evaluate(KEPT)
    damaged = context.new_page()
    damaged.goto(link[:-20])
    expect(damaged.locator("#notice")).to_be_visible()
    context.close()


def test_back_after_the_next_hand_shows_no_hand_that_was_not_answered(
    phone: BrowserContext, server: Server
) -> None:
    page = open_page(phone, server.url)
    scored_sample(page)
    upload(page)
    for _ in range(3):
        page.go_back()
    expect(page.locator("#score")).to_be_hidden()
    page.locator("#open-history").tap()
    expect(page.locator("#history-list .past")).to_have_count(1)


def test_version_1_of_the_database_keeps_its_hands(phone: BrowserContext, server: Server) -> None:
    page = phone.new_page()
    page.goto(server.url + "lesson.css")
    page.evaluate(
        """() => new Promise((done) => {
            const request = indexedDB.open("tehai", 1);
            request.onupgradeneeded = () => {
                request.result.createObjectStore("now");
                request.result.createObjectStore("evening", { keyPath: "id" }).put({
                    id: "1-2", at: "2026-11-20T20:00:00.000Z", rules: "ema2008", answers: [],
                    result: { points: 1300 },
                    record: {
                        concealed: "123m456p78s22z444z", win_tile: "9s", tsumo: false, honba: 0,
                        riichi_sticks: 0,
                    },
                });
            };
            request.onsuccess = () => (request.result.close(), done());
        })"""
    )
    begin(page, server.url)
    page.locator("#open-history").tap()
    expect(page.locator("#history-list .when")).to_contain_text("20")  # and its date
    expect(page.locator("#history-list .past")).to_have_count(1)
