"""Mined crops carry the label of the box that the finder's quad fits, and strays are kept only where surely
nothing is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets import mine
from datasets.patches import PATCH, read_patches
from tests.models.manifest import add_row
from vision.maps import Candidates

COLOURS = {"1m": (250, 40, 40), "2m": (40, 250, 40), "3m": (40, 40, 250)}
BOXES = {"1m": (20, 30, 50, 70), "2m": (60, 30, 90, 70), "3m": (120, 80, 150, 120)}


def box_quad(box: tuple[int, ...], shift: float = 0) -> np.ndarray:
    x0, y0, x1, y1 = box
    return np.float32([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) + shift


class Finding:
    """A finder that always finds the same."""

    def __init__(self, quads: list[np.ndarray]) -> None:
        self._quads = np.stack(quads).astype(np.float32)

    def find(self, rgb: np.ndarray) -> Candidates:
        return Candidates(self._quads, np.linspace(0.9, 0.5, len(self._quads)).astype(np.float32))


def write(folder: Path, name: str, **changes: object) -> None:
    """A photo with three coloured boxes and its rows in the manifest."""
    rgb = np.full((160, 200, 3), 128, np.uint8)
    for label, (x0, y0, x1, y1) in BOXES.items():
        rgb[y0:y1, x0:x1] = COLOURS[label]
    path = folder / "alanchoi" / name
    path.parent.mkdir(exist_ok=True)
    cv2.imwrite(str(path), rgb[..., ::-1])
    for label, box in BOXES.items():
        add_row(folder, f"alanchoi/{name}", box, label, **changes)


def run(folder: Path, quads: list[np.ndarray], monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    monkeypatch.setattr(mine.network, "load", lambda path, threads: None)
    monkeypatch.setattr(mine, "Finder", lambda network: Finding(quads))
    mine.main(["--finder", "x", "--photos", str(folder), "--out", str(folder / "out")])
    mined = read_patches(folder / "out")
    assert mined.pixels.shape == (len(mined.labels), PATCH.height, PATCH.width, 3)
    middles = mined.pixels[:, PATCH.height // 2, PATCH.width // 2]
    for label, middle in zip(mined.labels, middles, strict=True):
        assert np.abs(middle.astype(int) - COLOURS.get(label, (128, 128, 128))).max() < 30, label
    return list(mined.rows)


STRAY = box_quad((160, 10, 190, 50))
HALF = box_quad((120, 80, 150, 94))


@pytest.mark.parametrize(
    ("quads", "changes", "labels"),
    [
        ([box_quad(BOXES["2m"], 2), box_quad(BOXES["1m"], -2), HALF, STRAY], {}, ["2m", "1m", "none"]),
        ([box_quad(BOXES["3m"]), STRAY], {"style": "cn-or-unsorted"}, ["3m"]),  # where tiles lack boxes
        (  # a pattern that repeats does not outnumber all else
            [box_quad(BOXES["1m"]), *[STRAY + np.float32([0, k]) for k in range(20)]], {},
            ["1m", *["none"] * mine.MOST_STRAYS],
        ),
        (  # in sheared photos only centres count
            [box_quad((29, 42, 41, 58)), box_quad(BOXES["2m"], 16), STRAY],
            {"aug": "rot/shear/FLIP possible", "mirrored": None}, ["1m"],
        ),
    ],
)  # fmt: skip
def test_quads_take_the_labels_of_their_boxes(
    quads: list[np.ndarray], changes: dict[str, Any], labels: list[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    write(tmp_path, "a.png", **changes)
    write(tmp_path, "b.png", use="eval-tray")
    rows = run(tmp_path, quads, monkeypatch)
    assert [row["label"] for row in rows] == labels
    assert all(row["kind"] == "photo" and row["photo"] == "a.png" for row in rows), "b measures"
    assert {row["mirrored"] for row in rows} == {changes.get("mirrored", False)}


def test_known_mirrored_photos_are_turned_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.png", mirrored=True)
    quad = box_quad(BOXES["1m"]) + np.float32([6, 0])
    rows = run(tmp_path, [quad], monkeypatch)
    assert [row["mirrored"] for row in rows] == [False]
    patch = read_patches(tmp_path / "out").pixels[0].astype(int)
    # The quad sits too far right, so the tile reaches further left of the middle; mirrored, further right.
    reds = np.flatnonzero(patch[PATCH.height // 2, :, 0] - patch[PATCH.height // 2, :, 1] > 100)
    assert PATCH.width - 1 - reds[-1] < reds[0]


def test_flowers_are_tiles_that_no_hand_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COLOURS, "foreign", COLOURS["2m"])
    write(tmp_path, "a.png")
    lines = (tmp_path / "manifest.jsonl").read_text(encoding="utf-8")
    lines = lines.replace('"label": "2m"', '"label": "flower"').replace('"label": "3m"', '"label": "unknown"')
    (tmp_path / "manifest.jsonl").write_text(lines, encoding="utf-8")
    rows = run(tmp_path, [box_quad(BOXES[label]) for label in BOXES], monkeypatch)
    assert [row["label"] for row in rows] == ["1m", "foreign"]
