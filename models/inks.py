"""Fit what tells red fives from plain ones by pictures: ``python -m models.inks RENDERS...``.

The evidence (:mod:`vision.inks`) is of each five that is read as one, red or plain; of some photos only a
part of the tiles is shown, as in a close look at one row. What follows is told in :mod:`models.fitting`.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as fn

from datasets.renders import Render
from models.fitting import Question, Row, in_parts, run, teach
from models.fives import coloured, themselves
from models.samples import Samples, compared, measured, shown
from models.stages import CALIBRATED, Fitted, Standing, arrays, moved, stages
from models.training import device, half_precision
from vision import fives
from vision.arrays import Array32, Indices, Mask
from vision.fives import SUITS
from vision.inks import FACTS, FILE, Evidence, Inks, evidence

DRAWN, HIDDEN = (32, 64, 96, 128), 128
"""What the network has: channels of its stages, and units of its hidden layer."""

RATE, DECAY, DROP, BATCH = 3e-3, 0.1, 0.4, 256

HIDE, SHIFT, TURN, ZOOM, STRENGTH, NOISE = 0.1, 0.12, 0.03, 0.03, 0.1, 0.2
"""While it learns: how often a comparison is hidden; by how much pictures are moved at most, in shares of
half their sides; the deviations by which they are turned, in radians, and enlarged, and of the logs of their
strength; the deviation of their noise at most."""


@dataclass(frozen=True, slots=True)
class Fives(Samples):
    """Fives of renders: their evidence, the logs of odds (n,) by what compares maps, and which are ``red``
    (n,)."""

    suits: Indices
    pictures: NDArray[np.float16]
    facts: Array32
    by_maps: Array32
    red: Mask

    def evidence(self, rows: slice | Indices) -> Evidence:
        """Of some of them."""
        return Evidence(self.suits[rows], self.pictures[rows].astype(np.float32), self.facts[rows])


def seen_fives(render: Render, rng: np.random.Generator) -> Fives | None:
    """The fives of a render; None where none was read."""
    if (found := compared(render, "colours")) is None:
        return None
    (probabilities, maps, turns, crops), there = found
    kept = shown(len(maps), rng)
    probabilities, maps, turns = probabilities[kept], maps[kept], turns[kept]
    tiles, suits, odds = fives.among(probabilities)
    known, red = coloured(render, there, kept[tiles], suits[tiles])
    if not known.any():
        return None
    seen = evidence(tiles, tiles, suits, odds, turns % 2 == 1, lambda some: crops(kept[some]))
    by_maps = fives.by_maps(probabilities, maps, turns, odds)[tiles]
    pictures = seen.pictures[known].astype(np.float16)
    return Fives(seen.suits[known], pictures, seen.facts[known], by_maps[known], red[known])


# --- learning ------------------------------------------------------------------------------------------


class _Net(nn.Module):
    """:class:`vision.inks.Inks` while it learns."""

    def __init__(self, pictures: Tensor) -> None:
        super().__init__()
        _, parts, colours, height, width = pictures.shape
        self.stages = stages(parts * colours, DRAWN)
        cells = DRAWN[-1] * (height // 2 ** len(DRAWN)) * (width // 2 ** len(DRAWN))
        self.hidden = nn.Linear(cells + FACTS + len(SUITS), HIDDEN)
        self.last = nn.Linear(HIDDEN, 1)
        self.odds = nn.Parameter(torch.ones(()))
        nn.init.zeros_(self.last.weight)  # begin with the face network's own word

    def forward(self, pictures: Tensor, facts: Tensor, suits: Tensor) -> Tensor:
        """``pictures``: of the five itself, and how it differs from each of the others."""
        seen = self.stages(pictures.flatten(1, 2)).flatten(1)
        told = torch.cat([seen, facts, fn.one_hot(suits, len(SUITS)).float()], 1)
        told = fn.relu(self.hidden(fn.dropout(told, DROP, self.training)))
        out: Tensor = self.last(fn.dropout(told, DROP, self.training))[:, 0] + self.odds * facts[:, 0]
        return out.float()

    def inks(self) -> Inks:
        """The layer as it serves."""
        layer = (self.hidden.weight.T, self.hidden.bias, self.last.weight[0], self.last.bias[0], self.odds)
        return Inks(*arrays(layer))


def _of_themselves(seen: nn.Module) -> nn.Module:
    """Stages that see the pictures themselves, by those that see how they differ."""
    served = deepcopy(seen)
    first = next(each for each in served.modules() if isinstance(each, nn.Conv2d))
    first.weight.data = themselves(first.weight.flatten(1)).view_as(first.weight)
    return served


def _disturbed(pictures: Tensor) -> Tensor:
    """Pictures (n, 4, 3, H, W), as the five and how it differs from each of the others: some comparisons
    hidden, for often there is nothing to compare with; all of a five moved, turned and enlarged alike, for no
    crop lies quite well; stronger or fainter, with noise."""
    own, *others = pictures.unbind(1)
    differences = torch.stack([own, *(own - each for each in others)], 1)
    count, where = len(own), own.device
    hidden = torch.rand(count, 4, device=where) < HIDE
    hidden[:, 0] = False
    seen = (differences * ~hidden[:, :, None, None, None]).flatten(1, 2)
    seen = moved(seen, SHIFT, TURN, ZOOM)
    strength = torch.exp(STRENGTH * torch.randn(count, 1, 1, 1, device=where))
    deviation = NOISE * torch.rand(count, 1, 1, 1, device=where)
    return (seen * strength + deviation * torch.randn_like(seen)).unflatten(1, differences.shape[1:3])


def fit(some: Fives, rounds: int, seed: int) -> Fitted[Inks]:
    """The weights that tell these fives, seen so often."""
    torch.manual_seed(seed)
    where, half = device(), half_precision()
    pictures, facts = torch.from_numpy(some.pictures).to(where), torch.from_numpy(some.facts).to(where)
    suits, red = torch.from_numpy(some.suits).long().to(where), torch.from_numpy(some.red).float().to(where)
    net = _Net(pictures)
    net.to(where)

    def loss(rows: Tensor) -> Tensor:
        rows = rows.to(where)
        shown = _disturbed(pictures[rows].float())
        with torch.autocast(where.type, torch.bfloat16, enabled=half):
            told = net(shown, facts[rows], suits[rows])
        return fn.binary_cross_entropy_with_logits(told, red[rows])

    teach(net.parameters(), loss, len(red), rounds=rounds, rate=RATE, decay=DECAY, batch=BATCH)
    net.eval()
    few = some.pictures[:: -(-len(some.pictures) // CALIBRATED)].astype(np.float32)
    return Fitted(net.inks(), _of_themselves(net.stages), few.reshape(len(few), -1, *few.shape[3:]))


def told(some: Fives, inks: Standing[Inks]) -> Array32:
    """(n,) logs of the odds that fives are red."""
    return in_parts(lambda rows: inks.layers.red(some.evidence(rows), inks.see), len(some.red))


def figures(_question: Question[Fives], others: Fives, inks: Standing[Inks]) -> list[Row]:
    """How well fives are told by the network alone, by each of the two that compare them, and as they are
    read, by both where maps leave them in question."""
    by_maps, by_inks = others.by_maps, told(others, inks)
    asked, as_read = np.flatnonzero(np.abs(by_maps) < fives.CLEAR), by_maps.copy()

    def red(seen: Evidence) -> Array32:
        return inks.layers.red(seen, inks.see)

    as_read[asked] = in_parts(
        lambda rows: fives.compared(by_maps[asked[rows]], others.evidence(asked[rows]), red), len(asked)
    )
    answers = {"alone": others.facts[:, 0], "by maps": by_maps, "by inks": by_inks, "as read": as_read}
    return [(name, *measured(odds, others.red)) for name, odds in answers.items()]


INKED = Question(
    "inks", "fives", "red", Fives, seen_fives, lambda some: some.red, fit, figures,
    partial(Standing.read, Inks), FILE,
    """# Red fives by their inks

Says of each five that the face network has read whether it is red, by pictures of it and of the other
tiles of its photo (`vision/inks.py`). It is asked where what compares maps ([card](fives.md)) does not tell
a five for certain; both words count then, and where they leave it in question the mean of several looks.

**In:** the network's answers and crops of the photo's tiles. **Out:** logs of the odds that fives are red.
Twelve convolutions, `vision/inks.onnx`, and two layers, `vision/inks.npz`, in int8; in 32 bits it told 5,583
of 5,658 fives (seed 914) with .0410 nats each, so 5,582 with .0420, in a sixth of the time.""",
    "On fives that were read as fives, by what the face network says alone, by each of the two that compare\n"
    "them, and as they are read", 20,
)  # fmt: skip

if __name__ == "__main__":
    run(INKED)
