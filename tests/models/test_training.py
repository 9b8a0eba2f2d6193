"""What the trainings share: a network learns, is kept, and goes on."""

import json
import math
from argparse import ArgumentParser, Namespace
from itertools import count, islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch

from models import train_faces, training
from models.nets import FaceNet
from models.scene import learn
from models.train import main as train_network
from models.training import Clock, Curve, Learner, prefetch, train
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


def trained(out: Path, steps: int) -> Curve:
    """Train a tiny network for so many steps, with a checkpoint at the end."""
    args = Namespace(rate=1e-3, out=out, resume=True, half=False, every=0.0, check=1000, seed=1)
    learner = Learner(torch.nn.Linear(2, 1), args, decay=0.0)
    train(
        args, learner, Clock(1, steps, learner.elapsed), iter(lambda: torch.ones(1, 2), None),
        forward=lambda net, batch: net(batch), loss_of=lambda out, batch: {"loss": out.sum()},
        validate=lambda net: ({}, ""), facts={},
    )  # fmt: skip
    return Curve(out / "curve.csv", math.inf)


def test_a_curve_shows_the_training_of_its_checkpoint_alone(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    begun = len(trained(tmp_path, 2).rows)
    with (tmp_path / "curve.csv").open("a") as lines:
        lines.write("9,5\n")  # of steps after the checkpoint
    assert len(trained(tmp_path, 3).rows) == begun + 2
    (tmp_path / "last.pt").unlink()
    assert len(trained(tmp_path, 2).rows) == begun, "the curve of an earlier training went on"


def test_a_training_that_ended_without_its_picture_draws_it(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    trained(tmp_path, 2)
    (tmp_path / "curve.png").unlink()
    trained(tmp_path, 2)
    assert (tmp_path / "curve.png").exists()


@pytest.mark.parametrize("content", [b"", b"no checkpoint", None])
def test_a_checkpoint_that_is_none_is_refused_in_a_sentence(tmp_path: Path, content: bytes | None) -> None:
    args = Namespace(rate=1e-3, out=tmp_path, resume=True)
    Learner(torch.nn.Linear(3, 1), args, decay=0.0).save({"task": "scene"})
    if content is not None:
        (tmp_path / "last.pt").write_bytes(content)
    with pytest.raises(ValueError, match=r"last\.pt is (damaged|of another network).*: remove it"):
        Learner(torch.nn.Linear(2, 1), args, decay=0.0)


def renders(folder: Path) -> Path:
    """A drawn photo of three tiles with its truth, and one whose file is gone."""
    cv2.imwrite(str(folder / "0.jpg"), np.random.default_rng(1).integers(0, 256, (120, 200, 3), np.uint8))
    tiles = [
        {
            "quad": [[x, 20], [x + 40, 20], [x + 40, 75], [x, 75]],
            "label": label,
            "role": "hand",
            "visible": 1.0,
        }
        for x, label in ((10, "1m"), (80, "5p"), (140, "7z"))
    ]
    lines = [json.dumps({"file": f"{k}.jpg", "kind": "hand", "tiles": tiles}) + "\n" for k in range(2)]
    (folder / "truth.jsonl").write_text("".join(lines))
    return folder


@pytest.mark.parametrize("task", ["faces", "finder"])
def test_a_training_that_goes_on_sees_other_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: str
) -> None:
    seen: list[torch.Tensor] = []

    def cut_off(args: Namespace, learner: Learner[Any], make: Any, *_: object, **more: object) -> None:
        seen.append(make().rgb)
        learner.step = 5
        learner.save({})

    monkeypatch.setattr(training, "train_on_pictures", cut_off)
    monkeypatch.setattr(train_faces, "PER_CLASS", 4)
    command = [task, "--renders", str(renders(tmp_path)), "--out", str(tmp_path), "--resume"]
    for _ in range(2):
        train_network([*command, "--batch", "2", "--threads", "1"])
    assert not torch.equal(*seen), "after each interruption it would learn from the same samples once more"


@pytest.mark.parametrize("task", ["faces", "finder"])
def test_a_training_without_photos_stops(
    tmp_path: Path, task: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (renders(tmp_path) / "0.jpg").unlink()
    with pytest.raises(SystemExit):
        train_network([task, "--renders", str(tmp_path), "--out", str(tmp_path), "--steps", "1"])
    assert "no photo to train on" in capsys.readouterr().err


def test_the_scene_model_learns_on_the_processor_also_beside_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """There bfloat16 would be ten times slower, unless the processor multiplies it."""
    halves = []
    for has_gpu in (False, True):
        monkeypatch.setattr(torch.cuda, "is_available", lambda has_gpu=has_gpu: has_gpu)
        monkeypatch.setattr(Path, "read_text", lambda *_, **__: "flags: avx2")
        parser = ArgumentParser()
        learn.add_options(parser)
        halves.append(parser.get_default("half"))
    assert halves == [False, False]
