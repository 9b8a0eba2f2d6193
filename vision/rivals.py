"""Other finished hands beside the one that is taken: several may have won, or lie open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from vision.arrays import Array, Indices
from vision.candidates import Candidate
from vision.decode import sets_unseen
from vision.reckoning import Weighed
from vision.weights import Weights

_SET = 4
"""Tiles of a set at most. A hand may seem to have a set of another's; with more of its tiles it is that one,
otherwise seen."""

_TINY = 1e-12
"""No share is told from less."""


def rivals(answers: Sequence[Weighed]) -> Iterator[Weighed]:
    """Of at least one answer, the likeliest first, the finished hands that have no closed tile in common with
    the first one, if that is finished, or with one another, and no more than a set of the first one's."""
    best = answers[0]
    if not best.answer.finished:
        return
    near, mine = nearness(best.candidate), best.candidate.middles
    known = [best.candidate.closed_middles]
    for other in answers[1:]:
        if not other.answer.finished:
            continue
        closed, there = other.candidate.closed_middles, other.candidate.middles
        if any(shared(closed, each, near) for each in known) or shared(there, mine, near) > _SET:
            continue
        known.append(closed)
        yield other


def rival_features(answers: Sequence[Weighed], rival: Weighed) -> Array:
    """What tells whether one of the rivals of at least one answer has been finished,
    (len(vision.weights.RIVAL),)."""
    best, near, there = answers[0], nearness(answers[0].candidate), rival.candidate.middles
    mine = best.candidate.middles
    theirs = sum(
        each.share for each in answers
        if shared(each.candidate.middles, there, near) * 2 >= min(len(each.candidate.middles), len(there))
    )  # fmt: skip
    away = np.linalg.norm(there.mean(axis=0) - mine.mean(axis=0)) / near
    shares = np.log(np.maximum([rival.share, theirs, 1 - best.share], _TINY))
    facts = [shares[0] - shares[1], shares[1], shared(there, mine, near), np.log1p(away), shares[2]]
    return np.concatenate([facts, rival.terms])


def believed(answers: Sequence[Weighed], weights: Weights) -> Iterator[tuple[Weighed, float]]:
    """The rivals, and how probable it is that each has been finished."""
    for rival in rivals(answers):
        yield rival, float(weights.rival.confidence(rival_features(answers, rival)))


def torn(answers: Sequence[Weighed], asked: Sequence[Weighed], most: int) -> Iterator[Weighed]:
    """Of at least one answer, the likeliest first, the finished hands of which called sets were not seen,
    ``most`` at most, that have no tile in common with the first one, with those ``asked`` about or with one
    another."""
    near, known = nearness(answers[0].candidate), [each.candidate.middles for each in (answers[0], *asked)]
    for other in answers[1:]:
        if 0 < sets_unseen(other.candidate.layout, other.candidate.decoded.labels) <= most:
            there = other.candidate.middles
            if not any(shared(there, each, near) for each in known):
                known.append(there)
                yield other


def beside(answers: Sequence[Weighed], least: int) -> bool:
    """Whether beside the first of at least one answer, if that is finished, some other one has so many tiles,
    a kan counted as three, and none of its own."""
    best = answers[0]
    if not best.answer.finished:
        return False
    mine, near = best.candidate.middles, nearness(best.candidate)
    others = (each.candidate for each in answers[1:] if each.candidate.layout.size >= least)
    return any(not shared(each.middles, mine, near) for each in others)


def nearness(candidate: Candidate) -> float:
    """How far apart, in pixels, one tile's middles lie in two looks at most, by a hand of some tiles."""
    quads = candidate.quads[list(candidate.layout.hand)]
    return float(np.linalg.norm(quads[:, 0] - quads[:, 1], axis=1).mean()) / 2


def matched(some: Array, others: Array, near: float) -> Indices:
    """(n,) for each point the number of the other one that lies there, or -1."""
    if not len(some) or not len(others):
        return np.full(len(some), -1)
    away = np.linalg.norm(some[:, None] - others[None], axis=2)
    nearest = away.argmin(axis=1)
    return np.where(away[np.arange(len(some)), nearest] < near, nearest, -1)


def shared(some: Array, others: Array, near: float) -> int:
    """How many of some points lie where others do."""
    return int((matched(some, others, near) >= 0).sum())
