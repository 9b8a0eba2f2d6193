"""The key points of a photo. They identify copies that are turned, mirrored, sheared, cropped or brightened,
even of photos with few tiles.

SIFT (Lowe 2004) detects and describes them. A key point is stored as its place and 128 bits: the side of each
of 128 planes on which its descriptor lies. Mirroring permutes a descriptor, so each is stored in that of its
two forms whose first half has the greater sum.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision import pixels
from vision.arrays import Array, Array32, Mask, Pixels

_SIDE: Final = 640
"""The photo's longer side in pixels, for detection and for coordinates."""

_MOST: Final = 400
"""The number of the strongest key points to keep. With 200, a copy that was sheared, turned and bleached had
too few in common with its original."""

_FAINT: Final = 0.02
"""The contrast below which SIFT ignores a key point, such as the grain of a table."""

_BITS: Final = 128
_WIDTH: Final = 128
"""The length of a descriptor: four rows of four cells with eight directions."""

_RATIO: Final = 0.9
_FURTHEST: Final = 0.3
"""Limits for the Hamming distance to the nearest key point: as a share of the distance to the second nearest,
and of all bits."""

_CLOSE: Final = 4.0
_LEAST: Final = 4
"""The greatest error of a first map in pixels, and the number of key points that must agree with it."""

_TRIES: Final = 2000
"""The most maps, from three key points each, to try for one that others agree with."""

_ALIKE: Final = 34
"""The greatest Hamming distance of two key points once their approximate place is known."""

_ABOUT: Final = 24.0
_HOPE: Final = 0.08
_FIT: Final = (8.0, 6.0, 4.0, 3.0, 2.0, 2.0)
"""The greatest distance of matching key points in pixels, step by step, while the map is refitted.

``_ABOUT``: the pixels within which they are searched for. With a smaller share than ``_HOPE`` in view, no map
becomes good. This rejects most photos of something else.
"""

_NEAR: Final = 1.5
_SHARE: Final = 0.36
_IN_VIEW: Final = 40
"""The final test of a map (measured: ``docs/labels.md``).

The greatest error of a matched key point in pixels, the share of the key points in view that must match, and
their least number.

An affine map fits a copy within a pixel. A photo of the same table from another place fits none.
"""

_STRETCHED: Final = 4.0
"""The greatest scale of a copy, and the greatest ratio of its two scales."""


def _mirrored() -> NDArray[np.int64]:
    places = np.arange(_WIDTH).reshape(4, 4, 8)
    return np.asarray(places[::-1][:, :, -np.arange(8) % 8].ravel())


_MIRRORED: Final = _mirrored()
"""The permutation of a descriptor when the photo is mirrored."""

_FULLER: Final = np.repeat(np.array([3, 1, -1, -3], np.float32), _WIDTH // 4)


def _planes() -> Array32:
    found = np.random.default_rng(0).normal(size=(_WIDTH, _BITS)).astype(np.float32)
    return np.asarray(found - found.mean(0), np.float32)


_PLANES: Final = _planes()

_POINT: Final = np.dtype([("x", "<u2"), ("y", "<u2"), ("bits", "u1", (_BITS // 8,))])
_FINE: Final = 32
"""Steps of a pixel in which places are stored. The highest bit of ``x`` says which form was stored."""
_TURNED: Final = 1 << 15


@cache
def able() -> bool:
    """Whether OpenCV can be loaded. Without it photos have no key points, and only layouts identify them."""
    return len(pixels.backends()) > 1


def found(rgb: Pixels) -> str:
    """The key points of a photo (height, width, 3), in the format of the journal."""
    if not able():
        return ""
    import cv2

    height, width = rgb.shape[:2]
    scale = min(1.0, _SIDE / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    grey = cv2.cvtColor(pixels.shrink(rgb, size) if scale < 1 else rgb, cv2.COLOR_RGB2GRAY)
    sift = cv2.SIFT_create(contrastThreshold=_FAINT)  # type: ignore[attr-defined]
    seen, described = sift.detectAndCompute(grey, None)
    strongest: dict[tuple[int, int], int] = {}  # one has several directions at times
    for at in sorted(range(len(seen)), key=lambda at: -seen[at].response):
        strongest.setdefault((round(seen[at].pt[0]), round(seen[at].pt[1])), at)
    chosen = list(strongest.values())[:_MOST]
    if not chosen:
        return ""
    rooted = np.sqrt(described[chosen] / np.maximum(described[chosen].sum(1, keepdims=True), 1e-9))
    turned = rooted @ _FULLER < 0
    rooted[turned] = rooted[turned][:, _MIRRORED]
    points = np.zeros(len(chosen), _POINT)
    places = np.array([seen[at].pt for at in chosen])
    points["x"] = np.clip(np.round(places[:, 0] * _FINE), 0, _TURNED - 1).astype(np.uint16) | turned * _TURNED
    points["y"] = np.clip(np.round(places[:, 1] * _FINE), 0, _TURNED - 1)
    points["bits"] = np.packbits(rooted @ _PLANES > 0, axis=1)
    return base64.b64encode(points.tobytes()).decode("ascii")


def _kept(line: Mapping[str, Any]) -> NDArray[Any]:
    """The key points of a line of the journal; none if they were not computed. Raises ValueError."""
    points = np.frombuffer(base64.b64decode(line.get("points") or "", validate=True), _POINT)
    return points if able() else points[:0]


def codes(line: Mapping[str, Any]) -> NDArray[np.uint32]:
    """The first 32 bits of each key point, each once."""
    return np.unique(_kept(line)["bits"][:, :4].copy().view(">u4").ravel()).astype(np.uint32)


@dataclass(frozen=True, slots=True)
class Points:
    """Key points. ``places`` (n, 2) pixels; ``bits`` (n, 16) bytes; ``turned`` (n,): which form was
    stored."""

    places: Array32
    bits: NDArray[np.uint8]
    turned: Mask

    @classmethod
    def of(cls, line: Mapping[str, Any]) -> Points:
        """The key points of a line of the journal."""
        kept = _kept(line)
        places = np.column_stack([kept["x"] % _TURNED, kept["y"]]).astype(np.float32) / _FINE
        bits = np.ascontiguousarray(kept["bits"])
        return cls(np.asarray(places, np.float32), bits, kept["x"] >= _TURNED)

    def agrees(self, other: Points) -> bool:
        """Whether one affine map brings the key points of this photo to those of another."""
        return max(self._strongest(other)._again(other._strongest(self)), default=0.0) >= _SHARE

    def _strongest(self, other: Points) -> Points:
        """The strongest key points, as many as the other photo has: photos of older journals have fewer."""
        some = slice(len(other.places))
        return Points(self.places[some], self.bits[some], self.turned[some])

    def _again(self, other: Points) -> Iterator[float]:
        """The share of the key points in view that match, for each possible map."""
        if len(self.places) < _IN_VIEW:
            return
        apart = _apart(self.bits, other.bits)
        least = apart.min(1)
        rows = np.flatnonzero(least < _FURTHEST * _BITS)
        some = apart[rows]
        nearest = some.argmin(1)
        returned = apart[:, nearest].argmin(0) == rows
        some[np.arange(len(rows)), nearest] = _BITS
        good = returned & (least[rows] < _RATIO * some.min(1))
        mirrored = self.turned[rows] != other.turned[nearest]
        alike = np.argwhere(apart <= _ALIKE)
        changed = self.turned[alike[:, 0]] != other.turned[alike[:, 1]]
        for way in (False, True):
            at = np.flatnonzero(good & (mirrored == way))
            affine = self._map(other, rows[at], nearest[at])
            if affine is not None:
                yield self._share(other, affine, alike[changed == way].T, way)

    def _map(self, other: Points, at: NDArray[np.int64], there: NDArray[np.int64]) -> Array | None:
        """The map that most of the matching key points agree on."""
        import cv2

        if len(at) < _LEAST:
            return None
        affine, fits = cv2.estimateAffine2D(
            self.places[at],
            other.places[there],
            ransacReprojThreshold=_CLOSE,
            maxIters=_TRIES,
            refineIters=0,
        )
        return None if affine is None or fits.sum() < _LEAST else np.asarray(affine)

    def _share(self, other: Points, affine: Array, alike: NDArray[np.int64], mirrored: bool) -> float:
        """The share of the key points in view that a map matches, once it is refitted to all pairs ``alike``
        (2, n)."""
        here, there = self.places[alike[0]], other.places[alike[1]]
        about = _squares(here, there, affine) < _ABOUT * _ABOUT
        here, there, view = here[about], there[about], _View.of(other)
        for close in _FIT:
            again = _squares(here, there, affine) < close * close
            if again.sum() < max(_LEAST, _HOPE * len(view.seen(self.places, affine))):
                return 0.0
            affine = _affine(here[again], there[again])
        most, least = np.linalg.svd(affine[:, :2], compute_uv=False)
        fits = most < _STRETCHED and least * _STRETCHED > max(1.0, most)
        if not fits or (np.linalg.det(affine[:, :2]) < 0) != mirrored:
            return 0.0
        seen = view.seen(self.places, affine)
        return float(view.near(seen, _NEAR).mean()) if len(seen) >= _IN_VIEW else 0.0


@dataclass(frozen=True, slots=True)
class _View:
    """The places of a photo's key points. ``places`` (n, 2): from left to right, from ``low`` to ``high``."""

    places: Array
    low: Array
    high: Array

    @classmethod
    def of(cls, points: Points) -> _View:
        places = points.places[np.argsort(points.places[:, 0])].astype(float)
        return cls(places, places.min(0) - _NEAR, places.max(0) + _NEAR)

    def seen(self, places: Array32, affine: Array) -> Array:
        """(m, 2) the mapped places that are in view."""
        moved = _moved(places, affine)
        return np.asarray(moved[((moved >= self.low) & (moved <= self.high)).all(1)])

    def near(self, moved: Array, pixels: float) -> Mask:
        """(m,) whether a key point is within so many pixels. It searches the neighbouring columns."""
        found = np.zeros(len(moved), bool)
        first = np.searchsorted(self.places[:, 0], moved[:, 0] - pixels)
        after = np.searchsorted(self.places[:, 0], moved[:, 0] + pixels)
        for step in range(int((after - first).max(initial=0))):
            some = np.flatnonzero(first + step < after)
            away = self.places[first[some] + step] - moved[some]
            found[some] |= (away * away).sum(1) < pixels * pixels
        return found


def _squares(here: Array32, there: Array32, affine: Array) -> Array:
    """(n,) the squared distance of each mapped place from its partner."""
    return np.asarray(((_moved(here, affine) - there) ** 2).sum(1))


def _moved(places: Array32, affine: Array) -> Array:
    """(n, 2) the places after a map."""
    return np.asarray(places @ affine[:, :2].T + affine[:, 2])


def _affine(here: Array32, there: Array32) -> Array:
    """(2, 3) the affine map with the least squared error."""
    import cv2

    places = np.column_stack([here, np.ones(len(here))])
    _, found = cv2.solve(places, there.astype(float), flags=cv2.DECOMP_NORMAL | cv2.DECOMP_SVD)
    return np.asarray(found.T)


def _apart(ones: NDArray[np.uint8], others: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(n, m) the Hamming distances between rows of ``ones`` (n, 16) and ``others`` (m, 16)."""
    low, high = (
        np.bitwise_count(np.bitwise_xor.outer(ones.view("<u8")[:, at], others.view("<u8")[:, at]))
        for at in (0, 1)
    )
    return np.asarray(low + high, np.uint8)
