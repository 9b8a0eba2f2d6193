"""The tiles of a photo as they lie, by which it is known again turned, mirrored, sheared, cropped, lit up.

A tile's neighbours, counted in its own width and height, are the same in every such copy: an affine map
changes neither which they are nor how they lie. What a tile and its nearest neighbours show is a key; photos
that share keys are held against each other as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tehai.label.company import SHARED
from vision.arrays import Array, Mask
from vision.labels import BACK, FACES, PLAIN_OF

NEIGHBOURS: Final = 5
"""Of a tile that make its key. With fewer more photos share keys that show different tables (measured:
``docs/labels.md``); a photo with fewer tiles has no keys."""

SHARE = 0.15
"""Of the keys of the photo that has fewer: what two photos share before they are held against each other."""

_AGREE, _LEAST = 0.6, 4
"""Share, and number, of the tiles that both photos can show which have to lie, with the same face, where the
other photo has them."""

_CLOSE: Final = 0.5
"""Tile sides by which a tile may lie elsewhere."""

_SIDES: Final = np.array([3.0, 4.0])
"""How wide and how high a tile is."""

_CODES: Final = {
    face: FACES.index({"9s": "6s"}.get(plain, plain))  # told apart only by which way they stand
    for face in FACES
    if face != BACK
    for plain in (PLAIN_OF.get(face, face),)
}


@dataclass(frozen=True, slots=True)
class Layout:
    """``faces`` (n,): what lies there; ``centres`` (n, 2) pixels; ``axes`` (n, 2, 2): each tile's width and
    height, a column each; ``extent``: pixels of the photo."""

    faces: NDArray[np.int64]
    centres: Array
    axes: Array
    extent: Array

    @classmethod
    def of(cls, line: Mapping[str, Any]) -> Layout:
        """The tiles of a line of the journal that show a face."""
        tiles = [tile for tile in line["tiles"] if tile["label"] in _CODES]
        quads = np.array([tile["quad"] for tile in tiles], float).reshape(-1, 4, 2)
        wide = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
        high = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
        axes = np.stack([wide, high], axis=2)
        flat = np.abs(np.linalg.det(axes)) < 1
        faces = np.array([_CODES[tile["label"]] for tile in tiles], np.int64)
        extent = np.array([line["width"], line["height"]], float)
        return cls(faces[~flat], quads.mean(1)[~flat], axes[~flat], extent)

    def keys(self) -> NDArray[np.int64]:
        """(n,) what each tile and its nearest neighbours show, six bits each; none of fewer tiles."""
        if len(self.faces) <= NEIGHBOURS:
            return np.zeros(0, np.int64)
        away = self.centres[None] - self.centres[:, None]
        seen = away @ np.linalg.inv(self.axes).swapaxes(1, 2) * _SIDES
        distances = np.hypot(seen[..., 0], seen[..., 1])
        np.fill_diagonal(distances, np.inf)
        nearest = np.argpartition(distances, NEIGHBOURS - 1, axis=1)[:, :NEIGHBOURS]
        shown = np.column_stack([self.faces, np.sort(self.faces[nearest], axis=1)])
        return np.asarray(shown @ (64 ** np.arange(NEIGHBOURS + 1)), np.int64)

    def agrees(self, other: Layout) -> bool:
        """Whether one affine map, mirrored or not, brings the tiles of this photo to those of another."""
        shared, at, there = np.intersect1d(self.keys(), other.keys(), return_indices=True)
        if len(shared) < SHARED:
            return False
        some = np.linspace(0, len(shared) - 1, min(len(shared), _TRIES)).astype(int)
        alike = self.faces[:, None] == other.faces[None]
        # Each tile with the same key, each way that it may stand, says how to come from photo to photo.
        turned = other.axes[there[some], None] @ _TURNS @ np.linalg.inv(self.axes[at[some], None])
        matrices = turned.reshape(-1, 2, 2)
        tiles = np.repeat(some, len(_TURNS))
        offsets = other.centres[there[tiles]] - (matrices @ self.centres[at[tiles], :, None])[..., 0]
        moved = self.centres @ matrices.swapaxes(1, 2) + offsets[:, None]
        hits = (self._away(other, moved, alike).min(2) < _FAR).sum(1)
        best = int(hits.argmax())
        return self._holds(other, alike, matrices[best], offsets[best])

    def _away(self, other: Layout, moved: Array, alike: Mask) -> Array:
        """(..., n, m) how many tile sides apart tiles come to lie from those of the same face."""
        sizes = np.sqrt(np.abs(np.linalg.det(other.axes)))
        distances = np.linalg.norm(moved[..., :, None, :] - other.centres, axis=-1) / sizes
        return np.where(alike, distances, np.inf)

    def _holds(self, other: Layout, alike: Mask, matrix: Array, offset: Array) -> bool:
        """Whether enough of what both photos can show lies alike, once the map is that of all these tiles:
        one made of a single tile is not exact far from it."""
        close = _FAR
        for _ in range(_ROUNDS):
            away = self._away(other, self.centres @ matrix.T + offset, alike)
            near = away.min(1) < close
            if near.sum() < _LEAST:
                return False
            here, there = self.centres[near], other.centres[away.argmin(1)[near]]
            spread = here - here.mean(0)
            # Tiles in one line say nothing of what lies beside it: there the first map holds.
            held = spread.T @ spread + np.eye(2) * _HELD * np.abs(np.linalg.det(self.axes)).mean()
            left = there - there.mean(0) - spread @ matrix.T
            matrix = matrix + np.linalg.solve(held, spread.T @ left).T
            offset, close = there.mean(0) - matrix @ here.mean(0), _CLOSE
        shown = _within(self.centres @ matrix.T + offset, other.extent)
        seen = _within((other.centres - offset) @ np.linalg.pinv(matrix).T, self.extent)
        return bool(near.sum() >= _AGREE * max(shown.sum(), seen.sum()))


_TRIES: Final = 4
_ROUNDS: Final = 3
_FAR: Final = 2 * _CLOSE
_HELD: Final = 0.1
"""Tiles that count for the first map."""

_TURNS: Final = np.array([np.diag([x, y]) for x in (1.0, -1.0) for y in (1.0, -1.0)])
"""Some faces stand on their heads as well, and a mirrored photo shows every tile mirrored."""


def _within(points: Array, extent: Array) -> Mask:
    return np.asarray(((points >= 0) & (points <= extent)).all(1), bool)
