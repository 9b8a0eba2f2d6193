"""A network's ONNX file once more with eight bits for each weight and activation: a quarter of the size.

Static quantisation after training, as ONNX Runtime does it
(https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html): nodes that quantise and
dequantise stand around what is computed in whole numbers; weights are symmetric with a scale for each
channel, activations unsigned, from the smallest to the largest value that calibration met. The pixels go in
as the bytes that they are: what normalises them is reckoned into the first convolution.
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
"""The pixel that is nothing to the first convolution, as around its picture: the finder's own padding."""

INSIDE = "inside"
"""What a network tells of its own inside, which is no answer."""

WEIGHTED = frozenset({"Conv", "Gemm"})
"""What multiplies by weights."""


MOST = 60
"""Photos, and renders, that calibrate at most."""


def draw(
    photos: Path | None, renders: Sequence[Path], seed: int
) -> tuple[list[Photo | Render], dict[str, Any]]:
    """What a network is calibrated on, and what its file says of it: photos of ``use`` train and renders,
    none of those that measure or tune.

    Raises OSError when a folder is no such folder, ValueError when nothing to calibrate on is in any.
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
class _Overheard:
    """A network that keeps the pictures that it is shown."""

    network: Network
    pictures: list[Pixels]

    @property
    def metadata(self) -> dict[str, str]:
        return dict(self.network.metadata)

    def run(self, pictures: Any) -> Sequence[Array32]:
        self.pictures.append(pictures)
        return self.network.run(pictures)


def shown(source: Path, scenes: Iterable[Photo | Render]) -> Iterator[Pixels]:
    """What the network of a file is shown, (n, H, W, 3) each, while the tiles of the scenes are found and
    classified with it and the other network, that of the same folder where there is one: photos and closer
    looks at them, or the crops of their tiles."""
    task = network.load(source).metadata.get("task")
    finder, faces = (
        beside if (beside := source.with_name(usual.name)).is_file() else usual
        for usual in (network.FINDER, network.FACES)
    )
    finder, faces = (source, faces) if task == "finder" else (finder, source)
    pictures: list[Pixels] = []

    def load(path: Path) -> Network:
        opened = network.load(path, 1)
        return _Overheard(opened, pictures) if path == source else opened

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
    """Names of the nodes that keep 32 bits: the last ones, for the channels of an answer (a probability, an
    angle, a length) would share a scale."""
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
    """Reckon what normalises the pixels, a gain and a shift a channel, into the convolution that follows (in
    place), which then takes pixels less ``GREY``: all that is nothing at the picture's edges.

    Returns the name of what the convolution takes. Raises ValueError when the graph begins otherwise.
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
    """Let the convolution take the pixels' own bytes (in place): less grey and quantised in steps of one they
    are the same again."""
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
    """The nodes of these kinds that take a tensor one after another; raises ValueError where they do not."""
    for kind in kinds:
        takers = [node for node in graph.node if name in node.input]
        if [node.op_type for node in takers] != [kind]:
            raise ValueError(f"the graph does not begin with {', '.join(kinds)}")
        yield takers[0]
        (name,) = takers[0].output


def quantise(source: Path, pictures: Iterable[Pixels], target: Path, calibration: dict[str, Any]) -> None:
    """Write the file once more in int8, calibrated on ``pictures`` (n, H, W, 3) as its network is shown them.

    The file keeps all that it says about itself, and adds ``precision`` and ``calibration``. Raises
    ValueError when it is in int8 already, or there is no picture.
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
        # Shapes alone: torch has simplified the graph, and ONNX Runtime's own pass would name domains that
        # older versions of it do not know.
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
    """Write a model with what it says of itself."""
    onnx.helper.set_model_props(model, facts)
    onnx.checker.check_model(model)
    target.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(target))
