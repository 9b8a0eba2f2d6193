"""What a player should get of each photographed hand, and whether it is met."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from models.photographed import TRUTHS, Expected, became, expected, misses, record_of
from tests.folders import DATA
from vision.reading import Doubt, Reading

WON = {"concealed": "234m234p6789s555z", "win_tile": "9s", "melds": []}
READY = {"concealed": "234m234p6789s555z", "win_tile": None, "melds": []}


def read(status: str, **hand: Any) -> Reading:
    record = {"concealed": WON["concealed"], "melds": [], **hand}
    return Reading("a.jpg", 6, 4, (), record, {}, status)


def test_a_finished_hand_is_scored() -> None:
    wanted = Expected("finished")
    assert misses(read("ok", win_tile="9s"), WON, wanted) == []
    assert misses(read("ok", win_tile="6s"), WON, wanted) == ["win_tile"]
    assert misses(read("incomplete"), WON, wanted) == ["score", "win_tile"]
    nothing = Reading("a.jpg", 6, 4, (), None, {}, "error")
    assert misses(nothing, WON, wanted) == ["score", "concealed", "win_tile"]


def test_a_winning_tile_that_nobody_can_tell_may_be_asked() -> None:
    truth = {"concealed": "234m234p6789s555z9s", "win_tile": None, "melds": []}
    assert misses(read("incomplete", concealed="234m234p67899s555z"), truth, Expected("finished")) == []
    assert misses(read("ok", win_tile="9s"), truth, Expected("finished")) == []
    assert misses(read("incomplete"), truth, Expected("finished")) == ["concealed"]


def test_a_far_winning_tile_is_taken_or_waited_on() -> None:
    wanted = Expected("finished", or_waiting=True)
    truth = {"concealed": "234m234p6789s555z", "win_tile": "9s", "melds": []}
    assert misses(read("ok", win_tile="9s"), truth, wanted) == []
    assert misses(read("ok", win_tile="6s"), truth, wanted) == ["win_tile"]
    assert misses(read("incomplete"), truth, wanted) == ["waits"], "it also waits on 6s"
    alone = {"concealed": "234m234p234789s9p", "win_tile": "9p", "melds": []}
    assert misses(read("incomplete", concealed=alone["concealed"]), alone, wanted) == []


def test_13_tiles_are_never_scored_and_say_what_they_wait_on() -> None:
    wanted = Expected("ready", ("6s", "9s"))
    assert misses(read("incomplete"), READY, wanted) == []
    assert misses(read("incomplete", concealed="234m234p6788s555z"), READY, wanted) == ["concealed", "waits"]
    assert "score" in misses(read("ok", win_tile="9s"), READY, wanted)


def test_what_became_of_a_photo_is_told_by_its_score_and_its_doubts() -> None:
    doubt = Doubt("win", (), "The 1m may be it.")
    assert became(read("ok"), []) == "met"
    assert became(read("incomplete"), ["score"]) == "asked"
    assert became(replace(read("ok"), doubts=(doubt,)), ["score"]) == "doubted"
    assert became(read("ok"), ["concealed"]) == "silent"


@pytest.mark.skipif(not (DATA / "photos" / "hands").is_dir(), reason="no photographed hands")
def test_every_photographed_hand_has_its_outcome() -> None:
    rows = [
        photo
        for name in TRUTHS
        for photo in json.loads((DATA / "photos" / "hands" / name).read_text(encoding="utf-8"))["photos"]
    ]
    wanted = expected()
    assert sorted(wanted) == sorted(photo["file"] for photo in rows)
    for photo in rows:
        truth, outcome = record_of(photo), wanted[photo["file"]]
        status = "ok" if truth["win_tile"] else "incomplete"
        exact = Reading("a.jpg", 6, 4, (), truth, {}, status)
        assert misses(exact, truth, outcome) == [], photo["file"]
