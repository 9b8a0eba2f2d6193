"""Named versions of a journal. A journal only grows, so a name for all lines so far freezes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tehai.errors import Mistake
from tehai.label import journal
from tehai.label.geometry import pairs
from tehai.label.journal import Journal, Line


def tag(opened: Journal, name: str, by: str) -> None:
    """Name the journal's present version. Raises :class:`Mistake` for a name that is taken or invalid."""
    if not name.strip() or not name.isprintable() or name.startswith("-"):
        raise Mistake(f"{name!r} is no name for a version; take one such as v1.")
    if name in opened.index.tags:
        raise Mistake(f"There is a version {name} already ({_told(opened, name)}); take another name.")
    line = {"schema": journal.TAG_SCHEMA, "kind": "tag", "name": name, "by": by, "at": journal.now()}
    opened.append(line)


def listed(opened: Journal) -> Iterator[str]:
    """A sentence for each version, in order."""
    for name in opened.index.tags:
        yield f"{name}: {_told(opened, name)}"


def _told(opened: Journal, name: str) -> str:
    line = opened.read(opened.index.tags[name])
    return f"by {line['by']}, {line['at']}"


def difference(before: Journal, after: Journal) -> Iterator[dict[str, Any]]:
    """What changed in the photos between two versions, as JSON values.

    ``path``, ``kind`` (``added``, ``removed``, ``changed``), ``state``. A changed photo also has its former
    state ``was``, and its tiles ``relabelled`` (label, label), ``new`` and ``gone``.
    """
    for sha256, entry in after.index.photos.items():
        old = before.index.photos.get(sha256)
        if old is None:
            yield {"kind": "added", **_facts(after.read(entry.at))}
        elif old.at != entry.at:
            was, line = before.read(old.at), after.read(entry.at)
            changes = _changes(was, line)
            if old.state != entry.state or any(changes.values()):
                yield {"kind": "changed", **_facts(line), "was": old.state, **changes}
    for sha256, old in before.index.photos.items():
        if sha256 not in after.index.photos:
            yield {"kind": "removed", **_facts(before.read(old.at))}


def _facts(line: Line) -> dict[str, Any]:
    return {"path": line["path"], "state": line["review"]["state"]}


def _changes(was: Line, line: Line) -> dict[str, list[Any]]:
    both = pairs(was["tiles"], line["tiles"])
    labels = [(was["tiles"][i]["label"], line["tiles"][j]["label"]) for i, j in both]
    old, new = {i for i, _ in both}, {j for _, j in both}
    return {
        "relabelled": [[one, other] for one, other in labels if one != other],
        "new": [tile["label"] for at, tile in enumerate(line["tiles"]) if at not in new],
        "gone": [tile["label"] for at, tile in enumerate(was["tiles"]) if at not in old],
    }
