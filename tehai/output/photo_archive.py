"""Photos kept where the user asked for it, each with what was read from it beside it."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from tehai.errors import Mistake
from tehai.output.files import write_whole

SPARE: Final = 500_000_000
"""Bytes that are left free on the disk: below them nothing is kept."""

_SUFFIXES: Final = ((b"\xff\xd8\xff", 0, ".jpg"), (b"\x89PNG", 0, ".png"), (b"WEBP", 8, ".webp"),
                    (b"ftyp", 4, ".heic"), (b"BM", 0, ".bmp"))  # fmt: skip
"""The mark of a format, where it stands in the file, the suffix."""


class ArchiveError(Exception):
    """A photo that could not be kept; the message says why."""


@dataclass(frozen=True, slots=True)
class PhotoArchive:
    """A folder of photos. Names are made here, of the time and the content: nothing of them is a client's."""

    folder: Path

    @classmethod
    def at(cls, folder: Path) -> PhotoArchive:
        """The folder, made if need be. Raises :class:`Mistake` where nothing can be written into it."""
        probe = folder / ".tehai"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(probe, b"")
            probe.unlink()
        except OSError as error:
            raise Mistake(f"Photos cannot be kept in {folder}: {error.strerror}.") from None
        return cls(folder)

    def keep(self, photo: bytes, facts: Mapping[str, Any]) -> str:
        """Write the photo as it came, and ``facts`` as JSON beside it; returns the photo's file name.

        Both are written whole, the photo first: who finds the record finds the photo. Raises
        :class:`ArchiveError` where the disk is full or gone.
        """
        digest = sha256(photo).hexdigest()
        taken = time.strftime("%Y%m%d-%H%M%S")
        name = f"{taken}-{digest[:16]}{_suffix(photo)}"
        record = {"version": 1, "photo": name, "sha256": digest, "taken": taken, **facts}
        try:
            if shutil.disk_usage(self.folder).free < SPARE + len(photo):
                raise ArchiveError("the disk is nearly full")
            write_whole(self.folder / name, photo)
            write_whole((self.folder / name).with_suffix(".json"), json.dumps(record).encode())
        except OSError as error:
            raise ArchiveError(error.strerror or str(error)) from None
        return name


def _suffix(photo: bytes) -> str:
    return next((suffix for mark, at, suffix in _SUFFIXES if photo.startswith(mark, at)), ".bin")
