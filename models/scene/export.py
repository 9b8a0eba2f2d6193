"""Export the scene model: the ONNX file that ships, and the weights to continue training from."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import Tensor, nn

from models.export import metadata, read_checkpoint, write
from models.scene.net import Answer, SceneNet
from vision.detections import ROLES
from vision.labels import WITH_FOREIGN
from vision.scene import inputs
from vision.scene.relate import Calibration

VERSION = "2"
"""Version of the file's input, outputs and metadata."""

FLOAT = onnx.TensorProto.FLOAT
_SMALL = 1024
"""Bytes of a tensor up to which it keeps 32 bits."""


class SceneGraph(nn.Module):
    """From the rows (1, n, ``inputs.WIDTH``) of a photo's detections to the answers of :class:`SceneNet`."""

    def __init__(self, net: SceneNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, tiles: Tensor) -> Answer:
        mask = tiles[..., inputs.SCORE] * 0 + 1  # ones, as many as tiles
        answer: Answer = self.net(tiles, mask)
        return answer


def load(checkpoint: Path) -> tuple[SceneNet, dict[str, Any]]:
    """The averaged network of a checkpoint in evaluation mode, and the facts beside its weights. Raises
    ValueError for a checkpoint of another task."""
    weights, facts = read_checkpoint("scene", checkpoint)
    net = SceneNet()
    net.load_state_dict(weights)
    return net.eval(), facts


def export(checkpoint: Path, target: Path, calibration: dict[str, float]) -> None:
    """Write the ONNX file with its metadata."""
    net, facts = load(checkpoint)
    free = {"tiles": {1: "n"}, "roles": {1: "n"}, "faces": {1: "n"}, "pairs": {2: "n", 3: "n"}}
    names = {"roles": ROLES, "classes": WITH_FOREIGN}
    texts = metadata("scene", VERSION, facts, {"calibration": calibration}, **names)
    write(SceneGraph(net), example(7), target, free, texts, halved)


def halved(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with weights stored as float16 and cast to float32 when it is loaded. Rounding changes a
    weight by a share of 2 ** -11 at most."""
    graph = model.graph
    large = [each for each in graph.initializer if each.data_type == FLOAT and len(each.raw_data) > _SMALL]
    for each in large:
        name, half = each.name, onnx.numpy_helper.to_array(each).astype(np.float16)
        each.CopyFrom(onnx.numpy_helper.from_array(half, f"{name}.half"))
        cast = onnx.helper.make_node("Cast", [each.name], [name], to=FLOAT)
        graph.node.insert(0, cast)
    return model


def example(count: int) -> Tensor:
    """Random rows (1, ``count``, ``inputs.WIDTH``) of detections side by side."""
    rows = torch.rand(1, count, inputs.WIDTH)
    corners = torch.tensor([[0, 0], [0.02, 0], [0.02, 0.03], [0, 0.03]])
    places = torch.arange(count)[:, None, None] * torch.tensor([0.021, 0.0]) + 0.1
    rows[0, :, inputs.QUAD] = (places + corners).flatten(1)
    rows[..., inputs.PHOTO] = torch.tensor([1.0, 0.75])
    return rows


def write_weights(checkpoint: Path, target: Path) -> None:
    """Write the averaged weights alone, for ``train --begin``."""
    weights, facts = read_checkpoint("scene", checkpoint)
    target.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"task": "scene", "average": weights, **facts}, target)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command line."""
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("target", type=Path, help="the ONNX file")
    parser.add_argument("--weights", type=Path, help="write the weights alone, for train --begin")
    parser.add_argument("--curve", type=Path, help="calibration curve of python -m models.scene calibrate")


def run(args: argparse.Namespace) -> None:
    """Write the files that the options name."""
    curve = json.loads(args.curve.read_text("utf-8")) if args.curve else asdict(Calibration())
    export(args.checkpoint, args.target, curve)
    if args.weights:
        write_weights(args.checkpoint, args.weights)
    print(f"{args.target}: {args.target.stat().st_size / 1e6:.2f} MB")
