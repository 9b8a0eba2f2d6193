"""Every fact that a score takes for granted has its phrase, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.asking.assumed import assumed
from scorer.asking.phrases import Phrases
from scorer.asking.plan import TILE, Doubt, plan_of
from scorer.hand_tiles import HandTiles
from scorer.record import parse_open
from scorer.telling.catalogue import LANGUAGES

CLOSED: dict[str, Any] = {"concealed": "234m340567p2267s", "win_tile": "8s"}
WINDS = {"concealed": "340567p2267s", "win_tile": "8s", "melds": [{"type": "pon", "tiles": "333z"}]}
DRAGONS = {
    "concealed": "22z34s",
    "win_tile": "5s",
    "melds": [{"type": "pon", "tiles": tiles} for tiles in ("555z", "666z", "777z")],
}


def of(
    record: dict[str, Any], *known: str, language: str = "en", doubts: tuple[Doubt, ...] = ()
) -> list[str]:
    return list(assumed(plan_of(parse_open(record, known), doubts, language).questions, Phrases(language)))


@pytest.mark.parametrize(
    ("record", "known", "said"),
    [
        (CLOSED, (), "not the dealer, no riichi, ron, no dora"),
        (CLOSED | {"seat_wind": "E"}, (), "as the dealer, no riichi, ron, no dora"),
        (CLOSED | {"riichi": True}, (), "not the dealer, riichi, ron, no dora"),
        (CLOSED | {"tsumo": True}, ("tsumo",), "not the dealer, no riichi, nothing special, no dora"),
        (CLOSED | {"dora_indicators": []}, ("dora_indicators",), "not the dealer, no riichi, ron"),
        (WINDS, (), "not the dealer, no seat wind, in the east round, ron, no dora"),
        ({"concealed": "234m340567p22678s"}, (), "not the dealer, no riichi, ron, won on 8s, no dora"),
        (DRAGONS, (), "not the dealer, ron, nobody liable"),
        (DRAGONS | {"pao": 2}, ("pao",), "not the dealer, ron, another player discarded"),
    ],
)
def test_every_open_fact_is_said(record: dict[str, Any], known: tuple[str, ...], said: str) -> None:
    assert ", ".join(of(record, *known)) == said


def test_what_was_answered_is_not_said() -> None:
    facts = {"tsumo": False, "seat_wind": "S", "riichi": True, "dora_indicators": [], "ura_indicators": []}
    told = {**facts, **dict.fromkeys(("ippatsu", "double_riichi", "houtei", "chankan", "renhou"), False)}
    assert of(CLOSED | told, *told) == []


def test_a_tile_in_doubt_is_taken_as_it_was_read() -> None:
    doubt = Doubt(
        "2s", "1s", "tile 10", HandTiles.from_record(CLOSED | {"concealed": "234m340567p1167s"}, {}), 0.3
    )
    assert "2s as read" in of(CLOSED, doubts=(doubt,))
    asked = plan_of(parse_open(CLOSED), (doubt,)).questions
    assert TILE in [question.field for question in asked]


def test_in_japanese_nothing_is_said_in_english() -> None:
    assert set(LANGUAGES) == {"en", "ja"}
    for record in (CLOSED, WINDS, DRAGONS, CLOSED | {"riichi": False}):
        for phrase in of(record, language="ja"):
            assert not any(letter.isascii() and letter.isalpha() for letter in phrase), phrase
    assert of(CLOSED, language="ja") == ["子", "リーチなし", "ロン", "ドラなし"]
