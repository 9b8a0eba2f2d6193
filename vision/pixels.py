"""The picture operations that reading needs: the one module of reading that knows OpenCV.

Arrays in, arrays out, so that another module with these functions can stand in its place where OpenCV cannot
be had.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np

from vision.arrays import Array, Array32, Pixels

_REDUCED: Final = {
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}

_UPRIGHT: Final[dict[int, Callable[[Pixels], Any]]] = {
    2: lambda pixels: cv2.flip(pixels, 1),
    3: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_180),
    4: lambda pixels: cv2.flip(pixels, 0),
    5: cv2.transpose,
    6: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_90_CLOCKWISE),
    7: lambda pixels: cv2.rotate(cv2.transpose(pixels), cv2.ROTATE_180),
    8: lambda pixels: cv2.rotate(pixels, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
"""EXIF orientation to what turns the stored pixels upright (EXIF 2.32, tag 0x0112); 1 needs nothing."""


def decode_jpeg(data: bytes, factor: int) -> Pixels | None:
    """The stored pixels of a JPEG as RGB at 1, 1/2, 1/4 or 1/8 (``factor``) of its size; None for what is
    damaged."""
    flags = _REDUCED.get(factor, cv2.IMREAD_COLOR) | cv2.IMREAD_IGNORE_ORIENTATION
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    return None if decoded is None else np.asarray(cv2.cvtColor(decoded, cv2.COLOR_BGR2RGB), np.uint8)


def upright(pixels: Pixels, orientation: int) -> Pixels:
    """Stored pixels turned as their EXIF orientation (1 to 8) says."""
    turn = _UPRIGHT.get(orientation)
    return pixels if turn is None else np.asarray(turn(pixels), np.uint8)


def grey(rgb: Pixels) -> Pixels:
    """The lightness (h, w) of a picture."""
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), np.uint8)


def from_grey(grey: Pixels) -> Pixels:
    """A picture of (h, w) lightness."""
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB), np.uint8)


def shrink(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    """The picture at a smaller ``size`` (width, height), each pixel the mean of those that it stands for."""
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def enlarge(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    """The picture at a larger ``size`` (width, height), in between by straight lines."""
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def pad(rgb: Pixels, bottom: int, right: int, colour: tuple[int, int, int]) -> Pixels:
    """The picture with so many more rows and columns of a colour."""
    padded = cv2.copyMakeBorder(rgb, 0, bottom, 0, right, cv2.BORDER_CONSTANT, value=colour)
    return np.asarray(padded, np.uint8)


def homography(quad: Array32, other: Array32) -> Array:
    """The matrix (3, 3) that takes the corners (4, 2) of a quad to those of another one."""
    return np.asarray(cv2.getPerspectiveTransform(quad, other), np.float64)


def warp(
    rgb: Pixels, matrix: Array, size: tuple[int, int], beyond: tuple[int, int, int] | None = None
) -> Pixels:
    """The picture seen through a homography to ``size`` (width, height).

    ``beyond``: the colour outside it; without one the pixels of its edge go on.
    """
    border = cv2.BORDER_REPLICATE if beyond is None else cv2.BORDER_CONSTANT
    seen = cv2.warpPerspective(
        rgb, matrix, size, flags=cv2.INTER_LINEAR, borderMode=border, borderValue=beyond or 0
    )
    return np.asarray(seen, np.uint8)


def highest_about(heat: Array32) -> Array32:
    """(h, w): the highest value of each cell and its eight neighbours."""
    return np.asarray(cv2.dilate(heat, np.ones((3, 3), np.uint8)), np.float32)


def sharpness(rgb: Pixels, longest: int | None = None) -> float:
    """Variance of the Laplacian of a picture's lightness, made no longer than ``longest`` pixels."""
    light = grey(rgb)
    scale = longest / max(light.shape) if longest else 1.0
    if scale < 1:
        light = np.asarray(cv2.resize(light, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    return float(cv2.Laplacian(light, cv2.CV_32F).var())
