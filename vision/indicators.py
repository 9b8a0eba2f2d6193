"""Dora indicators: faces within a wall of backs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from vision.plane import TILE_WIDTH
from vision.rows import Frame, Run


def indicators(frame: Frame, run: Run) -> Iterator[int]:
    """Faces within a wall of backs; an ankan of another player has two of them, equal."""
    for turned, columns in groupby(run.columns, key=lambda column: column.turned):
        if not turned:
            yield from _dora_among(frame, [column.tiles[0] for column in columns])


def _dora_among(frame: Frame, row: Sequence[int]) -> Sequence[int]:
    """The indicators among upright neighbours."""
    tiles, habit = frame.tiles, frame.tiles.habits.indicators
    down = [bool(tiles.back[i] > tiles.best[i]) for i in row]
    shown = [i for i, is_back in zip(row, down, strict=True) if not is_back]
    kinds = {int(tiles.faces[i].argmax()) for i in shown}
    if not shown or (len(row) == 4 and len(shown) == 2 and len(kinds) == 1):
        return ()
    sides = groupby(zip(row, down, strict=True), key=lambda entry: entry[1])
    groups = [[i for i, _ in group] for is_back, group in sides if not is_back]
    if len(groups) > 1:  # what touches a wall's end is none of it
        groups = [group for group in groups if row[0] not in group and row[-1] not in group]
    if len(groups) != 1 or len(groups[0]) > (habit.most if any(down) else habit.most_bare):
        return ()
    backs = [i for i, is_back in zip(row, down, strict=True) if is_back]
    walled = len(backs) >= habit.least_backs and _tidy(frame, [*backs, groups[0][0]])
    return groups[0] if walled or _in_a_wall(frame, groups[0]) else ()


def _tidy(frame: Frame, row: Sequence[int]) -> bool:
    """Whether tiles lie side by side as in a wall, not as in a heap."""
    ups = frame.ups[list(row)]
    middle = ups.mean(axis=0) / np.linalg.norm(ups.mean(axis=0))
    return bool((ups @ middle).min() > np.cos(frame.tiles.habits.indicators.tidy))


def _in_a_wall(frame: Frame, group: Sequence[int]) -> bool:
    """Whether two backs at least lie in line with the faces, the nearer one next to them but for a tile
    that was drawn."""
    tiles, habit = frame.tiles, frame.tiles.habits.indicators
    away = tiles.centre - tiles.centre[list(group)].mean(axis=0)
    right = frame.rights[list(group)].mean(axis=0)
    beside = np.abs(away @ right) - len(group) * TILE_WIDTH / 2
    off = np.abs(away @ np.array([right[1], -right[0]]))
    backs = (tiles.back > tiles.best) & (frame.quarter % 2 == 0) & (frame.quarter >= 0)
    wall = np.flatnonzero(backs & (off < habit.in_line) & (beside < habit.within))
    if len(wall) < habit.least_backs or float(beside[wall].min()) > habit.next_within:
        return False
    return _tidy(frame, [*wall.tolist(), *group])
