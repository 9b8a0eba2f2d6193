"""The page with a phone's own things: the screen that stays on, the torch, the camera that opens at once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.end_to_end.looks import faults
from tests.end_to_end.page import (
    Server,
    begin,
    open_page,
    tap,
    to_score,
    upload,
)

LOCKS = """
window.locks = 0;
Object.defineProperty(Navigator.prototype, "wakeLock", { configurable: true, value: {
    async request(kind) {
        if (kind !== "screen" || document.hidden) throw new DOMException("not now", "NotAllowedError");
        window.locks += 1;
        const lock = { released: false, release: async () => {
            window.locks -= !lock.released;
            lock.released = true;
        } };
        window.lock = lock;
        return lock;
    },
} });
"""
"""A wake lock that counts; browsers without a screen have none to keep on."""

TORCH = """
window.lit = [];
MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true });
MediaStreamTrack.prototype.applyConstraints = async function ({ advanced: [{ torch }] }) {
    if (window.broken) throw new DOMException("no light", "OverconstrainedError");
    window.lit.push(torch);
};
"""
"""A camera with a light."""


def locks(page: Page, number: int) -> None:
    """How many locks are held, as soon as what is going on has settled."""
    page.wait_for_function("number => window.locks === number", arg=number)
    page.wait_for_timeout(100)
    assert page.evaluate("window.locks") == number


def hide(page: Page, hidden: bool) -> None:
    """Another app comes to the front, or the page does again; a browser then releases the lock itself."""
    page.evaluate(
        """async (hidden) => {
            Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
            if (hidden) await window.lock?.release();
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


ASKED = "navigator.permissions.query = async () => ({ state: 'prompt' })"
"""A browser that would ask before it starts the camera, so that the page does not start it by itself."""


LATE = """
const called = new Promise((come) => { window.come = come; });
const devices = navigator.mediaDevices;  // a page that is not secure has none
const media = devices?.getUserMedia.bind(devices);
if (devices) devices.getUserMedia = (wanted) => called.then(() => media(wanted));
"""
"""A camera that gives its picture when it is called."""


def no_shutter(page: Page) -> None:
    """The live view sees nothing, so that it stays."""
    answer: dict[str, Any] = {
        "width": 960, "height": 720, "tiles": [], "hand": None, "message": "", "status": "incomplete",
        "waits": [], "advice": [{"id": "point", "text": ""}], "confidence": None, "doubts": [],
    }  # fmt: skip
    page.route("**/api/find", lambda route: route.fulfill(json=answer))


def viewed(phone: BrowserContext, server: Server, script: str) -> Page:
    """The page with a camera that has not started, and a live view that sees nothing."""
    phone.add_init_script(script + ASKED)
    page = phone.new_page()
    no_shutter(page)
    begin(page, server.url)
    return page


def test_the_screen_stays_on_while_a_hand_is_laid_out(phone: BrowserContext, server: Server) -> None:
    phone.add_init_script(LOCKS)
    page = open_page(phone, server.url)
    locks(page, 0)
    upload(page)
    locks(page, 1)
    page.locator(".held").nth(3).tap()
    tap(page, "red")
    locks(page, 1)
    hide(page, True)
    locks(page, 0)
    hide(page, False)
    locks(page, 1)
    to_score(page)
    locks(page, 0)
    page.go_back()
    locks(page, 1)


def test_the_screen_stays_on_while_the_camera_is_open(
    filming_phone: BrowserContext, secure_server: Server
) -> None:
    page = viewed(filming_phone, secure_server, LOCKS)
    locks(page, 0)
    page.locator("#camera-start").tap()
    locks(page, 1)
    page.locator("#camera-stop").tap()
    locks(page, 0)


def test_nothing_moves_under_the_finger_while_the_camera_starts(
    filming_phone: BrowserContext, secure_server: Server
) -> None:
    page = viewed(filming_phone, secure_server, LATE)
    page.locator("#camera-start").tap()
    before = page.locator("#camera-stop").bounding_box()
    page.evaluate("window.come()")
    expect(page.locator("#shutter")).to_be_enabled()
    assert page.locator("#camera-stop").bounding_box() == before


@pytest.mark.parametrize(
    "lock", ["undefined", "{ request: async () => { throw new DOMException('low battery') } }"]
)
def test_where_the_screen_cannot_be_kept_on_nothing_breaks(
    phone: BrowserContext, server: Server, lock: str
) -> None:
    phone.add_init_script(f"Object.defineProperty(Navigator.prototype, 'wakeLock', {{ value: {lock} }})")
    page = open_page(phone, server.url)
    upload(page)
    to_score(page)
    expect(page.locator("#points")).to_have_text("7,700points")


def test_the_torch_is_lit_and_put_out(filming_phone: BrowserContext, secure_server: Server) -> None:
    page = viewed(filming_phone, secure_server, TORCH)
    page.locator("#camera-start").tap()
    torch = page.locator("#torch")
    torch.tap()
    expect(torch).to_have_attribute("aria-pressed", "true")
    torch.tap()
    expect(torch).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("window.lit") == [True, False]
    torch.tap()
    page.locator("#camera-stop").tap()  # the light goes out with the camera
    page.locator("#camera-start").tap()
    expect(torch).to_be_visible()
    expect(torch).to_have_attribute("aria-pressed", "false")
    page.evaluate("window.broken = true")
    torch.tap()  # an error in a script fails the test
    expect(torch).to_have_attribute("aria-pressed", "false")


def test_a_camera_without_a_light_offers_none(filming_phone: BrowserContext, secure_server: Server) -> None:
    page = filming_phone.new_page()
    no_shutter(page)
    begin(page, secure_server.url)
    expect(page.locator("#advice")).to_have_text("Point at the tiles")
    expect(page.locator("#torch")).to_be_hidden()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_opened_for_a_photo_the_camera_is_there_at_once(
    filming_phone: BrowserContext, secure_server: Server, language: str
) -> None:
    filming_phone.add_init_script(TORCH + ASKED)
    filming_phone.add_init_script(f"navigator.__defineGetter__('languages', () => ['{language}'])")
    page = filming_phone.new_page()
    no_shutter(page)
    manifest = json.loads(page.request.get(secure_server.url + "manifest.webmanifest").text())
    (shortcut,) = manifest["shortcuts"]
    page.goto(secure_server.url + shortcut["url"].removeprefix("./"))
    expect(page.locator("#viewfinder")).to_be_visible()
    page.wait_for_function("() => document.querySelector('#video').srcObject")
    assert "#" not in page.url and page.evaluate("document.documentElement.lang") == language
    expect(page.locator("#torch")).to_be_visible()
    assert not faults(page, {})
    for button in page.locator("#viewfinder button:visible").all():
        box = button.bounding_box()
        assert box is not None and box["width"] >= 44 and box["height"] >= 44


def test_opened_for_a_photo_a_hand_at_work_is_not_lost(
    filming_phone: BrowserContext, secure_server: Server
) -> None:
    page = filming_phone.new_page()
    no_shutter(page)
    begin(page, secure_server.url)
    upload(page)
    page.evaluate("location.hash = 'camera'")
    expect(page.locator("#viewfinder")).to_be_visible()
    expect(page.locator("#more-shots")).to_be_visible()  # back to it, or the next one
    tap(page, "back")
    expect(page.locator("#viewfinder")).to_be_hidden()
    to_score(page)
    page.evaluate("location.hash = 'camera'")
    expect(page.locator("#viewfinder")).to_be_visible()
    expect(page.locator("#more-shots")).to_be_hidden()  # that hand was done
