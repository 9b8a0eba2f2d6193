"""Keep photos in a folder if the user asks for it (``--keep-photos``), each with its reading as JSON."""

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
"""The least free bytes on the disk for keeping photos."""

_SUFFIXES: Final = ((b"\xff\xd8\xff", 0, ".jpg"), (b"\x89PNG", 0, ".png"), (b"WEBP", 8, ".webp"),
                    (b"ftyp", 4, ".heic"), (b"BM", 0, ".bmp"))  # fmt: skip
"""(signature of a format, its position in the file, the suffix)."""


class ArchiveError(Exception):
    """A photo that could not be kept. The message has the reason."""


@dataclass(frozen=True, slots=True)
class PhotoArchive:
    """A folder of photos. It makes file names of time and content; names of clients are never used."""

    folder: Path

    @classmethod
    def at(cls, folder: Path) -> PhotoArchive:
        """Create or open the folder. Raises :class:`Mistake` if it is not writable."""
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

        Both are written atomically, the photo first, so that every record has its photo. Raises
        :class:`ArchiveError` if the disk is full or gone.
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
