"""The tables of EMA 2008 §4.1.3 cell by cell, limits, counters, bets, liability, several winners."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.hand import Win, Wind
from scorer.payment import YAKUMAN_BASE, base_points, hand_points, settle
from tests.scorer.short_hands import EMA, TENHOU, scored, win

EAST_TSUMO = """
20     -   700  1300  2600
25     -     -  1600  3200
30   500  1000  2000  3900
40   700  1300  2600  4000
50   800  1600  3200  4000
60  1000  2000  3900  4000
70  1200  2300  4000  4000
80  1300  2600  4000  4000
90  1500  2900  4000  4000
100 1600  3200  4000  4000
"""
OTHERS_TSUMO = """
20         -   400/700  700/1300 1300/2600
25         -         -  800/1600 1600/3200
30   300/500  500/1000 1000/2000 2000/3900
40   400/700  700/1300 1300/2600 2000/4000
50   400/800  800/1600 1600/3200 2000/4000
60  500/1000 1000/2000 2000/3900 2000/4000
70  600/1200 1200/2300 2000/4000 2000/4000
80  700/1300 1300/2600 2000/4000 2000/4000
90  800/1500 1500/2900 2000/4000 2000/4000
100 800/1600 1600/3200 2000/4000 2000/4000
"""
EAST_RON = """
25     -  2400  4800  9600
30  1500  2900  5800 11600
40  2000  3900  7700 12000
50  2400  4800  9600 12000
60  2900  5800 11600 12000
70  3400  6800 12000 12000
80  3900  7700 12000 12000
90  4400  8700 12000 12000
100 4800  9600 12000 12000
"""
OTHERS_RON = """
25     -  1600  3200  6400
30  1000  2000  3900  7700
40  1300  2600  5200  8000
50  1600  3200  6400  8000
60  2000  3900  7700  8000
70  2300  4500  8000  8000
80  2600  5200  8000  8000
90  2900  5800  8000  8000
100 3200  6400  8000  8000
"""
LIMITS = {
    "mangan": (5,),
    "haneman": (6, 7),
    "baiman": (8, 9, 10),
    "sanbaiman": (11, 12),
    "counted_yakuman": (13, 20),
}
LIMIT_SHARES = {"mangan": 2000, "haneman": 3000, "baiman": 4000, "sanbaiman": 6000, "counted_yakuman": 8000}


def cells(table: str) -> list[tuple[int, int, str]]:
    """(minipoints, han, what is paid) of every filled cell."""
    rows = [line.split() for line in table.strip().splitlines()]
    return [(int(fu), han, cell) for fu, *row in rows for han, cell in enumerate(row, start=1) if cell != "-"]


def deltas(han: int, fu: int, how: Win) -> tuple[int, ...]:
    paid = settle(how, base_points(han, fu, EMA)[0], 0, EMA)
    assert paid is not None
    return paid


@pytest.mark.parametrize(("fu", "han", "each"), cells(EAST_TSUMO))
def test_east_self_draw(fu: int, han: int, each: str) -> None:
    assert deltas(han, fu, win("tsumo seat_wind=E")) == (3 * int(each), *[-int(each)] * 3)


@pytest.mark.parametrize(("fu", "han", "shares"), cells(OTHERS_TSUMO))
def test_others_self_draw(fu: int, han: int, shares: str) -> None:
    other, east = map(int, shares.split("/"))
    for seat, east_at in (("S", 3), ("W", 2), ("N", 1)):
        won, *paid = deltas(han, fu, win(f"tsumo seat_wind={seat}"))
        assert won == 2 * other + east
        assert [-east if offset == east_at else -other for offset in (1, 2, 3)] == paid


@pytest.mark.parametrize(("seat", "table"), [("E", EAST_RON), ("S", OTHERS_RON), ("N", OTHERS_RON)])
def test_discard(seat: str, table: str) -> None:
    for fu, han, points in cells(table):
        assert deltas(han, fu, win(f"ron seat_wind={seat} loser_offset=2")) == (
            int(points),
            0,
            -int(points),
            0,
        )


def test_limits() -> None:
    for limit, counts in LIMITS.items():
        for han in counts:
            base, name = base_points(han, 30, EMA)
            assert (base, name) == (LIMIT_SHARES[limit], limit)
            assert hand_points(base, False, True) == 6 * base
            assert hand_points(base, False, False) == hand_points(base, True, False) == 4 * base


def test_a_limit_that_is_not_played() -> None:
    rules = replace(EMA, limits={name: han for name, han in EMA.limits.items() if name != "counted_yakuman"})
    assert base_points(13, 30, rules) == (6000, "sanbaiman")


@pytest.mark.parametrize(("han", "fu"), [(4, 30), (3, 60)])
def test_kiriage(han: int, fu: int) -> None:
    assert base_points(han, fu, EMA) == (1920, None)
    assert base_points(han, fu, replace(EMA, kiriage_mangan=True)) == (2000, "mangan")


def test_counters_and_bets() -> None:
    """EMA 2008 §3.4.10: 300 a counter, 100 from each on a self-draw; the winner takes the bets."""
    assert deltas(3, 30, win("ron honba=2 riichi_sticks=1 loser_offset=1")) == (
        3900 + 600 + 1000,
        -4500,
        0,
        0,
    )
    assert deltas(3, 30, win("tsumo honba=2 riichi_sticks=1")) == (4000 + 600 + 1000, -1200, -1200, -2200)


def test_counters_of_a_second_winner() -> None:
    """EMA 2008 §4.1: each winner receives the counters; Tenhou pays them to the first alone."""
    second = win("ron honba=1 ron_index=1 loser_offset=1")
    assert settle(second, 1000, 0, EMA) == (4300, -4300, 0, 0)
    assert settle(second, 1000, 0, TENHOU) == (4000, -4000, 0, 0)


def test_unknown_discarder_pays_nobody_knows_from_where() -> None:
    assert settle(win("ron"), 1000, 0, EMA) is None


DAISANGEN = "23m44s 1m pon:555z pon:666z pon:777z"


@pytest.mark.parametrize(
    ("how", "paid"),
    [
        ("tsumo pao=2", (32000, 0, -32000, 0)),
        ("tsumo pao=2 seat_wind=E honba=1 riichi_sticks=1", (49300, 0, -48300, 0)),
        ("ron pao=2 loser_offset=1", (32000, -16000, -16000, 0)),
        ("ron pao=2 loser_offset=1 honba=1", (32300, -16000, -16300, 0)),
        ("ron pao=2 loser_offset=2 honba=1", (32300, 0, -32300, 0)),
        ("ron loser_offset=2", (32000, 0, -32000, 0)),
    ],
)
def test_liability(how: str, paid: tuple[int, ...]) -> None:
    """EMA 2008 §3.3.6: the feeder pays a self-draw alone, and half of a discard by another."""
    assert scored(DAISANGEN, how).deltas == paid


def test_liability_for_one_of_two_yakuman() -> None:
    """Where yakuman add up the feeder is liable for his own; where they do not, for the hand."""
    hand = "1z222z 1z pon:555z pon:666z pon:777z"
    assert scored(hand, "tsumo pao=1", TENHOU).deltas == (64000, -40000, -8000, -16000)
    assert scored(hand, "ron pao=1 loser_offset=2", TENHOU).deltas == (64000, -16000, -48000, 0)
    assert scored(hand, "tsumo pao=1", EMA).deltas == (32000, -32000, 0, 0)


def test_nobody_is_liable_for_other_hands() -> None:
    assert scored("123m456p78s22z444z 9s", "tsumo pao=1").deltas == (1500, -400, -400, -700)


@settings(deadline=None)
@given(
    base=st.integers(1, 64_000),
    share=st.integers(0, 2),
    tsumo=st.booleans(),
    seat=st.sampled_from(list(Wind)),
    honba=st.integers(0, 20),
    sticks=st.integers(0, 9),
    loser=st.integers(1, 3),
    pao=st.none() | st.integers(1, 3),
)
def test_what_is_paid_is_what_is_won(
    base: int, share: int, tsumo: bool, seat: Wind, honba: int, sticks: int, loser: int, pao: int | None
) -> None:
    """The sum is the bets that lay on the table, and nobody but the winner gains."""
    how = Win(tsumo, seat, honba=honba, riichi_sticks=sticks, loser_offset=None if tsumo else loser, pao=pao)
    base = YAKUMAN_BASE * (1 + share) if pao else base
    won, *paid = settle(how, base, min(base, YAKUMAN_BASE * share), EMA) or (0, 0, 0, 0)
    assert won + sum(paid) == 1000 * sticks
    assert won == hand_points(base, tsumo, how.is_dealer) + 300 * honba + 1000 * sticks
    assert all(points <= 0 for points in paid)


def test_every_seat_pays_its_share() -> None:
    """The dealer pays twice wherever he sits."""
    for seat, dealer in product("SWN", (1, 2, 3)):
        _, *paid = settle(win(f"tsumo seat_wind={seat}"), 2000, 0, EMA) or (0, 0, 0, 0)
        assert (paid[dealer - 1] == -4000) == ((seat, dealer) in (("S", 3), ("W", 2), ("N", 1)))
