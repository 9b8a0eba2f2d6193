"""Read files that have a photo's name, whatever they are."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol


class Readable(Protocol):
    """A :class:`pathlib.Path`, or another source of bytes."""

    def read_bytes(self) -> bytes: ...


class Folder(Protocol):
    """A folder of photos: a :class:`pathlib.Path`, or an address."""

    def __truediv__(self, path: str, /) -> Readable: ...


class NoFile(OSError):
    """A pipe, a socket or a device. Reading it could wait for ever or never end."""

    def __init__(self) -> None:
        super().__init__("it is a pipe, a socket or a device and no file; take it out of the folder.")


def content(file: Readable) -> bytes:
    """The file's bytes. Raises OSError, :class:`NoFile` included."""
    if isinstance(file, Path) and not stat.S_ISREG(mode := file.stat().st_mode) and not stat.S_ISDIR(mode):
        raise NoFile
    return file.read_bytes()


def unopened(reason: OSError) -> str:
    """Why a file cannot be opened."""
    if isinstance(reason, NoFile):
        return str(reason)
    return f"the file cannot be opened ({reason.strerror or reason}); check its permissions."


class NotAsLabelled(Exception):
    """A photo that changed since it was labelled. The message says how, and names its former ``path``."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(why)
        self.path = path


def as_labelled(folder: Folder, paths: Iterable[str], sha256: str) -> tuple[str, bytes]:
    """The content with this hash, and the first of ``paths`` that has it. Raises :class:`NotAsLabelled`."""
    failed: NotAsLabelled | None = None
    for path in paths:
        try:
            data = content(folder / path)
        except FileNotFoundError:
            why = "is not there any more"
        except OSError as reason:
            why = unopened(reason)
        else:
            if hashlib.sha256(data).hexdigest() == sha256:
                return path, data
            why = "has changed since it was labelled"
        failed = failed or NotAsLabelled(path, why)
    raise failed or NotAsLabelled(sha256[:12], "is nowhere in the folder")
