"""Which candidate is the photo's hand: all of them weighed together, by weights that are fitted.

The share of an answer is the softmax of its likeliest candidate's terms times their weights. "No finished
hand" is an answer like any other: that of a candidate with 13 tiles, or of one without any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Array, Indices
from vision.candidates import Answer, Candidate
from vision.weights import ASIDE, TERMS, WEIGHTS, Weights

_ASIDE = [list(TERMS).index(name) for name in ASIDE]


@dataclass(frozen=True, slots=True)
class Weighed:
    """An answer by its likeliest candidate. ``terms``: (k,) the candidate's, as :func:`overlooked` has them;
    ``score``: a log of odds, only to be compared with those of the same photo; ``share``: 0 to 1, of all
    answers."""

    answer: Answer
    candidate: Candidate
    terms: Array
    score: float
    share: float


def overlooked(terms: Array, answers: Indices) -> Array:
    """The terms (m, k) of candidates, the numbers of whose ``answers`` are (m,), with what any candidate of
    the same answer has of tiles that are not its own: a hand that seems to wait on a tile, for none was seen
    there, waits no more once another look has found it."""
    most = np.full((answers.max() + 1, len(_ASIDE)), -np.inf)
    np.maximum.at(most, answers, terms[:, _ASIDE])
    known = terms.copy()
    known[:, _ASIDE] = most[answers]
    return known


def reckon(candidates: Sequence[Candidate], weights: Weights = WEIGHTS) -> tuple[Weighed, ...]:
    """The answers of at least one candidate, the likeliest first."""
    numbers: dict[Answer, int] = {}
    given = np.array([numbers.setdefault(each.answer, len(numbers)) for each in candidates])
    terms = overlooked(np.array([each.terms for each in candidates]), given)
    scores = terms @ np.array(weights.terms)
    best: dict[Answer, int] = {}
    for number in np.argsort(-scores, kind="stable").tolist():
        best.setdefault(candidates[number].answer, number)
    odds = np.exp(scores[list(best.values())] - scores.max())
    shares = odds / odds.sum()
    return tuple(
        Weighed(answer, candidates[number], terms[number], float(scores[number]), float(share))
        for (answer, number), share in zip(best.items(), shares, strict=True)
    )
