"""Drills on the page: posed, judged and scheduled as on the command line, with nothing kept by the server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from scorer import load_rules, parse_rules
from tehai.learn.answers import GroupsAnswer, YakuAnswer
from tehai.learn.knowledge import Known, of_record, to_record
from tehai.learn.levels import LADDER, topics
from tehai.learn.pages import course
from tehai.learn.schedule import next_topic
from tehai.web.drills import Drills
from tests.tehai.learn.test_evening import GAME

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
EMPTY = {"version": 2, "topics": {}}
OWN = {
    "concealed": "123m456p78s22z444z",
    "win_tile": "9s",
    "tsumo": True,
    "seat_wind": "W",
    "at": "2026-02-27T20:00",
}


def learn(client: TestClient, what: str, **body: Any) -> Any:
    answer = client.post(f"/api/learn/{what}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def right(drills: Drills, ref: dict[str, Any]) -> list[str]:
    """What the terminal would be told for every part."""
    exercise = drills._posed(ref)
    return [drills.texts.text(part.answer.right) for part in exercise.parts]


@pytest.fixture
def drills() -> Drills:
    return Drills.of(load_rules("ema2008"), "ema2008", "en", None)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_menu_has_every_level_and_lesson(client: TestClient, language: str) -> None:
    menu = learn(client, "menu", lang=language, progress=EMPTY)
    assert [one["id"] for one in menu["lessons"]] == [page.id for page in course()]
    assert [one["id"] for one in menu["levels"]] == [level.id for level in LADDER]
    assert menu["due"] == 0 and all(one["learnt"] == 0 < one["all"] for one in menu["levels"])
    assert menu["words"]["unknown"] == {"en": "I do not know", "ja": "わからない"}[language]
    page = learn(client, "page", lesson="fu", lang=language)
    assert page["title"] and page["lines"][-1]["won"] and page["lines"][-1]["groups"][-1] == ["8p"]


@pytest.mark.parametrize("level", [level.id for level in LADDER])
def test_what_is_right_is_right_and_what_is_not_known_is_no_mistake(
    client: TestClient, drills: Drills, level: str
) -> None:
    posed = learn(client, "exercise", level=level, progress=EMPTY)
    assert posed["page"]["id"] == level  # a level that was never met begins with its page
    ref, parts = posed["ref"], posed["parts"]
    told = learn(client, "answer", ref=ref, answers=right(drills, ref), progress=EMPTY)
    assert told["verdict"] == "right" and all(part["known"] and not part["apart"] for part in told["parts"])
    known = of_record(told["known"])[ref["topic"]]
    assert (known.answers, known.credit) == (1, 1.0)
    unknown = learn(client, "answer", ref=ref, answers=[None] * len(parts), progress=EMPTY)
    assert unknown["verdict"] == "unknown" and unknown["parts"][0]["right"] and unknown["why"]
    assert of_record(unknown["known"])[ref["topic"]].answers == 0
    again = learn(client, "exercise", level=level, progress=unknown["known"])
    assert again["page"] is None


def choices(part: dict[str, Any]) -> list[str]:
    return [one if isinstance(one, str) else one[0] for one in part.get("choices") or ()]


@pytest.mark.parametrize("level", [level.id for level in LADDER])
def test_what_can_be_touched_has_the_right_answer_among_it(
    client: TestClient, drills: Drills, level: str
) -> None:
    """A touch sends what the terminal would take; one of the choices, or all that are right, earn all."""
    for _ in range(3):
        posed = learn(client, "exercise", level=level, progress=EMPTY)
        for part, one in zip(posed["parts"], drills._posed(posed["ref"]).parts, strict=True):
            answer = one.answer
            match part["kind"]:
                case "one" | "tile" if part["choices"]:
                    assert 1.0 in [answer.credit(choice) for choice in choices(part)], (
                        posed["ref"],
                        choices(part),
                    )
                case "tiles" if part["choices"]:
                    alone = [choice for choice in choices(part) if answer.credit(choice) > 0]
                    assert alone and answer.credit("".join(alone)) == 1.0
                case "several":
                    alone = [choice for choice in choices(part) if answer.credit(choice) > 0]
                    assert answer.credit(", ".join(alone) or "none") == 1.0
                case "groups":
                    assert isinstance(answer, GroupsAnswer)
                    held = sorted(str(tile) for group in answer.groups for tile in group)
                    assert sorted(part["choices"]) == held


def test_a_wrong_answer_is_taken_apart_and_nonsense_costs_nothing(client: TestClient, drills: Drills) -> None:
    posed = learn(client, "exercise", level="tenpai", progress=EMPTY)
    exercise = drills._posed(posed["ref"])
    wrong = next(tile for tile in ("1z", "2z") if exercise.parts[0].answer.credit(tile) == 0)
    told = learn(client, "answer", ref=posed["ref"], answers=[wrong])
    assert told["verdict"] == "wrong"
    assert [wrong] in [one for line in told["parts"][0]["apart"] for one in line["text"]]
    unclear = learn(client, "answer", ref=posed["ref"], answers=["cheese"])
    assert "cheese" in str(unclear["unclear"]) and "known" not in unclear


def test_the_schedule_is_that_of_the_command_line(drills: Drills) -> None:
    """The same answers at the same times lead to the same topics and the same cards."""
    on_page: dict[str, Known] = {}
    on_terminal: dict[str, Known] = {}
    last = None
    for step in range(24):
        now = NOON + step * timedelta(minutes=7)
        page = Drills(drills.setting, of_record(to_record(on_page)))
        posed = page.exercise({"last": last}, now)
        expected = next_topic(topics(drills.setting), on_terminal, now, last)
        assert posed["ref"]["topic"] == expected
        answers = right(page, posed["ref"]) if step % 3 else [None] * len(posed["parts"])
        told = page.answer({"ref": posed["ref"], "answers": answers}, now)
        on_page.update(of_record(told["known"]))
        credit = 1.0 if step % 3 else None
        on_terminal[expected] = Known.after(on_terminal.get(expected), credit, now)
        assert on_page == on_terminal
        last = expected


def test_exercises_are_made_of_ones_own_hands(client: TestClient) -> None:
    """About half of them, as the hand was won, and judged as it was posed."""
    found = []
    for _ in range(40):
        posed = learn(client, "exercise", level="han", progress=EMPTY, own=[OWN])
        if posed["origin"] is not None:
            found.append(posed)
    assert found and "2026-02-27" in found[0]["origin"]
    assert found[0]["shown"]["last"] == ["9s"] and found[0]["ref"]["own"]["win_tile"] == "9s"
    told = learn(client, "answer", ref=found[0]["ref"], answers=["1"])
    assert told["verdict"] == "right"  # a self-draw, and nothing for a wind that is nobody's


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("menu", {"progress": 5}), ("menu", {"progress": {"version": 99, "topics": {}}}),
        ("menu", {"rules": "tehai = 1"}), ("menu", {"rules": "chess"}), ("menu", {"lang": "xx"}),
        ("page", {}), ("page", {"lesson": "chess"}), ("exercise", {"level": "chess"}),
        ("exercise", {"lesson": 5}), ("answer", {}), ("answer", {"ref": {"topic": "fu.wait"}}),
        ("answer", {"ref": {"topic": "fu.chess", "seed": 1, "fresh": False, "own": None}}),
        ("answer", {"ref": {"topic": "fu.wait", "seed": 1, "fresh": False, "own": None}, "answers": "2"}),
        ("answer", {"ref": {"topic": "fu.wait", "seed": 1, "fresh": False, "own": None}, "answers": []}),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(client: TestClient, what: str, body: dict[str, Any]) -> None:
    answer = client.post(f"/api/learn/{what}", json=body)
    assert answer.status_code == 422 and answer.json()["error"]


def test_a_hand_of_the_evening_is_asked_about_under_the_rules_of_its_game(client: TestClient) -> None:
    """Whatever rules the page drills."""
    won = {"concealed": "234m340p67s22s678m", "win_tile": "8s", "tsumo": False, "riichi": True,
           "seat_wind": "W", "loser_offset": 2}  # fmt: skip
    house = 'base = "tenhou"\n[yaku]\nriichi = [2, 0]\n'
    for called, paid in (("tenhou", "7700"), (house, "8000")):
        game = [{**GAME[0], "rules": called}, {"event": "win", "hands": [won]}]
        asked = {"rules": "toudai", "game": game, "player": "Chie", "nth": 0, "last": "own.dama"}
        ref = learn(client, "exercise", **asked)["ref"]
        assert ref["topic"] == "own.paid"
        told = learn(client, "answer", rules="toudai", ref=ref, answers=[paid])
        assert told["verdict"] == "right", (called, told["parts"])
    of_three = {**GAME[0], "rules": "tenhou3", "players": ["Aki", "Ben", "Chie"]}
    hand = {**won, "concealed": "222p345p67s22s678p", "loser_offset": 1}
    assert learn(client, "winners", game=[of_three, {"event": "win", "hands": [hand]}])["players"] == []


def test_the_yaku_of_the_house_can_be_touched() -> None:
    text = 'base = "tenhou"\n[own_yaku.plain]\nname = "Plain"\nhan = [1, 1]\nwhen = { suits = 3 }\n'
    house_drills = Drills.of(parse_rules(text), "house", "en", None)
    for seed in range(99):
        ref = {"topic": "yaku.tanyao", "seed": seed, "fresh": False, "own": None}
        exercise = house_drills._posed(ref)
        answer = exercise.parts[0].answer
        assert isinstance(answer, YakuAnswer)
        if "plain" in answer.ids:
            break
    choices = house_drills._exercise(exercise)["parts"][0]["choices"]
    assert "plain" in answer.ids and ["plain", "Plain"] in choices


def test_rules_of_three_are_refused_in_the_language_asked(client: TestClient) -> None:
    answer = client.post("/api/learn/menu", json={"rules": "tenhou3", "lang": "ja"})
    assert answer.status_code == 422 and "四人麻雀" in answer.json()["error"]


def test_the_faces_are_there(client: TestClient) -> None:
    assert client.get("/faces.jpg").content[:2] == b"\xff\xd8"


def test_the_hands_of_a_game_are_asked_about_player_by_player(client: TestClient) -> None:
    assert learn(client, "winners", game=GAME)["players"] == ["Chie", "Aki"]
    posed = learn(client, "exercise", game=GAME, player="Aki", nth=4)
    assert "Aki" in posed["level"] and posed["ref"]["own"]["concealed"] == "123m456p78s22444z"
    told = learn(client, "answer", ref=posed["ref"], answers=[None])
    assert list(told["known"]["topics"]) == [f"{posed['ref']['topic']}@Aki"] and "5" in told["step"]
    refused = client.post("/api/learn/exercise", json={"game": GAME, "player": "Ben"})
    assert refused.status_code == 422 and "This player has no hand" in refused.text
    assert client.post("/api/learn/winners", json={"game": [{"event": "chess"}]}).status_code == 422
    assert client.post("/api/learn/winners", json={}).status_code == 422
    assert client.post("/api/learn/exercise", json={"player": {}}).status_code == 422
