"""Image operations on arrays, with two backends: OpenCV, and numpy alone where OpenCV cannot be loaded.

:func:`backend` is the current one; :func:`using` selects another for a while.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import numpy as np

from vision import pixels_numpy
from vision.arrays import Array, Array32, Pixels


class Backend(Protocol):
    """The functions of a backend: those below of the same names, and their name."""

    @property
    def NAME(self) -> str: ...

    def use_threads(self, count: int) -> None: ...

    def decode_jpeg(self, data: bytes, factor: int) -> Pixels | None: ...

    def upright(self, pixels: Pixels, orientation: int) -> Pixels:
        """``orientation``: 2 to 8."""

    def grey(self, rgb: Pixels) -> Pixels: ...

    def shrink(self, pixels: Pixels, size: tuple[int, int]) -> Pixels: ...

    def shrink_by(self, pixels: Pixels, scale: float) -> Pixels:
        """:meth:`shrink` to the whole pixels of a scale below 1, of which the last are cut off."""

    def enlarge(self, pixels: Pixels, size: tuple[int, int]) -> Pixels: ...

    def homographies(self, quads: Array32, other: Array32) -> Array: ...

    def warp(
        self, rgb: Pixels, matrices: Array, size: tuple[int, int], border: tuple[int, int, int] | None
    ) -> Pixels: ...


def opencv() -> Backend:
    """The OpenCV backend. Raises ImportError if OpenCV cannot be loaded."""
    path = sys.path[:]
    try:
        from vision import pixels_opencv
    except ImportError:
        # OpenCV's loader leaves its folder on the path, which shadows typing, and a mark that it is loading.
        sys.path[:] = path
        vars(sys).pop("OpenCV_LOADER", None)
        raise
    return pixels_opencv


def backends() -> tuple[Backend, ...]:
    """The backends that can be loaded, the fastest first."""
    try:
        return opencv(), pixels_numpy
    except ImportError:
        return (pixels_numpy,)


_backend = backends()[0]


def backend() -> Backend:
    """The current backend."""
    return _backend


@contextmanager
def using(backend: Backend) -> Iterator[None]:
    """Selects a backend within the context, to compare them."""
    global _backend
    before, _backend = _backend, backend
    try:
        yield
    finally:
        _backend = before


def use_threads(count: int) -> None:
    """Limits the threads of every operation from now on."""
    _backend.use_threads(count)


def decode_jpeg(data: bytes, factor: int) -> Pixels | None:
    """The stored pixels of a JPEG as RGB, reduced by ``factor`` 1, 2, 4 or 8; None for a damaged one."""
    return _backend.decode_jpeg(data, factor)


def upright(pixels: Pixels, orientation: int) -> Pixels:
    """Stored pixels rotated upright by their EXIF orientation (EXIF 2.32, tag 0x0112)."""
    return _backend.upright(pixels, orientation) if orientation in range(2, 9) else pixels


def grey(rgb: Pixels) -> Pixels:
    """The lightness (h, w) of a picture."""
    return _backend.grey(rgb)


def from_grey(grey: Pixels) -> Pixels:
    """An RGB picture of lightness (h, w)."""
    return np.repeat(grey[..., None], 3, axis=2)


def shrink(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    """The picture at a smaller ``size`` (width, height) by area averaging. Exact halvings come first, as they
    are much faster."""
    height, width = pixels.shape[:2]
    while not (height % 2 or width % 2) and height >= 2 * size[1] and width >= 2 * size[0]:
        height, width = height // 2, width // 2
        pixels = _backend.shrink(pixels, (width, height))
    return pixels if (width, height) == size else _backend.shrink(pixels, size)


def enlarge(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    """The picture at a larger ``size`` (width, height) by bilinear interpolation."""
    return _backend.enlarge(pixels, size)


def pad(rgb: Pixels, bottom: int, right: int, colour: tuple[int, int, int]) -> Pixels:
    """The picture with ``bottom`` rows and ``right`` columns of a colour added."""
    height, width = rgb.shape[:2]
    padded = np.empty((height + bottom, width + right, 3), np.uint8)
    padded[:height, :width] = rgb
    padded[height:], padded[:height, width:] = colour, colour
    return padded


def homographies(quads: Array32, other: Array32) -> Array:
    """Homographies (n, 3, 3) from the corners of quads (n, 4, 2) to those of ``other`` (4, 2)."""
    return _backend.homographies(quads, other)


def warp(
    rgb: Pixels, matrices: Array, size: tuple[int, int], border: tuple[int, int, int] | None = None
) -> Pixels:
    """The picture warped by homographies (n, 3, 3) to ``size`` (width, height): (n, h, w, 3).

    ``border``: the colour outside the picture; without one its edge pixels repeat.
    """
    return _backend.warp(rgb, matrices, size, border)


def max_filter(heat: Array32) -> Array32:
    """(h, w): the maximum of each cell and its eight neighbours."""
    around = np.pad(heat, 1, constant_values=-np.inf)
    rows = np.maximum(np.maximum(around[:-2], around[1:-1]), around[2:])
    return np.maximum(np.maximum(rows[:, :-2], rows[:, 1:-1]), rows[:, 2:])


def sharpness(rgb: Pixels, longest: int | None = None) -> float:
    """Variance of the Laplacian of the lightness, with the longer side reduced to ``longest`` pixels."""
    light = grey(rgb)
    scale = longest / max(light.shape) if longest else 1.0
    if scale < 1:
        light = _backend.shrink_by(light, scale)
    around = np.pad(light.astype(np.float32), 1, mode="reflect")
    beside = around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:]
    return float((beside - 4 * around[1:-1, 1:-1]).var())
