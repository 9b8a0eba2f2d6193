"""Who labelled the photos of an export, a line a photo, because most formats cannot say that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from tehai.label.formats.parsing import lines_of, parsing
from tehai.label.journal import TOUCHED, Line
from tehai.label.selection import Chosen

NAME: Final = "provenance.jsonl"

_ABOVE: Final = 2
"""The most folders between a file of labels and the folder of its export."""


def write(out: Path, chosen: Chosen) -> None:
    """``provenance.jsonl``, a line a photo.

    Fields: the name in the data set, the hash of the content, the exported revision, its review, and the
    models that read the photo.
    """
    with (out / NAME).open("w", encoding="utf-8") as file:
        for sha256, split in chosen.parts.items():
            line = chosen.journal.photo(sha256)
            said = {field: line[field] for field in ("sha256", "revision", "review", "models")}
            file.write(json.dumps({"name": chosen.names[sha256], "split": split, **said}) + "\n")


@dataclass(frozen=True, slots=True)
class Provenance:
    """The provenance of an export's photos by their names without suffix; empty for a data set that is no
    export of Tehai."""

    photos: Mapping[str, Line] = field(default_factory=dict)

    @classmethod
    def of(cls, source: Path) -> Provenance:
        """The provenance of the export that a folder or a file of labels belongs to.

        Raises :class:`Mistake` if it is damaged: otherwise predictions would count as a person's labels.
        """
        folder = source if source.is_dir() else source.parent
        for place in (folder, *list(folder.resolve().parents)[:_ABOVE]):
            if (place / NAME).is_file():
                return cls(dict(_said(where, line) for where, line in lines_of(place / NAME)))
        return cls()

    def of_photo(self, name: str) -> Line | None:
        """What is known of the photo with this name in the data set, with or without its part, without
        suffix."""
        for path in (name, name.partition("/")[2]):
            if photo := self.photos.get(path) or self.photos.get(_key(path)):
                return photo
        return None

    def reviewed(self, name: str) -> bool | None:
        """Whether a person had reviewed a photo when it was exported; None if unknown."""
        photo = self.of_photo(name)
        return None if photo is None else photo["review"]["state"] in TOUCHED


def _said(where: str, line: str) -> tuple[str, Line]:
    """A line by its photo's name."""
    with parsing(where, "who said what of a photo"):
        photo = json.loads(line)
        name, sha256, review, models = (photo[field] for field in ("name", "sha256", "review", "models"))
        sound = isinstance(name, str) and isinstance(sha256, str) and isinstance(review["state"], str)
        if not name or not sound or not all(isinstance(one["sha256"], str) for one in models.values()):
            raise ValueError("a name, a hash or a state is missing")
        return _key(name), photo


def _key(name: str) -> str:
    """A name without its suffix; empty for an empty name."""
    path = PurePosixPath(name)
    return str(path.with_suffix("")) if path.name else ""
