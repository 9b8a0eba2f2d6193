"""Black tiles are read, or said to be black."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scorer.asking.phrases import Phrases, catalogue
from vision import image
from vision.reader import Engine, Reader
from vision.scene.black_tiles import BLACK_TILES, negative

SAMPLE = Path(__file__).resolve().parents[3] / "tehai" / "hand" / "sample.jpg"


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(Engine(threads=1))


def test_black_tiles_are_read_by_their_negative(reader: Reader) -> None:
    black = negative(image.load(SAMPLE).pixels)
    assert reader.read(black).hand == reader.read(SAMPLE).hand is not None


def test_a_negative_keeps_hues() -> None:
    black, red, cloth = (20, 20, 20), (220, 40, 30), (10, 60, 30)
    ground, mark, table = negative(np.array([[black, red, cloth]], np.uint8))[0].astype(int)
    assert ground.min() > 190 and np.ptp(ground) == 0
    assert mark[0] > 3 * mark[1:].max()
    assert table.argmax() == 1 and table.sum() < ground.sum()


def test_where_too_few_are_read_it_says_that_they_are_black(reader: Reader) -> None:
    pixels = image.load(SAMPLE).pixels
    part = negative(pixels)[:, : pixels.shape[1] // 2]
    reading = reader.read(part)
    assert reading.status != "ok" and reading.message == BLACK_TILES and reading.hand is None


def test_it_is_said_in_both_languages() -> None:
    assert catalogue()["reading"]["black"]["en"] == BLACK_TILES
    assert Phrases("ja").reading(BLACK_TILES).startswith("黒い牌です。")


def test_neither_few_light_tiles_nor_an_empty_table_are_black(reader: Reader) -> None:
    reading = reader.read(SAMPLE, region=(0.0, 0.0, 1.0, 0.3))
    assert reading.message and reading.message != BLACK_TILES
    assert reader.read(np.full((480, 640, 3), 20, np.uint8)).message != BLACK_TILES
