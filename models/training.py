"""The parts that all trainings share: options, schedule, averaged weights, checkpoints, curve, loop."""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass, field, fields
from pathlib import Path
from pickle import UnpicklingError
from types import ModuleType
from typing import Any, Generic, Self, TypeVar

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from datasets.labels import Labelled, evaluation_contents, read_labels, summary
from datasets.photos import PHOTOS

MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)
"""Mean and deviation of RGB from 0 to 1, those of ImageNet. Export writes them into the graph."""

T = TypeVar("T")
B = TypeVar("B")
Net = TypeVar("Net", bound=nn.Module)


def half_precision(device: str) -> bool:
    """Whether bfloat16 is faster than float32: on a GPU, or on a CPU that multiplies it in hardware. Other
    CPUs emulate it, which is ten times slower."""
    if device == "cuda":
        return True
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="ignore")
    except OSError:
        return False
    return "avx512_bf16" in flags or "amx_bf16" in flags


def normalise(batch: Tensor) -> Tensor:
    """Pixels (n, H, W, 3) uint8 as normalised float (n, 3, H, W)."""
    mean = torch.tensor(MEAN, device=batch.device) * 255
    std = torch.tensor(STD, device=batch.device) * 255
    return ((batch.float() - mean) / std).permute(0, 3, 1, 2).contiguous()


def add_options(
    parser: argparse.ArgumentParser, *, out: Path, minutes: float, batch: int, rate: float, check: int
) -> None:
    """Add the options of the finder and the face network. ``minutes``, ``batch`` and ``rate`` are defaults;
    ``check``: steps between two validations."""
    parser.add_argument("--labels", type=Path, metavar="JOURNAL", help="labels that people reviewed")
    parser.add_argument("--auto", action="store_true", help="train on labels accepted by margin, too")
    parser.add_argument("--out", type=Path, default=out)
    parser.add_argument(
        "--minutes", type=float, default=minutes, help="length of the training without loading"
    )
    parser.add_argument("--steps", type=int, help="train so many steps instead of --minutes")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument(
        "--begin", type=Path, metavar="ONNX", help="begin with this exported network, not from nothing"
    )
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.set_defaults(every=20, check=check, half=half_precision(usual_device()))


def run_task(
    parser: argparse.ArgumentParser, tasks: Mapping[str, ModuleType], arguments: Sequence[str] | None
) -> None:
    """Run the task that the command line names. ``tasks``: modules with ``add_options`` and ``run``."""
    named = parser.add_subparsers(required=True)
    for name, module in tasks.items():
        task = named.add_parser(name, description=module.__doc__)
        module.add_options(task)
        task.set_defaults(run=module.run, parser=task)
    args = parser.parse_args(arguments)
    try:
        args.run(args)
    except (OSError, ValueError) as error:
        args.parser.error(str(error))


def usual_device() -> str:
    """Where the finder and the face network are trained."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def set_up(args: argparse.Namespace) -> torch.device:
    """Set seed and threads of the process. Returns the device to train on."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    return torch.device(usual_device())


def read_reviewed(args: argparse.Namespace) -> tuple[list[Labelled], dict[str, str]]:
    """The photos of ``--labels``, and their counts for the checkpoint; both empty without that option.

    Raises OSError and ValueError as :func:`datasets.labels.read_labels` does.
    """
    if not args.labels:
        return [], {}
    photos = read_labels(args.labels, evaluation_contents(args.photos or PHOTOS), auto=args.auto)
    return photos, {"labels": json.dumps(summary(photos))}


@dataclass(frozen=True, slots=True)
class Batch:
    """Input of a training step, ``rgb`` (n, H, W, 3) uint8. Subclasses add their targets."""

    rgb: Tensor

    def to(self, device: torch.device) -> Self:
        """The batch on another device."""
        return type(self)(*(getattr(self, one.name).to(device, non_blocking=True) for one in fields(self)))


@dataclass(slots=True)
class Clock:
    """How much of a training is done: by ``steps``, or by ``minutes`` if ``steps`` is None. ``before``:
    seconds trained before a resume; ``until``: the step after which it stops early."""

    minutes: float
    steps: int | None = None
    before: float = 0.0
    until: float = math.inf
    start: float = field(default_factory=time.monotonic)

    def elapsed(self) -> float:
        """Seconds of training so far."""
        return self.before + time.monotonic() - self.start

    def fraction(self, step: int) -> float:
        """0 at the start, 1 at the end."""
        if self.steps is not None:
            return min(1.0, step / self.steps)
        return min(1.0, self.elapsed() / (self.minutes * 60))

    def left(self, step: int, speed: float = 1.0) -> float:
        """Seconds until the end. ``speed``: steps a second."""
        if self.steps is not None:
            return max(0.0, (min(self.steps, self.until) - step) / speed)
        return max(0.0, self.minutes * 60 - self.elapsed())


def one_cycle(fraction: float, peak: float, warm: float = 0.06) -> float:
    """Learning rate at a ``fraction`` of the training: a linear rise, then a cosine to 1 % of ``peak``."""
    if fraction < warm:
        return peak * (0.05 + 0.95 * fraction / warm)
    return peak * (0.01 + 0.99 * (1 + math.cos(math.pi * (fraction - warm) / (1 - warm))) / 2)


class Average:
    """Exponential moving average of a network's weights and buffers. It is validated and exported."""

    def __init__(self, net: nn.Module, decay: float = 0.998) -> None:
        self.decay = decay
        self.state = {name: value.detach().clone() for name, value in net.state_dict().items()}

    @torch.no_grad()
    def update(self, net: nn.Module, step: int) -> None:
        """Move the average towards ``net``, faster in the first steps."""
        decay = min(self.decay, (1 + step) / (10 + step))
        for name, value in net.state_dict().items():
            if value.is_floating_point():
                self.state[name].lerp_(value.detach(), 1 - decay)
            else:
                self.state[name].copy_(value)


class Curve:
    """Losses and validation figures of a training, as a CSV file and a picture."""

    def __init__(self, path: Path, minutes: float) -> None:
        """``minutes``: how long the checkpoint was trained. Later rows of an existing file do not count, nor
        any row without a checkpoint."""
        self.path = path
        self.rows: list[dict[str, float]] = []
        if minutes and path.exists():
            with path.open(encoding="utf-8") as lines:
                rows = [
                    {name: float(value) for name, value in row.items() if value}
                    for row in csv.DictReader(lines)
                ]
            self.rows = [row for row in rows if row["minutes"] <= float(f"{minutes:.5g}")]

    def add(self, row: dict[str, float]) -> None:
        """Append a row and write the CSV file."""
        self.rows.append(row)
        names = list(dict.fromkeys(name for each in self.rows for name in each))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_suffix(".part")
        with part.open("w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, names, lineterminator="\n")
            writer.writeheader()
            writer.writerows({name: f"{value:.5g}" for name, value in row.items()} for row in self.rows)
        part.replace(self.path)

    def draw(self) -> None:
        """Write a PNG next to the CSV file, with a panel for each figure."""
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


def load_checkpoint(file: Path, device: torch.device | str = "cpu") -> dict[str, Any]:
    """The content of a checkpoint. Raises OSError if it is not there, and ValueError if it is none."""
    try:
        state: dict[str, Any] = torch.load(file, map_location=device, weights_only=True)
    except (RuntimeError, UnpicklingError, EOFError) as error:
        raise ValueError(f"{file} is damaged, or no checkpoint: remove it and train again") from error
    return state


def prefetch(make: Callable[[], T], depth: int = 6) -> Iterator[T]:
    """Yield what ``make`` returns. A thread calls it up to ``depth`` times ahead; its errors are raised."""
    pool = ThreadPoolExecutor(1)
    try:
        waiting = deque(pool.submit(make) for _ in range(depth))
        while True:
            yield waiting.popleft().result()
            waiting.append(pool.submit(make))
    finally:
        pool.shutdown(cancel_futures=True)


class Learner(Generic[Net]):
    """A network with its optimiser, its averaged weights and its checkpoint.

    ``step`` and ``elapsed`` (seconds) are those of the checkpoint if ``--resume`` found one, else 0.
    """

    def __init__(
        self, net: Net, args: argparse.Namespace, *, decay: float, beta2: float = 0.999, mean: float = 0.998
    ) -> None:
        """``decay``: weight decay; ``beta2``: that of AdamW; ``mean``: decay of the averaged weights."""
        self.net = net
        self.device = next(net.parameters()).device
        betas = (0.9, beta2)
        self.optimiser = torch.optim.AdamW(net.parameters(), args.rate, betas=betas, weight_decay=decay)
        self.average = Average(net, mean)
        self.checkpoint: Path = args.out / "last.pt"
        self.step, self.elapsed = 0, 0.0
        if args.resume and self.checkpoint.exists():
            state = load_checkpoint(self.checkpoint, self.device)
            try:
                self.net.load_state_dict(state["net"])
                self.optimiser.load_state_dict(state["optimiser"])
                self.average.state = state["average"]
                self.step, self.elapsed = state["step"], state["elapsed"]
            except (RuntimeError, KeyError, ValueError) as error:
                raise ValueError(
                    f"{self.checkpoint} is of another network: remove it, or name another folder with --out"
                ) from error
        self._copy: Net = deepcopy(self.net)

    def averaged(self) -> Net:
        """The network with averaged weights. Each call overwrites the same copy."""
        self._copy.load_state_dict(self.average.state)
        return self._copy

    def update(self, parts: dict[str, Tensor], rate: float, clip: float) -> None:
        """Take a step on the sum of the losses ``parts``. ``clip``: longest gradient. A gradient that is not
        finite changes nothing."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        torch.stack([*parts.values()]).sum().backward()
        norm = torch.nn.utils.clip_grad_norm_(self.net.parameters(), clip)
        self.step += 1
        if torch.isfinite(norm):
            self.optimiser.step()
            self.average.update(self.net, self.step)

    def save(self, facts: dict[str, Any]) -> None:
        """Write the checkpoint with ``facts``. After a crash the old file or the new one is there."""
        self.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        part = self.checkpoint.with_suffix(".part")
        state = {
            "net": self.net.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "average": self.average.state,
        }
        torch.save({**facts, **state, "step": self.step, "elapsed": self.elapsed}, part)
        with part.open("rb+") as file:
            os.fsync(file.fileno())  # or the power may go when the name is new and the content is not there
        part.replace(self.checkpoint)


def train(
    args: argparse.Namespace,
    learner: Learner[Net],
    clock: Clock,
    batches: Iterator[B],
    *,
    forward: Callable[[Net, B], Any],
    loss_of: Callable[[Any, B], dict[str, Tensor]],
    validate: Callable[[Net], tuple[dict[str, float], str]],
    facts: dict[str, Any],
    rate: Callable[[float, float], float] = one_cycle,
    clip: float = 5.0,
    before_step: Callable[[float], None] = lambda fraction: None,
) -> None:
    """Train until the clock ends, with progress lines, validations and checkpoints.

    ``validate`` returns figures of the averaged network for the curve, and a remark to print. ``facts`` go
    into the checkpoint. ``rate`` takes the fraction of the training that is done and the peak rate;
    ``before_step`` takes that fraction. ``clip``: longest gradient.
    """
    curve = Curve(args.out / "curve.csv", learner.elapsed / 60)
    if not clock.left(learner.step):
        done = f"{learner.elapsed / 60:.0f} minutes, {learner.step} steps"
        print(f"trained for {done} already: ask for more than that to go on")
        if curve.rows:
            curve.draw()  # the last run may have ended before it did
        return
    learner.net.to(memory_format=torch.channels_last)  # a third faster on CPUs
    last_save = last_line = clock.elapsed()
    first_step, first_time = learner.step, time.monotonic()
    sums: dict[str, list[float]] = {}
    ended = False
    while not ended:
        fraction = clock.fraction(learner.step)
        before_step(fraction)
        batch = next(batches)
        learner.net.train()
        with torch.autocast(learner.device.type, torch.bfloat16, enabled=args.half):
            out = forward(learner.net, batch)
        parts = loss_of(out, batch)
        learner.update(parts, rate(fraction, args.rate), clip)
        for name, part in parts.items():
            sums.setdefault(name, []).append(float(part.detach()))
        now = learner.elapsed = clock.elapsed()
        ended = not clock.left(learner.step)
        if now - last_line > args.every or ended:
            means = {name: float(np.mean(values)) for name, values in sums.items()}
            curve.add({"minutes": now / 60, **means})
            text = "  ".join(f"{name} {value:.3f}" for name, value in means.items())
            speed = (learner.step - first_step) / (time.monotonic() - first_time)
            left = clock.left(learner.step, speed) / 60
            print(f"step {learner.step}  {speed:.2f}/s  {left:.1f} min left  {text}", flush=True)
            sums, last_line = {}, now
        if learner.step % args.check == 0 or ended:
            figures, remark = validate(learner.averaged())
            curve.add({"minutes": now / 60, **figures})
            text = "  ".join(f"{name} {value:.4f}" for name, value in figures.items())
            print(text, remark, flush=True)
        if now - last_save > 120 or ended:
            learner.save({**facts, "seed": args.seed})
            last_save = now
    curve.draw()


def train_on_pictures(
    args: argparse.Namespace, learner: Learner[Net], make: Callable[[], Batch],
    loss_of: Callable[[Any, Any], dict[str, Tensor]], validate: Callable[[Net], tuple[dict[str, float], str]],
    before_step: Callable[[float], None], facts: dict[str, Any],
) -> None:  # fmt: skip
    """Train the finder or the face network on batches of ``make``; the rest as in :func:`train`."""
    train(
        args, learner, Clock(args.minutes, args.steps, learner.elapsed),
        (batch.to(learner.device) for batch in prefetch(make)),
        forward=lambda net, batch: net(normalise(batch.rgb)),
        loss_of=loss_of, validate=validate, before_step=before_step, facts=facts,
    )  # fmt: skip
