"""The tile detector: which scales and parts of a photo the finder network searches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vision import pixels
from vision.arrays import Array, Array32, Pixels
from vision.config import CONFIG, GEOMETRY
from vision.maps import Candidates, Encoding, decode
from vision.network import Network
from vision.quads import project, sizes, suppress

PADDING = (114, 114, 114)
"""Grey beyond the photo's edge: the format of the network's input, as in training."""


@dataclass(frozen=True, slots=True)
class FinderSettings:
    """The settings in a finder's ONNX file (``metadata_props``). Sizes are pixels at the working size."""

    encoding: Encoding
    threshold: float
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
            values["encoding"] = Encoding(**values["encoding"])
            return cls(**{name: values[name] for name in cls.__dataclass_fields__})
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            raise ValueError(f"the finder's metadata is incomplete: {error}") from error


class Finder:
    """Detects tiles with the finder network. Raises ValueError when ``network`` is no finder."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self.settings = FinderSettings.from_metadata(network.metadata)

    @property
    def widest(self) -> int:
        """Longest side, in pixels, of a picture that the network searches."""
        return round(GEOMETRY.enlarge * self.settings.long_side)

    def find(self, rgb: Pixels, *, enlarge: bool = True, threshold: float | None = None) -> Candidates:
        """Tiles of an (H, W, 3) photo, quads in its pixels.

        The first pass has a fixed working size. If the tiles are too large or too small for the network, a
        second pass covers their part of the photo at a better size. If some are small, it covers their part.
        ``enlarge``: whether the second pass may be larger, which takes time.
        ``threshold``: the least heat of a detection, if not the network's own.
        """
        settings = self.settings
        scale = min(settings.long_side / max(rgb.shape[:2]), GEOMETRY.enlarge)
        found = self.find_at(rgb, scale, threshold)
        sure = found.scores >= settings.threshold
        if not sure.any():
            factors = (GEOMETRY.shrink, GEOMETRY.enlarge) if enlarge else (GEOMETRY.shrink,)
            tries = [found, *(self.find_at(rgb, scale * factor, threshold) for factor in factors)]
            return max(tries, key=lambda each: float(each.scores[each.scores >= settings.threshold].sum()))
        size = float(np.median(sizes(found.quads[sure]))) * scale
        larger = size > settings.largest
        if not (enlarge or larger):
            return found
        if settings.smallest <= size <= settings.largest:
            return self._zoom_in(rgb, found, scale, threshold)
        again = self.find_around(rgb, found.quads[sure], settings.wanted, threshold)
        return again if larger or again.scores.sum() > found.scores.sum() else found

    def _zoom_in(self, rgb: Pixels, found: Candidates, scale: float, threshold: float | None) -> Candidates:
        """``found``, with the part of the photo that has small tiles searched once more, larger: small tiles
        that touch merge."""
        settings, side = self.settings, sizes(found.quads)
        small = (side * scale < GEOMETRY.small) & (found.scores >= settings.threshold)
        if small.sum() < CONFIG.min_group:
            return found
        quads = found.quads[small]
        again = self.find_around(rgb, quads, settings.wanted, threshold)
        low, high, centres = quads.min(axis=(0, 1)), quads.max(axis=(0, 1)), found.quads.mean(axis=1)
        inside = ((centres >= low) & (centres <= high)).all(axis=1)
        too_large = side * settings.wanted / np.median(side[small]) > settings.largest
        kept = ~inside | too_large
        quads = np.concatenate([found.quads[kept], again.quads])
        scores = np.concatenate([found.scores[kept], again.scores])
        left = suppress(quads)  # detections outside the second pass come first
        best = left[np.argsort(-scores[left], kind="stable")]
        return Candidates(quads[best], scores[best])

    def find_around(
        self, rgb: Pixels, quads: Array32, wanted: float, threshold: float | None = None
    ) -> Candidates:
        """A pass over the part of the photo around ``quads``, scaled to make them ``wanted`` pixels large."""
        size = float(np.median(sizes(quads)))
        corners = quads.reshape(-1, 2)
        low = np.maximum(corners.min(0) - GEOMETRY.around * size, 0).astype(int)
        high = np.ceil(corners.max(0) + GEOMETRY.around * size).astype(int)
        part = np.ascontiguousarray(rgb[low[1] : high[1], low[0] : high[0]])
        scale = min(wanted / size, self.widest / max(part.shape[:2]))
        found = self.find_at(part, scale, threshold)
        return Candidates(found.quads + low.astype(np.float32), found.scores)

    def find_rectified(
        self, rgb: Pixels, quads: Array32, rectify: Array, wanted: float, threshold: float | None = None
    ) -> Candidates:
        """As :meth:`find_around`, with the photo rectified by the homography ``rectify`` (3, 3)."""
        rectified = project(quads.astype(np.float64), rectify)
        size = float(np.median(sizes(rectified)))
        corners = rectified.reshape(-1, 2)
        low, high = corners.min(0) - GEOMETRY.around * size, corners.max(0) + GEOMETRY.around * size
        scale = min(wanted / size, self.widest / float((high - low).max()))
        view = (
            np.diag([scale, scale, 1.0]) @ np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ rectify
        )
        width, height = np.ceil(scale * (high - low)).astype(int).tolist()
        return self.find_warped(rgb, view, (width, height), threshold)

    def find_warped(
        self, rgb: Pixels, matrix: Array, size: tuple[int, int], threshold: float | None = None
    ) -> Candidates:
        """A pass over the photo warped by the homography ``matrix`` (3, 3) to ``size`` (width, height)."""
        found = self.find_at(pixels.warp(rgb, matrix[None], size, border=PADDING)[0], 1.0, threshold)
        corners = project(found.quads.reshape(-1, 2), np.asarray(np.linalg.inv(matrix)))
        return Candidates(corners.reshape(-1, 4, 2), found.scores)

    def find_at(self, rgb: Pixels, scale: float, threshold: float | None = None) -> Candidates:
        """One pass over the photo resized by ``scale``."""
        settings = self.settings
        least = settings.threshold if threshold is None else threshold
        height, width = (max(8, round(side * scale)) for side in rgb.shape[:2])
        small = (pixels.shrink if scale < 1 else pixels.enlarge)(rgb, (width, height))
        bottom, right = -height % settings.multiple, -width % settings.multiple
        padded = pixels.pad(small, bottom, right, PADDING)
        (maps,) = self._network.run(padded[None])
        found = decode(maps[0], settings.encoding, least)
        ratio = np.array([rgb.shape[1] / width, rgb.shape[0] / height], np.float32)
        return Candidates(found.quads * ratio, found.scores)
