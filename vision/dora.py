"""Which of the tiles beside a hand are indicators of the dora: in a wall, or by what is left of one.

Rules find those within a wall (:mod:`vision.indicators`). A layer hears what they say and how each tile lies
to the backs, the faces and the hand around it, and tells how likely it is one. Its weights,
``vision/dora.npz``, are fitted on renders by ``python -m models.dora``. On bare cloth, far from any back,
nothing marks one: whatever the layer says, the player is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from vision.arrays import Array, Array32, Indices, Mask
from vision.decode import counted
from vision.labels import FACES, WHITE_INDEX
from vision.layer import Layer
from vision.plane import TILE_HEIGHT, TILE_WIDTH
from vision.quads import areas
from vision.rows import Tiles
from vision.table import Layout

FILE: Final = Path(__file__).with_name("dora.npz")

_BESIDE = (1.6, 2.7, 5.0, 8.5)
"""In widths: as far along its row the tiles beside one are counted, on both sides together."""

_AROUND = (2.0, 3.5, 6.0, 10.0)
"""In widths: as far around it faces are counted."""

_FAR = 40.0
"""In widths: how far away lies what is not there."""

_RULED = 4.0
"""Log of the odds, before the layer has a say, that what the rules find is an indicator, and others none."""

FACTS: Final = 35
"""How many :attr:`Evidence.facts` there are of a tile."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is to be said of m faces that are no part of the hand: ``tiles`` (m,) their numbers among all,
    ``odds`` (m,) by the rules alone, ``facts`` (m, :data:`FACTS`), and how far the nearest back is,
    ``from_back`` (m,), in widths."""

    tiles: Indices
    odds: Array32
    facts: Array32
    from_back: Array


def evidence(tiles: Tiles, layout: Layout) -> Evidence:
    """Of the faces beside the hand of a layout, which has at least one tile."""
    hand = list(layout.hand)
    mine = np.isin(np.arange(len(tiles.labels)), hand)
    back, face = (tiles.back > tiles.best) & ~mine, (tiles.best > np.log(0.5)) & ~mine
    some = np.flatnonzero(face)
    up = tiles.up[some]
    away = tiles.centre[None] - tiles.centre[some][:, None]
    across = np.abs((away * np.column_stack([-up[:, 1], up[:, 0]])[:, None]).sum(axis=2)) / TILE_WIDTH
    along = np.abs((away * up[:, None]).sum(axis=2)) / TILE_HEIGHT
    distance = np.linalg.norm(away, axis=2) / TILE_WIDTH
    distance[np.arange(len(some)), some] = across[np.arange(len(some)), some] = _FAR  # from itself
    in_row, over = along < 0.4, (across < 0.7) & (along > 0.6) & (along < 1.6)

    def count(kind: Mask, where: Mask) -> Array:
        return np.asarray((kind & where).sum(axis=1))

    def nearest(kind: Mask) -> Array:
        return np.asarray(np.where(kind, distance, _FAR).min(axis=1, initial=_FAR))

    to_hand = np.linalg.norm(tiles.centre[:, None] - tiles.centre[hand], axis=2).min(axis=1) / TILE_WIDTH
    nearer = to_hand < to_hand[some][:, None]
    hand_up = tiles.up[hand].mean(axis=0)
    hand_up /= max(float(np.linalg.norm(hand_up)), 1e-9)
    from_hand = (tiles.centre[some] - tiles.centre[hand].mean(axis=0)) / (_FAR * TILE_WIDTH / 2)
    aside = np.tanh(from_hand @ np.array([-hand_up[1], hand_up[0]]))
    size = np.log(np.abs(areas(tiles.plane.apply(tiles.quads))) / (TILE_WIDTH * TILE_HEIGHT) + 1e-3)
    whole = np.array([back.sum() / 20, min(back.sum(), 3), face.sum() / 20, min(face.sum(), 12), len(hand)])
    ruled, from_back = np.isin(some, layout.dora), nearest(back)
    facts = [
        ruled, tiles.best[some], np.array(tiles.kinds)[some] == WHITE_INDEX, tiles.usable[some],
        size[some] - np.median(size[hand]),
        up @ hand_up, np.abs(up @ hand_up), np.log1p(to_hand[some]), np.tanh(from_hand @ hand_up),
        aside, np.abs(aside), count(mine, distance < 2.5), np.log1p(from_back), np.log1p(nearest(face)),
        *(count(kind, in_row & (across < reach)) for kind in (back, face) for reach in _BESIDE),
        count(back, (along < 1.2) & (across < _BESIDE[-1])), count(back, over),
        count(face, over & nearer), count(face, over & ~nearer),
        *(count(face, distance < reach) for reach in _AROUND),
        *np.tile(whole[:, None], len(some)),
    ]  # fmt: skip
    odds = np.where(ruled, _RULED, -_RULED)
    return Evidence(some, odds.astype(np.float32), np.column_stack(facts).astype(np.float32), from_back)


LAYER: Final = Layer.read(FILE)
"""The weights that photos are read with."""


def indicators(
    tiles: Tiles, layout: Layout, labels: Sequence[str], layer: Layer = LAYER
) -> tuple[list[int], list[int]]:
    """The faces beside a hand and near a back that surely are indicators, and those that may be, likeliest
    first: together no more than can lie open, none of a kind of which the hand and the likelier ones have
    all four. ``labels``: (n,) of all tiles."""
    sure, unsure = list[int](), list[int]()
    if not layout.size:
        return sure, unsure
    habit, seen = tiles.habits.indicators, evidence(tiles, layout)
    chance, left = layer.chance(seen.odds, seen.facts), 4 - np.sum(counted(layout, labels), axis=0)
    if layout.win is not None:
        left[tiles.kinds[layout.win]] -= 1
    chance[seen.from_back > habit.from_back] = 0
    for k in np.argsort(-chance, kind="stable")[: habit.most].tolist():
        tile = int(seen.tiles[k])
        if labels[tile] in FACES and left[tiles.kinds[tile]] > 0 and chance[k] > habit.unsure:
            left[tiles.kinds[tile]] -= 1
            (sure if chance[k] > habit.sure else unsure).append(tile)
    return sure, unsure
