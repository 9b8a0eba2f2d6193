"""What the rules of the game allow is offered at the table, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.end_to_end.evening import agrees, booked, draw, kept, start, told, won
from tests.end_to_end.looks import is_good
from tests.end_to_end.page import Server, open_home, tap
from tests.end_to_end.test_typed import typed


@pytest.fixture
def evening(phone: BrowserContext, server: Server) -> Iterator[Page]:
    yield open_home(phone, server.url)


def correct_points(page: Page, *totals: str) -> None:
    tap(page, "more")
    tap(page, "points")
    for player, total in enumerate(totals):
        page.fill(f"#points-{player}", total)


def test_a_second_winner_only_where_the_rules_pay_one(evening: Page) -> None:
    page = evening
    start(page, rules="wrc2025")  # head bump
    tap(page, "won")
    tap(page, "seat-2")
    expect(page.locator('[data-key="tsumo"]')).to_be_visible()
    expect(page.locator('[data-key="another"]')).to_have_count(0)


def test_two_winners_under_tenhou_and_a_third_who_makes_a_draw(evening: Page) -> None:
    page = evening
    start(page, rules="tenhou")
    tap(page, "won")
    for player in (0, 1):
        tap(page, f"seat-{player}")
        tap(page, "another")
    tap(page, "seat-2")
    expect(page.locator('[data-key="another"]')).to_have_count(0)


def three_win_on_the_dealers_discard(page: Page) -> None:
    tap(page, "won")
    for player in (1, 2):
        tap(page, f"seat-{player}")
        tap(page, "another")
    tap(page, "seat-3")
    tap(page, "seat-0")


@pytest.mark.parametrize("is_tenpai", [True, False])
def test_a_dealer_on_whose_discard_three_win_is_asked_whether_he_was_tenpai(
    evening: Page, is_tenpai: bool
) -> None:
    """Toudai §3.5.1: three winners make the hand a draw. §3.6: a dealer who is ready stays."""
    page = evening
    start(page, rules="toudai")
    answer = f"tenpai-{str(is_tenpai).lower()}"
    three_win_on_the_dealers_discard(page)
    tap(page, "told")
    tap(page, "limit-mangan")
    expect(page.locator('[data-key="book-it"]')).to_be_disabled()  # he is asked first
    is_good(page)
    tap(page, f"told-{answer}")
    tap(page, "book-it")
    expect(page.locator("#claimed")).to_contain_text("Chie")
    told(page, "limit-mangan")
    expect(page.locator("#claimed")).to_contain_text("Dan")
    told(page, "limit-mangan")
    booked(page, 1)
    game = agrees(page)
    assert game.turns[0].changes == (0, 0, 0, 0)
    assert game.game.deal == (0 if is_tenpai else 1)

    tap(page, "book")
    tap(page, "correct-1")
    three_win_on_the_dealers_discard(page)
    typed(page, "234m345567p2267s", "8s")
    way = page.locator('[data-key="way"]')
    expect(way).to_have_text("Was Aki tenpai?")
    way.tap()
    tap(page, answer)
    is_good(page)
    expect(way).to_have_text("Next winner")


@pytest.mark.parametrize("rules", ["tenhou", "majsoul"])  # he stays in any case; all three are paid
def test_a_dealer_is_not_asked_where_nothing_hangs_on_it(evening: Page, rules: str) -> None:
    page = evening
    start(page, rules=rules)
    three_win_on_the_dealers_discard(page)
    tap(page, "told")
    tap(page, "limit-mangan")
    expect(page.locator('[data-key="told-tenpai-true"]')).to_have_count(0)
    expect(page.locator('[data-key="book-it"]')).to_be_enabled()


def test_riichi_without_its_stick_is_refused_where_the_rules_refuse_it(evening: Page) -> None:
    page = evening
    start(page, rules="tenhou")
    correct_points(page, "900", "49100")
    tap(page, "book-it")
    booked(page, 1)
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
    is_good(page)
    tap(page, "no_riichi")
    expect(page.locator('[data-key="seat-1"] .stick')).to_have_count(0)
    expect(page.locator('[data-key="won"]')).to_be_visible()


def test_riichi_below_1000_points_where_the_rules_let_the_game_go_on(evening: Page) -> None:
    page = evening
    start(page, rules="mleague")
    correct_points(page, "900", "49100")
    tap(page, "book-it")
    booked(page, 1)
    tap(page, "seat-0")
    expect(page.locator('[data-key="seat-0"] .have')).to_have_text("−100")


def test_points_are_corrected_as_totals_whose_sum_holds(evening: Page) -> None:
    page = evening
    start(page, rules="mleague")
    tap(page, "seat-3")  # a stick on the table: what is shown is what is corrected
    tap(page, "more")
    tap(page, "points")
    expect(page.locator("#points-3")).to_have_value("24000")
    page.fill("#points-0", "30000")
    expect(page.locator('[data-key="book-it"]')).to_be_disabled()
    expect(page.locator("#act .hint[role=status]")).to_contain_text("104,000")
    page.fill("#points-1", "23000")
    page.fill("#points-2", "2000")
    page.fill("#points-3", "44000")
    expect(page.locator('[data-key="book-it"]')).to_be_enabled()
    page.fill("#points-3", "4000")
    page.fill("#points-0", "74000")
    page.fill("#points-1", "21000")
    page.fill("#points-2", "0")
    tap(page, "minus-2")  # a number pad has no minus
    tap(page, "minus-2")
    expect(page.locator('[data-key="minus-2"]')).to_have_attribute("aria-pressed", "false")
    page.fill("#points-2", "1000")
    tap(page, "minus-2")
    page.fill("#points-1", "22000")
    is_good(page)
    tap(page, "book-it")
    booked(page, 1)
    assert kept(page).game.points == (74000, 22000, -1000, 5000)
    expect(page.locator('[data-key="seat-2"] .have')).to_have_text("−1,000")
    expect(page.locator('[data-key="seat-3"] .have')).to_have_text("4,000")  # the stick lies there still
    draw(page)
    booked(page, 2)
    assert agrees(page).turns[-1].changes == (-1000, -1000, -1000, 3000 - 1000)


@pytest.mark.parametrize("rules", ["majsoul", "toudai", "tenhou"])
def test_a_chombo_whose_penalty_the_rules_do_not_name(evening: Page, rules: str) -> None:
    page = evening
    start(page, rules=rules)
    before = kept(page).game
    tap(page, "more")
    tap(page, "chombo-1")
    expect(page.locator('[data-key="book-it"]')).to_be_disabled()  # it is asked
    is_good(page)
    tap(page, "penalty-points")
    page.fill("#penalty", "8000")
    tap(page, "book-it")
    booked(page, 1)
    assert agrees(page).game.penalties[1] == -8000
    tap(page, "more")
    tap(page, "chombo-1")
    tap(page, "penalty-reverse_mangan")
    tap(page, "book-it")
    booked(page, 2)
    game = agrees(page).game
    assert game.points[1] == before.points[1] - 8000 and game.deal == 0


def test_one_han_where_five_counters_call_for_two(evening: Page) -> None:
    """EMA 2008 §3.4.11: a yaku is there, and a han is missing."""
    page = evening
    start(page)
    for many in range(1, 6):
        draw(page, 0)
        booked(page, many)
    won(page, 2, 3)
    page.locator("#type-hand").tap()
    page.locator("#sheet .line input").fill("340567p2267s + 8s [666z^]")
    tap(page, "line-read")
    expect(page.locator("#bar strong")).to_have_text("too few han")
    expect(page.locator("#bar small")).to_contain_text("can be too few han–32,000")  # of renhou


def test_impossible_han_and_fu_are_not_offered(evening: Page) -> None:
    page = evening
    start(page)
    won(page, 2, 3)
    tap(page, "told")
    expect(page.locator('[data-key="fu-30"]')).to_be_visible()
    expect(page.locator('[data-key="fu-20"]')).to_have_count(0)  # nobody has 20 fu by ron
    tap(page, "fu-25")
    expect(page.locator('[data-key="han-1"]')).to_have_count(0)
    tap(page, "fu-30")
    tap(page, "han-1")
    expect(page.locator('[data-key="fu-25"]')).to_have_count(0)
    page.keyboard.press("Escape")
    page.locator("#go-home").tap()
    tap(page, "drop")
    won(page, 2)
    tap(page, "told")
    tap(page, "fu-20")
    expect(page.locator('[data-key="han-1"]')).to_have_count(0)
    tap(page, "han-2")
    tap(page, "book-it")
    booked(page, 1)
    assert agrees(page).turns[-1].changes[2] > 0


def test_who_is_liable_for_yakuman_without_tiles_pays_as_the_rules_say(evening: Page) -> None:
    """By the rules of the Japan Professional Mahjong League a player is liable for his own yakuman alone."""
    page = evening
    start(page, rules="jpml")
    won(page, 2, 3)
    tap(page, "told")
    tap(page, "limit-mangan")
    expect(page.locator('[data-key="liable-nobody"]')).to_have_count(0)
    tap(page, "yakuman-1")
    expect(page.locator('[data-key="liable-0"]')).to_be_visible()
    expect(page.locator('[data-key="liable-3"]')).to_have_count(0)  # who discarded pays it as it is
    page.keyboard.press("Escape")
    page.locator("#go-home").tap()
    tap(page, "drop")
    won(page, 2)
    tap(page, "told")
    for key in ("yakuman-2", "liable-0"):
        tap(page, key)
    expect(page.locator('[data-key="book-it"]')).to_be_disabled()  # for one of them, or both?
    is_good(page)
    tap(page, "liable-for-1")
    tap(page, "book-it")
    booked(page, 1)
    assert agrees(page).turns[-1].changes == (-16000 - 32000, -8000, 64000, -8000)


def test_han_that_are_too_few_are_not_offered(evening: Page) -> None:
    """Riichi and self-draw are two han. EMA 2008 §3.4.11: from five counters each win needs two."""
    page = evening
    start(page)
    tap(page, "seat-2")  # riichi
    won(page, 2)
    tap(page, "told")
    expect(page.locator('[data-key="han-2"]')).to_be_visible()
    expect(page.locator('[data-key="han-1"]')).to_have_count(0)
    page.keyboard.press("Escape")
    page.locator("#go-home").tap()
    tap(page, "drop")
    for many in range(1, 6):
        draw(page, 0)
        booked(page, many)
    won(page, 2, 3)
    tap(page, "told")
    expect(page.locator('[data-key="han-2"]')).to_be_visible()
    expect(page.locator('[data-key="han-1"]')).to_have_count(0)


@pytest.mark.parametrize("rules", ["ema2008", "tenhou"])  # where the deal may pass on, and where it stays
def test_after_four_riichi_four_bets_lie_on_the_table(evening: Page, rules: str) -> None:
    """EMA 2008 §3.4.3: all four have declared riichi, and show that they are tenpai."""
    page = evening
    start(page, rules=rules)
    tap(page, "seat-2")  # nobody tapped the others
    tap(page, "more")
    tap(page, "abort-four_riichi")
    is_good(page)
    tap(page, "book-it")
    booked(page, 1)
    game = agrees(page)
    assert game.turns[0].changes == (-1000,) * 4 and game.game.sticks == 4
    assert (game.game.deal, game.game.honba) == (0, 1)
