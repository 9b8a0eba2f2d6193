"""What tells, beside the terms, how far a hand that was read is to be trusted: its signs.

A term says of a way to see tiles what speaks for it beside the others (:mod:`vision.terms`). None of them may
be right, and that shows otherwise: by the least sure of several fives, a row that gapes, a back in it, faces
around it that no hand has. Name and meaning of each sign stand in :mod:`vision.weights`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import Array
from vision.candidates import Candidate
from vision.labels import CLASSES, PLAIN_OF
from vision.plane import TILE_WIDTH
from vision.rows import Tiles
from vision.table import Table
from vision.terms import Row, left_out
from vision.weights import SIGNS

_OTHER: Final = {**PLAIN_OF, **{five: red for red, five in PLAIN_OF.items()}}
"""Of each five that of the other colour."""


def signs(table: Table, probabilities: Array, candidate: Candidate) -> Array:
    """(len(SIGNS),) those of a candidate of a table, by the ``probabilities`` (n, 39) of all tiles."""
    layout, labels = candidate.layout, candidate.decoded.labels
    if not layout.hand:
        return np.zeros(len(SIGNS))
    tiles, frame, hand = table.tiles, table.frames[layout.frame], list(layout.hand)
    told = {
        "five": max((_doubt(probabilities[i], labels[i]) for i in hand if labels[i] in _OTHER), default=0.0),
        "gape": Row.of(frame, layout.closed).widest / TILE_WIDTH if len(layout.closed) > 1 else 0.0,
        "shown": sum(tiles.as_face[i] for i in hand),
        "lean": float(np.logaddexp(0, frame.odds[list(layout.closed)]).sum()),
        "around": _around(tiles, hand),
        "tiles": int(tiles.usable.sum()),
    }
    return np.array([told[name] for name in SIGNS])


def _doubt(probabilities: Array, label: str) -> float:
    """How probable the other colour of a five is, by the probabilities (39,) of its tile."""
    own, other = (float(probabilities[CLASSES.index(name)]) for name in (label, _OTHER[label]))
    return other / max(own + other, np.finfo(float).tiny)


def _around(tiles: Tiles, hand: Sequence[int]) -> int:
    """How many faces that are none of the hand's lie around one of its tiles."""
    near = tiles.apart[:, list(hand)].min(axis=1) < tiles.habits.terms.crowd
    return int((left_out(tiles, hand) & near).sum())
