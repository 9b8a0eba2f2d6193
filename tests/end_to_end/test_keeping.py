"""What a phone keeps: it is asked to keep it, says when it cannot, and hands all of it on as one file."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

from scorer import replay
from tests.end_to_end.evening import KEPT, PINFU, agrees, booked, draw, kept, start, won
from tests.end_to_end.looks import is_good
from tests.end_to_end.page import LISTED_HAND, Held, Server, open_home, open_page, tap, to_score, upload

NO_DATABASE = "Object.defineProperty(window, 'indexedDB', { value: undefined })"
"""A browser that keeps nothing, as some private windows."""

FULL = """
const add = IDBObjectStore.prototype.put;
window.full = false;
IDBObjectStore.prototype.put = function (...given) {
    const request = add.apply(this, given);
    if (window.full) this.transaction.abort();
    return request;
};
"""
"""A phone without room, while `full` is set."""

BESIDE = """async () => {
    const { current } = await import("./games/games.js");
    const { games } = await import("./app/store.js");
    const [start] = current.game.events;
    const isCopy = (one) => one.events[0].id === start.id && one.id !== current.game.id;
    return (await games.all()).find(isCopy).id;
}"""
"""The other game that began as this one."""

ASKED = """
window.asked = 0;
if (navigator.storage) navigator.storage.persist = async () => { window.asked += 1; return true; };
"""


STANDALONE = """async () => {
    const { show } = await import("./app/state.js");
    Object.defineProperty(navigator, "standalone", { configurable: true, value: false });
    show();
    delete navigator.standalone;
}"""
"""Shown as in Safari."""

OFFER = """() => {
    const offer = new Event("beforeinstallprompt", { cancelable: true });
    offer.prompt = async () => (window.installed = true);
    dispatchEvent(offer);
}"""
"""As a browser does that installs pages."""


@pytest.fixture
def evening(phone: BrowserContext, server: Server) -> Iterator[Page]:
    yield open_home(phone, server.url)


def saved(page: Page, key: str = "save-all") -> Path:
    with page.expect_download() as file:
        tap(page, key)
    return Path(file.value.path())


def saved_game(page: Page) -> Path:
    """A file of a game with one drawn hand, which is still played."""
    start(page)
    draw(page, 0)
    booked(page, 1)
    past_games(page)
    file = saved(page)
    page.locator("#go-home").tap()
    return file


def past_games(page: Page) -> None:
    """From a table or from home, to what was played before."""
    if page.locator('[data-key="past"]').count():
        return tap(page, "past")
    tap(page, "book")
    tap(page, "past-games")
    return None


def test_a_score_that_had_not_come_before_a_reload_is_asked_for_again(
    phone: BrowserContext, server: Server
) -> None:
    page = open_page(phone, server.url)
    upload(page)
    to_score(page)
    tap(page, "step-check")
    held = Held(page, "**/api/score")
    tap(page, "honba1")
    held.came()
    page.unroute("**/api/score")
    page.reload()
    tap(page, "way")
    expect(page.locator("#pays")).to_contain_text("8,000")


def test_a_browser_that_keeps_nothing_says_so_and_offers_the_file(
    phone: BrowserContext, server: Server
) -> None:
    phone.add_init_script(NO_DATABASE)
    page = open_home(phone, server.url)
    start(page)
    expect(page.locator("#unkept")).to_contain_text("Save a file now")
    draw(page, 0)
    booked(page, 1)
    is_good(page)
    (game,) = json.loads(saved(page).read_text())["games"]
    assert replay([one["event"] for one in game["events"]]).game.points == (33000, 29000, 29000, 29000)


def test_a_database_that_the_browser_closes_is_opened_again(evening: Page) -> None:
    start(evening)
    draw(evening, 0)
    booked(evening, 1)
    origin = {"origin": evening.evaluate("location.origin"), "storageTypes": "indexeddb"}
    evening.context.new_cdp_session(evening).send("Storage.clearDataForOrigin", origin)
    draw(evening, 0)
    booked(evening, 2)
    expect(evening.locator("#unkept")).to_be_hidden()
    evening.reload()
    booked(evening, 2)


def test_a_phone_is_asked_to_keep_a_game_and_says_while_it_has_no_room(
    phone: BrowserContext, server: Server
) -> None:
    phone.add_init_script(FULL + ASKED)
    page = open_home(phone, server.url)
    assert page.evaluate("window.asked") == 0
    start(page)
    page.wait_for_function("window.asked > 0")
    expect(page.locator("#unkept")).to_be_hidden()
    page.evaluate("window.full = true")
    draw(page, 0)
    expect(page.locator("#unkept")).to_be_visible()
    page.evaluate("window.full = false")
    booked(page, 1)
    draw(page, 1)
    booked(page, 2)
    expect(page.locator("#unkept")).to_be_hidden()
    agrees(page)


def test_a_phone_without_room_records_a_hand_once_whose_answer_is_lost(
    phone: BrowserContext, sharing: Server
) -> None:
    phone.add_init_script(FULL)
    page = open_home(phone, sharing.url)
    start(page)
    tap(page, "share-here")
    expect(page.locator("#shared-standing")).to_contain_text("Shared")
    page.evaluate("window.full = true")
    held = Held(page, "**/changes")
    draw(page, 0)
    held.came()
    held.lose()
    booked(page, 1)
    expect(page.locator("#notice")).to_be_hidden()
    expect(page.locator("#home .noted")).to_have_count(0)


def test_one_file_holds_all_and_loads_again_on_another_phone(
    evening: Page, other_phone: BrowserContext, server: Server
) -> None:
    page = evening
    page.evaluate(LISTED_HAND)
    start(page)
    won(page, 2, 3)
    upload(page)
    tap(page, "way")
    booked(page, 1)
    draw(page, 0)
    booked(page, 2)
    before = agrees(page)
    past_games(page)
    is_good(page)
    file = saved(page)
    page.set_input_files("#load-file", file)
    expect(page.locator("#backup-news")).to_contain_text("here already")

    other = open_home(other_phone, server.url)
    past_games(other)
    other.set_input_files("#load-file", file)
    expect(other.locator("#backup-news")).to_contain_text("Games: 1. Hands: 1.")
    assert kept(other) == before
    other.locator(".past-games .past").tap()
    expect(other.locator(".entry-hand > img[src]")).to_have_count(1)  # and the photo
    other.locator("#go-home").tap()
    draw(other, 1)
    booked(other, 3)  # it goes on there

    past_games(other)  # the older file takes nothing away
    other.set_input_files("#load-file", file)
    expect(other.locator("#backup-news")).to_contain_text("here already")
    assert len(kept(other).turns) == 3


def test_a_hand_that_was_corrected_outlives_a_file_with_more_hands(
    evening: Page, other_phone: BrowserContext, server: Server
) -> None:
    """Nothing that is there already is lost, and what was corrected elsewhere comes, too."""
    page = evening
    file = saved_game(page)
    tap(page, "book")
    tap(page, "correct-1")
    draw(page, 1)
    booked(page, 1)
    past_games(page)
    page.set_input_files("#load-file", file)
    expect(page.locator("#backup-news")).to_contain_text("here already")  # as it was before
    corrected = saved(page)

    other = open_home(other_phone, server.url)
    past_games(other)
    other.set_input_files("#load-file", file)
    other.locator(".past-games .past").tap()
    other.locator("#go-home").tap()
    draw(other, 2)
    booked(other, 2)
    past_games(other)
    more = saved(other)
    for window, theirs in ((page, more), (other, corrected)):
        window.set_input_files("#load-file", theirs)
        expect(window.locator(".past-games li")).to_have_count(2)
        points = {replay(record).game.points for record in window.evaluate(KEPT)}
        assert (31500, 31500, 28500, 28500) in points, "Aki and Ben were tenpai"
        assert len(points) == 2
        window.set_input_files("#load-file", theirs)
        expect(window.locator("#backup-news")).to_contain_text("here already")


NO_BACKUPS = (
    "{",
    "[]",
    '{"tehai": 1}',
    '{"tehai": 1, "games": [{"id": "<b>", "events": 7}], "hands": [], "pictures": {}}',
    '[{"event": "start", "rules": "no such rules"}]',
)


def test_files_of_all_kinds(evening: Page, tmp_path: Path) -> None:
    page = evening
    past_games(page)
    for number, text in enumerate(NO_BACKUPS):
        (tmp_path / f"{number}.json").write_text(text)
        page.set_input_files("#load-file", tmp_path / f"{number}.json")
        expect(page.locator("#notice")).to_be_visible()
        expect(page.locator("#notice")).not_to_contain_text("Loading")
        assert not page.evaluate(KEPT)
        page.evaluate("document.querySelector('#notice').hidden = true")
    a_record_alone(page, tmp_path / "game.json")
    page.locator("#go-home").tap()
    what_was_undone_comes_back_to_the_table(page)
    what_went_on_differently(page)


def a_record_alone(page: Page, path: Path) -> None:
    record = [
        {"event": "start", "rules": "tenhou", "players": ["Aki", "Ben", "Chie", "Dan"]},
        {"event": "win", "hands": [{**PINFU, "tsumo": False, "dealer": True, "loser_offset": 1}]},
    ]
    path.write_text(json.dumps(record))
    page.set_input_files("#load-file", path)
    expect(page.locator("#backup-news")).to_contain_text("Games: 1.")
    page.set_input_files("#load-file", path)
    expect(page.locator("#backup-news")).to_contain_text("here already")
    assert kept(page) == replay(record)
    page.locator(".past-games .past").tap()
    tap(page, "open-1-0")  # the record does not name the dealer's wind
    expect(page.locator('[data-key="winner-0"]')).to_have_attribute("aria-pressed", "true")
    page.locator("#go-home").tap()
    tap(page, "drop")
    past_games(page)


def what_was_undone_comes_back_to_the_table(page: Page) -> None:
    file = saved_game(page)
    page.locator('[data-key="undo"]:visible').tap()
    booked(page, 0)
    past_games(page)
    page.set_input_files("#load-file", file)
    expect(page.locator("#backup-news")).to_contain_text("Games: 1.")
    page.locator("#go-home").tap()
    booked(page, 1)


def what_went_on_differently(page: Page) -> None:
    """It stays beside the game of the file, and keeps its photo when that one is deleted."""
    start(page)
    won(page, 2, 3)
    upload(page)
    tap(page, "way")
    booked(page, 1)
    draw(page, 0)
    booked(page, 2)
    past_games(page)
    file = saved(page)
    page.locator("#go-home").tap()
    page.locator('[data-key="undo"]:visible').tap()
    booked(page, 1)
    draw(page, 2)
    booked(page, 2)
    games = page.evaluate(KEPT)
    past_games(page)
    page.set_input_files("#load-file", file)
    expect(page.locator("#backup-news")).to_contain_text("Games: 1.")
    assert len(page.evaluate(KEPT)) == len(games) + 1
    page.once("dialog", lambda dialog: dialog.accept())
    copy = page.evaluate(BESIDE)
    page.locator(f'li:has([data-key="game-{copy}"]) > .tool').tap()
    expect(page.locator(f'[data-key="game-{copy}"]')).to_have_count(0)
    page.reload()
    expect(page.locator(".entry-hand > img[src]")).to_have_count(1)


def test_the_page_asks_to_be_put_on_the_home_screen(evening: Page) -> None:
    page = evening
    asks = page.locator(".home-screen")
    expect(asks).to_be_visible()
    page.evaluate(STANDALONE)
    expect(asks).to_contain_text("Share")  # Safari cannot be asked to
    page.evaluate(OFFER)
    tap(page, "install")
    page.wait_for_function("window.installed")
    expect(asks).to_have_count(0)
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(asks).to_be_visible()
    is_good(page)
    tap(page, "install-no")
    expect(asks).to_have_count(0)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(asks).to_have_count(0)


def test_what_an_installed_page_shows(evening: Page, server: Server) -> None:
    page = evening
    manifest = json.loads(page.request.get(server.url + "manifest.webmanifest").text())
    assert {"id", "description", "lang", "screenshots"} <= manifest.keys()
    for picture in manifest["icons"][1:] + manifest["screenshots"]:
        image = Image.open(io.BytesIO(page.request.get(server.url + picture["src"]).body()))
        assert f"{image.width}x{image.height}" == picture["sizes"] and image.format == "PNG"
    assert {"192x192", "512x512"} <= {one["sizes"] for one in manifest["icons"]}
    assert "maskable" in {one.get("purpose") for one in manifest["icons"]}
    touch = page.locator('link[rel="apple-touch-icon"]').get_attribute("href")
    assert touch and page.request.get(server.url + touch).ok
    colour = page.locator('meta[name="theme-color"]').first
    page.emulate_media(color_scheme="light")
    expect(colour).to_have_attribute("content", "#0e3b2e")
    page.emulate_media(color_scheme="dark")
    expect(colour).to_have_attribute("content", "#0a2a20")
