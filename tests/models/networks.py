"""Networks to export and to begin with, as a training leaves them."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("onnx", reason="onnx is not installed")

from models import export  # noqa: E402
from models.nets import FaceNet, FinderNet  # noqa: E402
from vision.labels import CLASSES  # noqa: E402


def checkpoint(folder: Path, task: str, classes: int = len(CLASSES)) -> tuple[Path, torch.nn.Module]:
    """A network whose batch norms are not at rest, stored as a training stores it."""
    torch.manual_seed(3)
    torch.set_num_threads(1)
    net = FinderNet() if task == "finder" else FaceNet(classes)
    for part in net.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(part.weight, 0.5, 1.5)
            torch.nn.init.normal_(part.bias, std=0.2)
            part.running_mean.normal_(std=0.2)
            part.running_var.uniform_(0.5, 1.5)
    path = folder / "last.pt"
    state = {
        "task": task,
        "average": net.state_dict(),
        "net": FinderNet().state_dict(),
        "seed": 7,
        "step": 12,
        "elapsed": 60.0,
    }
    torch.save(state, path)
    return path, net.eval()


def exported(folder: Path, task: str, classes: int = len(CLASSES)) -> tuple[Path, torch.nn.Module]:
    """The ONNX file of such a network, and the network."""
    source, net = checkpoint(folder, task, classes)
    export.main([task, str(source), str(folder / f"{task}.onnx")])
    return folder / f"{task}.onnx", net
