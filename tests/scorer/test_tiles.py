from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.tiles import KINDS, TILES, Tile, TileError, count_kinds, dora_of, format_tiles, parse_tiles

tiles = st.lists(st.sampled_from(TILES))


@given(tiles)
def test_tiles_survive_being_written_and_read(hand: list[Tile]) -> None:
    assert list(parse_tiles(format_tiles(hand))) == hand


@given(st.text(alphabet="0123456789mpsz x"))
def test_text_is_tiles_or_a_clear_error(text: str) -> None:
    try:
        assert parse_tiles(format_tiles(parse_tiles(text))) == parse_tiles(text)
    except TileError as error:
        assert str(error).endswith(".")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("8z", "'8z' is not a tile"),
        ("0z", "'0z' is not a tile"),
        ("12", "ends in '12' without a suit"),
        ("1m2", "ends in '2' without a suit"),
        ("m", "'m' without a number before it"),
        ("1x", "'x', which is no part of a tile"),
        ("5mr", "'r', which is no part of a tile"),
        ("1M", "'M', which is no part of a tile"),
        ("E", "1z–4z for east south west north"),
        ("中", "5z–7z for white green red"),
    ],
)
def test_what_is_no_tile_is_refused_in_one_sentence(text: str, says: str) -> None:
    """``docs/hand.md`` has one way to write a tile; what is written otherwise is told how."""
    with pytest.raises(TileError, match=re.escape(says)) as refused:
        parse_tiles(text)
    assert str(refused.value).endswith(".") and ". " not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("123m055p77z", "1m 2m 3m 0p 5p 5p 7z 7z"), (" 1 2m 0s\t7z\n", "1m 2m 0s 7z"), ("", "")],
)
def test_tiles_of_a_suit_share_its_letter_and_blanks_mean_nothing(text: str, wanted: str) -> None:
    assert [str(tile) for tile in parse_tiles(text)] == wanted.split()


def test_order_of_the_faces() -> None:
    assert format_tiles(TILES) == "123456789m123456789p123456789s1234567z0m0p0s"
    assert [Tile.parse(red).kind for red in ("0m", "0p", "0s")] == [4, 13, 22]


@given(tiles)
def test_counts_take_red_fives_as_fives(hand: list[Tile]) -> None:
    counts = count_kinds(hand)
    assert len(counts) == KINDS and sum(counts) == len(hand)
    assert counts == count_kinds(TILES[tile.kind] for tile in hand)


@pytest.mark.parametrize(
    ("indicator", "dora"),
    [one.split() for one in ("1m 2m", "9p 1p", "0s 6s", "1z 2z", "4z 1z", "7z 5z", "5z 6z", "6z 7z")],
)
def test_dora_follows_its_indicator(indicator: str, dora: str) -> None:
    """EMA 2008 §2.7: nine points to one, winds east south west north, dragons red white green."""
    assert dora_of(Tile.parse(indicator)) == Tile.parse(dora)


def test_names() -> None:
    assert [TILES[index].name for index in (0, 27, 31, 35)] == [
        "1 character", "east", "white dragon", "red 5 circles",
    ]  # fmt: skip
