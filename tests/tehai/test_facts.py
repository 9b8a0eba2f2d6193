"""The flags that state facts: each has a record field and a meaning."""

from __future__ import annotations

import pytest

from scorer.record import DEFAULTS, REQUIRED
from tehai.errors import Mistake
from tehai.facts import facts_of
from tehai.flags import FLAGS, NOTHING_SPECIAL, Flag


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
    assert facts_of({"dealer": True, "seat_wind": "S"})["seat_wind"] == "E"
    assert facts_of({"ippatsu": True}) == {"ippatsu": True, "riichi": True, "double_riichi": False}
    assert facts_of({"riichi": False, "tsumo": None}) == {
        "riichi": False, "double_riichi": False, "ippatsu": False,
    }  # fmt: skip


def test_nothing_special_denies_what_no_other_flag_states() -> None:
    facts = facts_of({NOTHING_SPECIAL: True, "haitei": True, "double_riichi": True})
    assert facts["haitei"] and facts["double_riichi"] and facts["riichi"]
    assert facts["ippatsu"] is False and facts["rinshan"] is False and facts["dealer_wins"] == 0
    assert NOTHING_SPECIAL not in facts
