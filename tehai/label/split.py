"""Split a data set into parts that share no session, no tile set and no near-duplicates. The faces have
similar shares in each."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Final

from tehai.errors import Mistake
from tehai.label.chains import Chains

SESSION: Final = timedelta(minutes=30)
"""The greatest time between two photos of one folder in the same session."""

FOLLOWING: Final = 3
"""The greatest difference of two file numbers in a sequence: photographers delete some photos."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a split needs of a photo.

    ``taken``: ISO 8601, None if unknown. ``labels``: the count of each label.
    """

    key: str
    path: str
    taken: str | None
    labels: Counter[str] = field(default_factory=Counter)


Groups = list[list[str]]
"""Groups of photo keys. Groups that share a photo are one."""


def tile_set(path: str, depth: int) -> str:
    """The tile set that the first ``depth`` folders of a path name; empty for none."""
    return "/".join(PurePosixPath(path).parent.parts[:depth])


def _by(photos: Sequence[Facts], what: Callable[[Facts], Hashable | None]) -> Groups:
    """Photos with the same known value of ``what``."""
    groups: dict[Hashable, list[str]] = {}
    for photo in photos:
        if (name := what(photo)) is not None:
            groups.setdefault(name, []).append(photo.key)
    return list(groups.values())


def _folder(photo: Facts) -> str:
    return str(PurePosixPath(photo.path).parent)


def _folders(photos: Sequence[Facts]) -> Groups:
    return _by(photos, _folder)


def _sessions(photos: Sequence[Facts]) -> Groups:
    """Chains of photos of one folder, each taken soon after the one before."""
    folders: dict[str, list[tuple[datetime, str]]] = {}
    for photo in photos:
        if photo.taken is not None:
            taken = datetime.fromisoformat(photo.taken)
            folders.setdefault(_folder(photo), []).append((taken, photo.key))
    return [
        [one, other]
        for taken in folders.values()
        for (before, one), (after, other) in pairwise(sorted(taken))
        if after - before <= SESSION
    ]


def _numbered(photos: Sequence[Facts]) -> Groups:
    """Chains of photos whose names differ in their last number, each a little larger than the one before."""
    series: dict[tuple[str, str, str], list[tuple[int, str]]] = {}
    for photo in photos:
        if found := _NUMBER.match(PurePosixPath(photo.path).stem):
            before, number, after = found.groups()
            series.setdefault((_folder(photo), before, after), []).append((int(number), photo.key))
    return [
        [one, other]
        for numbers in series.values()
        for (low, one), (high, other) in pairwise(sorted(numbers))
        if high - low <= FOLLOWING
    ]


_NUMBER: Final = re.compile(r"(.*?)([0-9]{1,18})([^0-9]*)$", re.DOTALL)

WAYS: Final[Mapping[str, Callable[[Sequence[Facts]], Groups]]] = {
    "time": _sessions,
    "numbers": _numbered,
    "folder": _folders,
}
"""The ways in which photos may belong together, by their names in ``--together``."""


def belonging(way: str, photos: Sequence[Facts]) -> Groups:
    """The groups of photos that belong together: one of :data:`WAYS`, or a regular expression.

    With an expression, photos belong together if its groups in their paths are equal, or its match without
    groups. Raises :class:`Mistake`.
    """
    if way in WAYS:
        return WAYS[way](photos)
    try:
        pattern = re.compile(way)
    except re.error as error:
        raise Mistake(
            f"--together is {', '.join(WAYS)} or a regular expression, not “{way}” ({error})."
        ) from None

    def found(photo: Facts) -> Hashable | None:
        match = pattern.search(photo.path)
        return match and (match.groups() or match.group())

    return _by(photos, found)


def sets(photos: Sequence[Facts], depth: int) -> Groups:
    """Photos of one tile set, if their paths name it."""
    return _by(photos, lambda photo: tile_set(photo.path, depth)) if depth else []


def together(photos: Sequence[Facts], groups: Iterable[Sequence[str]]) -> list[list[Facts]]:
    """The photos in groups that must stay in one part."""
    places = {photo.key: at for at, photo in enumerate(photos)}
    chains = Chains(len(photos))
    for group in groups:
        for one, other in pairwise(places[key] for key in group if key in places):
            chains.join(one, other)
    found: dict[int, list[Facts]] = {}
    for photo, first in zip(photos, chains.firsts(), strict=True):
        found.setdefault(first, []).append(photo)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Leak:
    """A possible leak between parts of a data set. ``what``: the kind of groups, such as near-duplicates.

    ``groups``: the number of groups of two or more photos. ``photos``: the photos in them. ``separated``:
    groups with photos in more than one part. ``kept``: whether the split had to keep them together.
    """

    what: str
    kept: bool
    groups: int
    photos: int
    separated: int

    @classmethod
    def of(
        cls, what: str, kept: bool, photos: Sequence[Facts], groups: Groups, parts: Mapping[str, str]
    ) -> Leak:
        """The leak of a finished split for one kind of groups."""
        several = [group for group in together(photos, groups) if len(group) > 1]
        separated = sum(len({parts[photo.key] for photo in group}) > 1 for group in several)
        return cls(what, kept, len(several), sum(map(len, several)), separated)


def split(groups: Sequence[Sequence[Facts]], shares: Mapping[str, float], seed: int) -> dict[str, str]:
    """The part of each photo, by key. ``shares``: of the parts; they sum to 1.

    Each group goes to the part that lacks most of its faces, the largest groups first, in an order that
    ``seed`` shuffles. Rare and common faces, and the number of photos, have the same weight.
    """
    order = list(groups)
    random.Random(seed).shuffle(order)
    order.sort(key=len, reverse=True)
    total = sum((_counts(group) for group in order), Counter())
    held: dict[str, Counter[str]] = {part: Counter() for part in shares}
    parts: dict[str, str] = {}
    for group in order:
        counts = _counts(group)

        def lack(part: str, counts: Counter[str] = counts) -> float:
            return sum(
                count / total[label] * (1 - held[part][label] / (shares[part] * total[label]))
                for label, count in counts.items()
            )

        best = max(shares, key=lack)
        held[best] += counts
        parts.update((photo.key, best) for photo in group)
    return parts


def _counts(group: Sequence[Facts]) -> Counter[str]:
    counts = sum((photo.labels for photo in group), Counter())
    counts[""] = len(group)  # the photos themselves
    return counts
