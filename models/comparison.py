"""Fit what candidates are worth beside one another (:mod:`vision.comparison`); :mod:`models.habits` has the
command."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as fn

from models.fitting import teach
from vision.arrays import Array, Mask
from vision.comparison import Comparison, facts

HIDDEN, ROUNDS = 128, 16
RATE, DECAY, DROP, BATCH = 2e-3, 0.1, 0.5, 64
"""Chosen by what scenes of seed 905 taught of those of 906, the other way round, and both of 909."""

_TINY = 1e-30


class Candidates(Protocol):
    """Those of one scene: ``terms`` (m, k), and which of them are ``right`` (m,)."""

    @property
    def terms(self) -> Array: ...

    @property
    def right(self) -> Mask: ...


def fit(
    scenes: Sequence[Candidates], weights: Array, held: Mask, before: Comparison | None = None, seed: int = 0
) -> Comparison:
    """What makes the right candidates of scenes, each of which has right ones and wrong ones, likelier than
    their sums of terms by ``weights`` (k,). ``held``: (k,) the terms of which scenes do not teach;
    ``before``: what other scenes have taught, to which more is added."""
    torch.manual_seed(seed)
    terms = np.concatenate([each.terms for each in scenes])
    known = before or _nothing(terms)
    middle, spread = known.middle, known.spread
    sums = [each.terms @ weights for each in scenes]
    heard = [
        torch.from_numpy(facts(middle, spread, each.terms, scores))
        for each, scores in zip(scenes, sums, strict=True)
    ]
    told = torch.from_numpy(~np.concatenate([held, held, [False, False]])).float()
    begun = [known.scores(each.terms, scores) for each, scores in zip(scenes, sums, strict=True)]
    scores, right = map(torch.from_numpy, (np.concatenate(begun), np.concatenate([s.right for s in scenes])))
    starts = [0, *accumulate(len(each) for each in heard)]
    hidden, last = nn.Linear(len(told), HIDDEN), nn.Linear(HIDDEN, 1, bias=False)
    nn.init.zeros_(last.weight)  # begin with what is known

    def loss(rows: Tensor) -> Tensor:
        numbers = rows.tolist()
        among = torch.cat([torch.arange(starts[k], starts[k + 1]) for k in numbers])
        cells = fn.relu(hidden(torch.cat([heard[k] for k in numbers]) * told))
        worth = scores[among].float() + last(fn.dropout(cells, DROP))[:, 0]
        parts = torch.split(worth, [len(heard[k]) for k in numbers])
        good = torch.split(right[among], [len(heard[k]) for k in numbers])
        shares = [fn.softmax(part, 0)[known].sum() for part, known in zip(parts, good, strict=True)]
        return -torch.log(torch.stack(shares) + _TINY).mean()

    learning = [*hidden.parameters(), *last.parameters()]
    teach(learning, loss, len(scenes), rounds=ROUNDS, rate=RATE, decay=DECAY, batch=BATCH)
    of_facts = (hidden.weight.detach() * told).numpy().T
    more = of_facts, hidden.bias.detach().numpy(), last.weight.detach().numpy()[0]
    stands = known.hidden, known.hidden_bias, known.last
    both = (np.concatenate(each, axis=-1) for each in zip(stands, more, strict=True))
    return Comparison(middle, spread, *(np.asarray(each, np.float32) for each in both))


def _nothing(terms: Array) -> Comparison:
    """What adds nothing to candidates of which these terms (m, k) are typical."""
    middle, spread = terms.mean(axis=0).astype(np.float32), (terms.std(axis=0) + 1e-6).astype(np.float32)
    none = np.zeros(0, np.float32)
    return Comparison(middle, spread, np.zeros((2 * terms.shape[1] + 2, 0), np.float32), none, none)
