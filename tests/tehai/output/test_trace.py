"""Every stage of a reading leaves its picture, and reading is the same with and without them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tehai.errors import Mistake
from tehai.hand.sample import sample_path
from tehai.output.trace import Trace
from tests.vision.scene.scripted_table import Table
from vision.detections import Detections
from vision.image import load
from vision.labels import WITH_FOREIGN
from vision.network import SCENE
from vision.observer import Stage
from vision.reader import Reader
from vision.reading import Reading
from vision.scene.decode import decode

needs_models = pytest.mark.skipif(not SCENE.is_file(), reason="models/scene.onnx is missing")


def finished() -> Detections:
    found = Table().lay("123m456p789s1112z").lay("2z", "win").detections()
    logits, turns = np.zeros((14, len(WITH_FOREIGN)), np.float32), np.eye(4, dtype=np.float32)[[0] * 14]
    return found.with_arrays(logits=logits, turns=turns)


def looks(*seen: Detections) -> Iterator[Stage]:
    """The stages of detections that each look adds to those before."""
    yield Stage("detect", seen[0])
    known = 0
    for found in seen:
        yield Stage("classify", found[known:])
        yield Stage("relate", found)
        yield Stage("decode", found, decode(found, framed=False) if len(found) else None)
        known = len(found)


def show(trace: Trace, name: str, *seen: Detections) -> None:
    """A photo of that name to a trace, all its stages."""
    trace(replace(load(np.full((60, 320, 3), 90, np.uint8)), name=name))
    for stage in looks(*seen):
        trace(stage)
    trace(Reading(name, 320, 60, (), None, {}, "error", "No hand."))


def stages(folder: Path) -> list[str]:
    """The names of the pictures listed, each of which is there."""
    text = (folder / "stages.txt").read_text(encoding="utf-8")
    listed = re.findall(r"^\d+-(\S+)\.jpg: \S", text, re.M)
    assert len(listed) == len(list(folder.glob("*.jpg")))
    return listed


def tiles(folder: Path) -> list[dict[str, str]]:
    with (folder / "tiles.tsv").open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text, delimiter="\t"))


def test_each_stage_has_its_picture(tmp_path: Path) -> None:
    show(Trace(tmp_path / "new" / "folder"), "shots/hand.jpg", finished())
    folder = tmp_path / "new" / "folder" / "hand"
    assert stages(folder) == ["detect", "classify", "relate", "decode-1", "judge"]
    for file in folder.glob("*.jpg"):
        with Image.open(file) as picture:
            assert picture.width >= 420 and picture.height > 60


def test_each_tile_has_its_alternatives(tmp_path: Path) -> None:
    show(Trace(tmp_path), "hand.jpg", finished())
    table = tiles(tmp_path / "hand")
    assert [tile["number"] for tile in table] == [str(i) for i in range(14)]
    assert [tile["faces"].split()[0] for tile in table if tile["roles"].startswith("win")] == ["2z"]
    assert all(len(tile[column].split()) == 6 for tile in table for column in ("crop", "faces", "roles"))


def test_a_second_look_adds_its_pictures(tmp_path: Path) -> None:
    show(Trace(tmp_path), "hand.jpg", finished()[:11], finished())
    look = ["classify", "relate", "decode-1"]
    assert stages(tmp_path / "hand") == ["detect", *look, *look, "judge"]
    text = (tmp_path / "hand" / "stages.txt").read_text(encoding="utf-8")
    assert text.count("Second look") == 1 and len(tiles(tmp_path / "hand")) == 14


def test_a_photo_without_tiles(tmp_path: Path) -> None:
    show(Trace(tmp_path), "empty.jpg", finished()[:0])
    assert stages(tmp_path / "empty") == ["detect", "judge"]


def test_an_earlier_trace_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    show(Trace(tmp_path), "hand.jpg", finished())
    own = tmp_path / "hand" / "01-holiday.jpg"
    own.write_bytes(b"mine")
    show(Trace(tmp_path), "hand.jpg", finished()[:0])
    assert own.read_bytes() == b"mine"
    own.unlink()
    assert stages(tmp_path / "hand") == ["detect", "judge"]
    assert not (tmp_path / "hand" / "tiles.tsv").exists()


def test_photos_of_one_name_and_of_none(tmp_path: Path) -> None:
    trace = Trace(tmp_path)
    for name in ("a/hand.jpg", "b/hand.png", ""):
        show(trace, name, finished()[:0])
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["hand", "hand-2", "photo"]


def test_a_trace_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Mistake, match=r"file cannot be written \(File exists\); name another folder\."):
        Trace(tmp_path / "file")
    (tmp_path / "hand").write_text("")
    with pytest.raises(Mistake, match=r"hand cannot be written \(File exists\); name another folder\."):
        show(Trace(tmp_path), "hand.jpg", finished())


@needs_models
def test_the_sample_is_read_as_without_a_trace(tmp_path: Path) -> None:
    plain, traced = Reader().read(sample_path()), Reader(observer=Trace(tmp_path)).read(sample_path())
    assert replace(plain, elapsed_ms={}) == replace(traced, elapsed_ms={})
    pictures = stages(tmp_path / "sample")
    assert pictures[:4] == ["detect", "classify", "relate", "decode-1"] and pictures[-1] == "judge"
    won = [tile for tile in tiles(tmp_path / "sample") if tile["roles"].startswith("win")]
    assert [tile["faces"].split()[0] for tile in won] == ["5s"]


@needs_models
def test_a_plain_photo_is_read_as_without_a_trace(tmp_path: Path) -> None:
    plain = Image.new("RGB", (320, 240), (40, 90, 60))
    assert Reader(observer=Trace(tmp_path)).read(plain).status == "error"
    assert stages(tmp_path / "photo")[-1] == "judge"
