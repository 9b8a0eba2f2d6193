"""Makes the picture of the review page: ``python -m docs.review_picture``.

Needs the extra ``test`` and Debian's Chromium. What is reviewed is the bundled sample: whole, turned, small,
and in part.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from docs.page_pictures import DESKTOP, save, shot
from tehai.hand.sample import sample_path
from tehai.label.run import label
from tests.end_to_end.looks import Theme
from tests.end_to_end.page import launch, open_page
from tests.end_to_end.test_review import serving
from vision.reader import Engine, Reader


def main() -> None:
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        folder = Path(place)
        photographed(folder)
        label(folder, None, 1, print)
        browser = launch(playwright)
        with serving(folder, Reader(Engine())) as url:
            day = list(screens(browser, url, "light"))
            night = list(screens(browser, url, "dark"))
        browser.close()
    save("review", [[day[0], day[1]], [night[2], night[3]]], 560)


def photographed(folder: Path) -> None:
    """Photos made of the sample, more and less hard to read."""
    with Image.open(sample_path()) as sample:
        photos = {
            "evening/1.jpg": sample,
            "evening/2.jpg": sample.rotate(180),
            "far/1.jpg": sample.resize((480, 360)),
            "far/2.jpg": sample.crop((350, 200, 1150, 800)).resize((400, 300)),
        }
        for path, photo in photos.items():
            (folder / path).parent.mkdir(exist_ok=True)
            photo.convert("RGB").save(folder / path, quality=90)


def screens(browser: Browser, url: str, theme: Theme) -> Iterator[Image.Image]:
    """The queue, a photo, the crops of a face with two marked, the keys."""
    context = browser.new_context(**DESKTOP, color_scheme=theme, locale="en-GB", reduced_motion="reduce")
    page = open_page(context, url)
    yield shot(page)
    press(page, "Enter")
    page.wait_for_selector("#photo:visible")
    yield shot(page)
    page.goto(f"{url}#/faces/4m")
    page.wait_for_selector(".card-crop")
    press(page, "Space", "ArrowRight", "Space", "3", "m", "ArrowRight", "Space")
    yield shot(page)
    press(page, "u", "?")
    yield shot(page)
    context.close()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


if __name__ == "__main__":
    main()
