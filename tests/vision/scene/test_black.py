"""Black tiles are said to be black."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scorer.asking.phrases import Phrases, catalogue
from vision import image
from vision.network import SCENE
from vision.scene.black import BLACK
from vision.scene.reader import SceneReader

SAMPLE = Path(__file__).resolve().parents[3] / "tehai" / "hand" / "sample.jpg"


@pytest.fixture(scope="module")
def reader() -> SceneReader:
    if not SCENE.exists():
        pytest.skip("the scene model is not installed")
    return SceneReader()


def test_a_negative_shows_black_tiles(reader: SceneReader) -> None:
    reading = reader.read(np.invert(image.load(SAMPLE).pixels))
    assert reading.status != "ok" and reading.message == BLACK and reading.hand is None


def test_it_is_said_in_both_languages() -> None:
    assert catalogue()["reading"]["black"]["en"] == BLACK
    assert Phrases("ja").reading(BLACK).startswith("黒い牌です。")


def test_a_part_with_few_light_tiles_is_not_black(reader: SceneReader) -> None:
    reading = reader.read(SAMPLE, region=(0.0, 0.0, 1.0, 0.3))
    assert reading.message and reading.message != BLACK


def test_nothing_is_not_black(reader: SceneReader) -> None:
    assert reader.read(np.full((480, 640, 3), 20, np.uint8)).message != BLACK
