"""What every screen of the page is looked at by."""

from __future__ import annotations

from typing import Any, Literal, get_args

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

Theme = Literal["light", "dark"]

SMALL = """() => [...document.querySelectorAll("button, select, input, summary, a[href], .upload, .option")]
    .filter((one) => one.checkVisibility({visibilityProperty: true, opacityProperty: true}))
    .filter((one) => !one.closest(".visually-hidden") && !one.matches(".visually-hidden, .option input"))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.width < 43.9 || box.height < 43.9))
    .map(([one]) => one.outerHTML.slice(0, 120))"""
"""What is to be touched and is smaller than 44 pixels."""

OUTSIDE = """() => [...document.querySelectorAll("body *")]
    .filter((one) => one.checkVisibility({visibilityProperty: true}) && !one.closest(".visually-hidden"))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.left < -0.5 || box.right > innerWidth + 0.5))
    .map(([one]) => one.outerHTML.slice(0, 120))"""
"""What lies beside the screen. The document is no wider for it where a phone is held upright."""


LOOK = "async (options) => (await axe.run(options)).violations"

COLOURS = {"runOnly": ["color-contrast"]}
"""Rules of axe-core for what differs by day and by night."""


def violations(page: Page, rules: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """What axe-core finds on the page as it is. It writes up nothing else: a list of all that passed takes as
    long as to look."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options = {**(rules or {}), "resultTypes": ["violations"]}
    found: list[dict[str, Any]] = page.evaluate(LOOK, options)
    return found


def faults(page: Page, rules: dict[str, Any]) -> list[tuple[str, str]]:
    """What axe-core finds serious on the page as it is, and where."""
    serious = [fault for fault in violations(page, rules) if fault["impact"] in ("serious", "critical")]
    return [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in serious]


def is_good(page: Page) -> None:
    """Axe finds nothing on what is shown, by day and by night; all targets can be hit; nothing sticks out."""
    for theme in get_args(Theme):
        page.emulate_media(color_scheme=theme)
        found = violations(page, COLOURS if theme == "dark" else {})
        assert not [(one["id"], one["nodes"][0]["html"][:200]) for one in found]
    assert not page.evaluate(SMALL)
    assert not page.evaluate(OUTSIDE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


SPEAK = """async (language) => {
    const { reask } = await import("./app/actions.js");
    const { app, show } = await import("./app/state.js");
    const { speak } = await import("./shared/text.js");
    await speak(language, "questions.");
    show();
    if (app.state.hand) await reask();
}"""


def speak(page: Page, language: str) -> None:
    """What the page shows is in this language from now on, without the way through its settings."""
    page.evaluate(SPEAK, language)
