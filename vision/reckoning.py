"""Which candidate is the photo's hand: all of them weighed together, by weights that are fitted.

The share of an answer is the softmax of its likeliest candidate's score, the sum of its terms by weight. "No
finished hand" is an answer like any other: that of a candidate with 13 tiles, or of one without any.
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
    """An answer by its likeliest candidate. ``terms``: (k,) the candidate's, as :func:`known_terms` has them;
    ``score``: a log of odds, only to be compared with those of the same photo; ``share``: 0 to 1, of all
    answers."""

    answer: Answer
    candidate: Candidate
    terms: Array
    score: float
    share: float


def known_terms(candidates: Sequence[Candidate]) -> tuple[Array, Indices]:
    """The terms (m, k) of candidates and the numbers (m,) of their answers. What any candidate of an answer
    has of tiles that are not its own all of them have: a hand that seems to wait on a tile, for none was seen
    there, waits no more once another look has found it."""
    numbers: dict[Answer, int] = {}
    answers = np.array([numbers.setdefault(each.answer, len(numbers)) for each in candidates])
    terms = np.array([each.terms for each in candidates])
    most = np.full((len(numbers), len(_ASIDE)), -np.inf)
    np.maximum.at(most, answers, terms[:, _ASIDE])
    terms[:, _ASIDE] = most[answers]
    return terms, answers


def reckon(candidates: Sequence[Candidate], weights: Weights = WEIGHTS) -> tuple[Weighed, ...]:
    """The answers of at least one candidate, the likeliest first."""
    terms, _ = known_terms(candidates)
    scores = weights.scores(terms)
    best: dict[Answer, int] = {}
    for number in np.argsort(-scores, kind="stable").tolist():
        best.setdefault(candidates[number].answer, number)
    odds = np.exp(scores[list(best.values())] - scores.max())
    shares = odds / odds.sum()
    return tuple(
        Weighed(answer, candidates[number], terms[number], float(scores[number]), float(share))
        for (answer, number), share in zip(best.items(), shares, strict=True)
    )
