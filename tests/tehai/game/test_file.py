"""``tehai game``: the sheet, the ranking, and what is wrong with a file in one sentence."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from scorer import replay
from tehai.cli import app
from tehai.game.game_text import GameText, words_of
from tehai.settings import preferences
from tests.scorer.short_games import DRAW, RON, start, win

EVENTS = [
    start(players=("Aki", "[Ben]", "Chie", "Dan")),
    DRAW,
    win(RON),
    {"event": "abort", "kind": "nine_terminals"},
    {"event": "correction", "changes": [100, -100, 0, 0], "penalties": [0, 0, 0, -1000], "note": "late"},
]
ALL_HONOURS = {
    "concealed": "1144z",
    "win_tile": "4z",
    "melds": [{"type": "pon", "tiles": tiles, "from": 1} for tiles in ("555z", "666z", "777z")],
}
LINES = "\n".join(map(json.dumps, EVENTS))


def run(*arguments: str, input: str | None = None) -> Result:
    return CliRunner().invoke(app, ["game", *arguments], input=input, env={"COLUMNS": "120"})


def test_the_sheet_and_the_ranking(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(LINES, encoding="utf-8")
    done = run(str(file))
    assert done.exit_code == 0, done.output
    for text in (
        "Tenhou: Aki, [Ben], Chie, Dan",
        "Draw, tenpai: Aki, [Ben]; Riichi: [Ben]",
        "East 1-1",
        "Chie 1,300, ron from Aki; Riichi: Chie",
        "Nine terminals",
        "Correction: late; off the final score: Dan -1,000",
        "Ranking so far",
        "Next: East 2-1.",
    ):
        assert text in done.stdout, text
    first = next(line for line in done.stdout.splitlines() if line.strip().startswith("1 "))
    assert first.split() == ["1", "Chie", "26,100", "+36,100"]


def test_json_and_csv_say_the_same(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(EVENTS), encoding="utf-8")
    found = json.loads(run(str(file), "--json").stdout)
    rows = list(csv.DictReader(run("-", "--csv", input=LINES).stdout.splitlines()))
    assert [row["event"] for row in rows] == ["start", "draw", "win", "abort", "correction", "scores so far"]
    for row, hand in zip(rows[1:-1], found["hands"], strict=True):
        assert [int(row[name]) for name in found["players"]] == hand["points"]
        assert [int(row[f"{name} change"]) for name in found["players"]] == hand["changes"]
    scores = {one["name"]: one["score"] for one in found["ranking"]}
    assert {name: int(rows[-1][name]) for name in found["players"]} == scores


def test_in_japanese() -> None:
    done = run("-", "--lang", "ja", input=LINES)
    for text in (
        "天鳳：Aki",
        "流局、テンパイ：Aki、[Ben]／立直：[Ben]",
        "東1局1本場",
        "Chie 1,300点 ロン（放銃：Aki）",
        "九種九牌",
        "訂正：late／スコアから：Dan -1,000点",
        "途中の順位",
        "次は東2局1本場。",
    ):
        assert text in done.stdout, text
    assert "riichi" in run("-", "--lang", "ja", "--terms", "japanese", input=LINES).stdout
    assert "--lang is one of en, ja" in run("-", "--lang", "xx", input=LINES).stderr


def test_the_lesson_of_a_hand_is_about_what_the_game_paid() -> None:
    """A riichi that the event alone names, all sticks for the first winner, and house rules as text."""
    second = {**RON, "concealed": "234m567p78s33z345m", "seat_wind": "N", "loser_offset": 1}
    silent = {field: value for field, value in RON.items() if field != "riichi"}
    events = [start(rules='base = "tenhou"\nrounds = 1\n'), DRAW, win(second, silent, declared=["W"])]
    done = run("-", "--explain", "2", "--terms", "japanese", input=json.dumps(events))
    assert done.exit_code == 0, done.output
    for text in ("4,600", "1,300"):
        assert text in done.stdout, done.stdout


@pytest.mark.parametrize(
    ("language", "told"), [("en", "Ended by the players: rain"), ("ja", "対局打ち切り：rain")]
)
def test_a_game_that_the_players_end(language: str, told: str) -> None:
    done = run("-", "--lang", language, input=f"{LINES}\n" + json.dumps({"event": "end", "note": "rain"}))
    assert told in done.stdout and ("The game is over." in done.stdout or "終局。" in done.stdout)


@pytest.mark.parametrize(
    ("rules", "hand", "told"),
    [
        ("majsoul", {"value": {"yakuman": 1}}, "8,000/16,000"),
        ("majsoul", {"value": {"yakuman": 2, "liable": 1}, "pao": 2}, "64,000"),  # all pay for the other one
        ("majsoul", {**ALL_HONOURS, "pao": 1}, "64,000"),
        ("tenhou", {**ALL_HONOURS, "pao": 1}, "64,000"),
    ],
)
def test_a_self_draw_is_told_by_its_payments_where_nobody_is_liable(
    rules: str, hand: dict[str, Any], told: str
) -> None:
    counters = [{"event": "draw", "tenpai": ["E"]}] * 2
    won = win({**hand, "tsumo": True, "seat_wind": "S"})
    played = replay([{"event": "start", "rules": rules}, *counters, won])
    assert GameText(played, words_of(played, "en")).win_values(played.turns[-1]) == told


def test_the_rules_are_named_recorded_or_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(preferences.FOLDER, str(tmp_path))

    def rules(*arguments: str, **start: str) -> str:
        done = run("-", "--json", *arguments, input=json.dumps([{"event": "start", **start}]))
        return str(json.loads(done.stdout)["rules"])

    assert rules() == "ema2008"
    preferences.use_rules("mleague")
    assert (rules(), rules(rules="tenhou"), rules("--rules", "jpml", rules="tenhou")) == (
        "mleague",
        "tenhou",
        "jpml",
    )
    refused = run("-", "--rules", "nothing", input=LINES)
    assert refused.exit_code == 2 and refused.stderr.startswith("tehai: There are no rules called 'nothing'")


def test_a_finished_game_says_so() -> None:
    game = [{"event": "start", "rules": "tenhou3"}, *([{"event": "draw"}] * 9)]
    done = run("-", input=json.dumps(game))
    assert "The game is over." in done.stdout and "The ranking" in done.stdout
    assert "West 3-8" in done.stdout
    late = run("-", input=json.dumps([*game, {"event": "draw"}]))
    assert (late.exit_code, late.stderr) == (2, "tehai: Event 11: The game is over: no hand follows.\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "Line 1 is not JSON"),
        ('{"event": "start"}\n[', "Line 2 is not JSON"),
        ('{"event": "st', "Line 1 is not JSON (Unterminated string starting at column 11): correct it, or"),
        ("[1,", "The list of events is not JSON"),
        ("", "A game record has no event"),
        ('{"event": "draw"}', "Event 1: a game begins with"),
    ],
)
def test_a_bad_file_is_one_sentence(text: str, message: str) -> None:
    done = run("-", input=text)
    assert done.exit_code == 2 and message in done.stderr and done.stderr.count("\n") == 1


def test_no_file_and_two_ways() -> None:
    assert run("/nowhere/game.jsonl").exit_code == 2
    assert "say one of them" in run("-", "--json", "--csv", input=LINES).stderr


def test_chips_stand_in_the_sheet_and_the_ranking() -> None:
    rules = 'base = "tenhou"\nchip_points = 2000\n[chips]\nippatsu = 1\naka = 1\n'
    events = [start(players=("Aki", "Ben", "Chie", "Dan"), rules=rules), win({**RON, "ippatsu": True})]
    game = json.dumps(events)
    sheet = run("-", input=game).stdout
    assert "chips: " in sheet and "Chips" in sheet
    assert "チップ：" in run("-", "--lang", "ja", input=game).stdout
    rows = list(csv.DictReader(run("-", "--csv", input=game).stdout.splitlines()))
    moved = [[int(row[f"{name} chips"]) for name in ("Aki", "Ben", "Chie", "Dan")] for row in rows]
    assert moved[0] == [0] * 4 and any(moved[1]) and sum(moved[1]) == 0 and moved[-1] == moved[1]
    assert (
        "chips" not in run("-", input=LINES).stdout and "chips" not in run("-", "--csv", input=LINES).stdout
    )
