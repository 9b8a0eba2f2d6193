"""Changes and entries of short games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tehai.web.games.changes import Change
from tests.scorer.short_games import start


def entry(name: str, event: Mapping[str, Any]) -> dict[str, Any]:
    """An entry as a phone sends it."""
    return {"id": name, "at": "2026-11-22T19:00:00Z", "event": dict(event)}


def adding(name: str, event: Mapping[str, Any]) -> Change:
    return Change.of({"id": name, "add": entry(name, event)})


BEGUN = adding("start", start())
EMPTY = {"event": "draw", "tenpai": []}
"""A draw that nobody is ready for: points stay, the deal goes on."""
