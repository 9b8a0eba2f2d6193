"""Fit what tells white dragons by what lies around them: ``python -m models.whites RENDERS... --check
OTHERS``.

The evidence (:mod:`vision.whites`) is of what was read as a white dragon, a back or nothing. Of some photos
only a part of the tiles is shown, as in a close look at one row. What follows is told in
:mod:`models.fitting`.
"""

from __future__ import annotations

import numpy as np

from datasets.renders import Render
from models.fitting import run
from models.layer import Evidence, asked
from models.samples import compared, shown
from vision import whites
from vision.labels import FACES, FOREIGN, WHITE_INDEX
from vision.quads import bounds, box_iou

NOTHING = 0.25
"""IoU of the bounding boxes below which what was found is no tile of the render."""


def blanks(render: Render, rng: np.random.Generator) -> Evidence | None:
    """The blanks of a render of which it is known what they are; None where there are none."""
    if (found := compared(render, "blanks")) is None:
        return None
    (probabilities, quads, crops), there = found
    nowhere = box_iou(bounds(quads), bounds(render.quads)).max(axis=1, initial=0) < NOTHING
    kept = shown(len(quads), rng)
    seen = whites.evidence(probabilities[kept], quads[kept], crops[kept])
    places = kept[seen.tiles].tolist()
    names = [render.labels[there[i]] if i in there else "" for i in places]
    known = np.array([
        bool(nowhere[i]) or name not in ("", FOREIGN) for i, name in zip(places, names, strict=True)
    ], bool)  # fmt: skip
    white = np.array([name == FACES[WHITE_INDEX] for name in names], bool)
    return Evidence(seen.odds[known], seen.facts[known], white[known]) if known.any() else None


WHITES = asked(
    "whites", "blanks", "white dragons", blanks, whites.FILE,
    """# White dragons by what lies around them

Says of each tile that shows nothing whether it is a white dragon, a back, or no tile at all, by holding it
against the faces that lie nearest and the other blanks of its photo (`vision/whites.py`): its white is
theirs.

**In:** the network's answers, the places and the colours of all tiles of a photo. **Out:** the answers with
what each blank has shared anew between a white dragon and the two others. One small layer,
`vision/whites.npz`.""",
    rounds=60,
)  # fmt: skip

if __name__ == "__main__":
    run(WHITES)
