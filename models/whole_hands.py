"""Whether a photo's whole hand was read: every tile, the winning tile, every meld; and if not, why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from datasets.boxes import match
from datasets.renders import Render
from scorer.tiles import parse_tiles
from vision.labels import BACK, plain
from vision.quads import bounds, box_iou
from vision.reading import Reading

HAND_ROLES = ("hand", "win", "meld")
VISIBLE = 0.6
"""Share of each of its tiles that a hand must show to be asked for."""


def tiles_of(text: str | None) -> tuple[str, ...]:
    """mpsz text as sorted labels."""
    return tuple(sorted(str(tile) for tile in parse_tiles(text))) if text else ()


def _melds(record: dict[str, Any], sides: bool) -> Counter[tuple[Any, ...]]:
    """Melds as a multiset of type, tiles and, with ``sides``, whom they were called from."""
    melds: Counter[tuple[Any, ...]] = Counter()
    for meld in record.get("melds") or []:
        tiles = tiles_of(meld["tiles"])
        if meld["type"] == "ankan":
            # A red five may lie face down in it.
            tiles = tuple(map(plain, tiles))
        melds[(meld["type"], tiles, meld.get("from") if sides else None)] += 1
    return melds


@dataclass(frozen=True, slots=True)
class HandCheck:
    """A hand compared with its truth, part by part. Where the truth has no winning tile, ``concealed``
    compares all concealed tiles together and ``win_tile`` is true."""

    concealed: bool
    win_tile: bool
    melds: bool
    sides: bool

    @property
    def right(self) -> bool:
        """Everything but whom the melds were called from."""
        return self.concealed and self.win_tile and self.melds


def check(read: dict[str, Any] | None, truth: dict[str, Any]) -> HandCheck:
    """``read`` and ``truth`` are hand records, or as much of them as is known."""
    read = read or {}
    concealed, wanted = tiles_of(read.get("concealed")), tiles_of(truth["concealed"])
    win = truth.get("win_tile")
    if win is None:
        concealed = tuple(sorted(concealed + tiles_of(read.get("win_tile"))))
    return HandCheck(
        concealed=concealed == wanted,
        win_tile=win is None or tiles_of(read.get("win_tile")) == tiles_of(win),
        melds=_melds(read, False) == _melds(truth, False),
        sides=_melds(read, True) == _melds(truth, True),
    )


def tells_win(truth: dict[str, Any]) -> bool:
    """Whether the truth of a finished hand says which tile won: of closed ones that are all alike any did."""
    return truth.get("win_tile") is not None or len(set(tiles_of(truth["concealed"]))) == 1


def _part(role: str) -> str:
    return role.split(":")[0]


def seen_truths(reading: Reading, render: Render) -> dict[int, int]:
    """Index of each of the reading's tiles that lies where a true one does, to the index of that one."""
    quads = np.array([tile.quad for tile in reading.tiles], np.float32).reshape(-1, 4, 2)
    scores = np.array([tile.probability for tile in reading.tiles], np.float32)
    return dict(match(scores, box_iou(bounds(quads), bounds(render.quads)), 0.5))


def is_part(role: str) -> bool:
    """Whether a tile of this role belongs to a hand."""
    return _part(role) in HAND_ROLES


def reason(reading: Reading, render: Render, result: HandCheck, seat: int | None = None) -> str:
    """The first thing that went wrong with a hand that is not right. ``seat``: whose it is, where several
    players' hands lie open."""
    if reading.hand is None:
        return "no hand"
    pairs = seen_truths(reading, render)
    seen = {j: reading.tiles[i] for i, j in pairs.items()}
    members = [
        j
        for j, role in enumerate(render.roles)
        if is_part(role) and (seat is None or render.seats[j] == seat)
    ]
    if any(j not in seen for j in members):
        return "tile not found"
    wrong = [j for j in members if seen[j].label != render.labels[j]]
    if any(BACK in (seen[j].label, render.labels[j]) for j in wrong):
        return "back"
    if wrong:
        return "label"
    if any(_part(seen[j].role) != _part(render.roles[j]) for j in members):
        lost = any(not is_part(seen[j].role) for j in members)
        return "tile left out of the hand" if lost else "role"
    own = {i for i, j in pairs.items() if j in members}
    if any(is_part(tile.role) for i, tile in enumerate(reading.tiles) if i not in own):
        return "other tile taken into the hand"
    return "meld" if not result.melds else "win tile"
