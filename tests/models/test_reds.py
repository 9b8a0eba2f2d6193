"""Red fives that are told from plain ones are counted by what is likelier, style by style."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="the renderer needs numba: pip install 'tehai[render]'")

from datasets.render import layouts, reds, scene, tilesets
from models import reds as measure
from vision.labels import CLASSES

STYLES = {"0m": "printed", "0p": "dots", "0s": "dots"}


def _tile(label: str, x: int, **changes: float) -> dict[str, object]:
    quad = [[x, 10], [x + 34, 10], [x + 34, 56], [x, 56]]
    return {"quad": quad, "label": label, "size": 40.0, "visible": 1.0, **changes}


def _photo(*tiles: dict[str, object]) -> scene.Scene:
    return scene.Scene(np.zeros((80, 400, 3), np.uint8), {"tiles": list(tiles)})


def _answers(*labels: str, also: str = "1m") -> np.ndarray:
    chances = np.full((len(labels), len(CLASSES)), 0.001, np.float32)
    for row, label in enumerate(labels):
        chances[row, CLASSES.index(also)] = 0.2
        chances[row, CLASSES.index(label)] = 0.7
    return chances


def test_a_five_is_told_by_the_likelier_colour() -> None:
    made = _photo(_tile("0p", 0), _tile("5p", 50), _tile("0s", 100), _tile("0m", 150))
    quads = np.array([tile["quad"] for tile in made.truth["tiles"]][:3], np.float32)
    read = list(measure.fives(made, STYLES, quads, _answers("0p", "0p", "9s", also="0s")))
    assert [(five.read, five.told) for five in read] == [
        ("0p", True), ("0p", False), ("9s", True), (None, False),
    ]  # fmt: skip
    figures = measure.report(read, ["dots"])
    assert figures["found"]["count"] == figures["found"]["n"] == 3
    assert (figures["told"]["red"]["count"], figures["told"]["red"]["n"]) == (2, 2)
    assert (figures["told"]["plain"]["count"], figures["told"]["plain"]["n"]) == (0, 1)
    assert figures["reds read exactly"]["count"] == 1


@pytest.mark.parametrize("change", [{"size": 30.0}, {"size": 50.0}, {"visible": 0.5}])
def test_fives_that_are_covered_or_of_another_size_do_not_count(change: dict[str, float]) -> None:
    made = _photo(_tile("0p", 0, **change), _tile("1m", 50))
    quads = np.array([tile["quad"] for tile in made.truth["tiles"]], np.float32)
    assert not list(measure.fives(made, STYLES, quads, _answers("0p", "1m")))


def test_photos_show_fives_of_the_size_and_style_that_are_measured() -> None:
    fonts = tilesets.sources(None)
    if all(font.held_out for font in fonts):
        pytest.skip("no font with the characters of the tiles is installed; datasets/sources.toml has some")
    made, styles = measure.photograph(0, 5, "varnish", fonts)
    assert styles == dict.fromkeys(["0m", "0p", "0s"], "varnish")
    labels = [tile["label"] for tile in made.truth["tiles"]]
    assert len(labels) == 12 and {label[0] for label in labels} == {"0", "5"}
    sizes = np.array([tile["size"] for tile in made.truth["tiles"]])
    assert abs(np.median(sizes) / measure.SIDE - 1) < measure.NEAR


def test_every_style_is_measured_on_one_side() -> None:
    assert {*reds.names(held_out=False), *reds.names(held_out=True)} == set(reds.STYLES)
    layout = measure.compose(np.random.default_rng(3))
    assert sorted(piece.label or "" for piece in layout.pieces) == sorted(
        ["0m", "0p", "0s", *["5m", "5p", "5s"] * 3]
    )
    assert isinstance(layout, layouts.Layout)
