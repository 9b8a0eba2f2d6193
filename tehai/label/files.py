"""Files that are to be read as photos, whatever lies there under a photo's name."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Protocol


class Readable(Protocol):
    """A file: a :class:`pathlib.Path`, or what else gives bytes."""

    def read_bytes(self) -> bytes: ...


class NoFile(OSError):
    """A pipe, a socket or a device: reading it would wait for ever, or never end."""

    def __init__(self) -> None:
        super().__init__("it is a pipe, a socket or a device and no file; take it out of the folder.")


def content(file: Readable) -> bytes:
    """The file's bytes. Raises OSError, of which :class:`NoFile` is one."""
    if isinstance(file, Path) and not stat.S_ISREG(mode := file.stat().st_mode) and not stat.S_ISDIR(mode):
        raise NoFile
    return file.read_bytes()


def unopened(reason: OSError) -> str:
    """What is said of a file that cannot be opened."""
    if isinstance(reason, NoFile):
        return str(reason)
    return f"the file cannot be opened ({reason.strerror or reason}); check its permissions."
