"""The examples run, as a user would run them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from vision.reader import Engine

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES, SAMPLE = ROOT / "examples", ROOT / "tehai" / "hand" / "sample.jpg"
needs_networks = pytest.mark.skipif(
    not (Engine().finder.is_file() and Engine().faces.is_file() and SAMPLE.is_file()),
    reason="the networks or tehai/hand/sample.jpg are not there",
)


def run(name: str, *arguments: str | Path, code: int = 0) -> str:
    """What an example prints, or says on its way out."""
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_a_hand_from_python() -> None:
    out = run("score_a_hand.py")
    assert "4 han 30 fu: 7,700 points" in out and "(7700, 0, -7700, 0)" in out
    assert "riichi_on_open_hand:" in out and "haitei_on_ron:" in out


def test_house_rules_beside_a_preset() -> None:
    preset, house, *own = run("house_rules.py").splitlines()
    assert "no yaku" in preset and house.startswith("Thursday table: 1 han")
    assert "  tanyao 1 / 1: with open hands too, as everybody we know plays" in own
    assert "the closest is" in run("house_rules.py", "ema2009", code=1)


@pytest.mark.parametrize("name", ["missing", "photo.jpg"])
def test_what_is_no_folder_of_photos_is_said_in_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "photo.jpg").touch()
    said = run("read_a_folder.py", tmp_path / name, code=1)
    assert said == f"{tmp_path / name} is not a folder: name the folder of your photos.\n"


@needs_networks
def test_a_folder_of_photos(tmp_path: Path) -> None:
    shutil.copy(SAMPLE, tmp_path / "a.jpg")
    (tmp_path / "b.jpg").write_text("no photo", encoding="utf-8")
    (tmp_path / "notes.txt").touch()
    read, broken = (json.loads(line) for line in run("read_a_folder.py", tmp_path).splitlines())
    assert read["status"] == "ok" and read["hand"]["win_tile"] == "5s" and "points" in read["worth"]
    assert broken["status"] == "error" and "not an image" in broken["message"]


@needs_networks
def test_a_live_camera(tmp_path: Path) -> None:
    """Pictures by number stand for a camera: the same hand lies still in each."""
    picture = cv2.resize(cv2.imread(str(SAMPLE)), (960, 720), interpolation=cv2.INTER_AREA)
    for number in range(12):
        cv2.imwrite(str(tmp_path / f"{number:03}.jpg"), picture)
    (line,) = run("live_camera.py", tmp_path / "%03d.jpg").splitlines()
    assert line.startswith("234m067p3488s 5s ") and "points" in line
    assert "gives no picture" in run("live_camera.py", tmp_path / "none.mp4", code=1)
