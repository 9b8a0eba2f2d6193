"""The typed line: parse and format are inverse, and what is not in the grammar is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.hand import Meld, MeldType
from scorer.hand_tiles import HandTiles
from scorer.tiles import TILES, Tile, format_tiles, parse_tiles
from tehai.errors import Mistake
from tehai.hand.notation import correct, format_hand, parse_hand, typed_tiles

tiles = st.sampled_from(TILES)


@st.composite
def melds(draw: st.DrawFn) -> Meld:
    kind = draw(st.sampled_from(MeldType))
    size = 4 if kind.is_kan else 3
    held = draw(st.lists(tiles, min_size=size, max_size=size))
    return Meld(kind, held, draw(st.sampled_from([1, 2, 3, None])))


@st.composite
def hands(draw: st.DrawFn) -> HandTiles:
    return HandTiles(
        tuple(draw(st.lists(tiles, max_size=14))),
        tuple(draw(st.lists(melds(), max_size=4))),
        draw(st.none() | tiles),
    )


@given(st.lists(tiles, max_size=18))
def test_tiles_round_trip(held: list[Tile]) -> None:
    assert list(typed_tiles(format_tiles(held))) == held
    assert list(typed_tiles(format_tiles(held).upper())) == held


@given(hands())
def test_hands_round_trip(hand_tiles: HandTiles) -> None:
    assert parse_hand(format_hand(hand_tiles)) == hand_tiles


@given(st.text(alphabet="0123456789mpsz[]+cka<>^= x", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        hand_tiles = parse_hand(text)
    except Mistake as mistake:
        assert str(mistake).endswith(".")
    else:
        assert parse_hand(format_hand(hand_tiles)) == hand_tiles


def test_the_documented_line() -> None:
    assert parse_hand("123m 456p 789s 11z + 1z [777z^] [a2222p]") == HandTiles(
        parse_tiles("123m456p789s11z"),
        (Meld("pon", "777z", 2), Meld("ankan", "2222p")),
        Tile.parse("1z"),
    )


@pytest.mark.parametrize(
    ("meld", "kind"), [("[123m]", "chi"), ("[055p]", "pon"), ("[5550p]", "minkan"), ("[s5550p<]", "kakan")]
)
def test_melds_without_a_letter_go_by_their_tiles(meld: str, kind: str) -> None:
    assert parse_hand(meld).melds[0].type == kind


@pytest.mark.parametrize(
    "line", ["123", "8z", "0z", "12x", "11m + 11m", "[x123m]", "[123m", "1m + 1m + 1m", "m1"]
)
def test_refused(line: str) -> None:
    with pytest.raises(Mistake):
        parse_hand(line)


def test_corrections() -> None:
    hand_tiles = replace(parse_hand("123m11z + 1z [p777z<]"), dora_indicators=parse_tiles("5s"))
    assert hand_tiles.line == parse_tiles("123m111z777z")
    fixed = correct(hand_tiles, "3=0p, 6=2z 9=6z")
    assert format_tiles(fixed.concealed) == "12m0p11z" and fixed.win_tile == Tile.parse("2z")
    assert fixed.melds == (Meld("pon", "776z", 3),) and fixed.dora_indicators == hand_tiles.dora_indicators
    retyped = correct(hand_tiles, "99s + 9s")
    assert (retyped.concealed, retyped.win_tile, retyped.melds) == (parse_tiles("99s"), Tile.parse("9s"), ())
    assert retyped.dora_indicators == hand_tiles.dora_indicators
    assert correct(hand_tiles, "999s").win_tile is None
    for answer in ("10=1m", "0=1m", "3=8z", "3=", "x=1m"):
        with pytest.raises(Mistake):
            correct(hand_tiles, answer)
