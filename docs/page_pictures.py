"""Makes the pictures of the page, every screen on phone and desktop, by day and by night:
``python -m docs.page_pictures``.

Needs the extra ``test`` and Debian's Chromium. A screen is what ``tehai serve`` shows of the bundled sample.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tehai.sample import sample_path
from tests.end_to_end import evening as table
from tests.end_to_end.page import PHONE, Server, film, launch, open_home, open_page

DOCS = Path(__file__).resolve().parent
DESKTOP: dict[str, Any] = {"viewport": {"width": 1120, "height": 760}, "service_workers": "block"}
Theme = Literal["light", "dark"]
GAP = 24
GREY = (122, 128, 125)
COLOURS = 160
"""Of a sheet's palette, so that its file stays small."""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder)).start()
        browser = launch(playwright, film(Path(folder)))
        try:
            phone = [list(screens(browser, server, PHONE, theme)) for theme in get_args(Theme)]
            desktop = [list(screens(browser, server, DESKTOP, theme)) for theme in get_args(Theme)]
            japanese = list(screens(browser, server, PHONE, "light", "ja-JP"))
            played = [list(evening(browser, server, theme)) for theme in get_args(Theme)]
            learnt = [
                list(learning(browser, server, theme, language))
                for theme, language in zip(get_args(Theme), ("en-GB", "ja-JP"), strict=True)
            ]
        finally:
            browser.close()
            server.stop()
    save("page_phone", phone, 250)
    save(
        "page_desktop",
        [
            [day, night]
            for day, night in zip(*([row[at] for at in (0, 3, 4, 5)] for row in desktop), strict=True)
        ],
        560,
    )
    save("page_japanese", [japanese], 250)
    save("page_evening", played, 250)
    save("page_learn", learnt, 250)


def screens(
    browser: Browser, server: Server, device: dict[str, Any], theme: Theme, language: str = "en-GB"
) -> Iterator[Image.Image]:
    """Take, live view, check, a correction, answer, score, the reasons, the evening."""
    context = browser.new_context(
        **device, color_scheme=theme, locale=language, permissions=["camera"], reduced_motion="reduce"
    )
    page = open_page(context, server.url)
    page.click("#automatic")
    page.wait_for_selector("#found.whole")
    yield shot(page)
    page.click("#camera-stop")
    yield shot(page)
    page.set_input_files("#from-files", sample_path())
    page.wait_for_selector("#check:visible .held")
    yield shot(page)
    page.click(".held >> nth=3")
    yield shot(page)
    page.click('[data-key="close"]')
    page.locator("#questions").scroll_into_view_if_needed()
    yield shot(page)
    page.click('[data-key="dealer-no"]')
    page.click('[data-key="tsumo-ron"]')
    page.wait_for_selector("#questions .question", state="detached")
    page.click('[data-key="way"]')
    page.wait_for_selector("#reasons li")
    yield shot(page)
    page.click("#why > summary")
    yield shot(page)
    page.click("#open-history")
    yield shot(page)
    context.close()


def evening(browser: Browser, server: Server, theme: Theme) -> Iterator[Image.Image]:
    """A new game, the table, a draw, who won, the score of a hand, the table after it, the book."""
    context = browser.new_context(**PHONE, color_scheme=theme, locale="en-GB", reduced_motion="reduce")
    page = open_home(context, server.url)
    page.click('[data-key="new"]')
    for at, name in enumerate(table.NAMES):
        page.fill(f"#name-{at}", name)
    yield shot(page)
    page.keyboard.press("Escape")
    table.start(page)
    page.click('[data-key="seat-1"]')
    yield shot(page)
    page.click('[data-key="draw"]')
    yield shot(page)
    page.keyboard.press("Escape")
    table.draw(page, 0)
    table.booked(page, 1)
    page.click('[data-key="won"]')
    page.click('[data-key="seat-2"]')
    yield shot(page)
    page.click('[data-key="seat-3"]')
    page.set_input_files("#from-files", sample_path())
    page.wait_for_selector("#check:visible .held")
    page.click('[data-key="step-score"]')
    page.wait_for_selector("#reasons li")
    yield shot(page)
    page.click('[data-key="way"]')
    table.booked(page, 2)
    yield shot(page)
    page.click('[data-key="book"]')
    page.wait_for_selector(".entry-hand > img[src]")
    yield shot(page)
    page.evaluate("document.querySelector('.booked-hands').scrollIntoView()")
    yield shot(page)
    context.close()


def learning(browser: Browser, server: Server, theme: Theme, language: str) -> Iterator[Image.Image]:
    """What there is, a short lesson, a question, a wrong answer taken apart, a question about safe tiles."""
    context = browser.new_context(**PHONE, color_scheme=theme, locale=language, reduced_motion="reduce")
    page = open_home(context, server.url)
    page.click('[data-key="learn"]')
    page.wait_for_selector(".learn-list")
    yield shot(page)
    page.click('[data-key="lesson-blocks"]')
    page.wait_for_selector(".learn-page")
    yield shot(page)
    page.click('[data-key="way"]')
    page.wait_for_selector(".question-now")
    for key in page.locator(".key").all()[2:5]:
        key.click()
    yield shot(page)
    page.click('[data-key="way"]')
    page.wait_for_selector(".verdict")
    yield shot(page)
    page.click('[data-key="learn-back"]')
    page.click('[data-key="level-safe"]')
    page.wait_for_selector(".learn-title")
    page.click('[data-key="way"]')
    page.wait_for_selector(".question-now")
    yield shot(page)
    context.close()


def shot(page: Page) -> Image.Image:
    page.wait_for_timeout(700)
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def save(name: str, rows: list[list[Image.Image]], width: int) -> None:
    """The screens on one sheet, each so many pixels wide."""
    height = round(width * rows[0][0].height / rows[0][0].width)
    columns = max(map(len, rows))
    sheet = Image.new("RGB", (GAP + columns * (width + GAP), GAP + len(rows) * (height + GAP)), GREY)
    for down, row in enumerate(rows):
        for across, screen in enumerate(row):
            small = screen.resize((width, height), Image.Resampling.LANCZOS)
            sheet.paste(small, (GAP + across * (width + GAP), GAP + down * (height + GAP)))
    palette = sheet.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    palette.save(DOCS / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
