"""What the rules of the game allow is offered at the table, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.end_to_end.evening import agrees, anew, booked, draw, drawn, kept, lay, taps, told, won
from tests.end_to_end.looks import is_good
from tests.end_to_end.page import Server, open_home, tap


@pytest.fixture
def evening(phone: BrowserContext, server: Server) -> Iterator[Page]:
    yield open_home(phone, server.url)


# --- who wins ---


def a_second_winner_only_where_the_rules_pay_one(page: Page) -> None:
    anew(page, rules="wrc2025")  # head bump
    taps(page, "won", "seat-2")
    expect(page.locator('[data-key="tsumo"]')).to_be_visible()
    expect(page.locator('[data-key="another"]')).to_have_count(0)


def two_winners_under_tenhou_and_a_third_who_makes_a_draw(page: Page) -> None:
    anew(page, rules="tenhou")
    taps(page, "won", "seat-0", "another", "seat-1", "another", "seat-2")
    expect(page.locator(".question-now")).to_contain_text("Chie")
    expect(page.locator('[data-key="another"]')).to_have_count(0)


THREE_WIN = ("won", "seat-1", "another", "seat-2", "another", "seat-3", "seat-0")
"""On the dealer's discard."""


def a_dealer_on_whose_discard_three_win_is_asked_whether_he_was_tenpai(page: Page) -> None:
    """Toudai §3.5.1: three winners make the hand a draw. §3.6: a dealer who is ready stays."""
    for deal, answer in ((0, "tenpai-true"), (1, "tenpai-false")):
        anew(page, rules="toudai")
        taps(page, *THREE_WIN, "told", "limit-mangan")
        expect(page.locator('[data-key="book-it"]')).to_be_disabled()  # he is asked first
        if not deal:
            is_good(page)
        taps(page, f"told-{answer}", "book-it")
        for winner in ("Chie", "Dan"):
            expect(page.locator("#claimed")).to_contain_text(winner)
            told(page, "limit-mangan")
        booked(page, 1)
        game = agrees(page)
        assert game.turns[0].changes == (0, 0, 0, 0) and game.game.deal == deal
    taps(page, "book", "correct-1", *THREE_WIN)
    lay(page)
    way = page.locator('[data-key="way"]')
    expect(way).to_have_text("Was Aki tenpai?")
    way.tap()
    tap(page, "tenpai-true")
    is_good(page)
    expect(way).to_have_text("Next winner")


def a_dealer_is_not_asked_where_nothing_hangs_on_it(page: Page) -> None:
    for rules in ("tenhou", "majsoul"):  # he stays in any case; all three are paid
        anew(page, rules=rules)
        taps(page, *THREE_WIN, "told", "limit-mangan")
        expect(page.locator('[data-key="told-tenpai-true"]')).to_have_count(0)
        expect(page.locator('[data-key="book-it"]')).to_be_enabled()


def test_as_many_win_as_the_rules_allow(evening: Page) -> None:
    a_second_winner_only_where_the_rules_pay_one(evening)
    two_winners_under_tenhou_and_a_third_who_makes_a_draw(evening)
    a_dealer_on_whose_discard_three_win_is_asked_whether_he_was_tenpai(evening)
    a_dealer_is_not_asked_where_nothing_hangs_on_it(evening)


# --- riichi and points ---

POOR = {"event": "correction", "changes": [-24100, 24100, 0, 0], "note": ""}
"""Aki has 900 points."""


def riichi_without_its_stick_is_refused_where_the_rules_refuse_it(page: Page) -> None:
    anew(page, POOR, rules="tenhou")
    assert agrees(page).game.points == (900, 49100, 25000, 25000)
    tap(page, "seat-0")
    expect(page.locator("#notice")).to_contain_text("Aki has 900 points")
    expect(page.locator('[data-key="seat-0"] .stick')).to_have_count(0)
    is_good(page)
    tap(page, "seat-1")
    expect(page.locator('[data-key="seat-1"] .stick')).to_be_visible()
    expect(page.locator("#notice")).to_be_hidden()
    tap(page, "seat-1")  # who has declared riichi has won
    expect(page.locator(".question-now")).to_contain_text("Ben")
    tap(page, "no_riichi")
    expect(page.locator('[data-key="seat-1"] .stick')).to_have_count(0)
    expect(page.locator('[data-key="won"]')).to_be_visible()


def riichi_below_1000_points_where_the_rules_let_the_game_go_on(page: Page) -> None:
    anew(page, POOR, rules="mleague")
    taps(page, "seat-0")
    expect(page.locator('[data-key="seat-0"] .have')).to_have_text("−100")


def after_four_riichi_four_bets_lie_on_the_table(page: Page) -> None:
    """EMA 2008 §3.4.3: all four have declared riichi, and show that they are tenpai."""
    for rules in ("ema2008", "tenhou"):  # where the deal may pass on, and where it stays
        anew(page, rules=rules)
        taps(page, "seat-2", "more", "abort-four_riichi")  # nobody tapped the others
        if rules == "ema2008":
            is_good(page)
        taps(page, "book-it")
        booked(page, 1)
        game = agrees(page)
        assert game.turns[0].changes == (-1000,) * 4 and game.game.sticks == 4
        assert (game.game.deal, game.game.honba) == (0, 1)


def test_riichi_as_the_rules_allow_it(evening: Page) -> None:
    riichi_without_its_stick_is_refused_where_the_rules_refuse_it(evening)
    riichi_below_1000_points_where_the_rules_let_the_game_go_on(evening)
    after_four_riichi_four_bets_lie_on_the_table(evening)


def points(page: Page, *totals: str) -> None:
    for player, total in enumerate(totals):
        page.fill(f"#points-{player}", total)


def test_points_are_corrected_as_totals_whose_sum_holds(evening: Page) -> None:
    page = evening
    anew(page, rules="mleague")
    taps(page, "seat-3")  # a stick on the table: what is shown is what is corrected
    tap(page, "more")
    tap(page, "points")
    expect(page.locator("#points-3")).to_have_value("24000")
    page.fill("#points-0", "30000")
    expect(page.locator('[data-key="book-it"]')).to_be_disabled()
    expect(page.locator("#act .hint[role=status]")).to_contain_text("104,000")
    points(page, "30000", "23000", "2000", "44000")
    expect(page.locator('[data-key="book-it"]')).to_be_enabled()
    points(page, "74000", "21000", "0", "4000")
    tap(page, "minus-2")  # a number pad has no minus
    tap(page, "minus-2")
    expect(page.locator('[data-key="minus-2"]')).to_have_attribute("aria-pressed", "false")
    points(page, "74000", "22000", "1000")
    tap(page, "minus-2")
    is_good(page)
    tap(page, "book-it")
    booked(page, 1)
    assert kept(page).game.points == (74000, 22000, -1000, 5000)
    below, plain = (page.locator(f'[data-key="seat-{seat}"] .have') for seat in (2, 3))
    expect(below).to_have_text("−1,000")
    expect(plain).to_have_text("4,000")  # the stick lies there still
    colour = "one => getComputedStyle(one).color"
    assert below.evaluate(colour) != plain.evaluate(colour)
    draw(page)
    booked(page, 2)
    assert agrees(page).turns[-1].changes == (-1000, -1000, -1000, 3000 - 1000)


def test_a_chombo_whose_penalty_the_rules_do_not_name(evening: Page) -> None:
    page = evening
    for rules in ("majsoul", "toudai", "tenhou"):
        anew(page, rules=rules)
        before = kept(page).game
        taps(page, "more", "chombo-1")
        expect(page.locator('[data-key="book-it"]')).to_be_disabled()  # it is asked
    is_good(page)
    tap(page, "penalty-points")
    page.fill("#penalty", "8000")
    tap(page, "book-it")
    booked(page, 1)
    assert agrees(page).game.penalties[1] == -8000
    taps(page, "more", "chombo-1", "penalty-reverse_mangan", "book-it")
    booked(page, 2)
    game = agrees(page).game
    assert game.points[1] == before.points[1] - 8000 and game.deal == 0


# --- what a win can be worth ---

FIVE_COUNTERS = [drawn("E")] * 5
CALLED = {
    "concealed": "340567p2267s",
    "win_tile": "8s",
    "melds": [{"type": "pon", "tiles": "666z", "from": 2}],
}
"""A hand of one han."""


def one_han_where_five_counters_call_for_two(page: Page) -> None:
    """EMA 2008 §3.4.11: a yaku is there, and a han is missing."""
    anew(page, *FIVE_COUNTERS)
    won(page, 2, 3)
    lay(page, CALLED)
    expect(page.locator("#bar strong")).to_have_text("too few han")
    expect(page.locator("#bar small")).to_contain_text("can be too few han–32,000")  # of renhou


def impossible_han_and_fu_are_not_offered(page: Page) -> None:
    anew(page)
    won(page, 2, 3)
    taps(page, "told")
    expect(page.locator('[data-key="fu-30"]')).to_be_visible()
    expect(page.locator('[data-key="fu-20"]')).to_have_count(0)  # nobody has 20 fu by ron
    taps(page, "fu-25")
    expect(page.locator('[data-key="han-1"]')).to_have_count(0)
    taps(page, "fu-30", "han-1")
    expect(page.locator('[data-key="fu-25"]')).to_have_count(0)
    anew(page)
    won(page, 2)
    taps(page, "told", "fu-20")
    expect(page.locator('[data-key="han-1"]')).to_have_count(0)
    taps(page, "han-2", "book-it")
    booked(page, 1)
    assert agrees(page).turns[-1].changes[2] > 0


def who_is_liable_for_yakuman_without_tiles_pays_as_the_rules_say(page: Page) -> None:
    """By the rules of the Japan Professional Mahjong League a player is liable for his own yakuman alone."""
    anew(page, rules="jpml")
    won(page, 2, 3)
    taps(page, "told", "limit-mangan")
    expect(page.locator('[data-key="liable-nobody"]')).to_have_count(0)
    taps(page, "yakuman-1")
    expect(page.locator('[data-key="liable-0"]')).to_be_visible()
    expect(page.locator('[data-key="liable-3"]')).to_have_count(0)  # who discarded pays it as it is
    anew(page, rules="jpml")
    won(page, 2)
    taps(page, "told", "yakuman-2", "liable-0")
    expect(page.locator('[data-key="book-it"]')).to_be_disabled()  # for one of them, or both?
    is_good(page)
    taps(page, "liable-for-1", "book-it")
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (-16000 - 32000, -8000, 64000, -8000)


def han_that_are_too_few_are_not_offered(page: Page) -> None:
    """Riichi and self-draw are two han. EMA 2008 §3.4.11: from five counters each win needs two."""
    for events, keys in (
        ([], ("seat-2", "won", "seat-2", "tsumo")),
        (FIVE_COUNTERS, ("won", "seat-2", "seat-3")),
    ):
        anew(page, *events)
        taps(page, *keys, "told")
        expect(page.locator('[data-key="han-2"]')).to_be_visible()
        expect(page.locator('[data-key="han-1"]')).to_have_count(0)


def test_a_win_is_worth_what_it_can_be(evening: Page) -> None:
    one_han_where_five_counters_call_for_two(evening)
    impossible_han_and_fu_are_not_offered(evening)
    who_is_liable_for_yakuman_without_tiles_pays_as_the_rules_say(evening)
    han_that_are_too_few_are_not_offered(evening)
