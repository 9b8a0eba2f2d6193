"""Fit what tells faces in doubt by pictures of their prints: ``python -m models.prints RENDERS... --check
OTHERS``.

The samples (:mod:`vision.prints`) are of tiles of renders, and with ``--photos`` of training photos, that
were read as some face and show one: all that the face network leaves in doubt, and some of the others. What
follows is told in :mod:`models.fitting`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as fn

from datasets.renders import Render
from models.fitting import Question, Row, in_parts, run, teach
from models.samples import Samples, compared
from models.shares import Share
from models.stages import CALIBRATED, Fitted, Standing, arrays, moved, stages
from models.training import device, half_precision
from scorer.tiles import KINDS
from vision import whites
from vision.arrays import Array32, Indices, Mask
from vision.inks import pictures
from vision.kinds import KIND_OF_FACE
from vision.labels import FACES
from vision.prints import FILE, Prints, logs, softmax
from vision.reading import SURE

DRAWN, HIDDEN = (32, 64, 96, 80), 64
"""What the network has: channels of its stages, and units of its hidden layer."""

RATE, DECAY, DROP, BATCH = 3e-3, 0.05, 0.2, 512

CLEAR, PHOTOGRAPHED = 0.6, 0.25
"""How often a tile is learnt from that was in no doubt, of renders and of photos."""

SHIFT, TURN, ZOOM, STRENGTH, TINT, NOISE, COARSE, COVERED = 0.1, 0.05, 0.06, 0.2, 0.15, 0.3, 0.4, 0.15
"""While it learns: by how much pictures are moved at most, in shares of half their sides; the deviations by
which they are turned, in radians, and enlarged, of the logs of their strength, and of their colour; the
deviation of their noise at most; the share of its size at which a face is seen, at least; and how often
something lies on an edge of it."""

HELD_BACK = 10
"""One in so many samples tells how much either word counts."""


@dataclass(frozen=True, slots=True)
class Faces(Samples):
    """Faces of renders: their ``crops`` (n, H, W, 3), the face network's ``own`` logs (n, 34), the ``kinds``
    (n,) that they are, and which were ``doubtful`` (n,)."""

    crops: NDArray[np.uint8]
    own: Array32
    kinds: Indices
    doubtful: Mask

    def take(self, rows: Indices) -> Faces:
        """Some of them."""
        return Faces(self.crops[rows], self.own[rows], self.kinds[rows], self.doubtful[rows])


def faces(render: Render, rng: np.random.Generator) -> Faces | None:
    """The faces of a render; None where none was read."""
    if (found := compared(render, "prints")) is None:
        return None
    (probabilities, tiles, crops), there = found
    doubtful = np.isin(np.arange(len(probabilities)), tiles)
    names = [render.labels[there[i]] if i in there else "" for i in range(len(probabilities))]
    known = np.isin(names, FACES) & (probabilities.argmax(axis=1) < len(FACES))
    clear = rng.random(len(known)) < (PHOTOGRAPHED if render.kind == "photo" else CLEAR)
    kept = np.flatnonzero(known & (doubtful | clear))
    if not len(kept):
        return None
    kinds = KIND_OF_FACE[[FACES.index(names[i]) for i in kept]]
    return Faces(crops(kept), logs(probabilities[kept]), kinds, doubtful[kept])


# --- learning ------------------------------------------------------------------------------------------


class _Net(nn.Module):
    """:class:`vision.prints.Prints` while it learns."""

    def __init__(self, height: int, width: int) -> None:
        super().__init__()
        self.stages = stages(3, DRAWN)
        cells = DRAWN[-1] * (height // 2 ** len(DRAWN)) * (width // 2 ** len(DRAWN))
        self.hidden, self.last = nn.Linear(cells, HIDDEN), nn.Linear(HIDDEN, KINDS)

    def forward(self, prints: Tensor) -> Tensor:
        seen = fn.relu(self.hidden(fn.dropout(self.stages(prints).flatten(1), DROP, self.training)))
        told: Tensor = self.last(fn.dropout(seen, DROP, self.training))
        return told.float()

    def prints(self, own: Tensor, scale: Tensor) -> Prints:
        """The layers as they serve, with how much either word counts."""
        layer = (
            self.hidden.weight.T,
            self.hidden.bias,
            self.last.weight.T * scale,
            self.last.bias * scale,
            own,
        )
        return Prints(*arrays(layer))


class _Pictures:
    """Pictures of crops (:func:`vision.inks.pictures`), made where the network learns."""

    def __init__(self, crops: NDArray[np.uint8], where: torch.device) -> None:
        self.crops = torch.from_numpy(crops).to(where)
        parts = (whites.ground(crops[start : start + 4096]) for start in range(0, len(crops), 4096))
        self.ground = torch.from_numpy(np.concatenate(list(parts))).to(where)

    def __call__(self, rows: Tensor) -> Tensor:
        light = torch.log(self.crops[rows].float() + whites.BRIGHT)
        red, green, blue = light.unbind(-1)
        apart = torch.stack([2 * light.mean(-1), 6 * (red - green), 6 * (blue - green)], -1)
        return (apart - self.ground[rows][:, None, None]).permute(0, 3, 1, 2)


def _disturbed(prints: Tensor) -> Tensor:
    """Pictures (n, 3, H, W) moved, stronger or fainter, of other colours, coarser, with noise, and some with
    something on an edge."""
    count, where = len(prints), prints.device
    seen = torch.cat([_coarse(some) for some in moved(prints, SHIFT, TURN, ZOOM).chunk(8)])
    seen = seen * torch.exp(STRENGTH * torch.randn(count, 3, 1, 1, device=where))
    seen = seen + TINT * torch.randn(count, 3, 1, 1, device=where)
    seen = torch.where(_covered(seen), -2 * torch.rand(count, 3, 1, 1, device=where), seen)
    deviation = NOISE * torch.rand(count, 1, 1, 1, device=where)
    return seen + deviation * torch.randn_like(seen)


def _coarse(some: Tensor) -> Tensor:
    """Pictures seen at a share of their size."""
    share = float(torch.rand(()))
    if share < COARSE:
        return some
    small = fn.interpolate(some, scale_factor=share, mode="bilinear", antialias=True)
    return fn.interpolate(small, some.shape[2:], mode="bilinear")


def _covered(seen: Tensor) -> Tensor:
    """Which pixels (n, 1, H, W) something hides that lies on an edge of a picture."""
    count, where = len(seen), seen.device
    down, across = (torch.linspace(0, 1, size, device=where) for size in seen.shape[2:])
    down, across = down[:, None].expand(seen.shape[2:]), across.expand(seen.shape[2:])
    from_edge = torch.stack([down, 1 - down, across, 1 - across])[torch.randint(4, (count,), device=where)]
    depth = 0.3 * torch.rand(count, device=where) * (torch.rand(count, device=where) < COVERED)
    return (from_edge < depth[:, None, None])[:, None]


def fit(some: Faces, rounds: int, seed: int) -> Fitted[Prints]:
    """The weights that tell these faces, seen so often."""
    torch.manual_seed(seed)
    where, half = device(), half_precision()
    kinds, shown = torch.from_numpy(some.kinds).long().to(where), _Pictures(some.crops, where)
    net = _Net(*some.crops.shape[1:3])
    net.to(where, memory_format=torch.channels_last)

    def seen(rows: Tensor, change: bool) -> Tensor:
        prints = shown(rows.to(where))
        prints = (_disturbed(prints) if change else prints).to(memory_format=torch.channels_last)
        with torch.autocast(where.type, torch.bfloat16, enabled=half):
            told: Tensor = net(prints)
        return told

    taught = torch.arange(len(kinds))[torch.arange(len(kinds)) % HELD_BACK != 0]

    def loss(places: Tensor) -> Tensor:
        rows = taught[places]
        return fn.cross_entropy(seen(rows, True), kinds[rows.to(where)])

    teach(net.parameters(), loss, len(taught), rounds=rounds, rate=RATE, decay=DECAY, batch=BATCH)
    net.eval()
    held = torch.from_numpy(np.flatnonzero((np.arange(len(kinds)) % HELD_BACK == 0) & some.doubtful))
    with torch.no_grad():
        told = torch.cat([seen(rows, False) for rows in held.split(BATCH)])
    layers = net.prints(*_counted(told, torch.from_numpy(some.own)[held].to(where), kinds[held.to(where)]))
    return Fitted(layers, net.stages, pictures(some.crops[:: -(-len(some.crops) // CALIBRATED)]))


def _counted(told: Tensor, own: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
    """How much the face network's ``own`` word (n, 34) and what is ``told`` (n, 34) count for what these
    kinds (n,) are told best."""
    both = torch.tensor([0.5, 0.5], device=told.device, requires_grad=True)
    learner = torch.optim.LBFGS([both], max_iter=50)

    def closure() -> Tensor:
        learner.zero_grad()
        loss = fn.cross_entropy(both[0] * own + both[1] * told, kinds)
        loss.backward()
        return loss

    learner.step(closure)
    first, second = both.detach()
    return first, second


def figures(_question: Question[Faces], others: Faces, standing: Standing[Prints]) -> list[Row]:
    """How well faces in doubt are told by the face network alone, by pictures alone, and by both."""
    some, prints = others.take(np.flatnonzero(others.doubtful)), standing.layers
    maps = in_parts(lambda rows: standing.see(pictures(some.crops[rows])), len(some.crops))
    answers = {
        "alone": softmax(some.own),
        "by prints": softmax(prints.seen(maps)),
        "both": prints.told(some.own, maps),
    }
    return [_row(name, told, some.kinds) for name, told in answers.items()]


def _row(name: str, told: Array32, kinds: Indices) -> Row:
    """As :func:`models.samples.measured` has it, of probabilities (n, 34) of kinds (n,)."""
    right, sure = told.argmax(axis=1) == kinds, told.max(axis=1) >= SURE
    loss = -np.log(told[np.arange(len(kinds)), kinds] + 1e-12).mean()
    all_right, all_sure = (str(Share(int(some.sum()), len(kinds))) for some in (right, sure))
    return name, all_right, all_sure, str(Share(int((sure & ~right).sum()), int(sure.sum()))), f"{loss:.4f}"


PRINTED = Question(
    "prints", "faces", "in doubt", Faces, faces, lambda some: some.doubtful, fit, figures,
    partial(Standing.read, Prints), FILE,
    """# Faces in doubt by their prints

Says of each tile that the face network takes for some face, and for none surely, which face it is, by a
picture of how its colours differ from the white around the print (`vision/prints.py`). Both words count.

**In:** the network's answers and crops of the tiles in doubt. **Out:** the answers with what each of them has
shared anew among the 34 kinds. Twelve convolutions in int8, `vision/prints.onnx`, and two layers,
`vision/prints.npz`, in whole numbers of six bits; in 32 bits it told 1,680 of 1,761 faces in doubt (seed 918)
with .1545 nats each, so 1,679 with .1552, in a fifth of the time.""",
    "On faces in doubt, by what the face network says alone, by their pictures alone, and by both", 12,
    photographed=True,
)  # fmt: skip

if __name__ == "__main__":
    run(PRINTED)
