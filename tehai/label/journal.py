"""The journal of labels: JSON lines, one a photo and revision (``docs/labels.md``). A line is never changed.

Several processes may append to one journal. Each writes under a lock, after it has read what the others
appended. A revision that does not follow the latest one is refused (:class:`Conflict`), so that no work is
lost.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import repeat
from pathlib import Path
from typing import Any, Final

from tehai.errors import Mistake
from tehai.label.address import Address, is_address
from tehai.label.cache import LEAST, Cache, FactValues, Row
from tehai.label.files import Readable
from tehai.label.index import STATES as STATES
from tehai.label.index import TOUCHED as TOUCHED
from tehai.label.index import Entry as Entry
from tehai.label.index import Index as Index
from tehai.label.index import digests as digests
from tehai.label.lock import Taken, locked

SCHEMA: Final = 1
"""The schema of the lines that this program writes, unless a line needs a newer one."""

TAG_SCHEMA: Final = 2
"""The schema of lines that name versions, the newest one: an older program would report such a line as
damaged."""

NAME: Final = "tehai-labels.jsonl"
"""The journal's name in the folder of the photos."""

Line = dict[str, Any]

UNDOUBTED: Final[Line] = {"confidence": None, "doubts": []}
"""The doubts of a photo's line whose tiles differ from those of a reading."""


class Conflict(Exception):
    """Another process has appended a revision of this photo; ``latest`` is its number."""

    def __init__(self, sha256: str, latest: int) -> None:
        super().__init__(f"photo {sha256[:12]} is at revision {latest} by now")
        self.latest = latest


def now() -> str:
    """The time as the journal writes it: ISO 8601, UTC, whole seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of facts about photos that the index of a journal caches.

    ``name``: a word and a number. Raise the number when the facts of a photo change
    (``tests/tehai/label/test_kinds.py`` checks this). ``find``: computes the facts from a photo's hash, state
    and latest line. ``sound``: whether cached values are valid.
    """

    name: str
    find: Callable[[Journal, str, Entry, Line], FactValues]
    sound: Callable[[Any, bytes], bool] = lambda value, more: True


class Journal:
    """A journal, open for reading, or for appending as well if :func:`writing` opened it.

    ``repaired``: a sentence about a torn last line; empty without one.
    """

    def __init__(self, file: Path, descriptor: int, *, writable: bool, until: int | None = None) -> None:
        self.file = file
        self.index = Index()
        self.repaired = ""
        self._descriptor = descriptor
        self._writable = writable
        self._end = 0
        self._number = 0
        self.cache = Cache(file)
        self._until = until

    @property
    def folder(self) -> Path | Address:
        """Where the photos are: a folder of this machine, or an address."""
        if is_address(self.index.folder):
            return Address(self.index.folder)
        return (self.file.parent / self.index.folder).resolve()

    @property
    def local_folder(self) -> Path:
        """The folder of the photos. Raises :class:`Mistake` for an address."""
        folder = self.folder
        if isinstance(folder, Address):
            raise Mistake(
                f"The photos of {self.file} lie at {folder}; copy them and name the copy once: "
                f"tehai label COPY --to {self.file} (what has been read is known again)."
            )
        return folder

    def path(self, relative: str) -> Readable:
        """The path or address of a photo of the journal."""
        return self.folder / relative

    def catch_up(self) -> None:
        """Read what others have appended. Raises :class:`Mistake` for an invalid line."""
        size = os.fstat(self._descriptor).st_size
        if self._until is not None:
            size = min(size, self._until)
        elif not self._end and size >= LEAST and (known := self.cache.load(self.index)):
            self._end, self._number = known
        while self._end < size:
            raw = self._line_at(self._end)
            line = _parsed(raw)
            if line is None and self._end + len(raw) >= size:
                self._repair(raw)
                return
            self._take(line)
            self._end += len(raw)
            self._number += 1

    def _take(self, line: Line | None) -> None:
        schema = None if line is None else line.get("schema")
        if isinstance(schema, int) and schema > TAG_SCHEMA:
            raise Mistake(
                f"{self.file} was written by a newer tehai (schema {schema}, known up to {TAG_SCHEMA}): "
                "bring tehai up to date."
            )
        try:
            if line is None or schema not in (SCHEMA, TAG_SCHEMA):
                raise ValueError("it is no line of a journal")
            self.index.take(line, self._end)
            self.cache.note(line)
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            what = f"it has no {error}" if isinstance(error, KeyError) else error
            raise Mistake(
                f"Line {self._number + 1} of {self.file} is damaged ({what}); bring the file back from a "
                "copy, or take that line out."
            ) from None

    def _repair(self, torn: bytes) -> None:
        """Ignore a torn last line, or remove it. Raises :class:`Mistake` if the file is no journal."""
        begun = torn.strip(b"\x00\n")[: len(_BEGINNING)]
        if not self._number and not _BEGINNING.startswith(begun):
            raise Mistake(f"{self.file} holds no labels; name the file of tehai label, or a new one.")
        what = (
            f"The last line of {self.file.name} was torn ({len(torn)} bytes after {self._number} whole lines)"
        )
        if self._writable:
            os.ftruncate(self._descriptor, self._end)
            self.repaired = f"{what}; it has been taken off."
        else:
            self.repaired = f"{what}; it is left out."

    def append(self, *lines: Line, after: int | None = None) -> None:
        """Append lines. They are on disk when this returns.

        ``after``: the revision that the first line, a photo's, is based on. Raises :class:`Conflict` if the
        photo has a later one. Raises :class:`Mistake` if nothing can be written; the file is then unchanged.
        """
        with locked(self._descriptor, wait=True):
            self.catch_up()
            if after is not None and (latest := self._latest(lines[0])) != after:
                raise Conflict(lines[0]["sha256"], latest)
            self._write(lines)

    def append_following(self, lines: Sequence[Line]) -> None:
        """Append revisions, one a photo. Those that do not follow the latest revision are left out.

        All are on disk when this returns. Raises :class:`Mistake` as :meth:`append` does.
        """
        with locked(self._descriptor, wait=True):
            self.catch_up()
            self._write([line for line in lines if line["revision"] == self._latest(line) + 1])

    def _latest(self, line: Line) -> int:
        entry = self.index.photos.get(line["sha256"])
        return entry.revision if entry else 0

    def _write(self, lines: Iterable[Line]) -> None:
        data = b"".join(encode(line) for line in lines)
        try:
            os.lseek(self._descriptor, 0, os.SEEK_END)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)
        except OSError as reason:
            os.ftruncate(self._descriptor, self._end)
            raise Mistake(
                f"{self.file} cannot be added to ({reason.strerror}); nothing that it holds is lost: "
                "make room and run again."
            ) from None
        self.catch_up()
        if self._end - self.cache.end > _LAG:
            self.keep()

    def keep(self) -> None:
        """Update the index of the journal if that saves time later."""
        if self._until is None and self._end - self.cache.end >= LEAST:
            self.cache.keep(self.index, self._end, self._number)

    @property
    def version(self) -> str:
        """A short name for the lines so far: their number and the hash of the last ones."""
        os.lseek(self._descriptor, max(0, self._end - _CHUNK), os.SEEK_SET)
        last = os.read(self._descriptor, min(self._end, _CHUNK))
        return f"{self._number}-{hashlib.sha256(last).hexdigest()[:12]}"

    def read(self, at: int) -> Line:
        """The line that begins at byte ``at``."""
        line: Line = json.loads(self._line_at(at))
        return line

    def text(self, sha256: str, field: str) -> str:
        """A text field of a photo's latest revision, found without parsing the line; empty without one.

        Quotes in a JSON text are escaped, so no text can look like a field.
        """
        line = self._line_at(self.index.photos[sha256].at)
        found = re.search(rb'"%s":"([^"\\\\]*)"' % field.encode("ascii"), line)
        return found[1].decode("ascii") if found else json.loads(line).get(field) or ""

    def photo(self, sha256: str) -> Line:
        """The latest revision of a photo."""
        return self.read(self.index.photos[sha256].at)

    def photos(self) -> Iterator[Line]:
        """The latest revision of every photo, in the order in which they first came; one at a time in
        memory."""
        for sha256 in list(self.index.photos):  # others may add photos meanwhile
            yield self.photo(sha256)

    def facts(
        self, *kinds: Kind, some: Iterable[str] | None = None
    ) -> Iterator[tuple[str, Entry, tuple[FactValues, ...]]]:
        """The facts of each kind for each photo, in the order in which they first came. ``some``: only these
        photos, and no cache.

        Facts of a revision come from the index if it has them. Otherwise they are computed, and the index
        caches them, so that each photo is read once for all kinds. Raises :class:`Mistake` for an invalid
        line.
        """
        if some is None:
            asked = list(self.index.photos.items())  # others may add photos meanwhile
            known = [self._known(kind) for kind in kinds]
        else:
            asked = [(sha256, self.index.photos[sha256]) for sha256 in some]
            known = [repeat(None) for _ in kinds]
        fresh: list[list[Row]] = [[] for _ in kinds]
        for (sha256, entry), *said in zip(asked, *known, strict=False):
            if None in said:
                found = self._found(kinds, sha256, entry, said)
                for rows, before, now_ in zip(fresh, said, found, strict=True):
                    if before is None:
                        rows.append((sha256, entry.at, entry.model_at, now_))
                if max(map(len, fresh)) >= _BATCH:
                    self._keep_facts(kinds, fresh)
                yield sha256, entry, found
            else:
                yield sha256, entry, tuple(said)
        if max(map(len, fresh)) >= _MANY:
            self._keep_facts(kinds, fresh)

    def _known(self, kind: Kind) -> Iterator[FactValues | None]:
        """The facts of each photo in the index, in order; None where it has none."""
        rows = self.cache.facts(kind.name)
        row = next(rows, None)
        for sha256, entry in list(self.index.photos.items()):
            if row is None or row[0] != sha256:
                yield None
                continue
            value, more = row[3]
            now_ = value is not None and row[1:3] == (entry.at, entry.model_at)
            yield (value, more) if now_ and kind.sound(value, more) else None
            row = next(rows, None)

    def _found(
        self, kinds: Sequence[Kind], sha256: str, entry: Entry, known: Sequence[FactValues | None]
    ) -> tuple[FactValues, ...]:
        """The facts of a photo: cached ones, and the others computed."""
        try:
            line = self.read(entry.at)
            return tuple(
                kind.find(self, sha256, entry, line) if said is None else said
                for kind, said in zip(kinds, known, strict=True)
            )
        except (KeyError, TypeError, ValueError) as error:
            raise Mistake(
                f"Revision {entry.revision} of the photo {sha256[:12]} in {self.file} is damaged "
                f"({error!r}); bring the file back from a copy, or repair that line."
            ) from None

    def _keep_facts(self, kinds: Sequence[Kind], fresh: Sequence[list[Row]]) -> None:
        self.keep()
        for kind, rows in zip(kinds, fresh, strict=True):
            if rows:
                self.cache.keep_facts(kind.name, rows)
                rows.clear()

    def lines(self) -> Iterator[Line]:
        """Every line, from the first."""
        at = 0
        while at < self._end:
            raw = self._line_at(at)
            yield json.loads(raw)
            at += len(raw)

    def _line_at(self, at: int) -> bytes:
        os.lseek(self._descriptor, at, os.SEEK_SET)
        line = bytearray()
        while chunk := os.read(self._descriptor, _PIECE):
            end = chunk.find(b"\n")
            if end >= 0:
                return bytes(line + chunk[: end + 1])
            line += chunk
        return bytes(line)


_BEGINNING: Final = b'{"schema":'
"""The first bytes of every line (:func:`encode`)."""
_CHUNK: Final = 1 << 16
_PIECE: Final = 1 << 14
"""Bytes read at once: most lines are shorter."""
_MANY: Final = 100
"""Cache facts if a journal has this many photos or more: computing them takes a tenth of a second."""
_BATCH: Final = 1 << 12
"""Photos whose facts are in memory at once."""
_LAG: Final = 1 << 25
"""Bytes after which a long run updates the index, because it may be killed."""


def encode(line: Mapping[str, Any]) -> bytes:
    """A line's bytes. They are pure ASCII, so that names with invalid text stay as they are."""
    return json.dumps({"schema": SCHEMA, **line}, separators=(",", ":")).encode("ascii") + b"\n"


def _parsed(raw: bytes) -> Line | None:
    """A whole line; None for one that breaks off, or that a power cut left as zeros."""
    try:
        line = json.loads(raw) if raw.endswith(b"\n") else None
    except ValueError:
        return None
    return line if isinstance(line, dict) else None


def place(photos: Path | Address, to: Path | None) -> Path:
    """The file of a folder's journal: in the folder, or at ``to`` (a file or a folder)."""
    if to is None:
        if isinstance(photos, Address):
            raise Mistake(f"The labels of {photos} are written on this machine; say where with --to FILE.")
        return photos / NAME
    return to / NAME if to.is_dir() else to


def find(where: Path) -> Path:
    """The journal that an argument names: the file itself, or the folder that contains it."""
    return where / NAME if where.is_dir() else where


@contextmanager
def reading(file: Path, tag: str | None = None) -> Iterator[Journal]:
    """Open a journal for reading, at its end or at a named version. The folder may be read-only.

    Raises :class:`Mistake` for an unknown version.
    """
    with _opened(file, os.O_RDONLY) as descriptor:
        journal = Journal(file, descriptor, writable=False)
        journal.catch_up()
        if tag is None:
            yield journal
            journal.keep()
            return
        if tag not in journal.index.tags:
            known = ", ".join(journal.index.tags) or "none"
            raise Mistake(f"{file} has no version {tag}; there are: {known}.")
        frozen = Journal(file, descriptor, writable=False, until=journal.index.tags[tag])
        frozen.catch_up()
        yield frozen


@contextmanager
def writing(file: Path, photos: Path | Address | None = None) -> Iterator[Journal]:
    """Open a journal for appending. With ``photos``, its folder, a missing journal is created.

    Raises :class:`Mistake` if the journal cannot be written, or belongs to another folder.
    """
    if photos is not None and not file.exists():
        _missing_folders(file)
    flags = os.O_RDWR | (os.O_CREAT if photos is not None else 0)
    with _opened(file, flags) as descriptor:
        journal = Journal(file, descriptor, writable=True)
        with locked(descriptor, wait=True):
            journal.catch_up()
        if photos is not None:
            _about(journal, photos)
        yield journal
        journal.keep()


@contextmanager
def alone(file: Path) -> Iterator[None]:
    """The lock of a labelling run: one run a journal. Raises :class:`Mistake` while another run has it."""
    beside = file.with_name(f".{file.name}.lock")
    with ExitStack() as stack:
        descriptor = stack.enter_context(_opened(beside, os.O_RDWR | os.O_CREAT))
        try:
            stack.enter_context(locked(descriptor, wait=False))
        except Taken:
            who = os.read(descriptor, 200).decode("utf-8", "replace").strip()
            raise Mistake(
                f"Another run is at work on {file}{who and f' ({who})'}; wait until it has ended."
            ) from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"process {os.getpid()} since {now()}\n".encode())
        try:
            yield
        finally:
            os.ftruncate(descriptor, 0)


def _about(journal: Journal, photos: Path | Address) -> None:
    """Record the journal's folder, or check that it is this one.

    A folder that is gone may have moved, and a copy of photos at an address may be in a folder.
    """
    at = photos if isinstance(photos, Address) else photos.resolve()
    if journal._number:
        before = journal.folder
        if before == at:
            return
        if before.is_dir() if isinstance(before, Path) else isinstance(at, Address):
            raise Mistake(
                f"{journal.file} holds the labels of {before}; name another file with --to for {photos}."
            )
    wanted = at.url if isinstance(at, Address) else _relative(at, journal.file.parent.resolve())
    journal.append({"kind": "project", "photos": wanted, "at": now()})


def _relative(path: Path, start: Path) -> str:
    try:
        return Path(os.path.relpath(path, start)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()


def _missing_folders(file: Path) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        raise Mistake(
            f"{file.parent} cannot be made ({reason.strerror}); name another place with --to."
        ) from None


@contextmanager
def _opened(file: Path, flags: int) -> Iterator[int]:
    try:
        descriptor = os.open(file, flags | getattr(os, "O_BINARY", 0), 0o644)
    except FileNotFoundError:
        raise Mistake(f"There are no labels at {file}; make them with: tehai label DIR.") from None
    except OSError as reason:
        raise Mistake(
            f"{file} cannot be opened ({reason.strerror}); where the folder is read-only, name another place "
            "with --to."
        ) from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)


Report = Callable[[str], None]
"""Takes a sentence for the person at the terminal."""
