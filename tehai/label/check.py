"""``tehai check``: whether a journal fits its photos, and whether its labels are possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tehai.label.address import listed
from tehai.label.faults import bad_tiles, rule_violations
from tehai.label.files import unopened
from tehai.label.journal import Journal
from tehai.label.photo_files import Passed
from tehai.label.run import digest

KINDS = {
    "missing": "labelled, but not there",
    "changed": "changed since they were labelled",
    "new": "not labelled yet",
    "unreadable": "unreadable",
    "tile": "with labels or places that cannot be",
    "rule": "against the rules",
}
"""The kinds of findings in the order of the report, with their texts."""


def check(journal: Journal) -> Iterator[dict[str, Any]]:
    """Findings as JSON values: ``kind`` (:data:`KINDS`), ``path``, ``message``."""
    index = journal.index
    passed = Passed()
    there = set(listed(journal.folder, passed))
    for folder, why in passed.unlisted.items():
        yield finding("unreadable", folder, f"the folder cannot be listed ({why}); check its permissions")
    for path in sorted(there | set(index.paths)):
        message = index.unreadable.get(path)
        if passed.hides(path):
            continue
        if path not in there:
            yield finding("missing", path, "is not in the folder")
        elif message is not None:
            yield finding("unreadable", path, message)
        elif path not in index.paths or index.paths[path] not in index.photos:
            yield finding("new", path, "is not labelled; run tehai label again")
        else:
            yield from _same(journal, path)
    places = index.places()
    for sha256, entry in index.photos.items():
        photo = journal.read(entry.at)
        if not places[sha256]:
            yield finding("missing", photo["path"], "was labelled and is nowhere in the folder any more")
            continue
        if entry.state == "rejected":
            continue
        for kind, messages in (("tile", bad_tiles(photo)), ("rule", rule_violations(photo))):
            for message in messages:
                yield finding(kind, places[sha256][0], message)


def _same(journal: Journal, path: str) -> Iterator[dict[str, Any]]:
    try:
        sha256 = digest(journal.path(path))
    except OSError as reason:
        yield finding("unreadable", path, unopened(reason))
        return
    if sha256 != journal.index.paths[path]:
        yield finding(
            "changed", path, "holds something else than when it was labelled; run tehai label again"
        )


def finding(kind: str, path: str, message: str) -> dict[str, Any]:
    """One line of the report."""
    return {"kind": kind, "path": path, "message": message}
