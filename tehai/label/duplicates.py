"""Find duplicate photos: exact ones by content hash, near ones by perceptual hash, by layout and by key
points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tehai.label import layout, points, shared_keys
from tehai.label.cache import of_code
from tehai.label.chains import Chains
from tehai.label.journal import Index, Journal, Kind
from tehai.label.layout import SHARE, Layout
from tehai.label.points import Points
from tehai.label.shared_keys import Keys, Pairs, neighbours
from tehai.label.spool import Shelf

NEAR: Final = 32
"""The greatest Hamming distance of near-duplicates' hashes, of 256 bits (measured: ``docs/labels.md``)."""


def exact(index: Index) -> list[list[str]]:
    """Groups of paths with the same bytes, two or more each."""
    return [paths for paths in index.places().values() if len(paths) > 1]


KIND: Final = Kind(
    "layout 2",
    lambda journal, key, entry, line: (0, Layout.of(line).packed()),
    lambda _, more: layout.is_packed(more),
)
"""The kind of cached facts for layouts of tiles."""


def near(journal: Journal) -> list[list[str]]:
    """Groups of content hashes of near-duplicates, two or more each.

    Two photos are near-duplicates if their perceptual hashes differ in at most :data:`NEAR` bits, turned or
    mirrored if needed. Equal layouts or key points count as well. A group is a chain of such pairs. The index
    of the journal caches the result.
    """
    photos, known = list(journal.index.photos), sha256()
    for key, entry in journal.index.photos.items():
        known.update(b"%s %d" % (key.encode(), entry.at))
    firsts = _kept(journal, known.hexdigest(), len(photos))
    if firsts is None:
        firsts = _found(journal, photos)
        if len(photos) >= _MANY:
            journal.keep()
            followers = [(at, first) for at, first in enumerate(firsts) if at != first]
            journal.cache.remember(_NEAR, [known.hexdigest(), followers])
    groups: dict[int, list[str]] = {}
    for key, first in zip(photos, firsts, strict=True):
        groups.setdefault(first, []).append(key)
    return [members for members in groups.values() if len(members) > 1]


_NEAR: Final = of_code("near", __file__, shared_keys.__file__, layout.__file__, points.__file__)
_MANY: Final = 1000
"""Cache the result for a journal of this many photos or more."""


def _kept(journal: Journal, known: str, count: int) -> list[int] | None:
    """The cached result for exactly these revisions."""
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


_CODE: Final = np.dtype(">u4")

POINTS: Final = Kind(
    "points 1",
    lambda journal, key, entry, line: (
        int("points" in line),
        points.codes(line).astype(_CODE).tobytes(),
    ),
    lambda _, more: len(more) % _CODE.itemsize == 0,
)
"""The kind of cached facts for key points: whether they were computed, and their codes."""


def without_points(journal: Journal) -> set[str]:
    """Photos whose lines are older than key points; empty if this machine cannot compute them."""
    if not points.able():
        return set()
    return {key for key, _, ((computed, _),) in journal.facts(POINTS) if not computed}


def _by_points(
    journal: Journal, photos: Sequence[str], codes: Keys, few: Sequence[bool]
) -> list[tuple[int, int]]:
    """Pairs of positions of photos whose key points agree.

    ``few``: for each photo, whether it has too few tiles for its layout to identify it. The index of the
    journal caches the pairs for the same list of photos.
    """
    known = sha256("".join(photos).encode() + bytes(few) + codes.lengths.tobytes()).hexdigest()
    try:
        digest, links = journal.cache.recall(_LOOKS)
        if digest == known:
            return [(one, other) for one, other in links]
    except (ValueError, TypeError):  # there is nothing, or it is damaged
        pass

    @lru_cache(_OPEN)
    def seen(at: int) -> Points:
        return Points.of({"points": journal.text(photos[at], "points")})

    patience = _patience(len(photos), _BY_POINTS)
    links = tried(
        codes.company(room=_ROOM),
        [patience * _MORE if is_few else patience for is_few in few],
        lambda one, other: seen(one).agrees(seen(other)),
    )
    if len(photos) >= _SOME:
        journal.keep()
        journal.cache.remember(_LOOKS, [known, links])
    return links


_LOOKS: Final = of_code("looks", __file__, shared_keys.__file__, points.__file__)
_SOME: Final = 100
"""Cache the pairs for a journal of this many photos or more."""

_ROOM: Final = 5
"""Extra bits of a code, beyond those that number all photos: one random code in 32 then collides."""

_PATIENCE: Final = 24
"""Failed comparisons after which a photo is given up."""

_MORE: Final = 4
"""The factor of that number for a photo with too few tiles."""

_BY_POINTS, _AS_TABLES = 1 << 20, 1 << 21
"""The greatest number of comparisons of all photos together. In a very large journal each photo gets fewer.
"""


def _patience(photos: int, times: int) -> int:
    """:data:`_PATIENCE`, or less for very many photos."""
    return min(_PATIENCE, max(1, times // max(1, photos)))


def tried(
    pairs: Iterable[tuple[int, int]],
    patience: Sequence[int],
    same: Callable[[int, int], bool],
    chains: Chains | None = None,
) -> list[tuple[int, int]]:
    """The pairs that are the ``same``, likeliest first, without those that follow from others.

    ``patience``: for each photo, how many failed comparisons are allowed. ``chains``: the groups so far,
    which this extends.
    """
    chains = Chains(len(patience)) if chains is None else chains
    failed, found = [0] * len(patience), list[tuple[int, int]]()
    for one, other in pairs:
        spent = failed[one] >= patience[one] or failed[other] >= patience[other]
        if spent or chains.first(one) == chains.first(other):
            continue
        if same(one, other):
            chains.join(one, other)
            found.append((one, other))
        else:
            failed[one] += 1
            failed[other] += 1
    return found


def _found(journal: Journal, photos: Sequence[str]) -> list[int]:
    """For each photo the first one of its group."""
    entries, tables = journal.index.photos, Shelf()
    keys, codes = Keys(layout.KEY_BYTES), Keys(_CODE.itemsize)
    for _, _, ((_, of_tiles), (_, of_points)) in journal.facts(KIND, POINTS):
        tables.add(of_tiles)
        keys.add(layout.packed_keys(of_tiles))
        codes.add(of_points)

    chains = Chains(len(photos))
    for one, other in _by_points(journal, photos, codes, [not length for length in keys.lengths]):
        chains.join(one, other)
    hashed = [at for at, key in enumerate(photos) if entries[key].phash]
    for one, other in alike([entries[photos[at]].phash for at in hashed], NEAR):
        chains.join(hashed[one], hashed[other])
    tried(
        keys.company(SHARE),
        [_patience(len(photos), _AS_TABLES)] * len(photos),
        lambda one, other: Layout.unpacked(tables[one]).agrees(Layout.unpacked(tables[other])),
        chains,
    )
    return chains.firsts()


_OPEN: Final = 4096
"""Photos whose key points are in memory at once, 4 kB each."""


_TABLES: Final = 64
_BITS: Final = 22
"""The number of hash tables, and the bits of each, that select pairs to compare.

Pairs that differ in 32 of 256 bits share an entry of a table in 97 % of cases. Pairs that differ in 20 bits
always do.
"""

_KEY_BITS: Final = 40
"""Bits of a table's key. A key and the number of a hash have 62 bits together."""

_CHUNK: Final = 1 << 18
"""Pairs whose hashes are compared at once."""


def alike(hashes: Sequence[str], most: int) -> Iterator[tuple[int, int]]:
    """Pairs of perceptual hashes that differ in at most ``most`` bits, after a quarter turn or a mirroring if
    needed. ``hashes``: hex digits of a square of bits each.

    A bit is the sign of a cosine wave across and down the photo. Mirroring inverts the bits of every second
    wave; a quarter turn swaps across and down. The tables use the waves that mirroring does not change.
    """
    if len(hashes) < 2:
        return
    data = np.frombuffer(bytes.fromhex("".join(hashes)), np.uint8).reshape(len(hashes), -1)
    side = int((data.shape[1] * 8) ** 0.5)
    half = ((side + 1) // 2) ** 2
    across, forms = np.empty_like(data), np.empty((2 * len(data), -(-half // 8)), np.uint8)
    for start in range(0, len(data), _CHUNK):
        some = slice(start, start + _CHUNK)
        squares = np.unpackbits(data[some], axis=1).reshape(-1, side, side)
        turned = squares.swapaxes(1, 2)
        across[some] = np.packbits(turned.reshape(len(squares), -1), axis=1)
        for form, each in zip((forms[: len(data)], forms[len(data) :]), (squares, turned), strict=True):
            form[some] = np.packbits(each[:, ::2, ::2].reshape(len(squares), -1), axis=1)
    odd = np.arange(side) % 2 == 1
    mirrors = [
        _words(np.packbits((odd[:, None] & down) ^ (odd[None] & over))[None])[0]
        for down in (False, True)
        for over in (False, True)
    ]
    ways, words = np.stack([_words(data), _words(across)]), _words(forms)
    mixing = np.random.default_rng(1).integers(0, 1 << 63, words.shape[1], np.uint64) * 2 + 1
    draw = np.random.default_rng(0)
    for _ in range(_TABLES):
        chosen = np.zeros(half, bool)
        chosen[draw.choice(half, min(_BITS, half), replace=False)] = True
        # Not the bits themselves but a number for them, which two seldom share.
        keys = (words & _words(np.packbits(chosen)[None])) @ mixing >> np.uint64(64 - _KEY_BITS)
        for pairs in neighbours(keys.astype(np.int64), np.arange(len(keys))):
            for start in range(0, len(pairs), _CHUNK):
                yield from _verified(ways, mirrors, pairs[start : start + _CHUNK], most)


_Words = NDArray[np.uint64]


def _words(packed: NDArray[np.uint8]) -> _Words:
    """Rows of bytes as rows of 64-bit words, padded with zeros."""
    return np.ascontiguousarray(np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8)))).view(np.uint64)


def _verified(ways: _Words, mirrors: Sequence[_Words], pairs: Pairs, most: int) -> Iterator[tuple[int, int]]:
    """The pairs that differ in few bits. Positions from the count of hashes on mean turned hashes. ``ways``:
    (2, n, k) the hashes as they are, and turned."""
    count = ways.shape[1]
    pairs = pairs[(pairs[:, 0] < count) & (pairs[:, 0] != pairs[:, 1] % count)]
    one, (turned, other) = pairs[:, 0], np.divmod(pairs[:, 1], count)
    differing = ways[0, one] ^ ways[turned, other]
    bits = np.min([np.bitwise_count(differing ^ mirror).sum(1) for mirror in mirrors], axis=0)
    for a, b in np.column_stack([one, other])[bits <= most].tolist():
        yield min(a, b), max(a, b)
