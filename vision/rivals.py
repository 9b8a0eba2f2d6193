"""Other finished hands beside the one that is taken: several may have won, or lie open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter

import numpy as np

from vision.arrays import Array, Indices
from vision.candidates import Candidate
from vision.decode import sets_unseen
from vision.habits import DoubtHabits
from vision.reckoning import Weighed

_SET = 4
"""Tiles of a set at most. A hand may seem to have a set of another's; with more of its tiles it is that one,
otherwise seen."""


def rivals(answers: Sequence[Weighed], habit: DoubtHabits) -> Iterator[Weighed]:
    """Of at least one answer, the likeliest first, the hands of other tiles than those of the first one, if
    that is finished, of which each may be finished, too: those that are by their own lights; those that would
    be with called sets that were not seen; and rows of so many tiles that some may have been overlooked or
    misread."""
    best = answers[0]
    if not best.answer.finished:
        return
    near, mine = nearness(best.candidate), best.candidate.middles
    closed, known = [best.candidate.closed_middles], [mine]
    ranked = ((rank, other) for other in answers[1:] if (rank := _rank(other, habit)) is not None)
    for rank, other in sorted(ranked, key=itemgetter(0)):
        there, theirs = other.candidate.middles, other.candidate.closed_middles
        if rank == 0:
            is_taken = any(shared(theirs, each, near) for each in closed) or shared(there, mine, near) > _SET
        else:
            is_taken = any(shared(there, each, near) for each in known)
        if not is_taken:
            closed.append(theirs)
            known.append(other.candidate.unwon_middles)
            yield other


def _rank(other: Weighed, habit: DoubtHabits) -> int | None:
    """Which of the answers about the same tiles is looked at: that with the lowest number; None for none."""
    layout = other.candidate.layout
    if other.answer.finished:
        return 0
    if 0 < sets_unseen(layout, other.candidate.decoded.labels) <= habit.torn:
        return 1
    return 2 if layout.size >= habit.whole else None


def nearness(candidate: Candidate) -> float:
    """How far apart, in pixels, one tile's middles lie in two looks at most, by a hand of some tiles."""
    quads = candidate.quads[list(candidate.layout.hand)]
    return float(np.linalg.norm(quads[:, 0] - quads[:, 1], axis=1).mean()) / 2


def matched(some: Array, others: Array, near: float) -> Indices:
    """(n,) for each point the number of the other one that lies there, or -1."""
    if not len(some) or not len(others):
        return np.full(len(some), -1)
    x, y = (some[:, k, None] - others[:, k] for k in (0, 1))
    away = x * x + y * y
    nearest = away.argmin(axis=1)
    return np.where(away[np.arange(len(some)), nearest] < near * near, nearest, -1)


def shared(some: Array, others: Array, near: float) -> int:
    """How many of some points lie where others do."""
    return int((matched(some, others, near) >= 0).sum())
