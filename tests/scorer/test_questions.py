"""Only what can still change the score is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorer import RecordError, score_record
from scorer.questions import Question, apply_defaults, open_questions

CLOSED = {"concealed": "234m340567p2267s", "win_tile": "8s"}
OPEN = {"concealed": "340567p2267s", "win_tile": "8s", "melds": [{"type": "pon", "tiles": "777z"}]}
KAN = {"concealed": "340567p2267s", "win_tile": "8s", "melds": [{"type": "ankan", "tiles": "1111m"}]}
WINDS = {"concealed": "340567p2267s", "win_tile": "8s", "melds": [{"type": "pon", "tiles": "111z"}]}
ROW = {"concealed": "234m340567p22678s"}
DRAGONS = {
    "concealed": "22z34s",
    "win_tile": "5s",
    "melds": [{"type": "pon", "tiles": tiles} for tiles in ("555z", "666z", "777z")],
}


def fields(record: dict[str, Any], **known: Any) -> list[str]:
    return [question.field for question in open_questions(record | known, list(known))]


def question(field: str, record: dict[str, Any], **known: Any) -> Question:
    return next(one for one in open_questions(record | known, list(known)) if one.field == field)


def ids(field: str, record: dict[str, Any], **known: Any) -> list[str]:
    return [choice.id for choice in question(field, record, **known).choices]


def test_a_concealed_hand() -> None:
    assert fields(CLOSED) == ["tsumo", "seat_wind", "riichi", "dora_indicators", "special"]


def test_an_open_hand() -> None:
    assert fields(OPEN) == ["tsumo", "seat_wind", "dora_indicators", "special"]


def test_the_round_only_where_it_matters() -> None:
    assert "round_wind" in fields(WINDS)
    assert "round_wind" not in fields(WINDS, round_wind="S")


def test_the_winning_tile_of_a_full_row() -> None:
    row = question("win_tile", ROW)
    assert " ".join(choice.id for choice in row.choices) == "8s 2m 3m 4m 3p 4p 5p 6p 7p 2s 6s 7s"
    assert row.default == "8s"
    assert row.answer("3p") == {"win_tile": "3p", "concealed": "234m40567p22678s"}
    assert "win_tile" not in fields(CLOSED)


def test_the_winning_tile_is_asked_though_the_row_is_known() -> None:
    """The row was seen or typed; which of its tiles won is open all the same."""
    assert fields(ROW) == [one.field for one in open_questions(ROW, {"concealed": "seen"})]
    row = next(one for one in open_questions(ROW, {"concealed": "seen"}) if one.field == "win_tile")
    answer = row.answer("3p")
    left = open_questions(ROW | answer, {"concealed": "asked", "win_tile": "asked"})
    assert "win_tile" not in [one.field for one in left]


def test_nothing_is_asked_of_tiles_that_are_no_hand() -> None:
    for broken in (
        CLOSED | {"win_tile": "9s"},
        {"concealed": "234m340567p2267s"},
        {},
        {"concealed": "x"},
        {"concealed": 3},
    ):
        assert open_questions(broken) == ()


def test_ura_only_after_riichi_and_with_the_dora() -> None:
    assert "ura" not in question("dora_indicators", CLOSED, tsumo=False, riichi=False).text
    assert "ura" in question("dora_indicators", CLOSED, tsumo=False, riichi=True).text
    assert "ura_indicators" in fields(CLOSED, riichi=True, dora_indicators=["3m"])


def test_what_is_special_depends_on_the_win() -> None:
    assert ids("special", CLOSED, tsumo=True, seat_wind="E") == ["none", "haitei", "tenhou"]
    assert ids("special", CLOSED, tsumo=True, seat_wind="W") == ["none", "haitei", "chiihou"]
    assert ids("special", KAN, tsumo=True, seat_wind="W") == ["none", "rinshan", "haitei"]
    assert ids("special", OPEN, tsumo=False) == ["none", "houtei", "chankan"]
    assert ids("special", CLOSED, tsumo=False, seat_wind="W") == ["none", "houtei", "chankan", "renhou"]
    assert "renhou" not in ids("special", CLOSED, tsumo=False, seat_wind="W", rules="tenhou")
    assert "tenhou" not in ids("special", CLOSED, tsumo=True, seat_wind="E", riichi=True)


def test_chankan_needs_a_tile_that_the_hand_does_not_hold_twice() -> None:
    pair = {"concealed": "234m340567p678s2s", "win_tile": "2s"}
    assert "chankan" not in ids("special", pair, tsumo=False)


def test_who_discarded() -> None:
    assert fields(CLOSED, tsumo=False)[0] == "loser_offset"
    assert question("loser_offset", CLOSED, tsumo=False).answer("") == {"tsumo": False, "loser_offset": None}
    assert "loser_offset" not in fields(CLOSED, tsumo=True)


def test_a_yakuman_needs_neither_dora_nor_round() -> None:
    assert fields(DRAGONS) == ["tsumo", "seat_wind", "pao"]
    assert "pao" not in fields(OPEN)


def test_who_is_liable_is_asked_where_the_rules_know_it(tmp_path: Path) -> None:
    """Toudai §4.1.6: of little four winds the third open set, which EMA 2008 §3.3.6 has not."""
    melds = [{"type": "pon", "tiles": tiles} for tiles in ("111z", "222z", "333z")]
    winds = {"concealed": "44z56s", "win_tile": "7s", "melds": melds}
    assert "pao" not in fields(winds)
    path = tmp_path / "house.toml"
    path.write_text('base = "ema2008"\nliability = ["shousuushii"]\n', encoding="utf-8")
    assert "pao" in fields(winds, rules=str(path))


def test_counters_are_never_asked() -> None:
    assert not {"honba", "riichi_sticks"} & set(fields(CLOSED))


def test_a_default_is_as_good_as_unknown() -> None:
    record = CLOSED | {"seat_wind": "W"}
    assert question("seat_wind", record).default == "W"
    known = {"seat_wind": "default", "concealed": "seen"}
    assert "seat_wind" in [one.field for one in open_questions(record, known)]
    known["seat_wind"] = "asked"
    assert "seat_wind" not in [one.field for one in open_questions(record, known)]


@pytest.mark.parametrize("record", [CLOSED, OPEN, KAN, WINDS, ROW, DRAGONS])
@pytest.mark.parametrize("tsumo", [False, True])
def test_answering_ends_and_gives_a_result(record: dict[str, Any], tsumo: bool) -> None:
    """Asked one after the other, a few questions suffice, and no field is asked twice."""
    record, known, asked = dict(record), set(), []
    while left := open_questions(record, known):
        answer = "tsumo" if tsumo and left[0].field == "tsumo" else ""
        fields_set = left[0].answer(answer)
        record |= fields_set
        known |= set(fields_set)
        asked.append(left[0].field)
    assert len(asked) == len(set(asked)) <= 6
    assert record["tsumo"] is tsumo
    result = score_record(apply_defaults(record))
    assert result["status"] == "ok" or result["error"] == "no_yaku"


def test_every_choice_scores_or_says_why() -> None:
    """The points beside a choice are those of the record with it and the defaults."""
    for one in open_questions(OPEN):
        for choice in one.choices:
            result = score_record(apply_defaults(OPEN | choice.fields))
            if result["status"] == "ok":
                assert choice.points == result["points"]


def test_answers() -> None:
    dora = question("dora_indicators", CLOSED, riichi=True)
    assert dora.answer("3m1p/4s") == {"dora_indicators": ["3m", "1p"], "ura_indicators": ["4s"]}
    assert dora.answer("") == {"dora_indicators": []}
    seat = question("seat_wind", CLOSED)
    assert seat.answer("w") == seat.answer(" west ") == {"seat_wind": "W"}
    for text, asked in (("8z", dora), ("1m/2m/3m", dora), ("up", seat)):
        with pytest.raises(RecordError) as caught:
            asked.answer(text)
        assert str(caught.value).endswith(".")


def test_questions_are_json() -> None:
    for one in open_questions(ROW):
        assert json.loads(json.dumps(one.to_record()))["field"] == one.field


def test_defaults_touch_nothing() -> None:
    record = dict(ROW)
    filled = apply_defaults(record)
    assert record == ROW and filled["concealed"] == "234m340567p2267s"
    filled["dora_indicators"].append("1m")
    assert apply_defaults(record)["dora_indicators"] == []
