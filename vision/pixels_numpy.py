"""The operations of :mod:`vision.pixels` by numpy alone, for where OpenCV cannot be loaded: a browser, a
container without the libraries of a screen.

What OpenCV's documentation leaves open is done as OpenCV 5.0 does it, down to its rounding
(``modules/imgproc/src/resize.cpp``, ``color_rgb.simd.hpp``, ``warp_kernels.simd.hpp``). Every operation goes
through a picture strip by strip: little memory is taken beside it, and that little stays in the caches.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Array, Array32, Indices, Pixels
from vision.quads import cross

NAME: Final = "numpy"

_STRIP: Final = 1 << 14
"""Pixels that are worked on at once."""


def decode_jpeg(data: bytes, factor: int) -> Pixels | None:
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # its size has been checked
        try:
            with Image.open(io.BytesIO(data), formats=["JPEG"]) as image:
                image.draft("RGB", (image.width // factor, image.height // factor))
                return np.asarray(image.convert("RGB"), np.uint8)
        except (OSError, SyntaxError, ValueError):
            return None


_UPRIGHT: Final[dict[int, Callable[[NDArray[Any]], NDArray[Any]]]] = {
    2: np.fliplr,
    3: lambda pixels: np.rot90(pixels, 2),
    4: np.flipud,
    5: np.transpose,
    6: lambda pixels: np.rot90(pixels, -1),
    7: lambda pixels: np.rot90(pixels.T, 2),
    8: np.rot90,
}


def upright(pixels: Pixels, orientation: int) -> Pixels:
    whole = np.ascontiguousarray(pixels).view("V3")[..., 0]  # three bytes move at once
    turned = np.ascontiguousarray(_UPRIGHT[orientation](whole))
    return turned.view(np.uint8).reshape(*turned.shape, 3)


_GREY: Final = np.array([9798, 19235, 3735], np.uint32)
"""Red, green, blue: 0.299, 0.587, 0.114 of 2¹⁵."""


def grey(rgb: Pixels) -> Pixels:
    lightness = np.empty(rgb.shape[:2], np.uint8)
    for rows in _strips(*rgb.shape[:2]):
        red, green, blue = (rgb[rows, :, k] * _GREY[k] for k in range(3))
        lightness[rows] = (red + green + blue + (1 << 14)) >> 15
    return lightness


def shrink(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    (height, width), (columns, rows) = pixels.shape[:2], size
    return _shrunk(pixels, size, (width / columns, height / rows))


def shrink_by(pixels: Pixels, scale: float) -> Pixels:
    height, width = pixels.shape[:2]
    return _shrunk(pixels, (round(width * scale), round(height * scale)), (1 / scale, 1 / scale))


def _shrunk(pixels: Pixels, size: tuple[int, int], sides: tuple[float, float]) -> Pixels:
    """``sides``: how many pixels wide and high a pixel of the result is in the picture."""
    (height, width), (columns, rows) = pixels.shape[:2], size
    if (height, width) == (rows, columns):
        return pixels.copy()
    if sides == (2, 2) and 2 * rows <= height and 2 * columns <= width:
        return _halved(pixels[: 2 * rows, : 2 * columns])
    return _averaged(pixels, _cells(height, rows, sides[1]), _cells(width, columns, sides[0]))


def _halved(pixels: Pixels) -> Pixels:
    """The means of four, by whole numbers: the one factor where halves are rounded up."""
    halved = np.empty((len(pixels) // 2, pixels.shape[1] // 2, *pixels.shape[2:]), np.uint8)
    for rows in _strips(*halved.shape[:2]):
        lines = np.add(pixels[::2][rows], pixels[1::2][rows], dtype=np.uint16)
        halved[rows] = (lines[:, ::2] + lines[:, 1::2] + 2) >> 2
    return halved


_Taps = tuple[Indices, Array32]
"""The pixels of a line that count in each of its cells (taps, cells), and the share of each in it."""


def _cells(length: int, cells: int, side: float) -> _Taps:
    """Cells of ``side`` pixels: what lies in them counts by how far it does (``INTER_AREA``)."""
    low = np.arange(cells) * side
    high = np.minimum(low + side, length)
    at = np.floor(low + _TINY).astype(np.intp) + np.arange(math.ceil(side - _TINY) + 1)[:, None]
    inside = np.maximum(np.minimum(at + 1, high) - np.maximum(at, low), 0)
    used = (inside > _TINY).any(axis=1)
    shares = inside[used] / inside.sum(axis=0)
    return np.minimum(at[used], length - 1), shares.astype(np.float32)


_TINY: Final = 1e-9


def _averaged(pixels: Pixels, rows: _Taps, columns: _Taps) -> Pixels:
    """Rows first, as they lie together."""
    height, width = rows[0].shape[1], columns[0].shape[1]
    deep = pixels.reshape(*pixels.shape[:2], -1)
    averaged = np.empty((height, width, deep.shape[2]), np.uint8)
    for strip in _strips(height, deep.shape[1]):
        lines = np.zeros((len(averaged[strip]), *deep.shape[1:]), np.float32)
        for at, share in zip(*rows, strict=True):
            lines += np.multiply(deep[at[strip]], share[strip, None, None], dtype=np.float32)
        cells = np.zeros_like(averaged[strip], np.float32)
        for at, share in zip(*columns, strict=True):
            cells += lines.take(at, axis=1) * share[:, None]
        averaged[strip] = np.rint(cells)
    return averaged.reshape(height, width, *pixels.shape[2:])


def enlarge(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    """In whole numbers, as OpenCV: shares of 2¹¹, and four bits fewer between the columns and the rows."""
    (left, right), across = _neighbours(pixels.shape[1], size[0])
    (above, below), along = _neighbours(pixels.shape[0], size[1])
    lines = np.empty((pixels.shape[0], size[0], 3), np.int16)
    for strip in _strips(*lines.shape[:2]):
        some = pixels[strip].astype(np.int32)
        lines[strip] = (some[:, left] * across[0, :, None] + some[:, right] * across[1, :, None]) >> 4
    enlarged = np.empty((size[1], size[0], 3), np.uint8)
    for strip in _strips(*enlarged.shape[:2]):
        upper, lower = (
            lines[at[strip]] * share[strip, None, None] >> 16
            for at, share in zip((above, below), along, strict=True)
        )
        enlarged[strip] = (upper + lower + 2) >> 2
    return enlarged


def _neighbours(length: int, places: int) -> tuple[Indices, NDArray[np.int32]]:
    """The two pixels of a line (2, places) between whose middles each of so many places lies, and the share
    of each in 2¹¹ (``INTER_LINEAR``)."""
    at = ((np.arange(places) + 0.5) * (length / places) - 0.5).astype(np.float32).clip(0, length - 1)
    first = at.astype(np.intp)
    share = np.rint(np.stack([1 - (at - first), at - first]) * (1 << 11)).astype(np.int32)
    return np.stack([first, np.minimum(first + 1, length - 1)]), share


def homographies(quads: Array32, other: Array32) -> Array:
    matrices = _of_square(other.astype(np.float64)) @ _backwards(_of_square(quads.astype(np.float64)))
    with np.errstate(all="ignore"):
        return np.asarray(matrices / matrices[:, 2:, 2:])


def _of_square(quads: Array) -> Array:
    """The matrices (..., 3, 3) that take the corners of the unit square to those of quads (..., 4, 2).

    Heckbert, *Fundamentals of Texture Mapping and Image Warping*, 1989, 2.2.3.
    """
    a, b, c, d = (quads[..., k, :] for k in range(4))
    with np.errstate(all="ignore"):  # a quad without an area has none
        across, along, skew = b - c, d - c, a - b + c - d
        depths = np.stack([cross(skew, along), cross(across, skew)], -1) / cross(across, along)[..., None]
        columns = (b - a + depths[..., :1] * b, d - a + depths[..., 1:] * d, a)
    matrices = np.ones((*quads.shape[:-2], 3, 3))
    matrices[..., :2, :] = np.stack(columns, -1)
    matrices[..., 2, :2] = depths
    return matrices


def _backwards(matrices: Array) -> Array:
    """The other way through homographies (n, 3, 3): their adjugates, as no scale counts."""
    first, second, third = (matrices[..., k, :] for k in range(3))
    return np.stack([np.cross(second, third), np.cross(third, first), np.cross(first, second)], -1)


def warp(rgb: Pixels, matrices: Array, size: tuple[int, int], beyond: tuple[int, int, int] | None) -> Pixels:
    (width, height), edge = size, 0
    if beyond is not None:
        edge, picture = 1, rgb
        rgb = np.full((picture.shape[0] + 2, picture.shape[1] + 2, 3), beyond, np.uint8)
        rgb[1:-1, 1:-1] = picture
    back = _backwards(matrices)
    starts = (back[:, None, :, 1] * np.arange(height)[:, None] + back[:, None, :, 2]).reshape(-1, 3, 1)
    steps = np.repeat(back[:, :, :1], height, axis=0)
    seen = np.empty((len(starts), width, 3), np.uint8)
    for lines in _strips(*seen.shape[:2]):
        x, y, depth = (starts[lines] + steps[lines] * np.arange(width)).transpose(1, 0, 2)
        with np.errstate(all="ignore"):
            seen[lines] = np.rint(_between(rgb, x / depth + edge, y / depth + edge))
    return seen.reshape(-1, height, width, 3)


def _between(rgb: Pixels, x: Array, y: Array) -> Array32:
    """The colours (..., 3) of a picture at places (...) between the middles of its pixels; beyond them the
    edge's."""
    height, width = rgb.shape[:2]
    x, y = (np.fmin(np.fmax(at, 0), last) for at, last in ((x, width - 1), (y, height - 1)))
    left, above = x.astype(np.intp), y.astype(np.intp)
    right, below = np.minimum(left + 1, width - 1), np.minimum(above + 1, height - 1)
    across, along = ((at - at.astype(np.intp)).astype(np.float32)[..., None] for at in (x, y))
    pixels = rgb.reshape(-1, 3)

    def line(row: Indices) -> Array32:
        first: Array32
        second: Array32
        first, second = (pixels.take(row * width + at, axis=0).astype(np.float32) for at in (left, right))
        second -= first
        second *= across
        first += second
        return first

    upper, lower = line(above), line(below)
    lower -= upper
    lower *= along
    upper += lower
    return upper


def _strips(rows: int, width: int) -> Iterator[slice]:
    """The rows of a picture, some at a time."""
    some = max(1, _STRIP // max(1, width))
    return (slice(at, at + some) for at in range(0, rows, some))
