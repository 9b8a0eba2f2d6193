"""What both trainings share: a network learns, is kept, and goes on."""

from argparse import Namespace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch

from models.nets import FaceNet
from models.training import Learner
from vision.labels import CLASSES, WITH_FOREIGN


@pytest.mark.parametrize("classes", [CLASSES, WITH_FOREIGN])
def test_the_averaged_network_answers_what_the_trained_one_does(
    classes: tuple[str, ...], tmp_path: Path
) -> None:
    args = Namespace(rate=1e-3, out=tmp_path, resume=False)
    learner = Learner(FaceNet(len(classes)), args, decay=0.0)
    learner.average.update(learner.net, 1)
    assert learner.averaged().label.out_features == len(classes)
    learner.step = 7
    learner.save({"task": "faces"})
    again = Learner(FaceNet(len(classes)), Namespace(rate=1e-3, out=tmp_path, resume=True), decay=0.0)
    assert again.step == 7
    for name, value in learner.averaged().state_dict().items():
        assert torch.equal(value, again.averaged().state_dict()[name])
