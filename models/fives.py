"""Fit what tells red fives from plain ones by their neighbours: ``python -m models.fives RENDERS...``.

Every render is read with both networks; of each five that is read as one, red or plain, its evidence
(:mod:`vision.fives`) and its true colour are kept in ``--out``, where an interrupted run goes on. Of some
photos only a part of the tiles is shown, as in a close look at one row. Two small layers then learn the
colour, seeded; ``--check`` tells how many fives of other renders, best in drawings and styles that are held
out, the network alone tells, and how many with its neighbours.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
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
    given, quads = compared(render, "colours")
    if given is None:
        return None
    probabilities, maps, turns, _ = given
    there = truths(render, probabilities, quads)
    kept = shown(len(maps), rng)
    seen = evidence(probabilities[kept], maps[kept], turns[kept])
    names = [render.labels[there[i]] if (i := int(kept[tile])) in there else "" for tile in seen.tiles]
    known = [
        name in FIVES and plain(name) == f"5{SUITS[suit]}"
        for name, suit in zip(names, seen.suits, strict=True)
    ]
    if not any(known):
        return None
    red = np.array([name in REDS for name in names], bool)
    return Fives(seen.suits[known], seen.maps[known].astype(np.float16), seen.facts[known], red[known])


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
        own, *others = self.cells.weight.detach().view(CELLS, 4, -1).unbind(1)
        parts = torch.stack([own + sum(others), *(-each for each in others)]) / self.spread
        arrays = (
            parts.transpose(1, 2), self.cells.bias, self.hidden.weight.T, self.hidden.bias,
            self.last.weight[0], self.last.bias[0], self.odds,
        )  # fmt: skip
        return Colours(*(np.asarray(each.detach().numpy(), np.float32) for each in arrays))


def fit(some: Fives, rounds: int, seed: int) -> Colours:
    """The weights that tell these fives, seen so often."""
    torch.manual_seed(seed)
    maps, facts = torch.from_numpy(some.maps), torch.from_numpy(some.facts)
    suits, red = torch.from_numpy(some.suits).long(), torch.from_numpy(some.red).float()
    spread = maps[:: max(1, len(maps) // 2000)].float().std(dim=(0, 1, 3)) + 0.05
    net = _Net(maps.shape[2], maps.shape[3], spread)
    learner = torch.optim.AdamW(net.parameters(), weight_decay=DECAY)
    steps = rounds * -(-len(red) // BATCH)
    pace = torch.optim.lr_scheduler.OneCycleLR(learner, RATE, total_steps=steps)
    for _ in range(rounds):
        for rows in torch.randperm(len(red)).split(BATCH):
            told = net(maps[rows].float(), facts[rows], suits[rows])
            loss = fn.binary_cross_entropy_with_logits(told, red[rows])
            learner.zero_grad()
            loss.backward()
            learner.step()
            pace.step()
    net.eval()
    return net.colours()


def told(some: Fives, colours: Colours) -> Array32:
    """(n,) logs of the odds that fives are red."""
    return np.concatenate([
        colours.red(some.evidence(slice(start, start + BATCH))) for start in range(0, len(some.red), BATCH)
    ])  # fmt: skip


CARD = """# Red fives by their neighbours

Says of each five that the face network has read whether it is red, by holding it against the other tiles
of its photo (`vision/fives.py`): what marks a red five is what the others have not.

**In:** the network's answers and its last maps of all tiles of a photo. **Out:** the answers with what each
five has shared anew between red and plain. Two small layers, `vision/fives.npz`.

## Fitted

- {count} fives, {red} of them red, of renders: {learnt}
- seed {seed}, each seen {rounds} times
- command: `python -m models.fives RENDERS... --check OTHERS`

## Measured

On fives that were read as fives, by what the face network says alone, and compared; of renders: {checked}.
In brackets the 95 % interval (Wilson) in percent.

{rows}
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m models.fives", description=__doc__)
    parser.add_argument("renders", type=Path, nargs="+", help="folders of renders to learn from")
    parser.add_argument("--check", type=Path, required=True, help="folder of other renders, to measure")
    parser.add_argument("--out", type=Path, default=Path("runs/fives"), help="where evidence is kept")
    parser.add_argument("--weights", type=Path, default=FILE, help="the file to write")
    parser.add_argument("--card", type=Path, default=Path("models/fives.md"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(arguments)
    keep = partial(gather, kind=Fives, sampled=fives, out=args.out, seed=args.seed, workers=args.workers)
    try:
        apart([*args.renders, args.check])
        learnt = [part for folder in args.renders for part in keep(folder)]
        others = Fives.joined(list(keep(args.check)))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    some = Fives.joined(learnt)
    fit(some, args.rounds, args.seed).write(args.weights)
    answers = {"alone": others.facts[:, 0], "compared": told(others, Colours.read(args.weights))}
    rows = [(name, *measured(odds, others.red)) for name, odds in answers.items()]
    text = CARD.format(
        count=len(some.red), red=int(some.red.sum()), seed=args.seed, rounds=args.rounds,
        learnt=origin(args.renders), checked=origin([args.check]), rows="\n".join(table(MEASURED, rows)),
    )  # fmt: skip
    args.card.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
