"""The lesson and the advice on the page, on a small phone in both languages: axe-core finds nothing, words
are explained by a touch, no table is pushed aside."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.end_to_end.looks import faults
from tests.end_to_end.page import PHONE, Server, answer, open_page, tap
from tests.end_to_end.test_typed import typed

PICTURES = os.environ.get("LESSON_PICTURES")
"""A folder for screenshots, to be looked at; none are taken without."""


def phone_of(browser: Browser, language: str, theme: str) -> BrowserContext:
    settings: dict[str, Any] = {**PHONE, "locale": language, "color_scheme": theme}
    return browser.new_context(**settings, reduced_motion="reduce")


def pushed(page: Page) -> list[str]:
    """The tables of which a part is out of sight."""
    script = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"
    found: list[str] = page.locator(".lesson .scroll").evaluate_all(script)
    return found


def seen(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


@pytest.mark.parametrize(
    ("language", "theme", "tiles"),
    [("en-GB", "light", "123m456p78s112257z"), ("ja-JP", "dark", "56789m234p44s777z")],
)
def test_the_lesson_of_an_advice_and_of_a_score(
    browser: Browser, server: Server, language: str, theme: str, tiles: str
) -> None:
    context = phone_of(browser, language, theme)
    page = open_page(context, server.url)
    typed(page, tiles)
    an_advice(page, {"en-GB": "Counted as seen", "ja-JP": "見えている牌"}[language])
    seen(page, f"advice-whole-{tiles}-{language}")
    fits(page)
    tap(page, "step-take")
    typed(page, "123m456p789s34s55z", "2s")
    answer(page, "dealer-no", "tsumo-tsumo", "special-none", "riichi-no", "dora_indicators-none")
    a_score(page)
    seen(page, f"score-{language}")
    fits(page)
    context.close()


def an_advice(page: Page, counted: str) -> None:
    """Its lesson, a word of it explained."""
    advice = page.locator("#unfinished")
    expect(advice.locator("h2")).to_be_visible()
    expect(advice).to_contain_text(counted)
    advice.locator(".all > summary").tap()
    expect(advice.locator(".step.of-next")).to_be_visible()
    word = advice.locator("details.word").first
    word.locator("summary").tap()
    expect(word.locator("span")).to_be_visible()


def a_score(page: Page) -> None:
    """Its lesson, words of it explained, and the table that is looked into."""
    page.locator("#why > summary").tap()
    lesson = page.locator("#lesson")
    expect(lesson.locator(".step.of-next")).to_be_visible()
    expect(lesson.locator(".step.of-fu")).to_contain_text("0")
    for word in lesson.locator("details.word > summary").all()[:3]:
        word.tap()
    expect(lesson.locator("details.word span").first).to_be_visible()
    lesson.locator(".glossary > summary").tap()
    worth = lesson.locator(".of-lookup .line > strong").first.bounding_box()
    assert worth is not None and worth["x"] > PHONE["viewport"]["width"] / 2  # beside its sentence


def fits(page: Page) -> None:
    assert not pushed(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    assert not faults(page, {})
