"""A shared hand is data from a stranger: checked, shown as that one hand, and it changes nothing else."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tehai.hand.sample import sample_path
from tests.end_to_end.links import HAND, go, link, stored
from tests.end_to_end.page import PHONE, Server, answer, kept, open_page, scored_sample, tap, to_score, upload

DAMAGED = {"en": "This link is damaged", "ja": "リンクが壊れているか"}


def test_a_link_is_shown_and_nothing_of_the_players_own_changes(
    phone: BrowserContext, server: Server
) -> None:
    page = open_page(phone, server.url)
    scored_sample(page)
    upload(page)
    before = stored(page)
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
    assert stored(page) == before
    page.reload()
    expect(page.locator("#points")).to_have_text("2,000points")
    tap(page, "way")  # back to one's own hand
    expect(page.locator("#check")).to_be_visible()
    expect(page.locator("#bar strong")).to_have_text("7,700")
    page.wait_for_url(server.url)
    to_score(page)
    expect(page.locator("#points")).to_have_text("7,700points")
    page.reload()
    expect(page.locator("#points")).to_have_text("7,700points")
    expect(page.locator("#reasons")).to_contain_text("Dragon Triplet")
    page.locator("#open-history").tap()
    expect(page.locator("#history-list li")).to_have_count(2)


def test_from_a_link_to_the_next_photo(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url + link(HAND))
    expect(page.locator("#points")).to_have_text("2,000points")
    tap(page, "step-take")
    expect(page.locator("#take")).to_be_visible()
    page.wait_for_url(server.url)
    upload(page)
    expect(page.locator("#bar strong")).to_have_text("7,700")
    page.reload()
    expect(page.locator("#check")).to_be_visible()


def test_a_hand_of_the_evening_opens_as_it_was_won(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    upload(page)
    tap(page, "honba1")
    answer(page, "dealer-no", "tsumo-ron", "special-none", "riichi-no", "dora_indicators-none")
    expect(page.locator("#pays")).to_contain_text("8,000")
    expect(page.locator("#reasons")).to_contain_text("Dragon Triplet")
    tap(page, "way")
    page.locator("#rules-take").select_option("mleague")
    settings = page.evaluate("localStorage.tehai")
    page.locator("#open-history").tap()
    page.locator("#history-list .past").tap()
    expect(page.locator("#score")).to_be_visible()  # not the score before it
    expect(page.locator("#pays")).to_contain_text("8,000")
    tap(page, "step-check")
    expect(page.locator("#rules-answer")).to_have_value("ema2008")
    expect(page.locator(".counter output").first).to_have_text("1")
    tap(page, "honba1")
    expect(page.locator(".counter output").first).to_have_text("2")
    assert page.evaluate("localStorage.tehai") == settings


@pytest.mark.parametrize("language", DAMAGED)
def test_a_damaged_link_is_one_sentence_and_a_working_page(
    phone: BrowserContext, server: Server, language: str
) -> None:
    page = open_page(phone, server.url)
    page.evaluate("lang => { localStorage.tehai = JSON.stringify({ lang }) }", language)
    wrong = [
        "#hand=", "#hand=%00", "#hand=YWJj", link("null"), link("[]"), link('"x"'), link("{" * 5000),
        link({**HAND, "table": {"honba": 9999, "riichi_sticks": 0}}),
        link({**HAND, "table": {"honba": "abc", "riichi_sticks": 0}}),
        link({**HAND, "answers": [None]}),
        link({**HAND, "rules": "house"}),
        link({**HAND, "answers": [{"field": "riichi", "id": "Send me money", "fields": {}}]}),
        link({**HAND, "answers": [{"field": "riichi", "id": "yes", "fields": {"concealed": "1m"}}]}),
        link({**HAND, "answers": [{"field": "riichi", "id": "yes", "fields": {"riichi": "yes"}}]}),
    ]  # fmt: skip
    for one in wrong if language == "en" else wrong[-1:]:
        page.goto(server.url)
        page.goto(server.url + one)
        expect(page.locator("#notice")).to_contain_text(DAMAGED[language])
        expect(page.locator("#take")).to_be_visible()
    page.reload()
    page.wait_for_selector("body[data-ready]")  # by then the link is out of the address
    page.goto(server.url + wrong[-1])
    page.reload()
    expect(page.locator("#notice")).to_contain_text(DAMAGED[language])
    tap(page, "dismiss")
    expect(page.locator("#notice")).to_be_hidden()
    upload(page)
    expect(page.locator("#bar strong")).to_have_text("7,700")


def test_a_shared_hand_opens_without_the_token_and_photos_do_not(browser: Browser, tmp_path: Path) -> None:
    running = Server(tmp_path, "--lan", "lo").start()
    home, _, token = running.url.partition("?t=")
    assert token
    context = browser.new_context(**PHONE, locale="en-GB", reduced_motion="reduce")
    page = open_page(context, home + link(HAND))
    expect(page.locator("#points")).to_have_text("2,000points")
    expect(page.locator("#reasons")).to_contain_text("Dragon Triplet")
    tap(page, "step-take")
    page.set_input_files("#from-camera", sample_path())
    expect(page.locator("#notice")).to_contain_text("Scan the code on its screen")
    page.goto(running.url)
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#check")).to_be_visible()  # the photo was kept, and is read now
    to_score(page)
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


def test_no_link_kills_the_page_or_changes_what_is_the_players(phone: BrowserContext, server: Server) -> None:
    """An error in a script fails it, too."""
    chance = random.Random(19)
    page = open_page(phone, server.url)
    upload(page)
    to_score(page)
    kept(page, 1)
    before = stored(page)
    opened = 0
    for _ in range(50):
        if page.locator("#notice").is_visible():
            page.locator("#notice button").first.tap()
        go(page, link(mutated(HAND, chance)))
        opened += page.wait_for_function(FOLLOWED).json_value() == "opened"
        assert (
            page.evaluate("Object.keys(Object.prototype).length + Object.keys(Array.prototype).length") == 0
        )
    assert 5 < opened < 45  # both happened
    assert stored(page) == before
    page.goto(server.url)
    expect(page.locator("#points")).to_have_text("7,700points")
    tap(page, "way")
    upload(page)
    expect(page.locator("#bar strong")).to_have_text("7,700")


def test_the_check_of_a_link_lets_pass_what_the_page_makes_and_throws_at_nothing(
    phone: BrowserContext, server: Server
) -> None:
    page = open_page(phone, server.url)
    check = """async (texts) => {
        const { isLink } = await import("./app/shape.js");
        return texts.map((one) => isLink(JSON.parse(one)));
    }"""
    chance = random.Random(5)
    assert page.evaluate(check, [json.dumps(HAND)]) == [True]
    values = [json.dumps(mutated(HAND, chance)) for _ in range(3000)]
    passed = page.evaluate(check, values)
    assert set(passed) == {True, False}
    for value, sound in zip(map(json.loads, values), passed, strict=True):
        table = value.get("table")
        if sound:
            assert 0 <= table["honba"] <= 99 and 0 <= table["riichi_sticks"] <= 99
            assert all(isinstance(one["fields"], dict) for one in value["answers"])


@pytest.mark.parametrize("screen", ["check", "answered", "score"])
def test_damaged_or_older_stored_data_never_stops_the_page(
    phone: BrowserContext, server: Server, screen: str
) -> None:
    """An error in a script fails it, too."""
    chance = random.Random(screen)
    page = open_page(phone, server.url)
    upload(page)
    if screen == "answered":
        tap(page, "dealer-no")
    if screen == "score":
        to_score(page)
        kept(page, 1)
    now = json.loads(page.evaluate("localStorage['tehai-now']"))
    settings = {
        "lang": "en",
        "rules": "ema2008",
        "theme": "auto",
        "automatic": True,
        "terms": "ema",
        "table": {"honba": 1, "riichi_sticks": 0},
    }
    whole = page.evaluate(
        "async (kept) => { const { soundState } = await import('./app/shape.js'); return soundState(kept) }",
        now,
    )
    there = {name for name, value in now.items() if value is not None}
    assert there - whole.keys() <= {"foreign", "shots"}, "what is kept is sound"
    for _ in range(3):
        texts = [json.dumps(mutated(one, chance)) for one in (settings, now)]
        if not chance.randrange(8):
            texts[chance.randrange(2)] = chance.choice(
                ("null", "[]", '"x"', "{", "", "7", '{"__proto__": 1}')
            )
        page.evaluate("texts => [localStorage.tehai, localStorage['tehai-now']] = texts", texts)
        page.reload()
        page.wait_for_selector("body[data-ready]")
        expect(page.locator("main > section:visible")).to_have_count(1)
    expect(page.locator("#notice .spinner")).to_be_hidden()  # photos that were kept are read again
    tap(page, "step-take")
    expect(page.locator("#take")).to_be_visible()
    if page.locator('[data-key="next-hand"]').is_visible():
        tap(page, "next-hand")
    upload(page)
    expect(page.locator("#check")).to_be_visible()
    to_score(page)
    expect(page.locator("#points")).to_have_text("7,700points")


def test_a_damaged_list_of_hands_shows_those_that_are_sound(phone: BrowserContext, server: Server) -> None:
    page = open_page(phone, server.url)
    upload(page)
    to_score(page)
    kept(page, 1)
    page.evaluate(
        """async (odd) => {
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
        }""",
        [None, 1, "abc", [], {}, [None], {"at": 1}],
    )
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.locator("#open-history").tap()
    expect(page.locator("#history-list li").first).to_be_visible()
    assert 1 <= page.locator("#history-list li").count() <= 3
    for nth in range(page.locator("#history-list li").count()):
        page.locator("#history-list .past").nth(nth).tap()
        expect(page.locator("#points")).to_have_text("7,700points")
        page.locator("#open-history").tap()
