"""``tehai game``: a game record from a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from scorer.game_record import GameRecordError, PlayedGame, replay
from tehai.errors import Mistake
from tehai.options import rule_set
from tehai.preferences import rules_or_default


def played(file: str, rules: str | None = None) -> PlayedGame:
    """The game of a file, or of standard input (``-``); see :func:`game_of`.

    Raises :class:`Mistake` where the file cannot be read or the game cannot have been.
    """
    try:
        text = (sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()).decode("utf-8-sig")
    except OSError as reason:
        raise Mistake(f"{file} cannot be opened ({reason.strerror}); check the path.") from None
    except UnicodeDecodeError:
        raise Mistake(f"{file} is not UTF-8 text; a game record is JSON, an event a line.") from None
    return game_of(text, rules)


def game_of(text: str, rules: str | None = None) -> PlayedGame:
    """The game of a text: an event a line, or one JSON list of them.

    ``rules``: stronger than those that the record names; where neither names any, those that the player has
    chosen hold. Raises :class:`Mistake` where the text is no record or the game cannot have been.
    """
    if rules is not None:
        rule_set(rules)  # what is wrong with them is no event's fault
    events = _events(text)
    if events and isinstance(start := events[0], dict) and (rules is not None or "rules" not in start):
        events[0] = {**start, "rules": rules_or_default(rules)}
    try:
        return replay(events)
    except GameRecordError as error:
        raise Mistake(str(error)) from None


def _events(text: str) -> list[Any]:
    if text.lstrip().startswith("["):
        found = _json(text, "The list of events")
        return found if isinstance(found, list) else [found]
    lines = enumerate(text.splitlines(), 1)
    return [_json(line, f"Line {number}") for number, line in lines if line.strip()]


def _json(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Mistake(f"{what} is not JSON ({error.msg} at column {error.colno}).") from None
    except (RecursionError, ValueError):
        raise Mistake(f"{what} is JSON that cannot be read.") from None
