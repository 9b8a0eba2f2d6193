"""The hands of an evening become exercises, player by player, each by a schedule of its own."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from scorer.game_record import replay
from scorer.tiles import parse_tiles
from scorer.wait_values import scored
from tehai.learn.answers import NumberAnswer, PaymentAnswer, WaitAnswer
from tehai.learn.deal import Deal
from tehai.learn.evening import MANY, TOPICS, topic_of, won_by
from tehai.learn.knowledge import of_record
from tehai.learn.own_hands import hand_of
from tehai.learn.pose.own import look_back
from tehai.learn.pose.value import score_it
from tehai.web.drills import Drills
from tests.scorer.short_hands import EMA, hand, win
from tests.tehai.learn.learning import setting, texts
from tests.tehai.learn.test_terminal_drill import NOON

GAME: list[dict[str, Any]] = [
    {"event": "start", "rules": "ema2008", "players": ["Aki", "Ben", "Chie", "Dan"]},
    {"event": "win", "hands": [{"concealed": "234m345p67s22s678m", "win_tile": "8s", "tsumo": False,
                                "riichi": True, "seat_wind": "W", "loser_offset": 2}]},
    {"event": "win", "hands": [{"value": {"han": 3, "fu": 40}, "tsumo": True, "seat_wind": "S"}]},
    {"event": "draw", "tenpai": ["E"]},
    {"event": "win", "hands": [{"concealed": "123m456p78s22z444z", "win_tile": "9s", "tsumo": True,
                                "riichi": False, "seat_wind": "W"}]},
]  # fmt: skip


def answer(what: str, text: str, how: str) -> object:
    exercise = look_back(what, Deal(hand(text), win(how)), setting(), Random(1))
    return exercise and exercise.parts[0].answer


def test_what_it_paid_what_dama_would_have_paid_and_which_tile_gives_pinfu() -> None:
    text, how = "234m345p22s678m67s 8s", "ron riichi seat_wind=S loser_offset=1"
    won, silent = (scored(hand(text), win(one), EMA) for one in (how, how.replace(" riichi", "")))
    assert won is not None and silent is not None and won.points > silent.points
    assert answer("paid", text, how) == NumberAnswer(won.points, "points")
    assert answer("dama", text, how) == NumberAnswer(silent.points, "points")
    assert answer("dama", text, how.replace(" riichi", "")) is None, "there was no riichi to do without"
    assert answer("pinfu", text, how) is None, "it is pinfu as it is"
    no_yaku = "123m456p22z999m67s 8s"
    assert answer("dama", no_yaku, "ron riichi seat_wind=E loser_offset=1") == NumberAnswer(0, "points")


@pytest.mark.parametrize(
    ("text", "question", "right"),
    [
        ("234m345p22s678m57s 6s", "ask.own_last", "57s"),
        ("234m678m345p4445s 5s", "ask.own_pinfu", "36s"),
    ],
)
def test_the_tiles_that_give_pinfu_are_all_that_do(text: str, question: str, right: str) -> None:
    how = "ron riichi seat_wind=S loser_offset=1"
    exercise = look_back("pinfu", Deal(hand(text), win(how)), setting(), Random(1))
    assert exercise is not None and exercise.question.kind == question
    found = exercise.parts[0].answer
    assert isinstance(found, WaitAnswer)
    assert found.kinds == tuple(tile.kind for tile in parse_tiles(right))


def test_of_a_game_each_player_has_the_hands_that_were_won_with_their_tiles() -> None:
    found = list(won_by(replay(GAME)))
    assert [name for name, _ in found] == ["Chie", "Aki"]  # a dealer who was tenpai stays
    assert found[0][1]["round_wind"] == "E" and found[1][1]["honba"] == 0


def test_a_riichi_and_a_seat_that_the_game_names_belong_to_the_hand() -> None:
    silent = {"concealed": "123m456p78s22z444z", "win_tile": "9s", "tsumo": True}
    game = replay([GAME[0], {"event": "win", "hands": [{**silent, "dealer": True}], "declared": ["E"]}])
    ((name, record),) = won_by(game)
    assert (name, record["seat_wind"], record["riichi"]) == ("Aki", "E", True)


def test_dora_told_as_a_number_are_told_in_the_exercise() -> None:
    text, how = "234m345p22s678m67s 8s", "ron riichi seat_wind=S loser_offset=1"
    told = replace(win(how), dora_count=2, ura_count=1)
    exercise = look_back("paid", Deal(hand(text), told), setting(), Random(1))
    assert exercise is not None and exercise.parts[0].answer == NumberAnswer(12000, "points")
    said = [texts(setting()).text(fact) for fact in exercise.shown.facts]
    assert said[-2:] == ["Dora: 2, without red fives.", "Ura dora: 1."]


def test_who_was_liable_is_no_part_of_an_exercise_that_does_not_say_so() -> None:
    dragons = [{"type": "pon", "tiles": tiles, "from": 1} for tiles in ("555z", "666z", "777z")]
    drawn = {"concealed": "23m99p", "win_tile": "4m", "melds": dragons, "tsumo": True, "seat_wind": "S"}
    own = hand_of({**drawn, "pao": 1}, "log")
    posed = own and score_it("yakuman", own.deal(Random(1), EMA), setting(), Random(1))
    assert posed and posed.parts[0].answer == PaymentAnswer((8000, 16000))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_five_exercises_are_asked_of_a_player_and_kept_apart_from_the_others(language: str) -> None:
    own = [record for name, record in won_by(replay(GAME)) if name == "Chie"]
    progress: dict[str, Any] | None = None
    seen, last = set(), None
    for nth in range(MANY):
        drills = Drills.of(setting().rules, "ema2008", language, progress)
        posed = drills.exercise({"player": "Chie", "own": own, "nth": nth, "last": last}, NOON)
        last = posed["ref"]["topic"]
        told = drills.answer({"ref": posed["ref"], "answers": [None]}, NOON)
        seen |= set(told["known"]["topics"])
        before = progress["topics"] if progress else {}
        progress = {**told["known"], "topics": {**before, **told["known"]["topics"]}}
        assert bool(told["step"]) == (nth == MANY - 1)
    assert seen <= {topic_of(topic, "Chie") for topic in TOPICS} and len(seen) >= 2
    assert set(of_record(progress)) == seen
