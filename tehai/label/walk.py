"""The photos of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from tehai.errors import Mistake

SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif"})


def photos(folder: Path) -> Iterator[str]:
    """Paths of all photos below, relative to ``folder``, with ``/``, sorted within each folder.

    Links to folders are followed, each folder is entered once: loops end. What begins with a dot is left out.
    A folder that cannot be listed is passed over; raises :class:`Mistake` when that is ``folder`` itself.
    """
    if not folder.is_dir():
        raise Mistake(f"{folder} is no folder; name the folder of the photos.")
    try:
        next(folder.iterdir(), None)
    except OSError as reason:
        raise Mistake(f"{folder} cannot be listed ({reason.strerror}); check its permissions.") from None
    entered: set[tuple[int, int]] = set()
    for at, folders, files in os.walk(folder, followlinks=True):
        try:
            status = Path(at).stat()
        except OSError:  # it has vanished meanwhile
            continue
        if (status.st_dev, status.st_ino) in entered:
            folders.clear()
            continue
        entered.add((status.st_dev, status.st_ino))
        here = Path(at).relative_to(folder)
        # A folder is entered by its own name rather than by a link to it.
        folders[:] = sorted(
            (name for name in folders if not name.startswith(".")),
            key=lambda name: (Path(at, name).is_symlink(), name),
        )
        for name in sorted(files):
            if is_photo(name) and not name.startswith("."):
                yield (here / name).as_posix()


def is_photo(name: str) -> bool:
    """Whether a file of this name is to be read."""
    return PurePosixPath(name).suffix.lower() in SUFFIXES
