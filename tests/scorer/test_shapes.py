"""The short ways of the scorer come to what the long ways come to."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.fuzz import OF_VALUES, SEEDS, TARGETS, try_one
from scorer import (
    Hand,
    HandError,
    Meld,
    MeldType,
    RuleSet,
    Tile,
    Win,
    load_rules,
    readings,
    score,
)
from scorer.fu import fu_items, minipoints, total
from scorer.readings import DECLARED, counts_are_complete
from scorer.shapes import OVERFLOW, headroom, tally
from scorer.status import faults
from scorer.tiles import KINDS, TILES, count_kinds, parse_tiles
from scorer.yaku import TABLE, YAKUMAN, Prefilter, ReadingContext
from tests.scorer.random_wins import RandomWin, random_wins
from tests.scorer.short_hands import FOUR

PRESETS = [load_rules(id_) for id_ in FOUR]


@given(st.lists(st.sampled_from(TILES), max_size=40), st.tuples(*[st.integers(0, 4)] * 3))
def test_too_many_of_any_face_is_seen(tiles: list[int], reds: tuple[int, int, int]) -> None:
    counts = count_kinds(tiles)
    over = max(counts) > 4 or any(tiles.count(KINDS + suit) > most for suit, most in enumerate(reds))
    assert bool(tally(tiles) + headroom(reds) & OVERFLOW) == over


@given(st.sampled_from(MeldType), st.lists(st.sampled_from(TILES), max_size=5))
def test_what_can_be_declared_is_what_is_a_set(type_: MeldType, tiles: list[Tile]) -> None:
    meld = Meld(type_, tuple(tiles))
    assert bool(DECLARED[meld.type][meld.tiles][1]) == meld.is_set


@pytest.mark.parametrize(
    ("tiles", "types"),
    [("406p", "chi"), ("897s", "chi"), ("500m", "pon"), ("777z", "pon"), ("0555s", "minkan kakan ankan")],
)
def test_sets_can_be_declared_in_any_order_and_with_red_fives(tiles: str, types: str) -> None:
    for type_ in MeldType:
        assert bool(DECLARED[type_][parse_tiles(tiles)][1]) == (type_ in types.split())


def test_four_alike_in_a_triplet_and_a_run_are_read_once() -> None:
    hand = Hand(parse_tiles("111123m456p78s33z"), parse_tiles("9s")[0])
    assert len(readings(hand, tsumo=True)) == 1


def test_four_pairs_are_none() -> None:
    """Each suit splits, yet no hand has more than one pair."""
    assert not counts_are_complete(count_kinds(parse_tiles("11m11p11s11222333z")))
    assert counts_are_complete(count_kinds(parse_tiles("111m11p111s222333z")))


@given(random_wins(reds=True), st.sampled_from(PRESETS))
def test_minipoints_are_the_sum_of_their_items(won: RandomWin, rules: RuleSet) -> None:
    for reading in readings(won.hand, won.win.tsumo):
        case = ReadingContext(won.hand, won.win, reading, rules)
        for pinfu in (False, True):
            fu = minipoints(case.number, case.closed, pinfu, won.win, rules)
            assert fu == total(fu_items(case, pinfu, rules))


@given(random_wins(reds=True))
def test_no_yaku_is_missed_for_what_it_is_said_to_look_at(won: RandomWin) -> None:
    """With every row of the table worth a han, the best reading has all that any test finds in it."""
    ema = load_rules("ema2008")
    rules = replace(ema, yaku={yaku.id: (1, 1) for yaku in TABLE}, limits={}, limit_hands={})
    try:
        best = score(won.hand, won.win, rules)
    except HandError as error:
        assert [fault.id for fault in error.faults] == ["no_yaku"]
        return
    for one in (best, *best.other_readings):
        case = ReadingContext(won.hand, won.win, one.reading, rules)
        found = {yaku.id for yaku in TABLE if yaku.test(case)}
        superseded = {id_ for yaku in TABLE if yaku.id in found for id_ in yaku.supersedes}
        assert {id_ for id_, _ in one.yaku} - {"dora", "aka", "ura"} == found - superseded


CLAIMS = (
    "riichi", "double_riichi", "open_riichi", "ippatsu", "rinshan", "chankan", "haitei", "houtei", "tenhou",
    "chiihou", "renhou", "tsumo",
)  # fmt: skip


@settings(max_examples=200)
@given(random_wins(reds=True), st.sampled_from(PRESETS), st.sets(st.sampled_from(CLAIMS), max_size=4))
def test_what_is_remembered_of_a_way_of_winning_holds(
    won: RandomWin, rules: RuleSet, claimed: set[str]
) -> None:
    """A claim is refused exactly where the checks find a fault, whatever was scored before."""
    win = replace(won.win, **{claim: not getattr(won.win, claim) for claim in claimed})
    wrong = {fault.id for fault in faults(won.hand, win, rules)}
    try:
        score(won.hand, win, rules)
        found: set[str] = set()
    except HandError as error:
        found = {fault.id for fault in error.faults}
    assert found - {"no_yaku", "below_minimum"} == wrong


@pytest.mark.parametrize("id_", ["tenhou", "majsoul"])
def test_a_yakuman_comes_before_the_same_points_counted(id_: str) -> None:
    """Four concealed pungs, or half flush with dora to 14 han: both pay a yakuman, and this is one."""
    hand = Hand(parse_tiles("33666777888m66z"), TILES[2])
    win = Win(True, riichi=True, dora_indicators=parse_tiles("2m5m"), ura_indicators=parse_tiles("7m1p"))
    won = score(hand, win, load_rules(id_))
    assert (won.limit, won.yaku) == ("yakuman", (("suuankou", YAKUMAN),))
    counted = won.other_readings[0]
    assert (counted.limit, counted.points) == ("counted_yakuman", won.points) and counted.han > won.han


def test_no_kind_of_test_is_without_a_row() -> None:
    assert {yaku.prefilter for yaku in TABLE} | {Prefilter.ALWAYS} == set(Prefilter)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_seeds_of_the_fuzz_target_break_nothing(seed: bytes) -> None:
    if [*TARGETS][seed[0]] not in OF_VALUES:
        try_one(seed)
