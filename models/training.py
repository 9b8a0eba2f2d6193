"""What both trainings share: options, clock, schedule, averaged weights, checkpoints, curve, loader, loop."""

from __future__ import annotations

import argparse
import csv
import json
import math
import queue
import threading
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from datasets.labels import Labelled, evaluation_contents, read_labels, summary
from datasets.photos import PHOTOS

MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)
"""Normalisation of RGB in 0..1 (the usual photographic means; export writes them into the graph)."""

T = TypeVar("T")
Net = TypeVar("Net", bound=nn.Module)


def device() -> torch.device:
    """The GPU if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def half_precision() -> bool:
    """Whether bfloat16 is faster than float32 here: on a GPU, or where the CPU multiplies it in hardware;
    elsewhere it is emulated and ten times slower."""
    if torch.cuda.is_available():
        return True
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="ignore")
    except OSError:
        return False
    return "avx512_bf16" in flags or "amx_bf16" in flags


def normalise(batch: Tensor) -> Tensor:
    """(n, H, W, 3) uint8 to (n, 3, H, W) float."""
    mean = torch.tensor(MEAN, device=batch.device) * 255
    std = torch.tensor(STD, device=batch.device) * 255
    return ((batch.float() - mean) / std).permute(0, 3, 1, 2).contiguous()


def add_options(
    parser: argparse.ArgumentParser, *, out: Path, minutes: float, batch: int, rate: float, check: float
) -> None:
    """The options of every training, with what each takes unless they are given."""
    parser.add_argument("--labels", type=Path, metavar="JOURNAL", help="reviewed labels of tehai label")
    parser.add_argument("--auto", action="store_true", help="also labels that were accepted by their margins")
    parser.add_argument("--out", type=Path, default=out)
    parser.add_argument("--minutes", type=float, default=minutes, help="how long, the loading apart")
    parser.add_argument("--steps", type=int, help="train so many steps instead of --minutes")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument(
        "--begin", type=Path, metavar="ONNX", help="begin with this exported network, not from nothing"
    )
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--most", type=int, help="use so many renders, and so many photos, at most")
    parser.add_argument("--every", type=float, default=20, help="seconds between two progress lines")
    parser.add_argument("--check", type=float, default=check, help="minutes between two validations")
    parser.add_argument("--half", action="store_true", default=half_precision(), help="bfloat16 autocast")


def settle(args: argparse.Namespace) -> torch.device:
    """Seed and threads of the process, before anything is drawn; where to train."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    return device()


def reviewed(args: argparse.Namespace) -> tuple[list[Labelled], dict[str, str]]:
    """The reviewed photos of ``--labels``, and what the checkpoint says of them; nothing without it.

    Raises OSError and ValueError as :func:`datasets.labels.read_labels` does.
    """
    if not args.labels:
        return [], {}
    photos = read_labels(args.labels, evaluation_contents(args.photos or PHOTOS), auto=args.auto)
    return photos, {"labels": json.dumps(summary(photos))}


@dataclass(frozen=True, slots=True)
class Batch:
    """What a step learns from: ``rgb`` (n, H, W, 3) uint8; each training's own adds its targets."""

    rgb: Tensor

    def to(self, where: torch.device) -> Self:
        """The batch on another device."""
        return type(self)(*(getattr(self, one.name).to(where, non_blocking=True) for one in fields(self)))


@dataclass(slots=True)
class Clock:
    """How much of a training is done, by time or by steps; time before a resume counts."""

    minutes: float
    steps: int | None
    before: float = 0.0
    start: float = field(default_factory=time.monotonic)

    def elapsed(self) -> float:
        """Seconds of training so far."""
        return self.before + time.monotonic() - self.start

    def fraction(self, step: int) -> float:
        """0 at the start, 1 at the end."""
        if self.steps is not None:
            return min(1.0, step / self.steps)
        return min(1.0, self.elapsed() / (self.minutes * 60))


def rate(fraction: float, peak: float, warm: float = 0.06) -> float:
    """One cycle: a linear rise, then a cosine to a hundredth of the peak."""
    if fraction < warm:
        return peak * (0.05 + 0.95 * fraction / warm)
    return peak * (0.01 + 0.99 * (1 + math.cos(math.pi * (fraction - warm) / (1 - warm))) / 2)


class Average:
    """An exponential moving average of a network's weights and buffers: what is measured and exported."""

    def __init__(self, net: nn.Module, decay: float = 0.998) -> None:
        self.decay = decay
        self.state = {name: value.detach().clone() for name, value in net.state_dict().items()}

    @torch.no_grad()
    def update(self, net: nn.Module, step: int) -> None:
        """Follow ``net``, faster in the first steps."""
        decay = min(self.decay, (1 + step) / (10 + step))
        for name, value in net.state_dict().items():
            if value.is_floating_point():
                self.state[name].lerp_(value.detach(), 1 - decay)
            else:
                self.state[name].copy_(value)


class Curve:
    """The training's figures: a CSV that grows, and a picture of it."""

    def __init__(self, path: Path, resume: bool) -> None:
        self.path = path
        self.rows: list[dict[str, float]] = []
        if resume and path.exists():
            with path.open(encoding="utf-8") as lines:
                self.rows = [
                    {name: float(value) for name, value in row.items() if value}
                    for row in csv.DictReader(lines)
                ]

    def add(self, row: dict[str, float]) -> None:
        """Append a row and write both files anew."""
        self.rows.append(row)
        names = list(dict.fromkeys(name for each in self.rows for name in each))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, names, lineterminator="\n")
            writer.writeheader()
            writer.writerows({name: f"{value:.5g}" for name, value in row.items()} for row in self.rows)

    def draw(self) -> None:
        """The curve as PNG next to the CSV: one panel a figure."""
        from matplotlib.figure import Figure

        names = [name for name in dict.fromkeys(n for row in self.rows for n in row) if name != "minutes"]
        columns = min(3, len(names))
        lines = math.ceil(len(names) / columns)
        figure = Figure((4 * columns, 2.6 * lines), layout="constrained")
        for index, name in enumerate(names):
            panel = figure.add_subplot(lines, columns, index + 1)
            points = [(row["minutes"], row[name]) for row in self.rows if name in row]
            panel.plot(*np.array(points).T, linewidth=1)
            panel.set_title(name, fontsize=9)
        figure.savefig(self.path.with_suffix(".png"), dpi=80)


class Prefetch(Generic[T]):
    """Batches made by a thread ahead of the training; an error in the thread is raised by :meth:`next`."""

    def __init__(self, make: Callable[[], T], depth: int = 6) -> None:
        self._make = make
        self._queue: queue.Queue[T | BaseException] = queue.Queue(depth)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            item: T | BaseException
            try:
                item = self._make()
            except Exception as error:
                item = error
            while not self._stop.is_set():
                try:
                    self._queue.put(item, timeout=0.5)
                    break
                except queue.Full:
                    continue
            if isinstance(item, BaseException):
                return

    def next(self) -> T:
        """The next batch."""
        item = self._queue.get()
        if isinstance(item, BaseException):
            raise item
        return item

    def close(self) -> None:
        """End the thread."""
        self._stop.set()
        self._thread.join(timeout=5)


class Learner(Generic[Net]):
    """A network that learns, its optimiser, and the averaged copy of it that is measured and exported.

    ``decay`` of its weights; ``step`` and ``elapsed`` (seconds): what was done before, where ``--resume``
    found a checkpoint.
    """

    def __init__(self, net: Net, args: argparse.Namespace, *, decay: float) -> None:
        self.net = net.to(device())
        self.optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=decay)
        self.average = Average(net)
        self.checkpoint: Path = args.out / "last.pt"
        self.step, self.elapsed = 0, 0.0
        if args.resume and self.checkpoint.exists():
            self._resume()
        self._copy: Net = deepcopy(self.net)

    def averaged(self) -> Net:
        """The network with its averaged weights: one copy, written anew by each call."""
        self._copy.load_state_dict(self.average.state)
        return self._copy

    def _resume(self) -> None:
        state = torch.load(self.checkpoint, map_location=device(), weights_only=True)
        self.net.load_state_dict(state["net"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.average.state = state["average"]
        self.step, self.elapsed = state["step"], state["elapsed"]

    def save(self, facts: dict[str, Any]) -> None:
        """Write the checkpoint, so that a crash leaves the old or the new one, never half a file."""
        self.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        part = self.checkpoint.with_suffix(".part")
        state = {
            "net": self.net.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "average": self.average.state,
        }
        torch.save({**facts, **state, "step": self.step, "elapsed": self.elapsed}, part)
        part.replace(self.checkpoint)


def run(
    args: argparse.Namespace,
    learner: Learner[Net],
    make: Callable[[], Batch],
    *,
    prepare: Callable[[float], None],
    loss_of: Callable[[Any, Any], dict[str, Tensor]],
    validate: Callable[[Net], tuple[dict[str, float], str]],
    facts: dict[str, Any],
) -> None:
    """Train until the clock of ``args`` has run out, with progress lines, validations and checkpoints.

    ``make`` gives the batches; ``prepare`` gets the share of the training that is done before each step;
    ``validate`` gives figures of the averaged network for the curve, and a remark; ``facts`` go into the
    checkpoint.
    """
    net, optimiser, where = learner.net, learner.optimiser, device()
    net.to(memory_format=torch.channels_last)  # a third faster on CPUs
    curve = Curve(args.out / "curve.csv", args.resume)
    clock = Clock(args.minutes, args.steps, learner.elapsed)
    if clock.fraction(learner.step) >= 1:
        raise SystemExit(
            f"trained for {learner.elapsed / 60:.0f} minutes, {learner.step} steps already: "
            "ask for more than that"
        )
    source = Prefetch(make)
    last_save = last_check = last_line = clock.elapsed()
    first_step, first_time = learner.step, time.monotonic()
    sums: dict[str, float] = {}
    summed = 0
    # What the last batches looked like tells more than their single losses: average between two lines.
    while (fraction := clock.fraction(learner.step)) < 1:
        prepare(fraction)
        for group in optimiser.param_groups:
            group["lr"] = rate(fraction, args.rate)
        batch = source.next().to(where)
        net.train()
        with torch.autocast(where.type, torch.bfloat16, enabled=args.half):
            out = net(normalise(batch.rgb))
        parts = loss_of(out, batch)
        loss = torch.stack([*parts.values()]).sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        learner.step += 1
        learner.average.update(net, learner.step)
        for name, part in parts.items():
            sums[name] = sums.get(name, 0.0) + float(part.detach())
        summed += 1
        now = learner.elapsed = clock.elapsed()
        ended = clock.fraction(learner.step) >= 1
        if now - last_line > args.every or ended:
            speed = (learner.step - first_step) / (time.monotonic() - first_time)
            left = args.minutes * 60 - now if args.steps is None else (args.steps - learner.step) / speed
            row = {"minutes": now / 60, **{name: value / summed for name, value in sums.items()}}
            curve.add(row)
            text = "  ".join(f"{name} {value:.3f}" for name, value in row.items() if name != "minutes")
            print(f"step {learner.step}  {speed:.2f}/s  {max(0, left) / 60:.1f} min left  {text}", flush=True)
            sums, summed, last_line = {}, 0, now
        if now - last_check > args.check * 60 or ended:
            figures, remark = validate(learner.averaged())
            curve.add({"minutes": now / 60, **figures})
            text = "  ".join(f"{name} {value:.4f}" for name, value in figures.items())
            print(text, remark, flush=True)
            last_check = clock.elapsed()
        if now - last_save > 120 or ended:
            learner.save({**facts, "seed": args.seed})
            last_save = now
    source.close()
    curve.draw()
