"""The OpenCV backend of :mod:`vision.pixels`: the one module that imports it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np

from vision.arrays import Array, Array32, Pixels

NAME: Final = "OpenCV"

_REDUCED: Final = {
    2: cv2.IMREAD_REDUCED_GRAYSCALE_2,
    4: cv2.IMREAD_REDUCED_GRAYSCALE_4,
    8: cv2.IMREAD_REDUCED_GRAYSCALE_8,
}
"""Flags of the size alone: those in colour decode to BGR, and converting takes as much memory again."""

_UPRIGHT: Final[dict[int, Callable[[Pixels], Any]]] = {
    2: lambda pixels: cv2.flip(pixels, 1),
    3: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_180),
    4: lambda pixels: cv2.flip(pixels, 0),
    5: cv2.transpose,
    6: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_90_CLOCKWISE),
    7: lambda pixels: cv2.rotate(cv2.transpose(pixels), cv2.ROTATE_180),
    8: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_90_COUNTERCLOCKWISE),
}


def use_threads(count: int) -> None:
    cv2.setNumThreads(count)


def decode_jpeg(data: bytes, factor: int) -> Pixels | None:
    flags = _REDUCED.get(factor, 0) | cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    return None if decoded is None else np.asarray(decoded, np.uint8)


def upright(pixels: Pixels, orientation: int) -> Pixels:
    return np.asarray(_UPRIGHT[orientation](pixels), np.uint8)


def grey(rgb: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), np.uint8)


def shrink(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def shrink_by(pixels: Pixels, scale: float) -> Pixels:
    return np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def enlarge(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def homographies(quads: Array32, other: Array32) -> Array:
    matrices = [cv2.getPerspectiveTransform(quad, other) for quad in quads]
    return np.asarray(matrices, np.float64).reshape(-1, 3, 3)


def warp(rgb: Pixels, matrices: Array, size: tuple[int, int], border: tuple[int, int, int] | None) -> Pixels:
    warped = np.empty((len(matrices), size[1], size[0], 3), np.uint8)
    mode = cv2.BORDER_REPLICATE if border is None else cv2.BORDER_CONSTANT
    for one, matrix in zip(warped, matrices, strict=True):
        cv2.warpPerspective(
            rgb, matrix, size, one, flags=cv2.INTER_LINEAR, borderMode=mode, borderValue=border or 0
        )
    return warped
