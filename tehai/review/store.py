"""A journal under review. One thread uses it at a time; other processes may add to it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

from tehai.errors import Mistake
from tehai.label import duplicates
from tehai.label.files import Folder
from tehai.label.journal import Journal, Line
from tehai.review.queue import Queue


class JournalUnavailable(Exception):
    """The journal cannot be read or written. The message is a sentence."""


class NoPhoto(LookupError):
    """An unknown photo, revision or tile."""

    def __init__(self) -> None:
        super().__init__("There is no such photo, tile or revision.")


class Store:
    """The journal and its review queue. ``journal``: open for writing; the store owns it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._queue = Queue()
        self._lock = Lock()
        self._file = _identity(journal.file.stat())
        self._size = -1
        self._behind = True
        self._closed = False

    @property
    def folder(self) -> Folder:
        """The folder of the photos."""
        return self._journal.folder

    @contextmanager
    def up_to_date(self) -> Iterator[Queue]:
        """The queue with all additions of other processes, locked for this thread.

        Raises :class:`JournalUnavailable`.
        """
        with self._lock:
            self._catch_up()
            if self._behind:
                with _as_trouble():
                    self._queue.follow(self._journal)
                self._behind = False
            yield self._queue

    def _catch_up(self) -> None:
        size = self._where_it_was()
        if size != self._size:
            # Adding nothing reads what is new under the journal's lock: without it, a line that somebody
            # is writing looks torn, and would be taken off.
            with _as_trouble():
                self._journal.append()
            self._size, self._behind = size, True

    def _where_it_was(self) -> int:
        """The journal's size in bytes, after a check that it was not moved or replaced, which would lose
        additions."""
        if self._closed:
            raise JournalUnavailable("tehai review has ended; nothing was saved.")
        try:
            status = self._journal.file.stat()
        except OSError:
            status = None
        if status is None or _identity(status) != self._file:
            file = self._journal.file
            raise JournalUnavailable(
                f"{file} has been moved or replaced; stop tehai review and start it again."
            )
        return status.st_size

    def close(self) -> None:
        """Finish the present write, then write nothing more."""
        with self._lock:
            self._closed = True

    def near(self) -> list[list[str]]:
        """Near-duplicate photos, see :func:`tehai.label.duplicates.near`."""
        with self._lock:
            self._catch_up()
            with _as_trouble():
                return duplicates.near(self._journal)

    def photo(self, key: str) -> Line:
        """The latest revision of a photo. Raises :class:`NoPhoto`."""
        with self._lock:
            return self._photo(key)

    def _photo(self, key: str) -> Line:
        self._catch_up()
        if key not in self._journal.index.photos:
            raise NoPhoto
        return self._journal.photo(key)

    def model(self, key: str) -> Line | None:
        """The photo as the models last read it, if they have. Raises :class:`NoPhoto`."""
        with self._lock:
            self._photo(key)
            entry = self._journal.index.photos[key]
            return self._journal.read(entry.model_at) if entry.model_at >= 0 else None

    def history(self, key: str) -> list[Line]:
        """All revisions of a photo in order. Raises :class:`NoPhoto`."""
        with self._lock:
            latest = self._photo(key)
            return [*map(self._journal.read, self._journal.index.photos[key].earlier), latest]

    def paths(self, key: str) -> list[str]:
        """The paths of a photo: several for copies, none if it is gone."""
        with self.up_to_date() as queue:
            return queue.places.get(key, [])

    def path(self, key: str) -> str:
        """The present or last path of a photo."""
        with self.up_to_date() as queue:
            return queue.path(key)

    def append(self, line: Line, after: int) -> None:
        """Append a revision.

        Raises :class:`tehai.label.journal.Conflict` if another came first, and :class:`JournalUnavailable` if
        nothing can be written.
        """
        with self._lock, _as_trouble():
            self._where_it_was()
            self._journal.append(line, after=after)

    def append_following(self, lines: Sequence[Line]) -> None:
        """Append revisions, one a photo, without those whose photo has a later one.

        Raises :class:`JournalUnavailable` if nothing can be written.
        """
        with self._lock, _as_trouble():
            self._where_it_was()
            self._journal.append_following(lines)


@contextmanager
def _as_trouble() -> Iterator[None]:
    """Report errors of the journal as :class:`JournalUnavailable`, not as errors of the request."""
    try:
        yield
    except Mistake as mistake:
        raise JournalUnavailable(str(mistake)) from None


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
