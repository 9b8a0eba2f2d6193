"""A training that begins with what an exported network knows: ``--begin models/float/faces.onnx``.

An exported file has every batch norm written into the convolution before it. Such weights alone would be lost
with the first step, for a norm takes away the mean and the spread that they carry. So each norm is given the
mean and spread that its convolution has over a batch, once as what it takes away and once as what it gives
back: at first it changes nothing, and from there it learns.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import onnx
import torch
from google.protobuf.message import DecodeError
from onnx import numpy_helper
from torch import Tensor, nn

from models.training import normalise

_OWN = "net."
"""What the exported graphs call the trained network (:mod:`models.export`)."""


def begin(net: nn.Module, source: Path, rgb: Tensor) -> dict[str, Any]:
    """Write the weights of an exported network into ``net``, in place; what its file says of its training.

    ``rgb`` (n, H, W, 3) uint8: the batch over which the norms are measured. A layer that answers more classes
    than the file knows keeps its own weights for the rest.

    Raises OSError where the file cannot be read and ValueError where it is not of this network.
    """
    try:
        model = onnx.load(str(source))
    except DecodeError as error:
        raise ValueError(f"{source} is no ONNX file") from error
    known = {
        one.name.removeprefix(_OWN): torch.tensor(numpy_helper.to_array(one))
        for one in model.graph.initializer
        if one.name.startswith(_OWN)
    }
    _copy(net, known, source)
    training = {prop.key: prop.value for prop in model.metadata_props}.get("training", "{}")
    _settle_norms(net, known, rgb)
    facts = json.loads(training)
    return {"begun": json.dumps({key: facts[key] for key in ("step", "elapsed", "begun") if key in facts})}


@torch.no_grad()
def _copy(net: nn.Module, known: dict[str, Tensor], source: Path) -> None:
    """Every weight but the norms'."""
    norms = tuple(name for name, part in net.named_modules() if isinstance(part, nn.BatchNorm2d))
    for name, weight in net.named_parameters():
        if name.rpartition(".")[0] in norms:
            continue
        value = known.get(name)
        if value is None or value.shape[1:] != weight.shape[1:] or len(value) > len(weight):
            raise ValueError(f"{source} is not of this network: it has no {name} of {tuple(weight.shape)}")
        weight[: len(value)] = value


@torch.no_grad()
def _settle_norms(net: nn.Module, known: dict[str, Tensor], rgb: Tensor) -> None:
    """Norms that leave a folded convolution as it is, its bias added."""
    hooks = []
    for path, part in net.named_modules():
        if not isinstance(part, nn.Sequential):
            continue
        for i, norm in enumerate(part):
            if isinstance(norm, nn.BatchNorm2d):
                bias = known[f"{path}.{i - 1}.bias"]

                def settle(norm: nn.BatchNorm2d, inputs: tuple[Tensor], bias: Tensor = bias) -> None:
                    spread, mean = torch.var_mean(inputs[0].float(), (0, 2, 3), correction=0)
                    assert norm.running_mean is not None and norm.running_var is not None
                    norm.running_mean.copy_(mean)
                    norm.running_var.copy_(spread)
                    norm.weight.copy_(torch.sqrt(spread + norm.eps))
                    norm.bias.copy_(mean + bias)

                hooks.append(norm.register_forward_pre_hook(settle))
    net.eval()(normalise(rgb))
    for hook in hooks:
        hook.remove()
