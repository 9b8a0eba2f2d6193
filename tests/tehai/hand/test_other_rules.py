"""What a score takes for granted, and what other common rules make of the hand: one line each."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from scorer import preset_ids, score_record
from scorer.record import parse_open
from tehai.cli import app
from tehai.hand.other_rules import COMMON, under_other_rules

TANYAO = "456p78s22p345s + 6s [234m]"
PINFU = "234m340567p2267s + 8s"
TOLD = ("--ron", "--seat", "S", "--riichi", "--nothing-special", "--dora", "-", "--ura", "-")


def run(*args: str) -> Any:
    return CliRunner().invoke(app, ["score", *args], env={"COLUMNS": "400"})


def of(record: dict[str, Any], language: str = "en") -> str:
    opened = parse_open({"tsumo": False, "seat_wind": "S", **record}).filled()
    return under_other_rules(opened, score_record(opened), language)


def test_an_open_tanyao_is_a_win_elsewhere_or_none() -> None:
    record = {"concealed": "456p78s22p345s", "win_tile": "6s", "melds": [{"type": "chi", "tiles": "234m"}]}
    assert of(record) == (
        "Under EMA Riichi 2016, World Riichi Championship 2025, Tenhou, Mahjong Soul, M.League rules:"
        " 1,000 points (All Simples counts)."
    )
    assert of(record | {"rules": "tenhou"}) == (
        "Under EMA Riichi 2008 rules: no win (All Simples does not count)."
    )
    japanese = of(record | {"rules": "tenhou"}, "ja")
    assert japanese == "EMAルール2008では和了なし（断幺九なし）。"


def test_a_limit_that_others_round_up_to_is_named() -> None:
    pinfu = {"concealed": "234m340567p2267s", "win_tile": "8s", "riichi": True}
    assert of(pinfu) == "Under M.League rules: 8,000 points (mangan)."


@pytest.mark.parametrize("rules", COMMON[4])
def test_nothing_is_said_where_all_agree(rules: str) -> None:
    assert rules in preset_ids()
    record = {"concealed": "111m456p78999s55z", "win_tile": "9s", "riichi": True, "tsumo": True}
    assert of(record | {"rules": rules}) == ""


def test_of_what_is_no_hand_nothing_is_said() -> None:
    assert of({"concealed": "234m340567p2267s", "win_tile": "9s"}) == ""


def test_a_score_says_what_it_takes_for_granted() -> None:
    printed = run(PINFU, "--defaults").stdout
    assert "Assumed: not the dealer, no riichi, ron, no dora. Rules: EMA Riichi 2008." in printed
    assert "Rules: Tenhou." in run(PINFU, *TOLD, "--rules", "tenhou").stdout
    several = run(PINFU, "-y", "--rules", "tenhou,mleague").stdout
    assert "Assumed: not the dealer, no riichi, ron, no dora.\n" in several
    japanese = run(PINFU, "-y", "--lang", "ja", "--rules", "ema2008,tenhou").stdout
    assert "仮定：子、リーチなし、ロン、ドラなし。" in japanese
    japanese = run(PINFU, "-y", "--lang", "ja").stdout
    assert "仮定：子、リーチなし、ロン、ドラなし。ルール：EMAルール2008。" in japanese


def test_a_hand_without_yaku_says_where_it_has_one() -> None:
    lost = run(TANYAO, "--ron", "--defaults")
    assert lost.exit_code == 2 and "no yaku" in lost.stderr
    assert "Assumed: not the dealer, nothing special, no dora. Rules: EMA Riichi 2008." in lost.stderr
    assert "(All Simples counts)" in lost.stderr


def test_json_and_every_lesson_say_it_alike() -> None:
    found = json.loads(run(PINFU, "--riichi", "--json").stdout)
    assert (
        found["summary"] == "Assumed: not the dealer, ron, nothing special, no dora. Rules: EMA Riichi 2008."
    )
    assert found["elsewhere"] == "Under M.League rules: 8,000 points (mangan)."
    for format in ("text", "markdown", "html", "json"):
        lesson = run(PINFU, "--riichi", "--defaults", "--explain", format).stdout
        beneath = found["summary"].replace(" Rules: EMA Riichi 2008.", "")  # the headline names the rules
        assert "(EMA Riichi 2008)" in lesson and beneath in lesson and found["elsewhere"] in lesson, format


def test_of_thirteen_tiles_no_way_of_winning_is_taken_for_granted() -> None:
    lesson = json.loads(run("234m340567p2267s", "--explain", "json").stdout)
    assert lesson["notes"] == ["Assumed: not the dealer, no dora."]


def test_three_players_are_compared_with_three() -> None:
    """A self-draw of three pays less than one of four everywhere, which is no other rule."""
    record = {"concealed": "111m456p78s22z456s", "win_tile": "9s", "tsumo": True, "riichi": True}
    opened = parse_open({**record, "rules": "tenhou3", "nukidora": 1})
    assert under_other_rules(opened, score_record(opened)) == ""
