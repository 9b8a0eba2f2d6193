"""Photos that show the same: exactly, by content hash, or nearly, by perceptual hash, by the tiles as they
lie, and by the points that stand out."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tehai.label import layout, points
from tehai.label.cache import Said, of_code
from tehai.label.chains import Chains
from tehai.label.journal import Entry, Index, Journal, Kind, Line
from tehai.label.layout import SHARE, SHARED, Layout
from tehai.label.points import Points

NEAR: Final = 32
"""Bits of 256 in which the hashes of near-duplicates differ at most (measured: ``docs/labels.md``)."""

Pairs = NDArray[np.int64]
"""(n, 2) positions of two things each, the lower one first."""


def exact(index: Index) -> list[list[str]]:
    """Paths that hold the same bytes, two and more together."""
    return [paths for paths in index.places().values() if len(paths) > 1]


def _keys_of(journal: Journal, sha256: str, entry: Entry, line: Line) -> Said:
    """The keys of a photo's tiles, :data:`_BYTES` each."""
    whole = np.unique(Layout.of(line).keys()).astype(">i8").view(np.uint8).reshape(-1, 8)
    return 0, whole[:, -_BYTES:].tobytes()


_BYTES: Final = 5
"""Of a key, as the index beside a journal keeps it."""

KIND: Final = Kind(
    of_code("layout", __file__, layout.__file__), _keys_of, lambda _, more: len(more) % _BYTES == 0
)


def near(journal: Journal) -> list[list[str]]:
    """Content hashes of different files that look alike, two and more together: chains of pairs whose
    perceptual hashes, turned or mirrored as may be, differ in at most :data:`NEAR` bits, or whose tiles or
    points lie alike. The index beside the journal keeps what was found."""
    photos: list[str] = []
    packed, lengths, known = bytearray(), array("q"), sha256()
    for key, entry, ((_, more),) in journal.facts(KIND):
        photos.append(key)
        packed += more
        lengths.append(len(more) // _BYTES)
        known.update(b"%s %d" % (key.encode(), entry.at))
    firsts = _kept(journal, known.hexdigest(), len(photos))
    if firsts is None:
        firsts = _found(journal, photos, _unpacked(packed), np.array(lengths))
        if len(photos) >= _MANY:
            journal.keep()
            followers = [(at, first) for at, first in enumerate(firsts) if at != first]
            journal.cache.remember(_NEAR, [known.hexdigest(), followers])
    groups: dict[int, list[str]] = {}
    for key, first in zip(photos, firsts, strict=True):
        groups.setdefault(first, []).append(key)
    return [members for members in groups.values() if len(members) > 1]


_NEAR: Final = of_code("near", __file__, layout.__file__, points.__file__)
_MANY: Final = 1000
"""Photos of a journal for which what was found is worth being kept."""


def _kept(journal: Journal, known: str, count: int) -> list[int] | None:
    """What the index beside the journal knows of just these revisions."""
    try:
        digest, followers = journal.cache.recall(_NEAR)
        if digest == known:
            firsts = list(range(count))
            for at, first in followers:
                firsts[at] = first
            return firsts
    except (ValueError, TypeError, IndexError):  # there is nothing, or it is damaged
        pass
    return None


POINTS: Final = Kind(
    of_code("points", __file__, points.__file__),
    lambda journal, key, entry, line: (0, points.codes(line).tobytes()),
    lambda _, more: len(more) % np.dtype(np.uint32).itemsize == 0,
)
"""What the index beside a journal keeps of a photo's points."""


def _by_points(journal: Journal, photos: Sequence[str], few: Sequence[bool]) -> list[tuple[int, int]]:
    """Positions of photos whose points lie alike; ``few``: which have too few tiles to be known by them. As a
    photo keeps its points, the index beside the journal need only know of which photos this was found."""
    known = sha256("".join(photos).encode() + bytes(few)).hexdigest()
    try:
        digest, links = journal.cache.recall(_LOOKS)
        if digest == known:
            return [(one, other) for one, other in links]
    except (ValueError, TypeError):  # there is nothing, or it is damaged
        pass
    packed, lengths = bytearray(), array("q")
    for _, _, ((_, more),) in journal.facts(POINTS):
        packed += more
        lengths.append(len(more) // 4)

    @lru_cache(_OPEN)
    def seen(at: int) -> Points:
        return Points.of(journal.photo(photos[at]))

    pairs = company(np.frombuffer(packed, np.uint32), np.array(lengths))
    patience = [_PATIENCE[is_few] for is_few in few]
    links = tried(pairs, patience, lambda one, other: seen(one).agrees(seen(other)))
    if len(photos) >= _SOME:
        journal.keep()
        journal.cache.remember(_LOOKS, [known, links])
    return links


_LOOKS: Final = of_code("looks", __file__, points.__file__)
_SOME: Final = 100
"""Photos of a journal for which it is worth keeping what was found of their points."""

_PATIENCE: Final = (8, 64)
"""Photos that a photo is held against in vain before it is given up; one with few tiles, more."""


def tried(pairs: Pairs, patience: Sequence[int], same: Callable[[int, int], bool]) -> list[tuple[int, int]]:
    """Those of the pairs, the likeliest first, that are the ``same``: none that follows from others, and none
    of two things that have both been given up. ``patience``: of each, how often it may be tried in vain."""
    chains, failed, found = Chains(len(patience)), [0] * len(patience), []
    for one, other in pairs.tolist():
        spent = failed[one] >= patience[one] and failed[other] >= patience[other]
        if spent or chains.first(one) == chains.first(other):
            continue
        if same(one, other):
            chains.join(one, other)
            found.append((one, other))
        else:
            failed[one] += 1
            failed[other] += 1
    return found


_SLICE: Final = 1 << 20
"""Codes that are looked at together, in 60 MB."""

_ROOM: Final = 5
"""Bits of a code beyond those that number all: of codes drawn by chance one in 32 has company."""


def company(codes: NDArray[np.uint32], lengths: NDArray[np.int64]) -> Pairs:
    """Positions that have two points with the same code, those that have most first. ``lengths``: how many of
    the codes are of each; the more there are in all, the longer they are compared."""
    ends = np.cumsum(lengths)
    short = max(0, 32 - _ROOM - len(codes).bit_length())
    parts = 1 + len(codes) // _SLICE
    found, counts = np.zeros(0, np.int64), np.zeros(0, np.int64)
    for part in range(parts):
        at = np.concatenate(
            [
                start + np.flatnonzero((codes[start : start + _SLICE] >> short) % parts == part)
                for start in range(0, len(codes) + 1, _SLICE)
            ]
        )
        owners = np.searchsorted(ends, at, "right")
        pairs = [both[:, 0] * len(lengths) + both[:, 1] for both in _neighbours(codes[at] >> short, owners)]
        more = np.concatenate([found, *pairs])
        weights = np.concatenate([counts, np.ones(len(more) - len(counts), np.int64)])
        found, which = np.unique(more, return_inverse=True)
        counts = np.bincount(which, weights, len(found)).astype(np.int64)
    enough = np.flatnonzero(counts >= SHARED)
    order = enough[np.argsort(-counts[enough], kind="stable")]
    return np.column_stack(np.divmod(found[order], max(1, len(lengths))))


def _unpacked(packed: bytearray) -> NDArray[np.int64]:
    """Keys that were kept in few bytes each."""
    kept = np.frombuffer(packed, np.uint8).reshape(-1, _BYTES)
    found = np.zeros(len(kept), np.int64)
    for place in range(_BYTES):
        found = (found << 8) | kept[:, place]
    return found


def _found(
    journal: Journal, photos: Sequence[str], keys: NDArray[np.int64], lengths: NDArray[np.int64]
) -> list[int]:
    """For each photo the first one of its group."""
    entries = journal.index.photos

    @lru_cache(_OPEN)
    def tiles(at: int) -> Layout:
        return Layout.of(journal.read(entries[photos[at]].at))

    chains = Chains(len(photos))
    for one, other in _by_points(journal, photos, (lengths == 0).tolist()):
        chains.join(one, other)
    hashed = [at for at, key in enumerate(photos) if entries[key].phash]
    for one, other in alike([entries[photos[at]].phash for at in hashed], NEAR):
        chains.join(hashed[one], hashed[other])
    link(chains, sharing(keys, lengths), lambda one, other: tiles(one).agrees(tiles(other)))
    return chains.firsts()


_OPEN: Final = 4096
"""Photos whose tiles are in memory at once, 4 kB each."""


def link(chains: Chains, pairs: Pairs, same: Callable[[int, int], bool]) -> None:
    """Join the pairs that are the ``same``, without asking what follows from others."""
    for one, other in pairs.tolist():
        if chains.first(one) != chains.first(other) and same(one, other):
            chains.join(one, other)


_WINDOW, _MANY_SHARE = 8, 64
"""Things of one key that each is held against, those that follow it: photos of one table follow each other in
a journal. A key that so many share tells little: there each is held against the next one alone."""


def _neighbours(keys: NDArray[np.integer[Any]], owners: NDArray[np.int64]) -> Iterator[Pairs]:
    """Pairs of owners that have a key in common, as often as they have. A key and an owner have 62 bits
    together."""
    bits = int(owners.max(initial=0)).bit_length()
    both = np.sort((keys.astype(np.int64) << bits) | owners)
    keys = both >> bits
    again = np.concatenate([[False], keys[1:] == keys[:-1], [False]])
    shared = again[1:] | again[:-1] if len(keys) else np.zeros(0, bool)
    keys, owners = keys[shared], both[shared] & ((1 << bits) - 1)
    begins = np.flatnonzero(np.diff(keys, prepend=-1))
    few = np.repeat(sizes := np.diff(begins, append=len(keys)), sizes) <= _MANY_SHARE
    for step in range(1, min(_WINDOW, len(keys)) + 1):
        same = (keys[step:] == keys[:-step]) & (owners[step:] != owners[:-step])
        same = np.flatnonzero(same if step == 1 else same & few[step:])
        yield np.column_stack([owners[same], owners[same + step]])


_PART: Final = 1 << 22
"""Keys whose pairs are counted at once, in 1 GB at most."""


def sharing(keys: NDArray[np.int64], lengths: NDArray[np.int64]) -> Pairs:
    """Positions that share enough keys to be held against each other, those that share most first.
    ``lengths``: how many of the keys, none of them twice, are of each."""
    owners = np.repeat(np.arange(len(lengths)), lengths)
    parts = 1 + len(keys) // _PART
    found, counts = [], []
    for part in range(parts):
        codes = [
            pairs[:, 0] * len(lengths) + pairs[:, 1]
            for both in _neighbours(keys, owners)
            for pairs in (both[both[:, 0] % parts == part],)
        ]
        pairs, count = np.unique(np.concatenate([*codes, np.zeros(0, np.int64)]), return_counts=True)
        one, other = np.divmod(pairs, max(1, len(lengths)))
        enough = count >= np.maximum(SHARED, SHARE * np.minimum(lengths[one], lengths[other]))
        found.append(pairs[enough])
        counts.append(count[enough])
    order = np.argsort(-np.concatenate(counts), kind="stable")
    return np.column_stack(np.divmod(np.concatenate(found)[order], max(1, len(lengths))))


_TABLES: Final = 64
_BITS: Final = 22
"""How often two hashes are compared by how many of their bits first: of pairs that differ in 32 of 256 bits
97 % agree in one of the tables, of those that differ in 20 all."""

_CHUNK: Final = 1 << 18
"""Pairs whose hashes are compared at once."""


def alike(hashes: Sequence[str], most: int) -> Iterator[tuple[int, int]]:
    """Pairs of hashes, hex digits of a square of bits each, that differ in at most ``most`` bits after one of
    them has been turned by quarters or mirrored as needed.

    A hash is what waves across and down the photo have for signs, so that a photo that was mirrored has those
    of every second wave the other way round, and one that was turned has waves across for waves down as well.
    Waves that a mirror leaves alone are what pairs are looked for by.
    """
    if len(hashes) < 2:
        return
    data = np.frombuffer(bytes.fromhex("".join(hashes)), np.uint8).reshape(len(hashes), -1)
    side = int((data.shape[1] * 8) ** 0.5)
    squares = np.unpackbits(data, axis=1).reshape(-1, side, side)
    across = np.packbits(squares.swapaxes(1, 2).reshape(len(hashes), -1), axis=1)
    odd = np.arange(side) % 2 == 1
    mirrors = [
        np.packbits((odd[:, None] & down) ^ (odd[None] & over))
        for down in (False, True)
        for over in (False, True)
    ]
    forms = np.concatenate([squares[:, ::2, ::2], squares.swapaxes(1, 2)[:, ::2, ::2]])
    forms = forms.reshape(2 * len(hashes), -1)
    del squares
    draw = np.random.default_rng(0)
    for _ in range(_TABLES):
        chosen = draw.choice(forms.shape[1], min(_BITS, forms.shape[1]), replace=False)
        keys = np.zeros(len(forms), np.int64)
        for place in chosen:
            keys = (keys << 1) | forms[:, place]
        for pairs in _neighbours(keys, np.arange(len(keys))):
            for start in range(0, len(pairs), _CHUNK):
                yield from _verified(data, across, mirrors, pairs[start : start + _CHUNK], most)


def _verified(
    data: NDArray[np.uint8],
    across: NDArray[np.uint8],
    mirrors: Sequence[NDArray[np.uint8]],
    pairs: Pairs,
    most: int,
) -> Iterator[tuple[int, int]]:
    """Those of the pairs that differ in few bits; from the count of hashes on positions mean turned ones."""
    count = len(data)
    pairs = pairs[(pairs[:, 0] < count) & (pairs[:, 0] != pairs[:, 1] % count)]
    one, other = pairs[:, 0], pairs[:, 1]
    turned = (other >= count)[:, None]
    differing = data[one] ^ np.where(turned, across[other % count], data[other % count])
    bits = np.min([_ONES[differing ^ mirror].sum(1) for mirror in mirrors], axis=0, initial=most + 1)
    for a, b in np.column_stack([one, other % count])[bits <= most].tolist():
        yield min(a, b), max(a, b)


_ONES: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(1)
"""Bits that are set in each byte."""
