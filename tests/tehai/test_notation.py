"""The typed line: parse and format are inverse, and what is not in the grammar is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tehai.errors import Mistake
from tehai.notation import correct, format_hand, format_tiles, line_of, parse_hand, parse_tiles

TILES = [f"{n}{suit}" for suit in "mps" for n in range(10)] + [f"{n}z" for n in range(1, 8)]
tiles = st.sampled_from(TILES)


@st.composite
def melds(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["chi", "pon", "minkan", "kakan", "ankan"]))
    size = 3 if kind in ("chi", "pon") else 4
    held = draw(st.lists(tiles, min_size=size, max_size=size))
    return {"type": kind, "tiles": format_tiles(held), "from": draw(st.sampled_from([1, 2, 3, None]))}


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    record: dict[str, Any] = {
        "concealed": format_tiles(draw(st.lists(tiles, max_size=14))),
        "melds": draw(st.lists(melds(), max_size=4)),
    }
    if draw(st.booleans()):
        record["win_tile"] = draw(tiles)
    return record


@given(st.lists(tiles, max_size=18))
def test_tiles_round_trip(held: list[str]) -> None:
    assert list(parse_tiles(format_tiles(held))) == held


@given(records())
def test_hands_round_trip(record: dict[str, Any]) -> None:
    assert parse_hand(format_hand(record)) == record


@given(st.text(alphabet="0123456789mpsz[]+cka<>^= x", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        record = parse_hand(text)
    except Mistake as mistake:
        assert str(mistake).endswith(".")
    else:
        assert parse_hand(format_hand(record)) == record


def test_the_documented_line() -> None:
    assert parse_hand("123m 456p 789s 11z + 1z [777z^] [a2222p]") == {
        "concealed": "123m456p789s11z",
        "win_tile": "1z",
        "melds": [
            {"type": "pon", "tiles": "777z", "from": 2},
            {"type": "ankan", "tiles": "2222p", "from": None},
        ],
    }


@pytest.mark.parametrize(
    ("meld", "kind"), [("[123m]", "chi"), ("[055p]", "pon"), ("[5550p]", "minkan"), ("[s5550p<]", "kakan")]
)
def test_melds_without_a_letter_go_by_their_tiles(meld: str, kind: str) -> None:
    assert parse_hand(meld)["melds"][0]["type"] == kind


@pytest.mark.parametrize(
    "line", ["123", "8z", "0z", "12x", "11m + 11m", "[x123m]", "[123m", "1m + 1m + 1m", "m1"]
)
def test_refused(line: str) -> None:
    with pytest.raises(Mistake):
        parse_hand(line)


def test_corrections() -> None:
    record = {**parse_hand("123m11z + 1z [p777z<]"), "tsumo": True}
    assert line_of(record) == ["1m", "2m", "3m", "1z", "1z", "1z", "7z", "7z", "7z"]
    fixed = correct(record, "3=0p, 6=2z 9=6z")
    assert fixed["concealed"] == "12m0p11z" and fixed["win_tile"] == "2z" and fixed["tsumo"]
    assert fixed["melds"] == [{"type": "pon", "tiles": "776z", "from": 3}]
    retyped = correct(record, "99s + 9s")
    assert (retyped["concealed"], retyped["win_tile"], retyped["melds"]) == ("99s", "9s", [])
    assert "win_tile" not in correct(record, "999s")
    for answer in ("10=1m", "0=1m", "3=8z", "3=", "x=1m"):
        with pytest.raises(Mistake):
            correct(record, answer)
