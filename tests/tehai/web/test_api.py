"""What the endpoints answer."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tehai.web.app import STATIC, make_app
from tehai.web.request_rules import RequestRules
from tehai.web.worker_pool import WorkerPool
from tests.tehai.web.conftest import HERE
from tests.tehai.web.fakes import FakeReader, jpeg, reading
from vision.reading import Doubt, Reading

RON = {"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": False, "seat_wind": "S", "riichi": False}


def read(client: TestClient, *photos: bytes, **fields: str) -> dict[str, Any]:
    files = [("photo", ("shot.jpg", photo, "image/jpeg")) for photo in photos or (jpeg(),)]
    answer = client.post("/api/read", files=files, data=fields)
    assert answer.status_code == 200, answer.text
    reply = answer.json()
    assert isinstance(reply, dict)
    return reply


def score(client: TestClient, record: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = client.post("/api/score", json={"record": record, **more})
    assert answer.status_code == 200, answer.text
    reply = answer.json()
    assert isinstance(reply, dict)
    return reply


def test_a_photo_becomes_a_score(client: TestClient, reader: FakeReader) -> None:
    reply = read(client, jpeg(640, 480))
    assert reader.looks == [(640, 480)]
    assert reply["record"]["concealed"] == "234m340567p2267s" and reply["record"]["win_tile"] == "8s"
    assert reply["record"]["known"]["win_tile"] == "inferred" and reply["record"]["rules"] == "ema2008"
    assert reply["result"]["status"] == "ok" and reply["range"]["high"] > reply["range"]["low"]
    assert reply["photo"] == {"index": 0, "width": 800, "height": 600}
    assert reply["tiles"] == {"count": 14, "wanted": 14, "waits": []}
    assert {tile["photo"] for tile in reply["reading"]["tiles"]} == {0}


def test_questions_are_asked_in_the_language_of_the_request(client: TestClient) -> None:
    hand = {"concealed": "234m340567p2267s", "win_tile": "8s"}
    english, japanese = (score(client, hand, lang=language)["questions"] for language in ("en", "ja"))
    assert [one["field"] for one in english] == [one["field"] for one in japanese]
    asked = next(one for one in japanese if one["field"] == "riichi")
    assert asked["text"] == "リーチしましたか" and asked["why"].startswith("リーチは門前の役")
    assert {one["id"]: one["label"] for one in asked["choices"]}["no"] == "リーチなし"


def test_the_rivers_say_what_each_discard_risks(client: TestClient) -> None:
    hand = {"concealed": "2234m345p345s5667s"}
    table = {"rivers": "1z9p/2p/9s6s4m", "riichi_by": "left"}
    plain, told = score(client, hand)["advice"], score(client, hand, **table)["advice"]
    assert plain["discards"][0]["risks"] == [] and "risk" not in plain["text"]
    first = next(one for one in told["discards"] if one["tile"] == "6s")
    assert [one["danger"] for one in first["risks"]] == ["nothing"]
    assert first["risks"][0]["text"] == "Safe against the Riichi on the left: own discard"
    japanese = score(client, hand, lang="ja", **table)["advice"]["discards"][0]["risks"][0]
    assert not re.search("[a-z]{3}", japanese["text"])
    body = {"record": hand, **table}
    steps = client.post("/api/lesson", json=body).json()["steps"]
    assert "safety" in [step["kind"] for step in steps]
    body = {"record": RON, **table}
    assert client.post("/api/score", json=body).json()["result"]["status"] == "ok"  # none
    wrong = {"rivers": "9p"}, {"rivers": "5555m//5555m"}, {"rivers": 5}, {"riichi_by": "me", "rivers": "//"}
    for one in (*wrong, {"rivers": "9p" * 500}):
        answer = client.post("/api/score", json={"record": hand, **one})
        assert answer.status_code == 422 and answer.json()["code"] in ("bad_rivers", "bad_field"), one
    body, headers = {"record": hand, "rivers": "5555m//5555m"}, {"Accept-Language": "ja"}
    assert "五枚以上" in client.post("/api/score", json=body, headers=headers).json()["error"]


def test_the_page_has_the_words_of_questions_from_where_the_terminal_has_them(client: TestClient) -> None:
    english, japanese = (client.get(f"/lang/questions.{language}.json").json() for language in ("en", "ja"))
    assert english["ask.dealer"] == "Are you the dealer?" and english["ask.dealer.no"] == "Not dealer"
    assert japanese["name.dealer"] == "親" and english.keys() == japanese.keys()
    assert client.get("/lang/questions.xx.json").status_code == 404


def test_what_is_in_doubt_is_said(client: TestClient, reader: FakeReader) -> None:
    sure = reader.readings[0]
    assert read(client)["in_doubt"] is False
    face = Doubt("face", (2,), "The 4m may be a 1m.", {"label": "1m"})
    won = Doubt("win", (13,), "2s may have won.", {"hand": {**(sure.hand or {}), "win_tile": "2s"}})
    reader.readings = [replace(sure, doubts=(won, face), confidence=0.7)]
    reply = read(client)
    assert reply["in_doubt"] and reply["reading"]["confidence"] == 0.7
    assert reply["reading"]["doubts"] == [won.to_record(), face.to_record()]
    assert [at for at, tile in enumerate(reply["reading"]["tiles"]) if tile["doubtful"]] == [2]
    found = client.post("/api/find", files={"photo": ("f.jpg", jpeg(), "image/jpeg")}).json()
    assert found["doubts"] == reply["reading"]["doubts"] and found["confidence"] == 0.7
    reader.readings = [replace(sure, confidence=0.97)]
    assert read(client)["in_doubt"] is True


def test_why_there_is_no_score_is_said_in_the_language_of_the_request(client: TestClient) -> None:
    none = {"concealed": "123m45p22z777s", "win_tile": "6p", "melds": [{"type": "chi", "tiles": "123m"}]}
    facts = {"tsumo": False, "seat_wind": "S", "round_wind": "S"}
    assert score(client, none | facts, lang="ja")["message"] == "形はできていますが、役がありません。"
    assert "no yaku" in score(client, none | facts)["message"]


def test_it_answers_what_the_command_line_prints(client: TestClient) -> None:
    """A hand posted as a record scores as ``tehai score --json`` has it."""
    from typer.testing import CliRunner

    from tehai.cli import app

    flags = ["--ron", "--seat", "S", "--no-riichi", "--rules", "ema2008", "--json"]
    printed = json.loads(CliRunner().invoke(app, ["score", "234m340567p2267s + 8s", *flags]).stdout)
    reply = score(client, {**RON, "double_riichi": False, "ippatsu": False, "melds": []})
    printed["result"]["assumed"].append("rules")  # which the page did not name
    assert reply["result"] == printed["result"] and reply["range"] == printed["range"]
    assert reply["questions"] == printed["questions"]


def test_an_answer_to_a_question_has_the_effect_that_was_announced(client: TestClient) -> None:
    reply = read(client)
    for _ in range(12):
        if not reply["questions"]:
            break
        question = reply["questions"][0]
        choice = question["choices"][-1]
        record = {**reply["record"], **choice["fields"]}
        record["known"] = {**reply["record"]["known"], **dict.fromkeys(choice["fields"], "asked")}
        reply = score(client, record)
        assert choice["low"] <= reply["range"]["low"] and reply["range"]["high"] <= choice["high"]
    assert not reply["questions"] and reply["result"]["status"] == "ok"


def test_facts_sent_beside_the_photo_are_not_asked_again(client: TestClient) -> None:
    reply = read(client, record=json.dumps({"seat_wind": "W", "honba": 2}), rules="tenhou")
    assert reply["record"]["seat_wind"] == "W" and reply["record"]["known"]["seat_wind"] == "asked"
    assert reply["record"]["honba"] == 2 and reply["record"]["rules"] == "tenhou"
    assert read(client, record=json.dumps({"rules": "tenhou"}))["record"]["rules"] == "tenhou"
    assert not {"seat_wind", "dealer"} & {question["field"] for question in reply["questions"]}


def test_a_photo_without_a_hand_is_an_answer(client: TestClient, reader: FakeReader) -> None:
    reader.readings = [Reading("", 800, 600, (), None, {}, "error", "No mahjong tiles were found.")]
    reply = read(client)
    assert reply["result"] is None and reply["message"] == "No mahjong tiles were found."
    assert reply["tiles"] == {"count": 0, "wanted": 14, "waits": []} and reply["questions"] == []


def test_thirteen_tiles_say_what_they_wait_on(client: TestClient, reader: FakeReader) -> None:
    reader.readings = [reading(win=None)]
    assert read(client)["tiles"] == {"count": 13, "wanted": 14, "waits": ["5s", "8s"]}


def test_a_frame_tells_what_is_seen_and_what_to_do(client: TestClient, reader: FakeReader) -> None:
    reply = client.post("/api/find", files={"photo": ("f.jpg", jpeg(), "image/jpeg")}).json()
    assert (reply["width"], reply["height"]) == (800, 600) and len(reply["tiles"]) == 14
    assert reply["hand"]["win_tile"] == "8s" and isinstance(reply["advice"], list)
    assert reply["waits"] == []
    assert reader.frames_read == 1  # in a frame's time
    assert read(client)["tiles"]["count"] == 14 and reader.frames_read == 1


def test_a_frame_of_thirteen_tiles_tells_what_they_wait_on(client: TestClient, reader: FakeReader) -> None:
    frame = {"photo": ("f.jpg", jpeg(), "image/jpeg")}
    reader.readings = [reading(win=None), Reading("", 800, 600, (), None, {}, "error", "No tiles.")]
    assert client.post("/api/find", files=frame).json()["waits"] == ["5s", "8s"]
    assert client.post("/api/find", files=frame).json()["waits"] == []


@pytest.mark.parametrize("way", [{"rules": "toudai"}, {"record": {**RON, "rules": "toudai"}}])
def test_the_rules_stand_beside_the_record_or_in_it(client: TestClient, way: dict[str, Any]) -> None:
    reply = score(client, **{"record": RON, **way})
    assert reply["record"]["rules"] == "toudai"


def test_house_rules_as_text_count(client: TestClient) -> None:
    tanyao = {"concealed": "234m345567p2267s", "win_tile": "8s", "tsumo": False, "seat_wind": "S"}
    tanyao["riichi"] = False
    assert score(client, tanyao, rules="ema2008")["result"]["han"] == 2
    house = 'base = "ema2008"\n[yaku]\ntanyao = [3, 3]\n'
    reply = score(client, tanyao, rules=house)
    assert reply["result"]["han"] == 4 and reply["record"]["rules"] == house


def test_the_servers_own_house_rules_are_the_default(pool: WorkerPool, tmp_path: Path) -> None:
    file = tmp_path / "friends.toml"
    file.write_text('base = "ema2008"\nname = "Friends"\n[yaku]\ntanyao = [3, 3]\n', encoding="utf-8")
    client = TestClient(make_app(pool, request_rules=RequestRules.of(str(file))), base_url=HERE)
    presets = client.get("/api/rules").json()
    assert presets[0]["id"] == "house" and presets[0]["title"] == "Friends" and presets[0]["default"]
    reply = score(
        client, {"concealed": "234m345567p2267s", "win_tile": "8s", "tsumo": False, "riichi": False}
    )
    assert reply["result"]["han"] == 4 and reply["record"]["rules"] == "house"
    assert str(tmp_path) not in json.dumps(reply)


def test_the_files_of_the_page_travel_packed(client: TestClient) -> None:
    packed = client.get("/check/check.js", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) < len(packed.content) / 2
    plain = client.get("/check/check.js", headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers and plain.content == packed.content
    known = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    assert client.get("/check/check.js", headers=known).status_code == 304


def test_three_players(client: TestClient) -> None:
    """The page is told how many play, asks for norths, and names nobody across."""
    titles = {one["id"]: one["title"] for one in client.get("/api/rules?lang=ja").json()}
    assert titles["tenhou3"] == "天鳳（三人打ち）" and client.get("/api/rules?lang=xx").status_code == 422
    players = {one["id"]: one["players"] for one in client.get("/api/rules").json()}
    assert players["tenhou3"] == players["majsoul3"] == 3 and players["tenhou"] == 4
    record = {"concealed": "111999m34p678s44z", "win_tile": "5p", "tsumo": True, "seat_wind": "S"}
    asked = score(client, record, rules="tenhou3")
    assert "nukidora" in [one["field"] for one in asked["questions"]]
    reply = score(client, {**record, "nukidora": 2}, rules="tenhou3")
    assert reply["result"]["deltas"][2] == 0 and ["nukidora", 2] in reply["result"]["yaku"]
    refused = score(client, {**record, "concealed": "111222m34p678s44z"}, rules="tenhou3")
    assert "three players leave out 2m to 8m" in json.dumps(refused)


def test_rules_side_by_side(client: TestClient) -> None:
    reply = score(client, RON, compare=["tenhou", "mleague"])
    assert list(reply["by_rules"]) == ["tenhou", "mleague"]
    assert all(result["status"] == "ok" for result in reply["by_rules"].values())


def test_a_red_five_counts_as_a_plain_one_where_the_rules_have_none(client: TestClient) -> None:
    record = {"concealed": "234m340567p2267s", "win_tile": "8s", "dora_indicators": ["0s"]}
    reply = score(client, record, rules="ema2016", compare=["tenhou"])
    assert reply["result"]["status"] == "ok" and reply["record"]["concealed"] == "234m345567p2267s"
    assert reply["record"]["dora_indicators"] == ["5s"] and reply["questions"]
    assert reply["by_rules"]["tenhou"]["han"] == reply["result"]["han"] + 1  # there it is red
    others = {"plain": {**record, "concealed": "234m345567p2267s"}}
    for rules, is_otherwise in (("ema2016", False), ("tenhou", True)):
        assert score(client, record, rules=rules, others=others)["others"] == {"plain": is_otherwise}
    assert client.post("/api/lesson", json={"record": record, "rules": "ema2016"}).status_code == 200


def test_a_photo_with_a_red_five_is_scored_where_the_rules_have_none(client: TestClient) -> None:
    reply = read(client, jpeg(640, 480), rules="ema2016")
    assert reply["result"]["status"] == "ok" and reply["record"]["concealed"] == "234m345567p2267s"
    assert reply["reading"]["hand"]["concealed"] == "234m340567p2267s"


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
    reply = score(client, RON, lang="ja")
    assert "点" in reply["result"]["in_words"] and "words" not in reply["record"]
    assert "points" in score(client, reply["record"], lang="en")["result"]["in_words"]
    assert "点" in score(client, {**RON, "words": "kanji"})["result"]["in_words"]
    assert client.get("/api/words?lang=ja").json()["yaku"]["tanyao"] == "断幺九"
    assert client.get("/api/words?rules=ema2008").json()["yaku"]["tanyao"] == "All Simples"


def test_tiles_and_the_sample(client: TestClient) -> None:
    red = client.get("/tiles/0p.svg")
    assert red.headers["content-type"] == "image/svg+xml" and red.text.startswith("<svg")
    assert client.get("/tiles/back.svg").status_code == 200
    assert client.get("/sample.jpg").content[:2] == b"\xff\xd8"


@pytest.mark.parametrize(
    ("record", "sentence"),
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
def test_a_wrong_field_is_named(client: TestClient, record: Any, sentence: str) -> None:
    answer = client.post("/api/score", json={"record": record})
    assert answer.status_code == 422 and answer.json()["error"].startswith(sentence)


def test_a_hand_that_is_none_is_an_answer_with_a_message(client: TestClient) -> None:
    reply = score(client, {**RON, "concealed": "234m340567p226s"})
    assert reply["result"] is None and "13" in reply["message"]
    assert score(client, {**RON, "win_tile": "9s"})["result"]["error"] == "not_a_win"


def test_a_score_says_what_it_takes_for_granted_in_both_languages(client: TestClient) -> None:
    record = {
        "concealed": "234m345567p2267s",
        "win_tile": "8s",
        "known": {"concealed": "seen", "win_tile": "seen"},
    }
    found = score(client, record)
    assert found["summary"] == "Assumed: not the dealer, no riichi, ron, no dora. Rules: EMA Riichi 2008."
    japanese = client.post("/api/score", json={"record": record, "lang": "ja"}).json()
    assert japanese["summary"] == "仮定：子、リーチなし、ロン、ドラなし。ルール：EMAルール2008。"
    tanyao = {"concealed": "456p78s22p345s", "win_tile": "6s", "melds": [{"type": "chi", "tiles": "234m"}]}
    lost = score(client, {**tanyao, "tsumo": False, "seat_wind": "S"})
    assert lost["result"]["error"] == "no_yaku" and "(All Simples counts)" in lost["elsewhere"]
    told = client.post("/api/lesson", json={"record": record}).json()
    assert told["notes"] == [found["summary"].replace(" Rules: EMA Riichi 2008.", "")]


def test_words_are_chosen_with_the_record_and_dora_told_by_number(client: TestClient) -> None:
    record = {**RON, "dora_count": 2, "words": "ema"}
    found = score(client, record)
    assert (
        found["result"]["in_words"] == "mangan, 5 fan, 8,000 points"
        and "dora_indicators" not in found["questions"]
    )
    assert found["record"]["words"] == "ema" and found["record"]["dora_count"] == 2
    lesson = client.post("/api/lesson", json={"record": found["record"]}).json()
    assert lesson["headline"].startswith("Mangan, 5 fan")
    page = client.get("/lang/questions.en.json").json()
    assert page["terms.ema"] == "EMA: fan, minipoints, pung" and page["answer.dora"] == "{n} dora"


def test_no_seat_is_carried_over_to_who_wins_the_next_hand() -> None:
    """What the page keeps of an evening's answers is not about the winner."""
    script = (STATIC / "app" / "actions.js").read_text(encoding="utf-8")
    assert 'const KEPT = ["round_wind"];' in script


def test_a_known_furiten_is_no_win(client: TestClient) -> None:
    """EMA 2008 §3.4.5: the ron is refused, in both languages; the lesson tells what a self-draw would pay."""
    record = {**RON, "discards": "1z5s"}
    known = dict.fromkeys(record, "asked")
    refused = score(client, {**record, "known": known})["result"]
    assert (refused["status"], refused["error"]) == ("error", "furiten")
    assert "フリテン" in score(client, {**record, "known": known}, lang="ja")["message"]
    lesson = client.post("/api/lesson", json={"record": record}).json()
    assert "furiten" in json.dumps(lesson)
    assert score(client, {**record, "tsumo": True, "known": known})["result"]["status"] == "ok"


def test_a_hand_typed_as_one_line_is_a_record(client: TestClient) -> None:
    answer = client.post("/api/typed", json={"text": "234m 067p 3488s + 5s [p777z>]"})
    assert answer.status_code == 200
    assert answer.json()["record"] == {
        "concealed": "234m067p3488s",
        "melds": [{"type": "pon", "tiles": "777z", "from": 1}],
        "win_tile": "5s",
    }


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("123x", "bad_line", "123x"),
        ("[12", "bad_line", "meld"),
        ("1m + 2m3m", "bad_line", "After + comes one tile"),
        ("1m" * 61, "bad_field", "120 characters"),
        (7, "bad_field", "text is a hand"),
        (None, "bad_field", "text is a hand"),
    ],
)
def test_a_line_that_is_no_hand_is_said(client: TestClient, text: object, code: str, said: str) -> None:
    answer = client.post("/api/typed", json={"text": text})
    assert answer.status_code == 422 and answer.json()["code"] == code and said in answer.json()["error"]
    japanese = client.post("/api/typed", json={"text": "1q"}, headers={"Accept-Language": "ja"}).json()
    assert "この書き方では読めません" in japanese["error"]
