"""Fit what tells red fives from plain ones by small pictures: ``python -m models.inks RENDERS...``.

The evidence (:mod:`vision.inks`) is of each five that is read as one, red or plain; of some photos only a
part of the tiles is shown, as in a close look at one row. What follows is told in :mod:`models.fitting`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as fn

from datasets.renders import Render
from models.fitting import Question, Row, in_parts, run, teach
from models.fives import coloured, themselves
from models.samples import Samples, compared, measured, shown, truths
from vision import fives
from vision.arrays import Array32, Indices, Mask
from vision.fives import SUITS
from vision.inks import FACTS, FILE, Evidence, Inks, evidence

DRAWN, HIDDEN = (24, 40, 64), 64
"""What the network has: channels of its convolutions, and units of its hidden layer."""

RATE, DECAY, DROP, BATCH = 2e-3, 0.02, 0.2, 128

SHIFT, HIDE = 2, 0.1
"""Pixels by which pictures are moved at most, and how often a comparison is hidden, while it learns."""


@dataclass(frozen=True, slots=True)
class Fives(Samples):
    """Fives of renders: their evidence, the logs of odds (n,) by what compares maps, and which are ``red``
    (n,)."""

    suits: Indices
    pictures: NDArray[np.float16]
    facts: Array32
    by_maps: Array32
    red: Mask

    def evidence(self, rows: slice) -> Evidence:
        """Of some of them."""
        return Evidence(self.suits[rows], self.pictures[rows].astype(np.float32), self.facts[rows])


def seen_fives(render: Render, rng: np.random.Generator) -> Fives | None:
    """The fives of a render; None where none was read."""
    given, quads = compared(render, "colours")
    if given is None:
        return None
    probabilities, maps, turns, crops = given
    there = truths(render, probabilities, quads)
    kept = shown(len(maps), rng)
    probabilities, maps, turns = probabilities[kept], maps[kept], turns[kept]
    tiles, suits, odds = fives.among(probabilities)
    known, red = coloured(render, there, kept[tiles], suits[tiles])
    if not known.any():
        return None
    seen = evidence(tiles, suits, odds, turns % 2 == 1, lambda some: crops(kept[some]))
    by_maps = fives.by_maps(probabilities, maps, turns, odds)[tiles]
    pictures = seen.pictures[known].astype(np.float16)
    return Fives(seen.suits[known], pictures, seen.facts[known], by_maps[known], red[known])


# --- learning ------------------------------------------------------------------------------------------


class _Net(nn.Module):
    """:class:`vision.inks.Inks` while it learns."""

    def __init__(self, pictures: Tensor) -> None:
        super().__init__()
        _, parts, colours, height, width = pictures.shape
        self.drawn = nn.Sequential(*(
            nn.Sequential(nn.Conv2d(before, after, 3, 2, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU())
            for before, after in pairwise((parts * colours, *DRAWN))
        ))  # fmt: skip
        cells = DRAWN[-1] * (height // 8) * (width // 8)
        self.hidden = nn.Linear(cells + FACTS + len(SUITS), HIDDEN)
        self.last = nn.Linear(HIDDEN, 1)
        self.odds = nn.Parameter(torch.ones(()))
        nn.init.zeros_(self.last.weight)  # begin with the face network's own word

    def forward(self, pictures: Tensor, facts: Tensor, suits: Tensor) -> Tensor:
        """``pictures``: of the five itself, and how it differs from each of the others."""
        seen = self.drawn(pictures.flatten(1, 2)).flatten(1)
        told = torch.cat([seen, facts, fn.one_hot(suits, len(SUITS)).float()], 1)
        told = fn.relu(self.hidden(fn.dropout(told, DROP, self.training)))
        out: Tensor = self.last(fn.dropout(told, DROP, self.training))[:, 0] + self.odds * facts[:, 0]
        return out

    def inks(self) -> Inks:
        """The weights as they serve: of the pictures themselves, not of their differences."""
        (first, bias), *others = (_folded(each) for each in self.drawn)
        drawn = [(themselves(first).flatten(1), bias), *others]
        arrays = (
            self.hidden.weight.T, self.hidden.bias, self.last.weight[0], self.last.bias[0], self.odds,
            *(array for weight, bias in drawn for array in (weight.T, bias)),
        )  # fmt: skip
        return Inks(*(np.asarray(each.detach().numpy(), np.float32) for each in arrays))


def _folded(block: nn.Module) -> tuple[Tensor, Tensor]:
    """Weight (k, channels · 9) and bias (k,) of a convolution and the norm after it as one."""
    convolution, norm, _ = block.children()
    assert isinstance(convolution, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d)
    assert norm.running_var is not None and norm.running_mean is not None
    scale = norm.weight.detach() / torch.sqrt(norm.running_var + norm.eps)
    weight = convolution.weight.detach().flatten(1) * scale[:, None]
    return weight, norm.bias.detach() - norm.running_mean * scale


def _disturbed(pictures: Tensor, chance: torch.Generator) -> Tensor:
    """Pictures (n, 4, 3, H, W), as the five and how it differs from each of the others: all moved alike, for
    no crop lies quite well, and some comparisons hidden, for often there is nothing to compare with."""
    own, *others = pictures.unbind(1)
    differences = torch.stack([own, *(own - each for each in others)], 1)
    down, right = (int(torch.randint(-SHIFT, SHIFT + 1, (), generator=chance)) for _ in range(2))
    hidden = torch.rand(len(own), 4, generator=chance) < HIDE
    hidden[:, 0] = False
    return torch.roll(differences, (down, right), (3, 4)) * ~hidden[:, :, None, None, None]


def fit(some: Fives, rounds: int, seed: int) -> Inks:
    """The weights that tell these fives, seen so often."""
    torch.manual_seed(seed)
    chance = torch.Generator().manual_seed(seed)
    pictures, facts = torch.from_numpy(some.pictures), torch.from_numpy(some.facts)
    suits, red = torch.from_numpy(some.suits).long(), torch.from_numpy(some.red).float()
    net = _Net(pictures)

    def loss(rows: Tensor) -> Tensor:
        told = net(_disturbed(pictures[rows].float(), chance), facts[rows], suits[rows])
        return fn.binary_cross_entropy_with_logits(told, red[rows])

    teach(net.parameters(), loss, len(red), rounds=rounds, rate=RATE, decay=DECAY, batch=BATCH)
    net.eval()
    return net.inks()


def told(some: Fives, inks: Inks) -> Array32:
    """(n,) logs of the odds that fives are red."""
    return in_parts(lambda rows: inks.red(some.evidence(rows)), len(some.red))


def figures(_question: Question[Fives], others: Fives, inks: Inks) -> list[Row]:
    """How well fives are told by the network alone, by each of the two that compare them, and by both."""
    by_inks = told(others, inks)
    answers = {
        "alone": others.facts[:, 0], "by maps": others.by_maps, "by inks": by_inks,
        "as read, by both": np.asarray((others.by_maps + by_inks) / 2, np.float32),
    }  # fmt: skip
    return [(name, *measured(odds, others.red)) for name, odds in answers.items()]


INKED = Question(
    "inks", "fives", "red", Fives, seen_fives, lambda some: some.red, fit, figures, FILE,
    """# Red fives by their inks

Says of each five that the face network has read whether it is red, by small pictures of it and of the other
tiles of its photo (`vision/inks.py`). The mean of its word and of that of what compares maps
([card](fives.md)) counts.

**In:** the network's answers and crops of the photo's tiles. **Out:** logs of the odds that fives are red.
Three convolutions and two layers, `vision/inks.npz`.""",
    "On fives that were read as fives, by what the face network says alone, by each of the two that compare\n"
    "them, and as they are read", 10,
)  # fmt: skip

if __name__ == "__main__":
    run(INKED)
