"""A game at the table in WebKit, which is the nearest thing to Safari on Linux.

Needs Debian's ``webkit2gtk-driver`` and ``xvfb``.
"""

from __future__ import annotations

from scorer import PlayedGame, replay
from tests.end_to_end.evening import KEPT, NAMES
from tests.end_to_end.page import Server
from tests.end_to_end.webkit import WebKit

THERE = """[...document.querySelectorAll('[data-key="{key}"]')]
    .find((one) => one.checkVisibility({{visibilityProperty: true}}) && !one.disabled)"""


def opened(safari: WebKit, url: str) -> None:
    safari.open(url)
    safari.until("document.body.dataset.ready")


def tap(safari: WebKit, *keys: str) -> None:
    for key in keys:
        safari.until(f"((one) => one && (one.click(), true))({THERE.format(key=key)})")


def enter(safari: WebKit, where: str, text: str, event: str = "input") -> None:
    """Writes into a field, or chooses from a list."""
    told = f"new Event({event!r}, {{ bubbles: true }})"
    field = f"document.querySelector({where!r})"
    done = f"const field = {field}; field.value = {text!r}; field.dispatchEvent({told}); return field.value;"
    assert safari.ask(done) == text


def booked(safari: WebKit, many: int) -> None:
    """So many hands stand in the book, and the table shows what the scorer makes of them."""
    safari.until(f"document.querySelector('.round-table[data-booked=\"{many}\"]')?.checkVisibility()")
    game = kept(safari)
    assert len(game.turns) == many
    points = "return [...document.querySelectorAll('.seat .have')].map((one) => one.textContent);"
    assert [int(text.replace(",", "")) for text in safari.ask(points)] == list(game.game.points)


def kept(safari: WebKit) -> PlayedGame:
    (record,) = safari.ask(f"return ({KEPT})();")
    return replay(record)


def test_a_game_in_webkit(safari: WebKit, server: Server) -> None:
    opened(safari, server.url)
    tap(safari, "new", "players-4")
    for at, name in enumerate(NAMES):
        enter(safari, f"#name-{at}", name)
    enter(safari, "#new-rules", "wrc2017", "change")
    enter(safari, "#new-length", "1", "change")
    tap(safari, "begin")
    booked(safari, 0)
    tap(safari, "draw", "ready-1", "book-it")
    booked(safari, 1)

    tap(safari, "won", "seat-2", "seat-3", "told", "limit-mangan", "book-it")
    booked(safari, 2)

    tap(safari, "seat-1", "won", "seat-1", "tsumo")
    opened(safari, server.url)  # a reload in the middle of a hand: whose it is, and riichi, are not lost
    safari.until("document.querySelector('#claimed')?.textContent.includes('Ben')")
    safari.ask("document.querySelector('#type-hand').click();")
    safari.until("document.querySelector('#sheet .line input')?.checkVisibility()")
    enter(safari, "#sheet .line input", "234m345567p2267s + 8s")
    tap(safari, "line-read", "step-score", "way")
    booked(safari, 3)
    third = kept(safari).turns[-1]
    assert third.declared and third.settled is not None
    assert [winner.score.han for winner in third.settled.winners] == [4]  # riichi, tsumo, pinfu, tanyao

    tap(safari, "book", "take-back-3")
    safari.until("document.querySelectorAll('.booked-hands > li').length === 2")
    safari.ask("document.querySelector('#go-home').click();")
    booked(safari, 2)
    tap(safari, "undo")
    booked(safari, 3)
    tap(safari, "draw", "book-it")
    safari.until("document.querySelector('.ended')?.checkVisibility()")
    opened(safari, server.url)
    safari.until("document.querySelector('.ended')?.checkVisibility()")
    game = kept(safari)
    assert game.game.is_over and len(game.turns) == 4
    scores = (
        "return [...document.querySelectorAll('#home .ranking td strong')].map((one) => one.textContent);"
    )
    shown = [int(text.replace(",", "").replace("−", "-")) for text in safari.ask(scores)]
    assert shown == [game.game.scores()[player] for _, player in game.ranking()]
