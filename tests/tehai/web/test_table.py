"""``/api/game``: how a game stands, by its record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from scorer import load_rules, replay
from tehai.game.sheet import sheet
from tehai.web.app import make_app
from tehai.web.request_rules import RequestRules
from tehai.web.worker_pool import WorkerPool
from tests.scorer.short_games import DRAW, NAMES, RON, start, win
from tests.tehai.web.conftest import HERE

EVENTS = [start(), DRAW, win(RON)]


def stands(client: TestClient, record: list[Any], **more: Any) -> dict[str, Any]:
    answer = client.post("/api/game", json={"record": record, **more})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert isinstance(found, dict)
    return found


def test_a_game_as_it_stands(client: TestClient) -> None:
    game = stands(client, EVENTS)
    assert game["title"] == "Tenhou" and game["name"] == "East 2" and not game["over"]
    assert [(hand["name"], hand["text"]) for hand in game["hands"]] == [
        ("East 1", "Draw, tenpai: Aki, Ben; Riichi: Ben"),
        ("East 1-1", "Chie 1,300, ron from Aki; Riichi: Chie"),
    ]
    assert game["table"] == {
        "round_wind": "E", "honba": 0, "riichi_sticks": 0, "dealer_wins": 0, "seats": ["N", "E", "S", "W"],
        "points": game["hands"][-1]["points"], "least_han": [1] * 4, "may_riichi": [True] * 4,
    }  # fmt: skip
    then = {**game["table"], "honba": 1, "riichi_sticks": 1, "dealer_wins": 0, "seats": ["E", "S", "W", "N"]}
    assert game["hands"][1]["table"] == {**then, "points": game["hands"][0]["points"]}
    assert game["may"]["nagashi"] and game["may"]["chombo"] == "none" and game["may"]["winners"] == 3
    assert {"id": "nine_terminals", "label": "nine terminals and honours"} in game["may"]["abort"]
    assert game["may"]["limits"][0] == {"id": "mangan", "han": 5, "label": "mangan"}


@pytest.mark.parametrize(
    ("rules", "winners"), [("wrc2025", 1), ("ema2008", 3), ("tenhou", 3), ("tenhou3", 2)]
)
def test_as_many_winners_as_the_rules_pay(client: TestClient, rules: str, winners: int) -> None:
    """Of three under Tenhou's rules the hand is a draw, which has to be told, too."""
    players = NAMES[: load_rules(rules).players]
    assert stands(client, [start(rules, players)])["may"]["winners"] == winners


@pytest.mark.parametrize(("rules", "most"), [("ema2016", 1), ("ema2008", 2), ("tenhou", 7)])
def test_as_many_yakuman_as_the_rules_pay(client: TestClient, rules: str, most: int) -> None:
    assert stands(client, [start(rules)])["may"]["yakuman"] == most


@pytest.mark.parametrize(
    ("rules", "ways"),
    [("ema2008", ["tsumo", "ron"]), ("rmu_a", [])],
)
def test_who_can_be_liable_for_a_yakuman_without_tiles(
    client: TestClient, rules: str, ways: list[str]
) -> None:
    assert stands(client, [start(rules)])["may"]["liable"] == ways


def test_fu_and_the_fewest_han_that_they_take(client: TestClient) -> None:
    fu = {one.pop("fu"): tuple(one.values()) for one in stands(client, EVENTS)["may"]["fu"]}
    assert fu[20] == (None, 2, None, 3) and fu[25] == (2, 3, 3, 4) and fu[30] == fu[110] == (1, 1, 1, 2)


def test_the_fewest_han_that_a_win_needs(client: TestClient) -> None:
    """EMA 2008 §3.4.11: two from five counters; Toudai §7.5: two for a dealer who has won so often."""
    draws = [{"event": "draw", "tenpai": ["E"]}] * 5
    assert stands(client, [start("ema2008"), *draws])["table"]["least_han"] == [2, 2, 2, 2]
    harder = 'base = "toudai"\nname = "Friends"\ntwo_han_from_honba = 2\n'
    won = [win({"value": {"han": 2, "fu": 30}, "tsumo": True, "seat_wind": "E"})] * 2
    assert stands(client, [start(harder), *won])["table"]["least_han"] == [2, 1, 1, 1]


def test_riichi_takes_a_stick_where_nobody_may_go_below_zero(client: TestClient) -> None:
    poor = [start("tenhou"), {"event": "correction", "changes": [-24100, 24100, 0, 0]}]
    assert stands(client, poor)["table"]["may_riichi"] == [False, True, True, True]
    assert stands(client, [start("mleague"), *poor[1:]])["table"]["may_riichi"] == [True] * 4


def test_in_japanese(client: TestClient) -> None:
    game = stands(client, EVENTS, lang="ja")
    assert game["title"] == "天鳳" and game["name"] == "東2局" and game["hands"][0]["text"].startswith("流局")


def test_a_finished_game_has_no_table(client: TestClient) -> None:
    game = stands(client, [*EVENTS, {"event": "end"}])
    assert game["over"] and game["table"] is None and game["next"] is None and game["name"] == ""


def test_the_sheet_as_csv(client: TestClient) -> None:
    answer = client.post("/api/game", json={"record": EVENTS, "format": "csv"})
    assert answer.headers["content-type"].startswith("text/csv") and answer.text == sheet(replay(EVENTS))
    assert client.post("/api/game", json={"record": EVENTS, "format": "xls"}).status_code == 422


def test_what_cannot_have_been_names_its_event(client: TestClient) -> None:
    bad = [start(), {"event": "draw", "tenpai": [], "declared": ["S"]}]
    answer = client.post("/api/game", json={"record": bad})
    found = answer.json()
    assert answer.status_code == 422 and found["code"] == "bad_game" and found["event"] == 2
    assert found["error"].startswith("Event 2: S declared riichi and is not tenpai")
    japanese = client.post("/api/game", json={"record": bad}, headers={"Accept-Language": "ja"}).json()
    assert japanese["event"] == 2 and "対局" in japanese["error"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"record": {}},
        {"record": []},
        {"record": [start()] * 301},
        {"record": [start(players=("A" * 61, "B", "C", "D"))]},
        {"record": [{**start(), "rules": 7}]},
        {"record": [{**start(), "rules": "/etc/passwd"}]},
        {"record": [{**start(), "rules": "nobody"}]},
        {"record": [start()], "rules": ["tenhou"]},
        {"record": [start()], "lang": "fr"},
        {"record": [None]},
    ],
)
def test_what_is_no_record_is_refused(client: TestClient, body: dict[str, Any]) -> None:
    answer = client.post("/api/game", json=body)
    assert answer.status_code == 422 and "passwd" not in answer.text


def test_house_rules_as_text_are_rules(client: TestClient) -> None:
    house = 'base = "tenhou"\nname = "Ours"\nsource = "us"\noka = 0\nstart_points = 30000\n'
    game = stands(client, [{**start(), "rules": "nobody"}], rules=house)
    assert game["start"] == [30000] * 4 and game["title"] == "Ours"


def test_a_game_by_the_servers_house_rules_is_replayed_by_its_record_alone(
    pool: WorkerPool, tmp_path: Path
) -> None:
    file = tmp_path / "friends.toml"
    file.write_text(
        '# ours\nbase = "tenhou"\nname = "友 \\"A\\""\nstart_points = 30000\noka = 0\nnotes = ["long"]\n'
        'abortive_draws = []\n[yaku]\ntanyao = [3, 3]\n[cite]\noka = "us"\n',
        encoding="utf-8",
    )
    with TestClient(make_app(pool, request_rules=RequestRules.of(str(file))), base_url=HERE) as client:
        (house,) = [one for one in client.get("/api/rules").json() if "text" in one]
        record = [{**start(), "rules": house["text"]}, win(RON)]
        told = stands(client, record)
    file.unlink()
    assert house["id"] == "house" and told["title"] == '友 "A"'
    game = replay(json.loads(json.dumps(record)))
    assert list(game.game.points) == told["hands"][0]["points"]
    rules = game.rules
    assert (rules.start_points, rules.oka, rules.abortive_draws) == (30000, 0, ())
    assert rules.yaku["tanyao"] == (3, 3) and not rules.notes
