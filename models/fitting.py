"""Fit what looks into the face network's answers to tiles, and measure it: what these commands share.

Every render is read with both networks; the evidence of each tile that is in question and of which it is
known what it is is kept in ``--out``, where an interrupted run goes on. What tells which are what then learns
it, seeded; ``--check`` tells how many of other renders, best in drawings that are held out, the network alone
tells, and how many with it. Without renders to learn from what stands is measured.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from datasets.renders import Render, apart, read_renders
from models.card import table
from models.samples import MEASURED, Sampled, Some, gather, origin
from vision.arrays import Array32, Mask

Row = tuple[str, str, str, str, str]
"""A name, and what :func:`models.samples.measured` tells."""


class Written(Protocol):
    """Weights that are kept in a file."""

    def write(self, file: Path) -> None:
        """Into a file, and what belongs to them beside it."""


@dataclass(frozen=True, slots=True)
class Question(Generic[Some]):
    """What is told of tiles: ``name`` of its command and card, what the tiles in question are called
    (``tiles``) and those of which it is true (``true``), how samples of a ``kind`` are ``sampled`` and which
    of them are true (``truth``); how ``fit`` makes weights of samples, by rounds and a seed, that ``figures``
    measures as they are ``read`` from a ``file``; and of the card the ``text`` above its figures
    and what was ``measured``. ``rounds``: how often samples are seen where nothing else is asked for."""

    name: str
    tiles: str
    true: str
    kind: type[Some]
    sampled: Sampled[Some]
    truth: Callable[[Some], Mask]
    fit: Callable[[Some, int, int], Written]
    figures: Callable[[Question[Some], Some, Any], Sequence[Row]]
    read: Callable[[Path], Any]
    file: Path
    text: str
    measured: str
    rounds: int


def teach(
    weights: Iterable[nn.Parameter], loss: Callable[[Tensor], Tensor], count: int,
    *, rounds: int, rate: float, decay: float, batch: int,
) -> None:  # fmt: skip
    """Weights learn from so many samples, each seen so often: ``loss`` is that of the samples with these
    numbers (``batch``,)."""
    learner = torch.optim.AdamW(weights, weight_decay=decay)
    pace = torch.optim.lr_scheduler.OneCycleLR(learner, rate, total_steps=rounds * -(-count // batch))
    for _ in range(rounds):
        for rows in torch.randperm(count).split(batch):
            learner.zero_grad()
            loss(rows).backward()
            learner.step()
            pace.step()


PART = 256
"""Samples that are told of at once."""


def in_parts(told: Callable[[slice], Array32], count: int) -> Array32:
    """(n,) what is told of so many samples, some of them at once."""
    return np.concatenate([told(slice(start, start + PART)) for start in range(0, count, PART)])


FITTED = """- {count} {tiles}, {true} of them {named}, of renders: {learnt}
- seed {seed}, each seen {rounds} times
- command: `python -m models.{name} RENDERS... --check OTHERS`"""

CARD = """{text}

## Fitted

{fitted}

## Measured

{measured}; of renders: {checked}. In brackets the 95 % interval
(Wilson) in percent.

{rows}
"""


def _standing(card: Path) -> str:
    """How that which stands was fitted, by its card. Raises ValueError where it does not say so."""
    _, _, rest = card.read_text(encoding="utf-8").partition("## Fitted\n\n")
    said, measured, _ = rest.partition("\n\n## Measured")
    if not measured:
        raise ValueError(f"{card} does not say how what stands was fitted: name renders to learn from")
    return said


def run(question: Question[Some], arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    name = question.name
    parser = argparse.ArgumentParser(prog=f"python -m models.{name}", description=__doc__)
    parser.add_argument(
        "renders", type=Path, nargs="*",
        help="folders of renders to learn from; without one what stands is measured",
    )  # fmt: skip
    parser.add_argument("--check", type=Path, required=True, help="folder of other renders, to measure")
    parser.add_argument("--out", type=Path, default=Path("runs", name), help="where evidence is kept")
    parser.add_argument("--weights", type=Path, default=question.file, help="the file to write")
    parser.add_argument("--card", type=Path, default=Path("models", f"{name}.md"))
    parser.add_argument("--rounds", type=int, default=question.rounds)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(arguments)
    kind = question.kind
    keep = partial(
        gather, kind=kind, sampled=question.sampled, out=args.out, seed=args.seed, workers=args.workers
    )
    try:
        apart([*args.renders, args.check])
        taught: dict[str, Sequence[Render]] = {folder.name: read_renders(folder) for folder in args.renders}
        learnt = [part for each in taught.items() for part in keep(*each)]
        others = kind.joined(list(keep(args.check.name, read_renders(args.check))))
        fitted, stands = ("", None) if learnt else (_standing(args.card), question.read(args.weights))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if learnt:
        some = kind.joined(learnt)
        question.fit(some, args.rounds, args.seed).write(args.weights)
        stands, truth = question.read(args.weights), question.truth(some)  # as precise as it is there
        fitted = FITTED.format(
            count=len(truth), tiles=question.tiles, true=int(truth.sum()), named=question.true,
            learnt=origin(args.renders), seed=args.seed, rounds=args.rounds, name=name,
        )  # fmt: skip
    rows = table(MEASURED, question.figures(question, others, stands))
    text = CARD.format(
        text=question.text, fitted=fitted, measured=question.measured, checked=origin([args.check]),
        rows="\n".join(rows),
    )  # fmt: skip
    args.card.write_text(text, encoding="utf-8")
    print(text)
