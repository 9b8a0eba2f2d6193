"""The photographed hands taken otherwise: what is done to a photo.

Nine photos tell little of how seldom a score is wrong without a word. Turned, smaller, darker, in other
light, blurred, noisy or more compressed they are as many other ones, of the same hands and with the same
outcomes (``models/photographed.toml``). Like the photos they are for measuring only (:mod:`models.measure`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

_SIDE = 1280
"""Pixels of the longer side at which blur is told: of a larger photo as much more."""


def _kept(rgb: NDArray[Any]) -> Pixels:
    return np.ascontiguousarray(np.clip(rgb, 0, 255), np.uint8)


def turned(rgb: Pixels, degrees: float) -> Pixels:
    """Turned clockwise, all of it kept, beyond its edges mirrored."""
    high, wide = rgb.shape[:2]
    matrix = cv2.getRotationMatrix2D((wide / 2, high / 2), -degrees, 1)
    cos, sin = abs(matrix[0, 0]), abs(matrix[0, 1])
    width, height = round(wide * cos + high * sin), round(wide * sin + high * cos)
    matrix[:, 2] += (width - wide) / 2, (height - high) / 2
    return _kept(cv2.warpAffine(rgb, matrix, (width, height), borderMode=cv2.BORDER_REFLECT))


def smaller(rgb: Pixels, times: float) -> Pixels:
    """With sides so many times as long, below 1."""
    return _kept(cv2.resize(rgb, None, fx=times, fy=times, interpolation=cv2.INTER_AREA))


def lit(rgb: Pixels, gains: Sequence[float]) -> Pixels:
    """In light that is so much brighter, of red, green and blue alike or each."""
    return _kept(rgb * np.array(gains))


def grey(rgb: Pixels) -> Pixels:
    """Without colours."""
    return _kept(np.repeat(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)[..., None], 3, axis=2))


def blurred(rgb: Pixels, deviation: float) -> Pixels:
    """Out of focus, by so many pixels of a photo of 1280."""
    return _kept(cv2.GaussianBlur(rgb, (0, 0), deviation * max(rgb.shape) / _SIDE))


def shaken(rgb: Pixels, pixels: float) -> Pixels:
    """Moved to the right while it was taken, by so many pixels of a photo of 1280."""
    length = max(2, round(pixels * max(rgb.shape) / _SIDE))
    return _kept(cv2.blur(rgb, (length, 1)))


def noisy(rgb: Pixels, deviation: float) -> Pixels:
    """With noise."""
    return _kept(rgb + np.random.default_rng(0).normal(0, deviation, rgb.shape))


def compressed(rgb: Pixels, quality: int) -> Pixels:
    """As a JPEG of so little quality."""
    _, data = cv2.imencode(".jpg", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])
    back = cv2.imdecode(data, cv2.IMREAD_COLOR_RGB)
    assert back is not None
    return _kept(back)


def leaned(rgb: Pixels, share: float) -> Pixels:
    """From farther below: the far side narrower by this share on either side."""
    high, wide = rgb.shape[:2]
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    seen = corners + np.array([[wide * share, 0], [-wide * share, 0], [0, 0], [0, 0]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, seen)
    return _kept(cv2.warpPerspective(rgb, matrix, (wide, high), borderMode=cv2.BORDER_REFLECT))


CONDITIONS: Mapping[str, Callable[[Pixels], Pixels]] = {
    "as it is": _kept,
    **{f"turned by {degrees}°": partial(turned, degrees=degrees) for degrees in (90, 180, 270, 5, -12, 45)},
    **{f"{share:.0%} of its sides": partial(smaller, times=share) for share in (0.7, 0.5, 0.35)},
    **{f"light of {gain:.0%}": partial(lit, gains=(gain,)) for gain in (0.25, 0.5, 1.4)},
    "warm light": partial(lit, gains=(1.15, 1.0, 0.65)),
    "cold light": partial(lit, gains=(0.75, 0.95, 1.15)),
    "grey": grey,
    **{f"blurred by {pixels}": partial(blurred, deviation=pixels) for pixels in (1, 2)},
    "shaken by 5": partial(shaken, pixels=5),
    "noise of 12": partial(noisy, deviation=12),
    **{f"JPEG of {quality}": partial(compressed, quality=quality) for quality in (30, 12)},
    "from farther below": partial(leaned, share=0.12),
}  # fmt: skip
"""What is done to each photo, by name. Nothing of it takes a tile of the hand away, or a player could not get
the same."""
