"""Where the tiles are: the finder network's maps, what they encode, and how quads come out of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import session

Array = NDArray[np.float32]

CHANNELS = 9
"""Heat; offset to the centre (dx, dy, in cells); for the face's top edge and then for its long side:
cos and sin of twice the angle, log of (length / unit)."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a quad is written into the maps.

    ``stride``: pixels a cell; ``unit``: the length in pixels whose log is 0; ``sigma``: the heat's spread and
    ``core``: the part around the centre whose cells all carry the geometry, both in parts of a side.
    """

    stride: int = 4
    unit: float = 32.0
    sigma: float = 0.17
    core: float = 0.5


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the finder takes for tiles: ``quads`` (n, 4, 2) pixels, clockwise in the image; the first edge is
    the face's top or bottom edge. ``scores`` (n,), 0 to 1, descending."""

    quads: Array
    scores: Array


def project(points: Array, matrix: NDArray[np.float64]) -> Array:
    """Points (n, 2) through a homography."""
    if not len(points):
        return points.astype(np.float32)
    return np.asarray(cv2.perspectiveTransform(points[None].astype(np.float32), matrix)[0], np.float32)


def axes(quads: Array) -> tuple[Array, Array, Array]:
    """Centre, top-edge vector and side vector (each (n, 2)) of the parallelograms next to ``quads``."""
    centre: Array = quads.mean(1)
    across: Array = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / np.float32(2)
    along: Array = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / np.float32(2)
    return centre, across, along


def parallelograms(centre: Array, across: Array, along: Array) -> Array:
    """Quads (n, 4, 2), clockwise in the image, from what :func:`axes` returns."""
    turn = across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]
    along = np.where(turn[:, None] < 0, -along, along)
    corners = [centre + (a * across + b * along) / 2 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return np.stack(corners, 1).astype(np.float32)


def sizes(quads: Array) -> Array:
    """Square roots of the quads' areas (n,)."""
    _, across, along = axes(quads)
    return np.sqrt(np.abs(across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]))


def _write_axis(vector: Array, unit: float) -> Array:
    length = np.maximum(np.hypot(vector[:, 0], vector[:, 1]), 1e-3)
    x, y = vector[:, 0] / length, vector[:, 1] / length
    return np.stack([x * x - y * y, 2 * x * y, np.log(length / unit)], 1)


def _read_axis(values: Array, unit: float) -> Array:
    angle = np.arctan2(values[:, 1], values[:, 0]) / 2
    length = np.exp(np.clip(values[:, 2], -4, 6)) * unit
    return np.stack([np.cos(angle) * length, np.sin(angle) * length], 1).astype(np.float32)


_SURE = 0.5
"""Length of a predicted unit vector below which the network wavers between a tile lying along and across:
the mean of both directions is short, and points nowhere."""


def _settle(centre: Array, across: Array, along: Array, sure: Array) -> tuple[Array, Array]:
    """The axes, those of wavering tiles made a square turned like the surer tiles about them.

    Directions are averaged modulo a quarter turn (as four-fold angles), so it does not matter which of the
    tiles lie along and which across. The face network tells the square's true sides and turn.
    """
    wavers = sure < _SURE
    if not wavers.any() or wavers.all():
        return across, along
    side = np.sqrt(np.hypot(*across.T) * np.hypot(*along.T))
    far = np.linalg.norm(centre[wavers, None] - centre[None], axis=2) / (4 * side[wavers, None])
    weight = np.where(wavers, 0, sure) * np.exp(-np.minimum(far, 8))
    fourfold = (weight * np.exp(4j * np.arctan2(across[:, 1], across[:, 0]))).sum(1)
    direction = np.exp(1j * np.angle(fourfold) / 4) * side[wavers]
    across, along = across.copy(), along.copy()
    across[wavers] = np.stack([direction.real, direction.imag], 1)
    along[wavers] = np.stack([-direction.imag, direction.real], 1)
    return across, along


def encode(quads: Array, height: int, width: int, encoding: Encoding) -> tuple[Array, Array]:
    """Training targets of an image whose maps are ``height`` × ``width`` cells.

    Returns the maps (9, height, width), the heat exactly 1 in the cells that hold a centre, and (height,
    width) weights of the geometry: the heat inside the tiles' cores, 0 elsewhere. Where tiles overlap a
    cell belongs to the one in which it lies deeper. Quads without area or wholly outside are left out.
    """
    maps = np.zeros((CHANNELS, height, width), np.float32)
    weight = np.zeros((height, width), np.float32)
    if not len(quads):
        return maps, weight
    cells = quads.astype(np.float32) / np.float32(encoding.stride)
    centre, across, along = axes(cells)
    determinant = across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]
    geometry = np.concatenate(
        [
            _write_axis(across * encoding.stride, encoding.unit),
            _write_axis(along * encoding.stride, encoding.unit),
        ],
        1,
    )
    reach = 0.5 * (np.abs(across) + np.abs(along)) * 1.2 + 1
    low = np.maximum(np.floor(centre - reach), 0).astype(int)
    high = np.minimum(np.ceil(centre + reach) + 1, [width, height]).astype(int)
    for i in np.flatnonzero(np.abs(determinant) > 0.5):
        (x0, y0), (x1, y1) = low[i], high[i]
        if x0 >= x1 or y0 >= y1:
            continue
        dx = np.arange(x0, x1, dtype=np.float32)[None, :] + 0.5 - centre[i, 0]
        dy = np.arange(y0, y1, dtype=np.float32)[:, None] + 0.5 - centre[i, 1]
        s = (dx * along[i, 1] - dy * along[i, 0]) / determinant[i]
        t = (dy * across[i, 0] - dx * across[i, 1]) / determinant[i]
        heat = np.exp(-(s * s + t * t) / (2 * encoding.sigma**2))
        cx, cy = int(centre[i, 0]), int(centre[i, 1])
        home = x0 <= cx < x1 and y0 <= cy < y1
        if home:
            heat[cy - y0, cx - x0] = 1.0
        window = (slice(y0, y1), slice(x0, x1))
        deeper = heat > maps[0][window]
        maps[0][window] = np.maximum(maps[0][window], heat)
        core = (np.maximum(np.abs(s), np.abs(t)) < encoding.core / 2) & deeper
        if home:
            core[cy - y0, cx - x0] = True
        weight[window] = np.where(deeper, np.where(core, heat, 0), weight[window])
        maps[1][window][core] = np.broadcast_to(-dx, core.shape)[core]
        maps[2][window][core] = np.broadcast_to(-dy, core.shape)[core]
        maps[3:, y0:y1, x0:x1][:, core] = geometry[i][:, None]
    return maps, weight


def decode(maps: Array, encoding: Encoding, threshold: float, overlap: float, most: int = 600) -> Candidates:
    """Quads, in pixels of the network's input, of maps (9, h, w) whose heat is a probability.

    A candidate is a local maximum of the heat that reaches ``threshold``; of two that cover more than
    ``overlap`` (IoU) of each other, or of which one has its centre in the other, the better stays.
    """
    heat = np.ascontiguousarray(maps[0])
    peaks = (heat >= threshold) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    ys, xs = np.nonzero(peaks)
    order = np.argsort(-heat[ys, xs], kind="stable")[:most]
    ys, xs = ys[order], xs[order]
    values = maps[:, ys, xs].T
    centre = np.stack([xs + 0.5 + values[:, 1], ys + 0.5 + values[:, 2]], 1) * encoding.stride
    across = _read_axis(values[:, 3:6], encoding.unit)
    along = _read_axis(values[:, 6:9], encoding.unit)
    sure = np.minimum(np.hypot(values[:, 3], values[:, 4]), np.hypot(values[:, 6], values[:, 7]))
    across, along = _settle(centre, across, along, sure)
    quads = parallelograms(centre.astype(np.float32), across, along)
    keep = suppress(quads, overlap)
    return Candidates(quads[keep], values[keep, 0].astype(np.float32))


def _clip(polygon: list[tuple[float, float]], quad: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Part of a convex polygon inside a convex quad, both clockwise in the image (Sutherland and Hodgman)."""
    for k, (ax, ay) in enumerate(quad):
        bx, by = quad[(k + 1) % 4]
        depth = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in polygon]
        clipped: list[tuple[float, float]] = []
        for i, (x, y) in enumerate(polygon):
            (px, py), before, now = polygon[i - 1], depth[i - 1], depth[i]
            if (before < 0) != (now < 0):
                share = before / (before - now)
                clipped.append((px + share * (x - px), py + share * (y - py)))
            if now >= 0:
                clipped.append((x, y))
        polygon = clipped
    return polygon


def _area(polygon: list[tuple[float, float]]) -> float:
    """Area of a polygon that is clockwise in the image; negative where it is not."""
    return sum(polygon[i - 1][0] * y - x * polygon[i - 1][1] for i, (x, y) in enumerate(polygon)) / 2


def iou(a: Array, b: Array) -> float:
    """Intersection over union of two convex quads (4, 2), clockwise in the image.

    Not ``cv2.intersectConvexConvex``: for touching tiles at 45 degrees it answers that they coincide.
    """
    # From a corner of one of them: far from the origin the area would be a difference of large numbers.
    origin = a[0]
    first = [(float(x), float(y)) for x, y in a - origin]
    second = [(float(x), float(y)) for x, y in b - origin]
    shared = max(0.0, _area(_clip(first, second)))
    union = _area(first) + _area(second) - shared
    return shared / union if union > 0 else 0.0


def suppress(quads: Array, overlap: float) -> NDArray[np.intp]:
    """Indices of the quads that stay, the quads being sorted best first (see :func:`decode`)."""
    if not len(quads):
        return np.zeros(0, np.intp)
    centre, across, along = axes(quads)
    determinant = across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]
    safe = np.where(np.abs(determinant) < 1e-3, 1e-3, determinant)[:, None]
    delta = centre[None] - centre[:, None]
    s = (delta[..., 0] * along[:, None, 1] - delta[..., 1] * along[:, None, 0]) / safe
    t = (delta[..., 1] * across[:, None, 0] - delta[..., 0] * across[:, None, 1]) / safe
    depth = np.maximum(np.abs(s), np.abs(t))
    inside = depth < 0.45
    near = depth < 1.0
    alive = np.ones(len(quads), bool)
    for i in range(len(quads)):
        if not alive[i]:
            continue
        later = np.arange(len(quads)) > i
        # Two-way: a small peak inside a big tile, and a weaker big quad around a strong small one.
        alive[later & (inside[i] | inside[:, i])] = False
        for j in np.flatnonzero(later & alive & (near[i] | near[:, i])):
            if iou(quads[i], quads[j]) > overlap:
                alive[j] = False
    return np.flatnonzero(alive)


_NOTHING = (114, 114, 114)
"""What the network sees beyond the photo's edge."""

_MARGIN = 4.0
"""Tile sizes around the tiles found in which one may have been missed."""


@dataclass(frozen=True, slots=True)
class FinderSettings:
    """What a finder's ONNX file says about itself (``metadata_props``)."""

    encoding: Encoding
    threshold: float
    overlap: float
    long_side: int
    multiple: int
    smallest: float
    largest: float
    wanted: float

    @classmethod
    def from_metadata(cls, metadata: dict[str, str]) -> FinderSettings:
        """Raises ValueError when the file is no finder or a constant is missing."""
        if metadata.get("task") != "finder":
            raise ValueError("this model file is no tile finder")
        try:
            values = json.loads(metadata["settings"])
            return cls(encoding=Encoding(**values.pop("encoding")), **values)
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            raise ValueError(f"the finder's metadata is incomplete: {error}") from error


class Finder:
    """The finder network with everything around it. ``threads``: CPU threads that one run may use.

    Raises ValueError when ``path`` is no finder model.
    """

    def __init__(self, path: str | Path, threads: int = 2) -> None:
        self._session = session(path, threads)
        self.settings = FinderSettings.from_metadata(self._session.get_modelmeta().custom_metadata_map)

    @property
    def widest(self) -> int:
        """Pixels of the largest picture that is worth the time, which grows with their square."""
        return 2 * self.settings.long_side

    def find(self, rgb: NDArray[np.uint8]) -> Candidates:
        """Tiles of an (H, W, 3) photo, quads in its pixels.

        The photo is searched at a fixed working size; where the tiles turn out to be too large or too small
        for the network, what lies around them is searched once more at a better one.
        """
        settings = self.settings
        scale = min(settings.long_side / max(rgb.shape[:2]), 2.0)
        found = self.find_at(rgb, scale)
        if not len(found.scores):
            tries = [self.find_at(rgb, scale * factor) for factor in (1 / 3, 2.0)]
            return max(tries, key=lambda each: float(each.scores.sum()))
        size = float(np.median(sizes(found.quads)))
        if settings.smallest <= size * scale <= settings.largest:
            return found
        again = self.find_about(rgb, found.quads, settings.wanted)
        larger = size * scale > settings.largest
        return again if larger or again.scores.sum() > found.scores.sum() else found

    def find_about(self, rgb: NDArray[np.uint8], quads: Array, wanted: float) -> Candidates:
        """A pass over the part of the photo about ``quads``, scaled to make them ``wanted`` pixels large."""
        size = float(np.median(sizes(quads)))
        corners = quads.reshape(-1, 2)
        low = np.maximum(corners.min(0) - _MARGIN * size, 0).astype(int)
        high = np.ceil(corners.max(0) + _MARGIN * size).astype(int)
        part = np.ascontiguousarray(rgb[low[1] : high[1], low[0] : high[0]])
        scale = min(wanted / size, self.widest / max(part.shape[:2]))
        seen = self.find_at(part, scale)
        return Candidates(seen.quads + low.astype(np.float32), seen.scores)

    def find_through(
        self, rgb: NDArray[np.uint8], matrix: NDArray[np.float64], size: tuple[int, int]
    ) -> Candidates:
        """A pass over the photo seen through a homography (3, 3) to ``size`` (width, height) pixels."""
        seen = cv2.warpPerspective(rgb, matrix, size, flags=cv2.INTER_LINEAR, borderValue=_NOTHING)
        found = self.find_at(np.asarray(seen, np.uint8), 1.0)
        corners = project(found.quads.reshape(-1, 2), np.asarray(np.linalg.inv(matrix)))
        return Candidates(corners.reshape(-1, 4, 2), found.scores)

    def find_at(self, rgb: NDArray[np.uint8], scale: float) -> Candidates:
        """One pass over the photo resized by ``scale``."""
        settings = self.settings
        height, width = (max(8, round(side * scale)) for side in rgb.shape[:2])
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = cv2.resize(rgb, (width, height), interpolation=method)
        bottom, right = -height % settings.multiple, -width % settings.multiple
        padded = cv2.copyMakeBorder(small, 0, bottom, 0, right, cv2.BORDER_CONSTANT, value=_NOTHING)
        (maps,) = self._session.run(None, {"image": padded[None]})
        found = decode(maps[0], settings.encoding, settings.threshold, settings.overlap)
        ratio = np.array([rgb.shape[1] / width, rgb.shape[0] / height], np.float32)
        return Candidates(found.quads * ratio, found.scores)
