"""A shared hand is data from a stranger: checked, shown as that one hand, and it changes nothing else."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tehai.hand.sample import sample_path
from tests.end_to_end.links import HAND, go, link, stored
from tests.end_to_end.page import PHONE, Server, begin, give, kept, open_page, settled, tap, to_score, upload

DAMAGED = {"en": "This link is damaged", "ja": "リンクが壊れているか"}


def test_a_link_is_shown_and_nothing_of_the_players_own_changes(
    phone: BrowserContext, server: Server
) -> None:
    page = open_page(phone, server.url)
    upload(page)
    tap(page, "honba1")
    to_score(page)
    expect(page.locator("#pays")).to_contain_text("8,000")
    kept(page, 1)
    tap(page, "way")
    upload(page)
    before = stored(page)
    a_strangers_hand(page)
    assert stored(page) == before
    back_to_ones_own(page, server.url)
    to_the_next_photo(page, server.url)
    of_the_evening(page)


def a_strangers_hand(page: Page) -> None:
    """It opens on its own table, comes back by the browser's buttons, and can be corrected."""
    strange = copy.deepcopy(HAND)
    strange |= {"rules": "mleague", "table": {"honba": 40, "riichi_sticks": 99}}
    strange["answers"].append({"field": "round_wind", "id": "S", "fields": {"round_wind": "S"}, "kept": True})
    go(page, link(strange))
    expect(page.locator("#score")).to_be_visible()
    expect(page.locator("#points")).to_have_text("2,000points")
    expect(page.locator("#pays")).to_contain_text("14,000")  # with the forty counters of the link
    page.go_back()
    expect(page.locator("#bar strong")).to_have_text("7,700")
    page.go_forward()
    expect(page.locator("#score")).to_be_visible()
    expect(page.locator("#points")).to_have_text("2,000points")
    tap(page, "step-check")
    page.locator(".held").nth(3).tap()
    tap(page, "red")
    tap(page, "close")
    tap(page, "honba-1")
    expect(page.locator(".counter output").first).to_have_text("39")
    tap(page, "step-score")
    expect(page.locator("#pays")).to_contain_text("12,700")


def back_to_ones_own(page: Page, home: str) -> None:
    page.reload()
    expect(page.locator("#points")).to_have_text("2,000points")
    tap(page, "way")
    expect(page.locator("#check")).to_be_visible()
    expect(page.locator("#bar strong")).to_have_text("7,700")
    page.wait_for_url(home)
    to_score(page)
    expect(page.locator("#points")).to_have_text("7,700points")
    page.reload()
    expect(page.locator("#points")).to_have_text("7,700points")
    expect(page.locator("#reasons")).to_contain_text("Dragon Triplet")


def to_the_next_photo(page: Page, home: str) -> None:
    """A photo that is taken beside a stranger's hand is one's own."""
    go(page, link(HAND))
    expect(page.locator("#points")).to_have_text("2,000points")
    tap(page, "step-take")
    expect(page.locator("#take")).to_be_visible()
    page.wait_for_url(home)
    tap(page, "next-hand")
    upload(page)
    expect(page.locator("#bar strong")).to_have_text("7,700")


def of_the_evening(page: Page) -> None:
    """A hand of before opens by the rules and on the table that it was won by."""
    tap(page, "step-take")
    page.locator("#rules-take").select_option("mleague")
    settings = page.evaluate("localStorage.tehai")
    page.locator("#open-history").tap()
    expect(page.locator("#history-list li")).to_have_count(2)
    page.locator("#history-list .past").last.tap()
    expect(page.locator("#score")).to_be_visible()  # not the score before it
    expect(page.locator("#pays")).to_contain_text("8,000")
    tap(page, "step-check")
    expect(page.locator("#rules-answer")).to_have_value("ema2008")
    expect(page.locator(".counter output").first).to_have_text("1")
    tap(page, "honba1")
    expect(page.locator(".counter output").first).to_have_text("2")
    assert page.evaluate("localStorage.tehai") == settings


WRONG = (
    "#hand=", "#hand=%00", "#hand=YWJj", link("null"), link("[]"), link('"x"'), link("{" * 5000),
    link({**HAND, "table": {"honba": 9999, "riichi_sticks": 0}}),
    link({**HAND, "table": {"honba": "abc", "riichi_sticks": 0}}),
    link({**HAND, "answers": [None]}),
    link({**HAND, "rules": "house"}),
    link({**HAND, "answers": [{"field": "riichi", "id": "Send me money", "fields": {}}]}),
    link({**HAND, "answers": [{"field": "riichi", "id": "yes", "fields": {"concealed": "1m"}}]}),
    link({**HAND, "answers": [{"field": "riichi", "id": "yes", "fields": {"riichi": "yes"}}]}),
)  # fmt: skip
"""Ends of addresses that hold no hand."""


def test_a_damaged_link_is_one_sentence_and_a_working_page(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    notice = page.locator("#notice")
    for one in WRONG:
        page.evaluate("document.querySelector('#notice [data-key=dismiss]')?.click()")
        expect(notice).to_be_hidden()
        go(page, one)
        expect(notice).to_contain_text(DAMAGED["en"])
        assert page.locator("#take").is_visible()
    page.evaluate("localStorage.tehai = JSON.stringify({ lang: 'ja' })")
    page.goto(server.url)  # a page that begins with the link
    page.goto(server.url + WRONG[-1])
    page.reload()
    expect(notice).to_contain_text(DAMAGED["ja"])
    tap(page, "dismiss")
    expect(notice).to_be_hidden()
    upload(page)
    expect(page.locator("#bar strong")).to_have_text("7,700")
    moments = {"haitei": False, "houtei": False, "chankan": False}
    answers = [*HAND["answers"][:-1], {"field": "special", "id": list(moments), "fields": moments}]
    go(page, link({**HAND, "answers": answers, "table": {"honba": 5, "riichi_sticks": 0}}))
    expect(page.locator("#score")).to_contain_text("この手には1翻しかありません")  # comes last
    tap(page, "step-check")
    expect(page.locator("#bar small")).to_contain_text("二翻縛りです")  # and no English beside it


def test_a_shared_hand_opens_without_the_token_and_photos_do_not(browser: Browser, tmp_path: Path) -> None:
    running = Server(tmp_path, "--lan", "lo").start()
    home, _, token = running.url.partition("?t=")
    assert token
    context = browser.new_context(**PHONE, locale="en-GB", reduced_motion="reduce")
    page = open_page(context, home + link(HAND))
    expect(page.locator("#points")).to_have_text("2,000points")
    expect(page.locator("#reasons")).to_contain_text("Dragon Triplet")
    tap(page, "step-take")
    give(page, sample_path())
    expect(page.locator("#notice")).to_contain_text("Scan the code on its screen")
    page.goto(running.url)
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#check")).to_be_visible()  # the photo was kept, and is read now
    go(page, link(HAND))
    page.evaluate(
        """() => {
            navigator.share = undefined;
            navigator.clipboard.writeText = async (text) => { window.copied = text };
        }"""
    )
    tap(page, "link")
    expect(page.locator("#shared")).to_contain_text("The link is copied")
    assert page.evaluate("window.copied").startswith(home + "#hand=")
    context.close()
    running.stop()


# --- whatever somebody writes into a link, or a disk into the store --------------------------------------

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 7, 9999, 1e300, 0.5, "", "abc", "1m", "8z", "123m", "__proto__",
    "constructor", "x" * 300, "🀄", "\ud83c", [], [None], [[]], {}, {"length": 3}, [1, 2, 3],
    ["1m"] * 50, {"toString": 1},
)  # fmt: skip
KEYS = ("__proto__", "constructor", "prototype", "toString", "length", "known", "rules", "", "id", "fields")


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all values inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*way, key)
        yield from places(one, (*way, key))


def mutated(value: Any, chance: random.Random) -> Any:
    """The value with something in it another, gone, doubled, or more than there was."""
    value = copy.deepcopy(value)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        ways = list(places(value))
        if not ways:
            break
        *way, key = chance.choice(ways)
        inside = value
        for step in way:
            inside = inside[step]
        act = chance.choice(("odd", "odd", "odd", "gone", "more", "double", "text"))
        if act == "gone":
            del inside[key]
        elif act == "more":
            inside = inside[key]
            if isinstance(inside, dict):
                inside[chance.choice(KEYS)] = copy.deepcopy(chance.choice(ODD))
            elif isinstance(inside, list):
                inside.insert(chance.randrange(len(inside) + 1), copy.deepcopy(chance.choice(ODD)))
        elif act == "double" and isinstance(inside[key], list):
            inside[key] *= chance.choice((2, 40))
        elif act == "text" and isinstance(inside[key], str):
            text = inside[key]
            at = chance.randrange(len(text) + 1)
            inside[key] = text[:at] + chance.choice("0189mz _./<\u0000é") + text[at + chance.randrange(2) :]
        else:
            inside[key] = copy.deepcopy(chance.choice(ODD))
    return value


FOLLOWED = """() => {
    const notice = document.querySelector("#notice");
    if (notice.querySelector(".spinner") && !notice.hidden) return null;
    return history.state ? "opened" : !notice.hidden && "refused";
}"""
"""What became of a link in the address: a page that shows it has noted where it is."""

SOUND = """async (texts) => {
    const { isLink } = await import("./score/share.js");
    return texts.map((one) => isLink(JSON.parse(one)));
}"""
"""Which of these the page takes for a link."""

ODD_HANDS = """async (odd) => {
    const open = indexedDB.open("tehai");
    const database = await new Promise((done) => (open.onsuccess = () => done(open.result)));
    const transaction = database.transaction(["evening", "now"], "readwrite");
    const evening = transaction.objectStore("evening");
    const [one] = await new Promise((done) => {
        const asked = evening.getAll();
        asked.onsuccess = () => done(asked.result);
    });
    let nth = 0;
    for (const name of Object.keys(one)) if (name !== "id") {
        for (const value of odd) evening.put({ ...one, id: `odd-${nth++}`, [name]: value });
    }
    evening.put({ id: "only" });
    transaction.objectStore("now").put(odd, "shots");
    await new Promise((done) => (transaction.oncomplete = done));
    database.close();
}"""
"""Beside the evening's one hand: others, each with something odd in it, and photos that are none."""

SETTINGS = {
    "lang": "en",
    "rules": "ema2008",
    "theme": "auto",
    "automatic": True,
    "terms": "ema",
    "table": {"honba": 1, "riichi_sticks": 0},
}


def test_nothing_odd_kills_the_page_or_changes_what_is_the_players(
    phone: BrowserContext, server: Server
) -> None:
    """Neither in a link nor in what is stored. An error in a script fails it, too."""
    page = open_page(phone, server.url)
    upload(page)
    stages = [now(page)]
    tap(page, "dealer-no")
    stages.append(now(page))
    settled(page, "dealer")
    to_score(page)
    kept(page, 1)
    before = stored(page)
    stages.append(now(page))
    odd_links(page)
    assert stored(page) == before
    odd_hands(page)
    chance = random.Random(7)
    for one in stages:
        odd_state(page, one, chance)
    begin(page, server.url)
    expect(page.locator("#notice .spinner")).to_be_hidden()  # photos that were kept are read again
    if page.locator("#take").is_hidden():
        tap(page, "step-take")
    if page.locator('[data-key="next-hand"]').is_visible():
        tap(page, "next-hand")
    upload(page)
    expect(page.locator("#bar strong")).to_have_text("7,700")


def now(page: Page) -> dict[str, Any]:
    """The hand at work as it is kept."""
    found: dict[str, Any] = json.loads(page.evaluate("localStorage['tehai-now']"))
    return found


def odd_links(page: Page) -> None:
    """The page's own check takes most of them for no link, and throws at none; others the server refuses."""
    chance = random.Random(5)
    values = [HAND, *(mutated(HAND, chance) for _ in range(2000))]
    passed = page.evaluate(SOUND, [json.dumps(value) for value in values])
    assert passed[0] and not all(passed)
    sound = [value for value, good in zip(values[1:], passed[1:], strict=True) if good]
    for value in sound:
        table = value["table"]
        assert 0 <= table["honba"] <= 99 and 0 <= table["riichi_sticks"] <= 99
        assert all(isinstance(one["fields"], dict) for one in value["answers"])
    ends = []
    for value in chance.sample(sound, 12):
        page.evaluate("document.querySelector('#notice [data-key=dismiss]')?.click()")
        go(page, link(value))
        ends.append(page.wait_for_function(FOLLOWED).json_value())
    assert set(ends) == {"opened", "refused"}
    assert page.evaluate("Object.keys(Object.prototype).length + Object.keys(Array.prototype).length") == 0


def odd_hands(page: Page) -> None:
    """The list has those of the evening's hands that are sound."""
    page.evaluate(ODD_HANDS, [None, 1, "abc", [], {}, [None], {"at": 1}])
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.locator("#open-history").tap()
    past = page.locator("#history-list .past")
    expect(past.first).to_be_visible()
    assert 1 <= past.count() <= 3
    for nth in range(past.count()):
        past.nth(nth).tap()
        expect(page.locator("#points")).to_have_text("7,700points")
        page.locator("#open-history").tap()


def odd_state(page: Page, whole: dict[str, Any], chance: random.Random) -> None:
    """A hand at work that is sound stays so; damaged or older, it never stops the page."""
    sound = page.evaluate(
        "async (kept) => { const { soundState } = await import('./app/shape.js'); return soundState(kept) }",
        whole,
    )
    there = {name for name, value in whole.items() if value is not None}
    assert there - sound.keys() <= {"foreign", "shots"}, "what is kept is sound"
    damaged = chance.choice(("null", "[]", '"x"', "{", "", "7", '{"__proto__": 1}'))
    for texts in (
        [json.dumps(mutated(one, chance)) for one in (SETTINGS, whole)],
        [damaged, json.dumps(mutated(whole, chance))],
    ):
        page.evaluate("texts => [localStorage.tehai, localStorage['tehai-now']] = texts", texts)
        page.reload()
        page.wait_for_selector("body[data-ready]")
        expect(page.locator("main > section:visible")).to_have_count(1)
