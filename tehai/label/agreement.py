"""How far two who label the same photos agree: as a share, and beyond chance by Cohen's kappa."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tehai.label.geometry import pairs
from tehai.label.journal import Entry, Journal, Line

Answers = Counter[tuple[str, str]]
"""How often one said the first label and the other the second; "" for no tile there."""

LOOKED = frozenset({"accepted", "corrected", "imported"})
"""States in which a person stands for all tiles of a photo."""


def answers(one: Sequence[Line], other: Sequence[Line]) -> Answers:
    """What two say of one photo: tiles in the same place, and those that only one of them sees."""
    both = pairs(one, other)
    found = Counter((one[i]["label"], other[j]["label"]) for i, j in both)
    mine, theirs = {i for i, _ in both}, {j for _, j in both}
    found.update((tile["label"], "") for at, tile in enumerate(one) if at not in mine)
    found.update(("", tile["label"]) for at, tile in enumerate(other) if at not in theirs)
    return found


def kappa(said: Mapping[tuple[str, str], int]) -> float | None:
    """Agreement beyond chance (Cohen 1960): 1 for all, 0 for what chance brings; None where only one
    answer was ever given.

    >>> kappa({("a", "a"): 20, ("a", "b"): 5, ("b", "a"): 10, ("b", "b"): 15})
    0.4
    """
    total = sum(said.values())
    one, other = Counter[str](), Counter[str]()
    for (first, second), count in said.items():
        one[first] += count
        other[second] += count
    chance = sum(count * other[label] for label, count in one.items())
    if not total or chance == total**2:
        return None
    agreed = sum(count for (first, second), count in said.items() if first == second)
    return round((agreed * total - chance) / (total**2 - chance), 4)


def by_face(said: Mapping[tuple[str, str], int]) -> dict[str, float | None]:
    """Kappa of each label that either gave: whether it is this one or another."""
    labels = sorted({label for pair in said for label in pair if label})
    found = {}
    for label in labels:
        narrowed: Answers = Counter()
        for (first, second), count in said.items():
            narrowed["x" if first == label else "", "x" if second == label else ""] += count
        found[label] = kappa(narrowed)
    return found


def of_photo(journal: Journal, entry: Entry) -> list[list[Any]]:
    """What any two people say of a photo, each by the last revision in which they stand for the whole: their
    names in order, and the answers, as JSON values."""
    last: dict[str, Line] = {}
    for at in (*entry.earlier, entry.at) if entry.earlier and entry.touched else ():
        line = journal.read(at)
        if line["review"]["state"] in LOOKED and not line["review"].get("part"):
            last[line["review"]["by"]] = line
    people = sorted(last)
    return [
        [one, other, to_rows(answers(last[one]["tiles"], last[other]["tiles"]))]
        for at, one in enumerate(people)
        for other in people[at + 1 :]
    ]


def to_rows(said: Answers) -> list[list[Any]]:
    """Answers as JSON values."""
    return [[one, other, count] for (one, other), count in said.items()]


def of_rows(rows: Iterable[Sequence[Any]]) -> Answers:
    """What :func:`to_rows` wrote."""
    return Counter({(one, other): count for one, other, count in rows})


def to_record(photos: int, said: Answers) -> dict[str, Any]:
    """The figures of two who were compared."""
    return {
        "photos": photos,
        "tiles": said.total(),
        "agreed": sum(count for (one, other), count in said.items() if one == other),
        "kappa": kappa(said),
        "faces": by_face(said),
    }
