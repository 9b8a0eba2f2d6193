"""Every stage of a reading leaves its picture, and reading is the same with and without them."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.vision.layouts import Laid, Scene, W
from vision.habits import HABITS, listed
from vision.image import Photo, load
from vision.reader import Engine, Reader
from vision.trace import Trace
from vision.watch import TraceError
from vision.weights import TERMS, WEIGHTS

THIRTEEN = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s"
SAMPLE = Path(__file__).resolve().parents[2] / "tehai" / "hand" / "sample.jpg"

needs_models = pytest.mark.skipif(not Engine().finder.is_file(), reason="models/finder.onnx is missing")


def finished() -> Scene:
    row = [Laid(label, k * (W + 0.2), 0, 0, "hand") for k, label in enumerate(THIRTEEN.split())]
    return Scene([*row, Laid("3s", 13 * W + 20, 0, 0, "win")])


def named(photo: Any, name: str) -> Photo:
    return replace(load(photo), name=name)


def lines(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text, delimiter="\t"))


def stages(folder: Path) -> list[str]:
    """The names of the pictures listed, each of which is there."""
    listed = re.findall(r"^\d+-(\S+)\.jpg: \S", (folder / "stages.txt").read_text(encoding="utf-8"), re.M)
    assert len(listed) == len(list(folder.glob("*.jpg")))
    return listed


def test_a_hand_whose_tiles_were_missed(scripted: Any, tmp_path: Path) -> None:
    trace = Trace(tmp_path / "new" / "folder")
    read, photo, _ = scripted(finished(), missed="5p", watch=trace)
    assert read.read(named(photo, "shots/hand.jpg")).status == "ok"
    folder = tmp_path / "new" / "folder" / "hand"
    pictures = stages(folder)
    assert pictures[:4] == ["quads", "faces", "hand-1-rows", "hand-1-answers"] and pictures[-1] == "verdict"
    text = (folder / "stages.txt").read_text(encoding="utf-8")
    assert re.search(r"-hand-1-mends\.jpg: .*", text) and "hand-2-answers" in pictures
    for file in folder.glob("*.jpg"):
        with Image.open(file) as picture:
            assert picture.width >= 420 and picture.height > 100
    # Every hand has its answers in the order of their shares, which make one.
    table = lines(folder / "answers.tsv")
    for number in ("1", "2"):
        shares = [float(line["share"]) for line in table if line["hand"] == number]
        assert shares == sorted(shares, reverse=True) and sum(shares) == pytest.approx(1, abs=0.01)
    chosen = next(line for line in table if line["hand"] == "2" and line["rank"] == "1")
    assert chosen["reads"] == "123m456p789s22z33s + 3s"
    assert (chosen["tiles"], chosen["complete"]) == ("14", "1")
    weighed = (
        float(chosen[f"term_{name}"]) * weight for name, weight in zip(TERMS, WEIGHTS.terms, strict=True)
    )
    assert float(chosen["score"]) == pytest.approx(sum(weighed) + float(chosen["beside"]), abs=0.2)
    assert [line["habit"] for line in lines(folder / "habits.tsv")] == [habit.name for habit in listed()]


def test_an_earlier_trace_is_replaced_and_nothing_else(scripted: Any, tmp_path: Path) -> None:
    read, photo, _ = scripted(finished(), missed="5p", watch=Trace(tmp_path))
    read.read(named(photo, "hand.jpg"))
    own = tmp_path / "hand" / "01-holiday.jpg"
    own.write_bytes(b"mine")
    before = len(list((tmp_path / "hand").glob("*.jpg")))
    read, photo, _ = scripted(finished(), watch=Trace(tmp_path))
    read.read(named(photo, "hand.jpg"))
    assert own.read_bytes() == b"mine"
    own.unlink()
    assert len(stages(tmp_path / "hand")) < before - 1
    assert {line["hand"] for line in lines(tmp_path / "hand" / "answers.tsv")} == {"1"}


def test_photos_of_one_name_and_of_none(scripted: Any, tmp_path: Path) -> None:
    read, photo, _ = scripted(finished(), watch=Trace(tmp_path))
    for name in ("a/hand.jpg", "b/hand.png", ""):
        read.read(named(photo, name))
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["hand", "hand-2", "photo"]


def test_a_photo_of_nothing(scripted: Any, tmp_path: Path) -> None:
    read, photo, _ = scripted(finished(), missed=f"{THIRTEEN}", watch=Trace(tmp_path))
    assert read.read(photo).status == "error"
    assert stages(tmp_path / "photo") == ["quads", "verdict"]


def test_a_trace_that_cannot_be_written(scripted: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TraceError, match=r"file cannot be written \(File exists\); name another folder\."):
        Trace(tmp_path / "file")
    read, photo, _ = scripted(finished(), watch=Trace(tmp_path))
    (tmp_path / "hand").write_text("")
    with pytest.raises(TraceError, match="cannot be written"):
        read.read(named(photo, "hand.jpg"))


@needs_models
def test_the_sample_is_read_as_without_a_trace(tmp_path: Path) -> None:
    plain, traced = Reader().read(SAMPLE), Reader(watch=Trace(tmp_path)).read(SAMPLE)
    assert replace(plain, elapsed_ms={}) == replace(traced, elapsed_ms={})
    assert stages(tmp_path / "sample")[:4] == ["map", "map", "quads", "faces"]


@needs_models
@pytest.mark.skipif(not Engine().scene.is_file(), reason="models/scene.onnx is missing")
def test_what_the_scene_model_is_asked_leaves_its_pictures_too(tmp_path: Path) -> None:
    """Behind those of the first reading, here one that is never sure."""
    unsure = Engine(habits=replace(HABITS, looks=replace(HABITS.looks, sure=1.1)))
    reading = Reader(unsure, watch=Trace(tmp_path)).read(SAMPLE)
    assert reading.status == "ok" and "scene" in reading.elapsed_ms
    pictures = stages(tmp_path / "sample")
    own = [name for name in pictures if name in ("detect", "classify", "relate", "decode-1")]
    assert own[:4] == ["detect", "classify", "relate", "decode-1"] and "hand-1-answers" in pictures
    assert pictures.index("detect") > pictures.index("hand-1-answers")
    with (tmp_path / "sample" / "tiles.tsv").open(encoding="utf-8", newline="") as file:
        assert {"5s"} == {
            line["faces"].split()[0] for line in csv.DictReader(file, delimiter="\t")
            if line["roles"].startswith("win")
        }  # fmt: skip
