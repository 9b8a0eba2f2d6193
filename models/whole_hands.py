"""Whether a photo's whole hand was read: every tile, the winning tile, every meld; and if not, why."""

from __future__ import annotations

from collections import Counter
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


def tiles_of(text: str | None) -> list[str]:
    """mpsz text as sorted labels."""
    return sorted(map(str, parse_tiles(text))) if text else []


def _melds(record: dict[str, Any]) -> Counter[tuple[Any, ...]]:
    """Melds as a multiset of type and tiles; a red five may lie face down in a closed kan."""
    sets = [(meld["type"], tiles_of(meld["tiles"])) for meld in record.get("melds") or []]
    return Counter((kind, *(map(plain, tiles) if kind == "ankan" else tiles)) for kind, tiles in sets)


def wrong_parts(read: dict[str, Any] | None, truth: dict[str, Any]) -> list[str]:
    """Which of ``concealed``, ``win_tile`` and ``melds`` differ between two hand records, or as much of them
    as is known. Where the truth has no winning tile, ``concealed`` compares all concealed tiles together."""
    read, win = read or {}, truth.get("win_tile")
    concealed, read_win = tiles_of(read.get("concealed")), tiles_of(read.get("win_tile"))
    if win is None:
        concealed = sorted(concealed + read_win)
    is_right = {
        "concealed": concealed == tiles_of(truth["concealed"]),
        "win_tile": win is None or read_win == tiles_of(win),
        "melds": _melds(read) == _melds(truth),
    }
    return [part for part, right in is_right.items() if not right]


def seen_truths(reading: Reading, render: Render) -> dict[int, int]:
    """Index of each of the reading's tiles that lies where a true one does, to the index of that one."""
    quads = np.array([tile.quad for tile in reading.tiles], np.float32).reshape(-1, 4, 2)
    scores = np.array([tile.probability for tile in reading.tiles], np.float32)
    return dict(match(scores, box_iou(bounds(quads), bounds(render.quads)), 0.5))


def _part(role: str) -> str:
    return role.split(":")[0]


def is_part(role: str) -> bool:
    """Whether a tile of this role belongs to a hand."""
    return _part(role) in HAND_ROLES


def reason(reading: Reading, render: Render, wrong: list[str], seat: int | None = None) -> str:
    """The first thing that went wrong with a hand that is not right. ``wrong``: its parts; ``seat``: whose it
    is, where several players' hands lie open."""
    pairs = seen_truths(reading, render)
    seen = {j: reading.tiles[i] for i, j in pairs.items()}
    hand = [j for j, role in enumerate(render.roles) if is_part(role)]
    own = [j for j in hand if seat is None or render.seats[j] == seat]
    if any(j not in seen for j in own):
        return "tile not found"
    misread = [{seen[j].label, render.labels[j]} for j in own if seen[j].label != render.labels[j]]
    if misread:
        return "back" if any(BACK in labels for labels in misread) else "label"
    if any(_part(seen[j].role) != _part(render.roles[j]) for j in own):
        return "role" if all(is_part(seen[j].role) for j in own) else "tile left out of the hand"
    if any(is_part(tile.role) and pairs.get(i) not in own for i, tile in enumerate(reading.tiles)):
        return "other tile taken into the hand"
    return "meld" if "melds" in wrong else "win tile"
