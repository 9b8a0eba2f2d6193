"""The result of a journal's lines: the state of each photo, and its paths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from sys import intern
from typing import Any, Final, NamedTuple

STATES: Final = ("unreviewed", "auto", "accepted", "corrected", "imported", "rejected")
"""The states of a photo.

In order: read by the models, accepted by its margins, accepted by a person, corrected by a person, imported,
and not to be used.
"""

TOUCHED: Final = frozenset({"accepted", "corrected", "imported", "rejected"})
"""States that a person has set. No model overwrites them."""


class Entry(NamedTuple):
    """A photo in memory: its latest revision and that revision's place in the file. A tuple, because there
    are very many.

    ``models``: the digests of the models that read it last. ``model_at``: the place of that revision, -1
    without one. ``earlier``: the places of the revisions before this one, in order.
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

    ``photos``: by content hash. ``paths``: the content at each path, ``None`` for a file that could not be
    opened. ``unreadable``: paths of files that are no photos, with the reason. ``tags``: the places of the
    lines that name versions.
    """

    folder: str = "."
    photos: dict[str, Entry] = field(default_factory=dict)
    paths: dict[str, str | None] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    tags: dict[str, int] = field(default_factory=dict)
    _models: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)
    """Shared tuples of digests: the same few models have read most photos."""

    def take(self, line: Mapping[str, Any], at: int) -> None:
        """Add a line, which begins at byte ``at``."""
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
