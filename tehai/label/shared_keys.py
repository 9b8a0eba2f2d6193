"""Find pairs of items that share keys, among very many, without comparing each with all others.

Memory hardly grows with the number of items: the keys and the pairs are in temporary files.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from tehai.label.spool import spooled

Pairs = NDArray[np.int64]
"""(n, 2) positions of two items, the lower one first."""

SHARED: Final = 2
"""The least number of keys that a pair shares."""

_SLICE: Final = 1 << 22
"""Keys sorted at once, in some 200 MB."""

_MANY: Final = 1 << 23
"""Keys whose pairs are counted at once, in about as much memory."""

_BEST: Final = 64
"""The most partners of an item among those after it, the likeliest ones."""

_GRADES, _GRADE_BITS = 8, 10
"""Steps of likelihood for each halving. Pairs of one step keep the order of the items, so that most of the
items to compare are in memory."""


class Keys:
    """The keys of items, ``width`` bytes each."""

    def __init__(self, width: int) -> None:
        self.lengths = array("q")
        self._width = width
        self._file = spooled()

    def add(self, packed: bytes) -> None:
        """Add the keys of one more item, each once."""
        self._file.write(packed)
        self.lengths.append(len(packed) // self._width)

    def company(self, share: float = 0.0, room: int | None = None) -> Iterator[tuple[int, int]]:
        """Pairs of positions with at least :data:`SHARED` common keys, and at least this ``share`` of the
        smaller item's keys.

        The likeliest pairs come first: those with many common keys for how many each shares with others.
        ``room``: how many bits of a key count, beyond those that number all items.
        """
        lengths = np.array(self.lengths, np.int64)
        count, total = max(1, len(lengths)), int(lengths.sum())
        short = 0 if room is None else max(0, 8 * self._width - room - total.bit_length())
        met = np.zeros(count, np.int64)
        with ExitStack() as stack:
            files = _files(stack, 1 + total // _MANY)
            for both in self._together(short, np.cumsum(lengths)):
                met += np.bincount(both.ravel(), minlength=count)
                _deal(files, both[:, 0] * len(files) // count, both[:, 0] * count + both[:, 1])
            kept = [_likeliest(file, lengths, met, share) for file in files]
        codes = np.sort(np.concatenate(kept))
        codes &= (1 << (63 - _GRADE_BITS)) - 1
        for start in range(0, len(codes), _YIELDED):
            one, other = (each.tolist() for each in np.divmod(codes[start : start + _YIELDED], count))
            yield from zip(one, other, strict=True)

    def _together(self, short: int, ends: NDArray[np.int64]) -> Iterator[Pairs]:
        """Pairs with a common key, once for each such key."""
        bits, wide, start = (sum(self.lengths) // _SLICE).bit_length(), len(ends).bit_length(), 0
        with ExitStack() as stack:
            parts = _files(stack, 1 << bits)
            for keys in self._slices():
                keys >>= short
                owners = np.searchsorted(ends, np.arange(start, start + len(keys)), "right")
                start += len(keys)
                _deal(parts, keys * _MIXING >> (63 - bits) & ((1 << bits) - 1), (keys << wide) | owners)
            for part in parts:
                part.seek(0)
                both = np.frombuffer(part.read(), np.int64)
                yield from neighbours(both >> wide, both & ((1 << wide) - 1))

    def _slices(self) -> Iterator[NDArray[np.int64]]:
        self._file.seek(0)
        while data := self._file.read(_SLICE * self._width):
            kept = np.frombuffer(data, np.uint8).reshape(-1, self._width)
            found = np.zeros(len(kept), np.int64)
            for place in range(self._width):
                found <<= 8
                found |= kept[:, place]
            yield found


_MIXING: Final = 0x1E3779B97F4A7C15
_YIELDED: Final = 1 << 16


def _files(stack: ExitStack, count: int) -> list[IO[Any]]:
    """Temporary files that stay open as long as the stack."""
    return [stack.enter_context(spooled(count)) for _ in range(count)]


def _deal(files: Sequence[IO[Any]], at: NDArray[np.int64], numbers: NDArray[np.int64]) -> None:
    """Write each number into the file with the index ``at``."""
    order = np.argsort(at.astype(np.uint16), kind="stable")
    ends = np.cumsum(np.bincount(at, minlength=len(files)))
    for file, some in zip(files, np.split(numbers[order], ends[:-1]), strict=True):
        file.write(some.tobytes())


def _likeliest(
    file: IO[Any], lengths: NDArray[np.int64], met: NDArray[np.int64], share: float
) -> NDArray[np.int64]:
    """The pairs of a file with enough common keys, as numbers: the unlikelihood, then the pair."""
    file.seek(0)
    codes = np.sort(np.frombuffer(file.read(), np.int64))
    begins = np.flatnonzero(np.diff(codes, prepend=-1))
    counts = np.diff(begins, append=len(codes))
    some = np.flatnonzero(counts >= SHARED)
    codes, counts = codes[begins[some]], counts[some]
    one, other = np.divmod(codes, max(1, len(lengths)))
    enough = counts >= share * np.minimum(lengths[one], lengths[other])
    codes, counts, one, other = (each[enough] for each in (codes, counts, one, other))
    unlike = np.log2(np.sqrt(met[one].astype(float) * met[other]) / counts) * _GRADES
    grades = np.clip(unlike, 0, (1 << _GRADE_BITS) - 1).astype(np.int64)
    order = np.lexsort((grades, one))
    first = np.flatnonzero(np.diff(one[order], prepend=-1))
    before = np.repeat(first, np.diff(first, append=len(order)))
    order = order[np.arange(len(order)) - before < _BEST]
    return np.asarray((grades[order] << (63 - _GRADE_BITS)) | codes[order])


_WINDOW, _MANY_SHARE = 8, 64
"""The next items of the same key that an item is paired with: photos of one table follow each other in a
journal.

If more than the second number share a key, each item is paired with the next one only, because such a key
says little.
"""


def neighbours(keys: NDArray[np.integer[Any]], owners: NDArray[np.int64]) -> Iterator[Pairs]:
    """Pairs of owners with a common key, once for each. A key and an owner have 62 bits together."""
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
