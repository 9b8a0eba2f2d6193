"""Dora indicators: faces within a wall of backs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from vision.arrays import Mask
from vision.labels import WHITE_INDEX
from vision.plane import TILE_HEIGHT, TILE_WIDTH
from vision.rows import Frame, Run, Tiles


def indicators(frame: Frame, run: Run) -> Iterator[int]:
    """Faces within a wall of backs; an ankan of another player has two of them, equal."""
    for turned, columns in groupby(run.columns, key=lambda column: column.turned):
        if not turned:
            yield from _dora_among(frame, [column.tiles[0] for column in columns])


def _dora_among(frame: Frame, row: Sequence[int]) -> Sequence[int]:
    """The indicators among upright neighbours."""
    tiles, habit = frame.tiles, frame.tiles.habits.indicators
    wall = _face_down(tiles, row)
    groups = _faces(row, wall)
    if len(groups) > 1:  # what touches a wall's end is none of it
        groups = [group for group in groups if row[0] not in group and row[-1] not in group]
    backs = [i for i in row if wall[i]]
    if len(groups) != 1 or len(groups[0]) > (habit.most if backs else habit.most_bare):
        return ()
    (group,) = groups
    if len(group) == len(backs) == 2 and len(_kinds(tiles, group)) == 1:
        return ()  # an ankan
    if len(group) > 2 and len(_kinds(tiles, group)) == 1:
        return ()  # a set
    if tiles.best[group].min() < np.log(habit.face):
        return ()
    if any(tiles.kinds[i] == WHITE_INDEX and tiles.best[i] < np.log(habit.dragon) for i in group):
        return ()
    if sum(_under_a_face(frame, i) for i in backs) * 2 > len(backs):
        return ()  # the side of a river
    walled = len(backs) >= habit.least_backs and _tidy(frame, [*backs, group[0]])
    return group if walled or _in_a_wall(frame, group, wall) else ()


def _face_down(tiles: Tiles, row: Sequence[int]) -> Mask:
    """(n,) the backs. Of a row with some what is white is one, too, unless all of that is surely dragons, and
    with more than an ankan has what can hardly be read and has no face next to it: backs may have a pattern.
    Of a row of white tiles with one group of faces in it those that may be backs are: so white a wall is only
    taken for dragons."""
    habit = tiles.habits.indicators
    backs = np.asarray(tiles.back > tiles.best)
    shown, white = int(backs[list(row)].sum()), [i for i in row if tiles.kinds[i] == WHITE_INDEX]
    walled = backs.copy()
    if shown >= habit.least_backs:
        walled[white] |= tiles.best[white].min(initial=0.0) < np.log(habit.dragon)
        if shown >= habit.no_ankan:
            for group in _faces(row, walled):
                walled[group] = tiles.best[group].max() < np.log(habit.face)
        return walled
    walled[white] |= tiles.back[white] >= np.log(habit.white)
    groups = _faces(row, walled)
    return walled if len(groups) == 1 and WHITE_INDEX not in _kinds(tiles, groups[0]) else backs


def _faces(row: Sequence[int], wall: Mask) -> list[list[int]]:
    """The groups of neighbours that lie face up."""
    return [[*group] for is_back, group in groupby(row, key=lambda i: bool(wall[i])) if not is_back]


def _under_a_face(frame: Frame, back: int) -> bool:
    """Whether a face, not a white one, touches the upper or lower side of what seems to be a back."""
    tiles, habit = frame.tiles, frame.tiles.habits.indicators
    away = tiles.centre - tiles.centre[back]
    off, beside = np.abs(away @ frame.ups[back]), np.abs(away @ frame.rights[back])
    touching = (beside < habit.over_side) & (np.abs(off - TILE_HEIGHT) < habit.over_off)
    face = tiles.usable & (tiles.best > np.log(habit.face))
    return bool((touching & face & (np.array(tiles.kinds) != WHITE_INDEX)).any())


def _kinds(tiles: Tiles, group: Sequence[int]) -> set[int]:
    return {tiles.kinds[i] for i in group}


def _tidy(frame: Frame, row: Sequence[int]) -> bool:
    """Whether tiles lie side by side as in a wall, not as in a heap."""
    ups = frame.ups[list(row)]
    middle = ups.mean(axis=0) / np.linalg.norm(ups.mean(axis=0))
    return bool((ups @ middle).min() > np.cos(frame.tiles.habits.indicators.tidy))


def _in_a_wall(frame: Frame, group: Sequence[int], wall: Mask) -> bool:
    """Whether two backs at least lie in line with the faces, the nearer one next to them but for a tile
    that was drawn, or one touches them and another lies a layer lower. Of a wall that is seen from its side
    an outline holds more than its top: how it is turned says nothing."""
    tiles, habit = frame.tiles, frame.tiles.habits.indicators
    away = tiles.centre - tiles.centre[list(group)].mean(axis=0)
    right = frame.rights[list(group)].mean(axis=0)
    beside = np.abs(away @ right) - len(group) * TILE_WIDTH / 2
    off = np.abs(away @ np.array([right[1], -right[0]]))
    near = wall & (beside < habit.within)
    first = float(beside[near & (off < habit.in_line)].min(initial=np.inf))
    layers = habit.lower if first < habit.touching else habit.in_line
    return first < habit.next_within and int((near & (off < layers)).sum()) >= habit.least_backs
