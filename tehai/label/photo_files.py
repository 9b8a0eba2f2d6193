"""The photos of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from tehai.errors import Mistake

SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif"})

EXPORTED: Final = "tehai-export.json"
"""What marks the folder of an export: its pictures are copies, with labels of their own."""


@dataclass(slots=True)
class Passed:
    """Folders that a walk did not enter, relative, with ``/``. ``unlisted``: and why they could not be
    listed; ``exports``: exports of ours."""

    unlisted: dict[str, str] = field(default_factory=dict)
    exports: list[str] = field(default_factory=list)

    def hides(self, path: str) -> bool:
        """Whether nobody can tell what lies at a path now."""
        return any(folder == "." or path.startswith(f"{folder}/") for folder in self.unlisted)


def photos(folder: Path, passed: Passed | None = None) -> Iterator[str]:
    """Paths of all photos below, relative to ``folder``, with ``/``, sorted within each folder.

    Links to folders are followed, each folder is entered once: loops end. What begins with a dot is left out,
    as are exports. ``passed`` takes what was not entered. Raises :class:`Mistake` when ``folder`` itself
    cannot be listed.
    """
    if not folder.is_dir():
        raise Mistake(f"{folder} is no folder; name the folder of the photos.")
    try:
        next(folder.iterdir(), None)
    except OSError as reason:
        raise Mistake(f"{folder} cannot be listed ({reason.strerror}); check its permissions.") from None
    passed = Passed() if passed is None else passed
    unlisted = passed.unlisted

    def note(reason: OSError) -> None:
        at = Path(reason.filename).relative_to(folder).as_posix()
        unlisted[at] = reason.strerror or str(reason)

    entered: set[tuple[int, int]] = set()
    for at, folders, files in os.walk(folder, onerror=note, followlinks=True):
        try:
            status = Path(at).stat()
        except OSError as reason:
            note(reason)
            continue
        if (status.st_dev, status.st_ino) in entered:
            folders.clear()
            continue
        entered.add((status.st_dev, status.st_ino))
        here = Path(at).relative_to(folder)
        if EXPORTED in files and at != str(folder):  # one that is asked for itself is a folder like others
            passed.exports.append(here.as_posix())
            folders.clear()
            continue
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
