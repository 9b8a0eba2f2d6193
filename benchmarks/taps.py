"""The taps from "Won" to the book, of a player who answers as the truth of a rendered photo says.

What no photo shows is drawn by chance: winner, discarder, riichi, ippatsu, indicators that do not lie in it.
A riichi and the dora indicators are tapped on the table before the hand is won, as they are turned.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.random import Generator
from playwright.sync_api import Page, expect

from scorer import parse_tiles, score_record
from scorer.tiles import COPIES, KINDS, TILES, dora_of
from tests.end_to_end.evening import KEPT, booked, start
from tests.end_to_end.page import tap

TSUMO: Final = 0.4
RIICHI: Final = 0.75
IPPATSU: Final = 0.19
"""In online logs: how often a win was a tsumo, one of a concealed hand a riichi, one with riichi ippatsu."""

RULES: Final = "tenhou"
USUAL: Final = 4
"""Taps of a usual hand: Won, the winner, the discarder or Tsumo, Record it."""

MANY: Final = 20
ENOUGH: Final = 15
"""Of so many hands so many are usual."""

SCENES: Final = ("won", "table-won")

READ: Final = """async () => {
    const { app } = await import("./app/state.js");
    const { toRecord } = await import("./app/hand.js");
    return toRecord(app.state.hand);
}"""
"""The tiles as the page has them."""


@dataclass(frozen=True, slots=True)
class Won:
    """A hand that was won. ``tiles``: the tile fields of its record. ``discarder``: None for a tsumo."""

    photo: Path
    tiles: Mapping[str, Any]
    dora: tuple[str, ...]
    ura: tuple[str, ...]
    winner: int
    discarder: int | None
    riichi: bool
    ippatsu: bool

    @property
    def record(self) -> dict[str, Any]:
        """As it is scored, but for what the table knows."""
        return {
            **self.tiles,
            "rules": RULES,
            "tsumo": self.discarder is None,
            "riichi": self.riichi,
            "ippatsu": self.ippatsu,
            "dora_indicators": list(self.dora),
            "ura_indicators": list(self.ura),
        }

    def __str__(self) -> str:
        how = "tsumo" if self.discarder is None else "ron"
        closed = "called" if any(meld["type"] != "ankan" for meld in self.tiles["melds"]) else "concealed"
        more = [word for word, holds in (("riichi", self.riichi), ("ippatsu", self.ippatsu)) if holds]
        return f"{self.photo.name} {' '.join([how, closed, *more])}"


def hands(folder: Path) -> Iterator[Won]:
    """The finished hands of a folder of renders that can be won, in order; the same each time."""
    with (folder / "truth.jsonl").open() as lines:
        for nth, line in enumerate(lines):
            truth = json.loads(line)
            if truth.get("outcome") != "finished" or truth["scene"] not in SCENES:
                continue
            hand = dict(truth["hand"])
            dora, ura = (tuple(hand.pop(f"{name}_indicators", ())) for name in ("dora", "ura"))
            found = _drawn(np.random.default_rng(nth), folder / truth["file"], hand, dora, ura)
            if found is not None and score_record(found.record)["status"] == "ok":
                yield found


def _drawn(
    rng: Generator, photo: Path, tiles: dict[str, Any], dora: tuple[str, ...], ura: tuple[str, ...]
) -> Won | None:
    """What the photo does not say, drawn by chance; None where it shows ura indicators of a hand without
    riichi, which nobody turns up."""
    if tiles["win_tile"] is None:  # among the others: the last one
        *_, last = parse_tiles(tiles["concealed"])
        tiles |= {"concealed": tiles["concealed"][: -len(str(last))], "win_tile": str(last)}
    is_concealed = all(meld["type"] == "ankan" for meld in tiles["melds"])
    riichi = is_concealed and bool(rng.random() < RIICHI or ura)
    if ura and not riichi:
        return None
    winner, *others = (int(seat) for seat in rng.permutation(4))
    left = Counter({str(TILES[kind]): COPIES for kind in range(KINDS)})
    left.subtract(str(tile).replace("0", "5") for tile in parse_tiles(whole(tiles)))
    unseen = [label for label, count in left.items() if count > 0]
    dora = dora or (str(rng.choice(unseen)),)
    if riichi and len(ura) != len(dora):
        ura = tuple(str(label) for label in rng.choice(unseen, len(dora)))
    discarder = None if rng.random() < TSUMO else others[0]
    return Won(photo, tiles, dora, ura, winner, discarder, riichi, riichi and bool(rng.random() < IPPATSU))


def count(page: Page, hand: Won) -> tuple[int | None, str]:
    """Taps of the hand as the first of a new game, and what was tapped that no usual hand needs; None where
    it was not read as it lies. What is booked must be what the truth is worth."""
    start(page, RULES)
    _until_won(page, hand)
    taps, more = _who(page, hand), list[str]()
    page.set_input_files("#from-camera", hand.photo)
    page.wait_for_selector("#check:visible, .trouble:visible")
    while True:
        if not page.locator("#check").is_visible():
            return None, "not read"
        expect(page.locator('[data-key="way"]')).to_be_enabled()
        if not _same(page.evaluate(READ), hand):
            return None, "misread"
        key = _next(page, hand)
        if key is None:
            return None, "asked what the truth does not say"
        tap(page, key)
        taps += 1
        if key == "way":
            break
        more.append(key)
        expect(page.locator(f'[data-key="{key}"]:not([aria-pressed="true"]):visible')).to_have_count(0)
    booked(page, 1)
    (record,) = page.evaluate(KEPT)
    (event,) = record[-1]["hands"]
    table = {name: event[name] for name in ("seat_wind", "loser_offset") if name in event}
    right, told = (
        score_record({**one, "rules": RULES}).get("points") for one in (hand.record | table, event)
    )
    assert right == told, f"{hand}: {told} points were booked, not {right}"
    return taps, ", ".join(more)


def _until_won(page: Page, hand: Won) -> None:
    """What is tapped while the hand is played."""
    if hand.riichi:
        tap(page, f"seat-{hand.winner}")
    tap(page, "dora")
    for label in hand.dora:
        tap(page, f"key-{label.replace('0', '5')}")
    tap(page, "dora-done")


def _who(page: Page, hand: Won) -> int:
    """Who won from whom; the taps that it took. The seat of a riichi needs no "Won" before it."""
    from_whom = "tsumo" if hand.discarder is None else f"seat-{hand.discarder}"
    keys = [*([] if hand.riichi else ["won"]), f"seat-{hand.winner}", from_whom]
    for key in keys:
        tap(page, key)
    return len(keys)


def _same(read: Mapping[str, Any], hand: Won) -> bool:
    """Whether the tiles were read as they lie, in whatever order."""

    def lying(record: Mapping[str, Any]) -> tuple[Any, ...]:
        closed = sorted(_kinds(record["concealed"] + (record.get("win_tile") or "")))
        return closed, sorted((meld["type"], sorted(_kinds(meld["tiles"]))) for meld in record["melds"])

    return lying(read) == lying(hand.tiles)


def _kinds(tiles: str) -> list[str]:
    return [str(tile) for tile in parse_tiles(tiles)]


def _next(page: Page, hand: Won) -> str | None:
    """The next thing to tap: what is rare, "Record it", what is asked or in doubt."""

    def is_there(key: str) -> bool:
        return page.locator(f'[data-key="{key}"]:not([aria-pressed="true"]):visible').count() > 0

    lying = Counter(tile.kind for tile in parse_tiles(whole(hand.tiles)))
    ura = sum(lying[dora_of(tile.kind)] for tile in parse_tiles("".join(hand.ura)))
    wanted = [
        *(["special-ippatsu"] if hand.ippatsu else []),
        *(["way"] if page.locator('[data-key="way"]').inner_text().strip() == "Record it" else []),
        f"ura_indicators-{ura or 'none'}",
        f"win_tile-{hand.tiles['win_tile']}",
        *("keep", "check", "won"),  # a doubt about what was read right
    ]
    return next(filter(is_there, wanted), None)


def whole(tiles: Mapping[str, Any]) -> str:
    """All tiles of a hand as one text."""
    return "".join([tiles["concealed"], tiles["win_tile"], *(meld["tiles"] for meld in tiles["melds"])])
