"""The ONNX files answer what the PyTorch networks answer, and say what they are."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
onnx = pytest.importorskip("onnx", reason="onnx is not installed")

from models import export, quantise  # noqa: E402
from models.training import normalise  # noqa: E402
from tests.models.manifest import add_row  # noqa: E402
from tests.models.networks import checkpoint, exported  # noqa: E402
from vision import network  # noqa: E402
from vision.faces import CropShape, FaceReader  # noqa: E402
from vision.finder import Finder  # noqa: E402
from vision.labels import CLASSES, WITH_FOREIGN  # noqa: E402
from vision.network import load  # noqa: E402
from vision.reader import Reader  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
NAMES = [f"photo {k}" for k in range(100)]
TAUGHT, HELD_BACK = (
    next(n for n in NAMES if (crc32(n.encode()) % 100 < 8) is held) for held in (False, True)
)


@pytest.fixture(scope="module")
def finder(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, torch.nn.Module]:
    return exported(tmp_path_factory.mktemp("finder"), "finder")


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, torch.nn.Module]:
    return exported(tmp_path_factory.mktemp("faces"), "faces")


@pytest.mark.parametrize("size", [(64, 96), (160, 128)])
def test_finder_maps_agree(finder: tuple[Path, torch.nn.Module], size: tuple[int, int]) -> None:
    path, net = finder
    pixels = np.random.default_rng(1).integers(0, 256, (1, *size, 3), np.uint8)
    (maps,) = load(path, 1).run(pixels)
    with torch.no_grad():
        wanted = net(normalise(torch.from_numpy(pixels)))
        wanted[:, :1] = torch.sigmoid(wanted[:, :1])
    assert maps.shape == (1, 9, size[0] // 4, size[1] // 4)
    assert np.abs(maps - wanted.numpy()).max() < 1e-3
    assert wanted.numpy().std() > 1e-3


@pytest.mark.parametrize("count", [1, 5])
def test_face_answers_agree(faces: tuple[Path, torch.nn.Module], count: int) -> None:
    path, net = faces
    shape = CropShape()
    pixels = np.random.default_rng(2).integers(0, 256, (count, shape.height, shape.width, 3), np.uint8)
    answers = load(path, 1).run(pixels)
    with torch.no_grad():
        maps = net.body(normalise(torch.from_numpy(pixels)))
        wanted = *net.heads(maps), maps.flatten(2)
    assert [a.shape for a in answers] == [(count, len(CLASSES)), (count, 4), (count, 8), (count, 120, 20)]
    for answer, truth in zip(answers, wanted, strict=True):
        assert np.abs(answer - truth.numpy()).max() < 1e-3


def test_a_network_that_was_taught_foreign_tiles_says_so(tmp_path: Path) -> None:
    network = load(exported(tmp_path, "faces", len(WITH_FOREIGN))[0])
    assert tuple(json.loads(network.metadata["classes"])) == WITH_FOREIGN
    assert network.run(np.zeros((2, 80, 64, 3), np.uint8))[0].shape == (2, len(WITH_FOREIGN))


def test_the_files_open_with_their_settings_and_name_classes_sources_and_seed(
    finder: tuple[Path, torch.nn.Module], faces: tuple[Path, torch.nn.Module]
) -> None:
    assert Finder(load(finder[0], 1)).settings == export.FINDER
    assert FaceReader(load(faces[0], 1)).shape == CropShape()
    props = load(faces[0]).metadata
    assert tuple(json.loads(props["classes"])) == CLASSES
    assert props["seed"] == "7"
    names = {source["name"] for source in json.loads(props["sources"])}
    assert {"alanchoi", "fluffystuff", "fonts-kouzan-mouhitsu"} <= names
    assert not names & {"hands", "martinpersson", "samoheen", "tenhou"}, "held out or not for training"
    assert "CC BY 4.0" in json.loads(props["licences"])


def test_a_checkpoint_of_the_other_task_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, _ = checkpoint(tmp_path, "faces")
    with pytest.raises(SystemExit):
        export.main(["finder", str(source), str(tmp_path / "x.onnx")])
    assert "checkpoint of 'faces'" in capsys.readouterr().err


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample photo four times, each for another use; one of those to train on is held back."""
    folder = tmp_path_factory.mktemp("photos")
    files = ("alanchoi/a.jpg", "alanchoi/b.jpg", "eval/c.jpg", "hands/d.jpg")
    for file, use in zip(files, ("train", "train", "eval-unseen", "hands"), strict=True):
        target = folder / file
        target.parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "tehai" / "hand" / "sample.jpg", target)
        src = HELD_BACK if file.endswith("b.jpg") else TAUGHT
        add_row(folder, file, [0, 0, 90, 110], "1m", src=src, use=use)
    return folder


def test_photos_that_measure_or_tune_never_calibrate(photos: Path) -> None:
    scenes, _ = quantise.draw(photos, [], seed=1)
    assert [photo.path.name for photo in scenes] == ["a.jpg"]
    with pytest.raises(ValueError, match="nothing to calibrate on"):
        quantise.draw(None, [], seed=1)


def test_what_a_network_is_shown_is_what_readings_show_it(photos: Path) -> None:
    ((photo,), _) = quantise.draw(photos, [], seed=1)
    pictures = [*quantise.shown(network.FACES, [photo])]
    assert {each.shape[1:] for each in pictures} == {(CropShape().height, CropShape().width, 3)}
    assert sum(map(len, pictures)) >= len(Reader().read(photo.load()).tiles)
    first = next(quantise.shown(network.FINDER, [photo]))
    assert max(first.shape) == export.FINDER.long_side


@pytest.mark.parametrize("task", ["finder", "faces"])
def test_int8_answers_alike_and_says_what_it_said(
    task: str,
    photos: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source: Path = request.getfixturevalue(task)[0]
    small, again = tmp_path / "small.onnx", tmp_path / "again.onnx"
    for target in (small, again):
        export.main(["int8", str(source), str(target), "--photos", str(photos)])
    assert small.read_bytes() == again.read_bytes()
    assert small.stat().st_size < 0.35 * source.stat().st_size
    before, after = load(source, 1), load(small, 1)
    facts = dict(after.metadata)
    assert facts.pop("precision") == "int8"
    calibration = {"photos": 1, "sources": ["alanchoi"], "renders": 0, "seed": 1}
    assert json.loads(facts.pop("calibration")) == calibration
    assert facts == before.metadata
    ((photo,), _) = quantise.draw(photos, [], seed=1)
    picture = next(quantise.shown(network.FACES if task == "faces" else network.FINDER, [photo]))
    for answer, truth in zip(after.run(picture), before.run(picture), strict=True):
        assert answer.shape == truth.shape
        assert np.abs(answer - truth).mean() < 0.1 * np.abs(truth - truth.mean()).mean()
    graph = onnx.load(str(small)).graph
    assert not {node.op_type for node in graph.node} & {"Cast", "Mul", "Sub"}, "it takes bytes as they are"
    (turn,) = (node for node in graph.node if graph.input[0].name in node.input)
    (taker,) = (node for node in graph.node if turn.output[0] in node.input)
    assert (turn.op_type, taker.op_type) == ("Transpose", "DequantizeLinear")
    with pytest.raises(SystemExit):
        export.main(["int8", str(small), str(tmp_path / "x.onnx"), "--photos", str(photos)])
    assert "is in int8 already" in capsys.readouterr().err
    with pytest.raises(ValueError, match="does not begin with Transpose, Cast, Mul, Add, Conv"):
        quantise.fold_normalising(graph)


def test_calibration_reads_with_the_network_beside_it(
    faces: tuple[Path, torch.nn.Module],
    finder: tuple[Path, torch.nn.Module],
    photos: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for path in (faces[0], finder[0]):
        shutil.copy(path, tmp_path)
    opened: list[Path] = []
    monkeypatch.setattr(network, "load", lambda path, threads=2: opened.append(path) or load(path, threads))
    next(quantise.shown(tmp_path / "faces.onnx", []), None)
    assert {*opened} == {tmp_path / "finder.onnx", tmp_path / "faces.onnx"}
    opened.clear()
    next(quantise.shown(faces[0], []), None)
    assert {*opened} == {network.FINDER, faces[0]}
