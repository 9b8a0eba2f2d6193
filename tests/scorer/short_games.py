"""Short ways to write the events of a game record in a test."""

from __future__ import annotations

from typing import Any

NAMES = ("Aki", "Ben", "Chie", "Dan")
RON = {
    "concealed": "123m456p78s22z444z",
    "win_tile": "9s",
    "tsumo": False,
    "riichi": True,
    "seat_wind": "W",
    "loser_offset": 2,
}
"""Riichi: 1300, of the dealer 2000."""

DRAW = {"event": "draw", "tenpai": ["E", "S"], "declared": ["S"]}


def start(rules: str = "tenhou", players: tuple[str, ...] = NAMES) -> dict[str, Any]:
    return {"event": "start", "rules": rules, "players": list(players)}


def win(*hands: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"event": "win", "hands": list(hands), **fields}
