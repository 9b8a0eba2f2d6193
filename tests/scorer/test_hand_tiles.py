"""The tiles as they lie: with a winning tile or none, as a record and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import Hand, Meld, Tile, format_tiles, parse_tiles
from scorer.hand_tiles import FactSource, HandTiles
from scorer.record import RecordError, complete, parse_open, record_of, with_fields

ROW = HandTiles(parse_tiles("234m340567p22678s"))
WAITING = HandTiles(parse_tiles("234m340567p2267s"))
tiles = st.lists(st.builds(Tile, st.integers(0, 36)), max_size=14).map(tuple)


@st.composite
def hand_tiles(draw: st.DrawFn) -> HandTiles:
    known = {
        name: draw(st.sampled_from(FactSource))
        for name in ("concealed", "melds", "win_tile", "dora_indicators")
    }
    melds = draw(
        st.lists(st.builds(Meld, st.just("pon"), tiles, st.sampled_from([None, 1, 2, 3])), max_size=4)
    )
    return HandTiles(draw(tiles), tuple(melds), draw(tiles.filter(bool))[0], draw(tiles)[:5], known=known)


@given(hand_tiles())
def test_tiles_come_back_from_their_record(one: HandTiles) -> None:
    assert HandTiles.from_record(one.to_record(), one.known) == one
    assert parse_open(one.to_record(), one.known).hand_tiles == one


def test_a_row_is_won_on_its_last_tile_or_on_one_that_is_named() -> None:
    assert ROW.size == 14 and ROW.is_complete and not ROW.is_waiting and ROW.hand is None
    assert ROW.last_won().hand == Hand("234m340567p2267s", "8s")
    named = ROW.won_on(Tile("6s"))
    assert named is not None and named.hand == Hand("234m340567p2278s", "6s")
    assert ROW.won_on(Tile("9s")) is None
    again = named.won_on(Tile("8s"))
    assert again is not None and again.win_tile == Tile("8s") and again.size == 14
    assert next(str(won.win_tile) for won in ROW.winning_tiles()) == "8s"


def test_thirteen_tiles_wait_and_have_no_winning_tile() -> None:
    assert WAITING.is_waiting and format_tiles(WAITING.waits) == "58s" and WAITING.last_won() == WAITING
    assert [format_tiles(won.closed) for won in WAITING.winning_tiles()] == [
        "234m340567p22675s",
        "234m340567p22678s",
    ]
    nothing = HandTiles(parse_tiles("147m258p369s1234z"))
    assert nothing.is_waiting and not nothing.waits and not list(nothing.winning_tiles())
    with pytest.raises(RecordError, match="waiting for 5s, 8s: add the winning tile"):
        complete(parse_open({"concealed": "234m340567p2267s"}))


def test_a_tile_is_replaced_by_its_place_on_the_line() -> None:
    one = HandTiles(parse_tiles("12m"), (Meld("pon", "777z", 2),), Tile("3m"))
    assert format_tiles(one.line) == "123m777z"
    assert one.with_tile(3, Tile("4m")).win_tile == Tile("4m")
    assert one.with_tile(4, Tile("6z")).melds == (Meld("pon", "677z", 2),)
    for place in (0, 7):
        with pytest.raises(IndexError):
            one.with_tile(place, Tile("1m"))


def test_hands_are_alike_in_whatever_order_they_lie() -> None:
    sets = (Meld("pon", "777z", 2), Meld("chi", "340p", 3))
    one = HandTiles(
        parse_tiles("123m55s"), sets, Tile("6s"), parse_tiles("1m9p"), known={"melds": FactSource.SEEN}
    )
    other = HandTiles(
        parse_tiles("5s312m5s"), (Meld("chi", "034p", 3), sets[0]), Tile("6s"), parse_tiles("9p1m")
    )
    assert one != other and one.unordered == other.unordered
    assert one.with_tile(4, Tile("0s")).unordered != one.unordered


def test_a_field_that_is_there_says_how_it_is_known() -> None:
    opened = parse_open({"concealed": "123m", "honba": 2}, {"concealed": "seen"})
    assert opened.known == {"concealed": FactSource.SEEN, "honba": FactSource.DEFAULT}
    more = with_fields(opened, {"riichi": True, "rules": "tenhou"}, FactSource.ASKED)
    assert more.win.riichi and more.rules.id == "tenhou" and more.known["rules"] is FactSource.ASKED
    assert record_of(more) == {"rules": "tenhou", "riichi": True, "honba": 2, "concealed": "123m"}
    with pytest.raises(RecordError, match="known says of each field one of seen, inferred"):
        parse_open({}, {"concealed": "guessed"})
