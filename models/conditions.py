"""Image conditions under which the photographed hands are read again, such as less light or more blur.

Nine photos are too few to estimate how often a score is wrong without a doubt. Under each condition they show
the same hands, with the same expected outcome (``models/photographed.toml``). They are never trained on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Pixels

_SIDE = 1280
"""Longer side of a photo for which blur is given in pixels. It grows with the photo."""


def as_pixels(rgb: NDArray[Any]) -> Pixels:
    """Values clipped to bytes."""
    return np.ascontiguousarray(np.clip(rgb, 0, 255), np.uint8)


def turned(rgb: Pixels, degrees: float) -> Pixels:
    """Rotate clockwise. The whole photo stays in the picture; corners repeat it mirrored."""
    high, wide = rgb.shape[:2]
    matrix = cv2.getRotationMatrix2D((wide / 2, high / 2), -degrees, 1)
    cos, sin = abs(matrix[0, 0]), abs(matrix[0, 1])
    width, height = round(wide * cos + high * sin), round(wide * sin + high * cos)
    matrix[:, 2] += (width - wide) / 2, (height - high) / 2
    return as_pixels(cv2.warpAffine(rgb, matrix, (width, height), borderMode=cv2.BORDER_REFLECT))


def smaller(rgb: Pixels, times: float) -> Pixels:
    """Scale both sides by ``times``, which is below 1."""
    return as_pixels(cv2.resize(rgb, None, fx=times, fy=times, interpolation=cv2.INTER_AREA))


def lit(rgb: Pixels, gains: Sequence[float]) -> Pixels:
    """Multiply pixels by ``gains``: one number, or one each for red, green and blue."""
    return as_pixels(rgb * np.array(gains))


def grey(rgb: Pixels) -> Pixels:
    """Remove the colours."""
    return as_pixels(np.repeat(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)[..., None], 3, axis=2))


def blurred(rgb: Pixels, deviation: float) -> Pixels:
    """Blur as out of focus. ``deviation``: pixels of a photo with a longer side of 1280."""
    return as_pixels(cv2.GaussianBlur(rgb, (0, 0), deviation * max(rgb.shape) / _SIDE))


def shaken(rgb: Pixels, pixels: float) -> Pixels:
    """Blur as by a camera that moves sideways. ``pixels``: those of a photo with a longer side of 1280."""
    length = max(2, round(pixels * max(rgb.shape) / _SIDE))
    return as_pixels(cv2.blur(rgb, (length, 1)))


def noisy(rgb: Pixels, deviation: float) -> Pixels:
    """Add noise with this deviation, the same each time."""
    return as_pixels(rgb + np.random.default_rng(0).normal(0, deviation, rgb.shape))


def compressed(rgb: Pixels, quality: int) -> Pixels:
    """Compress as JPEG of this quality, and decode."""
    _, data = cv2.imencode(".jpg", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])
    back = cv2.imdecode(data, cv2.IMREAD_COLOR_RGB)
    assert back is not None
    return as_pixels(back)


def leaned(rgb: Pixels, share: float) -> Pixels:
    """Tilt the view: the upper side becomes narrower by ``share`` on either side."""
    high, wide = rgb.shape[:2]
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    seen = corners + np.array([[wide * share, 0], [-wide * share, 0], [0, 0], [0, 0]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, seen)
    return as_pixels(cv2.warpPerspective(rgb, matrix, (wide, high), borderMode=cv2.BORDER_REFLECT))


CONDITIONS: Mapping[str, Callable[[Pixels], Pixels]] = {
    "as it is": as_pixels,
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
"""Change of the pixels by name. None removes a tile of the hand."""
