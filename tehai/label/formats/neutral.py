"""The common form of all formats: photos with four-cornered tiles."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

from tehai.label.files import Readable
from vision.labels import BACK, FACES, UNREADABLE
from vision.reading import Point, Quad, quad_of

CLASSES: tuple[str, ...] = (*FACES, BACK)
"""The classes of an exported data set, in order. An unreadable tile has none."""

ONE_CLASS: Final = ("tile",)
"""The classes of a data set for detection alone."""

MOSTLY: Final = 0.5
"""The share of a tile that must be inside its photo for its face to be learned."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile with a place. Raises ValueError for a quad without an area.

    ``quad``: pixels of the upright photo, clockwise from the face's own top left. ``label``: a class, or the
    name in an imported data set. ``score``: the probability of the label, None for a person's. ``visible``:
    the share inside the photo.
    """

    quad: Quad
    label: str
    score: float | None = None
    visible: float = 1.0

    @property
    def ignored(self) -> bool:
        """Whether the tile is no training example: it is unreadable, or mostly outside."""
        return self.label == UNREADABLE or self.visible < MOSTLY

    def area(self) -> float:
        """The area in square pixels."""
        return _area(self.quad)

    def __post_init__(self) -> None:
        numbers = [value for point in self.quad for value in point] + [self.score or 0.0, self.visible]
        if not all(map(math.isfinite, numbers)):
            raise ValueError("a corner or a score is no number")

    def box(self) -> tuple[float, float, float, float]:
        """The axis-aligned bounding box: x0, y0, x1, y1."""
        xs, ys = zip(*self.quad, strict=True)
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True, slots=True)
class Picture:
    """A photo with its tiles. Raises ValueError for one without a name or a size.

    ``name``: path in the data set, with ``/``; an imported one may lack its suffix. ``width``, ``height``:
    the units of the quads (1 × 1 for fractions). ``split``: its part of the data set. ``reviewed``: whether a
    person has checked it; None if the format does not say. ``by``: the name of the person, if given.
    """

    name: str
    width: float
    height: float
    tiles: tuple[Tile, ...]
    split: str = "train"
    reviewed: bool | None = False
    by: str = ""

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("the photo has no name")
        if not (0 < self.width < math.inf and 0 < self.height < math.inf):
            raise ValueError(f"the photo has no size: {self.width} x {self.height}")

    def cut(self, tile: Tile) -> Tile | None:
        """The part of a tile inside the photo; None without one."""
        return cut(tile, self.width, self.height)

    def clipped(self) -> Iterator[Tile]:
        """The tiles, clipped to the photo. Those outside are left out."""
        return (part for tile in self.tiles if (part := self.cut(tile)))


@dataclass(frozen=True, slots=True)
class Image:
    """An upright photo, as every tool shows it. ``file``: a file with the same ``data``, if there is one."""

    data: bytes
    file: Readable | None


class Pictures(Protocol):
    """Photos that can be iterated more than once, one at a time in memory.

    ``classes``: the possible labels, with :data:`~vision.labels.UNREADABLE` only if the format can mark a
    region to ignore. ``photos``: those of one split with their images. A photo that changed since it was
    labelled is left out, from then on everywhere.
    """

    @property
    def splits(self) -> Sequence[str]: ...

    @property
    def classes(self) -> Sequence[str]: ...

    def __iter__(self) -> Iterator[Picture]: ...

    def photos(self, split: str) -> Iterator[tuple[Picture, Image]]: ...


@dataclass(frozen=True, slots=True)
class Format:
    """A format.

    ``loses``: a sentence about what it cannot hold, or empty. ``images``: whether photos are exported as
    files. ``cuts``: whether tiles are clipped to the photo. ``ignores``: whether it can mark a region to
    ignore. ``head``: the first lines of its card. ``needs``: raises ``Mistake`` if a required library is
    missing.

    ``write``: writes labels into a folder that already has ``images/<split>/<name>``. ``read``: reads such a
    folder or a file of labels; raises ``Mistake``; None if the format cannot be imported. ``predictions``:
    reads predictions of a model from a file that has them beside people's labels.
    """

    words: str
    loses: str
    write: Callable[[Path, Pictures], None]
    read: Callable[[Path], Iterable[Picture]] | None
    images: bool = True
    cuts: bool = True
    ignores: bool = False
    head: Callable[[Pictures, str], str] | None = None
    needs: Callable[[], object] | None = None
    predictions: Callable[[Path], Iterable[Picture]] | None = None


def cut(tile: Tile, width: float, height: float) -> Tile | None:
    """The part of a tile inside a photo of this size; None for less than a pixel.

    A side that leaves the photo ends at the edge. If the part has not four corners, because the photo's
    corner or a tile's corner is outside, the corners are moved to the edge instead.
    """
    if all(0 <= x <= width and 0 <= y <= height for x, y in tile.quad):
        return tile
    points = list(tile.quad)
    for axis, limit, sign in ((0, 0.0, 1), (0, width, -1), (1, 0.0, 1), (1, height, -1)):
        points = _half(points, axis, limit, sign)
    whole, part = _area(tile.quad), _area(points)
    if not whole or part < 1:
        return None
    clamped = [(min(max(x, 0.0), width), min(max(y, 0.0), height)) for x, y in tile.quad]
    corners = points if len(points) == 4 else clamped
    first = min(
        range(4), key=lambda at: abs(corners[at][0] - clamped[0][0]) + abs(corners[at][1] - clamped[0][1])
    )
    return replace(tile, quad=quad_of(corners[first:] + corners[:first]), visible=round(part / whole, 4))


def _half(points: Sequence[Point], axis: int, limit: float, sign: int) -> list[Point]:
    """The part of a polygon on one side of a line (Sutherland and Hodgman 1974).

    It keeps points whose coordinate ``axis`` is at least ``limit`` (``sign`` 1) or at most ``limit``
    (``sign`` -1).
    """
    found: list[Point] = []
    for one, other in zip(points, [*points[1:], *points[:1]], strict=True):
        here, there = (sign * (point[axis] - limit) for point in (one, other))
        if here >= 0:
            found.append(one)
        if here * there < 0:
            share = here / (here - there)
            found.append((one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])))
    return found


def _area(points: Sequence[Point]) -> float:
    following = [*points[1:], *points[:1]]
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, following, strict=True))) / 2


def upright_quad(x0: float, y0: float, x1: float, y1: float) -> Quad:
    """The quad of an axis-aligned box; the face's top edge is at the top."""
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def corners_or(box: Quad, points: Sequence[Sequence[float]]) -> Quad:
    """The quad of four key points (x, y, visibility). Three visible ones give a parallelogram; fewer give the
    box."""
    there = [(x, y) if seen else None for x, y, seen in points]
    missing = [at for at, point in enumerate(there) if point is None]
    if len(missing) > 1:
        return box
    for at in missing:
        before, opposite, after = (there[(at + step) % 4] or (0.0, 0.0) for step in (1, 2, 3))
        there[at] = before[0] + after[0] - opposite[0], before[1] + after[1] - opposite[1]
    return quad_of(point for point in there if point)


def as_quad(points: Sequence[Sequence[float]]) -> Quad:
    """A quad of four points in any direction, turned clockwise; the first corner stays the first.

    Of a polygon with more or fewer points, the smallest rotated box around it.
    """
    import cv2
    import numpy as np

    from vision.quads import areas

    corners = np.array(points, np.float64)
    if corners.ndim != 2 or corners.shape[1] != 2 or len(corners) < 3 or not np.isfinite(corners).all():
        raise ValueError("a tile needs corners x, y, at least three")
    if len(corners) != 4:
        corners = np.asarray(cv2.boxPoints(cv2.minAreaRect(corners.astype(np.float32))), np.float64)
    if areas(corners) < 0:
        corners = corners[[0, 3, 2, 1]]
    return quad_of(corners)
