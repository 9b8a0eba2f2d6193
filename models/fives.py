"""Fit what tells red fives from plain ones by their neighbours: ``python -m models.fives RENDERS...``.

The evidence (:mod:`vision.fives`) is of each five that is read as one, red or plain; of some photos only a
part of the tiles is shown, as in a close look at one row. What follows is told in :mod:`models.fitting`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as fn

from datasets.renders import Render
from models.fitting import Question, Row, in_parts, run, teach
from models.samples import Samples, compared, measured, shown
from vision.arrays import Array32, Indices, Mask
from vision.fives import FACTS, FILE, SUITS, Colours, Evidence, evidence
from vision.labels import FIVES, REDS, plain

CELLS, HIDDEN = 32, 64
"""What the layers have."""

RATE, DECAY, DROP, BATCH = 3e-3, 0.02, 0.2, 256


@dataclass(frozen=True, slots=True)
class Fives(Samples):
    """Fives of renders: their evidence, and which are ``red`` (n,)."""

    suits: Indices
    maps: NDArray[np.float16]
    facts: Array32
    red: Mask

    def evidence(self, rows: slice) -> Evidence:
        """Of some of them."""
        count = np.arange(len(self.red[rows]))
        return Evidence(count, self.suits[rows], self.maps[rows].astype(np.float32), self.facts[rows])


# --- reading renders -----------------------------------------------------------------------------------


def fives(render: Render, rng: np.random.Generator) -> Fives | None:
    """The fives of a render; None where none was read."""
    if (found := compared(render)) is None:
        return None
    (probabilities, maps, turns), there = found
    kept = shown(len(maps), rng)
    seen = evidence(probabilities[kept], maps[kept], turns[kept])
    known, red = coloured(render, there, kept[seen.tiles], seen.suits)
    maps = seen.maps[known].astype(np.float16)
    return Fives(seen.suits[known], maps, seen.facts[known], red[known]) if known.any() else None


def coloured(
    render: Render, there: Mapping[int, int], places: Sequence[int] | Indices, suits: Indices
) -> tuple[Mask, Mask]:
    """Of which of m tiles that were taken for fives of ``suits`` (m,) it is known that they are, and which
    of them are red. ``there``: the tiles of the render that are at ``places`` (m,)."""
    names = [render.labels[there[i]] if i in there else "" for i in map(int, places)]
    known = [
        name in FIVES and plain(name) == f"5{SUITS[suit]}" for name, suit in zip(names, suits, strict=True)
    ]
    return np.array(known, bool), np.array([name in REDS for name in names], bool)


# --- learning ------------------------------------------------------------------------------------------


class _Net(nn.Module):
    """:class:`vision.fives.Colours` while it learns; the maps are ``spread`` (channels,) times as large."""

    def __init__(self, channels: int, cells: int, spread: Tensor) -> None:
        super().__init__()
        self.cells = nn.Linear(4 * channels, CELLS)
        self.hidden = nn.Linear(CELLS * cells + FACTS + len(SUITS), HIDDEN)
        self.last = nn.Linear(HIDDEN, 1)
        self.odds = nn.Parameter(torch.ones(()))
        self.register_buffer("spread", spread)

    def forward(self, maps: Tensor, facts: Tensor, suits: Tensor) -> Tensor:
        own, *others = (maps / self.spread[:, None]).unbind(1)
        both = torch.cat([own, *(own - each for each in others)], 1).transpose(1, 2)
        seen = fn.relu(self.cells(both)).transpose(1, 2).flatten(1)
        told = torch.cat([seen, facts, fn.one_hot(suits, len(SUITS)).float()], 1)
        told = fn.relu(self.hidden(fn.dropout(told, DROP, self.training)))
        out: Tensor = self.last(fn.dropout(told, DROP, self.training))[:, 0] + self.odds * facts[:, 0]
        return out

    def colours(self) -> Colours:
        """The weights as they serve: of the maps themselves, not of their differences."""
        parts = themselves(self.cells.weight) / self.spread
        arrays = (
            self.hidden.weight.T, self.hidden.bias, self.last.weight[0], self.last.bias[0], self.odds,
            parts.permute(1, 2, 0), self.cells.bias,
        )  # fmt: skip
        return Colours(*(np.asarray(each.detach().numpy(), np.float32) for each in arrays))


def themselves(weights: Tensor) -> Tensor:
    """Weights (k, 4, n) of four things, by those (k, 4 · n) of the first and of how it differs from each of
    the others."""
    own, *others = weights.detach().view(len(weights), 4, -1).unbind(1)
    return torch.stack([own + sum(others), *(-each for each in others)], 1)


def fit(some: Fives, rounds: int, seed: int) -> Colours:
    """The weights that tell these fives, seen so often."""
    torch.manual_seed(seed)
    maps, facts = torch.from_numpy(some.maps), torch.from_numpy(some.facts)
    suits, red = torch.from_numpy(some.suits).long(), torch.from_numpy(some.red).float()
    spread = maps[:: max(1, len(maps) // 2000)].float().std(dim=(0, 1, 3)) + 0.05
    net = _Net(maps.shape[2], maps.shape[3], spread)

    def loss(rows: Tensor) -> Tensor:
        told = net(maps[rows].float(), facts[rows], suits[rows])
        return fn.binary_cross_entropy_with_logits(told, red[rows])

    teach(net.parameters(), loss, len(red), rounds=rounds, rate=RATE, decay=DECAY, batch=BATCH)
    net.eval()
    return net.colours()


def told(some: Fives, colours: Colours) -> Array32:
    """(n,) logs of the odds that fives are red."""
    return in_parts(lambda rows: colours.red(some.evidence(rows)), len(some.red))


def figures(_question: Question[Fives], others: Fives, colours: Colours) -> list[Row]:
    """How well fives are told by the network alone, and compared."""
    answers = {"alone": others.facts[:, 0], "compared": told(others, colours)}
    return [(name, *measured(odds, others.red)) for name, odds in answers.items()]


COMPARED = Question(
    "fives", "fives", "red", Fives, fives, lambda some: some.red, fit, figures, Colours.read, FILE,
    """# Red fives by their neighbours

Says of each five that the face network has read whether it is red, by holding it against the other tiles
of its photo (`vision/fives.py`): what marks a red five is what the others have not.

**In:** the network's answers and its last maps of all tiles of a photo. **Out:** the answers with what each
five has shared anew between red and plain. Two small layers, `vision/fives.npz`.""",
    "On fives that were read as fives, by what the face network says alone, and compared", 5,
)  # fmt: skip

if __name__ == "__main__":
    run(COMPARED)
