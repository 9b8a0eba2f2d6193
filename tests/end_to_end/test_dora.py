"""Dora indicators, told at the table when they are turned: each win of the hand and every phone know them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

from tehai.hand.sample import sample_path
from tests.end_to_end.evening import HOUSE, agrees, anew, booked, draw, kept, lay, start, taps, won
from tests.end_to_end.hanchan import to_book
from tests.end_to_end.looks import is_good
from tests.end_to_end.page import Held, Server, open_home, tap, upload


@pytest.fixture
def evening(phone: BrowserContext, server: Server) -> Iterator[Page]:
    yield open_home(phone, server.url)


def turn(page: Page, *labels: str) -> None:
    taps(page, "dora")
    expect(page.locator("#act")).to_be_visible()
    turned = page.locator('[data-key^="turned-"]')
    before = turned.count()
    taps(page, *(f"key-{label}" for label in labels))  # faster than the page stores them
    expect(turned).to_have_count(before + len(labels))
    taps(page, "dora-done")


def a_win_knows_the_indicators_of_the_table(page: Page) -> None:
    anew(page)
    turn(page, "1z")
    turn(page, "1m")  # a kong: 2m is dora
    expect(page.locator('[data-key="dora"] .tile')).to_have_count(2)
    page.reload()  # they are not lost
    page.wait_for_selector("body[data-ready]")
    expect(page.locator('[data-key="dora"] .tile')).to_have_count(2)
    won(page, 2, 3)
    lay(page)
    expect(page.locator('#questions [data-field="dora_indicators"]')).to_have_count(0)
    expect(page.locator('[data-group="dora"] .held')).to_have_count(2)
    to_book(page)
    booked(page, 1)
    turn_ = agrees(page).turns[-1]
    assert turn_.settled is not None
    (winner,) = turn_.settled.winners
    assert winner.score.han == 3  # pinfu, tanyao, dora
    expect(page.locator('[data-key="dora"] .tile')).to_have_count(0)  # of that hand


def those_turned_while_a_win_is_entered_count_for_both_winners(page: Page) -> None:
    anew(page, rules=HOUSE)
    turn(page, "1z")
    taps(page, "won", "seat-2", "another", "seat-1", "seat-0")
    for turned in ("9s", "1m"):  # 2m is dora
        lay(page)
        page.locator("#go-home").tap()
        turn(page, turned)
        taps(page, "go-on")
        expect(page.locator('[data-key="way"]')).to_be_enabled()
        taps(page, "way")
    booked(page, 1)
    settled = agrees(page).turns[-1].settled
    assert settled is not None and [winner.score.han for winner in settled.winners] == [3, 3]


def a_tile_of_them_is_corrected_with_the_hand_and_counts(page: Page) -> None:
    anew(page)
    turn(page, "1m")
    won(page, 2, 3)
    lay(page)
    page.locator('[data-group="dora"] .held').tap()
    tap(page, "delete")
    tap(page, "dora_indicators-none")  # asked again, as nobody knows them now
    to_book(page)
    booked(page, 1)
    settled = agrees(page).turns[-1].settled
    assert settled is not None and settled.winners[0].score.han == 2


def a_wrong_tile_is_taken_away_and_a_photo_has_them_too(page: Page, folder: Path) -> None:
    anew(page)
    turn(page, "9p")
    tap(page, "dora")
    is_good(page)
    tap(page, "turned-0")
    expect(page.locator("#act .picked")).to_have_count(0)
    Image.new("RGB", (800, 600), (40, 90, 60)).save(folder / "felt.jpg")
    page.set_input_files("#dora-photo", folder / "felt.jpg")
    expect(page.locator("#act [role=status]")).to_contain_text("No indicator was found")
    sample = Image.open(sample_path())
    tiles = page.evaluate(
        """async (bytes) => {
            const api = await import("./app/api.js");
            const photo = new Blob([new Uint8Array(bytes)], { type: "image/jpeg" });
            const { tiles } = await api.find(photo, { table: "yes" });
            return tiles.map(({ label, quad, role }) => [label, quad, role]);
        }""",
        list(sample_path().read_bytes()),
    )
    label, quad, _ = next(one for one in tiles if one[2] == "dora")
    xs, ys = zip(*quad, strict=True)
    room = max(xs) - min(xs)
    box = (int(min(xs) - room), int(min(ys) - room), int(max(xs) + room), int(max(ys) + room))
    sample.convert("RGB").crop(box).resize((1000, 1000)).save(folder / "wall.jpg")
    page.set_input_files("#dora-photo", folder / "wall.jpg")
    expect(page.locator("#act [role=status]")).to_contain_text("Check them")
    tap(page, "dora-done")
    expect(page.locator(f'[data-key="dora"] .tile img[src="tiles/{label}.svg"]')).to_have_count(1)


def a_photo_that_is_read_too_late_is_none_of_the_next_hand(page: Page) -> None:
    anew(page)
    held = Held(page, "**/api/find")
    tap(page, "dora")
    page.set_input_files("#dora-photo", sample_path())
    held.came()
    tap(page, "dora-done")
    draw(page)
    booked(page, 1)
    with page.expect_response("**/api/find"):
        held.let_go()
    expect(page.locator("#notice")).to_be_hidden()
    expect(page.locator('[data-key="dora"] .tile')).to_have_count(0)


def a_photographed_win_counts_those_of_the_table(page: Page) -> None:
    anew(page)
    turn(page, "1z", "2z")
    won(page, 2, 3)
    upload(page)
    expect(page.locator('[data-group="dora"] .held')).to_have_count(2)
    to_book(page)
    booked(page, 1)
    record = kept(page)
    assert record.turns[-1].changes[2] > 0


def test_an_earlier_hand_that_is_taken_back_brings_no_indicators_of_another(evening: Page) -> None:
    anew(evening)
    draw(evening, 0)
    booked(evening, 1)
    turn(evening, "1m")
    draw(evening, 0)
    booked(evening, 2)
    taps(evening, "book", "take-back-1")
    expect(evening.locator(".booked-hands > li")).to_have_count(1)
    evening.locator("#go-home").tap()
    booked(evening, 1)
    expect(evening.locator('[data-key="dora"] .tile')).to_have_count(0)


def test_indicators_are_turned_on_the_table(evening: Page, tmp_path: Path) -> None:
    a_win_knows_the_indicators_of_the_table(evening)
    those_turned_while_a_win_is_entered_count_for_both_winners(evening)
    a_tile_of_them_is_corrected_with_the_hand_and_counts(evening)
    a_wrong_tile_is_taken_away_and_a_photo_has_them_too(evening, tmp_path)
    a_photo_that_is_read_too_late_is_none_of_the_next_hand(evening)
    a_photographed_win_counts_those_of_the_table(evening)


def test_every_phone_and_the_big_screen_show_them(
    phone: BrowserContext, other_phone: BrowserContext, desktop: BrowserContext, sharing: Server
) -> None:
    page, other, screen = (
        open_home(phone, sharing.url),
        open_home(other_phone, sharing.url),
        desktop.new_page(),
    )
    start(page)
    taps(page, "share-here")
    expect(page.locator("#shared-standing")).to_be_visible()
    other.bring_to_front()
    other.locator('[data-key^="join-"]').tap()
    expect(other.locator(".seat")).to_have_count(4)
    screen.goto(sharing.url)
    screen.goto(f"{sharing.url.split('#')[0].split('?')[0].rstrip('/')}/table/")
    turn(page, "3p")
    expect(other.locator('[data-key="dora"] .tile img[src="tiles/3p.svg"]')).to_have_count(1)
    expect(screen.locator('#dora img[src="../tiles/3p.svg"]')).to_be_visible()
    turn(other, "9s")
    expect(page.locator('[data-key="dora"] .tile')).to_have_count(2)
    page.bring_to_front()
    draw(page, 0)
    booked(page, 1)
    other.bring_to_front()
    expect(other.locator('[data-key="dora"] .tile')).to_have_count(0)
    expect(screen.locator("#dora")).to_be_hidden()
