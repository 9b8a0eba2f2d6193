"""``TEHAI_READER=scene``: the scene model reads in the place of the reader that ships."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tehai.errors import Mistake
from tehai.hand.inputs import read_photo
from vision.network import SCENE
from vision.scene import reader as scene_reader


@pytest.mark.skipif(not SCENE.exists(), reason="the scene model is not installed")
def test_the_scene_model_reads_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEHAI_READER", "scene")
    reading = read_photo("sample", None)
    assert reading.status == "ok" and {"detect", "relate"} <= reading.elapsed_ms.keys()


def test_a_missing_scene_model_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TEHAI_READER", "scene")

    engine = scene_reader.SceneEngine(scene=tmp_path / "scene.onnx")
    monkeypatch.setattr(scene_reader, "SceneReader", partial(scene_reader.SceneReader, engine))
    with pytest.raises(Mistake, match=r"scene\.onnx is missing"):
        read_photo("sample", None)
