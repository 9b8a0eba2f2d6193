"""What is in question in a hand that was read, each with the other way to see it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vision.labels import CLASSES
from vision.looks import HandSeen
from vision.reading import DOUBTFUL, Doubt


def doubts(hand: HandSeen) -> tuple[Doubt, ...]:
    """The doubts of a hand, the gravest first."""
    return tuple(_faces(hand))


def _faces(hand: HandSeen) -> Iterator[Doubt]:
    """Tiles of the hand that may be another: improbable, decided by the rules, or not so in the next hand."""
    probabilities, labels = hand.seen.probabilities, hand.decoded.labels
    asked = {*hand.decoded.overruled, *hand.decoded.doubtful}
    for i in hand.layout.hand:
        label = labels[i]
        order = np.argsort(-probabilities[i])
        other = next(CLASSES[k] for k in order if CLASSES[k] != label)
        if i in asked or probabilities[i, CLASSES.index(label)] < DOUBTFUL:
            yield Doubt("face", (i,), f"The {label} may be a {other}.", {"label": other})
