"""A shared hand in an address, and what the page keeps of its player, which no such hand may change."""

from __future__ import annotations

import base64
import json
from typing import Any

from playwright.sync_api import Page

HAND: dict[str, Any] = {
    "rules": "ema2008",
    "table": {"honba": 2, "riichi_sticks": 1},
    "tiles": {
        "concealed": "234m067p3488s",
        "win_tile": "5s",
        "melds": [{"type": "pon", "tiles": "777z", "from": 1}],
        "dora_indicators": [],
    },
    "answers": [
        {"field": "dealer", "id": "no", "fields": {"dealer": False}},
        {"field": "tsumo", "id": "ron", "fields": {"tsumo": False}},
        {"field": "discards", "id": "19m", "fields": {"discards": "19m"}, "labels": ["1m", "9m"]},
        {"field": "special", "id": ["haitei", "houtei"], "fields": {"haitei": False, "houtei": False}},
    ],
}
"""What a link holds, with something of everything."""

STORED = """async () => {
    const open = indexedDB.open("tehai");
    const database = await new Promise((done) => (open.onsuccess = () => done(open.result)));
    const all = (store, act) => new Promise((done) => {
        const asked = database.transaction(store).objectStore(store)[act]();
        asked.onsuccess = () => done(asked.result);
    });
    const [evening, shots] = [await all("evening", "getAll"), await all("now", "getAll")];
    database.close();
    const { tehai, "tehai-now": now } = localStorage;
    return JSON.stringify([tehai, now, evening, shots.flat().map((one) => one.size)]);
}"""
"""All that the page keeps of its player: settings, the hand at work, the evening's hands, photos."""


def link(value: Any) -> str:
    """The end of an address that holds this."""
    text = value if isinstance(value, str) else json.dumps(value)
    return "#hand=" + base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def go(page: Page, hash_: str) -> None:
    """As who pastes a link into the address of an open page."""
    page.evaluate("hash => { location.hash = hash }", hash_)


LEARNT = """() => {
    const now = JSON.parse(localStorage["tehai-now"] ?? null);
    return now?.screen !== "score" || now.lesson !== null;
}"""


def stored(page: Page) -> str:
    """All that is kept, once the lesson of a hand that was scored is, too."""
    page.wait_for_function(LEARNT)
    return str(page.evaluate(STORED))
