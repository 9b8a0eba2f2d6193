"""Train the scene model; its checkpoint is written every few minutes."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np
import torch

from models import training
from models.export import read_checkpoint
from models.scene.batches import Bank, Batch, Batches
from models.scene.losses import HAND, WIN, losses
from models.scene.net import SceneNet
from models.scene.scenes import Scenes

HELD_BACK = 20
"""One of so many drawn scenes is held back for validation."""

WARM = 300
"""Steps over which the rate rises."""

LAST = 0.02
"""Share of the highest rate at the end."""

PART_STEPS = 6000
"""Steps after which other laid scenes are loaded."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command line."""
    parser.add_argument("--data", type=Path, required=True, help="folder with laid/, drawn/ and photos/")
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint; resumed if there")
    parser.add_argument("--begin", type=Path, help="checkpoint or weights to begin with")
    parser.add_argument("--steps", type=int, default=40_000, help="steps over which the rate falls")
    parser.add_argument("--until", type=float, default=math.inf, help="step after which to stop early")
    parser.add_argument("--rate", type=float, default=1e-3, help="highest learning rate")
    parser.add_argument("--tiles", type=int, default=900, help="tiles of a batch")
    parser.add_argument("--drawn-share", type=float, default=0.5, help="how often a drawn scene is taken")
    parser.add_argument("--laid-most", type=int, default=12000, help="laid scenes in memory at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.set_defaults(resume=True, half=training.half_precision("cpu"), every=150.0, check=1250)


def _joined(folder: Path) -> Scenes | None:
    files = sorted(folder.glob("*.npz"))
    return Scenes.joined([Scenes.read(file) for file in files]) if files else None


class Data:
    """Batches of the scenes of a folder. ``held``: drawn scenes held back.

    Raises ValueError if there are too few scenes.
    """

    def __init__(self, args: argparse.Namespace, rng: np.random.Generator) -> None:
        self._args, self._rng = args, rng
        self._queue: list[Batch] = []
        self._read()

    def _read(self) -> None:
        args = self._args
        drawn, photos = _joined(args.data / "drawn"), _joined(args.data / "photos")
        self.held: Scenes | None = None
        if drawn is not None:
            is_held = np.arange(len(drawn.counts)) % HELD_BACK == 0
            self.held, drawn = drawn.only(np.flatnonzero(is_held)), drawn.only(np.flatnonzero(~is_held))
        files = sorted((args.data / "laid").glob("*.npz"))
        laid: list[Scenes] = []
        for at in self._rng.permutation(len(files)):
            laid.append(Scenes.read(files[at]))
            if sum(len(each.counts) for each in laid) >= args.laid_most:
                break
        if not laid or (drawn is None and photos is None):
            raise ValueError(f"{args.data} holds too little: lay scenes and extract drawn ones first")
        joined = Scenes.joined(laid)
        self._batches = Batches(drawn, joined, Bank.of(drawn, photos), args.drawn_share, self._rng)
        drawings = 0 if drawn is None else len(drawn.counts)
        print(f"{drawings} drawn, {len(joined.counts)} laid in memory", flush=True)

    def __iter__(self) -> Iterator[Batch]:
        for step in count(1):
            if step % PART_STEPS == 0:
                self._read()
            if not self._queue:
                self._queue = self._batches.draw(self._args.tiles)
            yield self._queue.pop()


def validate(net: SceneNet, held: Scenes, tiles: int) -> dict[str, float]:
    """Losses, and shares of right roles, faces and hands, on the scenes held back."""
    batches = Batches(held, held, Bank.of(held), 1.0, np.random.default_rng(0))
    net.eval()
    sums: dict[str, list[float]] = {}
    with torch.no_grad():
        for batch in batches.draw(tiles, 160):
            answer = net(batch.rows, batch.mask)
            known = batch.mask & (batch.roles >= 0)
            role = answer.roles.argmax(-1)
            role_right = (role == batch.roles) | ~known
            face_right = (answer.faces.argmax(-1) == batch.labels) | ~batch.mask
            figures = {
                **{name: float(value) for name, value in losses(answer, batch).items()},
                "roles_right": float(role_right[known].float().mean()),
                "faces_right": float(face_right[batch.mask].float().mean()),
                "hands_right": _hands_right(batch, role_right & face_right, role),
            }
            for name, value in figures.items():
                if not math.isnan(value):
                    sums.setdefault(name, []).append(value)
    return {name: float(np.mean(values)) for name, values in sums.items()}


def _hands_right(batch: Batch, right: torch.Tensor, role: torch.Tensor) -> float:
    """Share of finished hands whose detected tiles are all right, in scenes without a tile taken wrongly."""
    hits, count = 0, 0
    for seat in range(4):
        mine = batch.finished.bool() & (batch.seats == seat)
        strange = ((role == HAND) | (role == WIN)) & batch.mask & (batch.seats < 0)
        there = mine.any(1)
        good = (right | ~mine).all(1) & ~strange.any(1)
        hits, count = hits + int((good & there).sum()), count + int(there.sum())
    return hits / count if count else math.nan


def run(args: argparse.Namespace) -> None:
    """Train for the steps that were asked for; a run that was cut off goes on from its checkpoint."""
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    net = SceneNet()
    if args.begin and not (args.out / "last.pt").exists():
        net.load_state_dict(read_checkpoint("scene", args.begin)[0])
    learner = training.Learner(net, args, decay=0.02, beta2=0.98, mean=0.999)
    data = Data(args, np.random.default_rng([args.seed, learner.step]))
    clock = training.Clock(0.0, args.steps, learner.elapsed, args.until)

    def rate(fraction: float, peak: float) -> float:
        """Warm up, then a cosine to the last share of the rate."""
        share = LAST + (1 - LAST) * 0.5 * (1 + math.cos(math.pi * fraction))
        return float(peak * min(1.0, (learner.step + 1) / WARM) * share)

    def check(net: SceneNet) -> tuple[dict[str, float], str]:
        return validate(net, data.held, args.tiles) if data.held is not None else {}, "held back"

    training.train(
        args, learner, clock, iter(data), forward=lambda net, batch: net(batch.rows, batch.mask),
        loss_of=losses, validate=check, facts={"task": "scene"}, rate=rate, clip=1.0,
    )  # fmt: skip
