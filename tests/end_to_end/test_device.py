"""The page with a phone's own things: the screen that stays on, the torch, the camera that opens at once."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.end_to_end.looks import OUTSIDE, faults, speak
from tests.end_to_end.page import Server, painted, tap, to_score, upload

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
MediaStreamTrack.prototype.getCapabilities = () => ({ torch: window.hasLight });
MediaStreamTrack.prototype.applyConstraints = async function ({ advanced: [{ torch }] }) {
    if (window.broken) throw new DOMException("no light", "OverconstrainedError");
    window.lit.push(torch);
};
"""
"""A camera that may have a light."""


def locks(page: Page, number: int) -> None:
    """How many locks are held, as soon as what is going on has settled."""
    page.wait_for_function("number => window.locks === number", arg=number)
    painted(page)
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


NO_LOCK = """(lock) => {
    const request = async () => { throw new DOMException("low battery"); };
    const value = lock && { request };
    Object.defineProperty(Navigator.prototype, "wakeLock", { configurable: true, value });
}"""
"""The screen can be kept on no more: the browser has no lock, or gives none."""


def test_camera_torch_and_screen_of_a_phone(filming_phone: BrowserContext, secure_server: Server) -> None:
    """An error in a script fails it, too."""
    filming_phone.add_init_script(LOCKS + TORCH + LATE + ASKED)
    page = filming_phone.new_page()
    no_shutter(page)
    opened_for_a_photo(page, secure_server.url)
    the_torch(page)
    the_screen_stays_on(page)
    a_hand_at_work_is_not_lost(page)


def opened_for_a_photo(page: Page, url: str) -> None:
    """By the shortcut of the installed page the camera is there at once, and nothing moves under the finger
    while it starts."""
    manifest = json.loads(page.request.get(url + "manifest.webmanifest").text())
    (shortcut,) = manifest["shortcuts"]
    page.goto(url + shortcut["url"].removeprefix("./"))
    expect(page.locator("#viewfinder")).to_be_visible()
    assert "#" not in page.url
    locks(page, 1)
    before = page.locator("#camera-stop").bounding_box()
    page.evaluate("window.come()")
    expect(page.locator("#shutter")).to_be_enabled()
    assert page.locator("#camera-stop").bounding_box() == before
    expect(page.locator("#advice")).to_have_text("Point at the tiles")
    expect(page.locator("#torch")).to_be_hidden()  # a camera without a light offers none
    page.evaluate("window.hasLight = true")
    expect(page.locator("#torch")).to_be_visible()
    assert not faults(page, {})
    for language in ("ja", "en"):
        speak(page, language)
        assert not page.evaluate(OUTSIDE)
        for button in page.locator("#viewfinder button:visible").all():
            box = button.bounding_box()
            assert box is not None and box["width"] >= 44 and box["height"] >= 44


def the_torch(page: Page) -> None:
    torch = page.locator("#torch")
    torch.tap()
    expect(torch).to_have_attribute("aria-pressed", "true")
    torch.tap()
    expect(torch).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("window.lit") == [True, False]
    torch.tap()
    page.locator("#camera-stop").tap()  # the light goes out with the camera
    locks(page, 0)
    page.locator("#camera-start").tap()
    locks(page, 1)
    expect(torch).to_be_visible()
    expect(torch).to_have_attribute("aria-pressed", "false")
    page.evaluate("window.broken = true")
    torch.tap()
    expect(torch).to_have_attribute("aria-pressed", "false")
    page.locator("#camera-stop").tap()


def the_screen_stays_on(page: Page) -> None:
    """While a hand is laid out; where the browser cannot, nothing breaks."""
    locks(page, 0)
    upload(page)
    locks(page, 1)
    page.locator(".held").nth(3).tap()
    tap(page, "red")
    tap(page, "close")
    locks(page, 1)
    hide(page, True)
    locks(page, 0)
    hide(page, False)
    locks(page, 1)
    to_score(page)
    locks(page, 0)
    page.go_back()
    locks(page, 1)
    for lock in (True, False):
        page.evaluate(NO_LOCK, lock)
        hide(page, True)
        hide(page, False)
        painted(page)
        assert page.evaluate("window.locks") == 0
        expect(page.locator("#check")).to_be_visible()


def a_hand_at_work_is_not_lost(page: Page) -> None:
    """Where the page is opened for a photo meanwhile."""
    page.evaluate("location.hash = 'camera'")
    expect(page.locator("#viewfinder")).to_be_visible()
    expect(page.locator("#more-shots")).to_be_visible()  # back to it, or the next one
    tap(page, "back")
    expect(page.locator("#viewfinder")).to_be_hidden()
    tap(page, "way")
    expect(page.locator("#score")).to_be_visible()
    page.evaluate("location.hash = 'camera'")
    expect(page.locator("#viewfinder")).to_be_visible()
    expect(page.locator("#more-shots")).to_be_hidden()  # that hand was done
