"""A training that begins with an exported network begins with its answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("onnx", reason="onnx is not installed")

from models.begin import begin  # noqa: E402
from models.nets import FaceNet, FinderNet  # noqa: E402
from models.training import normalise  # noqa: E402
from tests.models.networks import exported  # noqa: E402
from vision.labels import CLASSES, WITH_FOREIGN  # noqa: E402


@pytest.mark.parametrize("task", ["finder", "faces"])
def test_the_first_answers_are_those_of_the_file_whether_it_learns_or_not(task: str, tmp_path: Path) -> None:
    path, net = exported(tmp_path, task)
    side = (64, 96) if task == "finder" else (80, 64)
    rgb = torch.randint(0, 256, (6, *side, 3), dtype=torch.uint8)
    torch.manual_seed(4)
    begun = FinderNet() if task == "finder" else FaceNet(len(WITH_FOREIGN))
    facts = begin(begun, path, rgb)
    assert json.loads(facts["begun"]) == {"step": 12, "elapsed": 60.0}
    for part in begun.modules():
        if isinstance(part, torch.nn.Dropout):
            part.p = 0.0
    with torch.no_grad():
        wanted = net(normalise(rgb))
        for learns in (False, True):
            answer = begun.train(learns)(normalise(rgb))
            if task == "finder":
                assert (answer - wanted).abs().max() < 1e-3 < wanted.std()
                continue
            assert answer[0].shape[1] == len(WITH_FOREIGN)
            pairs = zip((answer[0][:, : len(CLASSES)], *answer[1:]), wanted, strict=True)
            assert all((one - other).abs().max() < 1e-3 for one, other in pairs)


def test_a_file_of_another_network_is_named(tmp_path: Path) -> None:
    path, _ = exported(tmp_path, "finder")
    rgb = torch.zeros((2, 80, 64, 3), dtype=torch.uint8)
    with pytest.raises(ValueError, match=r"finder\.onnx is not of this network"):
        begin(FaceNet(), path, rgb)
    (tmp_path / "bad.onnx").write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match=r"bad\.onnx is no ONNX file"):
        begin(FaceNet(), tmp_path / "bad.onnx", rgb)
