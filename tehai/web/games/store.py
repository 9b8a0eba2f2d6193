"""Games in SQLite: for each a log of changes, to which lines are only added.

A change is on disk before any client gets it (WAL, ``synchronous`` full). No booked event is lost if the
server is killed or the power fails.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final, Self

from tehai.errors import Mistake
from tehai.server.answers import Refusal
from tehai.web.games.changes import Change, Entry, after, entries_of

log = logging.getLogger("tehai.web")

FILE: Final = "games.sqlite"
VERSION: Final = 2

MOST_GAMES: Final = 1000
"""The most games in a folder."""

MOST_CHANGES: Final = 2000
"""The most changes to a game: a long evening of hands, each corrected several times."""

LARGEST: Final = 4_000_000
"""The most bytes of a game's log, which is read whole."""

_TABLES: Final = (
    """
CREATE TABLE IF NOT EXISTS changes (
    game TEXT NOT NULL,     -- the game's id, made here
    number INTEGER NOT NULL,    -- 1, 2, 3, ... within the game
    id TEXT NOT NULL,       -- the change's name, made by who sent it
    at REAL NOT NULL,       -- when it was written, seconds of Unix time
    change TEXT NOT NULL,   -- JSON
    PRIMARY KEY (game, number),
    UNIQUE (game, id)
) WITHOUT ROWID
""",
    """
CREATE TABLE IF NOT EXISTS games (
    begun INTEGER PRIMARY KEY AUTOINCREMENT,    -- 1, 2, 3, ... in the order of booking: clocks are set back
    game TEXT NOT NULL UNIQUE
)
""",
    # Kept by an earlier tehai, which knew the time alone.
    """
INSERT INTO games (game) SELECT game FROM changes WHERE number = 1
    AND game NOT IN (SELECT game FROM games) ORDER BY at, game
""",
)

_DORA: Final = """
CREATE TABLE IF NOT EXISTS dora (
    game TEXT PRIMARY KEY,
    events INTEGER NOT NULL,    -- how many the game had: the indicators are of the hand after them
    indicators TEXT NOT NULL    -- JSON, a list of tiles
) WITHOUT ROWID
"""

Check = Callable[[Sequence[Entry]], object]
"""Raises if the events cannot be a game."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A shared game. ``number``: of its last change. ``made``, ``at``: the times of its beginning and last
    change, Unix time in seconds. ``dora``: the indicators of the hand in progress."""

    id: str
    number: int
    made: float
    at: float
    entries: tuple[Entry, ...]
    dora: tuple[str, ...] = ()

    @property
    def events(self) -> list[Any]:
        return [entry["event"] for entry in self.entries]


class GameStore:
    """The games of a folder."""

    def __init__(self, folder: Path) -> None:
        """Raises :class:`Mistake` if games cannot be saved in the folder."""
        self._lock = Lock()
        self._damaged: set[str] = set()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / FILE
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))  # names of players are nobody else's
            self._database = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=10)
            self._file, self._identity = file, _identity(file)
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise Mistake(f"Games cannot be kept in {folder}: {reason}.") from None
        try:
            self._open()
        except sqlite3.Error as error:
            self._database.close()
            raise Mistake(f"Games cannot be kept in {file}: {error}.") from None
        except Mistake:
            self._database.close()
            raise

    def _open(self) -> None:
        database = self._database
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        with self._writing():
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise Mistake("The games were kept by a newer tehai: update this one.")
            for statement in (*_TABLES, _DORA):
                database.execute(statement)
            database.execute(f"PRAGMA user_version={VERSION}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._database.close()

    # --- writing ---

    def begin(self, changes: Sequence[Change], check: Check) -> Shared:
        """Begin a game with these changes. If a game has the first of them already, return that one.

        Raises :class:`Refusal`, and what ``check`` raises; then nothing is written.
        """
        first = changes[0]
        with self._writing() as database:
            known = database.execute(
                "SELECT game FROM changes WHERE number = 1 AND id = ?", (first.id,)
            ).fetchone()
            if known is not None:
                return self._game(known[0])
            (games,) = database.execute("SELECT count(*) FROM changes WHERE number = 1").fetchone()
            if games >= MOST_GAMES:
                raise Refusal(
                    409, "too_many_games", f"{MOST_GAMES} games are kept: start with another --games folder."
                )
            if len({change.id for change in changes}) < len(changes):
                raise Refusal(422, "bad_field", "Each change needs a name of its own.")
            check(entries_of(changes))
            game = secrets.token_hex(8)
            database.execute("INSERT INTO games (game) VALUES (?)", (game,))
            for number, change in enumerate(changes, 1):
                self._write(game, number, change)
            return self._game(game)

    def change(self, game: str, last: int, change: Change, check: Check) -> Shared:
        """Apply a change that follows number ``last``. A change that was saved already is not saved again.

        Raises :class:`Refusal` if another change came first (409) or the game does not exist, and what
        ``check`` raises; then nothing is written.
        """
        with self._writing() as database:
            stands = self._game(game)
            again = database.execute(
                "SELECT number FROM changes WHERE game = ? AND id = ?", (game, change.id)
            ).fetchone()
            if again is not None:
                return stands
            if last != stands.number:
                raise Refusal(
                    409,
                    "game_conflict",
                    "Another phone was faster: look at what it recorded, then record again.",
                    more={"number": stands.number, "changes": self._changes(game, last)},
                )
            (size,) = database.execute(
                "SELECT sum(length(change)) FROM changes WHERE game = ?", (game,)
            ).fetchone()
            if stands.number >= MOST_CHANGES or size >= LARGEST:
                raise Refusal(
                    409, "too_many_changes", "The game has been changed too often: begin a new one."
                )
            entries = after(stands.entries, change)
            check(entries)
            self._write(game, stands.number + 1, change)
            self._move_dora(game, stands.entries, entries)
            return self._game(game)

    def _move_dora(self, game: str, before: Sequence[Entry], entries: Sequence[Entry]) -> None:
        """The indicators stay with the hand that follows the same hand. A correction of points is none."""
        found = self._database.execute("SELECT events FROM dora WHERE game = ?", (game,)).fetchone()
        if found is None:
            return
        last = next((entry["id"] for entry in reversed(before[: found[0]]) if not _is_correction(entry)), "")
        at = next((at for at, entry in enumerate(entries, 1) if entry["id"] == last), 0)
        while 0 < at < len(entries) and _is_correction(entries[at]):
            at += 1
        self._database.execute("UPDATE dora SET events = ? WHERE game = ?", (at, game))

    def _write(self, game: str, number: int, change: Change) -> None:
        text = json.dumps(change.to_record(), separators=(",", ":"))
        row = (game, number, change.id, time.time(), text)
        self._database.execute("INSERT INTO changes VALUES (?, ?, ?, ?, ?)", row)

    def turn(self, game: str, events: int, indicators: Sequence[str]) -> Shared:
        """Set the indicators of the hand after so many events. Raises :class:`Refusal`."""
        with self._writing() as database:
            stands = self._game(game)
            if events != len(stands.entries):
                raise Refusal(409, "game_conflict", "Another phone was faster: look at the table.")
            row = (game, events, json.dumps(list(indicators)))
            database.execute("INSERT OR REPLACE INTO dora VALUES (?, ?, ?)", row)
            return self._game(game)

    # --- reading ---

    def game(self, game: str) -> Shared:
        """Raises :class:`Refusal` for an unknown id."""
        with self._reading():
            return self._game(game)

    def newest(self) -> Shared | None:
        """The game that began last."""
        games = self.games(1)
        return games[0] if games else None

    def games(self, most: int) -> list[Shared]:
        """The games that began last, newest first. Damaged ones are left out and reported in the log."""
        found: list[Shared] = []
        with self._reading() as database:
            rows = database.execute("SELECT game FROM games ORDER BY begun DESC").fetchall()
            for (game,) in rows:
                if len(found) == most:
                    break
                try:
                    found.append(self._game(game))
                except Refusal:
                    continue
                except sqlite3.DatabaseError as error:
                    self._name_damage(game, "its part of the file", error)
        return found

    def changes(self, game: str, last: int) -> list[dict[str, Any]]:
        """The log after the change numbered ``last``. Raises :class:`Refusal` for an unknown game."""
        with self._reading():
            self._game(game)
            return self._changes(game, last)

    def _changes(self, game: str, last: int) -> list[dict[str, Any]]:
        rows = self._database.execute(
            "SELECT number, at, change FROM changes WHERE game = ? AND number > ? ORDER BY number",
            (game, last),
        )
        return [self._change(game, *row) for row in rows]

    def _change(self, game: str, number: int, at: float, text: str) -> dict[str, Any]:
        """A line of the log. Raises :class:`Refusal` for a damaged one, and reports it in the log."""
        try:
            change = json.loads(text)
            Change.of(change)
            return {"number": number, "at": at + 0.0, **change}
        except (Refusal, TypeError, ValueError, RecursionError) as error:
            self._name_damage(game, f"change {number}", error)
            raise _damaged(game) from None

    def _game(self, game: str) -> Shared:
        lines = self._changes(game, 0)
        if not lines:
            raise Refusal(404, "no_game", "There is no game of that name here.")
        try:
            entries = entries_of(Change.of(line) for line in lines)
            _ = entries[0]
            found = self._database.execute(
                "SELECT indicators FROM dora WHERE game = ? AND events = ?", (game, len(entries))
            ).fetchone()
            dora = tuple(json.loads(found[0])) if found else ()
        except (Refusal, IndexError, TypeError, ValueError) as error:
            self._name_damage(game, "its changes", error)
            raise _damaged(game) from None
        return Shared(game, lines[-1]["number"], lines[0]["at"], lines[-1]["at"], tuple(entries), dora)

    def _name_damage(self, game: str, what: str, error: Exception) -> None:
        """Report damage once for each game, because followers read repeatedly."""
        if game not in self._damaged:
            self._damaged.add(game)
            log.warning(
                "The game %s in %s is damaged (%s: %s); bring a backup back.", game, self._file, what, error
            )

    # --- the file ---

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._database
            except sqlite3.Error as error:
                raise _not_kept(error) from None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of the block is on disk afterwards, or nothing."""
        with self._lock:
            try:
                self._check_file()
                self._database.execute("BEGIN IMMEDIATE")
                yield self._database
                self._database.execute("COMMIT")
                self._check_file()  # or it was written into a file that nobody finds again
            except BaseException as error:
                with suppress(sqlite3.Error):
                    self._database.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise _not_kept(error) from None
                raise

    def _check_file(self) -> None:
        """Raises :class:`Refusal` if the file was deleted or replaced since it was opened."""
        if _identity(self._file) != self._identity:
            raise Refusal(
                507,
                "not_kept",
                f"{self._file.name}, the games, was deleted or replaced: start tehai serve again.",
            )


def back_up(folder: Path, to: Path) -> None:
    """Copy the games of a folder into a new file, even while a server writes. Raises :class:`Mistake`."""
    file = folder / FILE
    if not file.is_file():
        raise Mistake(f"There are no games in {folder}; name the folder of tehai serve --games.")
    if to.exists():
        raise Mistake(f"{to} is there already; name a new file.")
    part = to.with_name(f".{to.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(file, timeout=10)) as games, closing(sqlite3.connect(part)) as copy:
            games.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
        part.replace(to)
    except (OSError, sqlite3.Error) as error:
        part.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or str(error)
        raise Mistake(f"The games cannot be copied to {to} ({reason}).") from None


def _is_correction(entry: Entry) -> bool:
    return bool(entry["event"].get("event") == "correction")


def _identity(file: Path) -> tuple[int, int] | None:
    """The identity of the file at a path; None without one."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _damaged(game: str) -> Refusal:
    return Refusal(507, "damaged", f"The game {game} is damaged in the server's file: bring a backup back.")


def _not_kept(error: sqlite3.Error) -> Refusal:
    """The refusal for a full, missing or damaged disk."""
    return Refusal(507, "not_kept", f"The game cannot be kept on the server's disk ({error}).")
