"""Fit what tells sixes of bamboos from nines: ``python -m models.sticks RENDERS... --check OTHERS``.

The evidence (:mod:`vision.sticks`) is of what was read as one of the two. What follows is told in
:mod:`models.layer`.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from datasets.renders import Render
from models.layer import Evidence, Question, run
from models.samples import truths
from vision import network, sticks
from vision.arrays import Array32, Indices, Pixels
from vision.faces import FaceReader
from vision.finder import Finder
from vision.reader import Engine

SIX, NINE = "6s", "9s"


class _Noting:
    """Stands in the place of the comparison, and keeps what it is shown."""

    def __init__(self) -> None:
        self.shown: tuple[Array32, Pixels, Indices] | None = None

    def __call__(self, probabilities: Array32, crops: Pixels, turns: Indices) -> Array32:
        self.shown = probabilities, crops, turns
        return probabilities


@lru_cache(maxsize=1)
def _networks() -> tuple[Finder, FaceReader, _Noting]:
    noting, engine = _Noting(), Engine()
    faces = FaceReader(network.load(engine.faces, 1), bamboos=noting)
    return Finder(network.load(engine.finder, 1)), faces, noting


def bamboos(render: Render, _rng: np.random.Generator) -> Evidence | None:
    """The sixes and nines of a render; None where none was read."""
    finder, faces, noting = _networks()
    rgb = render.load()
    noting.shown = None
    read = faces.read(rgb, finder.find(rgb).quads)
    if noting.shown is None:
        return None
    there = truths(render, noting.shown[0], read.quads)
    seen = sticks.evidence(*noting.shown)
    names = np.array([render.labels[there[i]] if i in there else "" for i in seen.tiles.tolist()])
    known = np.isin(names, [SIX, NINE])
    return Evidence(seen.odds[known], seen.facts[known], names[known] == SIX) if known.any() else None


STICKS = Question(
    "sticks", "sixes and nines", "sixes", bamboos, sticks.FILE,
    """# Sixes of bamboos by how their columns repeat

Says of each tile that was read as a six or a nine of bamboos which of the two it is: a column of two sticks
looks like itself after half its length, one of three after a third, however they are drawn
(`vision/sticks.py`).

**In:** the network's answers and the crops that they are of. **Out:** the answers with what each six or nine
has shared anew between the two. One small layer, `vision/sticks.npz`.""", )  # fmt: skip

if __name__ == "__main__":
    run(STICKS)
