"""What a player should get of each photographed hand, and whether it is met."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from models.photographed import Expected, became, expected, misses, photographed, record_of
from tests.folders import DATA
from vision.reading import Doubt, Reading

WON = {"concealed": "234m234p6789s555z", "win_tile": "9s", "melds": []}
READY = {"concealed": "234m234p6789s555z", "win_tile": None, "melds": []}


def read(status: str, **hand: Any) -> Reading:
    record = {"concealed": WON["concealed"], "melds": [], **hand}
    return Reading("a.jpg", 6, 4, (), record, {}, status)


IN_ROW = {"concealed": "234m234p6789s555z9s", "win_tile": None, "melds": []}
ALONE = {"concealed": "234m234p234789s9p", "win_tile": "9p", "melds": []}
FINISHED, EITHER = Expected("finished"), Expected("finished", or_waiting=True)
WAITING = Expected("ready", ("6s", "9s"))


@pytest.mark.parametrize(
    ("reading", "truth", "wanted", "missed"),
    [
        (read("ok", win_tile="9s"), WON, FINISHED, []),
        (read("ok", win_tile="6s"), WON, FINISHED, ["win_tile"]),
        (read("incomplete"), WON, FINISHED, ["score", "win_tile"]),
        (Reading("a.jpg", 6, 4, (), None, {}, "error"), WON, FINISHED, ["score", "concealed", "win_tile"]),
        # A winning tile that nobody can tell may be asked.
        (read("incomplete", concealed="234m234p67899s555z"), IN_ROW, FINISHED, []),
        (read("ok", win_tile="9s"), IN_ROW, FINISHED, []),
        (read("incomplete"), IN_ROW, FINISHED, ["concealed"]),
        # A far winning tile is taken or waited on; this hand also waits on 6s.
        (read("ok", win_tile="9s"), WON, EITHER, []),
        (read("ok", win_tile="6s"), WON, EITHER, ["win_tile"]),
        (read("incomplete"), WON, EITHER, ["waits"]),
        (read("incomplete", concealed=ALONE["concealed"]), ALONE, EITHER, []),
        # 13 tiles are never scored, and say what they wait on.
        (read("incomplete"), READY, WAITING, []),
        (read("incomplete", concealed="234m234p6788s555z"), READY, WAITING, ["concealed", "waits"]),
        (read("ok", win_tile="9s"), READY, WAITING, ["score", "concealed", "waits"]),
    ],
)
def test_what_a_player_misses(
    reading: Reading, truth: dict[str, Any], wanted: Expected, missed: list[str]
) -> None:
    assert misses(reading, truth, wanted) == missed


def test_hand_records_of_photographed_hands() -> None:
    photo = {
        "rows": [["4s", "6s", "4s", "7z", "7z", "7z"]],
        "sideways": [2],
        "melds": [
            {"type": "shouminkan", "tiles": ["8s"] * 4},
            {"type": "ankan", "tiles": ["back", "2s", "2s", "back"]},
            "777z",
        ],
    }
    record = record_of(photo)
    assert (record["concealed"], record["win_tile"]) == ("4s6s", "4s")
    melds = [("kakan", "8s" * 4), ("ankan", "2s" * 4), ("pon", "777z")]
    assert [(meld["type"], meld["tiles"]) for meld in record["melds"]] == melds


def test_what_became_of_a_photo_is_told_by_its_score_and_its_doubts() -> None:
    doubt = Doubt("win", (), "The 1m may be it.")
    assert became(read("ok"), []) == "met"
    assert became(read("incomplete"), ["score"]) == "asked"
    assert became(replace(read("ok"), doubts=(doubt,)), ["score"]) == "doubted"
    assert became(read("ok"), ["concealed"]) == "silent"


@pytest.mark.skipif(not (DATA / "photos" / "hands").is_dir(), reason="no photographed hands")
def test_every_photographed_hand_has_its_outcome() -> None:
    rows, wanted = photographed(DATA / "photos"), expected()
    assert sorted(wanted) == sorted(photo["file"] for photo in rows)
    for photo in rows:
        truth, outcome = record_of(photo), wanted[photo["file"]]
        status = "ok" if truth["win_tile"] else "incomplete"
        exact = Reading("a.jpg", 6, 4, (), truth, {}, status)
        assert misses(exact, truth, outcome) == [], photo["file"]
