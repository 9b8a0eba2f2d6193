"""Double assignment: several people label the same photos, each in a journal of their own beside the first
one, so that nobody sees what another has said."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Final

from tehai.errors import Mistake
from tehai.label import journal
from tehai.label.agreement import LOOKED, Answers, answers
from tehai.label.journal import Entry, Journal, Line

SEED: Final = "tehai blind 1"
"""Another seed assigns other photos."""

_NAME: Final = re.compile(r"[^\W_][\w-]{0,39}")


def place(file: Path, name: str) -> Path:
    """Where somebody's journal lies. Raises :class:`Mistake` for what is no name of a file everywhere."""
    if not _NAME.fullmatch(name):
        raise Mistake(f"{name!r} is no name for a person's labels: letters, digits, - and _, 40 at most.")
    return file.with_name(f"{file.stem}.{name}{file.suffix}")


def is_assigned(sha256: str, share: float) -> bool:
    """Whether a photo is one of the share that several people label: by its content, so the same for all."""
    digest = hashlib.sha256(f"{SEED} {sha256}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64


def assign(opened: Journal, name: str, share: float) -> tuple[Path, int]:
    """Give somebody a share of the photos as the models read them, without what people have said of them
    since: into which file, and how many more than it had. Photos that no model has read are left out."""
    file = place(opened.file, name)
    added = 0
    with journal.writing(file, opened.folder) as own:
        paths = opened.index.places()
        for sha256, entry in opened.index.photos.items():
            if sha256 in own.index.photos or entry.model_at < 0 or not is_assigned(sha256, share):
                continue
            line = opened.read(entry.model_at)
            review = {"state": "unreviewed", "by": "models", "at": journal.now()}
            path = next(iter(paths[sha256]), line["path"])
            own.append({**line, "path": path, "revision": 1, "review": review})
            added += 1
    return file, added


def _stands(opened: Journal, entry: Entry) -> Iterator[Line]:
    """The revisions of a photo in which a person stands for the whole, the first one first."""
    for at in (*entry.earlier, entry.at):
        line = opened.read(at)
        if line["review"]["state"] in LOOKED and not line["review"].get("part"):
            yield line


def compared(opened: Journal) -> Iterator[tuple[str, str, Answers]]:
    """What any two say of a photo in different journals, by their names in order: those who have one of their
    own by its name, others by that of their review. Two who have both spoken in the first journal are
    compared there already."""
    mark = len(opened.file.stem) + 1
    files = sorted(opened.file.parent.glob(f"{opened.file.stem}.*{opened.file.suffix}"))
    said: dict[str, dict[str, Line]] = {}
    for file in files:
        with journal.reading(file) as own:
            for sha256, entry in own.index.photos.items():
                if sha256 in opened.index.photos and (lines := list(_stands(own, entry))):
                    said.setdefault(sha256, {})[file.stem[mark:]] = lines[-1]
    for sha256, own_lines in said.items():
        shared = {line["review"]["by"]: line for line in _stands(opened, opened.index.photos[sha256])}
        people = {**shared, **own_lines}
        for one, other in combinations(sorted(people), 2):
            if not {one, other} <= shared.keys():
                yield one, other, answers(people[one]["tiles"], people[other]["tiles"])
