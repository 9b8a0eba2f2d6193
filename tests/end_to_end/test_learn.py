"""Lessons and drills on the page: a short lesson and its drill by thumb, what is known kept over a reload."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tehai.learn.knowledge import of_record
from tehai.learn.progress import export, take_in
from tests.end_to_end.looks import COLOURS, faults
from tests.end_to_end.page import LISTED_HAND, PATIENCE, PHONE, Held, Server, open_home, open_page, tap
from tests.end_to_end.test_typed import typed

LEAST = 44
"""Pixels that a thumb needs."""

SMALL = """least => [...document.querySelectorAll("#learn button, #learn input, #learn .upload, #bar button")]
    .filter((one) => one.checkVisibility() && !one.disabled && !one.matches(".visually-hidden"))
    .map((one) => [one.dataset.key, one.getBoundingClientRect()])
    .filter(([, { width, height }]) => width < least || height < least)
    .map(([key]) => key)"""

KNOWN = """async (count) => {
    const { learnt } = await import("./app/store.js");
    const many = async () => Object.keys((await learnt.get())?.topics ?? {}).length;
    while ((await many()) !== count) await new Promise(requestAnimationFrame);
    return true;
}"""


MET = """async (count) => {
    const { learnt } = await import("./app/store.js");
    const topics = async () => Object.values((await learnt.get()).topics);
    const met = async () => (await topics()).reduce((all, one) => all + one.answers + one.unknown, 0);
    while ((await met()) !== count) await new Promise(requestAnimationFrame);
    return true;
}"""


def learning(context: BrowserContext, server: Server) -> Page:
    page = open_home(context, server.url)
    tap(page, "learn")
    expect(page.locator(".learn-list li")).to_have_count(46)
    return page


def known(page: Page, count: int) -> None:
    """Once so many topics are kept."""
    page.wait_for_function(KNOWN, arg=count)


def begun(page: Page, key: str) -> None:
    """A lesson or a level that was never met, its page read, to its first question."""
    tap(page, key)
    expect(page.locator(".learn-page")).to_be_visible()
    tap(page, "way")
    expect(page.locator(".question-now")).to_be_visible()


def test_a_short_lesson_and_drills_by_thumb(phone: BrowserContext, server: Server) -> None:
    page = learning(phone, server)
    a_lesson_its_drill_and_a_reload(page)
    a_wrong_answer_is_taken_apart(page)
    a_hand_is_cut_by_touching_its_tiles(page)


def a_lesson_its_drill_and_a_reload(page: Page) -> None:
    assert page.evaluate(SMALL, LEAST) == []
    tap(page, "lesson-tanyao")
    expect(page.locator(".learn-title")).to_have_text("All simples")
    expect(page.locator(".learn-page .row .tile").first).to_be_visible()
    tap(page, "way")
    expect(page.locator(".question-now")).to_contain_text("Which yaku does this hand have?")
    assert page.evaluate(SMALL, LEAST) == []
    tap(page, "pick-0-tanyao")
    expect(page.locator('[data-key="pick-0-tanyao"]')).to_have_attribute("aria-pressed", "true")
    tap(page, "way")
    expect(page.locator(".verdict")).to_be_visible()
    expect(page.locator(".verdict")).to_have_class(re.compile("right|partly"))
    expect(page.locator(".why-so")).to_contain_text("All Simples")
    assert page.evaluate(SMALL, LEAST) == []
    known(page, 1)
    tap(page, "learn-back")
    expect(page.locator(".learn-list li")).to_have_count(46)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator(".learn-list li")).to_have_count(46)  # the same screen, and nothing forgotten
    known(page, 1)
    tap(page, "lesson-tanyao")
    tap(page, "way")
    tap(page, "unknown")
    expect(page.locator(".verdict")).to_have_class(re.compile("unknown"))
    known(page, 1)
    page.once("dialog", lambda dialog: dialog.accept())
    tap(page, "learn-back")
    tap(page, "learn-anew")
    known(page, 0)


def a_wrong_answer_is_taken_apart(page: Page) -> None:
    begun(page, "level-shanten")
    tap(page, "pick-0-6")  # no hand of a drill is as far away
    expect(page.locator(".verdict")).to_have_class(re.compile("wrong"))
    expect(page.locator(".apart")).to_contain_text("too many")
    expect(page.locator(".asked .row .tile").first).to_be_visible()  # what it was about
    expect(page.locator(".why-so")).not_to_be_visible()  # one line first, the rest when it is wanted
    tap(page, "why")
    expect(page.locator(".why-so")).to_contain_text("How far it is")
    expect(page.locator(".why-so")).to_be_visible()
    known(page, 1)
    tap(page, "way")  # the next one, without the page that was read
    expect(page.locator(".question-now")).to_be_visible()
    held = Held(page, "**/api/learn/answer")
    tap(page, "unknown")
    held.came()
    tap(page, "learn-back")
    expect(page.locator(".learn-list li")).to_have_count(46)
    held.let_go()
    page.wait_for_function(MET, arg=2)  # whoever leaves before the server answers has answered, too


def a_hand_is_cut_by_touching_its_tiles(page: Page) -> None:
    begun(page, "level-groups")
    keys = page.locator(".key-pad .key")
    count = keys.count()
    together = page.locator('[data-key="together-0"]')
    while left := keys.count():
        for at in range(min(3, left)):
            keys.nth(at).tap()
        expect(page.locator(".key[aria-pressed='true']")).to_have_count(min(3, left))
        together.tap()
        expect(keys).to_have_count(left - min(3, left))
    expect(page.locator(".put .tile")).to_have_count(count)
    tap(page, "way")
    expect(page.locator(".verdict")).to_be_visible()


def test_the_end_of_a_lesson_leads_to_the_drill_that_it_names(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    typed(page, "123m456p78s112257z")
    page.locator("#unfinished .all > summary").tap()
    tap(page, "drill-discard")
    expect(page.locator(".learn-page")).to_contain_text("Keep the hand as near as it is")
    tap(page, "way")
    expect(page.locator(".question-now")).to_contain_text("Which tile would you discard")
    page.go_back()
    expect(page.locator("#unfinished")).to_be_visible()


def test_exercises_are_made_of_hands_that_were_scored(phone: BrowserContext, server: Server) -> None:
    page = learning(phone, server)
    page.evaluate(LISTED_HAND)
    origin = page.locator("#learn-body > .hint").first
    for _ in range(40):  # about half of them are
        begun(page, "level-han")
        if "2026-02-27" in origin.inner_text():
            break
        tap(page, "learn-back")
        expect(page.locator(".learn-list li")).to_have_count(46)
    expect(origin).to_contain_text("From your own: 2026-02-27")
    tap(page, "learn-back")
    tap(page, "evening-0")  # five about the hands of the evening
    expect(page.locator(".question-now")).to_be_visible()
    assert faults(page, {}) == []
    for nth in range(5):
        expect(page.locator(".question-now")).to_be_visible()
        tap(page, "unknown")
        expect(page.locator(".step-done")).to_have_count(int(nth == 4))
        tap(page, "way")
    expect(page.locator(".learn-list li")).to_have_count(46)


def test_nothing_is_found_wanting_by_day_and_by_night(phone: BrowserContext, server: Server) -> None:
    page = learning(phone, server)
    assert faults(page, {}) == []
    for level in ("level-tiles", "level-safe", "level-score", "level-yaku"):
        begun(page, level)
        assert faults(page, {}) == [] and page.evaluate(SMALL, LEAST) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        tap(page, "unknown")
        expect(page.locator(".verdict")).to_be_visible()
        assert faults(page, {}) == []
        page.emulate_media(color_scheme="dark")
        assert faults(page, COLOURS) == []
        page.emulate_media(color_scheme="light")
        tap(page, "learn-back")
        expect(page.locator(".learn-list li")).to_have_count(46)


def test_the_course_goes_from_step_to_step_and_into_a_file(
    phone: BrowserContext, server: Server, tmp_path: Path
) -> None:
    page = learning(phone, server)
    news = page.locator("#progress-news")
    step_through(page, 2)
    with page.expect_download() as saved:
        tap(page, "learn-save")
    mine = tmp_path / "mine.json"
    saved.value.save_as(mine)
    topics = of_record(json.loads(mine.read_text(encoding="utf-8")))
    assert "course.tiles" in topics
    here = tmp_path / "learn.json"
    assert take_in(here, mine) == len(topics)  # as tehai learn --import does
    export(here, tmp_path / "theirs.json")

    def read(text: str | bytes) -> None:
        (tmp_path / "some.json").write_bytes(text if isinstance(text, bytes) else text.encode())
        page.set_input_files("#load-progress", tmp_path / "some.json")

    read((tmp_path / "theirs.json").read_bytes())
    expect(news).to_have_text("Nothing in this file is new here.")
    for stranger in (
        "no JSON",
        "[]",
        '{"topics": 5}',
        '{"version": 99, "topics": {}}',
        "\x00" * 9,
        "9" * 2_000_000,
    ):
        news.evaluate("(element) => (element.textContent = '')")
        read(stranger)
        expect(news).to_contain_text("This file has no progress of lessons")
        expect(page.locator("#notice")).to_be_hidden()
    known(page, len(topics))
    page.once("dialog", lambda dialog: dialog.accept())
    tap(page, "learn-anew")
    known(page, 0)
    expect(page.locator('[data-key^="step-"][data-learnt="yes"]')).to_have_count(0)
    read(mine.read_bytes())
    expect(news).to_have_text("Your progress now includes that of the file.")
    expect(page.locator('[data-key^="step-"][data-learnt="yes"]')).to_have_count(2)
    known(page, len(topics))
    assert faults(page, {}) == [] and page.evaluate(SMALL, LEAST) == []


def step_through(page: Page, steps: int) -> None:
    """So many steps of the course from the first screen, no exercise answered; no fault on the way."""
    tap(page, "learn-course")
    for number in range(1, steps + 1):
        expect(page.locator(".learn-title")).to_contain_text(f"step {number} of 12")
        for nth in range(5):
            tap(page, "way")
            expect(page.locator(".question-now")).to_be_visible()
            tap(page, "unknown")
            expect(page.locator(".verdict")).to_be_visible()
            expect(page.locator(".step-done")).to_have_count(int(nth == 4))
        tap(page, "way")
    expect(page.locator(".learn-title")).to_be_visible()
    tap(page, "learn-back")
    expect(page.locator('[data-key^="step-"][data-learnt="yes"]')).to_have_count(steps)


def test_the_course_in_japanese(browser: Browser, server: Server) -> None:
    context = browser.new_context(**PHONE, locale="ja-JP", color_scheme="dark")
    context.set_default_timeout(PATIENCE)
    page = learning(context, server)
    tap(page, "learn-course")
    expect(page.locator(".learn-title")).to_contain_text("1／12")
    assert faults(page, {}) == []
    tap(page, "way")
    expect(page.locator(".question-now")).to_be_visible()
    assert faults(page, {}) == [] and page.evaluate(SMALL, LEAST) == []
    tap(page, "unknown")
    expect(page.locator(".verdict")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()
