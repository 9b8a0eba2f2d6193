"""Decoded photos with their labelled tiles, as the finder trains on them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.labels import Labelled
from datasets.photos import Photo
from datasets.renders import Render
from vision.arrays import Array32
from vision.quads import bounds, project, sizes
from vision.scene.rectify import rectifying

VISIBLE = 0.45
"""Share of a face that must be visible for the tile to be a target; others are ignored."""

ABOVE_SIDE, ABOVE_MOST = 40.0, 1024
"""Pixels of a tile's side, and of the picture's longer side at most, in rectified renders."""

ABOUT = 4.0
"""Margin of such a render around its tiles, in tile sizes, as in the second pass of reading."""

NO_QUADS, NO_BOXES = np.zeros((0, 4, 2), np.float32), np.zeros((0, 4), np.float32)


@dataclass(frozen=True, slots=True)
class Scene:
    """A decoded photo with its tiles.

    ``quads`` (n, 4, 2) if ``exact``, else ``boxes`` (n, 4), in pixels; ``ignored`` (k, 4, 2): neither right
    nor wrong to find; ``shaped``: boxes fit the tiles; ``complete``: every tile is listed.
    """

    rgb: NDArray[np.uint8]
    quads: Array32
    ignored: Array32
    boxes: Array32
    shaped: bool
    complete: bool
    exact: bool

    def sizes(self) -> Array32:
        """(n,) square roots of the tiles' areas in pixels."""
        if self.exact:
            return sizes(self.quads)
        return np.asarray(np.sqrt(np.prod(self.boxes[:, 2:] - self.boxes[:, :2], -1)), np.float32)


def scene_of_render(render: Render) -> Scene:
    """Decode a render. Foreign tiles are targets, too. Tiles seen from their edge are ignored."""
    seen = (render.visible >= VISIBLE) & render.facing()
    return Scene(render.load(), render.quads[seen], render.quads[~seen], NO_BOXES, False, True, True)


def from_above(scene: Scene) -> Scene:
    """A render of at least one tile as the second pass sees it
    (:meth:`vision.finder.Finder.find_rectified`)."""
    flat = rectifying(scene.quads)
    above = project(scene.quads.astype(float), flat)
    side = float(np.median(sizes(above)))
    low, high = above.min(axis=(0, 1)) - ABOUT * side, above.max(axis=(0, 1)) + ABOUT * side
    scale = min(ABOVE_SIDE / side, ABOVE_MOST / float((high - low).max()))
    place = np.array([[scale, 0, -scale * low[0]], [0, scale, -scale * low[1]], [0, 0, 1]])
    matrix, (width, height) = place @ flat, np.ceil(scale * (high - low)).astype(int).tolist()
    rgb = cv2.warpPerspective(
        scene.rgb, matrix, (width, height), flags=cv2.INTER_LINEAR, borderValue=(114, 114, 114)
    )
    seen, hidden = (
        project(each.reshape(-1, 2), matrix).reshape(-1, 4, 2) for each in (scene.quads, scene.ignored)
    )
    return replace(scene, rgb=np.asarray(rgb, np.uint8), quads=seen, ignored=hidden)


def scene_of_photo(photo: Photo) -> Scene:
    """Decode a real photo."""
    return Scene(photo.load(), NO_QUADS, NO_QUADS, photo.boxes, photo.shaped, photo.complete, False)


def scene_of_labelled(photo: Labelled) -> Scene:
    """Decode a reviewed photo. Labels that were imported as boxes count as boxes."""
    rgb, quads = photo.decoded()
    quads, boxes = (quads, NO_BOXES) if photo.exact else (NO_QUADS, bounds(quads))
    return Scene(rgb, quads, NO_QUADS, boxes, True, photo.complete, photo.exact)
