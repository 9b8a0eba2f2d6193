"""How quads are decoded from the finder's output maps. Training encodes them (:mod:`models.maps`)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import Array32
from vision.config import GEOMETRY
from vision.pixels import max_filter
from vision.quads import parallelograms, suppress

CHANNELS = 9
"""Heat; offset to the centre (dx, dy, in cells); for the face's top edge and then for its long side:
cos and sin of twice the angle, log of (length / unit)."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a quad is encoded in the maps.

    ``stride``: pixels a cell. ``unit``: the length in pixels whose log is 0. In parts of a side, ``sigma`` is
    the spread of the heat, and ``core`` the part around the centre whose cells all carry the geometry.
    """

    stride: int = 4
    unit: float = 32.0
    sigma: float = 0.17
    core: float = 0.5


@dataclass(frozen=True, slots=True)
class Candidates:
    """Detected tiles. ``quads`` (n, 4, 2): pixels, clockwise in the image; the first edge is the face's top
    or bottom. ``scores`` (n,): 0 to 1, descending."""

    quads: Array32
    scores: Array32


def _decode_axis(values: Array32, unit: float) -> Array32:
    angle = np.arctan2(values[:, 1], values[:, 0]) / 2
    length = np.exp(np.clip(values[:, 2], -4, 6)) * unit
    return np.stack([np.cos(angle) * length, np.sin(angle) * length], 1).astype(np.float32)


def _resolve_axes(
    centre: Array32, across: Array32, along: Array32, certainty: Array32
) -> tuple[Array32, Array32]:
    """The axes of all tiles. A tile of uncertain direction becomes a square turned like its neighbours.

    Directions are averaged modulo a quarter turn (as four-fold angles), so tiles may lie along or across.
    The face network then finds the square's true sides and turn.
    """
    wavers = certainty < GEOMETRY.decided
    if not wavers.any() or wavers.all():
        return across, along
    side = np.sqrt(np.hypot(*across.T) * np.hypot(*along.T))
    far = np.linalg.norm(centre[wavers, None] - centre[None], axis=2) / (GEOMETRY.around * side[wavers, None])
    weight = np.where(wavers, 0, certainty) * np.exp(-np.minimum(far, GEOMETRY.distant))
    fourfold = (weight * np.exp(4j * np.arctan2(across[:, 1], across[:, 0]))).sum(1)
    direction = np.exp(1j * np.angle(fourfold) / 4) * side[wavers]
    across, along = across.copy(), along.copy()
    across[wavers] = np.stack([direction.real, direction.imag], 1)
    along[wavers] = np.stack([-direction.imag, direction.real], 1)
    return across, along


def decode(maps: Array32, encoding: Encoding, threshold: float) -> Candidates:
    """Quads, in pixels of the network's input, of maps (9, h, w) whose heat is a probability.

    A candidate is a local maximum of the heat that reaches ``threshold``. Of two that show the same tile, the
    better stays.
    """
    heat = np.ascontiguousarray(maps[0])
    peaks = (heat >= threshold) & (heat >= max_filter(heat))
    ys, xs = np.nonzero(peaks)
    order = np.argsort(-heat[ys, xs], kind="stable")[: GEOMETRY.candidates]
    ys, xs = ys[order], xs[order]
    values = maps[:, ys, xs].T
    centre = np.stack([xs + 0.5 + values[:, 1], ys + 0.5 + values[:, 2]], 1) * encoding.stride
    across = _decode_axis(values[:, 3:6], encoding.unit)
    along = _decode_axis(values[:, 6:9], encoding.unit)
    certainty = np.minimum(np.hypot(values[:, 3], values[:, 4]), np.hypot(values[:, 6], values[:, 7]))
    across, along = _resolve_axes(centre, across, along, certainty)
    quads = parallelograms(centre.astype(np.float32), across, along)
    keep = suppress(quads)
    return Candidates(quads[keep], values[keep, 0].astype(np.float32))
