"""Compare whole hands part by part, and match the tiles of a reading with those of a render."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from datasets.boxes import match
from datasets.renders import Render
from scorer.tiles import parse_tiles
from vision.labels import plain
from vision.quads import bounds, box_iou
from vision.reading import Reading

VISIBLE = 0.6
"""Share of a tile's face that must be visible for the tile to count."""


def tiles_of(text: str | None) -> list[str]:
    """Tiles in mpsz notation as sorted labels."""
    return sorted(map(str, parse_tiles(text))) if text else []


def _melds(record: dict[str, Any]) -> Counter[tuple[Any, ...]]:
    """Melds as a multiset of type and tiles. In a closed kan a red five may lie face down: reds count as
    plain there."""
    sets = [(meld["type"], tiles_of(meld["tiles"])) for meld in record.get("melds") or []]
    return Counter((kind, *(map(plain, tiles) if kind == "ankan" else tiles)) for kind, tiles in sets)


def wrong_parts(read: dict[str, Any] | None, truth: dict[str, Any]) -> list[str]:
    """Which of ``concealed``, ``win_tile`` and ``melds`` differ between two hand records. Where the truth has
    no winning tile, ``concealed`` compares all concealed tiles together."""
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


def match_tiles(reading: Reading, render: Render) -> dict[int, int]:
    """Index of each tile of the reading to the index of the true tile that it overlaps by an IoU of 0.5 or
    more; tiles without a match are left out."""
    quads = np.array([tile.quad for tile in reading.tiles], np.float32).reshape(-1, 4, 2)
    scores = np.array([tile.probability for tile in reading.tiles], np.float32)
    return dict(match(scores, box_iou(bounds(quads), bounds(render.quads)), 0.5))
