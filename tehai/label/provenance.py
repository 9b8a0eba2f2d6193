"""Who said what of the photos of an export: a line a photo, as most formats have no word for that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from tehai.label.chosen import Chosen
from tehai.label.journal import TOUCHED, Line

NAME: Final = "provenance.jsonl"

_ABOVE: Final = 2
"""Folders between a file of labels and the folder of its export, at most."""


def write(out: Path, chosen: Chosen) -> None:
    """``provenance.jsonl``: of each photo its name in the data set, the hash of its content, the revision
    that was exported, its review and the models that read it."""
    with (out / NAME).open("w", encoding="utf-8") as file:
        for sha256, split in chosen.parts.items():
            line = chosen.journal.photo(sha256)
            said = {field: line[field] for field in ("sha256", "revision", "review", "models")}
            file.write(json.dumps({"name": chosen.names[sha256], "split": split, **said}) + "\n")


@dataclass(frozen=True, slots=True)
class Provenance:
    """What an export says of its photos, by their names without suffix; nothing where it is none of ours."""

    photos: Mapping[str, Line] = field(default_factory=dict)

    @classmethod
    def of(cls, source: Path) -> Provenance:
        """That of the export which a folder or a file of labels belongs to."""
        folder = source if source.is_dir() else source.parent
        for place in (folder, *list(folder.resolve().parents)[:_ABOVE]):
            try:
                lines = (place / NAME).read_text(encoding="utf-8").splitlines()
                photos = [json.loads(line) for line in lines]
                return cls({_key(photo["name"]): photo for photo in photos})
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return cls()

    def of_photo(self, name: str) -> Line | None:
        """What is known of the photo that a data set calls so, perhaps with its part, without suffix."""
        for path in (name, name.partition("/")[2]):
            if photo := self.photos.get(path) or self.photos.get(_key(path)):
                return photo
        return None

    def reviewed(self, name: str) -> bool | None:
        """Whether a person had looked at a photo when it was exported; None where nobody says."""
        photo = self.of_photo(name)
        return None if photo is None else photo["review"]["state"] in TOUCHED


def _key(name: str) -> str:
    return str(PurePosixPath(name).with_suffix(""))
