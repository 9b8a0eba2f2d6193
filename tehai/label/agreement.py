"""Agreement of two people who label the same photos: the share of equal labels, and Cohen's kappa."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tehai.label.geometry import pairs
from tehai.label.journal import Entry, Journal, Line

Answers = Counter[tuple[str, str]]
"""How often the first person gave the first label and the second person the second; "" for no tile there."""

CHECKED_STATES = frozenset({"accepted", "corrected", "imported"})
"""States in which a person has checked all tiles of a photo."""


def answers(one: Sequence[Line], other: Sequence[Line]) -> Answers:
    """The labels of two people for one photo: tiles in the same place, and tiles that only one of them
    has."""
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
    """Kappa of each label that either person gave: this label or another."""
    labels = sorted({label for pair in said for label in pair if label})
    found = {}
    for label in labels:
        narrowed: Answers = Counter()
        for (first, second), count in said.items():
            narrowed["x" if first == label else "", "x" if second == label else ""] += count
        found[label] = kappa(narrowed)
    return found


def of_photo(journal: Journal, entry: Entry) -> list[list[Any]]:
    """Compare any two people who labelled a photo, each by the last revision in which they checked all of it.

    Rows of JSON values: the two names in order, then the labels.
    """
    last: dict[str, Line] = {}
    for at in (*entry.earlier, entry.at) if entry.earlier and entry.touched else ():
        line = journal.read(at)
        if line["review"]["state"] in CHECKED_STATES and not line["review"].get("part"):
            last[line["review"]["by"]] = line
    people = sorted(last)
    return [
        [one, other, to_rows(answers(last[one]["tiles"], last[other]["tiles"]))]
        for at, one in enumerate(people)
        for other in people[at + 1 :]
    ]


def to_rows(said: Answers) -> list[list[Any]]:
    """Labels as JSON values."""
    return [[one, other, count] for (one, other), count in said.items()]


def of_rows(rows: Iterable[Sequence[Any]]) -> Answers:
    """The inverse of :func:`to_rows`."""
    return Counter({(one, other): count for one, other, count in rows})


def to_record(photos: int, said: Answers) -> dict[str, Any]:
    """The figures of two people's comparison."""
    return {
        "photos": photos,
        "tiles": said.total(),
        "agreed": sum(count for (one, other), count in said.items() if one == other),
        "kappa": kappa(said),
        "faces": by_face(said),
    }
