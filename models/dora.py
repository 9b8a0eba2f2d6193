"""Fit what tells indicators of the dora from other faces beside a hand: ``python -m models.dora RENDERS...
--check OTHERS``, folders of ``--kind game``.

Every scene is read as a player's photo is; the evidence (:mod:`vision.dora`) is of each face that is no part
of the hand that was found. What follows is told in :mod:`models.fitting`.
"""

from __future__ import annotations

import numpy as np

from datasets.boxes import match
from datasets.renders import Render
from models.fitting import run
from models.habits import looks_at
from models.layer import Evidence, asked
from models.samples import FOUND
from vision import dora
from vision.looks import decided
from vision.quads import bounds, box_iou


def beside_hands(render: Render, _rng: np.random.Generator) -> Evidence | None:
    """The faces beside the hand of a render; None where there is no hand."""
    _, looks = looks_at(render)
    if not looks or not (hand := decided(looks)).layout.size:
        return None
    seen = dora.evidence(hand.table.tiles, hand.layout)
    overlaps = box_iou(bounds(hand.seen.quads), bounds(render.quads))
    there = dict(match(hand.seen.probabilities.max(axis=1), overlaps, FOUND))
    shown = [i in there and render.roles[there[i]] == "dora" for i in seen.tiles.tolist()]
    return Evidence(seen.odds, seen.facts, np.array(shown, bool))


DORA = asked(
    "dora", "faces beside hands", "indicators", beside_hands, dora.FILE,
    """# Indicators of the dora by how they lie

Says of each face beside a hand how likely it is an indicator of the dora: by what the rules find in walls
(`vision/indicators.py`), and by how it lies to the backs, the faces and the hand around it
(`vision/dora.py`). Those of the ura are none.

**In:** the tiles in the plane of the table, and which of them are the hand. **Out:** a probability for every
other face. One small layer, `vision/dora.npz`.""",
    alone="the rules say", alike=False,
)  # fmt: skip

if __name__ == "__main__":
    run(DORA)
