"""Parts of a data set that share no session, no tile set and no near-duplicates, and have the faces in like
shares."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Final

SESSION: Final = timedelta(minutes=30)
"""Photos of one folder that were taken within this of each other belong to one session."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a split asks of a photo: its ``key``, ``path``, when it was ``taken`` (ISO 8601, None if
    unknown) and how often it shows which label."""

    key: str
    path: str
    taken: str | None
    labels: Counter[str] = field(default_factory=Counter)


def tile_set(path: str, depth: int) -> str:
    """The tile set that the first ``depth`` folders of a path name; empty for none."""
    return "/".join(PurePosixPath(path).parent.parts[:depth])


def together(photos: Sequence[Facts], near: Sequence[Sequence[str]], depth: int) -> list[list[Facts]]:
    """Groups of photos that must not be parted: near-duplicates, of one session, of one tile set."""
    chains = [*near, *_sessions(photos)]
    if depth:
        sets: dict[str, list[str]] = {}
        for photo in photos:
            sets.setdefault(tile_set(photo.path, depth), []).append(photo.key)
        chains += sets.values()
    leaders = {photo.key: photo.key for photo in photos}

    def leader(key: str) -> str:
        while leaders[key] != key:
            leaders[key] = key = leaders[leaders[key]]
        return key

    for chain in chains:
        for one, other in pairwise(key for key in chain if key in leaders):
            leaders[leader(other)] = leader(one)
    groups: dict[str, list[Facts]] = {}
    for photo in photos:
        groups.setdefault(leader(photo.key), []).append(photo)
    return list(groups.values())


def _sessions(photos: Sequence[Facts]) -> list[list[str]]:
    """Chains of photos of one folder, each taken soon after the one before."""
    folders: dict[str, list[tuple[datetime, str]]] = {}
    for photo in photos:
        if photo.taken is not None:
            folder = str(PurePosixPath(photo.path).parent)
            folders.setdefault(folder, []).append((datetime.fromisoformat(photo.taken), photo.key))
    return [
        [one, other]
        for taken in folders.values()
        for (before, one), (after, other) in pairwise(sorted(taken))
        if after - before <= SESSION
    ]


def split(groups: Sequence[Sequence[Facts]], shares: Mapping[str, float], seed: int) -> dict[str, str]:
    """The part of each photo, by key; ``shares`` of the parts add up to 1.

    Groups go, largest first and in an order that ``seed`` shuffles, to the part that lacks most of what they
    show; a face that is rare weighs as much as a common one, and so does the number of photos.
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
