"""The points of a photo that stand out, by which it is known again turned, mirrored, sheared, cropped or lit
up, whatever it shows and however little of it is a tile.

SIFT (Lowe 2004) finds and describes them. A point is kept as where it lies and as 128 bits, on which side of
as many planes its description lies; so that mirroring changes none of them, every description is taken in
that one of its two forms whose first half is the fuller.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision import pixels
from vision.arrays import Array, Array32, Mask, Pixels

_SIDE: Final = 640
"""Pixels of the photo's longer side in which points are looked for and counted."""

_MOST: Final = 200
"""Points of a photo, the strongest."""

_FAINT: Final = 0.02
"""Contrast below which SIFT takes nothing for a point: the grain of a table is one."""

_BITS: Final = 128
_WIDTH: Final = 128
"""Numbers of a description: four rows of four fields of eight directions."""

_RATIO: Final = 0.9
_FURTHEST: Final = 0.3
"""Bits in which a point differs at most from the one that is most alike: as a share of those in which it does
from the second one, and of all."""

_TRIED: Final = 10
"""Points that look alike, without which no map is looked for: copies that hold have 13 and more."""

_LEAST: Final = 5
"""Points that look alike and that one map brings to each other: what a map is made of at first."""

_FIT: Final = (6.0, 4.0, 3.0)
"""Pixels within which a point is taken for one of the other photo, while the map is made anew of them all."""

_HOPE: Final = 0.25
"""Share of the points in view below which no map becomes a good one."""

_NEAR: Final = 2.5
_SHARE: Final = 0.5
_IN_VIEW: Final = 40
"""Pixels by which a point may lie elsewhere in the end; and share, of the points in the other photo's view,
so many at least, that must be there again (measured: ``docs/labels.md``)."""

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
        if min(len(self.places), len(other.places)) < _IN_VIEW:
            return False
        apart = _apart(self.bits, other.bits)
        least = apart.min(1)
        rows = np.flatnonzero(least < _FURTHEST * _BITS)
        some = apart[rows]
        nearest = some.argmin(1)
        returned = apart[:, nearest].argmin(0) == rows
        some[np.arange(len(rows)), nearest] = _BITS
        good = returned & (least[rows] < _RATIO * some.min(1))
        mirrored = self.turned[rows] != other.turned[nearest]
        return any(
            self._holds(other, rows[at], nearest[at], way)
            for way in (False, True)
            if len(at := np.flatnonzero(good & (mirrored == way))) >= _TRIED
        )

    def _holds(self, other: Points, at: NDArray[np.int64], there: NDArray[np.int64], mirrored: bool) -> bool:
        """Whether the map that most of the points that look alike agree on brings enough of all to others."""
        import cv2

        affine, fits = cv2.estimateAffine2D(
            self.places[at], other.places[there], ransacReprojThreshold=_FIT[-1], maxIters=300, refineIters=0
        )
        if affine is None or fits.sum() < _LEAST:
            return False
        view, some = _View.of(other), np.flatnonzero(fits)
        affine = _affine(self.places[at[some]], other.places[there[some]])
        for close in _FIT:
            seen, away, nearest = view.away(self.places, affine)
            again = away < close * close
            if again.sum() < max(_LEAST, _HOPE * len(seen)):
                return False
            affine = _affine(self.places[seen[again]], other.places[nearest[again]])
        most, least = np.linalg.svd(affine[:, :2], compute_uv=False)
        alike = most < _STRETCHED and least * _STRETCHED > max(1.0, most)
        if not alike or (np.linalg.det(affine[:, :2]) < 0) != mirrored:
            return False
        seen, away, _ = view.away(self.places, affine)
        again = away < _NEAR * _NEAR
        return bool(len(seen) >= _IN_VIEW and again.sum() >= _SHARE * len(seen))


@dataclass(frozen=True, slots=True)
class _View:
    """Where the points of a photo lie: from ``low`` to ``high``, and as what (4, n) makes squares of how far
    others lie from them of one product: that is what most of the time of comparing goes into."""

    low: Array
    high: Array
    squares: Array

    @classmethod
    def of(cls, points: Points) -> _View:
        places = points.places.astype(float)
        squares = np.vstack([-2 * places.T, np.ones(len(places)), (places * places).sum(1)])
        return cls(places.min(0) - _NEAR, places.max(0) + _NEAR, squares)

    def away(self, places: Array32, affine: Array) -> tuple[NDArray[np.int64], Array, NDArray[np.int64]]:
        """Which places a map brings into view; how far from the nearest points, as squares, and which those
        are."""
        moved = places @ affine[:, :2].T + affine[:, 2]
        seen = np.flatnonzero(((moved >= self.low) & (moved <= self.high)).all(1))
        moved = moved[seen]
        away = np.column_stack([moved, (moved * moved).sum(1), np.ones(len(seen))]) @ self.squares
        nearest = away.argmin(1)
        return seen, away[np.arange(len(seen)), nearest], nearest


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
