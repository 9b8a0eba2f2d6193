"""Photos that show the same: exactly, by content hash, or nearly, by perceptual hash."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

import numpy as np

from tehai.label.journal import Index, Journal

NEAR: Final = 32
"""Bits of 256 in which the hashes of near-duplicates differ at most (measured: ``docs/labels.md``)."""

_ROWS: Final = 1024
_COLUMNS: Final = 8192
"""Hashes that are compared at once, in 32 MB."""


def exact(index: Index) -> list[list[str]]:
    """Paths that hold the same bytes, two and more together."""
    return [paths for paths in index.places().values() if len(paths) > 1]


def near(journal: Journal, most: int = NEAR) -> list[list[str]]:
    """Content hashes of different files that look alike, two and more together: chains of pairs whose
    perceptual hashes differ in at most ``most`` bits. The index beside the journal keeps what was found."""
    photos = journal.index.photos
    hashes = [key for key, entry in photos.items() if entry.phash]
    phashes = [photos[key].phash for key in hashes]
    kind = f"near {most}"
    before = _kept(journal, kind, phashes)
    leaders = group(phashes, most, before)
    if len(hashes) - len(before) >= _MANY:
        journal.keep()
        followers = [(at, leader) for at, leader in enumerate(leaders) if at != leader]
        said = json.dumps([_digest(phashes), followers])
        journal.cache.keep_facts(kind, [("", len(hashes), 0, said, b"")])
    groups: dict[int, list[str]] = {}
    for key, leader in zip(hashes, leaders, strict=True):
        groups.setdefault(leader, []).append(key)
    return [members for members in groups.values() if len(members) > 1]


_MANY: Final = 1000
"""Photos that have come to a journal since, for which what was found is worth being kept."""


def _kept(journal: Journal, kind: str, phashes: Sequence[str]) -> list[int]:
    """The leaders of the first photos, as far as the index beside the journal knows them."""
    try:
        for _, count, _, value, _ in journal.cache.facts(kind):
            digest, followers = json.loads(value)
            if count <= len(phashes) and digest == _digest(phashes[:count]):
                leaders = list(range(count))
                for at, leader in followers:
                    leaders[at] = leader
                return leaders
    except (ValueError, TypeError, IndexError):  # damaged
        pass
    return []


def _digest(phashes: Sequence[str]) -> str:
    return sha256("".join(phashes).encode()).hexdigest()


def group(hashes: Sequence[str], most: int, before: Sequence[int] = ()) -> list[int]:
    """For each hash, hex digits of one length, the position of the first one of its group. ``before``: what
    came of the first ones."""
    if len(hashes) == len(before):
        return list(before)
    data = np.frombuffer(bytes.fromhex("".join(hashes)), np.uint8).reshape(len(hashes), -1)
    signs = np.unpackbits(data, axis=1).astype(np.float32) * 2 - 1
    leaders = [*before, *range(len(before), len(hashes))]

    def leader(at: int) -> int:
        while leaders[at] != at:
            leaders[at] = leaders[leaders[at]]
            at = leaders[at]
        return at

    alike = signs.shape[1] - 2 * most  # the product of two rows counts bits that agree less those that differ
    for start in range(0, len(signs), _ROWS):
        for other in range(max(start, len(before)), len(signs), _COLUMNS):
            products = signs[start : start + _ROWS] @ signs[other : other + _COLUMNS].T
            for row, column in np.argwhere(products >= alike):
                one, two = sorted((leader(start + int(row)), leader(other + int(column))))
                leaders[two] = one
    return [leader(at) for at in range(len(leaders))]
