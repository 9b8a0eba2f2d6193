"""Which candidate is the photo's hand: all of them weighed together, by weights that are fitted.

The share of an answer is the softmax of its likeliest candidate's terms times their weights. "No finished
hand" is an answer like any other: that of a candidate with 13 tiles, or of one without any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.candidates import Answer, Candidate
from vision.weights import WEIGHTS, Weights


@dataclass(frozen=True, slots=True)
class Weighed:
    """An answer by its likeliest candidate. ``score``: a log of odds, only to be compared with those of the
    same photo; ``share``: 0 to 1, of all answers."""

    answer: Answer
    candidate: Candidate
    score: float
    share: float


def reckon(candidates: Sequence[Candidate], weights: Weights = WEIGHTS) -> tuple[Weighed, ...]:
    """The answers of at least one candidate, the likeliest first."""
    scores = np.array([candidate.terms for candidate in candidates]) @ np.array(weights.terms)
    best: dict[Answer, int] = {}
    for number in np.argsort(-scores, kind="stable").tolist():
        best.setdefault(candidates[number].answer, number)
    odds = np.exp(scores[list(best.values())] - scores.max())
    shares = odds / odds.sum()
    return tuple(
        Weighed(answer, candidates[number], float(scores[number]), float(share))
        for (answer, number), share in zip(best.items(), shares, strict=True)
    )
