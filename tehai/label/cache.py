"""The index beside a journal: an SQLite file with the result of its lines, so that no program reads them all
again.

The journal is the ground truth. If the index is missing, damaged, read-only, or of another journal or
program, Tehai reads the journal instead, without a message.
"""

from __future__ import annotations

import gc
import json
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from tehai.label.index import Entry, Index

VERSION: Final = 4
"""The version of the tables. Tehai rebuilds an index of another version."""

LEAST: Final = 1 << 20
"""Write the index if the journal has this many bytes that it does not cover: reading them takes 0.1 s."""

_SAMPLES, _SAMPLE = 64, 1 << 12
"""The number of samples of the journal to compare, and the bytes of each."""

_TABLES: Final = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE photos (
    number INTEGER PRIMARY KEY, sha256 BLOB UNIQUE NOT NULL, revision INTEGER NOT NULL, state TEXT NOT NULL,
    at INTEGER NOT NULL, phash BLOB NOT NULL, models TEXT NOT NULL, model_at INTEGER NOT NULL, earlier TEXT
);
CREATE TABLE paths (path TEXT PRIMARY KEY, sha256 BLOB, message TEXT);
CREATE TABLE kinds (kind INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
CREATE TABLE facts (
    kind INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, model_at INTEGER NOT NULL,
    value TEXT NOT NULL, more BLOB NOT NULL, PRIMARY KEY (kind, number)
) WITHOUT ROWID;
"""

FactValues = tuple[Any, bytes]
"""Cached facts of a photo: JSON values, and bytes for large values."""

Row = tuple[str, int, int, FactValues]
"""Facts of a photo: (hash of its content, position of its latest revision, position of that of the models,
values). Damaged JSON values are None."""

_BYTES: Final = 1 << 13
"""The page size of the database. A row of more than a quarter of a page takes a page of its own."""

_PAGE: Final = 1 << 12
"""The number of photos to read at once. Other processes can write in between."""


class Cache:
    """The index of one journal. On any error the program continues without it."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._file = journal.with_name(f".{journal.name}.index")
        self.end = 0
        self._anew = False
        self._changed: set[str] = set()
        self._moved: set[str] = set()

    def note(self, line: Any) -> None:
        """Record that the index does not cover this line yet."""
        if line["kind"] == "photo":
            self._changed.add(line["sha256"])
        if "path" in line:
            self._moved.add(line["path"])

    def load(self, index: Index) -> tuple[int, int] | None:
        """Fill an empty index. Returns the bytes and lines of the journal that it covers.

        None, and an index that stays empty, if the file is unusable. Then :meth:`keep` rebuilds it.
        """
        self._anew = True
        try:
            with growing(), self._opened("ro") as base:
                about = dict(base.execute("SELECT name, value FROM about"))
                end, lines = int(about["end"]), int(about["lines"])
                if about["version"] != str(VERSION) or not self._is_of_this(about, end):
                    return None
                models: dict[str, tuple[str, ...]] = {}
                photos = {}
                for hash_, revision, state, at, phash, said, model_at, earlier in base.execute(
                    "SELECT sha256, revision, state, at, phash, models, model_at, earlier FROM photos"
                    " ORDER BY number"
                ):
                    if said not in models:
                        models[said] = tuple(json.loads(said))
                    before = tuple(json.loads(earlier)) if earlier else ()
                    photos[hash_.hex()] = Entry(
                        revision, sys.intern(state), at, phash.hex(), models[said], model_at, before
                    )
                paths: dict[str, str | None] = {}
                unreadable = {}
                known = {key: key for key in photos}  # one text a photo, not another one a place
                for path, hash_, message in base.execute("SELECT path, sha256, message FROM paths"):
                    name = _text(path)
                    key = None if hash_ is None else hash_.hex()
                    paths[name] = known.get(key, key) if key else None
                    if message is not None:
                        unreadable[name] = json.loads(message)
                if len(photos) != int(about["photos"]) or len(paths) != int(about["paths"]):
                    return None
                folder, tags = json.loads(about["folder"]), json.loads(about["tags"])
        except (sqlite3.Error, OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        index.folder, index.tags = folder, tags
        index.photos, index.paths, index.unreadable = photos, paths, unreadable
        self.end, self._anew = end, False
        return end, lines

    def _is_of_this(self, about: dict[str, str], end: int) -> bool:
        """Whether the journal still begins as it did when the index was written."""
        status = self._journal.stat()
        if (status.st_size, str(status.st_mtime_ns)) == (end, about["changed"]):
            return True
        return status.st_size > end and about["sample"] == self._sample(end)

    def _sample(self, end: int) -> str:
        """A hash of samples of the first ``end`` bytes, the last ones included."""
        found = sha256()
        with self._journal.open("rb") as file:
            for piece in range(_SAMPLES + 1):
                file.seek(max(0, end - _SAMPLE) * piece // _SAMPLES)
                found.update(file.read(min(_SAMPLE, end)))
        return found.hexdigest()

    def keep(self, index: Index, end: int, lines: int) -> None:
        """Write the lines since :meth:`load`, or everything if nothing was loaded."""
        try:
            if self._anew:
                for name in (self._file.name, f"{self._file.name}-journal"):
                    self._file.with_name(name).unlink(missing_ok=True)
            with self._opened("rwc") as base, _whole(base):
                if self._anew:
                    for statement in _TABLES.split(";"):
                        base.execute(statement)
                elif not self._continues(base, end):
                    return
                status = self._journal.stat()
                base.executemany(
                    "INSERT INTO photos (sha256, revision, state, at, phash, models, model_at, earlier)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sha256) DO UPDATE SET"
                    " revision = excluded.revision, state = excluded.state, at = excluded.at,"
                    " phash = excluded.phash, models = excluded.models, model_at = excluded.model_at,"
                    " earlier = excluded.earlier",
                    (
                        (bytes.fromhex(key), one.revision, one.state, one.at, bytes.fromhex(one.phash),
                         json.dumps(one.models), one.model_at,
                         json.dumps(one.earlier) if one.earlier else None)
                        for key, one in index.photos.items()
                        if key in self._changed
                    ),
                )  # fmt: skip
                gone = [(json.dumps(path),) for path in self._moved if path not in index.paths]
                base.executemany("DELETE FROM paths WHERE path = ?", gone)
                base.executemany(
                    "INSERT OR REPLACE INTO paths VALUES (?, ?, ?)",
                    (
                        (json.dumps(path), key and bytes.fromhex(key), _message(index.unreadable.get(path)))
                        for path, key in index.paths.items()
                        if path in self._moved
                    ),
                )
                whole = status.st_size == end
                about = {
                    "version": VERSION,
                    "end": end,
                    "lines": lines,
                    "folder": json.dumps(index.folder),
                    "tags": json.dumps(index.tags),
                    "photos": len(index.photos),
                    "paths": len(index.paths),
                    "sample": self._sample(end),
                    "changed": status.st_mtime_ns if whole else "",
                }
                base.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", about.items())
        except (sqlite3.Error, OSError, ValueError):
            return
        self.end, self._anew = end, False
        self._changed.clear()
        self._moved.clear()

    def _continues(self, base: sqlite3.Connection, end: int) -> bool:
        """Whether the index is still the loaded one: no other process has updated it."""
        about = dict(base.execute("SELECT name, value FROM about"))
        known = int(about["end"])
        return (
            about["version"] == str(VERSION) and self.end <= known <= end and self._is_of_this(about, known)
        )

    def facts(self, kind: str) -> Iterator[Row]:
        """The cached facts of a kind, in the order in which the photos first came."""
        last = 0
        try:
            with self._opened("ro") as base:
                while page := base.execute(
                    "SELECT number, sha256, facts.at, facts.model_at, value, more"
                    " FROM facts JOIN photos USING (number)"
                    " WHERE kind = (SELECT kind FROM kinds WHERE name = ?) AND number > ?"
                    " ORDER BY number LIMIT ?",
                    (kind, last, _PAGE),
                ).fetchall():
                    last = page[-1][0]
                    for (_, hash_, at, model_at, _, more), value in zip(
                        page, _parsed([row[4] for row in page]), strict=True
                    ):
                        yield hash_.hex(), at, model_at, (value, more)
        except (sqlite3.Error, OSError, AttributeError):
            return

    def keep_facts(self, kind: str, rows: Iterable[Row]) -> None:
        """Cache facts of photos. This deletes those of other versions of the kind (the part after its last
        space)."""
        if not self.end:
            return  # there is no index of this journal
        try:
            with self._opened("rw") as base, _whole(base):
                others = f"{kind.rpartition(' ')[0]} *", kind
                which = "kind IN (SELECT kind FROM kinds WHERE name GLOB ? AND name <> ?)"
                for table in ("facts", "kinds"):
                    base.execute(f"DELETE FROM {table} WHERE {which}", others)
                base.execute("INSERT OR IGNORE INTO kinds (name) VALUES (?)", (kind,))
                ((number,),) = base.execute("SELECT kind FROM kinds WHERE name = ?", (kind,))
                base.executemany(
                    "INSERT OR REPLACE INTO facts SELECT ?, number, ?, ?, ?, ? FROM photos WHERE sha256 = ?",
                    (
                        (number, at, model_at, _short(value), more, bytes.fromhex(key))
                        for key, at, model_at, (value, more) in rows
                    ),
                )
        except (sqlite3.Error, OSError, ValueError):
            return

    def recall(self, kind: str) -> Any:
        """The value that :meth:`remember` saved about all photos; None if there is no usable one."""
        try:
            with self._opened("ro") as base:
                ((value,),) = base.execute("SELECT value FROM about WHERE name = ?", (kind,))
                return json.loads(value)
        except (sqlite3.Error, OSError, ValueError, TypeError):
            return None

    def remember(self, kind: str, value: Any) -> None:
        """Save JSON values about all photos. This deletes those of other versions of the kind."""
        if not self.end:
            return
        try:
            with self._opened("rw") as base, _whole(base):
                base.execute("DELETE FROM about WHERE name GLOB ?", (f"{kind.rpartition(' ')[0]} *",))
                base.execute("INSERT INTO about VALUES (?, ?)", (kind, json.dumps(value)))
        except (sqlite3.Error, OSError, ValueError):
            return

    @contextmanager
    def _opened(self, mode: str) -> Iterator[sqlite3.Connection]:
        uri = f"{self._file.absolute().as_uri()}?mode={mode}"
        with closing(sqlite3.connect(uri, uri=True, timeout=1, isolation_level=None)) as base:
            base.execute(f"PRAGMA page_size = {_BYTES}")  # of a new file
            yield base


def _message(text: str | None) -> str | None:
    """The text as JSON: a path may contain bytes that are no valid text, which SQLite rejects."""
    return None if text is None else json.dumps(text)


@contextmanager
def _whole(base: sqlite3.Connection) -> Iterator[None]:
    """A transaction: all of the block is written, or nothing."""
    base.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        base.execute("ROLLBACK")
        raise
    base.execute("COMMIT")


def _short(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _text(kept: str) -> str:
    """The inverse of :func:`json.dumps` for a text; fast for the usual text without escapes."""
    return json.loads(kept) if "\\" in kept else kept[1:-1]


def _parsed(texts: Sequence[str]) -> list[Any]:
    """JSON values; None for damaged ones."""
    try:
        with growing():
            found = json.loads(f"[{','.join(texts)}]")
        if len(found) == len(texts):
            return list(found)
    except ValueError:
        pass
    return [_parsed_one(text) for text in texts]


def _parsed_one(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


@contextmanager
def growing() -> Iterator[None]:
    """Without garbage collection while a program makes many objects that stay. It saves a quarter of the
    time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def of_code(kind: str, *modules: str) -> str:
    """A name for cached values about all photos, with a hash of the modules that compute them.

    Another version of the program may compute other values.
    """
    found = sha256()
    for module in modules:
        found.update(Path(module).read_bytes())
    return f"{kind} {found.hexdigest()[:16]}"
