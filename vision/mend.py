"""Quads that cannot be whole tiles of the plane, made whole: one that covers two, a half of one, one far off.

All of them are guesses: the face network has to see a face there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from vision.arrays import Array
from vision.labels import WHITE_INDEX
from vision.plane import TILE_HEIGHT, TILE_WIDTH
from vision.quads import axes, parallelograms
from vision.rows import Frame, Tiles

_DOUBLES = ((TILE_HEIGHT, 2 * TILE_WIDTH), (TILE_WIDTH, 2 * TILE_HEIGHT))
"""Short and long side of two tiles that are seen as one; the long one is cut in the middle."""
_HALVES = ((TILE_HEIGHT / 2, TILE_WIDTH), (TILE_WIDTH / 2, TILE_HEIGHT))
"""Short and long side of half a tile; the short one is doubled, to either side."""
_SHIFT = (TILE_HEIGHT - TILE_WIDTH) / 2
"""How far two neighbours' middles lie apart where a turned one is flush with the other."""


@dataclass(frozen=True, slots=True)
class Mend:
    """What may lie in the place of some quads. ``out``: their indices; ``quads``: (k, 4, 2) pixels.

    ``blank``: it may be a white dragon. Where no tile was seen it may not: cloth and sides are as blank.
    ``like``: the index of a tile that one there has to look like, a back or a white dragon by its colour.
    """

    out: tuple[int, ...]
    quads: Array
    blank: bool = True
    like: int | None = None


def resized(tiles: Tiles, hand: Sequence[int]) -> Iterator[Mend]:
    """What quads of odd sizes may show, where no whole tile lies already.

    One that is neither two tiles nor a half may be a tile with wrong corners, if it is near the ``hand``; so
    may one that is as large as two, with a called tile's side.
    """
    odd = np.flatnonzero(~tiles.usable)
    far, same_spot = tiles.habits.mends.far, tiles.habits.rows.same_spot
    for i, *sides in zip(odd, *axes(tiles.plane.apply(tiles.quads[odd])), strict=True):
        centre, (short, long) = tiles.centre[i], sorted(sides, key=np.linalg.norm)
        near = np.linalg.norm(tiles.centre[list(hand)] - centre, axis=1).min(initial=far) < far
        if _is_one_of(_DOUBLES, tiles, short, long):
            width, height = (side / np.linalg.norm(side) for side in (short, long))
            one = parallelograms(centre, TILE_WIDTH * width, TILE_HEIGHT * height)
            if near and is_free(tiles, one):
                yield Mend((int(i),), tiles.plane.invert(one[None]))
            parts = [parallelograms(centre + sign * long / 4, short, long / 2) for sign in (-1, 1)]
            parts = [part for part in parts if is_free(tiles, part)]
            if parts:
                yield Mend((int(i),), tiles.plane.invert(np.array(parts)))
        elif _is_one_of(_HALVES, tiles, short, long):
            for sign in (-1, 1):
                part = parallelograms(centre + sign * short / 2, 2 * short, long)
                if is_free(tiles, part):
                    inside = np.linalg.norm(tiles.centre[odd] - part.mean(axis=0), axis=1) < same_spot
                    yield Mend(tuple(odd[inside].tolist()), tiles.plane.invert(part[None]))
        elif near:
            right, up = np.array([-tiles.up[i, 1], tiles.up[i, 0]]), tiles.up[i]
            whole = parallelograms(centre, right * TILE_WIDTH, -up * TILE_HEIGHT)
            if is_free(tiles, whole):
                yield Mend((int(i),), tiles.plane.invert(whole[None]))


def beside(tiles: Tiles, hand: Sequence[int], nothing: Array) -> Iterator[Mend]:
    """Whole tiles that touch one of the ``hand`` where a quad of ``nothing`` (k, 4, 2) lies; beside a white
    dragon it may be another.

    A quad that is far off its tile shows no face; beside a tile that is known another can lie in few ways.
    """
    if not len(hand):
        return
    for centre in tiles.plane.apply(nothing).mean(axis=1):
        nearest = hand[int(np.linalg.norm(tiles.centre[list(hand)] - centre, axis=1).argmin())]
        up, away = tiles.up[nearest], centre - tiles.centre[nearest]
        right = np.array([-up[1], up[0]])
        # It touches one of the nearest tile's long sides or one of its short ones, with either of its own.
        for toward, along, reach in ((right, up, TILE_WIDTH), (up, right, TILE_HEIGHT)):
            for wide, tall in ((TILE_WIDTH, TILE_HEIGHT), (TILE_HEIGHT, TILE_WIDTH)):
                step = np.sign(away @ toward) * (reach + wide) / 2
                spot = tiles.centre[nearest] + toward * step + along * np.clip(away @ along, -_SHIFT, _SHIFT)
                if hypot(*(spot - centre)) < tiles.habits.rows.same_spot:
                    part = parallelograms(spot, toward * wide, along * tall)
                    if is_free(tiles, part):
                        yield Mend((), tiles.plane.invert(part[None]), blank=False)
                        if tiles.kinds[nearest] == WHITE_INDEX and tiles.best[nearest] > tiles.back[nearest]:
                            yield Mend((), tiles.plane.invert(part[None]), like=nearest)


def between(tiles: Tiles, frames: Sequence[Frame]) -> Iterator[Mend]:
    """A tile, standing or turned, that just fits between two that lie in line, of which one shows a face.
    Between two white dragons it is a third; beside a back it may be the other one of an ankan."""
    habit, found = tiles.habits, list[Array]()
    for frame in frames:
        ends, starts = (np.array([run.columns[k].tiles[0] for run in frame.runs], np.intp) for k in (-1, 0))
        away = tiles.centre[starts][None] - tiles.centre[ends][:, None]
        right, up = frame.rights[ends], frame.ups[ends]
        across, rise = ((away * axis[:, None]).sum(axis=-1) for axis in (right, up))
        gap = across - (frame.wide[ends][:, None] + frame.wide[starts][None]) / 2
        shown = tiles.best > tiles.back
        near = (np.abs(rise) < habit.rows.stagger) & (shown[ends][:, None] | shown[starts][None])
        for wide, tall in ((TILE_WIDTH, TILE_HEIGHT), (TILE_HEIGHT, TILE_WIDTH)):
            for one, other in np.argwhere(near & (np.abs(gap - wide) < habit.mends.fits)):
                middle = tiles.centre[ends[one]] + right[one] * (frame.wide[ends[one]] + gap[one, other]) / 2
                middle = middle + up[one] * rise[one, other] / 2
                spot = parallelograms(middle, right[one] * wide, -up[one] * tall)
                key = np.append(middle, wide)
                known = any(np.linalg.norm(key - each) < habit.table.hole_known for each in found)
                if not known and is_free(tiles, spot):
                    found.append(key)
                    white = tiles.kinds[ends[one]] == tiles.kinds[starts[other]] == WHITE_INDEX
                    like = int(ends[one]) if white else None
                    yield Mend((), tiles.plane.invert(spot[None]), blank=False, like=like)
                    if backs := [int(i) for i in (ends[one], starts[other]) if not shown[i]]:
                        yield Mend((), tiles.plane.invert(spot[None]), like=backs[0])


def added(frame: Frame, called: Sequence[int]) -> Iterator[Mend]:
    """What may make a kakan of a pon: a tile above or below the ``called`` one, which lies on its side.

    Where it was seen askew, or not at all, a pon is left, and with one a hand has its tiles as well.
    """
    tiles = frame.tiles
    for i in called:
        right, up = frame.rights[i], frame.ups[i]
        for side in (1, -1):
            centre = tiles.centre[i] + side * up * TILE_WIDTH
            out = np.flatnonzero(np.linalg.norm(tiles.centre - centre, axis=1) < tiles.habits.rows.same_spot)
            spot = parallelograms(centre, right * TILE_HEIGHT, -up * TILE_WIDTH)
            yield Mend(tuple(out.tolist()), tiles.plane.invert(spot[None]), like=i)


def fourth(frame: Frame, called: Sequence[tuple[int, int]]) -> Iterator[Mend]:
    """What may make a kan of a pon: a tile next to an end of it, ``called``, with its side, -1 or 1."""
    for tile, side in called:
        spot = next_to(frame, tile, side)
        if is_free(frame.tiles, spot):
            yield Mend((), frame.tiles.plane.invert(spot[None]), like=tile)


def next_to(frame: Frame, tile: int, side: int) -> Array:
    """Where an upright tile would lie that touches a tile on its left (``side`` -1) or right (1): (4, 2)."""
    right, up = frame.rights[tile], frame.ups[tile]
    centre = frame.tiles.centre[tile] + side * right * (frame.wide[tile] + TILE_WIDTH) / 2
    return parallelograms(centre, right * TILE_WIDTH, -up * TILE_HEIGHT)


def is_free(tiles: Tiles, quad: Array) -> bool:
    """Whether no whole tile lies there."""
    whole = tiles.centre[tiles.usable]
    nearest = np.linalg.norm(whole - quad.mean(axis=0), axis=1).min(initial=np.inf)
    return bool(nearest > tiles.habits.rows.same_spot)


def _is_one_of(sizes: tuple[tuple[float, float], ...], tiles: Tiles, short: Array, long: Array) -> bool:
    sides = np.log([np.linalg.norm(short) + 1e-6, np.linalg.norm(long) + 1e-6])
    return any(np.abs(sides - np.log(size)).max() < tiles.habits.mends.alike for size in sizes)
