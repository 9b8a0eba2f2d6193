"""The convolutions of :mod:`vision.stages` while they learn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as fn

from models.nets import Residual, conv
from vision.arrays import Array32


def stages(channels: int, drawn: Sequence[int]) -> nn.Sequential:
    """Of pictures of so many channels, each stage with as many as ``drawn`` says."""
    return nn.Sequential(*(
        nn.Sequential(conv(before, after, 2), Residual(after))
        for before, after in pairwise((channels, *drawn))
    ))  # fmt: skip


def folded(of: nn.Module) -> Iterator[tuple[Tensor, Tensor]]:
    """Weight (k, channels · 9) and bias (k,) of each convolution and the norm after it as one."""
    parts = (each for each in of.modules() if isinstance(each, nn.Conv2d | nn.BatchNorm2d))
    for convolution, norm in zip(parts, parts, strict=True):
        assert isinstance(convolution, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d)
        assert norm.running_var is not None and norm.running_mean is not None
        scale = norm.weight.detach() / torch.sqrt(norm.running_var + norm.eps)
        weight = convolution.weight.detach().flatten(1) * scale[:, None]
        yield weight, norm.bias.detach() - norm.running_mean * scale


def tables(weights: Iterable[Tensor]) -> tuple[Array32, ...]:
    """Weights (k, channels · 9) of convolutions as they serve, (9 · channels, k)."""
    return arrays(each.unflatten(1, (-1, 9)).permute(2, 1, 0).flatten(0, 1) for each in weights)


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
