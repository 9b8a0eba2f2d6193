"""The page in a real browser: from the photo to the score, and everything that a player can do on the way."""

from __future__ import annotations

import base64
import json
import re
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, get_args

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, Route, TimeoutError, expect

from tehai.hand.sample import sample_path
from tehai.web.phrases import of_questions
from tests.end_to_end.looks import COLOURS, OUTSIDE, Theme, faults
from tests.end_to_end.page import (
    BREAKS_OFF,
    PHONE,
    USUAL,
    Server,
    answer,
    begin,
    open_page,
    painted,
    press,
    scored_sample,
    settled,
    tap,
    to_score,
    upload,
)

TEHAI = Path(__file__).resolve().parent.parent.parent / "tehai"
STATIC = TEHAI / "web" / "static"
SHARED = TEHAI / "server" / "static"
SAMPLE = "234m067p3488s5s777z"
"""The tiles of the sample photo from left to right."""


TILES = """[...document.querySelectorAll(".group:not(.dora, .ura) .held .tile img")]
    .map((face) => face.getAttribute("src").replace(/.*[/]|[.]svg/g, ""))"""


def tiles(page: Page) -> list[str]:
    """The labels of hand, winning tile and melds as they are shown, in their order."""
    found: list[str] = page.evaluate(TILES)
    return found


def shows(page: Page, text: str) -> None:
    """Waits until these are the tiles: what a touch does comes after the touch."""
    wanted = labels(text)
    try:
        page.wait_for_function(f"wanted => {TILES}.join() === wanted", arg=",".join(wanted))
    except TimeoutError:
        assert tiles(page) == wanted
        raise


def labels(text: str) -> list[str]:
    return [rank + suit for ranks, suit in re.findall(r"(\d+)([mpsz])", text) for rank in ranks]


SCORE = "**/api/score"
"""Where the page asks what a hand is worth."""


def test_sample_photo_to_score_by_touch_in_few_taps(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    doubt_it(page, confidence=0.99)
    upload(page)
    shows(page, SAMPLE)
    expect(page.locator("#check-tools")).to_contain_text("All tiles clear")
    expect(page.locator("#bar")).to_contain_text("7,700–")  # to what depends on what a five may be
    assert to_score(page) <= 4
    expect(page.locator("#points")).to_have_text("7,700points")
    expect(page.locator("#headline")).to_have_text("4 han 30 fu")
    page.set_viewport_size({"width": 320, "height": 640})
    assert not page.evaluate(OUTSIDE)
    expect(page.locator("#pays")).to_contain_text("The discarder pays7,700")
    reasons = page.locator("#reasons")
    expect(reasons).to_contain_text("Dragon Triplet, red")
    expect(reasons.locator("li", has_text="Dragon Triplet").locator("img")).to_have_count(3)
    expect(reasons.locator("li", has_text="Open triplet").locator("img")).to_have_count(3)
    page.locator("#why > summary").tap()
    expect(page.locator("#lesson")).to_contain_text("double 30 fu twice")
    page.locator('[data-key="from-3"]').tap()
    expect(page.locator("#pays")).to_contain_text("The player on the left pays7,700")
    page.go_back()
    tap(page, "change-tsumo")  # and with it who discarded
    expect(page.locator('[data-field="tsumo"]')).to_be_visible()
    answer(page, "tsumo-tsumo")
    expect(page.locator("#pays")).to_contain_text(
        "The dealer pays3,900The other two players pay, 2,000 each4,000"
    )


def test_answers_show_what_they_are_worth_and_can_be_changed(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    upload(page)
    dealer = page.locator('[data-field="dealer"]')
    expect(dealer).to_contain_text("Dealer11,600")
    expect(dealer).to_contain_text("Not dealer7,700")
    tap(page, "dealer-no")
    expect(page.locator("#bar strong")).to_have_text("7,700")
    expect(dealer).to_have_count(0)
    tap(page, "honba1")
    tap(page, "change-dealer")
    expect(dealer).to_be_visible()
    tap(page, "dealer-yes")
    expect(dealer).to_have_count(0)
    expect(page.locator("#bar strong")).to_have_text("11,600")
    page.locator("#rules-answer").select_option("mleague")
    answer(page, *USUAL)
    expect(page.locator("#points")).to_have_text("12,000points")  # 4 han 30 fu are a mangan there
    expect(page.locator("#pays")).to_contain_text("of which 300 is for 1 counter")
    tap(page, "way")
    upload(page)
    expect(dealer).to_be_visible()  # another may have won this one
    expect(page.locator("#given")).to_have_text("")
    expect(page.locator("#table output").first).to_have_text("1")
    assert page.locator("#rules-answer").input_value() == "mleague"


def test_the_last_answer_is_scored_though_other_rules_overtake_it(
    phone: BrowserContext, server: Server
) -> None:
    page = open_page(phone, server.url)
    upload(page)
    to_score(page)
    page.go_back()
    tap(page, "change-dealer")
    expect(page.locator('[data-field="dealer"]')).to_be_visible()
    held = hold(page)
    with page.expect_request(SCORE):
        tap(page, "dealer-no")
    with page.expect_request(SCORE):
        page.locator("#rules-answer").select_option("mleague")
    let_go(page, held)
    expect(page.locator("#bar strong")).to_have_text("8,000")
    expect(page.locator(".question")).to_have_count(0)
    tap(page, "way")
    expect(page.locator("#points")).to_have_text("8,000points")


def test_what_comes_too_late_for_a_hand_leaves_the_next_alone(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    upload(page)
    to_score(page)
    page.go_back()
    held = hold(page)
    with page.expect_request(SCORE):
        tap(page, "honba1")
    tap(page, "way")
    expect(page.locator("#score")).to_be_visible()
    tap(page, "way")
    upload(page)
    with page.expect_response(SCORE):
        let_go(page, held)
    expect(page.locator('[data-field="dealer"]')).to_be_visible()


def hold(page: Page) -> list[Route]:
    """From now on requests for a score wait here."""
    held: list[Route] = []
    page.route(SCORE, lambda route: held.append(route))
    return held


def let_go(page: Page, held: list[Route]) -> None:
    """Requests for a score reach the server again, those held first."""
    for route in held:
        route.continue_()
    page.unroute(SCORE)


def test_corrections(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    upload(page)
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


DOUBTING = """(told) => {
    const fetched = window.fetch;
    window.regions = [];
    window.fetch = async (path, options) => {
        const answer = await fetched(path, options);
        if (path === "api/score" && answer.ok) {
            const scored = await answer.json();
            for (const name of Object.keys(scored.others ?? {})) scored.others[name] = true;
            return Response.json(scored);
        }
        if (path !== "api/read" || !answer.ok) return answer;
        const read = await answer.json();
        window.regions.push(options.body.get("region"));
        const [doubts, confidence] = window.regions.at(-1) ? [[], 0.99] : told;
        const names = read.reading.tiles.map((tile) => `${tile.label} ${tile.role}`);
        read.reading.doubts = doubts.map(([kind, name, instead]) => {
            return { kind, tiles: name ? [names.indexOf(name)] : [], text: "", instead };
        });
        read.reading.confidence = confidence;
        read.in_doubt = doubts.length > 0 || confidence < 0.98;
        return Response.json(read);
    };
}"""
"""Puts doubts into what the server says of a whole photo, has them matter, and keeps which regions were asked
for."""

Doubted = tuple[str, str, dict[str, Any] | None]
"""A doubt: its kind, label and role of the tile that it is about, what it may be instead."""


def doubt_it(page: Page, *doubts: Doubted, confidence: float = 0.7) -> None:
    """From now on the sample is read with these doubts."""
    page.evaluate(DOUBTING, [doubts, confidence])


def test_doubtful_tiles_come_first(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    doubt_it(page, ("face", "0p hand", {"label": "5p"}), ("face", "5s win", {"label": "0s"}))
    upload(page)
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


PUNG = {"type": "pon", "tiles": "777z", "from": 2}
WON_APART = {"hand": {"concealed": "234m067p348s5s", "win_tile": "8s", "melds": [PUNG]}}
"""The sample as if it had been won on 8s."""

ELSEWHERE = {
    "hand": {"concealed": "111m222p333s44z6s", "win_tile": "6s", "melds": []}, "region": [0, 0.1, 1, 1],
}  # fmt: skip
"""Another hand of the same photo."""


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en-GB", "Did 5 bamboos win, or 8 bamboos?"), ("ja", "和了牌は五索ですか、八索ですか。")],
)
def test_another_winning_tile_is_a_tap(
    browser: Browser, server: Server, language: str, sentence: str
) -> None:
    context = browser.new_context(**PHONE, locale=language, reduced_motion="reduce")
    page = open_page(context, server.url)
    doubt_it(page, ("win", "5s win", WON_APART))
    upload(page)
    doubt = page.locator("#doubts li")
    expect(doubt).to_contain_text(sentence)
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator('[data-group="win"] .held')).to_have_class("held doubt")
    for theme in get_args(Theme):
        page.emulate_media(color_scheme=theme)
        assert not faults(page, COLOURS)
    tap(page, "other-0")
    expect(doubt).to_have_count(0)
    expect(page.locator('[data-group="win"] img')).to_have_attribute("src", "tiles/8s.svg")
    expect(page.locator(".held.doubt")).to_have_count(0)
    assert sorted(tiles(page)) == sorted(labels(SAMPLE))
    tap(page, "undo")
    shows(page, SAMPLE)
    context.close()


def test_which_tile_won_is_asked_once_however_many_may_have(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    others = [
        {"hand": {"concealed": SAMPLE.replace("777z", "").replace(label, ""), "win_tile": label}}
        for label in ("2m", "7p", "3s")
    ]
    doubt_it(page, *(("win", "5s win", other) for other in others))
    upload(page)
    doubt = page.locator("#doubts li")
    expect(doubt).to_have_count(1)
    expect(doubt).to_contain_text("Which tile won?")
    expect(doubt.locator(".choice")).to_have_count(4)
    expect(page.locator("#check-tools")).to_contain_text("1 to check")
    doubt.locator(".choice").nth(2).tap()
    expect(doubt).to_have_count(0)
    expect(page.locator('[data-group="win"] img')).to_have_attribute("src", "tiles/7p.svg")
    assert sorted(tiles(page)) == sorted(labels(SAMPLE))


def test_an_honour_may_be_another_of_its_kind_and_not_what_no_picture_says(
    phone: BrowserContext, server: Server
) -> None:
    page = open_page(phone, server.url)
    upload(page)
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


@pytest.mark.parametrize("size", [(360, 740), (390, 664), (740, 360), (1200, 800)], ids=str)
def test_nothing_covers_the_photo_the_tile_in_question_or_how_many_are_in_doubt(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    device = {**PHONE, "viewport": {"width": size[0], "height": size[1]}}
    context = browser.new_context(**device, locale="en-GB", reduced_motion="reduce")
    page = open_page(context, server.url)
    doubt_it(page, ("face", "7z meld:0", {"label": "6z"}), confidence=0.5)
    upload(page)
    expect(page.locator("#sheet h2")).to_have_text("Tile 1: is it red dragon?")
    for _ in range(2):  # the first is in doubt, the other is touched
        page.wait_for_function(f"() => !({COVERED})('.held[aria-pressed=true]').length")
        for place in ("#photo", '[data-key="doubts"]', "#sheet h2", '#sheet [data-key="all"]'):
            assert page.evaluate(COVERED, place) == [], place
        page.locator(".held").nth(9).tap()
    context.close()


def test_another_hand_is_shown_and_read_in_its_region(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    doubt_it(page, ("hand", "", ELSEWHERE), ("face", "0p hand", {"label": "5p"}))
    upload(page)
    doubt = page.locator("#doubts li", has_text="Which one do you mean")
    expect(doubt.locator(".whole img")).to_have_count(13)
    expect(page.locator("#check-tools")).to_contain_text("2 to check")
    expect(page.locator("#sheet")).to_be_hidden()  # whose hand it is is graver than what a tile is
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    doubt.get_by_text("The other hand").tap()
    expect(page.locator("#check-tools")).to_contain_text("All tiles clear")
    assert page.evaluate("window.regions") == [None, "0,0.1,1,1"]
    expect(doubt).to_have_count(0)


def test_another_hand_is_taken_by_a_touch_of_the_photo(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    doubt_it(page, ("hand", "", ELSEWHERE))
    upload(page)
    box = page.locator("#photo").bounding_box()
    assert box is not None
    page.locator("#photo").tap(position={"x": box["width"] / 2, "y": box["height"] - 12})
    expect(page.locator("#check-tools")).to_contain_text("All tiles clear")
    assert page.evaluate("window.regions") == [None, "0,0.1,1,1"]
    tap(page, "unframe")
    expect(page.locator("#doubts li")).to_have_count(1)
    assert page.evaluate("window.regions") == [None, "0,0.1,1,1", None]


def test_a_frame_on_the_photo_says_where_the_hand_is(desktop: BrowserContext, server: Server) -> None:
    page = open_page(desktop, server.url)
    doubt_it(page, confidence=0.99)
    upload(page)
    page.locator('[data-key="whole"]').click()
    box = page.locator("#photo").bounding_box()
    assert box is not None
    left, right = box["x"] + box["width"] * 0.1, box["x"] + box["width"] * 0.6
    top, bottom = box["y"] + box["height"] * 0.5, box["y"] + box["height"] * 0.9
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move((left + right) / 2, (top + bottom) / 2)
    expect(page.locator("#frame")).to_be_visible()
    page.mouse.move(right, bottom)
    page.mouse.up()
    expect(page.locator('[data-key="unframe"]')).to_be_visible()
    expect(page.locator("#check")).to_be_visible()
    page.wait_for_function("() => window.regions.length === 2")
    first, framed = page.evaluate("window.regions")
    assert first is None
    assert [float(part) for part in framed.split(",")] == pytest.approx([0.1, 0.5, 0.6, 0.9], abs=0.01)


def test_a_hand_that_lacks_tiles_of_the_photo_asks_for_a_frame(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    doubt_it(page, confidence=0.99)
    upload(page)
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


def test_faces_stand_above_their_tiles_or_below_where_other_tiles_lie(
    phone: BrowserContext, server: Server
) -> None:
    free, below_others, upside_down = open_page(phone, server.url).evaluate(BESIDE)
    assert len(free) == 3 and all(y < 100 for y in free)
    assert len(below_others) == 3 and all(y > 140 for y in below_others)
    assert len(upside_down) == 3 and all(y > 140 for y in upside_down)  # above for who reads them


def test_what_is_in_doubt_can_be_left_as_it_is(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    doubt_it(page, ("face", "0p hand", None), ("left_out", "6z other", None), ("indicator", "", None))
    upload(page)
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


def test_a_tile_that_may_be_an_indicator_too_is_a_tap(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    hand = {"concealed": "234m067p3488s", "win_tile": "5s", "melds": [PUNG]}
    doubt_it(page, ("indicator", "6z other", {"hand": {**hand, "dora_indicators": ["7s", "6z"]}}))
    upload(page)
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


def test_a_reading_that_is_less_than_sure_says_how_sure_it_is(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    doubt_it(page, confidence=0.979)
    upload(page)
    expect(page.locator("#check-tools .doubt")).to_have_text("The whole reading is 97 % sure.")


def test_tiles_are_moved_by_drag_and_by_keyboard(desktop: BrowserContext, server: Server) -> None:
    page = open_page(desktop, server.url)
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


def test_live_view_takes_the_photo_by_itself_over_https(
    filming_phone: BrowserContext, secure_server: Server
) -> None:
    filming_phone.grant_permissions(["camera"])  # then the live view starts by itself
    page = open_page(filming_phone, secure_server.url)
    assert secure_server.url.startswith("https://")
    expect(page.locator("#check")).to_be_visible()
    expect(page.locator("#found")).to_have_text("14 of 14 tiles")
    shows(page, SAMPLE)
    assert page.evaluate("document.querySelector('#video').srcObject") is None  # the camera is off again
    tap(page, "camera")
    page.locator("#shutter").tap()
    expect(page.locator("#check")).to_be_visible()
    shows(page, SAMPLE)
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        urllib.request.urlopen(secure_server.url, timeout=5)


NO_PICTURE = """if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement("canvas");
    canvas.getContext("2d");
    return canvas.captureStream(0);
};"""
"""A camera that is there and shows nothing yet."""


def test_who_goes_on_before_the_camera_shows_anything_is_told_of_no_fault(
    phone: BrowserContext, server: Server
) -> None:
    phone.add_init_script(NO_PICTURE)
    page = open_page(phone, server.url)
    page.locator("#camera-start").tap()
    page.wait_for_function("document.querySelector('#video').srcObject")
    page.locator("#type-hand").tap()
    expect(page.locator("#sheet")).to_be_visible()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    expect(page.locator("#notice")).to_be_hidden()
    page.go_back()
    expect(page.locator("#take")).to_be_visible()
    expect(page.locator("#camera-start")).to_be_visible()


def frame_answer(*others: tuple[str, str], turn: int = 0, win: bool = True) -> dict[str, Any]:
    """What ``/api/find`` says of the sample's hand, with its winning tile or without, and of other tiles,
    each a role and a label. ``turn``: in which order tiles and indicators were found."""
    hand = [("hand", label) for label in labels("234m067p3488s")] + [("win", "5s")] * win
    hand += [("meld:0", "7z")] * 3
    seen = []
    for place, (role, label) in enumerate([*hand, *others]):
        x, y = (20 + 50 * place, 300) if place < len(hand) else (20 + 50 * (place - len(hand)), 20)
        seen.append(
            {"quad": [[x, y], [x + 40, y], [x + 40, y + 56], [x, y + 56]], "role": role, "label": label}
        )
    dora = [label for role, label in others if role == "dora"]
    record = {
        "concealed": "3488s234m067p" if turn else "234m067p3488s",
        "melds": [{"type": "pon", "tiles": "777z", "from": turn or None}],
        "dora_indicators": dora[::-1] if turn else dora,
        **({"win_tile": "5s"} if win else {}),
    }
    return {
        "width": 960, "height": 720, "tiles": [*seen[turn:], *seen[:turn]], "hand": record, "message": "",
        "status": "ok" if win else "incomplete", "waits": [] if win else ["2s", "5s"], "advice": [],
        "confidence": 0.99, "doubts": [],
    }  # fmt: skip


def film_of(page: Page, *answers: dict[str, Any]) -> list[int]:
    """The live view gets these answers over and over; returns a list that grows with each."""
    sent: list[int] = []

    def tell(route: Route) -> None:
        sent.append(len(sent) % len(answers))
        route.fulfill(json=answers[sent[-1]])

    page.route("**/api/find", tell)
    return sent


def without_the_winning_tile(route: Route) -> None:
    """What the server answers to the sample, as if its winning tile lay elsewhere, without doubts."""
    answer = route.fetch().json()
    del answer["reading"]["hand"]["win_tile"]
    answer["reading"]["tiles"] = [one for one in answer["reading"]["tiles"] if one["role"] != "win"]
    answer["reading"]["doubts"] = []
    answer |= {"result": None, "range": None, "questions": []}
    answer["tiles"] = {"count": 13, "wanted": 14, "waits": ["2s", "5s"]}
    route.fulfill(json=answer)


@pytest.mark.parametrize(
    "frames",
    [
        [frame_answer(("other", "1m")), frame_answer(("other", "9s")), frame_answer(("other", "back"))],
        [frame_answer(("dora", "1z"), ("dora", "9m"), turn=turn) for turn in (0, 1, 2, 3)],
        [frame_answer(("other", "1m")), frame_answer(("dora", "1m"))],
    ],
    ids=[
        "other tiles are read otherwise",
        "tiles are found in another order",
        "a river tile's role flickers",
    ],
)
def test_what_does_not_count_does_not_hold_the_shutter(
    filming_phone: BrowserContext, secure_server: Server, frames: list[dict[str, Any]]
) -> None:
    filming_phone.grant_permissions(["camera"])
    page = filming_phone.new_page()
    sent = film_of(page, *frames)
    begin(page, secure_server.url)
    expect(page.locator("#check")).to_be_visible()
    assert 3 <= len(sent) <= 8


def test_a_hand_that_is_read_otherwise_in_every_frame_holds_the_shutter(
    filming_phone: BrowserContext, secure_server: Server
) -> None:
    filming_phone.grant_permissions(["camera"])
    page = filming_phone.new_page()
    others = [frame_answer(("dora", f"{rank}m")) for rank in range(1, 10)]
    sent = film_of(page, *others)
    begin(page, secure_server.url)
    expect(page.locator("#advice")).to_have_text("All there. Hold still…")
    while len(sent) <= 2 * len(others):
        page.wait_for_timeout(100)
    expect(page.locator("#check")).to_be_hidden()


def test_the_live_view_dashes_what_is_in_doubt(filming_phone: BrowserContext, secure_server: Server) -> None:
    filming_phone.grant_permissions(["camera"])
    page = filming_phone.new_page()
    page.add_init_script(
        """const { setLineDash } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.setLineDash = function (dashes) {
            if (dashes.length) document.documentElement.dataset.dashed = "yes";
            setLineDash.call(this, dashes);
        };"""
    )
    doubt = {"kind": "face", "tiles": [3], "text": "", "instead": {"label": "5p"}}
    frame = frame_answer() | {"advice": [{"id": "still", "text": ""}]}  # holds the shutter
    sent = film_of(page, frame, frame | {"doubts": [doubt]})
    begin(page, secure_server.url)
    expect(page.locator("html[data-dashed]")).to_have_count(1)
    assert len(sent) >= 2


def test_thirteen_tiles_in_the_live_view_offer_what_they_wait_on(
    filming_phone: BrowserContext, secure_server: Server
) -> None:
    filming_phone.grant_permissions(["camera"])
    page = filming_phone.new_page()
    film_of(page, frame_answer(win=False))
    page.route("**/api/read", without_the_winning_tile)
    begin(page, secure_server.url)
    offered = page.locator("#waits [data-key]")
    expect(offered).to_have_count(2)
    expect(page.locator("#advice")).to_have_text("One tile short: tap the one that won")
    tap(page, "won-5s")
    expect(page.locator("#check")).to_be_visible()
    shows(page, SAMPLE)
    expect(page.locator("#bar")).to_contain_text("7,700")
    expect(page.locator("#sheet")).to_be_hidden()
    tap(page, "undo")
    expect(page.locator("#bar")).to_contain_text("13 of 14 tiles")


def test_thirteen_tiles_of_a_photo_open_what_they_wait_on(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    page.route("**/api/read", without_the_winning_tile)
    page.locator("#try-sample").tap()
    expect(page.locator("#sheet h2")).to_have_text("Add a tile: Winning tile")
    tap(page, "wait-5s")
    shows(page, SAMPLE)
    expect(page.locator("#bar")).to_contain_text("7,700")
    expect(page.locator("#sheet")).to_be_hidden()


def test_a_page_that_is_not_secure_says_what_it_cannot(phone: BrowserContext, server: Server) -> None:
    phone.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page = open_page(phone, server.url)
    expect(page.locator("#insecure")).to_contain_text("The live view needs a secure page")
    expect(page.locator("#camera-start")).to_be_hidden()
    page.locator("#open-settings").tap()
    expect(page.locator("#offline")).to_contain_text("needs the laptop to open")


def test_share_link_and_picture(phone: BrowserContext, server: Server) -> None:
    phone.grant_permissions(["clipboard-read", "clipboard-write"])
    page = open_page(phone, server.url)
    asked: list[str] = []
    page.evaluate("navigator.share = undefined; navigator.canShare = undefined")
    upload(page)
    to_score(page)
    expect(page.locator("#reasons")).to_contain_text("Dragon Triplet")
    page.wait_for_function("() => performance.getEntriesByName(new URL('score/picture.js', location)).length")
    phone.route("**/*.js", Route.abort)  # what draws it came with the score: the server may be gone by now
    with page.expect_download() as download:
        tap(page, "image")
    phone.unroute("**/*.js")
    assert download.value.suggested_filename == "tehai-7700.png"
    picture = Image.open(download.value.path())
    assert picture.width == 1080
    assert len(picture.convert("RGB").getcolors(1 << 24) or []) > 500  # tiles and text, no empty sheet
    tap(page, "link")
    expect(page.locator("#shared")).to_contain_text("The link is copied")
    link = page.evaluate("navigator.clipboard.readText()")
    address, fragment = link.split("#hand=")
    assert address == server.url
    held = json.loads(base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4)))
    assert held["tiles"]["concealed"] == "234m067p3488s"
    other = phone.new_page()
    other.on("request", lambda request: asked.append(request.url))
    other.goto(link)
    expect(other.locator("#points")).to_have_text("7,700points")
    assert not any("hand=" in url for url in asked)


def test_an_answer_that_breaks_off_is_asked_for_again(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    upload(page)
    page.evaluate(BREAKS_OFF, "api/score")
    to_score(page)
    expect(page.locator("#points")).to_have_text("7,700points")


def test_history_keeps_the_evening_and_exports_it(
    phone: BrowserContext, server: Server, tmp_path: Path
) -> None:
    page = open_page(phone, server.url)
    scored_sample(page)
    page.locator("#open-history").tap()
    expect(page.locator("#history-list li")).to_have_count(1)
    with page.expect_download() as download:
        page.locator("#history-tools button").first.tap()
    lines = [json.loads(line) for line in Path(download.value.path()).read_text().splitlines()]
    assert [(line["concealed"], line["x_result"]["points"]) for line in lines] == [("234m067p3488s", 7700)]
    page.locator("#history-list .past").tap()
    expect(page.locator("#points")).to_have_text("7,700points")
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("#open-history").tap()
    page.locator("#history-tools button").last.tap()
    expect(page.locator("#history-list")).to_have_text("No hand yet.")
    from tehai.hand.batch import run_batch

    (tmp_path / "evening.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert (
        run_batch(str(tmp_path / "evening.jsonl"), tmp_path / "out.jsonl", resume=False, start=1).summary()
        == ""
    )
    assert json.loads((tmp_path / "out.jsonl").read_text())["points"] == 7700


SLOW_DATABASE = """
Object.defineProperty(IDBTransaction.prototype, "oncomplete", {
	set(act) { this.addEventListener("complete", (event) => setTimeout(() => act(event), 2000)); },
});
"""
"""A phone whose database answers late, so that a hand is on its way into it when the list is asked for."""


def test_history_has_a_hand_whose_lesson_is_still_to_come(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    page.route("**/api/lesson", lambda route: None)
    upload(page)
    to_score(page)
    page.locator("#open-history").tap()
    expect(page.locator("#history-list .past")).to_have_count(1)


def test_history_has_a_hand_that_is_still_being_written(phone: BrowserContext, server: Server) -> None:
    phone.add_init_script(SLOW_DATABASE)
    page = open_page(phone, server.url)
    scored_sample(page)
    page.locator("#open-history").tap()
    expect(page.locator("#history-tools button").first).to_be_visible()
    assert page.locator("#history-list .past").count() == 1  # once there is a list, it has the hand


def test_a_reload_in_the_middle_loses_nothing(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    upload(page)
    page.locator(".held").nth(3).tap()
    tap(page, "red")
    tap(page, "close")
    expect(page.locator("#bar strong")).to_have_text("3,900")
    page.reload()
    expect(page.locator("#check")).to_be_visible()
    shows(page, "234m567p3488s5s777z")
    assert page.locator("#photo").evaluate("canvas => canvas.width") > 300
    expect(page.locator("#photo")).to_be_visible()
    tap(page, "dealer-no")
    expect(page.locator("#bar strong")).to_have_text("3,900")
    page.reload()
    expect(page.locator("#given")).to_contain_text("DealerNot dealer")
    answer(page, *USUAL)
    page.reload()
    expect(page.locator("#points")).to_have_text("3,900points")
    page.go_back()
    expect(page.locator("#check")).to_be_visible()


def test_a_server_that_is_gone_and_comes_back(keeping_phone: BrowserContext, server: Server) -> None:
    page = open_page(keeping_phone, server.url)
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    server.stop()
    page.set_input_files("#from-camera", sample_path())
    expect(page.locator("#notice")).to_contain_text("does not answer. Nothing is lost")
    assert not faults(page, COLOURS)
    page.reload()  # the service worker has the page
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#notice")).to_contain_text("does not answer. Nothing is lost")
    page.locator("#open-settings").tap()
    expect(page.locator("#offline")).to_contain_text("opens without the laptop")
    page.locator("#settings .tool").tap()
    server.start()
    expect(page.locator("#check")).to_be_visible()
    shows(page, SAMPLE)
    expect(page.locator("#notice")).to_be_hidden()


def words_of(language: str) -> dict[str, str]:
    """The page's own words by key: ``check.title`` stands in the group ``check``."""
    groups = json.loads((STATIC / "lang" / f"{language}.json").read_text())
    return {
        f"{group}.{name}": text
        for group, entry in groups.items()
        for name, text in (entry if isinstance(entry, dict) else {"": entry}).items()
    }


def test_languages_have_the_same_words_and_change_at_once(phone: BrowserContext, server: Server) -> None:
    words = {code: {**words_of(code), **of_questions(code)} for code in ("en", "ja")}
    assert words["en"].keys() == words["ja"].keys()
    for key, text in words["en"].items():
        assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", words["ja"][key])), key
    page = open_page(phone, server.url)
    doubt_it(page, confidence=0.99)
    upload(page)
    page.locator("#open-settings").tap()
    page.get_by_label("日本語").tap()
    page.locator("#settings .tool").tap()
    expect(page.locator("#check-tools")).to_contain_text("すべて確実")
    assert page.evaluate("document.documentElement.lang") == "ja"
    to_score(page)
    expect(page.locator("#headline")).to_have_text("4翻 30符")
    expect(page.locator("#pays")).to_contain_text("放銃者の支払い")
    expect(page.locator("#reasons")).to_contain_text("役牌 中")
    expect(page.locator("#rules-settings")).to_contain_text("天鳳（三人打ち）")
    expect(page.locator("#notes")).to_contain_text("Mリーグでは8,000点（満貫）")
    page.reload()
    expect(page.locator("#headline")).to_have_text("4翻 30符")


def test_a_file_that_is_no_photo_is_refused_in_the_language_of_the_page(
    phone: BrowserContext, server: Server
) -> None:
    page = open_page(phone, server.url)
    for language, sentence in (("English", "is not an image"), ("日本語", "画像ではありません")):
        page.locator("#open-settings").tap()
        page.get_by_label(language).tap()
        page.locator("#settings .tool").tap()
        page.set_input_files(
            "#from-camera", {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"123m456p"}
        )
        expect(page.locator("#notice")).to_contain_text(sentence)
    page.set_input_files("#from-camera", sample_path())  # the next photo is read without it
    expect(page.locator("#check")).to_be_visible()


@pytest.mark.parametrize("theme", get_args(Theme))
def test_every_screen_is_accessible_and_fits_a_phone(browser: Browser, server: Server, theme: Theme) -> None:
    context = browser.new_context(**PHONE, locale="en-GB", color_scheme=theme, reduced_motion="reduce")
    page = open_page(context, server.url)

    rules = COLOURS if theme == "dark" else {}

    def look(name: str) -> None:
        assert not faults(page, rules), name
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
        small = page.evaluate(
            """[...document.querySelectorAll("button, select, summary, label.upload, .option")]
            .filter(one => one.offsetParent && !one.closest("[hidden]"))
            .map(one => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
            .filter(([, box]) => box.width < 44 || box.height < 44).map(([html]) => html)"""
        )
        assert not small, (name, small)

    look("take")
    upload(page)
    look("check")
    page.locator(".held").nth(3).tap()
    look("sheet")
    tap(page, "all")
    look("keypad")
    tap(page, "close")
    tap(page, "tsumo-ron")
    expect(page.locator("#given")).to_contain_text("WonRon")
    look("answered")
    answer(page, *USUAL)
    expect(page.locator("#reasons")).to_contain_text("Dragon Triplet")
    page.locator("#why > summary").tap()
    look("score")
    page.locator("#open-history").tap()
    look("history")
    page.locator("#history .tool").first.tap()
    page.locator("#open-settings").tap()
    look("settings")
    context.close()


def test_a_hand_typed_and_one_without_yaku(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
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


def test_dora_by_number_what_is_assumed_and_the_words(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
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


def test_own_discards_forbid_a_ron(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    typed(page, "234m345567p2267s", "8s")
    tap(page, "dora_indicators-2")
    expect(page.locator("#given")).to_contain_text("Dora indicators2 dora")
    settled(page, "dora_indicators")
    tap(page, "tsumo-ron")
    expect(page.locator("#given")).to_contain_text("WonRon")
    settled(page, "tsumo")
    page.locator(".discards summary").tap()
    page.locator(".discards").locator('[data-key="key-5s"]').tap()
    expect(page.locator("#bar")).to_contain_text("5s is among your own discards")
    expect(page.locator("#questions")).to_have_text("")  # and not that the score is settled
    tap(page, "change-tsumo")
    expect(page.locator("#inferred")).to_contain_text("It was a self-draw")
    tap(page, "discard-0")
    expect(page.locator('[data-field="tsumo"]')).to_be_visible()


def top(page: Page, place: str) -> float:
    return float(page.evaluate("(place) => document.querySelector(place).getBoundingClientRect().top", place))


def bottom(page: Page, place: str) -> float:
    return float(
        page.evaluate("(place) => document.querySelector(place).getBoundingClientRect().bottom", place)
    )


def narrow(browser: Browser, width: int, language: str = "en-GB") -> BrowserContext:
    device = {**PHONE, "viewport": {"width": width, "height": 740}}
    return browser.new_context(**device, locale=language, reduced_motion="reduce")


@pytest.mark.parametrize("language", ["en-GB", "ja-JP"])
def test_a_long_reason_covers_nothing_on_a_narrow_phone(
    browser: Browser, server: Server, language: str
) -> None:
    context = narrow(browser, 320, language)
    page = open_page(context, server.url)
    typed(page, "234m345567p2267s", "8s")
    tap(page, "tsumo-ron")
    settled(page, "tsumo")
    page.locator(".discards summary").tap()
    page.locator(".discards").locator('[data-key="key-5s"]').tap()
    expect(page.locator("#bar .wrong")).to_be_visible()
    painted(page)  # the page then knows how high its bar is
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert bottom(page, "#rules-answer") <= top(page, "#bar")
    page.locator(".held").first.tap()
    expect(page.locator("#sheet")).to_be_visible()
    painted(page)
    assert bottom(page, "#sheet") <= top(page, "#bar") + 1  # of a pixel
    context.close()


@pytest.mark.parametrize("width", [320, 390])
def test_three_players_on_any_phone(browser: Browser, server: Server, width: int) -> None:
    context = narrow(browser, width)
    page = open_page(context, server.url)
    page.locator("#rules-take").select_option("tenhou3")
    typed(page, "111m345567p2267s", "8s")
    answers = ("nukidora-2", "tsumo-tsumo", "ura_indicators-none", "riichi-yes", *USUAL)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    answer(page, *answers)
    expect(page.locator("#pays")).to_contain_text("The dealer pays3,900The other player pays2,000")
    expect(page.locator("#points")).to_have_text("5,900points")
    page.go_back()
    expect(page.locator("#given")).to_contain_text("Set asideTwo")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    tap(page, "step-score")
    tap(page, "way")
    typed(page, "111m345567p2267s", "8s")
    expect(page.locator('[data-field="dealer"]')).to_be_visible()  # another hand may be another seat's
    expect(page.locator("#given")).to_have_text("")
    context.close()


def test_the_page_is_whole() -> None:
    files = {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*") if path.is_file()}
    files |= {f"shared/{path.name}": path for path in SHARED.iterdir()}
    kept = (STATIC / "sw.js").read_text()
    manifest = json.loads((STATIC / "manifest.webmanifest").read_text())
    shown = {one["src"] for one in manifest["screenshots"]}  # before the page is installed, by the network
    by_folder = re.findall(r"\[(.*)\]\.map\(\(name\) => `(.*)\$\{name\}(.*)`\)", kept)
    listed = {f"{room}{name}{end}" for names, room, end in by_folder for name in json.loads(f"[{names}]")}
    assert listed <= files.keys()
    for name in files:
        if name not in ("index.html", "sw.js", *shown) and not name.startswith("lang/"):
            assert f'"{name}"' in kept or name in listed, name
    text = "".join(path.read_text() for path in files.values() if path.suffix != ".png")
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)[^\s\"'`]+", text)
