"""What both trainings share: clock, schedule, averaged weights, checkpoints, curve, loader."""

from __future__ import annotations

import argparse
import csv
import math
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)
"""Normalisation of RGB in 0..1 (the usual photographic means; export writes them into the graph)."""

T = TypeVar("T")


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


def save(path: Path, content: dict[str, Any]) -> None:
    """Write a checkpoint so that a crash leaves the old or the new one, never half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    torch.save(content, part)
    part.replace(path)


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


def resume(
    checkpoint: Path, net: nn.Module, optimiser: torch.optim.Optimizer, average: Average
) -> tuple[int, float]:
    """Load what :func:`run` saved; returns the steps and seconds of training so far."""
    state = torch.load(checkpoint, map_location=device(), weights_only=True)
    net.load_state_dict(state["net"])
    optimiser.load_state_dict(state["optimiser"])
    average.state = state["average"]
    return state["step"], state["elapsed"]


def run(
    args: argparse.Namespace,
    net: nn.Module,
    optimiser: torch.optim.Optimizer,
    average: Average,
    source: Prefetch[Any],
    *,
    begin: tuple[int, float],
    prepare: Callable[[float], None],
    loss_of: Callable[[Any, Any], dict[str, Tensor]],
    validate: Callable[[], tuple[dict[str, float], str]],
    facts: dict[str, Any],
) -> None:
    """Train until the clock of ``args`` has run out, with progress lines, validations and checkpoints.

    ``begin``: steps and seconds before a resume; ``prepare`` is told the share of the training that is done
    before each step; ``validate`` gives figures for the curve and a remark; ``facts`` go into the checkpoint.
    """
    where = device()
    net.to(memory_format=torch.channels_last)  # a third faster on CPUs
    step, before = begin
    curve = Curve(args.out / "curve.csv", args.resume)
    clock = Clock(args.minutes, args.steps, before)
    if clock.fraction(step) >= 1:
        source.close()
        raise SystemExit(
            f"trained for {before / 60:.0f} minutes, {step} steps already: ask for more than that"
        )
    last_save = last_check = last_line = clock.elapsed()
    first_step, first_time = step, time.monotonic()
    sums: dict[str, float] = {}
    summed = 0
    # What the last batches looked like tells more than their single losses: average between two lines.
    while (fraction := clock.fraction(step)) < 1:
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
        step += 1
        average.update(net, step)
        for name, part in parts.items():
            sums[name] = sums.get(name, 0.0) + float(part.detach())
        summed += 1
        now = clock.elapsed()
        ended = clock.fraction(step) >= 1
        if now - last_line > args.every or ended:
            speed = (step - first_step) / (time.monotonic() - first_time)
            left = args.minutes * 60 - now if args.steps is None else (args.steps - step) / speed
            row = {"minutes": now / 60, **{name: value / summed for name, value in sums.items()}}
            curve.add(row)
            text = "  ".join(f"{name} {value:.3f}" for name, value in row.items() if name != "minutes")
            print(f"step {step}  {speed:.2f}/s  {max(0, left) / 60:.1f} min left  {text}", flush=True)
            sums, summed, last_line = {}, 0, now
        if now - last_check > args.check * 60 or ended:
            figures, remark = validate()
            curve.add({"minutes": now / 60, **figures})
            text = "  ".join(f"{name} {value:.4f}" for name, value in figures.items())
            print(text, remark, flush=True)
            last_check = clock.elapsed()
        if now - last_save > 120 or ended:
            state = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "average": average.state}
            save(args.out / "last.pt", {**facts, **state, "step": step, "elapsed": now, "seed": args.seed})
            last_save = now
    source.close()
    curve.draw()
