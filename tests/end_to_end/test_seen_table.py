"""A photo of a table: the page says what the rivers answered, and all of it can be corrected."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from tehai.web.app import make_app
from tehai.web.worker_pool import WorkerPool
from tests.end_to_end.looks import OUTSIDE, SMALL, faults
from tests.end_to_end.page import open_page, tap, upload
from tests.tehai.hand.test_table_facts import beside
from tests.tehai.web.conftest import served
from tests.tehai.web.fakes import FakeReader, jpeg
from tests.tehai.web.test_seen_table import WAITING, two_rivers, with_a_pon

NEXT = """async () => {
    const { fresh } = await import("./app/actions.js");
    await fresh({ screen: "take" });
}"""
"""Another hand, of which nothing is known."""


def what_the_rivers_answer(page: Page) -> None:
    expect(page.locator(".seen-table li").first).to_contain_text("Riichi: Seen in the photo")
    expect(page.locator('.question[data-field="riichi"]')).to_have_count(0)
    assert faults(page, {}) == [] and page.evaluate(SMALL) == [] and page.evaluate(OUTSIDE) == []
    tap(page, "seen-riichi")
    expect(page.locator('.question[data-field="riichi"]')).to_be_visible()
    facts = page.locator(".seen-table li")
    expect(facts).to_have_count(1)
    expect(facts).to_contain_text("No win on the first turn or on the last tile")
    tap(page, "seen-tenhou")  # and with it all that the sentence tells
    expect(facts).to_have_count(0)


def the_rivers_are_drawn_and_corrected(page: Page) -> None:
    rivers = page.locator(".rivers")
    expect(rivers.locator(".turned")).to_have_attribute("data-key", "river-left-1")
    expect(rivers.locator('[data-key^="river-near-"]')).to_have_count(2)
    expect(page.locator("#unfinished .risk").first).to_be_visible()
    expect(page.locator('[data-key="way"]')).to_be_disabled()
    assert faults(page, {}) == [] and page.evaluate(SMALL) == [] and page.evaluate(OUTSIDE) == []
    tap(page, "river-left-1")
    expect(rivers.locator(".turned")).to_have_count(0)
    rivers.locator('[data-key="key-3z"]').tap()
    expect(rivers.locator(".turned img")).to_have_attribute("src", "tiles/3z.svg")


def beside_what_a_hand_waits_for_too(page: Page) -> None:
    tap(page, "close")  # which tile won is asked first
    expect(page.locator("#unfinished")).to_contain_text("Tenpai")
    expect(page.locator("#unfinished")).to_contain_text("the rivers above. All other tiles in the photo")
    expect(page.locator("#unfinished li")).to_contain_text("1 tile")  # the 3s lie in that set
    tap(page, "river-left-1")
    expect(page.locator('.rivers [data-key^="river-left-"]')).to_have_count(2)


def one_sign_alone_is_told_beside_its_question(page: Page) -> None:
    question = page.locator(".seen-table").get_by_text("was it riichi?")
    expect(question).to_be_visible()
    tap(page, "riichi-no")
    expect(question).to_have_count(0)


def test_the_page_tells_what_the_rivers_answer(phone: BrowserContext, tmp_path: Path) -> None:
    photo = tmp_path / "table.jpg"
    photo.write_bytes(jpeg(2000, 200))
    seen = (
        (beside("1z", "9m", "2z", riichi=1, turned=0.8, stick=True), what_the_rivers_answer),
        (two_rivers(), the_rivers_are_drawn_and_corrected),
        (with_a_pon(two_rivers(WAITING), "3s"), beside_what_a_hand_waits_for_too),
        (
            beside("1z", "9m", "2z", riichi=1, turned=0.8),
            one_sign_alone_is_told_beside_its_question,
        ),
    )
    reader = FakeReader([])
    with WorkerPool(reader) as pool, served(make_app(pool)) as port:
        page = open_page(phone, f"http://127.0.0.1:{port}")
        for reading, part in seen:
            reader.readings = [reading]
            page.evaluate(NEXT)
            upload(page, photo)
            part(page)
