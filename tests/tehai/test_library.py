"""``import tehai`` is enough for a program, and light."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import tehai
from tests.tehai.readings import RED, SURE, doubted

ROOT = Path(__file__).resolve().parent.parent.parent
LINE = "234m340567p2267s + 8s"


def test_every_public_name_is_there() -> None:
    for name in tehai.__all__:
        assert getattr(tehai, name) is not None, name
    assert set(dir(tehai)) == set(tehai.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tehai.nothing


def test_the_import_loads_neither_rules_nor_networks() -> None:
    code = "import sys, tehai; print({'scorer', 'numpy', 'cv2', 'onnxruntime', 'typer'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_hand_is_scored_however_it_is_given() -> None:
    record = {"concealed": "234m340567p2267s", "win_tile": "8s"}
    hands = (LINE, tehai.Hand.parse(LINE), record)
    assert {tehai.score(hand).points for hand in hands} == {3900}
    assert {tehai.score(hand, tsumo=True, seat_wind="E").points for hand in hands} == {7800}
    assert {tehai.score(hand, tehai.Win(tsumo=False, riichi=True)).points for hand in hands} == {7700}
    assert tehai.score(LINE, riichi=True, rules="mleague").points == 8000
    for given, rules in ((None, "mleague"), ("ema2008", "ema2008")):
        assert tehai.score({**record, "rules": "mleague"}, rules=given).rules.id == rules
    assert tehai.score(LINE, riichi=True).assumed == (
        "dealer", "seat_wind", "round_wind", "tsumo", "dora_indicators",
    )  # fmt: skip
    assert "tsumo" not in tehai.score(LINE, tsumo=False).assumed
    assert tehai.Score.from_record((won := tehai.score(LINE)).to_record()).assumed == won.assumed


def test_what_cannot_be_scored_is_said() -> None:
    with pytest.raises(tehai.Mistake, match="3 tiles"):
        tehai.score("123m")
    with pytest.raises(tehai.Mistake, match="did you mean riichi"):
        tehai.score(LINE, riichii=True)
    with pytest.raises(tehai.Mistake, match="did you mean tsumo"):
        tehai.score(LINE, ron=True)
    with pytest.raises(tehai.Mistake, match="dealer true and seat_wind W contradict each other: drop one"):
        tehai.score(LINE, dealer=True, seat_wind="W")
    with pytest.raises(tehai.HandError):
        tehai.score(tehai.Hand.parse("123m456p78s22z444z + 9s"), tehai.Win(tsumo=False, seat_wind="S"))


def test_what_is_open_and_what_to_discard() -> None:
    assert {question.field for question in tehai.plan(LINE).questions} == {
        "riichi", "dora_indicators", "dealer", "tsumo",
    }  # fmt: skip
    assert "riichi" not in {question.field for question in tehai.plan(LINE, riichi=True).questions}
    assert tehai.plan(LINE, language="ja").questions[0].text.endswith("か")
    assert [str(one.discard.tile) for one in tehai.advise("123m456p78s112257z").best] == ["5z", "7z"]
    with pytest.raises(tehai.Mistake, match="nothing to advise"):
        tehai.advise(LINE)
    with pytest.raises(tehai.Mistake, match="2m, 3m are not in play"):
        tehai.advise("123m456p78s112257z", rules="tenhou3")
    with pytest.raises(tehai.Mistake, match="5 of 1m"):
        tehai.advise("11111m456p78s112z")


def test_a_reading_is_scored_copied_hashed_and_shown() -> None:
    reading = doubted(RED)
    assert tehai.score(SURE).points == 3900 and tehai.score(reading, riichi=True).points == 7700
    for same in (copy.deepcopy(reading), pickle.loads(pickle.dumps(reading))):
        assert same == reading and hash(same) == hash(reading)
    assert tehai.Reading.from_record(reading.to_record()) == reading
    assert repr(reading) == "Reading('p.jpg', '234m340567p2267s + 8s', 'ok', 14 tiles, confidence=0.700)"
    drawn = reading._repr_html_()
    assert drawn.count("<g transform=") == 14 and "The 0p may be a 5p." in drawn and "70.0% sure" in drawn
