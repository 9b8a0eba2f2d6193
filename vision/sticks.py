"""Sixes of bamboos told from nines by how often their columns repeat.

However sticks are drawn, with a knuckle or a bead, as bones or as cords: a column of two of them looks like
itself after half its length, a column of three after a third. So what the face network takes for one of the
two is also asked how like itself it is, shifted along its length by any distance.

The weights, ``vision/sticks.npz``, are fitted on renders by ``python -m models.sticks``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from vision.arrays import Array32, Indices, Pixels
from vision.labels import CLASSES
from vision.layer import Layer

FILE: Final = Path(__file__).with_name("sticks.npz")

Compare = Callable[[Array32, Pixels, Indices], Array32]
"""What probabilities (n, classes) become by the crops (n, H, W, 3) that they are of, and by how many quarters
the tiles stand turned in these: :func:`compare`."""

_PAIR = np.array([CLASSES.index("6s"), CLASSES.index("9s")])
_LEAST = 1e-4
"""Probability that each of the two has at least."""

_ROWS, _COLUMNS = slice(11, 69), slice(9, 55)
"""Where a tile's print lies in a crop of 80 by 64 pixels that shows an eighth more on every side."""

_SHIFTS = range(12, 40)
"""By how many of these rows it is shifted: from a fifth to two thirds of its length."""

_FLAT = 1e-6
"""What is as even as this is like nothing."""

FACTS: Final = len(_SHIFTS) + 1
"""How many :attr:`Evidence.facts` there are."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is to be said of m tiles that are taken for a six or a nine. ``tiles`` (m,): their numbers among
    all; ``odds`` (m,): logs of the odds that they are sixes, by the network alone; ``facts`` (m,
    :data:`FACTS`): these again, and for each shift the correlation of what lies on itself then, -1 to 1."""

    tiles: Indices
    odds: Array32
    facts: Array32


def evidence(probabilities: Array32, crops: Pixels, turns: Indices) -> Evidence:
    """Arguments as those of :data:`Compare`."""
    tiles = np.flatnonzero(np.isin(probabilities.argmax(axis=1), _PAIR))
    facts = np.empty((len(tiles), FACTS), np.float32)
    if len(tiles):
        six, nine = np.log(probabilities[np.ix_(tiles, _PAIR)] + _LEAST).T
        upright = [_upright(crop, turn) for crop, turn in zip(crops[tiles], turns[tiles] % 2, strict=True)]
        facts[:, 0], facts[:, 1:] = six - nine, _likeness(np.stack(upright))
    return Evidence(tiles, facts[:, 0], facts)


def _upright(crop: Pixels, turn: int) -> Pixels:
    """The crop of a tile that lies on its side, set up: head down it repeats as it does upright."""
    if not turn:
        return crop
    height, width = crop.shape[:2]
    down, across = np.arange(height) * width // height, np.arange(width) * height // width
    return np.asarray(np.rot90(crop)[down][:, across])


def _likeness(crops: Pixels) -> Array32:
    """(m, shifts) the correlations of crops with themselves, what all their columns share left out."""
    grey = crops[:, _ROWS, _COLUMNS].mean(axis=3, dtype=np.float32)
    grey -= grey.mean(axis=1, keepdims=True)
    # Of rows from the first on, and of rows to the last: their sums and their squares' sums.
    sums = np.stack([grey.sum(axis=2), (grey**2).sum(axis=2)])
    above = sums.cumsum(axis=2)
    below = sums[:, :, ::-1].cumsum(axis=2)
    found = []
    for shift in _SHIFTS:
        rows = grey.shape[1] - shift
        count = rows * grey.shape[2]
        (first, first_squares), (last, last_squares) = above[:, :, rows - 1], below[:, :, rows - 1]
        both = np.einsum("mij,mij->m", grey[:, :rows], grey[:, shift:])
        spread = (first_squares - first**2 / count) * (last_squares - last**2 / count)
        found.append((both - first * last / count) / np.sqrt(np.maximum(spread, _FLAT)))
    return np.stack(found, axis=1)


LAYER: Final = Layer.read(FILE)
"""The weights that photos are read with."""


def compare(probabilities: Array32, crops: Pixels, turns: Indices, layer: Layer = LAYER) -> Array32:
    """The probabilities (n, classes) with what each six or nine has shared anew between the two."""
    seen = evidence(probabilities, crops, turns)
    if not len(seen.tiles):
        return probabilities
    changed = probabilities.copy()
    both = probabilities[np.ix_(seen.tiles, _PAIR)].sum(axis=1)
    six = both * layer.chance(seen.odds, seen.facts)
    changed[np.ix_(seen.tiles, _PAIR)] = np.stack([six, both - six], axis=1)
    return changed
