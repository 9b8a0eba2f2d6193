"""What compares pictures of fives learns a mark that only the others tell, and answers as it was taught."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

import torch

from models import fitting
from models.inks import INKED, Fives, fit, told
from models.stages import Standing
from vision import network
from vision.inks import FACTS, Inks
from vision.stages import beneath, seen_by

COUNT = 600


def some(seed: int = 3) -> Fives:
    """Fives with a mark that is red where the others of their suit have none; their own odds say nothing."""
    rng = np.random.default_rng(seed)
    marked, common = rng.random(COUNT) < 0.5, rng.random(COUNT) < 0.5
    pictures = rng.random((COUNT, 4, 3, 16, 16), np.float32) * 0.1
    mark = pictures[:, :, 1, 4:8, 9]
    mark[marked, 0] += 1
    mark[common, 1:] += 1
    suits, facts = rng.integers(3, size=COUNT), np.zeros((COUNT, FACTS), np.float32)
    by_maps = np.zeros(COUNT, np.float32)
    return Fives(suits, pictures.astype(np.float16), facts, by_maps, marked & ~common)


def fitted(folder: Path, rounds: int) -> Standing[Inks]:
    """What learnt from some fives, as it is kept."""
    fit(some(), rounds, seed=1).write(folder / "weights.npz")
    return INKED.read(folder / "weights.npz")  # type: ignore[no-any-return]


def test_a_mark_that_the_others_have_makes_no_red_five(tmp_path: Path) -> None:
    inks = fitted(tmp_path, rounds=30)
    others = some(seed=4)
    assert ((told(others, inks) > 0) == others.red).mean() > 0.97


def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    first, again = (told(some(), fitted(tmp_path, rounds=2)) for _ in range(2))
    assert first == pytest.approx(again)


def test_the_command_fits_and_measures_what_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights, card = tmp_path / "weights.npz", tmp_path / "inks.md"

    def asked(*arguments: str) -> tuple[str, bytes]:
        given = [*arguments, "--check", "c", "--weights", str(weights), "--card", str(card), "--rounds", "1"]
        fitting.run(INKED, given)
        return card.read_text(encoding="utf-8"), weights.read_bytes()

    for name in ("apart", "origin", "read_renders"):
        monkeypatch.setattr(fitting, name, lambda _: "of a seed")
    monkeypatch.setattr(fitting, "gather", lambda *_, **__: [some()])
    with pytest.raises(SystemExit):
        asked()  # nothing stands
    fitted, taught = asked("a")
    assert fitted.count("- seed 1, each seen 1 times") == 1 and "600 of 600" not in fitted
    monkeypatch.setattr(fitting, "gather", lambda *_, **__: [some(seed=4)])
    measured, same = asked()
    assert same == taught and measured != fitted
    assert measured.partition("## Measured")[0] == fitted.partition("## Measured")[0]


def test_fives_come_back_as_they_were_written(tmp_path: Path) -> None:
    fives = some()
    fives.write(tmp_path / "fives.npz")
    back = Fives.read(tmp_path / "fives.npz")
    assert np.array_equal(back.red, fives.red) and np.array_equal(back.pictures, fives.pictures)


def test_what_is_kept_in_int8_tells_what_was_learnt(tmp_path: Path) -> None:
    learnt = fit(some(), rounds=10, seed=1)
    learnt.write(tmp_path / "weights.npz")
    with torch.no_grad():
        maps = learnt.stages(torch.from_numpy(learnt.shown)).flatten(1).numpy()
    kept = seen_by(network.load(beneath(tmp_path / "weights.npz")))(learnt.shown)
    assert kept.shape == maps.shape
    assert np.abs(kept - maps).mean() < 0.1 * np.abs(maps - maps.mean()).mean()
