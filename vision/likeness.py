"""Faces that are in doubt between two kinds, told by how like they are to the sure ones of their photo.

Of a set that the face network never saw it may not know a three of characters from a six; but where one of
them is surely seen elsewhere on the table, the other tiles of its kind look like that one. So the network's
last maps of a doubtful tile are held against those of the tiles that are surely of either kind.

The weights, ``vision/likeness.npz``, are fitted on renders by ``python -m models.likeness``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from vision.arrays import Array32, Indices
from vision.kinds import KIND_OF_FACE, of_kinds
from vision.labels import FACES
from vision.layer import Layer

FILE: Final = Path(__file__).with_name("likeness.npz")

Compare = Callable[[Array32, Array32, Indices], Array32]
"""What the probabilities (n, classes) of a photo's tiles become by the network's last maps of them, (n,
channels, cells), and by how many quarters each was turned when it made these: :func:`compare`."""

_LEAST = 1e-4
"""Probability that a kind has at least."""

_SURE = 0.9
"""Probability from which a tile shows what its kind looks like; labels were smoothed by 0.05 in training."""

_CLEAR = 4.0
"""Log of the odds of the likelier kind from which a tile is in no doubt: of 205 tiles of hands that were
read as the second likeliest on 2,000 scenes (seeds 914 and 915) 194 were below it, of all one in 25."""

_FACE = 0.3
"""What both kinds come to together, at least."""

BOTH, EACH = 2, 5
"""Facts of both kinds together, the odds first, and of each of them."""

FACTS: Final = BOTH + 2 * EACH
"""How many :attr:`Evidence.facts` there are of a tile."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is to be said of m tiles in doubt where a sure one of either kind is seen. ``tiles`` (m,): their
    numbers among all; ``kinds`` (m, 2): the likelier one and the other; ``odds`` (m,): logs of the odds that
    it is the likelier one, by the network alone.

    ``facts`` (m, 12): these again, and what both come to; of each kind whether a sure tile lies there, how
    many there are (a log), the cosine of the likest one and the mean of all, and the cosine of the likest
    where what all tiles share is left out.
    """

    tiles: Indices
    kinds: Indices
    odds: Array32
    facts: Array32


def evidence(probabilities: Array32, maps: Array32, turns: Indices) -> Evidence:
    """Arguments as those of :data:`Compare`. Head down the cells lie over the same parts of a face as
    upright, backwards; tiles on their side compare with one another alone."""
    kinds = of_kinds(probabilities)
    order = np.argsort(-kinds, axis=1)[:, :2]
    first, second = np.take_along_axis(kinds, order, axis=1).T
    odds = np.asarray(np.log(first + _LEAST) - np.log(second + _LEAST), np.float32)
    faces = probabilities.argmax(axis=1) < len(FACES)
    tiles = np.flatnonzero(faces & (odds < _CLEAR) & (first + second > _FACE))
    facts = np.zeros((len(tiles), FACTS), np.float32)
    facts[:, 0], facts[:, 1] = odds[tiles], (first + second)[tiles]
    sure = np.flatnonzero(first > _SURE)
    if len(tiles) and len(sure):
        upright = np.where((turns >= 2)[:, None, None], maps[..., ::-1], maps).reshape(len(maps), -1)
        whole = _unit(upright.astype(np.float32))
        own = _unit(whole - whole[sure].mean(axis=0))
        for row, tile in enumerate(tiles.tolist()):
            likewise = sure[(turns[sure] % 2 == turns[tile] % 2) & (sure != tile)]
            for side, kind in enumerate(order[tile]):
                kin = likewise[order[likewise, 0] == kind]
                if len(kin):
                    like = whole[kin] @ whole[tile]
                    start = BOTH + EACH * side
                    facts[row, start : start + EACH] = (
                        1, np.log(len(kin)), like.max(), like.mean(), (own[kin] @ own[tile]).max()
                    )  # fmt: skip
    heard = facts[:, [BOTH, BOTH + EACH]].any(axis=1)
    return Evidence(tiles[heard], order[tiles[heard]], odds[tiles[heard]], facts[heard])


def _unit(rows: Array32) -> Array32:
    """(n, k) rows of length 1."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), _LEAST), np.float32)


LAYER: Final = Layer.read(FILE)
"""The weights that photos are read with."""


def compare(probabilities: Array32, maps: Array32, turns: Indices, layer: Layer = LAYER) -> Array32:
    """The probabilities (n, classes) with what each tile in doubt has shared anew between its two kinds."""
    seen = evidence(probabilities, maps, turns)
    if not len(seen.tiles):
        return probabilities
    changed = probabilities.copy()
    chance = layer.chance(seen.odds, seen.facts)
    for tile, kinds, share in zip(seen.tiles, seen.kinds, chance, strict=True):
        classes = [np.flatnonzero(kind == KIND_OF_FACE) for kind in kinds]
        parts = [max(float(probabilities[tile, each].sum()), _LEAST) for each in classes]
        for each, part, now in zip(classes, parts, (share, 1 - share), strict=True):
            changed[tile, each] *= sum(parts) * now / part
    return changed
