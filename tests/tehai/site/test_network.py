"""The networks in onnxruntime-web beside those in ONNX Runtime: the same answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tehai.errors import Mistake
from tehai.site.network import loader
from tehai.site.page import STATIC
from tehai.site.parts import Part, _package
from vision.arrays import Array32, Pixels
from vision.detections import ROLES
from vision.labels import WITH_FOREIGN
from vision.network import FACES, FINDER, SCENE, load
from vision.scene.inputs import WIDTH

DRIVE = """
import { readFileSync, writeFileSync } from "node:fs";
const [parts, networks, model, file, ...shape] = process.argv.slice(2);
const start = (await import(`${parts}/dist/ort-wasm-simd-threaded.mjs`)).default;
const { runtime } = await import(networks);
const wasmBinary = readFileSync(`${parts}/dist/ort-wasm-simd-threaded.wasm`);
const { create, run } = await runtime(start, { wasmBinary });
const given = readFileSync(file);
const answers = run(create(readFileSync(model)), given, shape.map(Number));
writeFileSync(`${file}.json`, JSON.stringify(answers.map(({ data, shape }) => [shape, [...data]])));
process.exit(0);
"""


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """onnxruntime-web, unpacked, and the site's own script beside it."""
    import tomllib

    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    place = tmp_path_factory.mktemp("runtime")
    pinned = tomllib.loads(STATIC.with_name("parts.toml").read_text())["onnxruntime-web"]
    part = Part("onnxruntime-web", pinned["version"], pinned["files"])
    folders = [Path(path) for path in os.environ.get("TEHAI_PARTS", "").split(os.pathsep) if path]
    try:
        for file, data in _package(part, folders, place, lambda _: None):
            (place / file).parent.mkdir(exist_ok=True)
            (place / file).write_bytes(data)
    except Mistake as missing:
        pytest.skip(str(missing))
    (place / "networks.mjs").write_bytes((STATIC / "networks.js").read_bytes())
    (place / "drive.mjs").write_text(DRIVE)
    return place


def differences(ours: Sequence[Array32], theirs: Sequence[Array32]) -> list[float]:
    """Of each answer the largest."""
    assert [one.shape for one in theirs] == [one.shape for one in ours]
    return [float(np.abs(one - other).max()) for one, other in zip(theirs, ours, strict=True)]


def in_node(runtime: Path, folder: Path, model: Path, given: Pixels | Array32) -> list[Array32]:
    """What a network answers in onnxruntime-web."""
    (folder / "given").write_bytes(given.tobytes())
    command = ["node", runtime / "drive.mjs", runtime, runtime / "networks.mjs", model, folder / "given"]
    done = subprocess.run(
        [*map(str, command), *map(str, given.shape)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    answers = json.loads((folder / "given.json").read_text())
    return [np.reshape(np.float32(data), shape) for shape, data in answers]


@pytest.mark.parametrize(("model", "shape"), [(FINDER, (1, 160, 192, 3)), (FACES, (7, 80, 64, 3))])
def test_both_runtimes_answer_alike(
    runtime: Path, tmp_path: Path, model: Path, shape: tuple[int, ...]
) -> None:
    pictures: Pixels = np.random.default_rng(7).integers(0, 256, shape, np.uint8)
    theirs, ours = in_node(runtime, tmp_path, model, pictures), load(model, 1).run(pictures)
    assert max(differences(ours, theirs)) < 0.2
    if model is FACES:
        assert (theirs[0].argmax(1) == ours[0].argmax(1)).all()


@pytest.mark.skipif(not SCENE.is_file(), reason="models/scene.onnx is missing")
@pytest.mark.parametrize("tiles", [1, 20])
def test_both_runtimes_answer_floats_alike(runtime: Path, tmp_path: Path, tiles: int) -> None:
    """The scene model is given numbers of tiles, not pixels."""
    given = np.random.default_rng(7).normal(0, 1, (1, tiles, WIDTH)).astype(np.float32)
    theirs, ours = in_node(runtime, tmp_path, SCENE, given), load(SCENE, 1).run(given)
    of_each = [(1, tiles, len(ROLES)), (1, tiles, len(WITH_FOREIGN))]
    assert [one.shape for one in ours] == [*of_each, (1, 2, tiles, tiles)]
    assert max(differences(ours, theirs)) < 0.01
    assert (theirs[0].argmax(2) == ours[0].argmax(2)).all()


class Recording:
    """A runtime that answers with what it was given."""

    def __init__(self) -> None:
        self.given: list[tuple[bytes, list[int]]] = []

    def create(self, data: bytes) -> int:
        return 0

    def run(self, number: int, data: Pixels, shape: list[int]) -> list[object]:
        self.given.append((data.tobytes(), shape))
        return []


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
def test_bytes_and_floats_reach_the_runtime_as_they_are(kind: type[np.generic]) -> None:
    """The script tells them apart by their number of bytes; what does not lie in one piece is laid so."""
    runtime = Recording()
    given = np.arange(24).reshape(2, 3, 4).astype(kind)[:, :, ::2]
    loader(runtime)(FACES, 1).run(given)
    assert runtime.given == [(given.tobytes(), [2, 3, 2])]
    assert len(runtime.given[0][0]) == given.size * given.itemsize


def test_a_network_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"gone\.onnx is missing"):
        loader(None)(tmp_path / "gone.onnx", 1)  # type: ignore[arg-type]
