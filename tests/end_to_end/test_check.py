"""Check in a real browser: what is in doubt, how tiles are corrected, and a hand that is typed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tehai.hand.sample import sample_path
from tests.end_to_end.looks import COLOURS, Theme, faults, speak
from tests.end_to_end.page import (
    PHONE,
    USUAL,
    Held,
    Server,
    answer,
    click,
    give,
    kept,
    open_page,
    painted,
    press,
    settled,
    tap,
    to_score,
    upload,
)
from tests.end_to_end.test_page import DOUBTING, PUNG, SAMPLE, WON_APART, Doubted, labels, shows, tiles

FRESH = """async (again) => {
    const { fresh, readPhotos } = await import("./app/actions.js");
    const { app } = await import("./app/state.js");
    const { choose } = await import("./app/store.js");
    window.sample ??= app.shots[0];
    choose({ rules: "ema2008", terms: null, table: { honba: 0, riichi_sticks: 0 } });
    await fresh({ screen: "take" });
    if (again) await readPhotos([window.sample]);
}"""
"""No hand is at work, then the sample again where it is wanted."""


@pytest.fixture(scope="module")
def lasting(lasting_phone: BrowserContext, server: Server) -> Page:
    """One page for all tests of this file, which has read the sample."""
    page = open_page(lasting_phone, server.url)
    page.evaluate(DOUBTING, [[], 0.99])
    upload(page)
    return page


@pytest.fixture
def page(lasting: Page) -> Iterator[Page]:
    """The same, no hand at work, on the usual phone in English."""
    fresh(lasting)
    yield lasting
    lasting.set_viewport_size(PHONE["viewport"])
    lasting.emulate_media(color_scheme="light")
    speak(lasting, "en")


def fresh(page: Page) -> None:
    page.evaluate(FRESH, False)


def read(page: Page, *doubts: Doubted, confidence: float = 0.7) -> None:
    """The sample is read with these doubts."""
    page.evaluate(DOUBTING, [doubts, confidence])
    page.evaluate(FRESH, True)
    expect(page.locator("#check")).to_be_visible()


def test_corrections(page: Page) -> None:
    read(page, confidence=0.99)
    held = page.locator(".held")
    held.nth(3).tap()
    expect(page.locator("#sheet h2")).to_have_text("Tile 4: red 5 circles")
    tap(page, "red")
    shows(page, "234m567p3488s5s777z")
    tap(page, "close")
    expect(page.locator("#bar strong")).to_have_text("3,900")
    tap(page, "undo")
    shows(page, SAMPLE)

    held.nth(0).tap()
    tap(page, "to-1m")
    expect(page.locator("#bar")).to_contain_text("No winning hand")
    tap(page, "undo")
    held.nth(0).tap()
    tap(page, "all")
    tap(page, "key-9p")
    shows(page, "9p34m067p3488s5s777z")
    tap(page, "undo")

    held.nth(0).tap()
    tap(page, "meld")
    tap(page, "set-0")
    shows(page, "067p3488s5s777z234m")
    tap(page, "from-3")
    tap(page, "close")
    expect(page.locator('[data-group="meld:1"] h2')).to_have_text("Chi from the left")
    held.nth(11).tap()
    tap(page, "break")
    shows(page, "067p3488s234m5s777z")

    tap(page, "whole")
    box = page.locator("#photo").bounding_box()
    assert box is not None
    zoom = min(box["width"] / 1600, box["height"] / 1200)
    x, y = ((808 - 800) * zoom + box["width"] / 2, (285 - 600) * zoom + box["height"] / 2)
    page.locator("#photo").tap(position={"x": x, "y": y})  # a tile of the river
    expect(page.locator("#sheet h2")).to_have_text("green dragon")
    tap(page, "join-dora")
    expect(page.locator('[data-group="dora"] .held')).to_have_count(2)
    tap(page, "undo")

    held.nth(0).tap()
    tap(page, "delete")
    expect(page.locator("#bar")).to_contain_text("13 of 14 tiles")
    tap(page, "add-closed")
    tap(page, "key-8p")
    shows(page, "67p3488s234m8p5s777z")
    held.nth(9).tap()
    tap(page, "win")
    shows(page, "67p3488s234m5s8p777z")
    tap(page, "sort")
    shows(page, "234m67p34588s8p777z")
    expect(page.locator("#bar strong")).to_have_text("3,900")
    tap(page, "add-dora")
    tap(page, "key-6z")
    tap(page, "close")
    expect(page.locator('[data-group="dora"] .held')).to_have_count(2)
    expect(page.locator("#bar strong")).to_have_text("12,000")


def test_doubtful_tiles_come_first(page: Page) -> None:
    read(page, ("face", "0p hand", {"label": "5p"}), ("face", "5s win", {"label": "0s"}))
    expect(page.locator("#check-tools")).to_contain_text("2 to check")
    expect(page.locator("#sheet h2")).to_have_text("Tile 4: is it red 5 circles?")
    expect(page.locator("#doubts li").first).to_contain_text("Is this red 5 circles or 5 circles?")
    expect(page.locator("#doubts li .crop")).to_have_count(2)
    # in one step: the sheet is drawn again once the photo is decoded
    page.wait_for_function(
        "() => document.querySelector('#sheet .judged > .crop')?.getBoundingClientRect().width >= 80"
    )
    for theme in get_args(Theme):
        page.emulate_media(color_scheme=theme)
        assert not faults(page, COLOURS)
    page.locator("#sheet").locator('[data-key="to-5p"]').tap()
    expect(page.locator("#check-tools")).to_contain_text("1 to check")
    expect(page.locator("#sheet h2")).to_have_text("Tile 1: is it 5 bamboos?")
    tap(page, "keep")
    expect(page.locator("#check-tools")).to_contain_text("All tiles clear")
    expect(page.locator("#doubts li")).to_have_count(0)
    shows(page, "234m567p3488s5s777z")


def test_another_winning_tile_is_a_tap(page: Page) -> None:
    read(page, ("win", "5s win", WON_APART))
    doubt = page.locator("#doubts li")
    expect(doubt).to_contain_text("Did 5 bamboos win, or 8 bamboos?")
    speak(page, "ja")
    expect(doubt).to_contain_text("和了牌は五索ですか、八索ですか。")
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator('[data-group="win"] .held')).to_have_class("held doubt")
    tap(page, "other-0")
    expect(doubt).to_have_count(0)
    expect(page.locator('[data-group="win"] img')).to_have_attribute("src", "tiles/8s.svg")
    expect(page.locator(".held.doubt")).to_have_count(0)
    assert sorted(tiles(page)) == sorted(labels(SAMPLE))
    tap(page, "undo")
    shows(page, SAMPLE)


def test_which_tile_won_is_asked_once_however_many_may_have(page: Page) -> None:
    others = [
        {"hand": {"concealed": SAMPLE.replace("777z", "").replace(label, ""), "win_tile": label}}
        for label in ("2m", "7p", "3s")
    ]
    read(page, *(("win", "5s win", other) for other in others))
    doubt = page.locator("#doubts li")
    expect(doubt).to_have_count(1)
    expect(doubt).to_contain_text("Which tile won?")
    expect(doubt.locator(".choice")).to_have_count(4)
    expect(page.locator("#check-tools")).to_contain_text("1 to check")
    doubt.locator(".choice").nth(2).tap()
    expect(doubt).to_have_count(0)
    expect(page.locator('[data-group="win"] img')).to_have_attribute("src", "tiles/7p.svg")
    assert sorted(tiles(page)) == sorted(labels(SAMPLE))


def test_an_honour_may_be_another_of_its_kind_and_not_what_no_picture_says(page: Page) -> None:
    read(page, confidence=0.99)
    page.locator('[data-group="meld:0"] .held').first.tap()
    offered = page.locator('#sheet [data-key^="to-"] img')
    expect(offered).to_have_count(4)
    names = [face.get_attribute("src") for face in offered.all()]
    assert names == [f"tiles/{label}.svg" for label in ("5z", "6z", "1z", "2z")]


COVERED = """(place) => {
    const box = document.querySelector(place).getBoundingClientRect();
    const steps = [0.1, 0.3, 0.5, 0.7, 0.9];
    const at = (across, down) => [box.left + across * box.width, box.top + down * box.height];
    return steps.flatMap((across) => steps.map((down) => document.elementFromPoint(...at(across, down))))
        .filter((there) => !there?.closest(place))
        .map((there) => there?.outerHTML.slice(0, 80) ?? "out of sight");
}"""
"""What lies over an element, or that it is out of sight."""


def test_nothing_covers_the_photo_the_tile_in_question_or_how_many_are_in_doubt(page: Page) -> None:
    for width, height in ((390, 664), (740, 360), (1200, 800)):
        page.set_viewport_size({"width": width, "height": height})
        read(page, ("face", "7z meld:0", {"label": "6z"}), confidence=0.5)
        expect(page.locator("#sheet h2")).to_have_text("Tile 1: is it red dragon?")
        for _ in range(2):  # the first is in doubt, the other is touched
            page.wait_for_function(f"() => !({COVERED})('.held[aria-pressed=true]').length")
            for place in ("#photo", '[data-key="doubts"]', "#sheet h2", '#sheet [data-key="all"]'):
                assert page.evaluate(COVERED, place) == [], (width, height, place)
            page.locator(".held").nth(9).tap()


ELSEWHERE = {
    "hand": {"concealed": "111m222p333s44z6s", "win_tile": "6s", "melds": []}, "region": [0, 0.1, 1, 1],
}  # fmt: skip
"""Another hand of the same photo."""


def test_another_hand_is_shown_and_read_in_its_region(page: Page) -> None:
    read(page, ("hand", "", ELSEWHERE), ("face", "0p hand", {"label": "5p"}))
    doubt = page.locator("#doubts li", has_text="Which one do you mean")
    expect(doubt.locator(".whole img")).to_have_count(13)
    expect(page.locator("#check-tools")).to_contain_text("2 to check")
    expect(page.locator("#sheet")).to_be_hidden()  # whose hand it is is graver than what a tile is
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    box = page.locator("#photo").bounding_box()
    assert box is not None
    page.locator("#photo").tap(position={"x": box["width"] / 2, "y": box["height"] - 12})
    expect(page.locator("#check-tools")).to_contain_text("All tiles clear")
    assert page.evaluate("window.regions") == [None, "0,0.1,1,1"]
    tap(page, "unframe")
    expect(doubt).to_have_count(1)
    doubt.get_by_text("The other hand").tap()
    expect(page.locator("#check-tools")).to_contain_text("All tiles clear")
    expect(doubt).to_have_count(0)
    assert page.evaluate("window.regions") == [None, "0,0.1,1,1", None, "0,0.1,1,1"]


def test_a_photo_that_follows_a_bad_file_at_once_is_read_without_it(page: Page) -> None:
    page.evaluate("window.whole = null")  # the server reads what comes
    held = Held(page, "**/api/read")
    give(page, {"name": "notes.jpg", "mimeType": "image/jpeg", "buffer": b"notes"})
    held.came()
    give(page, sample_path(), "#from-files")
    held.came(2)
    held.routes[0].continue_()
    expect(page.locator("#notice")).to_contain_text("is not an image")
    held.routes[1].continue_()
    page.unroute("**/api/read")
    expect(page.locator("#check")).to_be_visible()
    shows(page, SAMPLE)
    assert page.evaluate("async () => (await import('./app/state.js')).app.shots.length") == 1


def test_each_hand_of_one_photo_stands_in_the_history(page: Page) -> None:
    page.evaluate("async () => (await import('./app/store.js')).evening.clear()")
    read(page, confidence=0.99)
    to_score(page)
    kept(page, 1)
    page.go_back()
    tap(page, "whole")
    frame(page, (0.02, 0.02), (0.98, 0.98))
    page.wait_for_function("() => window.regions.length === 2")
    expect(page.locator("#notice")).to_be_hidden()
    to_score(page)
    kept(page, 2)
    page.go_back()  # to the same hand
    expect(page.locator("#check")).to_be_visible()
    to_score(page)
    kept(page, 2)


def test_a_hand_that_lacks_tiles_of_the_photo_asks_for_a_frame(page: Page) -> None:
    read(page, confidence=0.99)
    shows(page, SAMPLE)
    for pill in ("All tiles clear", "Frame the hand"):
        page.locator(".held").first.tap()
        tap(page, "delete")
        expect(page.locator("#check-tools")).to_contain_text(pill)
    tap(page, "doubts")
    expect(page.locator("#framing")).to_contain_text("Drag a frame around your hand")


BESIDE = """async () => {
    const { beside } = await import("./check/photo_drawing.js");
    const tile = (x, y) => [[x, y], [x + 30, y], [x + 30, y + 40], [x, y + 40]];
    const row = [0, 30, 60].map((x) => ({ label: "1m", quad: tile(x, 100) }));
    const turned = row.map(({ label, quad }) => ({ label, quad: [2, 3, 0, 1].map((at) => quad[at]) }));
    const faces = (tiles, others) => beside(tiles, [...tiles.map(({ quad }) => quad), ...others]);
    const ys = (tiles, others) => faces(tiles, others).map(({ there }) => there[1]);
    return [ys(row, []), ys(row, [0, 30, 60].map((x) => tile(x, 60))), ys(turned, [])];
}"""


def test_faces_stand_above_their_tiles_or_below_where_other_tiles_lie(page: Page) -> None:
    free, below_others, upside_down = page.evaluate(BESIDE)
    assert len(free) == 3 and all(y < 100 for y in free)
    assert len(below_others) == 3 and all(y > 140 for y in below_others)
    assert len(upside_down) == 3 and all(y > 140 for y in upside_down)  # above for who reads them


def test_what_is_in_doubt_can_be_left_as_it_is(page: Page) -> None:
    read(page, ("face", "0p hand", None), ("left_out", "6z other", None), ("indicator", "", None))
    tap(page, "close")
    told = page.locator("#doubts li")
    expect(told).to_have_count(2)  # that no indicator was seen the dora question asks about
    expect(told.nth(1)).to_contain_text("Does green dragon belong to the hand?")
    told.nth(1).get_by_text("Yes, as it is").tap()
    expect(page.locator("#check-tools")).to_contain_text("1 to check")
    page.reload()
    expect(told).to_have_count(1)
    tap(page, "way")
    page.go_back()
    expect(page.locator("#check-tools")).to_contain_text("All tiles clear")  # going on said so


def test_a_tile_that_may_be_an_indicator_too_is_a_tap(page: Page) -> None:
    hand = {"concealed": "234m067p3488s", "win_tile": "5s", "melds": [PUNG]}
    read(page, ("indicator", "6z other", {"hand": {**hand, "dora_indicators": ["7s", "6z"]}}))
    question = page.locator('[data-field="dora_indicators"]')
    expect(question).to_contain_text("Is green dragon a dora indicator, too?")
    expect(question.locator('[data-key="dora-read"]')).to_contain_text("No, only 7 bamboos")
    expect(page.locator("#doubts li")).to_have_count(0)
    expect(page.locator('[data-group="dora"] .held')).to_have_count(1)
    expect(page.locator("#check-tools")).to_contain_text("1 to check")
    tap(page, "dora-all")
    expect(question).to_have_count(0)
    expect(page.locator('[data-group="dora"] .held')).to_have_count(2)
    expect(page.locator('[data-group="dora"] .held.doubt')).to_have_count(0)
    shows(page, SAMPLE)


def test_a_reading_that_is_less_than_sure_says_how_sure_it_is(page: Page) -> None:
    read(page, confidence=0.979)
    expect(page.locator("#check-tools .doubt")).to_have_text("The whole reading is 97 % sure.")
    expect(page.locator("#check-tools .doubt")).to_have_css("opacity", "1")  # axe skips what is disabled


def test_tiles_are_moved_by_drag_and_by_keyboard(desktop: BrowserContext, server: Server) -> None:
    page = open_page(desktop, server.url)
    page.evaluate(DOUBTING, [[], 0.99])
    upload(page)
    page.locator(".held").nth(0).drag_to(page.locator(".held").nth(2), target_position={"x": 50, "y": 40})
    expect(page.locator(".held").nth(2).locator("img")).to_have_attribute("src", "tiles/2m.svg")
    page.locator(".held").nth(2).focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    shows(page, SAMPLE)
    page.keyboard.press("Control+z")
    shows(page, "324m067p3488s5s777z")
    page.keyboard.press("Delete")
    expect(page.locator(".group:not(.dora, .ura) .held")).to_have_count(13)
    page.keyboard.press("Control+z")
    page.locator('[data-group="dora"] .held').drag_to(
        page.locator(".held").nth(0), target_position={"x": 3, "y": 40}
    )
    expect(page.locator(".group.closed .held")).to_have_count(11)
    page.locator(".held").nth(0).click()
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).to_be_hidden()
    page.keyboard.press("Control+z")
    in_a_frame(page)


def test_a_dragged_tile_lands_where_it_is_dropped_though_an_answer_comes(
    desktop: BrowserContext, server: Server
) -> None:
    page = open_page(desktop, server.url)
    page.locator("#type-hand").click()
    press(page, labels("234m345567p2267s"))
    click(page, "close")
    expect(page.locator("#bar")).to_contain_text("Which tile won?")
    held = Held(page, "**/api/score")
    click(page, "sort")
    held.came()
    click(page, "way")  # the answer draws the tiles anew
    tiles = page.locator(".held")
    lifted, target = (tiles.nth(at).bounding_box() for at in (0, 3))
    assert lifted is not None and target is not None
    page.mouse.move(lifted["x"] + 9, lifted["y"] + 9)
    page.mouse.down()
    page.mouse.move(lifted["x"] + 39, lifted["y"] + 9)
    before = tiles.nth(0).element_handle()
    held.let_go()
    page.wait_for_function("before => !before.isConnected", arg=before)
    page.mouse.move(target["x"] + target["width"] - 3, target["y"] + 9)
    page.mouse.up()
    expect(tiles.nth(3).locator("img")).to_have_attribute("src", "tiles/2m.svg")
    click(page, "close")  # no click followed the drag: this one counts
    expect(page.locator("#sheet")).to_be_hidden()


def frame(page: Page, *corners: tuple[float, float]) -> None:
    """A frame is drawn on the photo, between these parts of its width and height."""
    box = page.locator("#photo").bounding_box()
    assert box is not None
    (left, top), (right, bottom) = (
        (box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in corners
    )
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move((left + right) / 2, (top + bottom) / 2)
    expect(page.locator("#frame")).to_be_visible()
    page.mouse.move(right, bottom)
    page.mouse.up()


def in_a_frame(page: Page) -> None:
    """A frame on the photo says where the hand is."""
    page.locator('[data-key="whole"]').click()
    frame(page, (0.1, 0.5), (0.6, 0.9))
    expect(page.locator('[data-key="unframe"]')).to_be_visible()
    expect(page.locator("#check")).to_be_visible()
    page.wait_for_function("() => window.regions.length === 2")
    first, framed = page.evaluate("window.regions")
    assert first is None
    assert [float(part) for part in framed.split(",")] == pytest.approx([0.1, 0.5, 0.6, 0.9], abs=0.01)


NO_PICTURE = """() => { navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement("canvas");
    canvas.getContext("2d");
    return canvas.captureStream(0);
}; }"""
"""A camera that is there and shows nothing yet."""


def test_who_goes_on_before_the_camera_shows_anything_is_told_of_no_fault(page: Page) -> None:
    page.evaluate(NO_PICTURE)
    page.locator("#camera-start").tap()
    page.wait_for_function("document.querySelector('#video').srcObject")
    page.locator("#type-hand").tap()
    expect(page.locator("#sheet")).to_be_visible()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    expect(page.locator("#notice")).to_be_hidden()
    page.go_back()
    expect(page.locator("#take")).to_be_visible()
    expect(page.locator("#camera-start")).to_be_visible()
    page.evaluate("delete navigator.mediaDevices.getUserMedia")


def test_a_file_that_is_no_photo_is_refused_in_the_language_of_the_page(page: Page) -> None:
    page.evaluate("window.whole = null")  # the server reads what comes
    for language, sentence in (("en", "is not an image"), ("ja", "画像ではありません")):
        speak(page, language)
        give(page, {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"123m456p"})
        expect(page.locator("#notice")).to_contain_text(sentence)
    give(page, sample_path())  # the next photo is read without it
    expect(page.locator("#check")).to_be_visible()


def test_a_hand_typed_and_one_without_yaku(page: Page) -> None:
    page.locator("#type-hand").tap()
    tap(page, "add-closed")
    for label in labels("123m456p789s2255z"):
        tap(page, f"key-{label}")  # touch by touch, here and in WebKit
    tap(page, "close")
    expect(page.locator("#bar")).to_contain_text("13 of 14 tiles")
    expect(page.locator("#bar")).to_contain_text("Which tile won?")
    tap(page, "way")
    tap(page, "wait-2z")  # what the thirteen tiles wait on stands first
    seats = ("dealer-no", "seat_wind-N", "seat_wind-W", "round_wind-E")
    answer(page, *seats, *USUAL)
    expect(page.locator("#points")).to_contain_text("no yaku")
    expect(page.locator("#reasons")).to_contain_text("What is missing")


def test_dora_by_number_what_is_assumed_and_the_words(page: Page) -> None:
    typed(page, "234m345567p2267s", "8s")
    tap(page, "way")  # the score so far
    expect(page.locator("#notes")).to_contain_text("Assumed: not the dealer, no riichi, ron, no dora")
    page.go_back()
    expect(page.locator("#check")).to_be_visible()
    answer(page, "dora_indicators-2", "ura_indicators-none", "riichi-yes", *USUAL)
    expect(page.locator("#points")).to_have_text("8,000points")
    expect(page.locator("#notes")).to_have_text("Rules: EMA Riichi 2008. ")
    expect(page.locator("#headline")).to_contain_text("5 han")
    page.locator("#open-settings").tap()
    page.locator("#terms label").nth(1).tap()
    page.locator("#settings .tool").first.tap()
    expect(page.locator("#headline")).to_contain_text("5 fan")


def typed(page: Page, closed: str, win: str) -> None:
    """Types a hand and goes on to what is asked about it."""
    page.locator("#type-hand").tap()
    tap(page, "add-closed")
    press(page, labels(closed))
    tap(page, "close")
    tap(page, "way")
    tap(page, f"wait-{win}")
    expect(page.locator("#questions .question").first).to_be_visible()


def test_what_is_said_of_indicators_goes_with_their_tiles(page: Page) -> None:
    typed(page, "234m345567p2267s", "8s")
    strip = page.locator('[data-field="dora_indicators"]')
    held = Held(page, "**/api/score")
    tap(page, "sort")
    held.came()
    strip.locator("summary").tap()
    asked = strip.element_handle()
    held.let_go()
    page.wait_for_function("asked => !asked.isConnected", arg=asked)
    strip.locator('[data-key="key-3m"]').tap()  # what was opened before the answer stays open
    tap(page, "dora_indicators-done")
    expect(page.locator("#given")).to_contain_text("Dora")
    tap(page, "undo")  # to the hand before it was sorted, which had none
    expect(page.locator("#given")).not_to_contain_text("Dora")
    tap(page, "dora_indicators-2")
    expect(page.locator("#given")).to_contain_text("2 dora")
    tap(page, "add-dora")
    tap(page, "key-3m")  # one of the two, which counts once
    expect(page.locator("#given")).not_to_contain_text("2 dora")


def test_own_discards_forbid_a_ron(page: Page) -> None:
    typed(page, "234m345567p2267s", "8s")
    tap(page, "dora_indicators-2")
    expect(page.locator("#given")).to_contain_text("Dora indicators2 dora")
    settled(page, "dora_indicators")
    discards = page.locator(".discards")
    there = discards.element_handle()
    tap(page, "tsumo-ron")
    expect(page.locator("#given")).to_contain_text("WonRon")
    settled(page, "tsumo")
    assert there is not None and there.evaluate("one => one.isConnected")  # a touch may have begun on it
    discards.locator("summary").tap()
    discards.locator('[data-key="key-5s"]').tap()
    expect(page.locator("#bar")).to_contain_text("5s is among your own discards")
    expect(page.locator("#questions")).to_have_text("")  # and not that the score is settled
    expect(page.locator('[data-key="way"]')).to_contain_text("How was it won?")
    tap(page, "way")
    expect(page.locator("#given")).to_be_in_viewport()
    page.set_viewport_size({"width": 320, "height": 740})
    for language in ("ja", "en"):
        speak(page, language)
        covers_nothing(page)
    page.set_viewport_size(PHONE["viewport"])
    tap(page, "change-tsumo")
    expect(page.locator("#inferred")).to_contain_text("It was a self-draw")
    tap(page, "discard-0")
    expect(page.locator('[data-field="tsumo"]')).to_be_visible()


def covers_nothing(page: Page) -> None:
    """The long reason at the bottom of a narrow phone."""
    expect(page.locator("#bar .wrong")).to_be_visible()
    painted(page)  # the page then knows how high its bar is
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert bottom(page, "#rules-answer") <= top(page, "#bar")
    page.locator(".held").first.tap()
    expect(page.locator("#sheet")).to_be_visible()
    painted(page)
    assert bottom(page, "#sheet") <= top(page, "#bar") + 1  # of a pixel
    tap(page, "close")


def top(page: Page, place: str) -> float:
    return float(page.evaluate("(place) => document.querySelector(place).getBoundingClientRect().top", place))


def bottom(page: Page, place: str) -> float:
    return float(
        page.evaluate("(place) => document.querySelector(place).getBoundingClientRect().bottom", place)
    )


def test_three_players_on_a_narrow_phone(browser: Browser, server: Server) -> None:
    device = {**PHONE, "viewport": {"width": 320, "height": 740}}
    context = browser.new_context(**device, locale="en-GB", reduced_motion="reduce")
    page = open_page(context, server.url)
    page.locator("#rules-take").select_option("tenhou3")
    typed(page, "111m345567p2267s", "8s")
    answers = ("nukidora-2", "tsumo-tsumo", "ura_indicators-none", "riichi-yes", *USUAL)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    answer(page, *answers)
    expect(page.locator("#pays")).to_contain_text("The dealer pays3,900The other player pays2,000")
    expect(page.locator("#points")).to_have_text("5,900points")
    page.go_back()
    expect(page.locator("#given")).to_contain_text("Set asideTwo")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    tap(page, "step-score")
    tap(page, "way")
    typed(page, "111m345567p2267s", "8s")
    expect(page.locator('[data-field="dealer"]')).to_be_visible()  # another hand may be another seat's
    expect(page.locator("#given")).to_have_text("")
    context.close()
