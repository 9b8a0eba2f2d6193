"""The form between the journal and every format: photos with four-cornered tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from vision.labels import BACK, FACES
from vision.reading import Quad, quad_of

CLASSES: tuple[str, ...] = (*FACES, BACK)
"""The classes of an exported data set, in order; a tile that nobody could read has none."""


@dataclass(frozen=True, slots=True)
class Tile:
    """``quad``: pixels of the upright photo, clockwise from the face's own top left. ``label``: a class's
    name, of an imported data set as it stands there. ``score``: probability of the label, None where a
    person said it."""

    quad: Quad
    label: str
    score: float | None = None

    def box(self) -> tuple[float, float, float, float]:
        """The axis-aligned box around it: x0, y0, x1, y1."""
        xs, ys = zip(*self.quad, strict=True)
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True, slots=True)
class Picture:
    """A photo with its tiles.

    ``name``: path in the data set, with ``/``; of an imported one perhaps without its suffix. ``width``,
    ``height``: what the tiles' pixels are counted in (1 × 1 where a format keeps fractions). ``split``: the
    part of the data set that it belongs to. ``reviewed``: a person has looked at it. ``source``: the
    photo's file.
    """

    name: str
    width: float
    height: float
    tiles: tuple[Tile, ...]
    split: str = "train"
    reviewed: bool = False
    source: Path | None = None


class Pictures(Protocol):
    """Photos that can be gone through more than once, one at a time in memory."""

    @property
    def splits(self) -> Sequence[str]: ...

    def __iter__(self) -> Iterator[Picture]: ...


@dataclass(frozen=True, slots=True)
class Format:
    """One format. ``loses``: what it cannot hold, a sentence or nothing. ``images``: whether the photos go
    with it.

    ``write``: labels into a folder that holds ``images/<split>/<name>`` already. ``read``: what such a
    folder, or the file of labels itself, says; raises ``Mistake``. None: there is no way back.
    """

    words: str
    loses: str
    write: Callable[[Path, Pictures], None]
    read: Callable[[Path], Iterable[Picture]] | None
    images: bool = True


def upright_quad(x0: float, y0: float, x1: float, y1: float) -> Quad:
    """The quad of an axis-aligned box, its top edge taken for the face's."""
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def as_quad(points: Sequence[Sequence[float]]) -> Quad:
    """Four points, clockwise in the picture whatever way round they were given; of a polygon with more or
    fewer points the smallest box around it that may be turned. The first corner stays the first."""
    import cv2
    import numpy as np

    from vision.quads import areas

    corners = np.array(points, np.float64)
    if len(corners) != 4:
        corners = np.asarray(cv2.boxPoints(cv2.minAreaRect(corners.astype(np.float32))), np.float64)
    if areas(corners) < 0:
        corners = corners[[0, 3, 2, 1]]
    return quad_of(corners)
