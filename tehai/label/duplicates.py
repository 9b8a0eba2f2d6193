"""Photos that show the same: exactly, by content hash, or nearly, by perceptual hash."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tehai.label.journal import Index

NEAR: Final = 32
"""Bits of 256 in which the hashes of near-duplicates differ at most (measured: ``docs/labels.md``)."""

_BLOCK: Final = 1024


def exact(index: Index) -> list[list[str]]:
    """Paths that hold the same bytes, two and more together."""
    return [paths for paths in index.places().values() if len(paths) > 1]


def near(index: Index, most: int = NEAR) -> list[list[str]]:
    """Content hashes of different files that look alike, two and more together: chains of pairs whose
    perceptual hashes differ in at most ``most`` bits."""
    hashes = [sha256 for sha256, entry in index.photos.items() if entry.phash]
    leaders = group([index.photos[sha256].phash for sha256 in hashes], most)
    groups: dict[int, list[str]] = {}
    for sha256, leader in zip(hashes, leaders, strict=True):
        groups.setdefault(leader, []).append(sha256)
    return [members for members in groups.values() if len(members) > 1]


def group(hashes: Sequence[str], most: int) -> list[int]:
    """For each hash, hex digits of one length, the position of the first one of its group."""
    if not hashes:
        return []
    data = np.frombuffer(bytes.fromhex("".join(hashes)), np.uint8).reshape(len(hashes), -1)
    signs = np.unpackbits(data, axis=1).astype(np.float32) * 2 - 1
    leaders = list(range(len(hashes)))

    def leader(at: int) -> int:
        while leaders[at] != at:
            leaders[at] = leaders[leaders[at]]
            at = leaders[at]
        return at

    alike = signs.shape[1] - 2 * most  # the product of two rows counts bits that agree less those that differ
    for start in range(0, len(signs), _BLOCK):
        for row, column in np.argwhere(signs[start : start + _BLOCK] @ signs[start:].T >= alike):
            one, other = sorted((leader(start + int(row)), leader(start + int(column))))
            leaders[other] = one
    return [leader(at) for at in range(len(leaders))]
