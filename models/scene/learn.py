"""Teach the scene model, for as long as it may take; what it has learnt is kept every few minutes."""

from __future__ import annotations

import argparse
import math
import os
import time
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import torch

from models.scene.batches import Bank, Batch, Batches
from models.scene.losses import HAND, WIN, losses
from models.scene.net import SceneNet
from models.scene.scenes import Scenes
from models.training import Average

HELD_BACK = 20
"""One of so many drawn scenes measures instead of teaching."""

WARM = 300
"""Steps in which the rate rises."""

PART_MINUTES = 12
"""How long a part of the laid scenes serves before others are taken, and new ones are looked for."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Of the command line."""
    parser.add_argument("--data", type=Path, required=True, help="folder with laid/, drawn/ and photos/")
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint; resumed if there")
    parser.add_argument("--begin", type=Path, help="weights to begin with: another checkpoint")
    parser.add_argument("--minutes", type=float, default=600.0, help="minutes of processor time in all")
    parser.add_argument("--until", type=float, default=math.inf, help="minutes after which to stop early")
    parser.add_argument("--rate", type=float, default=1e-3, help="highest learning rate")
    parser.add_argument("--last", type=float, default=0.02, help="share of the rate at the end")
    parser.add_argument("--tiles", type=int, default=900, help="tiles a batch")
    parser.add_argument("--drawn-share", type=float, default=0.5, help="how often a drawn scene is taken")
    parser.add_argument("--laid-most", type=int, default=12000, help="laid scenes in memory at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)


def _read(folder: Path) -> Scenes | None:
    files = sorted(folder.glob("*.npz"))
    return Scenes.joined([Scenes.read(file) for file in files]) if files else None


class Data:
    """The scenes of a folder, read anew now and then: what lays and draws them may still be at work."""

    def __init__(self, args: argparse.Namespace, rng: np.random.Generator) -> None:
        drawn, photos = _read(args.data / "drawn"), _read(args.data / "photos")
        self.held: Scenes | None = None
        if drawn is not None:
            number = np.arange(len(drawn.counts))
            self.held = drawn.only(number[number % HELD_BACK == 0])
            drawn = drawn.only(number[number % HELD_BACK != 0])
        files = sorted((args.data / "laid").glob("*.npz"))
        laid: list[Scenes] = []
        for at in rng.permutation(len(files)):
            laid.append(Scenes.read(files[at]))
            if sum(len(each.counts) for each in laid) >= args.laid_most:
                break
        if not laid or (drawn is None and photos is None):
            raise ValueError(f"{args.data} holds too little: lay scenes and extract drawn ones first")
        joined = Scenes.joined(laid)
        self.batches = Batches(drawn, joined, Bank.of(drawn, photos), args.drawn_share, rng)
        self.told = f"{0 if drawn is None else len(drawn.counts)} drawn, {len(joined.counts)} laid in memory"


def validate(net: SceneNet, held: Scenes, tiles: int) -> dict[str, float]:
    """Losses and shares of what is right on drawn scenes that do not teach."""
    batches = Batches(held, held, Bank.of(held), 1.0, np.random.default_rng(0))
    net.eval()
    sums: dict[str, list[float]] = {}
    with torch.no_grad():
        for batch in batches.draw(tiles, 160):
            answer = net(batch.rows, batch.there)
            known = batch.there & (batch.roles >= 0)
            role = answer.roles.argmax(-1)
            role_right = (role == batch.roles) | ~known
            face_right = (answer.faces.argmax(-1) == batch.labels) | ~batch.there
            figures = {
                **{name: float(value) for name, value in losses(answer, batch).items()},
                "roles_right": float(role_right[known].float().mean()),
                "faces_right": float(face_right[batch.there].float().mean()),
                "hands_right": _hands_right(batch, role_right & face_right, role),
            }
            for name, value in figures.items():
                if not math.isnan(value):
                    sums.setdefault(name, []).append(value)
    return {name: float(np.mean(values)) for name, values in sums.items()}


def _hands_right(batch: Batch, right: torch.Tensor, role: torch.Tensor) -> float:
    """Of finished hands those whose tiles, as far as found, are right, where no other tile is taken."""
    hits, count = 0, 0
    for seat in range(4):
        mine = batch.finished.bool() & (batch.seats == seat)
        strange = ((role == HAND) | (role == WIN)) & batch.there & (batch.seats < 0)
        there = mine.any(1)
        good = (right | ~mine).all(1) & ~strange.any(1)
        hits, count = hits + int((good & there).sum()), count + int(there.sum())
    return hits / count if count else math.nan


def _fraction_rate(args: argparse.Namespace, step: int, elapsed: float) -> float:
    """Warm up, then a cosine over the minutes to the last share of the rate."""
    done = min(1.0, elapsed / (args.minutes * 60))
    share = args.last + (1 - args.last) * 0.5 * (1 + math.cos(math.pi * done))
    return float(args.rate * min(1.0, (step + 1) / WARM) * share)


def train(args: argparse.Namespace) -> None:
    """Train until the minutes have run out; a run that was cut off goes on from its checkpoint."""
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "pid").write_text(str(os.getpid()))
    net = SceneNet()
    checkpoint = args.out / "last.pt"
    optimiser = torch.optim.AdamW(net.parameters(), args.rate, weight_decay=0.02, betas=(0.9, 0.98))
    average, step, elapsed = Average(net, 0.999), 0, 0.0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(state["net"])
        optimiser.load_state_dict(state["optimiser"])
        average.state, step, elapsed = state["average"], state["step"], state["elapsed"]
    elif args.begin:
        state = torch.load(args.begin, weights_only=True)
        net.load_state_dict(state["average"])
        average = Average(net, 0.999)
    rng = np.random.default_rng([args.seed, step])
    print(f"{sum(each.numel() for each in net.parameters())} weights, from step {step}", flush=True)
    measured = deepcopy(net)
    data, read_at, saved_at = Data(args, rng), time.monotonic(), time.monotonic()
    print(data.told, flush=True)
    queue: list[Batch] = []
    sums: dict[str, float] = {}
    summed = 0
    end = 60 * min(args.minutes, args.until)
    while elapsed < end:
        start = time.process_time()
        if time.monotonic() - read_at > PART_MINUTES * 60:
            data, read_at = Data(args, rng), time.monotonic()
            print(data.told, flush=True)
        if not queue:
            queue = data.batches.draw(args.tiles)
        batch = queue.pop()
        for group in optimiser.param_groups:
            group["lr"] = _fraction_rate(args, step, elapsed)
        net.train()
        with torch.autocast("cpu", torch.bfloat16):
            answer = net(batch.rows, batch.there)
        parts = losses(answer, batch)
        loss = torch.stack([*parts.values()]).sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        if torch.isfinite(norm):
            optimiser.step()
            average.update(net, step)
        step += 1
        for name, part in parts.items():
            sums[name] = sums.get(name, 0.0) + float(part.detach())
        summed += 1
        elapsed += time.process_time() - start  # where others use the processor, nothing is learnt meanwhile
        if time.monotonic() - saved_at > 150 or elapsed >= end:
            figures = {name: value / summed for name, value in sums.items()}
            print(f"step {step} {elapsed / 60:.1f} min {_line(figures)}", flush=True)
            sums, summed, saved_at = {}, 0, time.monotonic()
            _save(checkpoint, net, optimiser, average, step, elapsed, args)
            if data.held is not None:
                measured.load_state_dict(average.state)
                print("    held back:", _line(validate(measured, data.held, args.tiles)), flush=True)


def _line(figures: dict[str, float]) -> str:
    return f"sum {sum(v for n, v in figures.items() if 'right' not in n):.4f} " + " ".join(
        f"{name} {value:.4f}" for name, value in figures.items()
    )


def _save(
    file: Path, net: SceneNet, optimiser: torch.optim.Optimizer, average: Average, step: int,
    elapsed: float, args: argparse.Namespace,
) -> None:  # fmt: skip
    """Whole or not at all."""
    part = file.with_suffix(".part")
    state: dict[str, Any] = {
        "task": "scene", "net": net.state_dict(), "optimiser": optimiser.state_dict(),
        "average": average.state, "step": step, "elapsed": elapsed, "seed": args.seed,
    }  # fmt: skip
    torch.save(state, part)
    part.replace(file)
