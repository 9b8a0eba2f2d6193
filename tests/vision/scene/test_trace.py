"""Every stage of the scene reader leaves its picture, and each tile its alternatives."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PIL import Image

from vision.network import SCENE
from vision.scene.reader import scene_reader
from vision.scene.trace import SceneTrace

SAMPLE = Path(__file__).resolve().parents[3] / "tehai" / "hand" / "sample.jpg"

pytestmark = pytest.mark.skipif(not SCENE.exists(), reason="the scene model is not installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("trace")
    traced = scene_reader(watch=SceneTrace(top)).read(SAMPLE)
    assert traced.hand == scene_reader().read(SAMPLE).hand
    return top / "sample"


def test_each_stage_has_its_picture(folder: Path) -> None:
    told = (folder / "stages.txt").read_text(encoding="utf-8")
    names = [path.stem.partition("-")[2] for path in sorted(folder.glob("*.jpg"))]
    assert names[:4] == ["detect", "classify", "relate", "decode-1"] and names[-1] == "judge"
    for path in folder.glob("*.jpg"):
        assert f"{path.name}: " in told
        with Image.open(path) as picture:
            assert min(picture.size) > 100


def test_each_tile_has_its_alternatives(folder: Path) -> None:
    with (folder / "tiles.tsv").open(encoding="utf-8", newline="") as file:
        tiles = list(csv.DictReader(file, delimiter="\t"))
    won = [tile for tile in tiles if tile["roles"].startswith("win")]
    assert [tile["faces"].split()[0] for tile in won] == ["5s"]
    assert all(len(tile["faces"].split()) == 6 for tile in tiles)


def test_a_photo_without_tiles_leaves_pictures_too(tmp_path: Path) -> None:
    Image.new("RGB", (320, 240), (40, 90, 60)).save(tmp_path / "empty.png")
    scene_reader(watch=SceneTrace(tmp_path)).read(tmp_path / "empty.png")
    assert sorted((tmp_path / "empty").glob("*-judge.jpg"))
