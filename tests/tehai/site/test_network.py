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
const [parts, networks, ...jobs] = process.argv.slice(2);
const start = (await import(`${parts}/dist/ort-wasm-simd-threaded.mjs`)).default;
const { runtime } = await import(networks);
const wasmBinary = readFileSync(`${parts}/dist/ort-wasm-simd-threaded.wasm`);
const { create, run } = await runtime(start, { wasmBinary });
for (const [model, file, shape] of jobs.map((job) => JSON.parse(job))) {
	const answers = run(create(readFileSync(model)), readFileSync(file), shape);
	writeFileSync(`${file}.json`, JSON.stringify(answers.map(({ data, shape }) => [shape, [...data]])));
}
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


def _pictures(*shape: int) -> Pixels:
    return np.random.default_rng(7).integers(0, 256, shape, np.uint8)


def _tiles(count: int) -> Array32:
    """The scene model is given numbers of tiles, not pixels."""
    return np.random.default_rng(7).normal(0, 1, (1, count, WIDTH)).astype(np.float32)


GIVEN: list[tuple[Path, Pixels | Array32]] = [
    (FINDER, _pictures(1, 160, 192, 3)),
    (FACES, _pictures(7, 80, 64, 3)),
    (SCENE, _tiles(1)),
    (SCENE, _tiles(20)),
]
"""Networks, and what each is given."""

IDS = ["finder", "faces", "scene, one tile", "scene, twenty tiles"]


@pytest.fixture(scope="module")
def in_node(runtime: Path) -> list[list[Array32]]:
    """What the networks answer in onnxruntime-web, which takes seconds to start."""
    jobs = []
    for nth, (model, given) in enumerate(GIVEN):
        file = runtime / f"given{nth}"
        file.write_bytes(given.tobytes())
        jobs.append(json.dumps([str(model), str(file), given.shape]))
    command = ["node", str(runtime / "drive.mjs"), str(runtime), str(runtime / "networks.mjs"), *jobs]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    answers = [json.loads((runtime / f"given{nth}.json").read_text()) for nth in range(len(GIVEN))]
    return [[np.reshape(np.float32(data), shape) for shape, data in one] for one in answers]


@pytest.mark.parametrize("nth", range(len(GIVEN)), ids=IDS)
def test_both_runtimes_answer_alike(in_node: list[list[Array32]], nth: int) -> None:
    model, given = GIVEN[nth]
    theirs, ours = in_node[nth], load(model, 1).run(given)
    assert max(differences(ours, theirs)) < (0.01 if model is SCENE else 0.2)
    if model is SCENE:
        tiles = given.shape[1]
        of_each = [(1, tiles, len(ROLES)), (1, tiles, len(WITH_FOREIGN))]
        assert [one.shape for one in ours] == [*of_each, (1, 2, tiles, tiles)]
    if model is not FINDER:
        assert (theirs[0].argmax(-1) == ours[0].argmax(-1)).all()


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
