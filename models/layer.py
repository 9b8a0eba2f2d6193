"""Fit a layer (:mod:`vision.layer`) that tells which of two things a tile is.

Every render is read with both networks; the evidence of each tile that is in question and of which it is
known what it is is kept in ``--out``, where an interrupted run goes on. A layer then learns which are what,
seeded; ``--check`` tells how many of other renders, best in drawings that are held out, the network alone
tells, and how many with the layer.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as fn

from models.card import table
from models.habits import apart
from models.samples import MEASURED, Sampled, Samples, gather, measured, origin
from vision.arrays import Array32, Mask
from vision.layer import Layer

HIDDEN = 32
"""What a layer has."""

RATE, DECAY, DROP, BATCH = 5e-3, 0.05, 0.1, 256


@dataclass(frozen=True, slots=True)
class Evidence(Samples):
    """Tiles of renders: the network's ``odds`` (n,), ``facts`` (n, k), and the ``truth`` (n,)."""

    odds: Array32
    facts: Array32
    truth: Mask


@dataclass(frozen=True, slots=True)
class Question:
    """What a layer tells: ``name`` of its command, file and card, what the tiles in question are called
    (``tiles``) and those of which it is true (``true``), how they are ``sampled``, and the card's ``text``
    above its figures."""

    name: str
    tiles: str
    true: str
    sampled: Sampled[Evidence]
    file: Path
    text: str


def fit(some: Evidence, rounds: int, seed: int) -> Layer:
    """The weights that tell these tiles, seen so often. Both kinds count alike, however many there are: what
    is rare among all that lies on a table is not where a hand is."""
    torch.manual_seed(seed)
    middle, spread = some.facts.mean(axis=0), some.facts.std(axis=0) + 1e-4
    facts, odds = torch.from_numpy((some.facts - middle) / spread), torch.from_numpy(some.odds)
    truth, share = torch.from_numpy(some.truth).float(), float(some.truth.mean())
    counts = torch.where(truth > 0, 0.5 / share, 0.5 / (1 - share))
    hidden, last = nn.Linear(facts.shape[1], HIDDEN), nn.Linear(HIDDEN, 1)
    own = nn.Parameter(torch.ones(()))
    nn.init.zeros_(last.weight)  # begin with the network's own word
    learner = torch.optim.AdamW([*hidden.parameters(), *last.parameters(), own], weight_decay=DECAY)
    steps = rounds * -(-len(truth) // BATCH)
    pace = torch.optim.lr_scheduler.OneCycleLR(learner, RATE, total_steps=steps)
    for _ in range(rounds):
        for rows in torch.randperm(len(truth)).split(BATCH):
            told = last(fn.dropout(fn.relu(hidden(facts[rows])), DROP))[:, 0] + own * odds[rows]
            loss = fn.binary_cross_entropy_with_logits(told, truth[rows], counts[rows])
            learner.zero_grad()
            loss.backward()
            learner.step()
            pace.step()
    weights = hidden.weight.detach().numpy().T / spread[:, None]
    bias = hidden.bias.detach().numpy() - middle @ weights
    others = (each.detach().numpy() for each in (last.weight[0], last.bias[0], own))
    return Layer(*(np.asarray(each, np.float32) for each in (weights, bias, *others)))


def figures(question: Question, others: Evidence, layer: Layer) -> list[tuple[str, str, str, str, str]]:
    """How well tiles are told by the network alone and with the layer, all of them and the true ones."""
    answers = {"alone": others.odds, "with the layer": layer.told(others.odds, others.facts)}
    parts = {question.tiles: np.ones(len(others.truth), bool), question.true: others.truth}
    return [
        (f"{part}, {how}", *measured(odds[some], others.truth[some]))
        for part, some in parts.items() for how, odds in answers.items()
    ]  # fmt: skip


CARD = """{text}

## Fitted

- {count} {tiles}, {true} of them {named}, of renders: {learnt}
- seed {seed}, each seen {rounds} times
- command: `python -m models.{name} RENDERS... --check OTHERS`

## Measured

By what the face network says alone, and with the layer; of renders: {checked}. In brackets the 95 % interval
(Wilson) in percent.

{rows}
"""


def run(question: Question, arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    name, weights = question.name, question.file
    parser = argparse.ArgumentParser(prog=f"python -m models.{name}", description=__doc__)
    parser.add_argument("renders", type=Path, nargs="+", help="folders of renders to learn from")
    parser.add_argument("--check", type=Path, required=True, help="folder of other renders, to measure")
    parser.add_argument("--out", type=Path, default=Path("runs", name), help="where evidence is kept")
    parser.add_argument("--weights", type=Path, default=weights, help="the file to write")
    parser.add_argument("--card", type=Path, default=Path("models", f"{name}.md"))
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(arguments)
    keep = partial(
        gather, kind=Evidence, sampled=question.sampled, out=args.out, seed=args.seed, workers=args.workers
    )
    try:
        apart([*args.renders, args.check])
        learnt = Evidence.joined([part for folder in args.renders for part in keep(folder)])
        others = Evidence.joined(list(keep(args.check)))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    layer = fit(learnt, args.rounds, args.seed)
    layer.write(args.weights)
    text = CARD.format(
        text=question.text, count=len(learnt.truth), tiles=question.tiles, true=int(learnt.truth.sum()),
        named=question.true, learnt=origin(args.renders), seed=args.seed, rounds=args.rounds, name=name,
        checked=origin([args.check]), rows="\n".join(table(MEASURED, figures(question, others, layer))),
    )  # fmt: skip
    args.card.write_text(text, encoding="utf-8")
    print(text)
