"""The camera over the table of a running game: riichi is proposed, and a tap declares it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tehai.web.app import make_app
from tehai.web.worker_pool import WorkerPool
from tests.end_to_end.evening import KEPT, booked, draw, start
from tests.end_to_end.looks import is_good
from tests.end_to_end.page import open_home, tap
from tests.tehai.hand.test_table_facts import beside
from tests.tehai.web.conftest import served
from tests.tehai.web.fakes import FakeReader
from tests.tehai.web.test_seen_table import two_rivers
from vision.reading import Reading

QUICK = """const later = window.setTimeout;
window.setTimeout = (act, wait, ...more) => later(act, wait === 3000 ? 30 : wait, ...more);"""
"""The next frame comes at once."""

FOLLOW = """async (steps) => {
    const { answered, follow, proposals, start } = await import("./home/riichi_watch.js");
    const tile = (label) => ({ label });
    let watch = start("1");
    return steps.map(({ at, hand, declared, rivers, answer }) => {
        const seen = rivers.map(({ labels, ...one }) => ({ ...one, tiles: labels.map(tile) }));
        watch = follow(watch, { hand, declared, rivers: seen, at });
        if (answer !== null) watch = answered(watch, answer);
        return proposals(watch, declared).map(({ player, label }) => `${player} ${label}`);
    });
}"""

PLACES = """async (nearest) => {
    const { playerAt, riversOf, SIDES } = await import("./home/riichi_watch.js");
    const tiles = ["9s", "1z", "6s"].map((label) => ({ label }));
    const rivers = [{ seat: "right", tiles: [0, 2], turned: 2 }, { seat: "left", tiles: [1], turned: null }];
    const places = (players) => SIDES.map((side) => playerAt(side, nearest, players));
    const told = ({ player, tiles, turned }) => [player, tiles.map(({ label }) => label).join(""), turned];
    const seen = (players) => riversOf({ tiles, rivers }, nearest, players).map(told);
    return { four: places(4), three: places(3), seen_of_four: seen(4), seen_of_three: seen(3) };
}"""

CORRECT = """async () => {
    const { book, sendPending } = await import("./games/games.js");
    await book({ event: "correction", changes: [1000, -1000, 0, 0], note: "" });
    await sendPending();
}"""

Seen = tuple[int, str, int | None]


def river(player: int, tiles: str, turned: int | None) -> dict[str, Any]:
    return {"player": player, "labels": tiles.split(), "turned": turned}


@dataclass(frozen=True, slots=True)
class Step:
    """A reading so many seconds after the first, and who is proposed then; ``answer``: who was answered."""

    at: int
    proposed: tuple[str, ...] = ()
    rivers: tuple[Seen, ...] = ()
    hand: str = "1"
    declared: tuple[int, ...] = ()
    answer: int | None = None

    def to_record(self) -> dict[str, Any]:
        rivers = [river(*each) for each in self.rivers]
        declared = list(self.declared)
        return {
            "at": 1000 * self.at,
            "hand": self.hand,
            "declared": declared,
            "rivers": rivers,
            "answer": self.answer,
        }


def seen(tiles: str, turned: int | None, player: int = 2) -> Seen:
    return player, tiles, turned


TURNED, MORE, STRAIGHT = (seen("1z 9m 4p", 1),), (seen("1z 9m 4p 2s", 1),), (seen("1z 9m 4p", None),)
OTHER = (*TURNED, seen("3s 1m", 0, player=0))
NINE = ("2 9m",)

RULES: dict[str, list[Step]] = {
    "twice in a row": [Step(0, (), TURNED), Step(4, NINE, MORE)],
    "once is not enough": [
        Step(0, (), TURNED), Step(4, (), STRAIGHT), Step(8, (), TURNED), Step(12, NINE, TURNED),
    ],
    "a reading without the river says nothing": [Step(0, (), TURNED), Step(4, ()), Step(8, NINE, TURNED)],
    "too far apart in time": [Step(0, (), TURNED), Step(90, (), TURNED), Step(94, NINE, TURNED)],
    "another tile": [
        Step(0, (), TURNED), Step(4, (), (seen("1z 8m 4p", 1),)), Step(8, (), (seen("1z 9m 4p 8m", 3),)),
    ],
    "a tile before it was called": [Step(0, (), TURNED), Step(4, NINE, (seen("9m 4p", 0),))],
    "declared by hand": [Step(0, (), TURNED, declared=(2,)), Step(4, (), TURNED, declared=(2,))],
    "declared while it is proposed, and taken back": [
        Step(0, (), TURNED), Step(4, NINE, TURNED), Step(8, (), TURNED, declared=(2,)), Step(12, (), TURNED),
    ],
    "an answer holds for the hand": [
        Step(0, (), TURNED), Step(4, (), TURNED, answer=2), Step(8, (), MORE), Step(12, (), MORE),
    ],
    "but not for another tile": [
        Step(0, (), TURNED), Step(4, (), TURNED, answer=2),
        Step(8, (), (seen("1z 9m 4p 2s", 3),)), Step(12, ("2 2s",), (seen("1z 9m 4p 2s", 3),)),
    ],
    "what lies there from the hand before": [
        Step(0, (), TURNED), Step(4, NINE, TURNED),
        *(Step(at, (), TURNED, hand="2") for at in (8, 12)),
        Step(16, (), (seen("5p", None),), hand="2"),
        Step(20, (), TURNED, hand="2"), Step(24, NINE, TURNED, hand="2"),
    ],
    "a hand that was booked by mistake and undone": [
        Step(0, (), TURNED), Step(4, NINE, TURNED), Step(8, (), TURNED, declared=(2,)),
        Step(12, (), TURNED, hand="2"), Step(16, NINE, TURNED),
    ],
    "another player meanwhile": [
        Step(0, (), TURNED), Step(4, NINE, OTHER), Step(8, ("0 3s", "2 9m"), OTHER),
    ],
}  # fmt: skip


def rules_hold(page: Page) -> None:
    for name, steps in RULES.items():
        found = page.evaluate(FOLLOW, [step.to_record() for step in steps])
        assert found == [list(step.proposed) for step in steps], name
    places = page.evaluate(PLACES, 1)
    assert places["four"] == [1, 2, 3, 0] and places["three"] == [1, 2, None, 0]
    assert places["seen_of_four"] == [[2, "9s6s", 1], [0, "1z", None]] == places["seen_of_three"]
    assert page.evaluate(PLACES, 3)["three"] == [None, 0, 1, 2], "the camera stands at the empty seat"


def frames(page: Page, reader: FakeReader, more: int = 3) -> None:
    """Once so many more were read, and the last of them but one is shown."""
    until, waits = reader.tables + more, 0
    while reader.tables < until:
        waits += 1
        assert waits < 1000, "no more frames come"
        page.wait_for_timeout(30)


def turned(seat: str) -> Reading:
    return beside("3p", "9s", "2m", riichi=1, turned=0.99, seat=seat)


def test_a_turned_discard_is_proposed_and_a_tap_declares_riichi(filming_phone: BrowserContext) -> None:
    reader = FakeReader([two_rivers()])
    with WorkerPool(reader) as pool, served(make_app(pool)) as port:
        filming_phone.add_init_script(QUICK)
        page = open_home(filming_phone, f"http://127.0.0.1:{port}")
        rules_hold(page)
        start(page)
        tap(page, "watch")
        expect(page.locator('[data-key="nearest-0"]')).to_be_focused()
        frames(page, reader)
        expect(page.locator(".proposal")).to_have_count(0)  # whose rivers these are nobody has said
        tap(page, "nearest-0")
        expect(page.locator(".proposal")).to_have_text("Dan laid east wind sideways: riichi?RiichiNo")
        expect(page.locator("#announcer")).to_have_text("Dan laid east wind sideways: riichi?")
        expect(page.locator(".watched")).to_contain_text("Dan3 discards, east wind sideways")
        is_good(page)
        tap(page, "watch-no-3")
        expect(page.locator(".proposal")).to_have_count(0)
        frames(page, reader)
        expect(page.locator(".proposal")).to_have_count(0)
        expect(page.locator('.seat[aria-pressed="true"]')).to_have_count(0)

        reader.readings = [turned("right")]
        tap(page, "watch-riichi-1")
        expect(page.locator('[data-key="seat-1"]')).to_have_attribute("aria-pressed", "true")
        expect(page.locator('[data-key="seat-1"]')).to_contain_text("29,000")
        expect(page.locator("#announcer")).to_have_text("Ben: riichi is declared")
        expect(page.locator(".seat .stick")).to_have_count(1)
        expect(page.locator(".proposal")).to_have_count(0)
        assert [[one["event"] for one in game] for game in page.evaluate(KEPT)] == [["start"]]

        draw(page)
        booked(page, 1)
        frames(page, reader)  # the tiles lie there as they did
        expect(page.locator(".proposal")).to_have_count(0)
        reader.readings = [turned("across")]
        expect(page.locator(".proposal")).to_contain_text("Chie laid 9 bamboos")
        page.evaluate(CORRECT)  # the hand goes on
        frames(page, reader)
        expect(page.locator(".proposal")).to_contain_text("Chie laid 9 bamboos")
        tap(page, "book")
        assert page.evaluate("document.querySelector('#watch video').srcObject") is None
        page.go_back()
        frames(page, reader)  # it goes on by itself
        tap(page, "watch-close")
        expect(page.locator('[data-key="watch"]')).to_be_focused()
        expect(page.locator("#watch")).to_have_count(0)
