"""The points of a photo that stand out, by which it is known again turned, mirrored, sheared, cropped or lit
up, whatever it shows and however little of it is a tile.

SIFT (Lowe 2004) finds and describes them. A point is kept as where it lies and as 128 bits, on which side of
as many planes its description lies; so that mirroring changes none of them, every description is taken in
that one of its two forms whose first half is the fuller.
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
"""Pixels of the photo's longer side in which points are looked for and counted."""

_MOST: Final = 400
"""Points of a photo, the strongest. Of 200 a copy that was sheared, turned and bleached at once had too few
in common with its original."""

_FAINT: Final = 0.02
"""Contrast below which SIFT takes nothing for a point: the grain of a table is one."""

_BITS: Final = 128
_WIDTH: Final = 128
"""Numbers of a description: four rows of four fields of eight directions."""

_RATIO: Final = 0.9
_FURTHEST: Final = 0.3
"""Bits in which a point differs at most from the one that is most alike: as a share of those in which it does
from the second one, and of all."""

_CLOSE: Final = 4.0
_LEAST: Final = 4
"""Pixels within which one map brings points that look alike to each other, and how many of them at least:
what is made anew of all."""

_TRIES: Final = 2000
"""Maps of three points each that are tried for one that others agree with, if none does before."""

_ALIKE: Final = 34
"""Bits in which two points differ at most that a map may be made of: where to look is known by then."""

_ABOUT: Final = 24.0
_HOPE: Final = 0.08
_FIT: Final = (8.0, 6.0, 4.0, 3.0, 2.0, 2.0)
"""Pixels within which points that look alike are taken for one, while the map is made anew of them all; and
within which they are looked for. Where there are fewer than a share of the points in view, no map becomes a
good one: most photos that show something else are told by that."""

_NEAR: Final = 1.5
_SHARE: Final = 0.36
_IN_VIEW: Final = 40
"""Pixels by which a point may lie elsewhere in the end; and share, of the points in the other photo's view,
so many at least, that must be there again (measured: ``docs/labels.md``). An affine map brings a copy's
points there to a pixel. Another photo of the same table was taken from elsewhere, and none does so."""

_STRETCHED: Final = 4.0
"""How much larger, and how much more in one direction than in the other, a copy may be."""


def _mirrored() -> NDArray[np.int64]:
    places = np.arange(_WIDTH).reshape(4, 4, 8)
    return np.asarray(places[::-1][:, :, -np.arange(8) % 8].ravel())


_MIRRORED: Final = _mirrored()
"""Where the numbers of a description come to stand when the photo is mirrored."""

_FULLER: Final = np.repeat(np.array([3, 1, -1, -3], np.float32), _WIDTH // 4)


def _planes() -> Array32:
    found = np.random.default_rng(0).normal(size=(_WIDTH, _BITS)).astype(np.float32)
    return np.asarray(found - found.mean(0), np.float32)


_PLANES: Final = _planes()

_POINT: Final = np.dtype([("x", "<u2"), ("y", "<u2"), ("bits", "u1", (_BITS // 8,))])
_FINE: Final = 32
"""Parts of a pixel in which places are kept; the highest bit of ``x`` says which form was taken."""
_TURNED: Final = 1 << 15


@cache
def able() -> bool:
    """Whether OpenCV, which finds points and compares them, can be loaded. Without it photos have none: they
    are known again by their tables alone."""
    return len(pixels.backends()) > 1


def found(rgb: Pixels) -> str:
    """The points of a photo (height, width, 3), as a line of the journal keeps them."""
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
    """The points of a line of the journal; none where nobody has looked for them. Raises ValueError."""
    points = np.frombuffer(base64.b64decode(line.get("points") or "", validate=True), _POINT)
    return points if able() else points[:0]


def codes(line: Mapping[str, Any]) -> NDArray[np.uint32]:
    """The first 32 bits of each point, each once."""
    return np.unique(_kept(line)["bits"][:, :4].copy().view(">u4").ravel()).astype(np.uint32)


@dataclass(frozen=True, slots=True)
class Points:
    """``places`` (n, 2) pixels; ``bits`` (n, 16) bytes; ``turned`` (n,): which form was taken."""

    places: Array32
    bits: NDArray[np.uint8]
    turned: Mask

    @classmethod
    def of(cls, line: Mapping[str, Any]) -> Points:
        """The points of a line of the journal."""
        kept = _kept(line)
        places = np.column_stack([kept["x"] % _TURNED, kept["y"]]).astype(np.float32) / _FINE
        bits = np.ascontiguousarray(kept["bits"])
        return cls(np.asarray(places, np.float32), bits, kept["x"] >= _TURNED)

    def agrees(self, other: Points) -> bool:
        """Whether one affine map brings the points of this photo to those of another."""
        return max(self._strongest(other)._again(other._strongest(self)), default=0.0) >= _SHARE

    def _strongest(self, other: Points) -> Points:
        """As many as the other has: photos that were read before have fewer, of the same strongest."""
        some = slice(len(other.places))
        return Points(self.places[some], self.bits[some], self.turned[some])

    def _again(self, other: Points) -> Iterator[float]:
        """The share of the points in view that are there again, for each map that may bring them there."""
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
        """The map that most of the points that look alike agree on."""
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
        """Of the points in view, those that a map brings there, once it is made anew of all that look
        ``alike`` (2, n)."""
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
    """Where the points of a photo lie: ``places`` (n, 2) from left to right, from ``low`` to ``high``."""

    places: Array
    low: Array
    high: Array

    @classmethod
    def of(cls, points: Points) -> _View:
        places = points.places[np.argsort(points.places[:, 0])].astype(float)
        return cls(places, places.min(0) - _NEAR, places.max(0) + _NEAR)

    def seen(self, places: Array32, affine: Array) -> Array:
        """(m, 2) where a map brings the places that it brings into view."""
        moved = _moved(places, affine)
        return np.asarray(moved[((moved >= self.low) & (moved <= self.high)).all(1)])

    def near(self, moved: Array, pixels: float) -> Mask:
        """(m,) whether a point lies within so many pixels: those of the columns around are looked at."""
        found = np.zeros(len(moved), bool)
        first = np.searchsorted(self.places[:, 0], moved[:, 0] - pixels)
        after = np.searchsorted(self.places[:, 0], moved[:, 0] + pixels)
        for step in range(int((after - first).max(initial=0))):
            some = np.flatnonzero(first + step < after)
            away = self.places[first[some] + step] - moved[some]
            found[some] |= (away * away).sum(1) < pixels * pixels
        return found


def _squares(here: Array32, there: Array32, affine: Array) -> Array:
    """(n,) how far a map brings each place from another, as squares."""
    return np.asarray(((_moved(here, affine) - there) ** 2).sum(1))


def _moved(places: Array32, affine: Array) -> Array:
    """(n, 2) where a map brings places."""
    return np.asarray(places @ affine[:, :2].T + affine[:, 2])


def _affine(here: Array32, there: Array32) -> Array:
    """(2, 3) the affine map that brings places as near to others as any does."""
    import cv2

    places = np.column_stack([here, np.ones(len(here))])
    _, found = cv2.solve(places, there.astype(float), flags=cv2.DECOMP_NORMAL | cv2.DECOMP_SVD)
    return np.asarray(found.T)


def _apart(ones: NDArray[np.uint8], others: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(n, m) in how many bits each row of the ones (n, 16) differs from each of the others (m, 16)."""
    low, high = (
        np.bitwise_count(np.bitwise_xor.outer(ones.view("<u8")[:, at], others.view("<u8")[:, at]))
        for at in (0, 1)
    )
    return np.asarray(low + high, np.uint8)
