"""The page in a real browser: from the photo to the score, and everything that a player can do on the way."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import BrowserContext, Page, Route, TimeoutError, expect

from tehai.hand.batch import run_batch
from tehai.hand.sample import sample_path
from tehai.web.phrases import of_questions
from tests.end_to_end.looks import OUTSIDE, is_good
from tests.end_to_end.page import (
    BREAKS_OFF,
    USUAL,
    Held,
    Server,
    answer,
    give,
    kept,
    open_page,
    painted,
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


DOUBTING = """(told) => {
    const isThere = "told" in window;
    Object.assign(window, { told, regions: [] });
    if (isThere) return;
    const fetched = window.fetch;
    window.fetch = async (path, options) => {
        const region = path === "api/read" && options.body.get("region");
        const isKnown = path === "api/read" && !region && window.whole;
        const answer = isKnown ? new Response(window.whole) : await fetched(path, options);
        if (path === "api/score" && answer.ok) {
            const scored = await answer.json();
            for (const name of Object.keys(scored.others ?? {})) scored.others[name] = true;
            return Response.json(scored);
        }
        if (path !== "api/read" || !answer.ok) return answer;
        const text = await answer.text();
        if (!region) window.whole = text;
        window.regions.push(region);
        const read = JSON.parse(text);
        const [doubts, confidence] = region ? [[], 0.99] : window.told;
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
for. What the server says is the same each time, so it reads the photo once."""

Doubted = tuple[str, str, dict[str, Any] | None]
"""A doubt: its kind, label and role of the tile that it is about, what it may be instead."""


def doubt_it(page: Page, *doubts: Doubted, confidence: float = 0.7) -> None:
    """From now on the sample is read with these doubts."""
    page.evaluate(DOUBTING, [doubts, confidence])


PUNG = {"type": "pon", "tiles": "777z", "from": 2}
WON_APART = {"hand": {"concealed": "234m067p348s5s", "win_tile": "8s", "melds": [PUNG]}}
"""The sample as if it had been won on 8s."""


def test_sample_photo_to_score_by_touch_in_few_taps(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    doubt_it(page, confidence=0.99)
    is_good(page)
    upload(page)
    shows(page, SAMPLE)
    expect(page.locator("#check-tools")).to_contain_text("All tiles clear")
    expect(page.locator("#bar")).to_contain_text("7,700–")  # to what depends on what a five may be
    is_good(page)
    page.locator(".held").nth(3).tap()
    is_good(page)
    tap(page, "close")
    assert to_score(page) <= 4
    the_score(page)
    who_pays(page)
    in_japanese(page)


def the_score(page: Page) -> None:
    """What the sample is worth, why, and how that is reckoned."""
    expect(page.locator("#points")).to_have_text("7,700points")
    expect(page.locator("#headline")).to_have_text("4 han 30 fu")
    expect(page.locator("#pays")).to_contain_text("The discarder pays7,700")
    reasons = page.locator("#reasons")
    expect(reasons).to_contain_text("Dragon Triplet, red")
    expect(reasons.locator("li", has_text="Dragon Triplet").locator("img")).to_have_count(3)
    expect(reasons.locator("li", has_text="Open triplet").locator("img")).to_have_count(3)
    page.locator("#why > summary").tap()
    expect(page.locator("#lesson")).to_contain_text("double 30 fu twice")
    is_good(page)
    page.set_viewport_size({"width": 320, "height": 640})
    assert not page.evaluate(OUTSIDE)


def who_pays(page: Page) -> None:
    """By whom it was won and how, which can be changed."""
    page.locator('[data-key="from-3"]').tap()
    expect(page.locator("#pays")).to_contain_text("The player on the left pays7,700")
    page.go_back()
    tap(page, "change-tsumo")  # and with it who discarded
    expect(page.locator('[data-field="tsumo"]')).to_be_visible()
    answer(page, "tsumo-tsumo")
    expect(page.locator("#pays")).to_contain_text(
        "The dealer pays3,900The other two players pay, 2,000 each4,000"
    )
    page.go_back()
    tap(page, "change-tsumo")
    expect(page.locator('[data-field="tsumo"]')).to_be_visible()
    answer(page, "tsumo-ron")


def in_japanese(page: Page) -> None:
    """Another language holds at once, on every screen, and after a reload."""
    page.locator("#open-settings").tap()
    page.get_by_label("日本語").tap()
    page.locator("#settings .tool").tap()
    expect(page.locator("#headline")).to_have_text("4翻 30符")
    assert page.evaluate("document.documentElement.lang") == "ja"
    expect(page.locator("#pays")).to_contain_text("放銃者の支払い")
    expect(page.locator("#reasons")).to_contain_text("役牌 中")
    expect(page.locator("#rules-settings")).to_contain_text("天鳳（三人打ち）")
    expect(page.locator("#notes")).to_contain_text("Mリーグでは8,000点（満貫）")
    page.reload()
    expect(page.locator("#headline")).to_have_text("4翻 30符")
    page.go_back()
    expect(page.locator("#check-tools")).to_contain_text("すべて確実")


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
    by_rules_that_overtake_an_answer(page)
    too_late_for_the_next_hand(page)
    expect(dealer).to_be_visible()  # another may have won this one
    expect(page.locator("#given")).to_have_text("")
    expect(page.locator("#table output").first).to_have_text("2")
    assert page.locator("#rules-answer").input_value() == "ema2008"


def by_rules_that_overtake_an_answer(page: Page) -> None:
    """The last answer is scored though other rules overtake it."""
    page.go_back()
    tap(page, "change-dealer")
    expect(page.locator('[data-field="dealer"]')).to_be_visible()
    held = Held(page, SCORE)
    tap(page, "dealer-no")
    held.came()
    page.locator("#rules-answer").select_option("ema2008")
    held.came(2)
    held.let_go()
    expect(page.locator("#bar strong")).to_have_text("7,700")
    expect(page.locator(".question")).to_have_count(0)
    tap(page, "way")
    expect(page.locator("#points")).to_have_text("7,700points")


def too_late_for_the_next_hand(page: Page) -> None:
    """What comes too late for a hand leaves the next alone."""
    page.go_back()
    held = Held(page, SCORE)
    tap(page, "honba1")
    held.came()
    tap(page, "way")
    expect(page.locator("#score")).to_be_visible()
    tap(page, "way")
    upload(page)
    with page.expect_response(SCORE):
        held.let_go()


def test_a_hand_outlives_reloads_and_is_handed_on(
    phone: BrowserContext, server: Server, tmp_path: Path
) -> None:
    phone.grant_permissions(["clipboard-read", "clipboard-write"])
    page = open_page(phone, server.url)
    upload(page)
    through_reloads(page)
    page.evaluate("navigator.share = undefined; navigator.canShare = undefined")
    as_a_picture(page)
    as_a_link(page, server.url)
    as_a_file(page, tmp_path)


def through_reloads(page: Page) -> None:
    """A reload in the middle loses nothing, nor does an answer that breaks off: it is asked for again."""
    page.locator(".held").nth(3).tap()
    tap(page, "red")
    tap(page, "close")
    expect(page.locator("#bar strong")).to_have_text("3,900")
    tap(page, "dealer-no")
    expect(page.locator("#bar strong")).to_have_text("3,900")
    page.reload()
    expect(page.locator("#check")).to_be_visible()
    shows(page, "234m567p3488s5s777z")
    assert page.locator("#photo").evaluate("canvas => canvas.width") > 300
    expect(page.locator("#photo")).to_be_visible()
    expect(page.locator("#given")).to_contain_text("DealerNot dealer")
    page.evaluate(BREAKS_OFF, "api/score")
    answer(page, *USUAL)
    kept(page, 1)
    page.reload()
    expect(page.locator("#points")).to_have_text("3,900points")
    expect(page.locator("#reasons")).to_contain_text("Dragon Triplet")


def as_a_picture(page: Page) -> None:
    """What draws it came with the score: the server may be gone by now."""
    page.wait_for_function("() => performance.getEntriesByName(new URL('score/picture.js', location)).length")
    page.context.route("**/*.js", Route.abort)
    with page.expect_download() as download:
        tap(page, "image")
    page.context.unroute("**/*.js")
    assert download.value.suggested_filename == "tehai-3900.png"
    picture = Image.open(download.value.path())
    assert picture.width == 1080
    assert len(picture.convert("RGB").getcolors(1 << 24) or []) > 500  # tiles and text, no empty sheet


def as_a_link(page: Page, home: str) -> None:
    """It holds the hand, and no server hears of it."""
    asked: list[str] = []
    tap(page, "link")
    expect(page.locator("#shared")).to_contain_text("The link is copied")
    link = page.evaluate("navigator.clipboard.readText()")
    address, fragment = link.split("#hand=")
    assert address == home
    held = json.loads(base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4)))
    assert held["tiles"]["concealed"] == "234m567p3488s"
    other = page.context.new_page()
    other.on("request", lambda request: asked.append(request.url))
    other.goto(link)
    expect(other.locator("#points")).to_have_text("3,900points")
    assert asked and not any("hand=" in url for url in asked)
    other.close()


def as_a_file(page: Page, folder: Path) -> None:
    """The evening's hands as lines that ``tehai batch`` reads; then none is left."""
    page.locator("#open-history").tap()
    expect(page.locator("#history-list li")).to_have_count(1)
    with page.expect_download() as download:
        page.locator("#history-tools button").first.tap()
    lines = [json.loads(line) for line in Path(download.value.path()).read_text().splitlines()]
    assert [(line["concealed"], line["x_result"]["points"]) for line in lines] == [("234m567p3488s", 3900)]
    page.locator("#history-list .past").tap()
    expect(page.locator("#points")).to_have_text("3,900points")
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("#open-history").tap()
    page.locator("#history-tools button").last.tap()
    expect(page.locator("#history-list")).to_have_text("No hand yet.")
    (folder / "evening.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    batch = run_batch(str(folder / "evening.jsonl"), folder / "out.jsonl", resume=False, start=1)
    assert batch.summary() == ""
    assert json.loads((folder / "out.jsonl").read_text())["points"] == 3900


SLOW_DATABASE = """
Object.defineProperty(IDBTransaction.prototype, "oncomplete", {
	set(act) { this.addEventListener("complete", (event) => setTimeout(() => act(event), 2000)); },
});
"""
"""A phone whose database answers late, so that a hand is on its way into it when the list is asked for."""


def test_history_has_a_hand_that_is_still_being_written(phone: BrowserContext, server: Server) -> None:
    phone.add_init_script(SLOW_DATABASE)
    page = open_page(phone, server.url)
    page.route("**/api/lesson", lambda route: None)  # nor is its lesson there
    upload(page)
    to_score(page)
    page.locator("#open-history").tap()
    expect(page.locator("#history-tools button").first).to_be_visible()
    assert page.locator("#history-list .past").count() == 1  # once there is a list, it has the hand


def test_a_server_that_is_gone_and_comes_back(keeping_phone: BrowserContext, server: Server) -> None:
    page = open_page(keeping_phone, server.url)
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    server.stop()
    give(page, sample_path())
    expect(page.locator("#notice")).to_contain_text("does not answer. Nothing is lost")
    page.reload()  # the service worker has the page
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#notice")).to_contain_text("does not answer. Nothing is lost")
    page.locator("#open-settings").tap()
    expect(page.locator("#offline")).to_contain_text("opens without the laptop")
    page.locator("#settings .tool").tap()
    page.locator("#go-home").tap()
    tap(page, "learn")  # asks the server, too
    expect(page.locator("#notice")).to_contain_text("does not answer")
    server.start()
    expect(page.locator("#check")).to_be_visible()
    shows(page, SAMPLE)
    expect(page.locator("#notice")).to_be_hidden()


def test_the_language_that_was_chosen_last_stays(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    page.locator("#open-settings").tap()
    held = Held(page, "**/lang/*ja.json")
    languages = page.locator("#language label")
    languages.nth(1).tap()
    held.came()
    languages.nth(0).tap()
    with page.expect_response("**/lang/questions.ja.json"):
        held.let_go()
    painted(page)
    expect(languages.nth(0).locator("input")).to_be_checked()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_a_device_without_room_shows_what_the_server_has(phone: BrowserContext) -> None:
    act = """async ([code, what]) => {
        const full = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
        const old = { put: full, match: async () => new Response("old") };
        const caches = { open: what === "put" ? async () => old : full };
        const run = new Function("caches", "fetch", "addEventListener", `${code}; return fresh("app.js");`);
        return (await run(caches, async () => new Response("new"), () => {})).text();
    }"""
    for what in ("put", "open"):
        assert phone.new_page().evaluate(act, [(STATIC / "sw.js").read_text(), what]) == "new", what


def words_of(language: str) -> dict[str, str]:
    """The page's own words by key: ``check.title`` stands in the group ``check``."""
    groups = json.loads((STATIC / "lang" / f"{language}.json").read_text())
    return {
        f"{group}.{name}": text
        for group, entry in groups.items()
        for name, text in (entry if isinstance(entry, dict) else {"": entry}).items()
    }


def test_languages_have_the_same_words() -> None:
    words = {code: {**words_of(code), **of_questions(code)} for code in ("en", "ja")}
    assert words["en"].keys() == words["ja"].keys()
    for key, text in words["en"].items():
        assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", words["ja"][key])), key


def test_a_page_that_is_not_secure_says_what_it_cannot(phone: BrowserContext, server: Server) -> None:
    phone.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page = open_page(phone, server.url)
    expect(page.locator("#insecure")).to_contain_text("The live view needs a secure page")
    expect(page.locator("#camera-start")).to_be_hidden()
    page.locator("#open-settings").tap()
    expect(page.locator("#offline")).to_contain_text("needs the laptop to open")


def test_the_page_is_whole() -> None:
    files = {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*") if path.is_file()}
    files |= {f"shared/{path.name}": path for path in SHARED.iterdir()}
    kept = (STATIC / "sw.js").read_text()
    manifest = json.loads((STATIC / "manifest.webmanifest").read_text())
    shown = {one["src"] for one in manifest["screenshots"]}  # before the page is installed, by the network
    by_folder = re.findall(r"\[([^]]*)\]\.map\(\s*\(name\) => `(.*)\$\{name\}(.*)`", kept)
    listed = {f"{room}{one}{end}" for names, room, end in by_folder for one in re.findall(r'"(\w+)"', names)}
    assert listed <= files.keys()
    for name in files:
        if name not in ("index.html", "sw.js", *shown) and not name.startswith("lang/"):
            assert f'"{name}"' in kept or name in listed, name
    text = "".join(path.read_text() for path in files.values() if path.suffix != ".png")
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)[^\s\"'`]+", text)
