"""Fit what tells indicators of the dora from other faces beside a hand: ``python -m models.dora RENDERS...
--check OTHERS``, folders of ``--kind game``.

Every scene is read as a player's photo is; the evidence (:mod:`vision.dora`) is of each face that is no part
of the hand that was found. What follows is told in :mod:`models.fitting`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as fn

from datasets.boxes import match
from datasets.renders import Render
from models.fitting import Question, Row, in_parts, run, teach
from models.habits import decided, looks_at
from models.samples import FOUND, Samples, measured
from vision import dora
from vision.arrays import Array32, Mask
from vision.dora import MANY, Dora, Evidence
from vision.quads import bounds, box_iou

NEAR, NEARER, HIDDEN = 64, 96, 96
"""What the layers have."""

RATE, DECAY, DROP, BATCH = 4e-3, 0.02, 0.15, 512


@dataclass(frozen=True, slots=True)
class Beside(Samples):
    """Faces beside hands: their evidence, and which are indicators, ``truth`` (n,)."""

    odds: Array32
    facts: Array32
    around: NDArray[np.float16]
    truth: Mask

    def evidence(self, rows: slice) -> Evidence:
        """Of some of them."""
        count = np.arange(len(self.truth[rows]))
        return Evidence(count, self.odds[rows], self.facts[rows], self.around[rows].astype(np.float32))


def beside_hands(render: Render, _rng: np.random.Generator) -> Beside | None:
    """The faces beside the hand of a render; None where there is no hand."""
    _, looks = looks_at(render)
    if not looks or not (hand := decided(looks)).layout.size:
        return None
    seen = dora.evidence(hand.table.tiles, hand.layout, hand.seen.nothing)
    overlaps = box_iou(bounds(hand.seen.quads), bounds(render.quads))
    there = dict(match(hand.seen.probabilities.max(axis=1), overlaps, FOUND))
    shown = [i in there and render.roles[there[i]] == "dora" for i in seen.tiles.tolist()]
    return Beside(seen.odds, seen.facts, seen.around.astype(np.float16), np.array(shown, bool))


# --- learning ------------------------------------------------------------------------------------------


class _Net(nn.Module):
    """:class:`vision.dora.Dora` while it learns; facts are heard in deviations ``spread`` from ``middle``."""

    def __init__(self, marks: int, middle: Tensor, spread: Tensor) -> None:
        super().__init__()
        self.near, self.nearer = nn.Linear(marks, NEAR), nn.Linear(NEAR, NEARER)
        self.hidden = nn.Linear(2 * NEARER + len(middle), HIDDEN)
        self.last = nn.Linear(HIDDEN, 1)
        self.odds = nn.Parameter(torch.ones(()))
        self.register_buffer("middle", middle)
        self.register_buffer("spread", spread)
        nn.init.zeros_(self.last.weight)  # begin with the word of the rules

    def forward(self, odds: Tensor, facts: Tensor, around: Tensor) -> Tensor:
        cells = fn.relu(self.nearer(fn.relu(self.near(around)))) * around[..., :1]
        told = torch.cat([cells.amax(1), cells.sum(1) / MANY, (facts - self.middle) / self.spread], 1)
        out: Tensor = self.last(fn.dropout(fn.relu(self.hidden(told)), DROP, self.training))[:, 0]
        return out + self.odds * odds

    def dora(self) -> Dora:
        """The weights as they serve: of the facts themselves."""
        hidden, of_facts = self.hidden.weight.T.clone(), len(self.middle)
        hidden[-of_facts:] /= self.spread[:, None]
        arrays = (
            hidden, self.hidden.bias - self.middle @ hidden[-of_facts:], self.last.weight[0],
            self.last.bias[0], self.odds, self.near.weight.T, self.near.bias, self.nearer.weight.T,
            self.nearer.bias,
        )  # fmt: skip
        return Dora(*(np.asarray(each.detach().numpy(), np.float32) for each in arrays))


def fit(some: Beside, rounds: int, seed: int) -> Dora:
    """The weights that tell these faces, seen so often."""
    torch.manual_seed(seed)
    odds, facts, around = (torch.from_numpy(each) for each in (some.odds, some.facts, some.around))
    truth = torch.from_numpy(some.truth).float()
    net = _Net(around.shape[2], facts.mean(0), facts.std(0) + 1e-4)

    def loss(rows: Tensor) -> Tensor:
        told = net(odds[rows], facts[rows], around[rows].float())
        return fn.binary_cross_entropy_with_logits(told, truth[rows])

    teach(net.parameters(), loss, len(truth), rounds=rounds, rate=RATE, decay=DECAY, batch=BATCH)
    return net.dora()


def told(some: Beside, layer: Dora) -> Array32:
    """(n,) logs of the odds that faces are indicators."""

    def part(rows: slice) -> Array32:
        seen = some.evidence(rows)
        return layer.told(seen.odds, layer.heard(seen))

    return in_parts(part, len(some.truth))


def figures(_question: Question[Beside], others: Beside, layer: Dora) -> list[Row]:
    """How well faces are told by the rules alone and with the layer, all of them and the indicators."""
    answers = {"the rules alone": others.odds, "with the layer": told(others, layer)}
    parts = {"faces beside hands": np.ones(len(others.truth), bool), "indicators": others.truth}
    return [
        (f"{part}, {how}", *measured(odds[some], others.truth[some]))
        for part, some in parts.items() for how, odds in answers.items()
    ]  # fmt: skip


DORA = Question(
    "dora", "faces beside hands", "indicators", Beside, beside_hands, lambda some: some.truth, fit, figures,
    Dora.read, dora.FILE,
    """# Indicators of the dora by how they lie

Says of each face beside a hand how likely it is an indicator of the dora: by what the rules find in walls
(`vision/indicators.py`), by how it lies to the backs, the faces and the hand around it, and by what each of
its nearest neighbours is (`vision/dora.py`). Those of the ura are none.

**In:** the tiles in the plane of the table, and which of them are the hand. **Out:** a probability for every
other face. Two small layers for each neighbour and two for all, `vision/dora.npz`.""",
    "By what the rules say alone, and with the layer", 12,
)  # fmt: skip

if __name__ == "__main__":
    run(DORA)
