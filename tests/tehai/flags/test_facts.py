"""The flags that state facts: each has a record field and a meaning."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.record import DEFAULTS, REQUIRED
from tehai.errors import Mistake
from tehai.flags.facts import facts_of
from tehai.flags.table import FLAGS, NOTHING_SPECIAL, Flag


def test_every_flag_states_a_field_of_the_record() -> None:
    fields = [flag.field for flag in FLAGS]
    assert len(set(fields)) == len(fields)
    assert {*fields} - {*REQUIRED, *DEFAULTS} == {"dealer", NOTHING_SPECIAL}


@pytest.mark.parametrize("flag", [flag for flag in FLAGS if flag.kind is str], ids=lambda flag: flag.field)
def test_every_flag_with_a_text_says_what_is_wrong_with_one(flag: Flag) -> None:
    with pytest.raises(Mistake, match=f"^{flag.names}: .x"):
        facts_of({flag.field: "x"})


def test_what_flags_imply() -> None:
    assert facts_of({"robbed_ankan": True}) == {"robbed_ankan": True, "chankan": True}
    assert facts_of({"dealer": True})["seat_wind"] == "E"
    assert facts_of({"ippatsu": True}) == {"ippatsu": True, "riichi": True, "double_riichi": False}
    assert facts_of({"riichi": False, "tsumo": None}) == {
        "riichi": False, "double_riichi": False, "ippatsu": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"dealer": True, "seat_wind": "W"}, "--dealer and --seat W"),
        ({"dealer": False, "seat_wind": "east"}, "--no-dealer and --seat east"),
        ({"tsumo": True, "loser_offset": "left"}, "--tsumo and --from left"),
        ({"tsumo": True, "ron_index": 1}, "--tsumo and --ron-index 1"),
        ({"riichi": False, "ippatsu": True}, "--no-riichi and --ippatsu"),
        ({"riichi": False, "ura_indicators": ["3m"]}, "--no-riichi and --ura 3m"),
    ],
)
def test_flags_that_contradict_each_other_are_refused(flags: dict[str, Any], said: str) -> None:
    with pytest.raises(Mistake) as refused:
        facts_of(flags)
    assert str(refused.value) == f"{said} contradict each other: drop one."


def test_flags_that_go_together() -> None:
    assert facts_of({"dealer": True, "seat_wind": "E"})["dealer"] is True
    assert facts_of({"dealer": False, "seat_wind": "W"})["seat_wind"] == "W"
    assert facts_of({"tsumo": False, "loser_offset": "left"})["loser_offset"] == 3
    assert facts_of({"tsumo": True, "loser_offset": "unknown"})["loser_offset"] is None


def test_indicators_of_several_flags_add_up() -> None:
    assert facts_of({"dora_indicators": ["3m", "5z4p"]}) == {"dora_indicators": ["3m", "5z", "4p"]}
    assert facts_of({"dora_indicators": ["3m", "2", "1"]}) == {"dora_indicators": ["3m"], "dora_count": 3}
    assert facts_of({"ura_indicators": ["-"], "dora_indicators": []}) == {"ura_indicators": []}
    assert facts_of({"discards": ["3m", "5z"]}) == {"discards": "3m5z"}


def test_nothing_special_denies_what_no_other_flag_states() -> None:
    facts = facts_of({NOTHING_SPECIAL: True, "haitei": True, "double_riichi": True})
    assert facts["haitei"] and facts["double_riichi"] and facts["riichi"]
    assert facts["ippatsu"] is False and facts["rinshan"] is False and facts["dealer_wins"] == 0
    assert NOTHING_SPECIAL not in facts
