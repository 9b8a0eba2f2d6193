"""Tiles found, right and extra, hands compared part by part, and the cards that say so."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from models.card import card
from models.tally import Tally
from models.whole_hands import wrong_parts
from vision.labels import CLASSES, WITH_FOREIGN
from vision.reading import SeenTile


def seen(label: str, x: float, y: float = 0, size: float = 20, **more: Any) -> SeenTile:
    quad = ((x, y), (x + size, y), (x + size, y + size), (x, y + size))
    return SeenTile(quad, label, more.pop("probability", 0.9), ("1m", 0.1), **more)


BOXES = np.array([[0, 0, 20, 20], [30, 0, 50, 20], [60, 0, 80, 20], [90, 0, 110, 20]], np.float32)
LABELS = ("1m", "0p", "5s", "flower")


def tally(tiles: list[SeenTile], extra: int | None = 0) -> Tally:
    result = Tally(extra=extra)
    result.add(tiles, BOXES, LABELS)
    return result


@pytest.mark.parametrize(
    ("tiles", "counts"),
    [
        ([seen("1m", 0), seen("0p", 32), seen("5s", 58), seen("3z", 90)], (3, 3, 1, 1)),
        # Reds are strict, and fives apart.
        ([seen("1m", 0), seen("5p", 30), seen("5s", 60)], (3, 2, 1, 0)),
        # Far off is not found, and a double finds nothing more.
        ([seen("1m", 9), seen("0p", 30), seen("0p", 31, probability=0.5)], (1, 1, 0, 0)),
        # The surer of two is the one that counts.
        ([seen("2m", 0, probability=0.4), seen("1m", 1, probability=0.8)], (1, 1, 1, 0)),
    ],
)
def test_tiles_found_and_right(tiles: list[SeenTile], counts: tuple[int, ...]) -> None:
    result = tally(tiles)
    assert (result.found, result.right, result.plain_right, result.wholly) == counts
    assert (result.tiles, result.plain, result.extra) == (3, 1, 0), "doubles lie on true tiles"


def test_extras_are_faces_apart_from_every_box() -> None:
    tiles = [seen("1m", 0), seen("2z", 200), seen("back", 300), seen("?", 400)]
    assert tally(tiles).extra == 1
    assert tally(tiles, extra=None).extra is None
    right = [seen("1m", 0), seen("0p", 30), seen("5s", 60)]
    assert (tally(right).wholly, tally([*right, seen("2z", 200)]).wholly) == (1, 0)
    # A tile-sized stray whose centre lies in a larger true box belongs to that.
    assert tally([seen("2z", 36, 6, size=8)]).extra == 0


def test_a_record_has_shares_times_and_confusions() -> None:
    nothing = tally([]).to_record()
    assert (nothing["tiles"], nothing["found"], nothing["photos_wholly_right"]) == (3, 0.0, 0)
    result = tally([seen("1m", 0), seen("5p", 30)])
    result.milliseconds = [10.0, 20.0, 90.0]
    record = json.loads(json.dumps(result.to_record()))
    assert record["found"] == pytest.approx(2 / 3, abs=1e-4) and record["ms_median"] == 20.0
    assert record["confusions"] == [["0p→5p", 1]]


TRUTH = {
    "concealed": "2m3m4m9s9s",
    "win_tile": "9s",
    "melds": [
        {"type": "chi", "tiles": "7p6p0p", "from": 3},
        {"type": "ankan", "tiles": "0m5m5m5m", "from": None},
    ],
}
READ = {
    "concealed": "234m99s",
    "win_tile": "9s",
    "melds": [{"type": "ankan", "tiles": "5555m", "from": None}, {"type": "chi", "tiles": "067p", "from": 1}],
}


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({}, []),
        ({"concealed": "234m98s"}, ["concealed"]),
        ({"win_tile": "8s"}, ["win_tile"]),
        ({"win_tile": None}, ["win_tile"]),
        ({"melds": READ["melds"][:1]}, ["melds"]),
        ({"melds": [READ["melds"][0], {**READ["melds"][1], "tiles": "567p"}]}, ["melds"]),
    ],
)
def test_hands_are_compared_part_by_part(change: dict[str, Any], wrong: list[str]) -> None:
    assert wrong_parts({**READ, **change}, TRUTH) == wrong


def test_without_a_winning_tile_all_concealed_tiles_count_together() -> None:
    truth = {"concealed": "2m3m4m9s9s", "win_tile": None, "melds": []}
    assert not wrong_parts({"concealed": "234m99s"}, truth)
    assert not wrong_parts({"concealed": "23m99s", "win_tile": "4m"}, truth)
    assert wrong_parts({"concealed": "234m99s", "win_tile": "4m"}, truth) == ["concealed"]
    assert wrong_parts(None, truth) == ["concealed"]


EVALUATION = {
    "models": {"finder": "f", "faces": "c"},
    "uses": {"eval-tray": tally([seen("1m", 0), seen("5p", 30)]).to_record()},
    "figures": [{"part": "hands", "what": "whole: right", "count": 1, "n": 2}],
}
METADATA = {
    "version": "1",
    "classes": json.dumps(CLASSES),
    "seed": "4",
    "settings": "{}",
    "training": '{"step": 5, "elapsed": 120.0}',
    "sources": '[{"name": "art", "kind": "art", "version": "2", "licence": "CC0", "address": "https://x.example"}]',
}


FACES: dict[str, str] = {**METADATA, "task": "faces"}
BEGUN = {"step": 9, "elapsed": 180.0, "begun": json.dumps({"step": 7, "elapsed": 60.0})}
CALIBRATION = {"photos": 60, "sources": ["alanchoi", "leo_miura"], "renders": 40, "seed": 1}


@pytest.mark.parametrize(
    ("facts", "parts", "others"),
    [
        (
            {}, ["0p→5p (1)", "| art |", "CC0", "66.7%", "photographed hands, none pointed at: 1 of 2",
                 "5 steps in 2 minutes\n", "(faces-curve.png)", f"`labels` (n, {len(CLASSES)})"],
            ["precision", "--begin", "foreign"],
        ),
        (
            {"training": json.dumps({"step": 5, "elapsed": 120.0, "begun": json.dumps(BEGUN)})},
            ["5 steps in 2 minutes, begun with a network of 9 steps in 3 minutes, "
             "begun with a network of 7 steps in 1 minutes", "--begin models/float/faces.onnx"], [],
        ),
        (
            {"classes": json.dumps(WITH_FOREIGN)},
            [f"`labels` (n, {len(WITH_FOREIGN)})", "`foreign`", " --foreign"], [],
        ),
        (
            {"precision": "int8", "calibration": json.dumps(CALIBRATION)},
            ["- precision: int8, calibrated on 60 training photos (alanchoi, leo_miura) and 40 renders, "
             "seed 1\n"], [],
        ),
    ],
    ids=["results and sources", "what it began with", "foreign tiles", "calibration"],
)  # fmt: skip
def test_a_card_says_what_the_file_and_its_figures_say(
    facts: dict[str, str], parts: list[str], others: list[str]
) -> None:
    text = card("faces", FACES | facts, "c", EVALUATION, "faces-curve.png")
    assert all(part in text for part in parts) and not any(part in text for part in others)
    assert "{" not in text.split("## File")[0]


def test_a_card_of_another_file_is_refused() -> None:
    with pytest.raises(ValueError, match="another finder file"):
        card("finder", {**METADATA, "task": "finder"}, "other", EVALUATION, None)
    with pytest.raises(ValueError, match="no finder"):
        card("finder", {**METADATA, "task": "faces"}, "f", EVALUATION, None)
