"""Quantise a network's ONNX file to eight bits for each weight and activation: a quarter of the size.

Static quantisation after training, as ONNX Runtime does it
(https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html), with nodes that quantise and
dequantise. Weights are symmetric with a scale for each channel. Activations are unsigned, from the smallest
to the largest value in calibration. Pixels go in as bytes: their normalisation is folded into the first
convolution.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from datasets.photos import Photo, read_manifest
from datasets.renders import Render, gather
from vision import network
from vision.arrays import Array32, Pixels
from vision.faces import FaceReader
from vision.finder import Finder
from vision.network import Network
from vision.scene.classify import classify
from vision.scene.detect import detect

PRECISION = "int8"

GREY = 114
"""The pixel value that is 0 to the first convolution, as its padding is. The finder pads photos with it."""

INSIDE = "inside"
"""Name of the output with inner feature maps, which is no answer."""

WEIGHTED = frozenset({"Conv", "Gemm"})
"""Operators with weights."""


MOST = 60
"""Photos, and renders, to calibrate with at most."""


def draw(
    photos: Path | None, renders: Sequence[Path], seed: int
) -> tuple[list[Photo | Render], dict[str, Any]]:
    """Choose random training photos and renders to calibrate with, and return facts about them for the file.
    Photos held back or for evaluation are left out.

    Raises OSError for a folder without data, and ValueError if there is nothing to calibrate with.
    """
    rng = np.random.default_rng(seed)
    real = read_manifest(photos, ["train"]) if photos else []
    real = [each for each in real if each.shaped and each.plausible and not (each.held_back or each.whole)]
    drawn, _ = gather(renders)
    real = [real[i] for i in rng.permutation(len(real))[:MOST]]
    drawn = [drawn[i] for i in rng.permutation(len(drawn))[:MOST]]
    if not real and not drawn:
        raise ValueError("nothing to calibrate on: name training photos with --photos, or --renders")
    names = sorted({photo.source for photo in real})
    facts = {"photos": len(real), "sources": names, "renders": len(drawn), "seed": seed}
    return [*real, *drawn], facts


@dataclass(frozen=True, slots=True)
class _Recorder:
    """A network that records its input pictures."""

    network: Network
    pictures: list[Pixels]

    @property
    def metadata(self) -> dict[str, str]:
        return dict(self.network.metadata)

    def run(self, pictures: Any) -> Sequence[Array32]:
        self.pictures.append(pictures)
        return self.network.run(pictures)


def shown(source: Path, scenes: Iterable[Photo | Render]) -> Iterator[Pixels]:
    """Yield the inputs (n, H, W, 3) of the network of a file while it reads the scenes.

    The other network is the one beside the file, or else the shipped one.
    """
    task = network.load(source).metadata.get("task")
    finder, faces = (
        beside if (beside := source.with_name(usual.name)).is_file() else usual
        for usual in (network.FINDER, network.FACES)
    )
    finder, faces = (source, faces) if task == "finder" else (finder, source)
    pictures: list[Pixels] = []

    def load(path: Path) -> Network:
        opened = network.load(path, 1)
        return _Recorder(opened, pictures) if path == source else opened

    finds, names = Finder(load(finder)), FaceReader(load(faces))
    for scene in scenes:
        rgb = scene.load()
        classify(names, rgb, detect(finds, rgb))
        yield from pictures
        pictures.clear()


class _Calibration(CalibrationDataReader):
    def __init__(self, name: str, pictures: Iterable[Pixels]) -> None:
        self._feeds = ({name: each} for each in pictures)

    def get_next(self) -> dict[str, Pixels] | None:
        return next(self._feeds, None)


def in_float(graph: Any) -> list[str]:
    """Names of the last nodes, which keep 32 bits: the channels of an answer, such as a probability and an
    angle, would share a scale."""
    makers = {name: node for node in graph.node for name in node.output}
    names: set[str] = set()

    def back(tensors: Iterable[str]) -> None:
        for node in (makers[name] for name in tensors if name in makers):
            names.add(node.name)
            if node.op_type not in WEIGHTED:
                back(node.input)

    back(output.name for output in graph.output if output.name != INSIDE)
    return sorted(names)


def fold_normalising(graph: Any) -> str:
    """Fold the normalisation of pixels into the first convolution (in place), which then takes pixels minus
    ``GREY``: that is 0 in its padding.

    Returns the name of the convolution's input. Raises ValueError if the graph begins otherwise.
    """
    (given,) = graph.input
    chain = list(_following(graph, given.name, ("Transpose", "Cast", "Mul", "Add", "Conv")))
    values = {each.name: each for each in graph.initializer}
    _, cast, scaled, added, conv = chain
    gain, shift = (numpy_helper.to_array(values[node.input[1]]) for node in (scaled, added))
    weight, bias = (numpy_helper.to_array(values[name]) for name in conv.input[1:])
    level = (weight * (shift + GREY * gain)).sum(axis=(1, 2, 3), dtype=np.float64)
    for name, array in zip(conv.input[1:], (weight * gain, bias + level), strict=True):
        values[name].CopyFrom(numpy_helper.from_array(array.astype(np.float32), name))
    grey = numpy_helper.from_array(np.array(GREY, np.float32), "grey")
    graph.initializer.append(grey)
    less = onnx.helper.make_node("Sub", [cast.output[0], grey.name], list(added.output), "less_grey")
    graph.node.insert(list(graph.node).index(scaled), less)
    for node in (scaled, added):
        graph.node.remove(node)
        graph.initializer.remove(values[node.input[1]])
    return str(added.output[0])


def take_bytes(graph: Any, taken: str) -> None:
    """Feed the pixels' bytes to the convolution (in place). Minus grey and quantised in steps of one, they
    are the same bytes."""
    (given,) = graph.input
    turned, *between = _following(graph, given.name, ("Transpose", "Cast", "Sub", "QuantizeLinear"))
    assert between[1].output[0] == taken
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] == between[-1].output[0]:
            node.input[0] = turned.output[0]
    for node in between:
        graph.node.remove(node)
    (grey,) = (each for each in graph.initializer if each.name == between[1].input[1])
    graph.initializer.remove(grey)


def _following(graph: Any, name: str, kinds: Sequence[str]) -> Iterator[Any]:
    """Yield the chain of nodes of these kinds from a tensor on. Raises ValueError if the graph differs."""
    for kind in kinds:
        takers = [node for node in graph.node if name in node.input]
        if [node.op_type for node in takers] != [kind]:
            raise ValueError(f"the graph does not begin with {', '.join(kinds)}")
        yield takers[0]
        (name,) = takers[0].output


def quantise(source: Path, pictures: Iterable[Pixels], target: Path, calibration: dict[str, Any]) -> None:
    """Write the network of ``source`` in int8, calibrated on its inputs ``pictures``, (n, H, W, 3) each.

    The file keeps its metadata and adds ``precision`` and ``calibration``. Raises ValueError if ``source`` is
    in int8 already, or if there is no picture.
    """
    model = onnx.load(str(source))
    facts = {prop.key: prop.value for prop in model.metadata_props}
    if facts.get("precision") == PRECISION:
        raise ValueError(f"{source} is in {PRECISION} already")
    taken = fold_normalising(model.graph)
    byte = {"quant_type": QuantType.QUInt8, "scale": np.array(1, np.float32)}
    steps = {taken: [{**byte, "zero_point": np.array(GREY, np.uint8)}]}
    (given,) = model.graph.input
    with TemporaryDirectory() as folder:
        prepared, small = Path(folder) / "prepared.onnx", Path(folder) / "small.onnx"
        # Infer shapes alone: ONNX Runtime's optimiser would use domains that its older versions lack.
        quant_pre_process(model, str(prepared), skip_optimization=True, skip_symbolic_shape=True)
        quantize_static(
            str(prepared),
            str(small),
            _Calibration(given.name, pictures),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            # Weights of seven bits: where a processor has no VNNI, two products of eight are clipped to 16.
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_exclude=in_float(model.graph),
            extra_options={
                "ActivationSymmetric": False,
                "WeightSymmetric": True,
                "TensorQuantOverrides": steps,
            },
        )
        model = onnx.load(str(small))
    take_bytes(model.graph, taken)
    save(model, target, {**facts, "calibration": json.dumps(calibration), "precision": PRECISION})


def save(model: Any, target: Path, facts: dict[str, str]) -> None:
    """Write a model with metadata."""
    onnx.helper.set_model_props(model, facts)
    onnx.checker.check_model(model)
    target.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(target))
