"""What the trainings share: a network learns, is kept, and goes on."""

from argparse import Namespace
from itertools import count, islice
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch

from models.nets import FaceNet
from models.training import Clock, Learner, prefetch
from vision.labels import WITH_FOREIGN


def test_the_averaged_network_answers_what_the_trained_one_does(tmp_path: Path) -> None:
    args = Namespace(rate=1e-3, out=tmp_path, resume=False)
    learner = Learner(FaceNet(len(WITH_FOREIGN)), args, decay=0.0)
    learner.average.update(learner.net, 1)
    assert learner.averaged().label.out_features == len(WITH_FOREIGN)
    learner.step = 7
    learner.save({"task": "faces"})
    again = Learner(FaceNet(len(WITH_FOREIGN)), Namespace(rate=1e-3, out=tmp_path, resume=True), decay=0.0)
    assert again.step == 7
    for name, value in learner.averaged().state_dict().items():
        assert torch.equal(value, again.averaged().state_dict()[name])


def test_batches_come_in_the_order_in_which_they_are_made() -> None:
    numbers = count()
    assert list(islice(prefetch(lambda: next(numbers)), 20)) == list(range(20))
    assert next(numbers) <= 26, "no more are made ahead than were asked for"
    with pytest.raises(ZeroDivisionError):
        next(prefetch(lambda: 1 // 0))


def test_a_clock_counts_minutes_or_steps() -> None:
    by_time = Clock(1, before=70)
    assert by_time.elapsed() >= 70 and by_time.fraction(0) == 1 and by_time.left(0) == 0
    by_steps = Clock(1, steps=8, before=70)
    assert by_steps.fraction(2) == 0.25 and by_steps.left(2, 2.0) == 3
    early = Clock(1, steps=8, until=6)
    assert early.fraction(6) == 0.75 and early.left(4, 2.0) == 1 and early.left(6) == 0


def test_a_step_that_leads_nowhere_changes_nothing(tmp_path: Path) -> None:
    learner = Learner(torch.nn.Linear(2, 1), Namespace(rate=1.0, out=tmp_path, resume=False), decay=0.0)
    before = learner.net.weight.clone()
    learner.update({"loss": learner.net(torch.tensor([float("inf"), 0.0])).sum()}, 1.0, 5.0)
    assert torch.equal(learner.net.weight, before)
    learner.update({"loss": learner.net(torch.ones(2)).sum()}, 1.0, 5.0)
    assert not torch.equal(learner.net.weight, before) and learner.step == 2
