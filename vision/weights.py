"""What a way to see tiles as a hand is weighed by: the terms, and what each counts for.

The weights stand in ``vision/reckoning.json``, fitted on scenes by ``python -m models.habits``; the card,
``models/habits.md``, says on which and how well. :mod:`vision.terms` makes the terms of a hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vision.arrays import Array

Curve = tuple[tuple[float, float], ...]

FILE = Path(__file__).with_name("reckoning.json")

TERMS: Mapping[str, str] = {
    # the tiles as a hand
    "runs": "how likely its runs are parsed as they are, a log of odds",
    "place": "how near to the camera it lies and how far its up is the photo's, a log of odds",
    "size": "log of the side of its smallest tile in pixels",
    "upright": "how many of its tiles stand upright for who sees it so, rather than head down",
    "lonely": "a single tile is taken for the closed ones",
    "finished": "it is a finished hand",
    "illegal": "it has the tiles of a finished hand and is none",
    "waiting": "it is one tile short, and some tile would finish it",
    "dead": "it is one tile short, and no tile would finish it",
    "odd": "it has neither 14 tiles nor 13",
    "odd_by": "by how many tiles that is",
    "melds": "called sets",
    "split": "runs that its closed tiles lie in, beyond one",
    "spare": "sure faces left out that touch an end of its row",
    "fifth": "tiles of its kinds, those that lie elsewhere too, beyond the four that there are",
    "apart": "closed tiles but the winning one that have none of the others next to them, 2 at most",
    "odd_off": "one closed tile but the winning one lies off the others' line, more than any other, 0 to 1",
    "odd_gap": "a gap sets one of them apart at an end that is wider than any other, 0 to 1",
    "odd_turn": "one of them lies on its side, and no other, 0 to 1",
    "denied": "closed tiles that lie as a called set does: three or four by themselves, one turned",
    # what the network says of its tiles
    "labels": "sum of the logs of the probabilities of its kinds of tiles",
    "least": "the least of them",
    "loss": "sum of the logs of how much likelier the pixels' own kinds are",
    "overruled": "tiles whose kind the rules chose",
    "colours": "sum of the logs of the probabilities that its fives are red or plain as labelled",
    "reds": "red fives",
    "whites": "white dragons, which nothing marks",
    "backs": "tiles seen as a back or as nothing that are taken for faces",
    "sought": "tiles that were only seen where the hand lacked one",
    "unlike": "how far the colour of the most unlike of its tiles is from that of the others",
    # which tile won
    "open": "no tile is set apart as the winning one",
    "turned": "the winning tile lies in the row's line and on its side",
    "askew": "how far askew it lies there, 1 at 20 degrees",
    "right": "it lies in line at the row's right end",
    "left": "it lies in line at the row's left end",
    "gap": "the gap to the end of the row over the row's usual one, in widths",
    "gap_most": "by how much it is wider than any gap between the others, -1 to 1",
    "far": "how far it lies away beyond 20 mm, in widths",
    "above_row": "it lies above the row, out of its line",
    "below_row": "it lies below the row, out of its line",
    "off": "how far out of it, in heights, 1 at most",
    "off_little": "how far it lies off the line that it is in, in heights",
    "inside": "it lies between closed tiles",
    "unsorted": "without it the row is in order, with it not",
    "company": "tiles of no hand around it",
    "strangers": "tiles of no hand in one run with it",
    "theirs": "another row lies nearer to it",
    "passed": "faces of no hand that lie nearer to the row than it, 4 at most",
    "unlike_won": "how far its colour is from that of the others",
    "fourth": "it is the fourth of a called set's kind",
    "lying": "nothing is taken for the winning tile, though one that would finish the hand lies loose: 1 "
    "where it lies near and by itself",
    "bested": "it is no finished hand, but other tiles are one: how likely, by their labels and by where "
    "the winning one lies",
    "nearer": "tiles that would finish the hand and lie nearer",
    "parsed": "the parse of its run has it as the winning tile",
}
"""Name and meaning of each term, in the order of the weights."""

ASIDE = ("lying", "bested")
"""Terms of tiles that are not the hand's: what one look has seen of them, the others have overlooked."""

SIGNS: Mapping[str, str] = {
    "five": "how probable the other colour of the least sure of its fives is",
    "gape": "the widest gap between neighbours of its row, in widths",
    "shown": "sum of the logs of how likely its tiles are faces rather than backs",
    "lean": "what it costs that its closed tiles stand upright, a log of odds",
    "around": "faces of no hand within three widths of one of its tiles",
    "tiles": "tiles of the photo",
}
"""What tells of a hand how far it is to be trusted, whatever it is worth beside others (:mod:`vision.signs`),
in the order of its features."""

TRUSTED: Mapping[str, str] = {
    "share": "log of the odds of its share of all answers",
    "face": "log of how doubtful the least sure of its kinds of tiles is",
    "colour": "log of how doubtful the colours of its fives are",
    **TERMS,
    **SIGNS,
}
"""What the trust in the likeliest answer rests on, in the order of its features. A share tells how far an
answer is ahead of those that were thought of. Of a five that is nearly sure no answer has the other colour,
and of a row that was parsed with difficulty none may be right: so the terms themselves count once more, and
signs beside them. 7,244 finished hands of seeds 914 to 918, each told by what others taught, have a log
likelihood of -491 with signs and of -512 without, 6,222 others of -964 and -1,013."""

SIDES = ("finished", "unfinished")
"""Answers that are believed each in their own way: finished hands, and all others."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Log odds to ``start`` with; ``some``: a feature's number, a value, and what is added where the feature
    is higher."""

    start: float = 0.0
    some: tuple[tuple[int, float, float], ...] = ()

    @classmethod
    def of(cls, trust: Mapping[str, Any]) -> Steps:
        """Those of ``reckoning.json``."""
        number = {name: at for at, name in enumerate(TRUSTED)}
        some = ((number[name], float(value), float(by)) for name, value, by in trust["steps"])
        return cls(float(trust["start"]), tuple(some))

    def odds(self, seen: Array) -> Array:
        """(...) logs of odds by features (..., k)."""
        odds = np.full(seen.shape[:-1], self.start)
        for at, value, by in self.some:
            odds += by * (seen[..., at] > value)
        return odds


@dataclass(frozen=True, slots=True)
class Side:
    """How answers of one side are believed. ``told``: how far they are to be trusted, by their features;
    ``curve``: ascending points (trust, probability) from that, 0 to 1, to how probable it is that they are
    right."""

    told: Steps
    curve: Curve

    @classmethod
    def of(cls, told: Steps, curve: Iterable[Sequence[Any]]) -> Side:
        """With a curve of ``reckoning.json``."""
        return cls(told, tuple((float(at), float(chance)) for at, chance in curve))

    def trust(self, seen: Array) -> Array:
        """(...) how far answers with these features (..., k) are to be trusted."""
        return np.asarray(1 / (1 + np.exp(-self.told.odds(seen))))

    def confidence(self, seen: Array) -> Array:
        """(...) how probable it is that they are right."""
        points, chances = zip(*self.curve, strict=True)
        return np.asarray(np.interp(self.trust(seen), points, chances))


@dataclass(frozen=True, slots=True)
class Weights:
    """``terms``: what each of ``TERMS`` counts for, in their order; ``finished``, ``unfinished``: how such
    answers are believed. A tile that was missed makes of a finished hand an unfinished one, seldom the other
    way round.
    ``told``: how sure an answer, whatever other hands lie there, has to be for the next ones not to be told
    as doubts: what is surer is wrong so seldom that hardly a photo is scored wrongly without a word.
    ``unnoticed``: how probable it is that another finished hand lies beside one that is read, which is none
    of its rivals."""

    terms: tuple[float, ...]
    finished: Side
    unfinished: Side
    told: float
    unnoticed: float = 0.0

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Weights:
        """Those of ``reckoning.json``; a term that it lacks counts for nothing, and all is told, until
        it is fitted."""
        finished, unfinished = (
            Side.of(Steps.of(record["trust"][name]), record["curves"][name]) for name in SIDES
        )
        told, unnoticed = float(record.get("told", 1.0)), float(record.get("unnoticed", 0.0))
        weights = _counted(TERMS, record["weights"])
        return cls(weights, finished, unfinished, told, unnoticed)

    def scores(self, terms: Array) -> Array:
        """(m,) logs of odds of candidates with these terms (m, k)."""
        return np.asarray(terms @ np.array(self.terms))

    def confidence(self, seen: Array, *, finished: bool) -> float:
        """How probable it is that an answer with these :func:`features` is right, be it a finished hand or
        not."""
        side = self.finished if finished else self.unfinished
        return float(side.confidence(seen))


def _counted(names: Iterable[str], weights: Mapping[str, Any]) -> tuple[float, ...]:
    return tuple(float(weights.get(name, 0.0)) for name in names)


_LEAST, _COLOURS = (tuple(TERMS).index(name) for name in ("least", "colours"))
_DOUBT = 1e-3
"""No share, face or colour counts as less doubtful: so sure is no network."""


def features(share: float, terms: Array, signs: Array) -> Array:
    """What is trusted in an answer, (len(TRUSTED),), by its share of all, its ``terms`` (k,) and ``signs``
    (len(SIGNS),)."""
    kept = np.clip(share, _DOUBT, 1 - _DOUBT)
    doubt = np.maximum(1 - np.exp(terms[[_LEAST, _COLOURS]]), _DOUBT)
    return np.concatenate([[np.log(kept / (1 - kept))], np.log(doubt), terms, signs])


WEIGHTS = Weights.of(json.loads(FILE.read_text(encoding="utf-8")))
"""The weights that photos are read with."""
