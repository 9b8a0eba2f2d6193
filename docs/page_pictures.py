"""Makes the pictures of the page, every screen on phone and desktop, by day and by night:
``python -m docs.page_pictures``.

Needs the extra ``test`` and Debian's Chromium. A screen is what ``tehai serve`` shows of the bundled sample.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tehai.hand.sample import sample_path
from tests.end_to_end import evening as table
from tests.end_to_end.looks import Theme
from tests.end_to_end.page import PHONE, Server, film, launch, open_home
from tests.end_to_end.tour import tour

DOCS = Path(__file__).resolve().parent
DESKTOP: dict[str, Any] = {"viewport": {"width": 1120, "height": 760}, "service_workers": "block"}
SIDEWAYS: dict[str, Any] = {**PHONE, "viewport": {"width": 740, "height": 360}}
GAP = 24
GREY = (122, 128, 125)
COLOURS = 160
"""Of a sheet's palette, so that its file stays small."""


Shots = Callable[[Page], Iterator[Image.Image]]
"""From a page as it opens, the pictures of one way through it."""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder)).start()
        browser = launch(playwright, film(Path(folder)))

        def taken(shots: Shots, device: dict[str, Any], theme: Theme, **more: Any) -> list[Image.Image]:
            options = {"locale": "en-GB", "reduced_motion": "reduce", "color_scheme": theme, **more}
            with browser.new_context(**device, **options) as context:
                return list(shots(open_home(context, server.url)))

        def both(shots: Shots, device: dict[str, Any], **more: Any) -> list[list[Image.Image]]:
            return [taken(shots, device, theme, **more) for theme in get_args(Theme)]

        camera = {"permissions": ["camera"]}
        try:
            save("page_phone", both(screens, PHONE, **camera), 250)
            day, night = both(screens, DESKTOP, **camera)
            save("page_desktop", [[day[at], night[at]] for at in (0, 3, 4, 5)], 560)
            save("page_japanese", [taken(screens, PHONE, "light", locale="ja-JP", **camera)], 250)
            save("page_evening", both(evening, PHONE), 250)
            around = [taken(toured, PHONE, "light"), taken(toured, PHONE, "dark", locale="ja-JP")]
            save("page_around", around, 250)
            save("page_sideways", both(sideways, SIDEWAYS), 440)
            learnt = [taken(learning, PHONE, "light"), taken(learning, PHONE, "dark", locale="ja-JP")]
            save("page_learn", learnt, 250)
        finally:
            browser.close()
            server.stop()


def screens(page: Page) -> Iterator[Image.Image]:
    """Take, live view, check, a correction, answer, score, the reasons, the evening."""
    page.click('[data-key="one"]')
    page.click("#automatic")
    page.wait_for_selector("#found.whole")
    yield shot(page)
    page.click("#camera-stop")
    yield shot(page)
    read(page)
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


def read(page: Page) -> None:
    """The sample photo, on Check."""
    page.set_input_files("#from-files", sample_path())
    page.wait_for_selector("#check:visible .held")


def evening(page: Page) -> Iterator[Image.Image]:
    """A new game, the table, a draw, who won, the score of a hand, the table after it, the book, what is
    noted while the server does not answer."""
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
    read(page)
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
    page.click("#go-home")
    page.route("**/api/**", lambda route: route.abort())
    table.draw(page, 0)
    page.wait_for_selector(".noted")
    page.evaluate("document.querySelector('.noted').scrollIntoView({block: 'center'})")
    yield shot(page)


def toured(page: Page) -> Iterator[Image.Image]:
    """What lies around the hands of an evening."""
    for _ in tour(page):
        yield shot(page)


def sideways(page: Page) -> Iterator[Image.Image]:
    """The table after a hand, who won, and the tiles of a hand, on a phone that is held sideways."""
    table.start(page)
    page.click('[data-key="seat-1"]')
    table.draw(page, 0)
    table.booked(page, 1)
    page.click('[data-key="seat-2"]')
    yield shot(page)
    page.click('[data-key="won"]')
    page.click('[data-key="seat-3"]')
    yield shot(page)
    page.click('[data-key="seat-2"]')
    read(page)
    page.click(".held >> nth=3")
    yield shot(page)


def learning(page: Page) -> Iterator[Image.Image]:
    """What there is, a short lesson, a question, a wrong answer taken apart, a question about safe tiles."""
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
