"""Double assignment: several people label the same photos.

Each has a journal of their own beside the first one, so that nobody sees another's labels.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Final

from tehai.errors import Mistake
from tehai.label import journal
from tehai.label.agreement import CHECKED_STATES, Answers, answers
from tehai.label.journal import Entry, Journal, Line

SEED: Final = "tehai blind 1"
"""The seed of the assignment. Another seed assigns other photos."""

_NAME: Final = re.compile(r"[^\W_][\w-]{0,39}")


def place(file: Path, name: str) -> Path:
    """The file of a person's journal. Raises :class:`Mistake` for a name that is no valid file name
    everywhere."""
    if not _NAME.fullmatch(name):
        raise Mistake(f"{name!r} is no name for a person's labels: letters, digits, - and _, 40 at most.")
    return file.with_name(f"{file.stem}.{name}{file.suffix}")


def is_assigned(sha256: str, share: float) -> bool:
    """Whether a photo is in the share that several people label. It depends on the content, so it is equal
    for all."""
    digest = hashlib.sha256(f"{SEED} {sha256}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64


def assign(opened: Journal, name: str, share: float) -> tuple[Path, int]:
    """Give a person a share of the photos with the labels of the models, without any person's changes.

    Returns the file, and the number of photos that are new in it. Photos that no model has read are left out.
    """
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
    """The revisions of a photo in which a person checked all of it, in order."""
    for at in (*entry.earlier, entry.at):
        line = opened.read(at)
        if line["review"]["state"] in CHECKED_STATES and not line["review"].get("part"):
            yield line


def compared(opened: Journal) -> Iterator[tuple[str, str, Answers]]:
    """Compare any two people who labelled a photo in different journals: their names in order, and the
    labels.

    A person with a journal of their own is named by it, others by the name in their reviews. Two people who
    both reviewed in the first journal are compared there.
    """
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
