"""The evening at the table: a game from its first hand to its ranking, its book, and what a reload leaves."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, expect

from scorer import replay
from tests.end_to_end.evening import (
    KEPT,
    PINFU,
    agrees,
    anew,
    booked,
    draw,
    drawn,
    kept,
    lay,
    play,
    set_up,
    taps,
    told,
    won,
)
from tests.end_to_end.hanchan import hanchan, to_book
from tests.end_to_end.looks import is_good
from tests.end_to_end.page import PHONE, Held, Server, begin, open_home, painted, tap, to_score
from tests.end_to_end.page import kept as listed
from tests.scorer.short_games import win


@pytest.fixture
def evening(phone: BrowserContext, server: Server) -> Iterator[Page]:
    yield open_home(phone, server.url)


def test_a_hanchan_hand_by_hand(evening: Page) -> None:
    hanchan(evening, is_good)


LAST = """async () => {
    const { correct } = await import("./app/actions.js");
    const { app } = await import("./app/state.js");
    const { current } = await import("./games/games.js");
    for (let at = 0; at < 21; at++) correct({ ...app.state.hand });
    return [app.state.undone.length, current.game.undo.length];
}"""


def test_twenty_changes_can_be_undone(evening: Page) -> None:
    anew(evening, *[{"event": "correction", "changes": [1000, -1000, 0, 0], "note": ""}] * 21)
    lay(evening)
    assert evening.evaluate(LAST) == [20, 20]


# --- what happens at the table ---


def a_riichi_that_was_forgotten_counts_though_the_hand_is_on_its_way(page: Page) -> None:
    anew(page)
    won(page, 2, 3)
    lay(page)
    expect(page.locator("#bar strong")).to_have_text("2,000")  # pinfu, tanyao
    page.locator("#go-home").tap()
    tap(page, "seat-2")
    tap(page, "go-on")
    expect(page.locator("#bar strong")).to_have_text("3,900")
    to_book(page)
    booked(page, 1)
    turn = agrees(page).turns[-1]
    assert turn.players(turn.declared) == [2] and turn.changes == (0, 0, 3900, -3900)


def how_much_a_hand_is_worth_is_told_without_scrolling(page: Page) -> None:
    anew(page)
    page.set_viewport_size({"width": 740, "height": 360})
    won(page, 2, 3)
    taps(page, "told", "han-2", "fu-40")
    expect(page.locator('[data-key="book-it"]')).to_be_in_viewport(ratio=1)
    expect(page.locator('[data-key="limit-mangan"]')).to_have_text("Mangan")
    is_good(page)
    page.set_viewport_size({"width": 360, "height": 740})


def seven_han_are_told_where_there_are_no_limits(page: Page) -> None:
    anew(page, rules='base = "ema2008"\naotenjou = true\n')
    won(page, 2, 3)
    taps(page, "told", "han-7", "fu-40")
    expect(page.locator('[data-key^="limit-"], [data-key^="yakuman-"]')).to_have_count(0)
    taps(page, "book-it")
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (0, 0, 82000, -82000)


def nagashi_mangan_is_booked_and_paid(page: Page) -> None:
    anew(page)
    taps(page, "draw", "nagashi-1", "book-it")
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (-4000, 8000, -2000, -2000)


def changes_fly_to_the_seats_and_stay_there(page: Page) -> None:
    flying = "document.getAnimations().filter((one) => one.animationName === 'fly').length"
    anew(page)
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate("addEventListener('animationstart', (event) => (window.flew = event.animationName))")
    draw(page, 0)
    page.wait_for_function("() => window.flew === 'fly'")
    booked(page, 1)
    page.wait_for_function(f"() => !{flying}")
    expect(page.locator(".moved")).to_have_count(4)
    taps(page, "won")
    expect(page.locator(".question-now")).to_be_visible()
    expect(page.locator(".moved")).to_have_count(4)
    assert not page.evaluate(flying)
    page.emulate_media(reduced_motion="reduce")


def test_what_happens_at_the_table(evening: Page) -> None:
    a_riichi_that_was_forgotten_counts_though_the_hand_is_on_its_way(evening)
    how_much_a_hand_is_worth_is_told_without_scrolling(evening)
    seven_han_are_told_where_there_are_no_limits(evening)
    nagashi_mangan_is_booked_and_paid(evening)
    changes_fly_to_the_seats_and_stay_there(evening)


def test_a_whole_game_of_three_players(evening: Page) -> None:
    page = evening
    set_up(page, "tenhou3", players=3, rounds="1")
    draw(page, 1)
    booked(page, 1)
    assert agrees(page).game.points == (34000, 37000, 34000)
    won(page, 1)  # the dealer, with a counter: the fourth share is nobody's
    told(page, "limit-mangan")
    booked(page, 2)
    assert agrees(page).turns[1].changes == (-4100, 8200, -4100)
    tap(page, "seat-2")
    won(page, 2, 0)
    lay(page, PINFU | {"concealed": "234p345567p2267s"})
    expect(page.locator('#questions [data-field="nukidora"]')).to_have_count(1)
    tap(page, "nukidora-2")  # norths that he has set aside
    expect(page.locator('#given [data-key="change-nukidora"]')).to_be_visible()
    is_good(page)
    taps(page, "way", "way")  # what is open is seen, and left so
    booked(page, 3)
    game = agrees(page)
    (record,) = page.evaluate(KEPT)
    assert record[3]["hands"][0]["nukidora"] == 2 and game.turns[2].settled is not None
    (winner,) = game.turns[2].settled.winners
    assert winner.score.han == 5 and game.turns[2].changes[1] == 0  # riichi, pinfu, tanyao, two norths
    taps(page, "won", "seat-1", "another", "seat-0", "seat-2")
    told(page, "han-1", "fu-30")
    told(page, "han-2", "fu-30")
    expect(page.locator(".ended")).to_be_visible()  # somebody has what it takes
    game = kept(page)
    assert game.rules.players == 3 and game.rules.rounds == 1 and game.game.is_over
    assert len(game.turns) == 4 and all(turn.changes != (0, 0, 0) for turn in game.turns)
    scores = page.locator("#home .ranking td strong").all_inner_texts()
    shown = [int(text.replace(",", "").replace("−", "-")) for text in scores]
    assert shown == [game.game.scores()[player] for _, player in game.ranking()]


# --- games of before ---


def a_game_is_put_away_and_goes_on(page: Page) -> None:
    anew(page, drawn("E"))
    taps(page, "more", "close-game")
    expect(page.locator('[data-key="new"]')).to_be_visible()
    tap(page, "past")
    page.locator(".past-games .past").tap()
    page.locator("#go-home").tap()
    booked(page, 1)
    draw(page, 1)
    booked(page, 2)
    agrees(page)


def games_have_their_dates_and_standings_over_all_of_them(page: Page) -> None:
    page.on("dialog", lambda dialog: dialog.accept())
    anew(page, drawn("E"), {"event": "end"})
    play(page, drawn("E"), {"event": "end"})
    play(page)  # goes on, and counts in none
    taps(page, "book", "past-games")
    games = page.locator(".past-games > li")
    expect(games).to_have_count(3)
    for at in range(3):
        expect(games.nth(at).locator(".when")).to_contain_text(re.compile(r"^\d+ \w+ 20\d\d"))  # British
        expect(games.nth(at)).to_contain_text("Aki, Ben, Chie, Dan")
    leader = page.locator(".standings tbody tr").first
    ended = [game for game in map(replay, page.evaluate(KEPT)) if game.game.is_over]
    score = ended[0].game.scores()[0]
    expect(leader.locator("th, td")).to_have_text(["Aki", "2", "2", "1.00", f"+{2 * score:,}"])
    games.last.locator(".tool").tap()
    expect(games).to_have_count(2)
    expect(leader.locator("th, td")).to_have_text(["Aki", "1", "1", "1.00", f"+{score:,}"])
    page.locator("#go-home").tap()


OUTDATE = """async () => {
    const { games } = await import("./app/store.js");
    for (const one of await games.all()) await games.put({ ...one, stands: { ...one.stands, lang: "ja" } });
}"""
"""The games of the browser were seen last in another language."""


def a_list_of_games_that_comes_late_stays_away(page: Page) -> None:
    anew(page)
    play(page)
    taps(page, "book", "past-games")
    games = page.locator(".past-games > li")
    expect(games).to_have_count(2)
    games.last.locator(".past").tap()  # instead of the current one
    expect(games).to_have_count(0)
    tap(page, "past-games")
    expect(games).to_have_count(2)
    page.evaluate(OUTDATE)
    held = Held(page, "**/api/game")
    page.evaluate("import('./app/state.js').then(({ show }) => show())")
    held.came(2)
    page.once("dialog", lambda question: question.accept())
    games.first.locator(".tool").tap()
    held.came(3)
    number = iter(range(3))
    with page.expect_response(lambda response: "api/game" in response.url and next(number) == 2):
        held.let_go()
    painted(page)
    expect(games).to_have_count(1)
    assert len(page.evaluate(KEPT)) == 1  # the answer about the other does not bring it back
    page.locator("#go-home").tap()


def the_book_is_printed_without_what_is_to_be_touched(page: Page) -> None:
    anew(page, drawn("E"))
    page.evaluate("window.print = () => (document.body.dataset.printed = 'yes')")
    taps(page, "book", "share-print")
    expect(page.locator("body[data-printed]")).to_have_count(1)
    page.emulate_media(media="print")
    expect(page.locator(".booked-hands > li")).to_be_visible()
    expect(page.locator(".ranking, table").first).to_be_visible()
    expect(page.locator('[data-key="share-print"]')).to_be_hidden()
    expect(page.locator('[data-key="take-back-1"]')).to_be_hidden()


def test_games_are_kept_listed_and_printed(evening: Page) -> None:
    a_game_is_put_away_and_goes_on(evening)
    games_have_their_dates_and_standings_over_all_of_them(evening)
    a_list_of_games_that_comes_late_stays_away(evening)
    the_book_is_printed_without_what_is_to_be_touched(evening)


# --- corrections ---


def the_tiles_of_one_of_two_winners_are_corrected(page: Page) -> None:
    anew(page)
    taps(page, "seat-1", "won", "seat-1", "another", "seat-2", "seat-0")
    lay(page)
    to_book(page)
    expect(page.locator("#claimed")).to_contain_text("Chie")
    lay(page, PINFU | {"concealed": "345m345567p2267s"})
    to_book(page)
    booked(page, 1)
    first = agrees(page).turns[0]
    taps(page, "book", "correct-1")
    expect(page.locator('[data-key="tiles-again-0"]')).to_have_text("Correct Ben's tiles")
    is_good(page)
    tap(page, "tiles-again-1")
    expect(page.locator("#check")).to_be_visible()
    page.locator('[data-group="closed"] .held').nth(5).tap()
    taps(page, "red", "close")
    expect(page.locator("#bar strong")).to_have_text("3,900 + 3,900")
    page.reload()  # the other winner's hand is not lost
    page.wait_for_selector("body[data-ready]")
    to_book(page)
    booked(page, 1)
    turn = agrees(page).turns[0]
    assert turn.changes[1] == first.changes[1] > 0 and turn.changes[2] > first.changes[2] > 0
    assert turn.players(turn.declared) == [1] and sum(turn.changes) == 0


def the_dealer_won(page: Page) -> None:
    """The first of three hands, and so he stays."""
    taps(page, "book", "correct-1")
    expect(page.locator(".correcting")).to_be_visible()
    won(page, 0, 1)
    told(page, "limit-mangan")
    booked(page, 3)


def players_stay_who_they_are_where_a_correction_turns_the_seats(page: Page) -> None:
    riichi = {"event": "draw", "tenpai": ["S", "W"], "declared": ["W"]}
    mangan = {"value": {"limit": "mangan"}, "tsumo": False, "seat_wind": "W", "loser_offset": 2}
    anew(page, drawn("E"), win(mangan), riichi, rules="wrc2017")
    before = agrees(page)
    the_dealer_won(page)
    after = agrees(page)
    assert [turn.before.deal for turn in before.turns] == [0, 1, 2]
    assert [turn.before.deal for turn in after.turns] == [0, 0, 1]
    for played in (before, after):
        _, ron, draw = played.turns
        assert ron.changes[3] > 0 > ron.changes[1]
        assert draw.players(draw.tenpai) == [0, 3] and draw.players(draw.declared) == [0]
    page.locator('[data-key="undo"]:visible').tap()
    expect(page.locator('[data-key="seat-0"] .have')).to_have_text(f"{before.game.points[0]:,}")
    assert agrees(page) == before


def so_do_a_dead_hand_and_a_dealer(page: Page) -> None:
    """What only a record says, which another program may have written."""
    dead = {"event": "draw", "tenpai": ["W"], "dead": ["S"]}
    dealer = win({"value": {"limit": "mangan"}, "tsumo": True, "dealer": True})
    anew(page, drawn("E"), dead, dealer, rules="wrc2017")
    before = agrees(page)
    the_dealer_won(page)
    for played in (before, agrees(page)):
        _, ended, last = played.turns
        assert (ended.players(ended.tenpai), ended.players(ended.dead)) == ([3], [2])
        assert last.changes[2] > 0
    taps(page, "book", "correct-2")
    expect(page.locator(".correcting")).to_be_visible()
    draw(page, 0)
    expect(page.locator(".correcting")).to_have_count(0)
    ended = agrees(page).turns[1]
    assert (ended.players(ended.tenpai), ended.players(ended.dead)) == ([0, 3], [2])


def riichi_lies_there_still(page: Page) -> None:
    anew(page, drawn("E"))
    taps(page, "seat-2")
    stick = page.locator('[data-key="seat-2"] .stick')
    for leave in (True, False):
        taps(page, "book", "correct-1")
        expect(page.locator(".correcting")).to_be_visible()
        expect(stick).to_have_count(0)  # it is of another hand
        page.reload()
        page.wait_for_selector("body[data-ready]")
        expect(page.locator(".correcting")).to_be_visible()
        taps(page, "leave-correction") if leave else draw(page, 1)
        expect(stick).to_be_visible()
    draw(page)
    booked(page, 2)
    first, second = agrees(page).turns
    assert (first.players(first.tenpai), second.players(second.declared)) == ([0, 1], [2])


def what_cannot_have_been_is_told_and_not_kept(page: Page) -> None:
    mangan = {"value": {"limit": "mangan"}, "tsumo": False, "seat_wind": "E", "loser_offset": 1}
    anew(page, drawn("E"), win(mangan), rules="tenhou", rounds="1")
    before = agrees(page)
    taps(page, "book", "correct-1")
    expect(page.locator(".correcting")).to_be_visible()
    won(page, 3, 2)
    taps(page, "told", "yakuman-1")  # somebody is bust, and no hand follows
    expect(page.locator(".foretold")).to_contain_text("makes East 1-1 impossible")
    expect(page.locator('[data-key="book-it"]')).to_be_disabled()
    assert kept(page) == before


def test_an_earlier_hand_is_corrected(evening: Page) -> None:
    the_tiles_of_one_of_two_winners_are_corrected(evening)
    players_stay_who_they_are_where_a_correction_turns_the_seats(evening)
    so_do_a_dead_hand_and_a_dealer(evening)
    riichi_lies_there_still(evening)
    what_cannot_have_been_is_told_and_not_kept(evening)


def test_what_is_entered_goes_with_the_hand_before_it_only_if_the_player_agrees(evening: Page) -> None:
    page = evening
    anew(page, drawn("E"), drawn("S"))
    asked: list[str] = []

    def answers(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss() if len(asked) < 3 else dialog.accept()

    page.on("dialog", answers)
    taps(page, "seat-1", "undo")
    assert len(asked) == 1
    taps(page, "won", "seat-2", "seat-3")
    page.locator("#go-home").tap()
    taps(page, "book", "take-back-1")
    assert len(asked) == 2
    page.locator("#go-home").tap()
    expect(page.locator('[data-key="go-on"]')).to_be_visible()
    expect(page.locator('[data-key="seat-1"]')).to_have_attribute("aria-pressed", "true")
    taps(page, "undo")
    booked(page, 1)
    expect(page.locator('[data-key="won"]')).to_be_visible()
    expect(page.locator(".seat[aria-pressed=true]")).to_have_count(0)
    taps(page, "undo")
    booked(page, 0)
    assert len(asked) == 3


def test_a_game_is_handed_on_as_a_link(phone: BrowserContext, server: Server, browser: Browser) -> None:
    page = open_home(phone, server.url)
    play(page, drawn("E"))
    page.evaluate(
        """() => {
            navigator.share = undefined;
            const writeText = async (text) => (window.copied = text);
            Object.defineProperty(navigator, "clipboard", { value: { writeText } });
        }"""
    )
    taps(page, "book", "share-link")
    expect(page.locator("#book-news")).not_to_have_text("")
    link = page.evaluate("window.copied")
    context = browser.new_context(**PHONE, locale="ja-JP", reduced_motion="reduce")
    other = context.new_page()
    other.goto(link)
    expect(other.locator(".booked-hands > li")).to_have_count(1)
    expect(other.locator("#book-body")).to_contain_text("流局")
    assert not other.evaluate(KEPT)
    other.goto("about:blank")
    other.goto(link[:-20])  # damaged
    expect(other.locator("#notice")).to_be_visible()
    context.close()


def test_the_list_of_hands_outlives_version_1_of_its_database_and_steps_back(
    phone: BrowserContext, server: Server
) -> None:
    """Back after the next hand shows no hand that was not answered."""
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
    page.keyboard.press("Escape")
    lay(page)
    to_score(page)
    listed(page, 2)
    taps(page, "way")
    lay(page)
    for _ in range(3):
        page.go_back()
    expect(page.locator("#score")).to_be_hidden()
    page.locator("#open-history").tap()
    expect(page.locator("#history-list .past")).to_have_count(2)
