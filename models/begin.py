"""A training that begins with what an exported network knows: ``--begin models/float/faces.onnx``.

An exported file has every batch norm written into the convolution before it. Such weights alone would be lost
with the first step, for a norm takes away the mean and the spread that they carry. So each norm is given the
mean and spread that its convolution has over a batch, once as what it takes away and once as what it gives
back: at first it changes nothing, and from there it learns.
"""

from __future__ import annotations

import json
from functools import partial
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


@torch.no_grad()
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
    }
    norms = {name: part for name, part in net.named_modules() if isinstance(part, nn.BatchNorm2d)}
    for name, weight in net.named_parameters():
        value = known.get(name)
        if name.rpartition(".")[0] in norms:
            continue
        if value is None or value.shape[1:] != weight.shape[1:] or len(value) > len(weight):
            raise ValueError(f"{source} is not of this network: it has no {name} of {tuple(weight.shape)}")
        weight[: len(value)] = value
    hooks = []
    for name, norm in norms.items():
        path, _, place = name.rpartition(".")
        bias = known[f"{path}.{int(place) - 1}.bias"]  # the convolution stands before its norm
        hooks.append(norm.register_forward_pre_hook(partial(_settle, bias)))
    net.eval()(normalise(rgb))
    for hook in hooks:
        hook.remove()
    training = {prop.key: prop.value for prop in model.metadata_props}.get("training", "{}")
    facts = json.loads(training)
    return {"begun": json.dumps({key: facts[key] for key in ("step", "elapsed", "begun") if key in facts})}


def _settle(bias: Tensor, norm: nn.BatchNorm2d, inputs: tuple[Tensor]) -> None:
    """Let a norm leave what its convolution gives as it is, the bias added."""
    spread, mean = torch.var_mean(inputs[0].float(), (0, 2, 3), correction=0)
    norm.running_mean, norm.running_var = mean.clone(), spread.clone()
    norm.weight.copy_(torch.sqrt(spread + norm.eps))
    norm.bias.copy_(mean + bias)
