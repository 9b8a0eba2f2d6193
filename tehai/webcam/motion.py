"""Find what changed between two frames: nothing, the whole picture (a shock or a move), or a part of it.

The comparison uses small frames without brightness, cell by cell, after undoing a motion of the camera.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Array, Array32, Mask, Pixels
from vision.pixels import grey, shrink

Cells = Mask

_SIDE = 320
"""The longer side of a sketch in pixels."""
CELL = 5
"""The side of a cell in pixels of a sketch."""
_DARK = 16
"""Added to grey values before their logarithm, so that the noise of dark corners is no motion."""
_BLUR = 6.0
"""Standard deviation, in pixels of the sketch, of the blur whose result is taken for brightness."""
_SOFT = 0.8
"""The same of the blur before frames are compared: edges must not differ where they are half a pixel off."""
_CHANGED = 0.1
"""The least mean difference of a changed cell. On the sample photo, noise of 8 grey values, half the light, a
gamma of 1.3, and undone motion stay below 0.095. Another face or a missing tile reaches 0.3."""
_FEW = 2
"""The least number of changed cells that counts as a change."""
_FAR = 0.05
"""Parts of the longer side by which the picture's corners may be displaced before the camera has moved ..."""
_REST = 0.01
"""... and in the frames before a reading."""
STILL: Array = np.eye(3)


@dataclass(frozen=True, slots=True)
class Change:
    """The change between two frames. ``matrix`` (3, 3): maps the pixels of one to the other. ``cells``: parts
    that it does not explain. ``shift``: how far it moves the corners, as a share of the longer side."""

    matrix: Array
    cells: Cells
    shift: float = 0.0

    @property
    def is_far(self) -> bool:
        return self.shift > _FAR

    @property
    def is_quiet(self) -> bool:
        return self.shift < _REST and int(self.cells.sum()) < _FEW

    def covers(self, area: Cells) -> bool:
        """Whether the area has a change."""
        return int((self.cells & area).sum()) >= _FEW


@dataclass(frozen=True, slots=True)
class Sketch:
    """A reduced frame. ``fine``: float32, the logarithm of its grey minus a blurred copy, so that brightness
    does not matter. ``scale``: pixels of the frame for each pixel. ``size``: of the frame (width, height)."""

    fine: Array32
    scale: float
    size: tuple[int, int]

    @classmethod
    def of(cls, rgb: Pixels) -> Sketch:
        height, width = rgb.shape[:2]
        scale = max(height, width) / _SIDE
        small = shrink(grey(rgb), (max(CELL, round(width / scale)), max(CELL, round(height / scale))))
        light = np.log(small.astype(np.float32) + _DARK)
        fine = cv2.GaussianBlur(light, (0, 0), _SOFT) - cv2.GaussianBlur(light, (0, 0), _BLUR)
        return cls(np.asarray(fine, np.float32), scale, (width, height))

    @property
    def cells(self) -> tuple[int, int]:
        """Rows and columns of cells."""
        return self.fine.shape[0] // CELL, self.fine.shape[1] // CELL

    def around(self, points: Array32, reach: float) -> Cells:
        """The cells within the hull of points (n, 2), in pixels of the frame, with a margin in pixels."""
        cell = self.scale * CELL
        inside = np.zeros(self.cells, np.uint8)
        hull = cv2.convexHull((points / cell).reshape(-1, 1, 2)).astype(np.int32)
        cv2.fillConvexPoly(inside, hull, 1)
        side = 2 * max(1, round(reach / cell)) + 1
        return cv2.dilate(inside, np.ones((side, side), np.uint8)).astype(np.bool_)

    def change_from(self, before: Sketch) -> Change:
        """The change since another frame of the same size."""
        plain = Change(STILL, self._differing(self.fine, before.fine))
        if plain.is_quiet:
            return plain
        matrix = self._displacement(before)
        if matrix is None:
            return plain
        size = (before.fine.shape[1], before.fine.shape[0])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        back = cv2.warpAffine(self.fine, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        shown = cv2.warpAffine(np.ones_like(self.fine), matrix, size, flags=flags)
        cells = self._differing(np.where(shown > 0.99, back, before.fine), before.fine)
        if cells.sum() >= plain.cells.sum():
            return plain
        full = np.vstack([matrix, [0.0, 0.0, 1.0]])
        full[:2, 2] *= self.scale
        corners = np.array([[0.0, 0, 1], [self.size[0], 0, 1], [0, self.size[1], 1], [*self.size, 1]])
        shift = float(np.abs(corners @ full.T - corners).max())
        return Change(full, cells, shift / max(self.size))

    def _differing(self, a: Array32, b: Array32) -> Cells:
        rows, columns = self.cells
        apart = np.abs(a - b)[: rows * CELL, : columns * CELL]
        return np.asarray(apart.reshape(rows, CELL, columns, CELL).mean(axis=(1, 3)) > _CHANGED)

    def _displacement(self, before: Sketch) -> Array | None:
        """The rotation, scale and shift (2, 3) from another sketch to this one, if most of the picture
        agrees."""
        first, second = before._contrasts(), self._contrasts()
        points = cv2.goodFeaturesToTrack(first, 120, 0.02, 6)
        if points is None or len(points) < _LEAST_POINTS:
            return None
        # Corners are followed a few pixels far: the shift of the whole brings them near. (It is found in
        # copies, as the window is laid over them in place.)
        window = cv2.createHanningWindow(first.shape[::-1], cv2.CV_32F)
        shift, _ = cv2.phaseCorrelate(before.fine.copy(), self.fine.copy(), window)
        guess = np.asarray(points + np.array(shift), np.float32)
        moved, found, _ = cv2.calcOpticalFlowPyrLK(
            first, second, points, guess, flags=cv2.OPTFLOW_USE_INITIAL_FLOW
        )
        kept = found.ravel() == 1
        if int(kept.sum()) < _LEAST_POINTS:
            return None
        matrix, agree = cv2.estimateAffinePartial2D(
            points[kept], moved[kept], method=cv2.RANSAC, ransacReprojThreshold=1.0
        )
        if matrix is None or int(agree.sum()) < max(_LEAST_POINTS, len(points) / 2):
            return None
        return np.asarray(matrix, np.float64)

    def _contrasts(self) -> NDArray[np.uint8]:
        return np.clip(self.fine * 100 + 128, 0, 255).astype(np.uint8)


_LEAST_POINTS = 10
"""The least number of tracked corners for an estimate of the motion."""
