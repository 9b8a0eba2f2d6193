"""What the endpoints answer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tehai.web.app import make_app
from tehai.web.desk import Desk
from tehai.web.house import House
from tests.tehai.web.conftest import HERE
from tests.tehai.web.fakes import FakeEye, jpeg, reading
from vision.reading import Reading

RON = {"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": False, "seat_wind": "S", "riichi": False}


def read(client: TestClient, *photos: bytes, **fields: str) -> dict[str, Any]:
    files = [("photo", ("shot.jpg", photo, "image/jpeg")) for photo in photos or (jpeg(),)]
    answer = client.post("/api/read", files=files, data=fields)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert isinstance(told, dict)
    return told


def score(client: TestClient, record: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = client.post("/api/score", json={"record": record, **more})
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert isinstance(told, dict)
    return told


def test_a_photo_becomes_a_score(client: TestClient, eye: FakeEye) -> None:
    told = read(client, jpeg(640, 480))
    assert eye.looks == [(640, 480)]
    assert told["record"]["concealed"] == "234m340567p2267s" and told["record"]["win_tile"] == "8s"
    assert told["record"]["known"]["win_tile"] == "inferred" and told["record"]["rules"] == "ema2008"
    assert told["result"]["status"] == "ok" and told["range"]["high"] > told["range"]["low"]
    assert told["photo"] == {"index": 0, "width": 800, "height": 600}
    assert told["tiles"] == {"count": 14, "wanted": 14, "waits": []}
    assert {tile["photo"] for tile in told["reading"]["tiles"]} == {0}


def test_tiles_that_a_person_should_look_at_say_so(client: TestClient, eye: FakeEye) -> None:
    sure = eye.readings[0]
    doubt = replace(sure.tiles[2], probability=0.6)
    eye.readings = [replace(sure, tiles=(*sure.tiles[:2], doubt, *sure.tiles[3:]))]
    tiles = read(client)["reading"]["tiles"]
    assert [at for at, tile in enumerate(tiles) if tile["doubtful"]] == [2]


def test_it_answers_what_the_command_line_prints(client: TestClient) -> None:
    """A hand posted as a record scores as ``tehai score --json`` has it."""
    from typer.testing import CliRunner

    from tehai.cli import app

    flags = ["--ron", "--seat", "S", "--no-riichi", "--json"]
    printed = json.loads(CliRunner().invoke(app, ["score", "234m340567p2267s + 8s", *flags]).stdout)
    told = score(client, {**RON, "double_riichi": False, "ippatsu": False, "melds": []})
    assert told["result"] == printed["result"] and told["range"] == printed["range"]
    assert told["questions"] == printed["questions"]


def test_an_answer_to_a_question_has_the_effect_that_was_announced(client: TestClient) -> None:
    told = read(client)
    for _ in range(12):
        if not told["questions"]:
            break
        question = told["questions"][0]
        choice = question["choices"][-1]
        record = {**told["record"], **choice["fields"]}
        record["known"] = {**told["record"]["known"], **dict.fromkeys(choice["fields"], "asked")}
        told = score(client, record)
        assert choice["low"] <= told["range"]["low"] and told["range"]["high"] <= choice["high"]
    assert not told["questions"] and told["result"]["status"] == "ok"


def test_facts_sent_beside_the_photo_are_not_asked_again(client: TestClient) -> None:
    told = read(client, record=json.dumps({"seat_wind": "W", "honba": 2}), rules="tenhou")
    assert told["record"]["seat_wind"] == "W" and told["record"]["known"]["seat_wind"] == "asked"
    assert told["record"]["honba"] == 2 and told["record"]["rules"] == "tenhou"
    assert not {"seat_wind", "dealer"} & {question["field"] for question in told["questions"]}


def test_a_photo_without_a_hand_is_an_answer(client: TestClient, eye: FakeEye) -> None:
    eye.readings = [Reading("", 800, 600, (), None, {}, "error", "No mahjong tiles were found.")]
    told = read(client)
    assert told["result"] is None and told["message"] == "No mahjong tiles were found."
    assert told["tiles"] == {"count": 0, "wanted": 14, "waits": []} and told["questions"] == []


def test_thirteen_tiles_say_what_they_wait_on(client: TestClient, eye: FakeEye) -> None:
    eye.readings = [reading(win=None)]
    assert read(client)["tiles"] == {"count": 13, "wanted": 14, "waits": ["5s", "8s"]}


def test_a_frame_tells_what_is_seen_and_what_to_do(client: TestClient) -> None:
    told = client.post("/api/find", files={"photo": ("f.jpg", jpeg(), "image/jpeg")}).json()
    assert (told["width"], told["height"]) == (800, 600) and len(told["tiles"]) == 14
    assert told["hand"]["win_tile"] == "8s" and isinstance(told["advice"], list)


@pytest.mark.parametrize("way", [{"rules": "toudai"}, {"record": {**RON, "rules": "toudai"}}])
def test_the_rules_stand_beside_the_record_or_in_it(client: TestClient, way: dict[str, Any]) -> None:
    told = score(client, **{"record": RON, **way})
    assert told["record"]["rules"] == "toudai"


def test_house_rules_as_text_count(client: TestClient) -> None:
    tanyao = {"concealed": "234m345567p2267s", "win_tile": "8s", "tsumo": False, "seat_wind": "S"}
    assert score(client, tanyao, rules="ema2008")["result"]["han"] == 2
    house = 'base = "ema2008"\n[yaku]\ntanyao = [3, 3]\n'
    told = score(client, tanyao, rules=house)
    assert told["result"]["han"] == 4 and told["record"]["rules"] == house


def test_the_servers_own_house_rules_are_the_default(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "friends.toml"
    file.write_text('base = "ema2008"\nname = "Friends"\n[yaku]\ntanyao = [3, 3]\n', encoding="utf-8")
    client = TestClient(make_app(desk, house=House.of(str(file))), base_url=HERE)
    presets = client.get("/api/rules").json()
    assert presets[0]["id"] == "house" and presets[0]["title"] == "Friends" and presets[0]["default"]
    told = score(client, {"concealed": "234m345567p2267s", "win_tile": "8s", "tsumo": False})
    assert told["result"]["han"] == 4 and told["record"]["rules"] == "house"
    assert str(tmp_path) not in json.dumps(told)


def test_rules_side_by_side(client: TestClient) -> None:
    told = score(client, RON, compare=["tenhou", "mleague"])
    assert list(told["by_rules"]) == ["tenhou", "mleague"]
    assert all(result["status"] == "ok" for result in told["by_rules"].values())


def test_a_lesson_in_both_forms_and_languages(client: TestClient) -> None:
    lesson = client.post("/api/lesson", json={"record": RON, "lang": "ja"}).json()
    assert lesson["language"] == "ja" and "点" in lesson["headline"]
    answer = client.post("/api/lesson", json={"record": RON, "format": "html"})
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.text.startswith('<article class="lesson" lang="en">') and "<style" not in answer.text
    assert ".lesson" in client.get("/lesson.css").text


def test_a_lesson_about_a_hand_that_waits(client: TestClient) -> None:
    record = {"concealed": "234m340567p2267s", "seat_wind": "S"}
    lesson = client.post("/api/lesson", json={"record": record})
    assert lesson.status_code == 200 and lesson.json()["steps"]


def test_japanese_is_scored_in_kanji(client: TestClient) -> None:
    told = score(client, RON, lang="ja")
    assert "点" in told["result"]["in_words"] and "words" not in told["record"]
    assert "points" in score(client, told["record"], lang="en")["result"]["in_words"]
    assert "点" in score(client, {**RON, "words": "kanji"})["result"]["in_words"]
    assert client.get("/api/words?lang=ja").json()["yaku"]["tanyao"] == "断幺九"
    assert client.get("/api/words?rules=ema2008").json()["yaku"]["tanyao"] == "All Simples"


def test_tiles_and_the_sample(client: TestClient) -> None:
    red = client.get("/tiles/0p.svg")
    assert red.headers["content-type"] == "image/svg+xml" and red.text.startswith("<svg")
    assert client.get("/tiles/back.svg").status_code == 200
    assert client.get("/sample.jpg").content[:2] == b"\xff\xd8"


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({**RON, "seat_wind": "X"}, "seat_wind"),
        ({**RON, "concealed": "234q"}, "concealed"),
        ({**RON, "concealed": 5}, "concealed"),
        ({**RON, "melds": [{"type": "pong", "tiles": "777z"}]}, "melds[0].type"),
        ({**RON, "win_tile": ""}, "win_tile"),
        ({**RON, "win_tile": "8s8s"}, "win_tile"),
        ({**RON, "dealer": "yes"}, "dealer"),
        ({**RON, "known": {"tsumo": "guessed"}}, "known"),
        ({**RON, "words": "latin"}, "words"),
        ([], "record"),
    ],
)
def test_a_wrong_field_is_named(client: TestClient, record: Any, said: str) -> None:
    answer = client.post("/api/score", json={"record": record})
    assert answer.status_code == 422 and answer.json()["error"].startswith(said)


def test_a_hand_that_is_none_is_an_answer_with_a_message(client: TestClient) -> None:
    told = score(client, {**RON, "concealed": "234m340567p226s"})
    assert told["result"] is None and "13" in told["message"]
    assert score(client, {**RON, "win_tile": "9s"})["result"]["error"] == "not_a_win"
