"""The networks in onnxruntime-web beside those in ONNX Runtime: the same answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tehai.errors import Mistake
from tehai.site.network import loader
from tehai.site.page import STATIC
from tehai.site.parts import Part, _package
from vision.arrays import Pixels
from vision.network import FACES, FINDER, load

DRIVE = """
import { readFileSync, writeFileSync } from "node:fs";
const [parts, networks, model, pictures, ...shape] = process.argv.slice(2);
const start = (await import(`${parts}/dist/ort-wasm-simd-threaded.mjs`)).default;
const { runtime } = await import(networks);
const wasmBinary = readFileSync(`${parts}/dist/ort-wasm-simd-threaded.wasm`);
const { create, run } = await runtime(start, { wasmBinary });
const given = readFileSync(pictures);
const answers = run(create(readFileSync(model)), given, shape.map(Number));
writeFileSync(`${pictures}.json`, JSON.stringify(answers.map(({ data, shape }) => [shape, [...data]])));
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


@pytest.mark.parametrize(("model", "shape"), [(FINDER, (1, 160, 192, 3)), (FACES, (7, 80, 64, 3))])
def test_both_runtimes_answer_alike(
    runtime: Path, tmp_path: Path, model: Path, shape: tuple[int, ...]
) -> None:
    pictures: Pixels = np.random.default_rng(7).integers(0, 256, shape, np.uint8)
    (tmp_path / "pictures").write_bytes(pictures.tobytes())
    command = ["node", runtime / "drive.mjs", runtime, runtime / "networks.mjs", model, tmp_path / "pictures"]
    done = subprocess.run([*map(str, command), *map(str, shape)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    theirs = [
        np.reshape(np.float32(data), shape)
        for shape, data in json.loads((tmp_path / "pictures.json").read_text())
    ]
    ours = load(model, 1).run(pictures)
    assert [one.shape for one in theirs] == [one.shape for one in ours]
    assert max(float(np.abs(one - other).max()) for one, other in zip(theirs, ours, strict=True)) < 0.2
    if model is FACES:
        assert (theirs[0].argmax(1) == ours[0].argmax(1)).all()


def test_a_network_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"gone\.onnx is missing"):
        loader(None)(tmp_path / "gone.onnx", 1)  # type: ignore[arg-type]
