"""How sharp tiles are."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.patches import PATCH, write_patches
from models import sharpness


def striped() -> np.ndarray:
    """A patch with stripes as wide as thin strokes."""
    patch = np.full((PATCH.height, PATCH.width, 3), 240, np.uint8)
    patch[:, ::6] = patch[:, 1::6] = 20
    return patch


def test_blur_lowers_it_step_by_step() -> None:
    face = striped()[:80, :64]
    soft = [
        sharpness.sharpness(np.asarray(cv2.GaussianBlur(face, (0, 0), s), np.uint8)) for s in (0.5, 1, 2, 4)
    ]
    assert sharpness.sharpness(face) > soft[0] > soft[1] > soft[2] > soft[3]


def test_a_photo_counts_with_five_tiles_that_show_something(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = {"many.jpg": ["1m"] * 5, "few.jpg": ["1m"] * 4 + ["5z"] * 9}
    rows = [
        {"label": label, "kind": "photo", "photo": photo, "mirrored": False, "held_back": False}
        for photo, each in labels.items()
        for label in each
    ]
    write_patches(tmp_path / "crops", np.stack([striped()] * len(rows)), rows)
    assert len(sharpness.of_photos(tmp_path / "crops")) == 1

    (tmp_path / "renders").mkdir()
    (tmp_path / "renders" / "truth.jsonl").write_text(json.dumps({"file": "gone.jpg"}) + "\n")
    sharpness.main(["--crops", str(tmp_path / "crops"), "--renders", str(tmp_path / "renders")])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines[1:]] == ["1", "0"]

    with pytest.raises(SystemExit):
        sharpness.main(["--crops", str(tmp_path / "none"), "--renders", str(tmp_path / "renders")])
