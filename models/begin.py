"""Start a training from an exported network: ``--begin models/float/faces.onnx``.

Export folds every batch norm into the convolution before it. A new norm would remove the mean and variance
that these weights carry. So each norm gets the mean and variance of its convolution over a batch, both as
running statistics and as bias and weight: at first it changes nothing.
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

_PREFIX = "net."
"""Prefix of the trained network's weights in exported graphs (:mod:`models.export`)."""


@torch.no_grad()
def begin(net: nn.Module, source: Path, rgb: Tensor) -> dict[str, Any]:
    """Load the weights of an exported network into ``net``. Returns facts of its training for the checkpoint.

    ``rgb`` (n, H, W, 3) uint8: the batch that sets the norms' statistics. A last layer with more classes than
    the file keeps its own weights for the others.

    Raises OSError if the file cannot be read, and ValueError if it holds another network.
    """
    try:
        model = onnx.load(str(source))
    except DecodeError as error:
        raise ValueError(f"{source} is no ONNX file") from error
    known = {
        one.name.removeprefix(_PREFIX): torch.tensor(numpy_helper.to_array(one))
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
        hooks.append(norm.register_forward_pre_hook(partial(_make_identity, bias)))
    net.eval()(normalise(rgb))
    for hook in hooks:
        hook.remove()
    training = {prop.key: prop.value for prop in model.metadata_props}.get("training", "{}")
    facts = json.loads(training)
    return {"begun": json.dumps({key: facts[key] for key in ("step", "elapsed", "begun") if key in facts})}


def _make_identity(bias: Tensor, norm: nn.BatchNorm2d, inputs: tuple[Tensor]) -> None:
    """Set a norm so that it adds ``bias`` to its input and changes nothing else."""
    spread, mean = torch.var_mean(inputs[0].float(), (0, 2, 3), correction=0)
    norm.running_mean, norm.running_var = mean.clone(), spread.clone()
    norm.weight.copy_(torch.sqrt(spread + norm.eps))
    norm.bias.copy_(mean + bias)
