"""What tells faces by pictures learns them from pictures alone, and how much either word counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

import torch
from torch.nn.functional import one_hot

from models.prints import PRINTED, Faces, _counted, _covered, fit
from models.stages import Standing
from vision.arrays import Array32
from vision.inks import pictures
from vision.prints import Prints

COUNT = 200


def some(seed: int = 3) -> Faces:
    """Small faces of three kinds, a bar in one of three places; the face network's own word is right in two
    of three."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(3, size=COUNT)
    crops = rng.integers(215, 235, (COUNT, 32, 32, 3)).astype(np.uint8)
    for crop, kind in zip(crops, kinds, strict=True):
        crop[8:24, 6 + 8 * kind : 11 + 8 * kind] = (30, 60, 90)
    word = np.where(rng.random(COUNT) < 2 / 3, kinds, (kinds + 1) % 3)
    own = np.full((COUNT, 34), -6, np.float32)
    own[np.arange(COUNT), word] = np.log(0.7)
    return Faces(crops, own, kinds, rng.random(COUNT) < 0.5)


def told(faces: Faces, folder: Path, rounds: int) -> Array32:
    """What is told of faces by what learnt from some, as it is kept."""
    fit(some(), rounds, seed=1).write(folder / "prints.npz")
    standing: Standing[Prints] = PRINTED.read(folder / "prints.npz")
    return standing.layers.told(faces.own, standing.see(pictures(faces.crops)))


def test_faces_are_told_by_their_pictures_where_the_own_word_is_wrong(tmp_path: Path) -> None:
    others = some(seed=4)
    assert (others.own.argmax(axis=1) == others.kinds).mean() < 0.75
    assert (told(others, tmp_path, rounds=30).argmax(axis=1) == others.kinds).mean() > 0.95


def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    first, again = (told(some(), tmp_path, rounds=2) for _ in range(2))
    assert first == pytest.approx(again)


def test_a_word_that_says_nothing_does_not_count() -> None:
    rng = np.random.default_rng(1)
    kinds = torch.from_numpy(rng.integers(34, size=2000))
    right = 3 * one_hot(kinds, 34).float() + torch.from_numpy(rng.normal(size=(2000, 34))).float()
    noise = torch.from_numpy(rng.normal(size=(2000, 34))).float()
    own, by_pictures = _counted(right, noise, kinds)
    assert abs(float(own)) < 0.1 and float(by_pictures) > 0.7


def test_what_covers_a_picture_lies_on_its_edge() -> None:
    torch.manual_seed(1)
    hidden = _covered(torch.zeros(2000, 3, 20, 16))[:, 0]
    share = hidden.flatten(1).any(1).float().mean()
    assert 0.1 < float(share) < 0.2 and not hidden[:, 7:13, 6:10].any()


def test_the_command_learns_from_photos_too() -> None:
    assert PRINTED.photographed
