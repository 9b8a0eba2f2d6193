"""White dragons told from backs, cloth and paper by the colours that lie around them.

Nothing marks a white dragon: alone it looks like the back of a white set, the side of a tile, a pale square
of cloth. But its white is that of the faces beside it, and no back of its set has it. So what seems a blank
is held against the faces that lie nearest, and against the other blanks of its photo, what they are taken for
and how much their colour is its own.

The weights, ``vision/whites.npz``, are fitted on renders by ``python -m models.whites``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from vision.arrays import Array32, Indices, Pixels
from vision.labels import BACK_INDEX, FACES, NOT_A_FACE_INDEX, WHITE_INDEX
from vision.layer import Layer
from vision.quads import sizes

FILE: Final = Path(__file__).with_name("whites.npz")

FACTS: Final = 24
"""How many :attr:`Evidence.facts` there are of a blank."""

_BLANKS = np.array([WHITE_INDEX, BACK_INDEX, NOT_A_FACE_INDEX])
_PRINTED = np.delete(np.arange(len(FACES)), WHITE_INDEX)
_LEAST = 1e-3
"""Probability that an answer has at least: no blank is so surely none that its neighbours cannot change
it."""

_TAKEN = 0.15
"""Probability of a white dragon or a back, both together, from which something is a blank."""

_PRINT, _NEAREST = 0.8, 6
"""Probability from which a face is one whose white counts, and how many of the nearest ones are asked."""

_ALIKE = (0.15, 0.4)
"""How far apart colours may be to count as one: a standard deviation, in logs of light."""

_FEW = 0.3
"""Weight of knowing nothing, in blanks of the same colour."""

_BESIDE = 1.7
"""Tile sizes within which something lies beside a tile."""

_RIM, _STRIDE = 0.18, 3
"""Share of a crop's sides that is left out at each end, where a tile ends and others begin, and the pixels
from one that counts to the next."""

_BLANK, _WHITE, BRIGHT = (0.25, 0.75), (0.6, 0.9), 8.0
"""Shares of a tile's pixels, the darkest first: of a blank those whose mean is its colour, of a printed face
those that are the white around its print; and what is added to a light, of 255, before its log is taken."""


def lights(crops: Pixels) -> Array32:
    """The light (n, k, 3) of points of crops (n, H, W, 3), 0 to 255, those of each the darkest first."""
    rims = [round(side * _RIM) for side in crops.shape[1:3]]
    down, across = (slice(rim, -rim, _STRIDE) for rim in rims)
    inner = crops[:, down, across].astype(np.float32)
    points = inner.reshape(len(crops), inner.shape[1] * inner.shape[2], 3)
    order = points.sum(axis=2).argsort(axis=1)
    return np.asarray(np.take_along_axis(points, order[..., None], axis=1))


def opponents(light: Array32) -> Array32:
    """The colours (..., 3) of light (..., 3), 0 to 255, in logs of light: brightness, red less green, blue
    less green."""
    logs = np.log(light + BRIGHT)
    red, green, blue = (logs[..., channel] for channel in range(3))
    return np.asarray(np.stack([2 * logs.mean(axis=-1), 6 * (red - green), 6 * (blue - green)], axis=-1))


def colours(points: Array32, shares: tuple[float, float]) -> Array32:
    """The colours (n, 3) of what lies between two shares of points (n, k, 3), the darkest first, as
    :func:`opponents`."""
    first, last = (int(share * points.shape[1]) for share in shares)
    return opponents(np.asarray(points[:, first:last].mean(axis=1), np.float32))


def ground(crops: Pixels) -> Array32:
    """The colours (n, 3) of what is around the print of faces, by their crops (n, H, W, 3), to be compared
    with others of their photo. Every second pixel tells as much."""
    return colours(lights(crops[:, ::2, ::2]), _WHITE)


Compare = Callable[[Array32, Array32, Pixels], Array32]
"""What the probabilities (n, classes) of a photo's tiles become by their quads (n, 4, 2) and the crops
(n, H, W, 3) that they are of: :func:`compare`."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is to be said of m blanks. ``tiles`` (m,): their numbers among all that was seen; ``odds`` (m,):
    log of the odds that it is a white dragon, by the network alone; ``facts`` (m, :data:`FACTS`): what the
    network says of each of the three; whether printed faces lie there, how far its colour is from their
    white, on average, part by part and at all, and from the nearest white, and where the nearest lies; for
    each of ``_ALIKE`` what blanks of its colour are taken for and how many they are, and what those of other
    colours are taken for; what lies beside it, faces, backs and white dragons; how much its brightness
    differs within, its size beside that of printed faces and by itself, and how many of these there are.
    """

    tiles: Indices
    odds: Array32
    facts: Array32


def evidence(probabilities: Array32, quads: Array32, crops: Pixels) -> Evidence:
    """Arguments as those of :data:`Compare`."""
    likeliest, size = probabilities.argmax(axis=1), np.maximum(sizes(quads), 1)
    blank = probabilities[:, _BLANKS]
    tiles = np.flatnonzero(np.isin(likeliest, _BLANKS) & (blank[:, :2].sum(axis=1) > _TAKEN))
    printed = np.flatnonzero(np.isin(likeliest, _PRINTED) & (probabilities.max(axis=1) > _PRINT))
    facts = np.zeros((len(tiles), FACTS), np.float32)
    if not len(tiles):
        return Evidence(tiles, np.zeros(0, np.float32), facts)
    points, white = lights(crops[tiles]), colours(lights(crops[printed]), _WHITE)
    logs = np.log(blank[tiles] + _LEAST)
    odds = logs[:, 0] - np.log(np.exp(logs[:, 1]) + np.exp(logs[:, 2]))
    middle, centre = colours(points, _BLANK), quads.mean(axis=1)
    away = np.linalg.norm(centre[tiles][:, None] - centre, axis=2) / size[tiles][:, None]
    facts[:, :3] = logs
    if len(printed):
        nearest = np.argsort(away[:, printed], axis=1)[:, :_NEAREST]
        off = middle - white[nearest].mean(axis=1)
        facts[:, 3], facts[:, 4:7], facts[:, 7] = 1, off, np.linalg.norm(off, axis=1)
        facts[:, 8] = np.linalg.norm(white[nearest] - middle[:, None], axis=2).min(axis=1)
        facts[:, 9] = np.log1p(away[:, printed].min(axis=1))
    apart = np.linalg.norm(middle[:, None] - middle, axis=2)
    against, others = logs[:, 0] - logs[:, 1], 1 - np.eye(len(tiles), dtype=np.float32)
    for column, wide in zip((10, 13), _ALIKE, strict=True):
        alike = np.exp(-(apart**2) / (2 * wide**2)) * others
        many = alike.sum(axis=1)
        facts[:, column] = alike @ against / (many + _FEW)
        facts[:, column + 1] = alike @ logs[:, 2] / (many + _FEW)
        facts[:, column + 2] = np.log1p(many)
    unlike = others - alike
    facts[:, 16] = unlike @ against / (unlike.sum(axis=1) + _FEW)
    beside = ((away < _BESIDE) & (np.arange(len(quads)) != tiles[:, None])).astype(np.float32)
    facts[:, 17] = beside @ probabilities[:, _PRINTED].sum(axis=1)
    facts[:, 18:20] = beside @ probabilities[:, _BLANKS[:2]][:, ::-1]
    facts[:, 20] = points.sum(axis=2).std(axis=1) / 150
    facts[:, 21] = np.log(size[tiles] / np.median(size[printed] if len(printed) else size))
    facts[:, 22], facts[:, 23] = np.log(size[tiles] / 30), len(printed) / 20
    return Evidence(tiles, np.asarray(odds, np.float32), facts)


LAYER: Final = Layer.read(FILE)
"""The weights that photos are read with."""


def compare(probabilities: Array32, quads: Array32, crops: Pixels, layer: Layer = LAYER) -> Array32:
    """The probabilities (n, classes) with what each blank has shared anew between a white dragon and the two
    others, these as they were to each other."""
    seen = evidence(probabilities, quads, crops)
    if not len(seen.tiles):
        return probabilities
    changed = probabilities.copy()
    blank = probabilities[np.ix_(seen.tiles, _BLANKS)]
    whole, rest = blank.sum(axis=1), np.maximum(blank[:, 1:].sum(axis=1), _LEAST**2)
    white = whole * layer.chance(seen.odds, seen.facts)
    changed[seen.tiles, WHITE_INDEX] = white
    changed[np.ix_(seen.tiles, _BLANKS[1:])] = blank[:, 1:] * ((whole - white) / rest)[:, None]
    return changed
