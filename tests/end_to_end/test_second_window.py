"""The same game open in two windows of one browser: nothing is booked twice, and nothing lost."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, expect

from tests.end_to_end.evening import agrees, booked, draw, start, told, won
from tests.end_to_end.page import Server, open_home, tap


def test_the_same_hand_is_booked_once(phone: BrowserContext, server: Server) -> None:
    one = open_home(phone, server.url)
    start(one)
    draw(one, 0)
    booked(one, 1)
    two = open_home(phone, server.url)
    booked(two, 1)

    won(two, 2, 3)  # on its way in one window
    won(one, 2, 3)
    told(one, "limit-mangan")  # while the other books it
    booked(one, 2)
    told(two, "limit-mangan")
    expect(two.locator("#notice")).to_contain_text("Another window has changed this game")
    booked(two, 2)
    assert agrees(one) == agrees(two) and len(agrees(two).turns) == 2

    draw(two, 1)  # the other goes on, and the first is caught
    booked(two, 3)
    draw(one, 2)
    expect(one.locator("#notice")).to_contain_text("Another window has changed this game")
    booked(one, 3)
    assert agrees(one) == agrees(two)
    tap(one, "dismiss")
    draw(one, 3)
    booked(one, 4)
    game = agrees(one)
    assert [turn.kind for turn in game.turns] == ["draw", "win", "draw", "draw"]
    two.reload()
    booked(two, 4)
    assert agrees(two) == game
