"""What the trainings share: a network learns, is kept, and goes on."""

from argparse import Namespace
from itertools import count, islice
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch

from models.nets import FaceNet
from models.training import Clock, Learner, ahead
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


def test_batches_come_in_the_order_in_which_they_are_made() -> None:
    numbers = count()
    assert list(islice(ahead(lambda: next(numbers)), 20)) == list(range(20))
    assert next(numbers) <= 26, "no more are made ahead than were asked for"
    with pytest.raises(ZeroDivisionError):
        next(ahead(lambda: 1 // 0))


def test_a_clock_counts_what_it_is_told_to() -> None:
    seconds = count()
    clock = Clock(1, None, before=10, until=50, now=lambda: next(seconds))
    assert clock.elapsed() == 11 and clock.fraction(0) == 12 / 60 and clock.left(0) == 50 - 13
    with clock.stopped():
        assert clock.elapsed() == 15
    assert clock.elapsed() == 10 + 7 - 2
    seconds = count(60)
    assert clock.left(0) == 0
    assert Clock(1, steps=8).fraction(2) == 0.25 and Clock(1, steps=8).left(2, 2.0) == 3


def test_a_step_that_leads_nowhere_changes_nothing(tmp_path: Path) -> None:
    learner = Learner(torch.nn.Linear(2, 1), Namespace(rate=1.0, out=tmp_path, resume=False), decay=0.0)
    before = learner.net.weight.clone()
    learner.learn({"loss": learner.net(torch.tensor([float("inf"), 0.0])).sum()}, 1.0, 5.0)
    assert torch.equal(learner.net.weight, before)
    learner.learn({"loss": learner.net(torch.ones(2)).sum()}, 1.0, 5.0)
    assert not torch.equal(learner.net.weight, before) and learner.step == 2
