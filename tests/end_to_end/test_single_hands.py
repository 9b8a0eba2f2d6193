"""Single hands: a photo of another hand is one, a photo that waits is seen to wait, backs are no errors."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, expect

from tehai.hand.sample import sample_path
from tests.end_to_end.looks import is_good
from tests.end_to_end.page import Server, give, open_page, tap, to_score, upload

OUTLINED = """
window.outlined = new Set();
const begin = Path2D.prototype.moveTo;
Path2D.prototype.moveTo = function (x, y) {
    this.at = `${Math.round(x)},${Math.round(y)}`;
    begin.call(this, x, y);
};
const stroke = CanvasRenderingContext2D.prototype.stroke;
CanvasRenderingContext2D.prototype.stroke = function (line) {
    if (line?.at) window.outlined.add(line.at);
    stroke.call(this, line);
};
"""
"""Where outlines begin that were drawn over the photo."""

LOOSE = """async () => {
    const { app } = await import("./app/state.js");
    const { scale } = app.photos[0];
    const at = ({ quad: [[x, y]] }) => `${Math.round(x * scale)},${Math.round(y * scale)}`;
    const loose = app.state.reading.tiles.filter(({ role }) => role === "other");
    const drawn = (one) => window.outlined.has(at(one));
    const backs = loose.filter(({ label }) => label === "back");
    return [backs.length, backs.filter(drawn).length, loose.filter(drawn).length];
}"""


ANOTHER = """async () => {
    const { app, change } = await import("./app/state.js");
    app.shots = [app.shots[0], app.shots[0]];
    change({ shots: 2, reading: { ...app.state.reading, unlike: [1] } });
}"""
"""As the server answers to a second photo that shows another hand."""


def test_backs_another_hand_and_a_photo_that_waits(phone: BrowserContext, server: Server) -> None:
    phone.add_init_script(OUTLINED)
    page = open_page(phone, server.url)
    upload(page)
    backs_are_not_outlined(page)
    another_hand_is_scored_by_itself(page)
    a_photo_is_seen_to_wait(page)


def backs_are_not_outlined(page: Page) -> None:
    """Those of the wall, where the whole photo is shown."""
    tap(page, "whole")
    expect(page.locator('[data-key="whole"]')).to_have_attribute("aria-pressed", "true")
    backs, outlined, loose = page.evaluate(LOOSE)
    assert backs > 0 and not outlined and loose > 0


def another_hand_is_scored_by_itself(page: Page) -> None:
    page.evaluate(ANOTHER)
    expect(page.locator("#unlike")).to_contain_text("Photo 2 shows another hand")
    is_good(page)
    tap(page, "another-hand-1")
    expect(page.locator("#unlike")).to_be_hidden()
    expect(page.locator("#check")).to_be_visible()
    to_score(page)
    page.locator("#go-home").tap()
    page.locator("#open-history").tap()
    expect(page.locator("#history-list .past")).to_have_count(2)  # the first one is not lost
    page.locator("#history .tool").first.tap()


def a_photo_is_seen_to_wait(page: Page) -> None:
    """While the server does not answer; then it is read by itself."""
    tap(page, "one")
    page.route("**/api/**", lambda route: route.abort())
    give(page, sample_path())
    waiting = page.locator("#waiting")
    expect(waiting).to_contain_text("Your photo waits")
    expect(waiting.locator("img")).to_be_visible()
    is_good(page)
    page.unroute("**/api/**")
    expect(page.locator("#check")).to_be_visible()
