"""What the lines of a journal come to: the state of each photo, and what lies where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from sys import intern
from typing import Any, Final, NamedTuple

STATES: Final = ("unreviewed", "auto", "accepted", "corrected", "imported", "rejected")
"""What has become of a photo: read by the models; accepted by its margins; accepted by a person; corrected by
a person; labels from elsewhere; not to be used."""

TOUCHED: Final = frozenset({"accepted", "corrected", "imported", "rejected"})
"""States that a person has brought about: no model overwrites them."""


class Entry(NamedTuple):
    """What is kept in memory of a photo: its latest revision, and where in the file it stands; a tuple, as a
    hundred thousand are made at once.

    ``models``: the digests of the models that read it last; ``model_at``: where that revision stands, -1 if
    there is none. ``earlier``: where the revisions before this one stand, the first one first.
    """

    revision: int
    state: str
    at: int
    phash: str
    models: tuple[str, ...] = ()
    model_at: int = -1
    earlier: tuple[int, ...] = ()

    @property
    def touched(self) -> bool:
        return self.state in TOUCHED


@dataclass(slots=True)
class Index:
    """The state of a journal without its tiles, some 500 bytes a photo.

    ``photos``: by content hash; ``paths``: what lies where, ``None`` for what could not be opened at all;
    ``unreadable``: paths of files that are no photos, and why; ``tags``: where the lines of named versions
    begin.
    """

    folder: str = "."
    photos: dict[str, Entry] = field(default_factory=dict)
    paths: dict[str, str | None] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    tags: dict[str, int] = field(default_factory=dict)
    _models: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)
    """Most photos have been read by the same few."""

    def take(self, line: Mapping[str, Any], at: int) -> None:
        """One more line, which begins at byte ``at``."""
        kind = line["kind"]
        if kind == "project":
            self.folder = line["photos"]
        elif kind == "photo":
            self._take_photo(line, at)
            if line["revision"] == 1:  # later ones are about the tiles: the file may have moved since
                self._place(line["path"], line["sha256"])
        elif kind == "place":
            self._place(line["path"], line["sha256"])
        elif kind == "gone":
            self.paths.pop(line["path"], None)
            self.unreadable.pop(line["path"], None)
        elif kind == "unreadable":
            self.paths[line["path"]] = line["sha256"]
            self.unreadable[line["path"]] = line["message"]
        elif kind == "tag":
            self.tags[line["name"]] = at
        else:
            raise ValueError(f"there is no kind of line {kind!r}")

    def _take_photo(self, line: Mapping[str, Any], at: int) -> None:
        sha256, state = line["sha256"], intern(line["review"]["state"])
        before = self.photos.get(sha256)
        if line["revision"] != (before.revision + 1 if before else 1):
            raise ValueError(f"revision {line['revision']} does not follow the one before")
        if state not in STATES:
            raise ValueError(f"there is no state {state!r}")
        models, model_at = (before.models, before.model_at) if before else ((), -1)
        if state not in TOUCHED:
            read_by = digests(line["models"])
            models, model_at = self._models.setdefault(read_by, read_by), at
        earlier = (*before.earlier, before.at) if before else ()
        self.photos[sha256] = Entry(line["revision"], state, at, line["phash"], models, model_at, earlier)

    def _place(self, path: str, sha256: str) -> None:
        self.paths[path] = sha256
        self.unreadable.pop(path, None)

    def places(self) -> dict[str, list[str]]:
        """The paths of each photo, sorted."""
        found: dict[str, list[str]] = {sha256: [] for sha256 in self.photos}
        for path in sorted(self.paths):
            sha256 = self.paths[path]
            if sha256 in found and path not in self.unreadable:
                found[sha256].append(path)
        return found


def digests(models: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    """The hashes of a line's models, in the order of their names."""
    return tuple(models[name]["sha256"] for name in sorted(models))
