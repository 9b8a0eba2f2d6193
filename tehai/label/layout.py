"""The layout of a photo's tiles. It identifies copies that are turned, mirrored, sheared, cropped or
brightened.

An affine map changes neither a tile's nearest neighbours nor their positions, measured in the tile's own
width and height. The faces of a tile and its nearest neighbours are a key. Photos that share keys are
compared as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tehai.label.shared_keys import SHARED
from vision.arrays import Array, Mask
from vision.labels import BACK, FACES, PLAIN_OF

NEIGHBOURS: Final = 5
"""Neighbours that make a tile's key. With fewer, more photos of different tables share keys (measured:
``docs/labels.md``). A photo with fewer tiles has no keys."""

SHARE = 0.15
"""The share of the smaller photo's keys that two photos must have in common to be compared."""

_AGREE, _LEAST = 0.6, 4
"""The share, and the number, of the tiles visible in both photos that must agree in face and place."""

_CLOSE: Final = 0.5
"""The greatest distance of a tile from its expected place, in tile sides."""

_SIDES: Final = np.array([3.0, 4.0])
"""Width and height of a tile."""

_CODES: Final = {
    face: FACES.index({"9s": "6s"}.get(plain, plain))  # told apart only by which way they stand
    for face in FACES
    if face != BACK
    for plain in (PLAIN_OF.get(face, face),)
}


KEY_BYTES: Final = 5
"""Bytes of a key: six faces of six bits each."""

_HEAD: Final = np.dtype("<f4")
_TILE: Final = np.dtype([("face", "u1"), ("centre", "<f4", (2,)), ("axes", "<f4", (2, 2))])
"""The format of a packed layout: the numbers of keys, width and height, then the keys, then the tiles."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The tiles of a photo.

    ``faces`` (n,): face indices. ``centres`` (n, 2): pixels. ``axes`` (n, 2, 2): the width and height vectors
    of each tile as columns. ``keys`` (k,): the keys of the first k tiles, ascending, each once. ``extent``:
    the photo's width and height in pixels.
    """

    keys: NDArray[np.int64]
    faces: NDArray[np.int64]
    centres: Array
    axes: Array
    extent: Array

    @classmethod
    def of(cls, line: Mapping[str, Any]) -> Layout:
        """The layout of the tiles with a face in a line of the journal."""
        tiles = [tile for tile in line["tiles"] if tile["label"] in _CODES]
        quads = np.array([tile["quad"] for tile in tiles], float).reshape(-1, 4, 2)
        wide = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
        high = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
        axes = np.stack([wide, high], axis=2)
        laid = np.flatnonzero(_areas(axes) >= 1)
        faces = np.array([_CODES[tile["label"]] for tile in tiles], np.int64)[laid]
        centres, axes = quads.mean(1)[laid], axes[laid]
        keys, first = np.unique(_keys(faces, centres, axes), return_index=True)
        order = np.concatenate([first, np.delete(np.arange(len(faces)), first)])
        extent = np.array([line["width"], line["height"]], float)
        return cls(keys, faces[order], centres[order], axes[order], extent)

    def packed(self) -> bytes:
        """The layout as bytes, for :meth:`unpacked`."""
        tiles = np.empty(len(self.faces), _TILE)
        tiles["face"], tiles["centre"], tiles["axes"] = self.faces, self.centres, self.axes
        keys = self.keys.astype(">i8").view(np.uint8).reshape(-1, 8)[:, -KEY_BYTES:]
        return np.array([len(keys), *self.extent], _HEAD).tobytes() + keys.tobytes() + tiles.tobytes()

    @classmethod
    def unpacked(cls, packed: bytes) -> Layout:
        """The inverse of :meth:`packed`."""
        shown = packed_keys(packed)
        keys = np.zeros((len(shown) // KEY_BYTES, 8), np.uint8)
        keys[:, -KEY_BYTES:] = np.frombuffer(shown, np.uint8).reshape(-1, KEY_BYTES)
        tiles = np.frombuffer(packed, _TILE, offset=_HEAD.itemsize * 3 + len(shown))
        return cls(
            keys.view(">i8").ravel().astype(np.int64),
            tiles["face"].astype(np.int64),
            tiles["centre"].astype(float),
            tiles["axes"].astype(float),
            np.frombuffer(packed, _HEAD, 3)[1:].astype(float),
        )

    def agrees(self, other: Layout) -> bool:
        """Whether one affine map, mirrored or not, brings the tiles of this photo to those of another."""
        there = np.searchsorted(other.keys, self.keys)
        there[there == len(other.keys)] = 0
        at = np.flatnonzero(other.keys[there] == self.keys) if len(other.keys) else there[:0]
        if len(at) < SHARED:
            return False
        at = at[np.linspace(0, len(at) - 1, min(len(at), _TRIES)).astype(int)]
        there = there[at]
        # Each tile with the same key, each way that it may stand, says how to come from photo to photo.
        turned = other.axes[there, None] @ _TURNS @ np.linalg.inv(self.axes[at, None])
        matrices = turned.reshape(-1, 2, 2)
        some = np.repeat(np.arange(len(at)), len(_TURNS))
        offsets = other.centres[there[some]] - (matrices @ self.centres[at[some], :, None])[..., 0]
        both = _Correspondence.of(self, other)
        hits = np.logical_or.reduceat(both.away(matrices, offsets) < _FAR, both.begins, axis=1).sum(1)
        best = int(hits.argmax())
        return both.holds(matrices[best], offsets[best])


@dataclass(frozen=True, slots=True)
class _Correspondence:
    """Two photos and their tiles with equal faces.

    ``here``: indices in this photo, ascending; ``there``: in the other. ``begins``: where another tile starts
    in them. ``sizes``: the tile sides of the other photo.
    """

    one: Layout
    other: Layout
    here: NDArray[np.int64]
    there: NDArray[np.int64]
    begins: NDArray[np.int64]
    sizes: Array

    @classmethod
    def of(cls, one: Layout, other: Layout) -> _Correspondence:
        here, there = np.nonzero(one.faces[:, None] == other.faces)
        begins = np.flatnonzero(np.diff(here, prepend=-1))
        return cls(one, other, here, there, begins, np.sqrt(_areas(other.axes[there])))

    def away(self, matrices: Array, offsets: Array) -> Array:
        """(..., pairs) the distances of the tiles of each pair after maps (..., 2, 2), in tile sides."""
        moved = self.one.centres[self.here] @ matrices.swapaxes(-1, -2) + offsets[..., None, :]
        moved -= self.other.centres[self.there]
        return np.asarray(np.hypot(moved[..., 0], moved[..., 1]) / self.sizes)

    def holds(self, matrix: Array, offset: Array) -> bool:
        """Whether enough tiles that both photos show agree. The map is fitted to all these tiles first: a map
        from a single tile is not exact far from it."""
        one, other, close = self.one, self.other, _FAR
        for _ in range(_ROUNDS):
            away = self.away(matrix, offset)
            nearest = np.lexsort((away, self.here))[self.begins]
            nearest = nearest[away[nearest] < close]
            if len(nearest) < _LEAST:
                return False
            here, there = one.centres[self.here[nearest]], other.centres[self.there[nearest]]
            middle, middle_there = here.mean(0), there.mean(0)
            spread = here - middle
            # Tiles in one line say nothing of what lies beside it: there the first map holds.
            held = spread.T @ spread + np.eye(2) * _HELD * _areas(one.axes).mean()
            left = there - middle_there - spread @ matrix.T
            matrix = matrix + np.linalg.solve(held, spread.T @ left).T
            offset, close = middle_there - matrix @ middle, _CLOSE
        shown = _within(one.centres @ matrix.T + offset, other.extent)
        seen = _within((other.centres - offset) @ np.linalg.pinv(matrix).T, one.extent)
        return bool(len(nearest) >= _AGREE * max(shown.sum(), seen.sum()))


def packed_keys(packed: bytes) -> bytes:
    """The keys in a packed layout, :data:`KEY_BYTES` each."""
    start, (shown, *_) = _HEAD.itemsize * 3, np.frombuffer(packed, _HEAD, 3)
    return packed[start : start + int(shown) * KEY_BYTES]


def is_packed(packed: bytes) -> bool:
    """Whether these can be the bytes of a layout."""
    room = len(packed) - _HEAD.itemsize * 3
    if room < 0 or not 0 <= (shown := np.frombuffer(packed, _HEAD, 3)[0]) <= room:  # nor is that no number
        return False
    tiles, rest = divmod(room - int(shown) * KEY_BYTES, _TILE.itemsize)
    return not rest and shown <= tiles


def _keys(faces: NDArray[np.int64], centres: Array, axes: Array) -> NDArray[np.int64]:
    """(n,) the key of each tile: the faces of it and its nearest neighbours, six bits each; none for too few
    tiles."""
    if len(faces) <= NEIGHBOURS:
        return np.zeros(0, np.int64)
    seen = (centres[None] - centres[:, None]) @ np.linalg.inv(axes).swapaxes(1, 2) * _SIDES
    distances = np.hypot(seen[..., 0], seen[..., 1])
    np.fill_diagonal(distances, np.inf)
    nearest = np.argpartition(distances, NEIGHBOURS - 1, axis=1)[:, :NEIGHBOURS]
    shown = np.column_stack([faces, np.sort(faces[nearest], axis=1)])
    return np.asarray(shown @ (64 ** np.arange(NEIGHBOURS + 1)), np.int64)


def _areas(axes: Array) -> Array:
    """(n,) the area of each tile in pixels."""
    return np.asarray(np.abs(axes[:, 0, 0] * axes[:, 1, 1] - axes[:, 0, 1] * axes[:, 1, 0]))


_TRIES: Final = 4
_ROUNDS: Final = 3
_FAR: Final = 2 * _CLOSE
_HELD: Final = 0.1
"""The weight of the first map in the fit. It decides where all tiles lie in one line."""

_TURNS: Final = np.array([np.diag([x, y]) for x in (1.0, -1.0) for y in (1.0, -1.0)])
"""The ways a tile may stand: some faces look equal upside down, and a mirrored photo mirrors every tile."""


def _within(points: Array, extent: Array) -> Mask:
    return np.asarray(((points >= 0) & (points <= extent)).all(1), bool)
