"""Fit what tells white dragons by what lies around them: ``python -m models.whites RENDERS... --check
OTHERS``.

The evidence (:mod:`vision.whites`) is of what was read as a white dragon, a back or nothing. Of some photos
only a part of the tiles is shown, as in a close look at one row; to learn from each is shown several times,
for white dragons are rare. What follows is told in :mod:`models.fitting`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from datasets.renders import Render
from models.fitting import run
from models.layer import Evidence, asked
from models.samples import compared, shown, truths
from vision import whites
from vision.labels import FACES, FOREIGN, WHITE_INDEX
from vision.quads import bounds, box_iou

NOTHING = 0.25
"""IoU of the bounding boxes below which what was found is no tile of the render."""

TIMES, ROUNDS, HIDDEN, DROP = 4, 15, 128, 0.3
"""How often a render is shown to learn from, and what the layer learns with. On held-out scenes of a game, a
mix of photos and heaps of tiles (seeds 905, 3002 and 3001) this misses 34, 30 and 95 thousandths of nats a
blank; each shown once in 60 rounds 33, 24 and 87, but white dragons of games are told worse (111 instead of
42); with 32 hidden units, once, in 30 rounds 46, 37 and 129."""


def blanks(render: Render, rng: np.random.Generator, times: int = 1) -> Evidence | None:
    """The blanks of a render, shown so often, of which it is known what they are; None where there are
    none."""
    given, _ = compared(render, "blanks")
    if given is None:
        return None
    probabilities, quads, crops = given
    there = truths(render, probabilities, quads)
    nowhere = box_iou(bounds(quads), bounds(render.quads)).max(axis=1, initial=0) < NOTHING
    names = [render.labels[there[i]] if i in there else "" for i in range(len(quads))]
    known = nowhere | ~np.isin(names, ["", FOREIGN])
    white = np.isin(names, FACES[WHITE_INDEX])
    found = list[Evidence]()
    for _ in range(times):
        kept = shown(len(quads), rng)
        seen = whites.evidence(probabilities[kept], quads[kept], crops[kept])
        tiles = kept[seen.tiles]
        clear = known[tiles]
        found.append(Evidence(seen.odds[clear], seen.facts[clear], white[tiles[clear]]))
    return Evidence.joined(found) if any(len(each.truth) for each in found) else None


WHITES = asked(
    "whites", "blanks", "white dragons", blanks, whites.FILE,
    """# White dragons by what lies around them

Says of each tile that shows nothing whether it is a white dragon, a back, or no tile at all, by holding it
against the faces that lie nearest, the other blanks of its photo and the tile whose side it may be
(`vision/whites.py`): its white is that of the faces, and a side lies closer to its tile than another tile.

**In:** the network's answers, the places and the colours of all tiles of a photo. **Out:** the answers with
what each blank has shared anew between a white dragon and the two others. One small layer,
`vision/whites.npz`.""",
    taught=partial(blanks, times=TIMES), rounds=ROUNDS, hidden=HIDDEN, drop=DROP,
)  # fmt: skip

if __name__ == "__main__":
    run(WHITES)
