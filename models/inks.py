"""Fit what tells red fives from plain ones by small pictures: ``python -m models.inks RENDERS...``.

Every render is read with both networks; of each five that is read as one, red or plain, its evidence
(:mod:`vision.inks`) and its true colour are kept in ``--out``, where an interrupted run goes on. Of some
photos only a part of the tiles is shown, as in a close look at one row. A small network then learns the
colour, seeded; ``--check`` tells how many fives of other renders, best in drawings and styles that are held
out, the face network alone tells, how many this one, and how many as they are read, with what compares the
last maps (:mod:`models.fives`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as fn

from datasets.renders import Render
from models.card import table
from models.habits import apart
from models.samples import MEASURED, Samples, compared, gather, measured, origin, shown, truths
from vision import fives
from vision.arrays import Array32, Indices, Mask
from vision.fives import SUITS
from vision.inks import FACTS, FILE, Evidence, Inks, evidence
from vision.labels import FIVES, REDS, plain

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
    names = [render.labels[there[i]] if (i := int(kept[tile])) in there else "" for tile in tiles]
    known = np.array([
        name in FIVES and plain(name) == f"5{SUITS[suits[tile]]}"
        for name, tile in zip(names, tiles, strict=True)
    ], bool)  # fmt: skip
    if not known.any():
        return None
    seen = evidence(tiles, suits, odds, turns % 2 == 1, lambda some: crops(kept[some]))
    by_maps = fives.by_maps(probabilities, maps, turns, odds)[tiles]
    red = np.array([name in REDS for name in names], bool)
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
        drawn = [_folded(each) for each in self.drawn]
        own, *others = drawn[0][0].view(DRAWN[0], 4, -1).unbind(1)
        drawn[0] = torch.stack([own + sum(others), *(-each for each in others)], 1).flatten(1), drawn[0][1]
        arrays = (
            *(array for weight, bias in drawn for array in (weight.T, bias)),
            self.hidden.weight.T, self.hidden.bias, self.last.weight[0], self.last.bias[0], self.odds,
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
    learner = torch.optim.AdamW(net.parameters(), weight_decay=DECAY)
    steps = rounds * -(-len(red) // BATCH)
    pace = torch.optim.lr_scheduler.OneCycleLR(learner, RATE, total_steps=steps)
    for number in range(rounds):
        total = 0.0
        for rows in torch.randperm(len(red)).split(BATCH):
            told = net(_disturbed(pictures[rows].float(), chance), facts[rows], suits[rows])
            loss = fn.binary_cross_entropy_with_logits(told, red[rows])
            learner.zero_grad()
            loss.backward()
            learner.step()
            pace.step()
            total += loss.item() * len(rows)
        print(f"round {number + 1} of {rounds}: {total / len(red):.4f} nats", file=sys.stderr)
    net.eval()
    return net.inks()


def told(some: Fives, inks: Inks) -> Array32:
    """(n,) logs of the odds that fives are red."""
    return np.concatenate([
        inks.red(some.evidence(slice(start, start + BATCH))) for start in range(0, len(some.red), BATCH)
    ])  # fmt: skip


CARD = """# Red fives by their inks

Says of each five that the face network has read whether it is red, by small pictures of it and of the other
tiles of its photo (`vision/inks.py`). The mean of its word and of that of what compares maps
([card](fives.md)) counts.

**In:** the network's answers and crops of the photo's tiles. **Out:** logs of the odds that fives are red.
Three convolutions and two layers, `vision/inks.npz`.

## Fitted

- {count} fives, {red} of them red, of renders: {learnt}
- seed {seed}, each seen {rounds} times
- command: `python -m models.inks RENDERS... --check OTHERS`

## Measured

On fives that were read as fives, by what the face network says alone, by each of the two that compare them,
and as they are read; of renders: {checked}.
In brackets the 95 % interval (Wilson) in percent.

{rows}
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m models.inks", description=__doc__)
    parser.add_argument("renders", type=Path, nargs="+", help="folders of renders to learn from")
    parser.add_argument("--check", type=Path, required=True, help="folder of other renders, to measure")
    parser.add_argument("--out", type=Path, default=Path("runs/inks"), help="where evidence is kept")
    parser.add_argument("--weights", type=Path, default=FILE, help="the file to write")
    parser.add_argument("--card", type=Path, default=Path("models/inks.md"))
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(arguments)
    keep = partial(gather, kind=Fives, sampled=seen_fives, out=args.out, seed=args.seed, workers=args.workers)
    try:
        apart([*args.renders, args.check])
        learnt = [part for folder in args.renders for part in keep(folder)]
        others = Fives.joined(list(keep(args.check)))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    some = Fives.joined(learnt)
    fit(some, args.rounds, args.seed).write(args.weights)
    by_inks = told(others, Inks.read(args.weights))
    answers: dict[str, Array32] = {
        "alone": others.facts[:, 0], "by maps": others.by_maps, "by inks": by_inks,
        "as read, by both": np.asarray((others.by_maps + by_inks) / 2, np.float32),
    }  # fmt: skip
    rows = [(name, *measured(odds, others.red)) for name, odds in answers.items()]
    text = CARD.format(
        count=len(some.red), red=int(some.red.sum()), seed=args.seed, rounds=args.rounds,
        learnt=origin(args.renders), checked=origin([args.check]), rows="\n".join(table(MEASURED, rows)),
    )  # fmt: skip
    args.card.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
