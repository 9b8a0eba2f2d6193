"""The numpy backend of :mod:`vision.pixels`, for a browser, or a container without OpenCV's libraries.

It rounds as OpenCV 5.0 does (``modules/imgproc/src/resize.cpp``, ``color_rgb.simd.hpp``,
``warp_kernels.simd.hpp``). Every operation works strip by strip, to take little memory and stay in the cache.
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

NAME: Final = "numpy alone"

_STRIP: Final = 1 << 14
"""Pixels of a strip."""


def use_threads(count: int) -> None:
    """numpy has one thread here."""


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
    whole = np.ascontiguousarray(pixels).view("V3")[..., 0]  # moves the three bytes of a pixel together
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
    """``sides``: width and height, in pixels of the picture, of a pixel of the result."""
    (height, width), (columns, rows) = pixels.shape[:2], size
    if (height, width) == (rows, columns):
        return pixels.copy()
    if sides == (2, 2) and 2 * rows <= height and 2 * columns <= width:
        return _halved(pixels[: 2 * rows, : 2 * columns])
    return _averaged(pixels, _cells(height, rows, sides[1]), _cells(width, columns, sides[0]))


def _halved(pixels: Pixels) -> Pixels:
    """The means of four pixels in whole numbers: the one factor at which halves round up."""
    halved = np.empty((len(pixels) // 2, pixels.shape[1] // 2, *pixels.shape[2:]), np.uint8)
    for rows in _strips(*halved.shape[:2]):
        lines = np.add(pixels[::2][rows], pixels[1::2][rows], dtype=np.uint16)
        halved[rows] = (lines[:, ::2] + lines[:, 1::2] + 2) >> 2
    return halved


_Taps = tuple[Indices, Array32]
"""For each cell of a line, the indices of its pixels (taps, cells) and their weights."""


def _cells(length: int, cells: int, side: float) -> _Taps:
    """The taps of cells of ``side`` pixels, weighted by their overlap (``INTER_AREA``)."""
    low = np.arange(cells) * side
    high = np.minimum(low + side, length)
    at = np.floor(low).astype(np.intp) + np.arange(math.ceil(side) + 1)[:, None]
    inside = np.minimum(at + 1, high) - np.maximum(at, low)
    counts = inside > _MIN_OVERLAP
    shares = np.where(counts, inside / (high - low), 0).astype(np.float32)
    some = counts.any(axis=1)
    return np.minimum(at[some], length - 1), shares[some]


_MIN_OVERLAP: Final = 1e-3
"""Overlap in pixels below which OpenCV drops a tap."""


def _averaged(pixels: Pixels, rows: _Taps, columns: _Taps) -> Pixels:
    """Area averages, rows first, as they are contiguous. OpenCV takes columns first, which matters only if a
    mean is nearly half-way between two numbers: those are computed again."""
    height, width = rows[0].shape[1], columns[0].shape[1]
    deep = pixels.reshape(*pixels.shape[:2], -1)
    averaged = np.empty((height, width, deep.shape[2]), np.uint8)
    halfway = np.empty(averaged.shape, np.bool_)
    for strip in _strips(height, deep.shape[1]):
        lines = np.zeros((len(averaged[strip]), *deep.shape[1:]), np.float32)
        for at, share in zip(*rows, strict=True):
            lines += np.multiply(deep[at[strip]], share[strip, None, None], dtype=np.float32)
        cells = np.zeros_like(averaged[strip], np.float32)
        for at, share in zip(*columns, strict=True):
            cells += lines.take(at, axis=1) * share[:, None]
        averaged[strip] = whole = np.rint(cells)
        halfway[strip] = np.abs(cells - whole) > 0.5 - _HALFWAY
    half = np.nonzero(halfway)
    averaged[half] = np.rint(_columns_first(deep, rows, columns, half))
    return averaged.reshape(height, width, *pixels.shape[2:])


_HALFWAY: Final = 1e-3
"""Distance from half-way within which the order of summation may matter."""


def _columns_first(deep: Pixels, rows: _Taps, columns: _Taps, cells: tuple[Indices, ...]) -> Array32:
    """The means of some cells, columns first, as OpenCV sums them."""
    y, x, channel = cells
    means = np.zeros(len(y), np.float32)
    for at, share in zip(*rows, strict=True):
        line = np.zeros_like(means)
        for across, part in zip(*columns, strict=True):
            line += deep[at[y], across[x], channel] * part[x]
        means += line * share[y]
    return means


def enlarge(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    """In whole numbers, as OpenCV: weights of 2¹¹, and four bits fewer between columns and rows."""
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
    """The two neighbours (2, places) of each place on a line, and their weights in 2¹¹ (``INTER_LINEAR``)."""
    at = ((np.arange(places) + 0.5) * (length / places) - 0.5).astype(np.float32)
    first = np.floor(at)
    share = np.rint(np.stack([1 - (at - first), at - first]) * (1 << 11)).astype(np.int32)
    return np.stack([first, first + 1]).clip(0, length - 1).astype(np.intp), share


def homographies(quads: Array32, other: Array32) -> Array:
    """Solves for eight numbers; the ninth is 1 (``getPerspectiveTransform``)."""
    known = np.zeros((len(quads), 8, 8))
    for k, four in ((0, slice(0, 4)), (1, slice(4, 8))):
        known[:, four, 3 * k : 3 * k + 2] = quads
        known[:, four, 3 * k + 2] = 1
        known[:, four, 6:] = -quads * other[:, k, None]  # in 32 bits, as OpenCV
    wanted = other.T.reshape(8, 1).astype(np.float64)
    try:
        found = np.linalg.solve(known, np.broadcast_to(wanted, (len(quads), 8, 1)))
    except np.linalg.LinAlgError:  # a quad without area
        found = np.linalg.pinv(known) @ wanted
    return np.concatenate([found[..., 0], np.ones((len(quads), 1))], -1).reshape(-1, 3, 3)


def warp(rgb: Pixels, matrices: Array, size: tuple[int, int], border: tuple[int, int, int] | None) -> Pixels:
    """With the precision of OpenCV: rounds to 32 bits where OpenCV computes in them."""
    (width, height), edge = size, 0
    if border is not None:
        edge, picture = 1, rgb
        rgb = np.full((picture.shape[0] + 2, picture.shape[1] + 2, 3), border, np.uint8)
        rgb[1:-1, 1:-1] = picture
    back = np.repeat(_inverted(matrices).astype(np.float32), height, axis=0)
    down = np.tile(np.arange(height, dtype=np.float32), len(matrices))
    step, slant, start = back[..., :1], back[..., 1:2] * down[:, None, None], back[..., 2:]
    warped = np.empty((len(down), width, 3), np.uint8)
    alone = width // _REGISTER * _REGISTER
    for lines in _strips(*warped.shape[:2]):
        across = step[lines].astype(np.float64) * np.arange(width)
        along = (across + (slant[lines] + start[lines])).astype(np.float32)
        along[..., alone:] = (across[..., alone:] + slant[lines]).astype(np.float32) + start[lines]
        x, y, depth = along.transpose(1, 0, 2)
        with np.errstate(all="ignore"):
            warped[lines] = np.rint(_bilinear(rgb, x / depth, y / depth, edge))
    return warped.reshape(-1, height, width, 3)


_REGISTER: Final = 16
"""Columns that OpenCV computes at once on most computers; it adds the remaining ones in another order."""


def _inverted(matrices: Array) -> Array:
    """The inverses of homographies (n, 3, 3); zeros for a singular one."""
    first, second, third = (matrices[..., k, :] for k in range(3))
    columns = np.stack([np.cross(second, third), np.cross(third, first), np.cross(first, second)], -1)
    area = (first * columns[..., 0]).sum(-1)[..., None, None]
    with np.errstate(all="ignore"):
        return np.where(area == 0, 0, columns * (1 / area))


def _bilinear(rgb: Pixels, x: Array32, y: Array32, edge: int) -> Array32:
    """Bilinear samples (..., 3) of a picture at places (...). Its first ``edge`` pixels lie before 0; outside
    the picture the edge repeats."""
    height, width = rgb.shape[:2]
    last = np.float32(width - 1 - edge), np.float32(height - 1 - edge)
    x, y = (np.fmin(np.fmax(at, np.float32(-edge)), most) for at, most in zip((x, y), last, strict=True))
    left, top = np.floor(x), np.floor(y)
    across, along = ((at - low).astype(np.float64)[..., None] for at, low in ((x, left), (y, top)))
    columns, rows = ((low + edge).astype(np.intp) for low in (left, top))
    beside = np.minimum(columns + 1, width - 1)
    pixels = rgb.reshape(-1, 3)

    def line(row: Indices) -> Array32:
        first, second = (pixels.take(row * width + at, axis=0) for at in (columns, beside))
        return _interpolate(first, np.subtract(second, first, dtype=np.int16), across)

    above, below = line(rows), line(np.minimum(rows + 1, height - 1))
    return _interpolate(above, below - above, along)


def _interpolate(first: NDArray[Any], difference: NDArray[Any], share: Array) -> Array32:
    """Linear interpolation, rounded once, as a fused multiply-add in 32 bits."""
    blended = difference * share
    blended += first
    return blended.astype(np.float32)


def _strips(rows: int, width: int) -> Iterator[slice]:
    """The rows of a picture, strip by strip."""
    some = max(1, _STRIP // max(1, width))
    return (slice(at, at + some) for at in range(0, rows, some))
