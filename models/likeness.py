"""Fit what tells faces in doubt by how like they are to sure ones: ``python -m models.likeness RENDERS...
--check OTHERS``.

The evidence (:mod:`vision.likeness`) is of tiles in doubt between two kinds of which they are one. What
follows is told in :mod:`models.fitting`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.renders import Render
from models import layer
from models.fitting import run
from models.layer import Evidence
from models.samples import compared
from vision import likeness
from vision.labels import FACES, plain
from vision.layer import Layer
from vision.likeness import BOTH, EACH


def doubtful(render: Render, _rng: np.random.Generator) -> Evidence | None:
    """The tiles of a render that are in doubt; None where none is."""
    if (found := compared(render, "alike")) is None:
        return None
    given, there = found
    seen = likeness.evidence(*given)
    names = [plain(render.labels[there[i]]) if i in there else "" for i in seen.tiles.tolist()]
    kinds = np.array([FACES.index(name) if name in FACES else -1 for name in names])
    known = (kinds[:, None] == seen.kinds).any(axis=1)
    if not known.any():
        return None
    return Evidence(seen.odds[known], seen.facts[known], (kinds == seen.kinds[:, 0])[known])


def fit(some: Evidence, rounds: int, seed: int) -> Layer:
    """The weights that tell these tiles, seen so often, each from either of its kinds: that the network is
    mostly right is told by the odds alone."""
    first, second = (range(BOTH + EACH * side, BOTH + EACH * (side + 1)) for side in range(2))
    facts = some.facts[:, [*range(BOTH), *second, *first]]
    facts[:, 0] = -facts[:, 0]
    both = Evidence.joined([some, Evidence(-some.odds, facts, ~some.truth)])
    return layer.fit(both, rounds, seed, balanced=False)


LIKENESS = replace(layer.asked(
    "likeness", "faces in doubt", "those that the network takes for what they are", doubtful, likeness.FILE,
    """# Faces in doubt by how like they are to sure ones

Says of each tile that may be of two kinds which of them it is: the network's last maps of it are held against
those of the tiles of its photo that are surely of either (`vision/likeness.py`). A set that was never seen
before teaches what its faces look like.

**In:** the network's answers and its last maps. **Out:** the answers with what each tile in doubt has shared
anew between its two likeliest kinds. One small layer, `vision/likeness.npz`.""", ), fit=fit)  # fmt: skip

if __name__ == "__main__":
    run(LIKENESS)
