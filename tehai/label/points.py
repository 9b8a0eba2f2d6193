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
from vision.arrays import Array32, Mask, Pixels

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
        nearest, rows = apart.argmin(1), np.arange(len(apart))
        returned, least = apart.argmin(0)[nearest] == rows, apart[rows, nearest]
        apart[rows, nearest] = _BITS
        good = returned & (least < _RATIO * apart.min(1)) & (least < _FURTHEST * _BITS)
        mirrored = self.turned != other.turned[nearest]
        return any(
            self._holds(other, at, nearest[at], way)
            for way in (False, True)
            if len(at := np.flatnonzero(good & (mirrored == way))) >= _TRIED
        )

    def _holds(self, other: Points, at: NDArray[np.int64], there: NDArray[np.int64], mirrored: bool) -> bool:
        """Whether the map that most of the points that look alike agree on brings enough of all to others."""
        import cv2

        affine, fits = cv2.estimateAffine2D(
            self.places[at],
            other.places[there],
            ransacReprojThreshold=_FIT[-1],
            maxIters=300,
        )
        if affine is None or fits.sum() < _LEAST:
            return False
        for close in _FIT:
            seen, away = self._away(other, affine)
            again = away.min(1, initial=np.inf) < close * close
            if again.sum() < max(_LEAST, _HOPE * seen.sum()):
                return False
            here = np.column_stack([self.places[seen][again], np.ones(again.sum())])
            affine = np.asarray(np.linalg.lstsq(here, other.places[away[again].argmin(1)], rcond=None)[0].T)
        most, least = np.linalg.svd(affine[:, :2], compute_uv=False)
        alike = most < _STRETCHED and least * _STRETCHED > max(1.0, most)
        if not alike or (np.linalg.det(affine[:, :2]) < 0) != mirrored:
            return False
        seen, away = self._away(other, affine)
        again = away.min(1, initial=np.inf) < _NEAR * _NEAR
        return bool(seen.sum() >= _IN_VIEW and again.sum() >= _SHARE * seen.sum())

    def _away(self, other: Points, affine: NDArray[Any]) -> tuple[Mask, Array32]:
        """Which points a map brings into the other photo's view, and how far from each of its points, as
        squares: that is what most of the time of comparing goes into."""
        moved = np.asarray(self.places @ affine[:, :2].T + affine[:, 2], np.float32)
        low, high = other.places.min(0) - _NEAR, other.places.max(0) + _NEAR
        seen = np.asarray(((moved >= low) & (moved <= high)).all(1), bool)
        across, down = (np.subtract.outer(moved[seen, axis], other.places[:, axis]) for axis in (0, 1))
        across *= across
        down *= down
        across += down
        return seen, across


def _apart(ones: NDArray[np.uint8], others: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(n, m) in how many bits each row of the ones (n, 16) differs from each of the others (m, 16)."""
    low, high = (
        np.bitwise_count(np.bitwise_xor.outer(ones.view("<u8")[:, at], others.view("<u8")[:, at]))
        for at in (0, 1)
    )
    return np.asarray(low + high, np.uint8)
