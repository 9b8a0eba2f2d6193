"""The steps of an evening at the table, as a player takes them, and what the browser keeps of it."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from scorer import PlayedGame, replay
from tests.end_to_end.page import PATIENCE, click
from tests.end_to_end.safari import Window, expect

Event = dict[str, Any]

NAMES = ("Aki", "Ben", "Chie", "Dan")

KEPT = """async () => {
    const asked = (request) => new Promise((done) => (request.onsuccess = () => done(request.result)));
    const database = await asked(indexedDB.open("tehai"));
    const games = await asked(database.transaction("games").objectStore("games").getAll());
    return games.map((game) => game.events.map((one) => one.event));
}"""
"""The records of the games that the browser keeps."""

DEAF = "BroadcastChannel.prototype.postMessage = () => {}"
"""No window hears of another, as where it sleeps."""


HOUSE = """name = "The table's own"
base = "ema2008"
kiriage_mangan = true
two_han_from_honba = 0
dealer_stays = "win"
words = "english"
[yaku]
tanyao = [1, 1]
"""
"""Rules with red fives, several winners on a discard, abortive draws and nagashi mangan."""

BEGIN = """async ([start, ...events]) => {
    await import("./home/setup.js"); // as the dialog does; a draw needs it without the server, too
    const { begin, book, sendPending } = await import("./games/games.js");
    await begin(start);
    for (const event of events) {
        await book(event);
        await sendPending();
    }
}"""

FORGET = """async () => {
    const { app } = await import("./app/state.js");
    const { games } = await import("./app/store.js");
    const { drop } = await import("./games/claim.js");
    const { close } = await import("./games/games.js");
    document.querySelector("#act").close();
    app.trouble = null;
    drop();
    close();
    for (const { id } of await games.all()) await games.remove(id);
}"""

LAY = """async (record) => {
    const { openHand } = await import("./app/actions.js");
    const { fromRecord } = await import("./app/hand.js");
    await openHand(fromRecord(record), [], "check");
}"""

TAPS = """async ([patience, ...keys]) => {
    const shown = (one) => one.checkVisibility({ visibilityProperty: true });
    const found = (key) => [...document.querySelectorAll(`[data-key="${key}"]:enabled`)].find(shown);
    const end = performance.now() + patience;
    for (const key of keys) {
        while (!found(key)) {
            if (performance.now() > end) throw new Error(`${key} is not there`);
            await new Promise((done) => setTimeout(done, 10));
        }
        found(key).click();
    }
}"""

PINFU = {"concealed": "234m345567p2267s", "win_tile": "8s"}
"""A hand of pinfu and tanyao, 2,000 points by ron, as a record has it."""


def start(page: Page, rules: str = "ema2008", players: int = 4, rounds: str = "") -> None:
    """A new game of the first names, at once; :func:`set_up` takes the way through the dialog."""
    play(page, rules=rules, players=players, rounds=rounds)


def play(page: Page, *events: Event, rules: str = "ema2008", players: int = 4, rounds: str = "") -> None:
    """The same with these events in its book."""
    how = {"rounds": int(rounds)} if rounds else {}
    begun = {"event": "start", "rules": rules, "players": NAMES[:players], **how}
    page.evaluate(BEGIN, [begun, *events])
    expect(page.locator(".seat, .ended")).not_to_have_count(0)


def anew(page: Page, *events: Event, rules: str = "ema2008", rounds: str = "") -> None:
    """The same where another game may have been played, which is forgotten."""
    page.evaluate(FORGET)
    play(page, *events, rules=rules, rounds=rounds)


def drawn(tenpai: str = "") -> Event:
    """A draw, as the record has it."""
    return {"event": "draw", "tenpai": [*tenpai]}


def set_up(page: Window, rules: str = "ema2008", players: int = 4, rounds: str = "") -> None:
    """A new game of the first names, in the dialog."""
    click(page, "new")
    click(page, f"players-{players}")
    for at, name in enumerate(NAMES[:players]):
        page.fill(f"#name-{at}", name)
    page.locator("#new-rules").select_option(rules)
    page.locator("#new-length").select_option(rounds)
    click(page, "begin")
    expect(page.locator(".seat")).to_have_count(players)


def booked(page: Window, many: int) -> None:
    """So many events stand in the book, and the table is free for the next hand, even without the server."""
    expect(page.locator(f'.round-table[data-booked="{many}"], .ranking:visible')).not_to_have_count(0)
    expect(page.locator("#home")).to_be_visible()
    expect(page.locator("#act")).to_be_hidden()
    expect(page.locator("body[data-ahead]")).not_to_have_count(0)


def taps(page: Window, *keys: str) -> None:
    """What is called so, one after another as it comes, in one call: a touch of the browser's own costs a
    tenth of a second, and :func:`tap` has enough of them."""
    wrong = page.evaluate(f"() => ({TAPS})({json.dumps([PATIENCE, *keys])})")
    assert wrong is None, wrong


def draw(page: Window, *ready: int) -> None:
    taps(page, "draw", *(f"ready-{player}" for player in ready), "book-it")


def won(page: Window, winner: int, discarder: int | None = None) -> None:
    taps(page, "won", f"seat-{winner}", "tsumo" if discarder is None else f"seat-{discarder}")
    expect(page.locator("#take")).to_be_visible()


def lay(page: Page, record: Event = PINFU) -> None:
    """The tiles of whoever has won, at once: other tests type them."""
    page.evaluate(LAY, record)
    expect(page.locator("#check")).to_be_visible()


def told(page: Window, *value: str) -> None:
    """Just what it is worth."""
    taps(page, "told", *value, "book-it")


def shown(page: Window) -> list[int]:
    seats = page.locator(".seat .have, .panel .have").all_inner_texts()
    return [int(text.replace(",", "").replace("−", "-")) for text in seats]


def kept(page: Window) -> PlayedGame:
    (record,) = page.evaluate(KEPT)
    return replay(record)


def agrees(page: Window) -> PlayedGame:
    """The seats show what the scorer makes of the record that is kept."""
    game = kept(page)
    assert tuple(shown(page)) == game.game.points
    return game
