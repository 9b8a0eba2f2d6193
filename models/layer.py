"""Fit a layer (:mod:`vision.layer`) that tells which of two things a tile is; :mod:`models.fitting` has the
command."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as fn

from models.fitting import Question, Row, teach
from models.samples import Sampled, Samples, measured
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

    def loss(rows: Tensor) -> Tensor:
        told = last(fn.dropout(fn.relu(hidden(facts[rows])), DROP))[:, 0] + own * odds[rows]
        return fn.binary_cross_entropy_with_logits(told, truth[rows], counts[rows])

    learning = [*hidden.parameters(), *last.parameters(), own]
    teach(learning, loss, len(truth), rounds=rounds, rate=RATE, decay=DECAY, batch=BATCH)
    weights = hidden.weight.detach().numpy().T / spread[:, None]
    bias = hidden.bias.detach().numpy() - middle @ weights
    others = (each.detach().numpy() for each in (last.weight[0], last.bias[0], own))
    return Layer(*(np.asarray(each, np.float32) for each in (weights, bias, *others)))


def figures(question: Question[Evidence], others: Evidence, layer: Layer) -> list[Row]:
    """How well tiles are told by the network alone and with the layer, all of them and the true ones."""
    answers = {"alone": others.odds, "with the layer": layer.told(others.odds, others.facts)}
    parts = {question.tiles: np.ones(len(others.truth), bool), question.true: others.truth}
    return [
        (f"{part}, {how}", *measured(odds[some], others.truth[some]))
        for part, some in parts.items() for how, odds in answers.items()
    ]  # fmt: skip


def asked(
    name: str, tiles: str, true: str, sampled: Sampled[Evidence], file: Path, text: str, rounds: int
) -> Question[Evidence]:
    """The question that a layer answers."""
    return Question(
        name, tiles, true, Evidence, sampled, lambda some: some.truth, fit, figures, Layer.read, file, text,
        "By what the face network says alone, and with the layer", rounds,
    )  # fmt: skip
