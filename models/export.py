"""Export a checkpoint as an ONNX file, and quantise such a file to int8.

``python -m models.export finder runs/finder/last.pt models/float/finder.onnx`` exports; ``faces`` likewise.
``python -m models.export int8 models/float/finder.onnx models/finder.onnx --photos DIR --renders DIR`` writes
the file that ships. Both float files must be there: a network is calibrated in a reading with the other one.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from models.face_samples import SHAPE
from models.finder_samples import ENCODING
from models.nets import FaceNet, FinderNet
from models.quantise import INSIDE, draw, quantise, save, shown
from models.training import MEAN, STD, load_checkpoint
from vision.finder import FinderSettings
from vision.labels import WITH_FOREIGN

OPSET = 17
"""ONNX Runtime 1.17 and later have it."""

VERSION = "1"
"""Version of the files' inputs, outputs and metadata."""

SOURCES = Path(__file__).resolve().parent.parent / "datasets" / "sources.toml"

FINDER = FinderSettings(
    encoding=ENCODING,
    threshold=0.3,
    long_side=640,
    multiple=32,
    smallest=18.0,
    largest=75.0,
    wanted=40.0,
)
"""Settings in the metadata of the finder's file."""


class _Normalised(nn.Module):
    """Normalisation of pixels (n, H, W, 3) uint8 as in training, part of the graph."""

    def __init__(self) -> None:
        super().__init__()
        std = torch.tensor(STD)
        self.register_buffer("gain", (1 / (255 * std)).view(1, 3, 1, 1))
        self.register_buffer("shift", (-torch.tensor(MEAN) / std).view(1, 3, 1, 1))

    def forward(self, pixels: Tensor) -> Tensor:
        return pixels.permute(0, 3, 1, 2).float() * self.gain + self.shift


class _OfPixels(nn.Module):
    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.normalised = _Normalised()
        self.net = net


class FinderGraph(_OfPixels):
    """From pixels (n, H, W, 3) uint8 to the maps of :mod:`vision.finder`, the heat as a probability."""

    def forward(self, image: Tensor) -> Tensor:
        out = self.net(self.normalised(image))
        return torch.cat([torch.sigmoid(out[:, :1]), out[:, 1:]], 1)


class FaceGraph(_OfPixels):
    """From crops (n, 80, 64, 3) uint8 to label logits, rotation logits, corner offsets, and the last feature
    maps (n, 120, 20), whose mean is the embedding."""

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        maps = self.net.body(self.normalised(crops))
        return *self.net.heads(maps), maps.flatten(2)


def fold(net: nn.Module) -> nn.Module:
    """Fold every batch norm into the convolution before it (in place)."""
    for part in [part for part in net.modules() if isinstance(part, nn.Sequential)]:
        for i in range(len(part) - 1):
            if isinstance(part[i], nn.Conv2d) and isinstance(part[i + 1], nn.BatchNorm2d):
                part[i], part[i + 1] = fuse_conv_bn_eval(part[i], part[i + 1]), nn.Identity()
    return net


def read_checkpoint(task: str, checkpoint: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The averaged weights and the facts of a checkpoint. Raises ValueError if it is of another task."""
    state = load_checkpoint(checkpoint)
    if state.get("task") != task:
        raise ValueError(f"{checkpoint} is a checkpoint of {state.get('task')!r}, not of {task!r}")
    facts = {name: value for name, value in state.items() if isinstance(value, (str, int, float))}
    return state["average"], facts


def sources(task: str) -> list[dict[str, Any]]:
    """Name, kind, address, version and licence of each source that a network was trained on, from
    ``datasets/sources.toml``. The scene model has those of the face network, whose answers it learns from."""
    with SOURCES.open("rb") as text:
        known = tomllib.load(text)["source"]

    def is_trained_on(source: dict[str, Any]) -> bool:
        if source["kind"] == "photos":
            is_for_faces = source["name"] == "camerash"  # photos of single tiles
            return bool(source["use"].startswith("train")) and not (is_for_faces and task == "finder")
        return source["kind"] in ("art", "font") and not source.get("held_out", False)

    names = ("name", "kind", "address", "version", "licence")
    return [{name: source[name] for name in names} for source in known if is_trained_on(source)]


def metadata(
    task: str, version: str, facts: dict[str, Any], settings: dict[str, Any], **more: Sequence[str]
) -> dict[str, str]:
    """The file's ONNX ``metadata_props``. ``facts``: those of the checkpoint; ``more``: names in order, such
    as classes."""
    origin = sources(task)
    return {
        "task": task,
        "version": version,
        **{name: json.dumps(names) for name, names in more.items()},
        "settings": json.dumps(settings),
        "sources": json.dumps(origin, ensure_ascii=False),
        "licences": json.dumps(sorted({source["licence"] for source in origin}), ensure_ascii=False),
        "seed": str(facts.get("seed", "")),
        "training": json.dumps({k: v for k, v in facts.items() if k not in ("task", "seed")}),
    }


def write(
    graph: nn.Module, example: Tensor, target: Path, free: dict[str, dict[int, str]], facts: dict[str, str],
    change: Callable[[Any], Any] = lambda model: model,
) -> None:  # fmt: skip
    """Write the ONNX file of a graph with one input. ``free``: input and outputs to their axes of any length;
    ``facts``: metadata; ``change``: applied to the model first."""
    target.parent.mkdir(parents=True, exist_ok=True)
    taken, *given = free
    # The tracing exporter writes smaller files.
    torch.onnx.export(
        graph.eval(), (example,), str(target), input_names=[taken], output_names=given,
        dynamic_axes=free, opset_version=OPSET, dynamo=False,
    )  # fmt: skip
    save(change(onnx.load(str(target))), target, facts)


def export(task: str, checkpoint: Path, target: Path) -> None:
    """Write the ONNX file of the network. Raises ValueError for a checkpoint of another task."""
    weights, facts = read_checkpoint(task, checkpoint)
    net: nn.Module
    if task == "finder":
        net, graph = FinderNet(), FinderGraph
        texts = metadata(task, VERSION, facts, asdict(FINDER))
        example = torch.zeros((1, 128, 160, 3), dtype=torch.uint8)
        free = {"image": {0: "n", 1: "height", 2: "width"}, "maps": {0: "n", 2: "rows", 3: "columns"}}
    else:
        classes = WITH_FOREIGN[: len(weights["label.weight"])]
        net, graph = FaceNet(len(classes)), FaceGraph
        texts = metadata(task, VERSION, facts, {"crop": asdict(SHAPE), "passes": 2})
        texts["classes"] = json.dumps(classes)
        example = torch.zeros((2, SHAPE.height, SHAPE.width, 3), dtype=torch.uint8)
        free = {name: {0: "n"} for name in ("crops", "labels", "rotations", "offsets", INSIDE)}
    net.load_state_dict(weights)
    write(graph(fold(net.eval())), example, target, free, texts)


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m models.export", description="Write a trained network as an ONNX file."
    )
    kinds = parser.add_subparsers(required=True, dest="task")
    for task in ("finder", "faces"):
        trained = kinds.add_parser(task, description=f"Write a trained {task} network as an ONNX file.")
        trained.add_argument("checkpoint", type=Path)
        trained.add_argument("target", type=Path)
    small = kinds.add_parser("int8", description="Quantise the ONNX file of either network to int8.")
    small.add_argument("source", type=Path, help="ONNX file of a network")
    small.add_argument("target", type=Path)
    small.add_argument("--photos", type=Path, help="folder of manifest.jsonl, with training photos")
    small.add_argument(
        "--renders", type=Path, nargs="*", default=[], help="folders of renders to calibrate on"
    )
    small.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    try:
        if args.task == "int8":
            scenes, calibration = draw(args.photos, args.renders, args.seed)
            quantise(args.source, shown(args.source, scenes), args.target, calibration)
        else:
            export(args.task, args.checkpoint, args.target)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print(f"{args.target}: {args.target.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
