"""Makes the picture of the big screen: ``python -m docs.big_screen_picture``.

Needs the extra ``test`` and Debian's Chromium. A short game is followed, and ended.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import httpx
from PIL import Image
from playwright.sync_api import Browser, expect, sync_playwright

from docs.page_pictures import save, shot
from tests.end_to_end.looks import Theme
from tests.end_to_end.page import Server, launch
from tests.end_to_end.test_big_screen import begin, book
from tests.scorer.short_games import DRAW, RON, start, win

SCREEN = {"width": 1280, "height": 720}
HANDS = (DRAW, win(RON), {"event": "draw", "tenpai": ["W"], "declared": ["W"]})


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder), "--games", folder).start()
        browser = launch(playwright)
        with httpx.Client(base_url=server.url) as phone:
            game = begin(phone, start(), *HANDS)
            english = shown(browser, server, "light", "en-GB", "East 3-1")
            book(phone, game, {"event": "end"})
            japanese = shown(browser, server, "dark", "ja-JP", "対局終了")
        browser.close()
        server.stop()
    save("big_screen", [[english, japanese]], 640)


def shown(browser: Browser, server: Server, theme: Theme, language: str, hand: str) -> Image.Image:
    """The screen once it shows that hand."""
    context = browser.new_context(viewport=SCREEN, color_scheme=theme, locale=language)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{server.url}table")
    expect(page.locator("#hand")).to_have_text(hand)
    picture = shot(page)
    context.close()
    return picture


if __name__ == "__main__":
    main()
