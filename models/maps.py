"""Encode quads as target maps of the finder; :mod:`vision.maps` decodes them."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array32
from vision.maps import CHANNELS, Encoding
from vision.quads import axes, cross


def encode(quads: Array32, height: int, width: int, encoding: Encoding) -> tuple[Array32, Array32]:
    """Training targets of an image whose maps are ``height`` × ``width`` cells.

    ``quads`` (n, 4, 2): pixels. Returns the maps (9, height, width), whose heat is exactly 1 in cells that
    hold a centre, and weights (height, width) of the geometry: the heat inside the tiles' cores, 0 elsewhere.
    Where tiles overlap, a cell belongs to the tile whose centre is relatively nearer. Quads without area or
    wholly outside are left out.
    """
    maps = np.zeros((CHANNELS, height, width), np.float32)
    weight = np.zeros((height, width), np.float32)
    if not len(quads):
        return maps, weight
    cells = quads.astype(np.float32) / np.float32(encoding.stride)
    centre = cells.mean(1)
    across, along = axes(cells)
    determinant = cross(across, along)
    geometry = np.concatenate(
        [_write_axis(side * encoding.stride, encoding.unit) for side in (across, along)], 1
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


def _write_axis(vector: Array32, unit: float) -> Array32:
    length = np.maximum(np.hypot(vector[:, 0], vector[:, 1]), 1e-3)
    x, y = vector[:, 0] / length, vector[:, 1] / length
    return np.stack([x * x - y * y, 2 * x * y, np.log(length / unit)], 1)
