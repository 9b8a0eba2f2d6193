"""One hand of which nothing is named is worth the same by every door, and every door says what it assumed."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner, Result

from scorer import Hand, Win, load_rules, score, score_record
from tehai.cli import app
from tehai.hand.batch import score_line

HAND = "234m340567p2267s"
POINTS = 3900
FACTS = ("dealer", "seat_wind", "round_wind", "riichi", "dora_indicators")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_every_door_assumes_the_same() -> None:
    rules = load_rules("ema2008")
    record = {"concealed": HAND, "win_tile": "8s", "tsumo": False}
    won = score(Hand(HAND, "8s"), Win(tsumo=False), rules)
    from_record = score_record(record)
    from_batch = score_line(1, json.dumps(record).encode())
    from_line = json.loads(run("score", f"{HAND} + 8s", "--rules", "ema2008", "--json").stdout)
    assert won.points == POINTS
    assert [one["points"] for one in (from_record, from_batch, from_line["result"])] == [POINTS] * 3
    assert won.assumed == FACTS
    assert from_record["assumed"] == from_batch["assumed"] == [*FACTS, "rules"]
    assert sorted(from_line["result"]["assumed"]) == sorted([*FACTS, "tsumo"])  # nobody named the way either
    printed = run("score", f"{HAND} + 8s", "--rules", "ema2008", "--defaults").stdout
    assert "Assumed: not the dealer, no riichi, ron, no dora. Rules: EMA Riichi 2008." in printed


def test_a_stick_in_the_photo_says_riichi() -> None:
    from scorer.hand_tiles import FactSource
    from tehai.hand.inputs import from_line, nothing
    from tehai.hand.scoring import settle

    typed = from_line(f"{HAND} + 8s")
    assert nothing().opened.win.riichi is False
    seen = settle(typed).hand_input.opened.with_facts({"riichi": True}, FactSource.SEEN)
    assert score_record(seen)["points"] == 7700
    assert "riichi" not in score_record(seen)["assumed"]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--dealer", "--seat", "W"], "--dealer and --seat W contradict each other: drop one."),
        (["--tsumo", "--ron"], "--tsumo and --ron contradict each other: drop one."),
        (["--riichi", "--no-riichi"], "--riichi and --no-riichi contradict each other: drop one."),
        (["--seat", "W", "--seat=S"], "--seat is given twice: keep one."),
        (["--win", "5s"], "--win 5s and + 8s name two winning tiles: drop one."),
        (["--region", "0,0,1,1"], "--region frames a hand in a photo, and this hand is typed: drop it."),
    ],
)
def test_what_contradicts_itself_is_refused(flags: list[str], said: str) -> None:
    done = run("score", f"{HAND} + 8s", *flags, "--defaults")
    assert (done.exit_code, done.stderr) == (2, f"tehai: {said}\n")


def test_what_is_said_twice_may_add_up() -> None:
    twice = run("score", f"{HAND} + 8s", "--dora", "3m", "--dora", "4p", "--win", "8s", "--json")
    record = json.loads(twice.stdout)
    assert record["record"]["dora_indicators"] == ["3m", "4p"]
    assert ["dora", 3] in record["result"]["yaku"]
    advised = run("advise", "123m456p78s112257z", "--region", "0,0,1,1")
    assert advised.exit_code == 2 and "--region frames a hand in a photo" in advised.stderr


def test_a_tile_is_corrected_by_its_position() -> None:
    done = run("score", f"{HAND} + 8s", "--set", "5=0p", "--set", "6=5p 1=4m", "--json")
    assert json.loads(done.stdout)["record"]["concealed"] == "434m305567p2267s"
    for wrong, said in (("5p", "--set is position=tile"), ("20=5p", "there is no tile 20")):
        refused = run("score", f"{HAND} + 8s", "--set", wrong, "--defaults")
        assert refused.exit_code == 2 and said in refused.stderr
