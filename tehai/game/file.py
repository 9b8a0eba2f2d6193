"""``tehai game``: a game record or a log from a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scorer.game_record import GameRecordError, PlayedGame, replay
from scorer.hand_tiles import FactSource, HandTiles
from scorer.open_record import OpenRecord
from scorer.record import with_fields
from scorer.score import Score
from tehai.errors import Mistake
from tehai.logs.game import LoggedGame, play_log
from tehai.logs.mjai import to_mjai
from tehai.logs.play import Log, LogError
from tehai.logs.read import read_log
from tehai.logs.tenhou6 import to_tenhou6
from tehai.settings.options import rule_set
from tehai.settings.preferences import rules_or_default


@dataclass(frozen=True, slots=True)
class GameFile:
    """The game of a file. ``events``: its game record; ``logged``: the log, where the file is one."""

    events: tuple[Mapping[str, Any], ...]
    played: PlayedGame
    logged: LoggedGame | None = None

    def to_record(self) -> dict[str, Any]:
        """The sheet as JSON values, and of a log what it says otherwise."""
        sheet = self.played.to_record()
        if self.logged is None:
            return sheet
        log, differences = self.logged.log, self.logged.differences
        about = {
            "format": log.format,
            "hands": len(log.deals),
            "cut": log.cut,
            "differences": [one.to_record() for one in differences],
        }
        return {**sheet, "log": about}

    def winners(self, hand: int) -> list[OpenRecord]:
        """The hands that a hand of the game was won with, each as it was paid. ``hand``: from 1, as the sheet
        lists them. Raises :class:`Mistake` where there is none of that number, or nobody was paid for tiles.
        """
        turns = self.played.turns
        if not 1 <= hand <= len(turns):
            raise Mistake(f"--explain is the number of a hand, 1 to {len(turns)}, not {hand}.")
        won = [score for _, score in turns[hand - 1].won_with_tiles()]
        if not won:
            raise Mistake(f"Nobody won hand {hand} with tiles that were written down: name another.")
        return [_opened(one) for one in won]


def _opened(won: Score) -> OpenRecord:
    """The hand of a score, under its own rules, which may be in no file."""
    record = {field: value for field, value in won.to_record()["record"].items() if field != "rules"}
    return with_fields(OpenRecord(HandTiles(), won.rules, called=won.rules.id), record, FactSource.ASKED)


def opened(file: str, rules: str | None = None) -> GameFile:
    """The game of a file, or of standard input (``-``): a log of another program, or a game record.

    ``rules``: stronger than those that it names. Raises :class:`Mistake` where the file cannot be read or
    the game cannot have been.
    """
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as reason:
        raise Mistake(f"{file} cannot be opened ({reason.strerror}); check the path.") from None
    if rules is not None:
        rule_set(rules)  # what is wrong with them is no event's fault
    try:
        log = read_log(data)
        if log is not None:
            logged = play_log(log, rules)
            return GameFile(logged.events, logged.played, logged)
        text = data.decode("utf-8-sig")
    except LogError as error:
        raise Mistake(str(error)) from None
    except UnicodeDecodeError:
        raise Mistake(
            f"{file} is no text: a game record is JSON, an event a line; logs are those of Tenhou,"
            " Mahjong Soul and mjai."
        ) from None
    return game_of(text, rules)


def game_of(text: str, rules: str | None = None) -> GameFile:
    """The game of a text: an event a line, or one JSON list of them.

    ``rules``: stronger than those that the record names; where neither names any, those that the player has
    chosen hold. Raises :class:`Mistake` where the text is no record or the game cannot have been.
    """
    if rules is not None:
        rule_set(rules)
    events = _events(text)
    if events and isinstance(start := events[0], dict) and (rules is not None or "rules" not in start):
        events[0] = {**start, "rules": rules_or_default(rules)}
    try:
        return GameFile(tuple(events), replay(events))
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
        where = f"{error.msg.removesuffix(' at')} at column {error.colno}"
        raise Mistake(f"{what} is not JSON ({where}): correct it, or name the file of a game.") from None
    except (RecursionError, ValueError):
        raise Mistake(f"{what} is JSON that cannot be read.") from None


# --- written ------------------------------------------------------------------------------------------------


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


_LOGS: Final[Mapping[str, Callable[[Log], str]]] = {
    "tenhou6": lambda log: _line(to_tenhou6(log)),
    "mjai": lambda log: "".join(map(_line, to_mjai(log))),
}

EXPORTS: Final = ("record", *_LOGS)
"""What a game can be written as: a game record, or for other programs."""


def exported(game: GameFile, format_: str) -> str:
    """The game as a text in one of :data:`EXPORTS`. Raises :class:`Mistake` where it cannot be."""
    if format_ not in EXPORTS:
        raise Mistake(f"--export is one of {', '.join(EXPORTS)}, not “{format_}”.")
    if format_ == "record":
        return "".join(map(_line, game.events))
    if game.logged is None:
        raise Mistake(f"A game record has no discards, so it cannot be written as {format_}: only a log can.")
    return _LOGS[format_](game.logged.with_payments)
