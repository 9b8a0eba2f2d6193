"""The networks of :mod:`vision.stages` while they learn, and with the layers that stand on them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Generic, TypeVar

import numpy as np
import onnx
import torch
from torch import Tensor, nn
from torch.nn import functional as fn

from models.export import OPSET, fold
from models.nets import Residual, conv
from models.quantise import in_int8, save
from vision import network
from vision.arrays import Array32
from vision.layer import Stored
from vision.stages import See, beneath, seen_by

CALIBRATED, TOGETHER = 1024, 64
"""So many pictures at most tell how far activations go, so many of them at once."""

Layers = TypeVar("Layers", bound=Stored)


def stages(channels: int, drawn: Sequence[int]) -> nn.Sequential:
    """Of pictures of so many channels, each stage with as many as ``drawn`` says."""
    return nn.Sequential(*(
        nn.Sequential(conv(before, after, 2), Residual(after))
        for before, after in pairwise((channels, *drawn))
    ))  # fmt: skip


def arrays(some: Iterable[Tensor]) -> tuple[Array32, ...]:
    """Weights as they serve."""
    return tuple(np.asarray(each.detach().cpu().numpy(), np.float32) for each in some)


def moved(pictures: Tensor, shift: float, turn: float, zoom: float) -> Tensor:
    """Pictures (n, channels, H, W), for no crop lies quite well: each moved by at most ``shift`` of half its
    sides, turned and enlarged with deviations of ``turn`` radians and ``zoom``."""
    count, where = len(pictures), pictures.device
    angle, size = turn * torch.randn(count, device=where), 1 + zoom * torch.randn(count, device=where)
    place = shift * (2 * torch.rand(count, 2, device=where) - 1)
    matrix = torch.stack(
        [torch.stack([size, -angle, place[:, 0]], 1), torch.stack([angle, size, place[:, 1]], 1)], 1
    )
    field = fn.affine_grid(matrix, list(pictures.shape), align_corners=False)
    return fn.grid_sample(pictures, field, padding_mode="border", align_corners=False)


@dataclass(frozen=True, slots=True)
class Fitted(Generic[Layers]):
    """Layers with the ``stages`` that they stand on, still in 32 bits. ``shown``: the pictures (m,
    channels, H, W) that calibrate, some of those from which the stages learnt."""

    layers: Layers
    stages: nn.Module
    shown: Array32

    def write(self, file: Path) -> None:
        """The layers into a file, the stages beside it, in int8 but for the first convolution: what is faint
        in a picture would be lost beside the darkest print."""
        self.layers.write(file)
        model, some = _exported(self.stages, self.shown[:2]), self.shown
        first = next(node.name for node in model.graph.node if node.op_type == "Conv")
        parts = (some[start : start + TOGETHER] for start in range(0, len(some), TOGETHER))
        small = in_int8(model, parts, [first], {})
        save(small, beneath(file), {"calibration": json.dumps({"pictures": len(some)})})


def _exported(net: nn.Module, example: Array32) -> onnx.ModelProto:
    flat = nn.Sequential(fold(deepcopy(net)), nn.Flatten()).cpu().eval()
    free = {"pictures": {0: "n", 2: "height", 3: "width"}, "maps": {0: "n", 1: "cells"}}
    with TemporaryDirectory() as folder:
        file = str(Path(folder) / "stages.onnx")
        torch.onnx.export(
            flat, (torch.from_numpy(example),), file, input_names=["pictures"], output_names=["maps"],
            dynamic_axes=free, opset_version=OPSET, dynamo=False,
        )  # fmt: skip
        return onnx.load(file)


@dataclass(frozen=True, slots=True)
class Standing(Generic[Layers]):
    """Layers as they serve, with what the network sees on which they stand."""

    layers: Layers
    see: See

    @classmethod
    def read(cls, kind: type[Layers], file: Path) -> Standing[Layers]:
        """Those of a file, and of the one beside it."""
        return cls(kind.read(file), seen_by(network.load(beneath(file))))
