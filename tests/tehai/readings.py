"""Readings with doubts, to put before what tells and asks about them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scorer.tiles import parse_tiles
from vision.reading import Doubt, Quad, Reading, Region, SeenTile


def quad(place: int) -> Quad:
    """Where the tile number ``place`` of a row lies."""
    x = 10.0 + 40 * place
    return ((x, 60.0), (x + 36, 60.0), (x + 36, 110.0), (x, 110.0))


def row(concealed: str, win: str | None = None, *doubts: Doubt, confidence: float | None = 0.99) -> Reading:
    """A row of tiles as a reading, the winning tile last."""
    labels = [*map(str, parse_tiles(concealed)), *([win] if win else [])]
    tiles = tuple(
        SeenTile(quad(at), label, 0.99, ("1m", 0.01), "win" if win and at == len(labels) - 1 else "hand")
        for at, label in enumerate(labels)
    )
    hand: dict[str, Any] = {"concealed": concealed, "melds": [], **({"win_tile": win} if win else {})}
    known = dict.fromkeys(hand, "seen")
    status = "ok" if win else "incomplete"
    message = "" if win else "No tile is set apart: say which one is the winning tile."
    return Reading(
        "p.jpg", 640, 200, tiles, hand, known, status, message, confidence=confidence, doubts=doubts
    )


SURE = row("234m340567p2267s", "8s")
"""A pinfu won on 8s; 5s is the other wait."""

RIGHT: Region = (0.5, 0.0, 1.0, 1.0)
"""Where another hand lies."""

RED = Doubt("face", (5,), "The 0p may be a 5p.", {"label": "5p"})
HIDDEN = Doubt("face", (0,), "The 2m is hard to tell.")
WIN = Doubt(
    "win", (13, 10), "8s is taken for the winning tile; 2s lies apart, too.",
    {"hand": {"concealed": "234m340567p267s8s", "win_tile": "2s", "melds": []}},
)  # fmt: skip
HAND = Doubt(
    "hand", (), "Another hand lies there.",
    {"hand": {"concealed": "111m222p333s444z5z", "win_tile": "5z", "melds": []}, "region": list(RIGHT)},
)  # fmt: skip
PHOTO = Doubt("photo", (), "The photo breaks off before its end.")
LEFT_OUT = Doubt("left_out", (3,), "The 3p may belong to the hand.")
INDICATOR = Doubt("indicator", (), "A wall lies there, and no indicator was seen.")


def doubted(*doubts: Doubt, confidence: float | None = 0.7) -> Reading:
    """:data:`SURE` with these doubts."""
    return replace(SURE, doubts=doubts, confidence=confidence)
