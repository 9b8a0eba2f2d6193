"""Fit what tells sixes of bamboos from nines: ``python -m models.sticks RENDERS... --check OTHERS``.

The evidence (:mod:`vision.sticks`) is of what was read as one of the two. What follows is told in
:mod:`models.fitting`.
"""

from __future__ import annotations

import numpy as np

from datasets.renders import Render
from models.fitting import run
from models.layer import Evidence, asked
from models.samples import compared
from vision import sticks

SIX, NINE = "6s", "9s"


def bamboos(render: Render, _rng: np.random.Generator) -> Evidence | None:
    """The sixes and nines of a render; None where none was read."""
    if (found := compared(render, "bamboos")) is None:
        return None
    given, there = found
    seen = sticks.evidence(*given)
    names = np.array([render.labels[there[i]] if i in there else "" for i in seen.tiles.tolist()])
    known = np.isin(names, [SIX, NINE])
    return Evidence(seen.odds[known], seen.facts[known], names[known] == SIX) if known.any() else None


STICKS = asked(
    "sticks", "sixes and nines", "sixes", bamboos, sticks.FILE,
    """# Sixes of bamboos by how their columns repeat

Says of each tile that was read as a six or a nine of bamboos which of the two it is: a column of two sticks
looks like itself after half its length, one of three after a third, however they are drawn
(`vision/sticks.py`).

**In:** the network's answers and the crops that they are of. **Out:** the answers with what each six or nine
has shared anew between the two. One small layer, `vision/sticks.npz`.""", )  # fmt: skip

if __name__ == "__main__":
    run(STICKS)
