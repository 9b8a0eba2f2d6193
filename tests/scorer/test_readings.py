"""Readings, completeness and waits."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.readings import GroupType, counts_are_complete, kinds_waited, readings
from scorer.tiles import KINDS, TILES, count_kinds, format_tiles, parse_tiles
from tests.scorer.short_hands import hand, meld


def counts(text: str) -> tuple[int, ...]:
    return count_kinds(parse_tiles(text))


@pytest.mark.parametrize(
    ("tiles", "melds", "complete"),
    [
        ("111222333m444p55s", 0, True),
        ("124m055p77z", 2, False),
        ("123m555p77z", 2, True),
        ("77z", 4, True),
        ("7z", 4, False),
        ("1133m5577p2288s44z", 0, True),
        ("1111m5577p2288s44z", 0, False),  # four alike are not two pairs
        ("19m19p19s12345677z", 0, True),
        ("19m19p18s12345677z", 0, False),
        ("891m222333p444s55z", 0, False),  # 8-9-1 is no run
        ("567z222333p444s11m", 0, False),  # nor are honours
        ("111222333m444p55s", 1, False),
        ("", 0, False),
    ],
)
def test_is_complete(tiles: str, melds: int, complete: bool) -> None:
    assert counts_are_complete(counts(tiles), melds) is complete
    assert counts_are_complete(list(counts(tiles)), melds) is complete


@pytest.mark.parametrize(
    ("tiles", "melds", "waiting"),
    [
        ("1112345678999m", (), "123456789m"),
        ("19m19p19s1234567z", (), "19m19p19s1234567z"),
        ("119m19p19s123456z", (), "7z"),
        ("2345678m", ("pon:777z", "pon:666z"), "258m"),
        ("1133m5577p2288s4z", (), "4z"),
        ("1222233m", ("pon:777z", "pon:666z"), "134m"),
        ("123m456p78s22z444z", (), "69s"),
        ("1111m", ("pon:777z", "pon:666z", "pon:555z"), ""),  # it holds all four itself
        ("2z", ("pon:777z", "pon:666z", "pon:555z", "pon:222z"), ""),
        ("124m", ("pon:777z", "pon:666z", "pon:555z"), ""),
    ],
)
def test_waits(tiles: str, melds: tuple[str, ...], waiting: str) -> None:
    found = kinds_waited(counts(tiles), tuple(map(meld, melds)))
    assert format_tiles(TILES[kind] for kind in found) == waiting


def held_of(groups: list[tuple[int, ...]]) -> tuple[int, ...]:
    return count_kinds(kind for group in groups for kind in group)


SETS = [(kind,) * 3 for kind in range(KINDS)] + [(k, k + 1, k + 2) for k in range(27) if k % 9 < 7]
PAIRS = [(kind, kind) for kind in range(KINDS)]

finished = (
    st.tuples(st.lists(st.sampled_from(SETS), min_size=4, max_size=4), st.sampled_from(PAIRS))
    .map(lambda drawn: held_of([*drawn[0], drawn[1]]))
    .filter(lambda held: max(held) <= 4)
)
"""Counts of four sets and a pair, no kind more than four times."""


@given(finished)
def test_what_is_built_of_sets_is_complete_and_waited_for(held: tuple[int, ...]) -> None:
    assert counts_are_complete(held)
    for kind in range(KINDS):
        if held[kind]:
            assert kind in kinds_waited((*held[:kind], held[kind] - 1, *held[kind + 1 :]))


def brute_force(held: list[int], sets: int, pair: bool) -> bool:
    """Whether counts split into so many sets and a pair, tried in the plainest way."""
    if not any(held):
        return sets == 0 and not pair
    kind = next(kind for kind in range(KINDS) if held[kind])
    for taken in ((kind,) * 2, (kind,) * 3, (kind, kind + 1, kind + 2)):
        if len(taken) == 2 and not pair:
            continue
        if taken[-1] != kind and (kind > 26 or kind % 9 > 6):
            continue
        rest = list(held)
        for one in taken:
            rest[one] -= 1
        if min(rest) >= 0 and brute_force(rest, sets - (len(taken) == 3), pair and len(taken) == 3):
            return True
    return False


def test_complete_agrees_with_brute_force() -> None:
    """Crowded hands of few kinds, where sets can be cut in many ways."""
    random.seed(8)
    seen = set()
    for _ in range(3000):
        wall = [kind for kind in random.choice((range(9), range(12), range(20, 31))) for _ in range(4)]
        size = random.choice((2, 5, 8, 11, 14))
        held = count_kinds(random.sample(wall, size))
        plain = brute_force(list(held), size // 3, True) or (size == 14 and sum(c == 2 for c in held) == 7)
        assert counts_are_complete(held, (14 - size) // 3) is plain
        seen.add(plain)
    assert seen == {True, False}


@given(finished, st.booleans())
def test_readings_hold_exactly_the_tiles_of_the_hand(held: tuple[int, ...], tsumo: bool) -> None:
    tiles = [TILES[kind] for kind in range(KINDS) for _ in range(held[kind])]
    won = hand(f"{format_tiles(tiles[1:])} {tiles[0]}")
    found = readings(won, tsumo)
    assert found and len(set(found)) == len(found)
    for reading in found:
        used = [tile for group in reading.groups for tile in group.tiles]
        assert sorted(used) == sorted(won.tiles)
        assert won.win_tile in reading.groups[reading.win_group].tiles


@pytest.mark.parametrize("win_tile", ["5p", "0p"])
def test_red_fives_stand_where_they_are(win_tile: str) -> None:
    """The winning five lies in the group that it finishes, the other five in another."""
    other = {"5p": "0p", "0p": "5p"}[win_tile]
    for reading in readings(hand(f"34{other[0]}46p22789s444z {win_tile}"), tsumo=False):
        texts = [format_tiles(group.tiles) for group in reading.groups]
        assert win_tile[0] in texts[reading.win_group]
        assert other[0] not in texts[reading.win_group]
        assert any(other[0] in text and "p" in text for text in texts)


def test_every_place_of_the_winning_tile() -> None:
    """EMA 2008 §4.1.1: the 7 that finishes 5-6-7 or 7-8-9; the winner chooses."""
    found = readings(hand("56789m234p44s777z 7m"), tsumo=False)
    assert {
        (str(reading.wait), format_tiles(reading.groups[reading.win_group].tiles)) for reading in found
    } == {
        ("ryanmen", "567m"),
        ("penchan", "789m"),
    }


def test_a_triplet_finished_by_a_discard_is_open() -> None:
    def concealed(tsumo: bool) -> list[bool]:
        (reading,) = readings(hand("11m44p234567s 1m pon:777z"), tsumo)
        return [group.concealed for group in reading.groups if group.type is GroupType.PON]

    assert concealed(tsumo=True) == [True, False]
    assert concealed(tsumo=False) == [False, False]
