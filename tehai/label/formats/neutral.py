"""The form between the journal and every format: photos with four-cornered tiles."""

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
"""The classes of an exported data set, in order; a tile that nobody could read has none."""

ONE_CLASS: Final = ("tile",)
"""The classes of a data set that asks where tiles lie and not what they are."""

MOSTLY: Final = 0.5
"""The share of a tile that must lie in its photo for its face to be learnt from."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile that lies somewhere. Raises ValueError for one that does not.

    ``quad``: pixels of the upright photo, clockwise from the face's own top left. ``label``: a class's name,
    of an imported data set as it stands there. ``score``: probability of the label, None where a person said
    it. ``visible``: the share of it that lies in the photo.
    """

    quad: Quad
    label: str
    score: float | None = None
    visible: float = 1.0

    @property
    def ignored(self) -> bool:
        """Whether it is there, and nobody should be asked what it is: unreadable, or mostly outside."""
        return self.label == UNREADABLE or self.visible < MOSTLY

    def area(self) -> float:
        """Square pixels."""
        return _area(self.quad)

    def __post_init__(self) -> None:
        numbers = [value for point in self.quad for value in point] + [self.score or 0.0, self.visible]
        if not all(map(math.isfinite, numbers)):
            raise ValueError("a corner or a score is no number")

    def box(self) -> tuple[float, float, float, float]:
        """The axis-aligned box around it: x0, y0, x1, y1."""
        xs, ys = zip(*self.quad, strict=True)
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True, slots=True)
class Picture:
    """A photo with its tiles. Raises ValueError for one without a name or a size.

    ``name``: path in the data set, with ``/``; of an imported one perhaps without its suffix. ``width``,
    ``height``: what the tiles' pixels are counted in (1 × 1 where a format keeps fractions). ``split``: the
    part of the data set that it belongs to. ``reviewed``: a person has looked at it; None where a format does
    not say. ``by``: whose labels they are, where it does.
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
        """A tile as far as it lies in the photo, None where nothing of it does."""
        return cut(tile, self.width, self.height)

    def clipped(self) -> Iterator[Tile]:
        """The tiles cut off at the photo's edge; those that lie beyond it are left out."""
        return (part for tile in self.tiles if (part := self.cut(tile)))


@dataclass(frozen=True, slots=True)
class Image:
    """A photo as every tool shows it, upright. ``file``: where the same ``data`` lies already, if it does."""

    data: bytes
    file: Readable | None


class Pictures(Protocol):
    """Photos that can be gone through more than once, one at a time in memory. ``classes``: what their tiles
    may be; :data:`~vision.labels.UNREADABLE` only where the format can say that a region is to be ignored.

    ``photos``: those of one split with their images, without any that is not what was labelled any more; from
    then on they are not among the others either.
    """

    @property
    def splits(self) -> Sequence[str]: ...

    @property
    def classes(self) -> Sequence[str]: ...

    def __iter__(self) -> Iterator[Picture]: ...

    def photos(self, split: str) -> Iterator[tuple[Picture, Image]]: ...


@dataclass(frozen=True, slots=True)
class Format:
    """One format. ``loses``: what it cannot hold, a sentence or nothing. ``images``: whether the photos go
    with it as files. ``cuts``: whether tiles end at the photo's edge. ``ignores``: whether it can say that a
    region is to be ignored; what that is goes with it. ``head``: the lines that its card begins with.
    ``needs``: raises ``Mistake`` where what writes it is not installed.

    ``predictions``: reads what a model said, where a file of labels holds that beside what people said.
    ``write``: labels into a folder that holds ``images/<split>/<name>`` already. ``read``: what such a
    folder, or the file of labels itself, says; raises ``Mistake``. None: there is no way back.
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
    """The part of a tile that lies in a photo of this size; None for less than a pixel of it.

    A side that leaves the photo ends where it meets the edge. A tile that then has another number of corners
    than four (a corner of the photo lies on it, or one of its own beyond) has its corners moved to the edge.
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
    """The part of a polygon on one side of a line (Sutherland and Hodgman 1974): coordinate ``axis`` at
    least (``sign`` 1) or at most (-1) ``limit``."""
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
    """The quad of an axis-aligned box, its top edge taken for the face's."""
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def corners_or(box: Quad, points: Sequence[Sequence[float]]) -> Quad:
    """The quad of four key points x, y, visibility; of three that are there a parallelogram, of fewer the
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
    """Four points, clockwise in the picture whatever way round they were given; of a polygon with more or
    fewer points the smallest box around it that may be turned. The first corner stays the first."""
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
