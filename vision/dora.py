"""Which of the tiles beside a hand are indicators of the dora: in a wall, or by what is left of one.

Rules find those within a wall (:mod:`vision.indicators`). A layer hears what they say, how each tile lies to
the backs, the faces and the hand around it, and what each neighbour is, and tells how likely it is one. Its
weights, ``vision/dora.npz``, are fitted on renders by ``python -m models.dora``. One that lies alone on bare
cloth may be anything: whatever the layer says, the player is asked.
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
from vision.quads import areas, axes, covered
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

NEIGHBOURS: Final = 28
"""The nearest tiles of one, and what seemed to be some, that are heard of."""

_REACH = 15.0
"""In widths: how far away they lie at most."""

MANY: Final = 8.0
"""What the sums of neighbours are divided by, to be as large as the highest."""

MARKS: Final = 14
"""How many marks there are of a neighbour."""

_THERE, _AWAY, _MINE = 0, 1, 11
"""Which of them say whether there is one, how far away it lies, and whether the hand has it."""

_UNIT = 5.0
"""Widths that distances are told in."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is to be said of m faces that are no part of the hand: ``tiles`` (m,) their numbers among all,
    ``odds`` (m,) by the rules alone, ``facts`` (m, :data:`FACTS`), ``around`` (m, :data:`NEIGHBOURS`,
    :data:`MARKS`) of their neighbours, all of them nothing where there are no more."""

    tiles: Indices
    odds: Array32
    facts: Array32
    around: Array32

    def alone(self, near: float) -> Mask:
        """(m,) which of them have nothing so near, in widths, that is not the hand's: such a one may be
        anything."""
        there, mine = (self.around[..., mark] > 0 for mark in (_THERE, _MINE))
        return np.asarray(~(there & ~mine & (_UNIT * self.around[..., _AWAY] < near)).any(axis=1))


def evidence(tiles: Tiles, layout: Layout, nothing: Array32) -> Evidence:
    """Of the faces beside the hand of a layout, which has at least one tile. ``nothing``: quads (k, 4, 2) of
    what seemed to be tiles, and shows no face and no back that anybody knows: the backs of some sets."""
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
    ruled = np.isin(some, layout.dora)
    facts = [
        ruled, tiles.best[some], np.array(tiles.kinds)[some] == WHITE_INDEX, tiles.usable[some],
        size[some] - np.median(size[hand]),
        up @ hand_up, np.abs(up @ hand_up), np.log1p(to_hand[some]), np.tanh(from_hand @ hand_up),
        aside, np.abs(aside), count(mine, distance < 2.5), np.log1p(nearest(back)), np.log1p(nearest(face)),
        *(count(kind, in_row & (across < reach)) for kind in (back, face) for reach in _BESIDE),
        count(back, (along < 1.2) & (across < _BESIDE[-1])), count(back, over),
        count(face, over & nearer), count(face, over & ~nearer),
        *(count(face, distance < reach) for reach in _AROUND),
        *np.tile(whole[:, None], len(some)),
    ]  # fmt: skip
    odds = np.where(ruled, _RULED, -_RULED)
    unknown = nothing.astype(float)
    around = _around(tiles, mine, some, unknown[~covered(unknown, tiles.quads)])
    return Evidence(some, odds.astype(np.float32), np.column_stack(facts).astype(np.float32), around)


def _around(tiles: Tiles, mine: Mask, some: Indices, nothing: Array) -> Array32:
    """(m, :data:`NEIGHBOURS`, :data:`MARKS`) of the neighbours of ``some`` (m,) tiles, as each sees them:
    where they lie, how they are turned, how large they are, and what. ``nothing``: quads (k, 4, 2) that may
    be tiles, too."""
    level, count = tiles.plane.apply(np.concatenate([tiles.quads, nothing])), len(nothing)
    head = axes(level[len(mine) :])[1]
    up = np.concatenate([tiles.up, -head / np.maximum(np.linalg.norm(head, axis=1, keepdims=True), 1e-9)])
    centre = np.concatenate([tiles.centre, level[len(mine) :].mean(axis=1)])
    size, kinds = np.log(np.abs(areas(level)) + 1e-3), np.concatenate([tiles.kinds, np.full(count, -1)])
    what = [np.exp(tiles.back), np.exp(tiles.best), tiles.usable, mine, kinds[: len(mine)] == WHITE_INDEX]
    seen = [*(np.concatenate([each, np.zeros(count)]) for each in what), np.arange(len(kinds)) >= len(mine)]
    ahead, away = up[some], centre[None] - centre[some][:, None]
    right = np.column_stack([-ahead[:, 1], ahead[:, 0]])
    distance = np.linalg.norm(away, axis=2) / TILE_WIDTH
    distance[np.arange(len(some)), some] = np.inf
    marks = np.stack([
        np.ones_like(distance), distance / _UNIT, (away @ right[..., None])[..., 0] / TILE_WIDTH / 4,
        (away @ ahead[..., None])[..., 0] / TILE_HEIGHT / 3, ahead @ up.T, right @ up.T,
        np.clip(size - size[some][:, None], -3, 3), kinds == kinds[some][:, None],
        *(np.broadcast_to(each, distance.shape) for each in seen),
    ], axis=2)  # fmt: skip
    marks[distance > _REACH] = 0
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :NEIGHBOURS]
    told = np.zeros((len(some), NEIGHBOURS, MARKS), np.float32)
    told[:, : nearest.shape[1]] = np.take_along_axis(marks, nearest[..., None], axis=1)
    return told


@dataclass(frozen=True, slots=True)
class Dora(Layer):
    """The weights: of each neighbour's marks ``near`` (:data:`MARKS`, h) with ``near_bias`` (h,), of these
    ``nearer`` (h, g) with ``nearer_bias`` (g,); the layer is of the highest and the sums of what all
    neighbours tell (Qi et al. 2017, https://arxiv.org/abs/1612.00593), and of the facts."""

    near: Array32
    near_bias: Array32
    nearer: Array32
    nearer_bias: Array32

    PRECISION = np.float16

    def heard(self, seen: Evidence) -> Array32:
        """What the layer is of."""
        there = seen.around[..., :1]
        cells = np.maximum(seen.around @ self.near + self.near_bias, 0)
        cells = np.maximum(cells @ self.nearer + self.nearer_bias, 0) * there
        told = cells.max(axis=1), cells.sum(axis=1) / MANY, seen.facts
        return np.concatenate(told, axis=1, dtype=np.float32)


LAYER: Final = Dora.read(FILE)
"""The weights that photos are read with."""


def indicators(
    tiles: Tiles, layout: Layout, labels: Sequence[str], nothing: Array32, layer: Dora = LAYER
) -> tuple[list[int], list[int]]:
    """The faces beside a hand that surely are indicators, and those that may be, likeliest first: together no
    more than can lie open, none that lies alone, none of a kind of which the hand and the likelier ones have
    all four. ``labels``: (n,) of all tiles; ``nothing`` as :func:`evidence` takes it."""
    sure, unsure = list[int](), list[int]()
    if not layout.size:
        return sure, unsure
    habit, seen = tiles.habits.indicators, evidence(tiles, layout, nothing)
    chance, left = layer.chance(seen.odds, layer.heard(seen)), 4 - np.sum(counted(layout, labels), axis=0)
    if layout.win is not None:
        left[tiles.kinds[layout.win]] -= 1
    chance[seen.alone(habit.near)] = 0
    for k in np.argsort(-chance, kind="stable")[: habit.most].tolist():
        tile = int(seen.tiles[k])
        if labels[tile] in FACES and left[tiles.kinds[tile]] > 0 and chance[k] > habit.unsure:
            left[tiles.kinds[tile]] -= 1
            (sure if chance[k] > habit.sure else unsure).append(tile)
    return sure, unsure
