"""The steps of an evening at the table, as a player takes them, and what the browser keeps of it."""

from __future__ import annotations

import json

from scorer import PlayedGame, replay
from tests.end_to_end.page import click, tap
from tests.end_to_end.safari import Window, expect

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

OWN = f"""async () => {{
    const {{ presets }} = await import("./app/settings.js");
    presets().find(({{ id }}) => id === "ema2008").text = {json.dumps(HOUSE)};
}}"""
"""Whoever chooses this preset plays by these rules."""


def start(page: Window, rules: str = "ema2008", players: int = 4, rounds: str = "") -> None:
    """A new game of the first names, in the dialog."""
    if rules == HOUSE:
        page.evaluate(OWN)
    click(page, "new")
    click(page, f"players-{players}")
    for at, name in enumerate(NAMES[:players]):
        page.fill(f"#name-{at}", name)
    page.locator("#new-rules").select_option("ema2008" if rules == HOUSE else rules)
    page.locator("#new-length").select_option(rounds)
    click(page, "begin")
    expect(page.locator(".seat")).to_have_count(players)


def booked(page: Window, many: int) -> None:
    """So many events stand in the book, and the table is free for the next hand, even without the server."""
    expect(page.locator(f'.round-table[data-booked="{many}"], .ranking:visible')).not_to_have_count(0)
    expect(page.locator("#home")).to_be_visible()
    expect(page.locator("#act")).to_be_hidden()
    expect(page.locator("body[data-ahead]")).not_to_have_count(0)


def draw(page: Window, *ready: int) -> None:
    tap(page, "draw")
    for player in ready:
        tap(page, f"ready-{player}")
    tap(page, "book-it")


def won(page: Window, winner: int, discarder: int | None = None) -> None:
    tap(page, "won")
    tap(page, f"seat-{winner}")
    tap(page, "tsumo" if discarder is None else f"seat-{discarder}")
    expect(page.locator("#take")).to_be_visible()


def told(page: Window, *value: str) -> None:
    """Just what it is worth."""
    tap(page, "told")
    for key in value:
        tap(page, key)
    tap(page, "book-it")


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
