"""Where the tiles are: the finder network with everything around it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vision import pixels
from vision.arrays import Array, Array32, Pixels
from vision.maps import Candidates, Encoding, decode
from vision.network import Network
from vision.quads import project, sizes, suppress

_NOTHING = (114, 114, 114)
"""What the network sees beyond the photo's edge."""

_MARGIN = 4.0
"""Tile sizes around the tiles found in which one may have been missed."""

_SMALL, _FEW = 24.0, 4
"""Pixels of a tile's side at the working size below which tiles that touch run together, and how many such
tiles there have to be. Of 2,399 discards on 182 drawn tables (seeds 9357, 9457) 2,275 had their player and
place without the closer look, 2,330 with it; from 21 to 28 pixels as many."""


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
    def from_metadata(cls, metadata: Mapping[str, str]) -> FinderSettings:
        """Raises ValueError when the file is no finder or a constant is missing."""
        if metadata.get("task") != "finder":
            raise ValueError("this model file is no tile finder")
        try:
            values = json.loads(metadata["settings"])
            return cls(encoding=Encoding(**values.pop("encoding")), **values)
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            raise ValueError(f"the finder's metadata is incomplete: {error}") from error


class Finder:
    """The finder network with everything around it.

    Raises ValueError when ``network`` is no finder.
    """

    def __init__(self, network: Network) -> None:
        self._network = network
        self.settings = FinderSettings.from_metadata(network.metadata)

    @property
    def widest(self) -> int:
        """Pixels of the largest picture that is worth the time, which grows with their square."""
        return 2 * self.settings.long_side

    def find(self, rgb: Pixels, *, briefly: bool = False, threshold: float | None = None) -> Candidates:
        """Tiles of an (H, W, 3) photo, quads in its pixels.

        The photo is searched at a fixed working size. Where its tiles turn out to be too large or too small
        for the network, what lies around them is searched once more at a better one; where some of them are
        small, the part in which these lie. ``briefly``: never larger than at first, which is what takes time.
        ``threshold``: the heat from which something is a tile, if not the usual one, from which it is sure.
        """
        settings = self.settings
        scale = min(settings.long_side / max(rgb.shape[:2]), 2.0)
        found = self.find_at(rgb, scale, threshold)
        sure = found.scores >= settings.threshold
        if not sure.any():
            factors = (1 / 3,) if briefly else (1 / 3, 2.0)
            tries = [found, *(self.find_at(rgb, scale * factor, threshold) for factor in factors)]
            return max(tries, key=lambda each: float(each.scores[each.scores >= settings.threshold].sum()))
        size = float(np.median(sizes(found.quads[sure]))) * scale
        larger = size > settings.largest
        if briefly and not larger:
            return found
        if settings.smallest <= size <= settings.largest:
            return self._closer(rgb, found, scale, threshold)
        again = self.find_about(rgb, found.quads[sure], settings.wanted, threshold)
        return again if larger or again.scores.sum() > found.scores.sum() else found

    def _closer(self, rgb: Pixels, found: Candidates, scale: float, threshold: float | None) -> Candidates:
        """What was ``found`` at a scale, the part of the photo where small tiles lie seen once more, larger:
        those that touch run together."""
        settings, side = self.settings, sizes(found.quads)
        small = (side * scale < _SMALL) & (found.scores >= settings.threshold)
        if small.sum() < _FEW:
            return found
        quads = found.quads[small]
        again = self.find_about(rgb, quads, settings.wanted, threshold)
        low, high, middle = quads.min(axis=(0, 1)), quads.max(axis=(0, 1)), found.quads.mean(axis=1)
        there = ((middle >= low) & (middle <= high)).all(axis=1)
        too_large = side * settings.wanted / np.median(side[small]) > settings.largest
        kept = ~there | too_large
        quads = np.concatenate([found.quads[kept], again.quads])
        scores = np.concatenate([found.scores[kept], again.scores])
        staying = suppress(quads, settings.overlap)  # what lies beyond the closer look comes first
        best = staying[np.argsort(-scores[staying], kind="stable")]
        return Candidates(quads[best], scores[best])

    def find_about(
        self, rgb: Pixels, quads: Array32, wanted: float, threshold: float | None = None
    ) -> Candidates:
        """A pass over the part of the photo about ``quads``, scaled to make them ``wanted`` pixels large.
        ``threshold``: the heat from which something is a tile, if not the usual one."""
        size = float(np.median(sizes(quads)))
        corners = quads.reshape(-1, 2)
        low = np.maximum(corners.min(0) - _MARGIN * size, 0).astype(int)
        high = np.ceil(corners.max(0) + _MARGIN * size).astype(int)
        part = np.ascontiguousarray(rgb[low[1] : high[1], low[0] : high[0]])
        scale = min(wanted / size, self.widest / max(part.shape[:2]))
        seen = self.find_at(part, scale, threshold)
        return Candidates(seen.quads + low.astype(np.float32), seen.scores)

    def find_flat(
        self, rgb: Pixels, quads: Array32, flat: Array, wanted: float, threshold: float | None = None
    ) -> Candidates:
        """What :meth:`find_about` finds, seen through a homography ``flat`` (3, 3)."""
        seen = project(quads.astype(np.float64), flat)
        size = float(np.median(sizes(seen)))
        corners = seen.reshape(-1, 2)
        low, high = corners.min(0) - _MARGIN * size, corners.max(0) + _MARGIN * size
        scale = min(wanted / size, self.widest / float((high - low).max()))
        view = np.diag([scale, scale, 1.0]) @ np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ flat
        width, height = np.ceil(scale * (high - low)).astype(int).tolist()
        return self.find_through(rgb, view, (width, height), threshold)

    def find_through(
        self, rgb: Pixels, matrix: Array, size: tuple[int, int], threshold: float | None = None
    ) -> Candidates:
        """A pass over the photo seen through a homography (3, 3) to ``size`` (width, height) pixels.
        ``threshold``: the heat from which something is a tile, if not the usual one."""
        found = self.find_at(pixels.warp(rgb, matrix[None], size, beyond=_NOTHING)[0], 1.0, threshold)
        corners = project(found.quads.reshape(-1, 2), np.asarray(np.linalg.inv(matrix)))
        return Candidates(corners.reshape(-1, 4, 2), found.scores)

    def find_at(self, rgb: Pixels, scale: float, threshold: float | None = None) -> Candidates:
        """One pass over the photo resized by ``scale``."""
        settings = self.settings
        least = settings.threshold if threshold is None else threshold
        height, width = (max(8, round(side * scale)) for side in rgb.shape[:2])
        small = (pixels.shrink if scale < 1 else pixels.enlarge)(rgb, (width, height))
        bottom, right = -height % settings.multiple, -width % settings.multiple
        padded = pixels.pad(small, bottom, right, _NOTHING)
        (maps,) = self._network.run(padded[None])
        found = decode(maps[0], settings.encoding, least, settings.overlap)
        ratio = np.array([rgb.shape[1] / width, rgb.shape[0] / height], np.float32)
        return Candidates(found.quads * ratio, found.scores)
