"""Keep bytes of very many items in a temporary file instead of memory."""

from __future__ import annotations

from array import array
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final

_SPOOLED: Final = 1 << 24
"""Bytes that need no file."""


def spooled(files: int = 1) -> IO[Any]:
    """One of so many temporary files, which together need none while they hold little."""
    return SpooledTemporaryFile(_SPOOLED // files)


class Shelf:
    """Bytes of things, as they are added."""

    def __init__(self) -> None:
        self._ends = array("q", [0])
        self._file = spooled()

    def add(self, packed: bytes) -> None:
        """Those of one more thing. Not once things have been asked for."""
        self._file.write(packed)
        self._ends.append(self._ends[-1] + len(packed))

    def __getitem__(self, at: int) -> bytes:
        """Those of the thing that was added as number ``at``."""
        self._file.seek(self._ends[at])
        found: bytes = self._file.read(self._ends[at + 1] - self._ends[at])
        return found
