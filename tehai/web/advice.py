"""Advice for the person who holds the camera, from one frame and its reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Array32, Pixels
from vision.faces import CropShape, cut
from vision.image import Photo
from vision.pixels import sharpness
from vision.quads import lengths
from vision.reading import Reading, SeenTile

SMALL: Final = 18.0
"""The least side of a typical tile in pixels; smaller faces are misread.

The shrunk sample photo has no doubtful tile at 20, and some at 15.
"""

FLAT: Final = 0.8
"""The least height of a typical face in its widths; lower means that the camera is too flat.

Seen from above a face is 1.3 widths high. The sample photo, pressed flat, loses its first tile at 0.77.
"""

BURNT: Final = 0.4
"""The greatest share of a tile's pixels that are fully bright.

An evenly overexposed photo has 0.8 and is still read, so only a doubtful tile counts as overexposed.
"""

SHARP: Final = 60.0
"""The least variance of the Laplacian of a typical tile's crop; less means that a doubtful hand is blurred.

The sample photo has 150. Blurred over 9 pixels it has 38 and is still read; over 15 pixels it has 34 and is
not.
"""

SURE: Final = 0.9
"""The probability from which a tile's picture was good enough."""

_CROP: Final = CropShape(margin=1.0)


@dataclass(frozen=True, slots=True)
class Seen:
    """What advice is based on. ``tiles``: of the hand, else all. ``quads`` (n, 4, 2): pixels of ``photo``.
    ``crops`` (n, h, w, 3): RGB."""

    photo: Photo
    tiles: Sequence[SeenTile]
    quads: Array32
    crops: Pixels

    @property
    def doubtful(self) -> bool:
        """Whether any tile is doubtful."""
        return any(tile.probability < SURE for tile in self.tiles)


def seen(photo: Photo, reading: Reading) -> Seen:
    """The hand of a reading in its frame."""
    tiles = [tile for tile in reading.tiles if tile.role != "other"] or list(reading.tiles)
    quads = np.array([tile.quad for tile in tiles], np.float32).reshape(-1, 4, 2) / photo.scale
    return Seen(photo, tiles, quads, cut(photo.pixels, quads, _CROP))


def _sides(quads: Array32) -> tuple[float, float]:
    """The median width and height of a face in pixels."""
    sides = lengths(quads)
    return float(np.median(sides[:, ::2])), float(np.median(sides[:, 1::2]))


def _is_small(what: Seen) -> bool:
    width, height = _sides(what.quads)
    return bool(np.sqrt(width * height) < SMALL)


def _is_cut_off(what: Seen) -> bool:
    height, width = what.photo.pixels.shape[:2]
    low, high = what.quads.reshape(-1, 2).min(0), what.quads.reshape(-1, 2).max(0)
    return bool((low < 1).any() or (high > np.array([width, height]) - 2).any())


def _is_flat(what: Seen) -> bool:
    width, height = _sides(what.quads)
    return what.doubtful and height < FLAT * width


def _is_burnt(what: Seen) -> bool:
    shares = (what.crops.min(axis=3) >= 250).mean(axis=(1, 2))
    unsure = np.array([tile.probability < SURE for tile in what.tiles])
    return bool((unsure & (shares > BURNT)).any())


def _is_blurred(what: Seen) -> bool:
    values = [sharpness(crop) for crop in what.crops]
    return what.doubtful and not _is_small(what) and float(np.median(values)) < SHARP


_TESTS: Final[tuple[tuple[str, str, Callable[[Seen], bool]], ...]] = (
    ("closer", "Move closer.", _is_small),
    ("farther", "Move back a little: a tile is cut off at the edge.", _is_cut_off),
    ("still", "Hold still.", _is_blurred),
    ("glare", "Less glare: turn a little, or shade the lamp.", _is_burnt),
    ("above", "Turn the camera to look from higher above.", _is_flat),
)
"""Id, sentence and condition of each advice; the most helpful first."""


def advise(photo: Photo, reading: Reading) -> Iterator[dict[str, str]]:
    """What would improve the next frame; nothing if this one is good."""
    if not reading.tiles:
        yield {"id": "point", "text": reading.message or "Point at the tiles."}
        return
    what = seen(photo, reading)
    for id_, text, holds in _TESTS:
        if holds(what):
            yield {"id": id_, "text": text}
