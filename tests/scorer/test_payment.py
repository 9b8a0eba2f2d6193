"""Limits, counters, bets, liability, and what holds for all payments (the tables: test_source_tables)."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import Hand, HandError, Meld, RuleSet, load_rules, score
from scorer.hand import Win, Wind
from scorer.payment import YAKUMAN_BASE, base_points, deltas, hand_points
from tests.scorer.short_hands import EMA, FOUR, TENHOU, scored, win

MAJSOUL = load_rules("majsoul")

LIMITS = {
    "mangan": (5,),
    "haneman": (6, 7),
    "baiman": (8, 9, 10),
    "sanbaiman": (11, 12),
    "counted_yakuman": (13, 20),
}
LIMIT_SHARES = {"mangan": 2000, "haneman": 3000, "baiman": 4000, "sanbaiman": 6000, "counted_yakuman": 8000}


def paid_for(han: int, fu: int, how: Win) -> tuple[int, ...]:
    paid = deltas(how, base_points(han, fu, EMA)[0], 0, EMA)
    assert paid is not None
    return paid


def test_limits() -> None:
    for limit, counts in LIMITS.items():
        for han in counts:
            base, name = base_points(han, 30, EMA)
            assert (base, name) == (LIMIT_SHARES[limit], limit)
            assert hand_points(base, False, True, EMA) == 6 * base
            assert hand_points(base, False, False, EMA) == hand_points(base, True, False, EMA) == 4 * base


def test_a_limit_that_is_not_played() -> None:
    rules = replace(EMA, limits={name: han for name, han in EMA.limits.items() if name != "counted_yakuman"})
    assert base_points(13, 30, rules) == (6000, "sanbaiman")


@pytest.mark.parametrize(("han", "fu"), [(4, 30), (3, 60)])
def test_kiriage(han: int, fu: int) -> None:
    assert base_points(han, fu, EMA) == (1920, None)
    assert base_points(han, fu, replace(EMA, kiriage_mangan=True)) == (2000, "mangan")


def test_counters_and_bets() -> None:
    """EMA 2008 §3.4.10: 300 a counter, 100 from each on a self-draw; the winner takes the bets."""
    assert paid_for(3, 30, win("ron honba=2 riichi_sticks=1 loser_offset=1")) == (
        3900 + 600 + 1000,
        -4500,
        0,
        0,
    )
    assert paid_for(3, 30, win("tsumo honba=2 riichi_sticks=1")) == (4000 + 600 + 1000, -1200, -1200, -2200)


def test_counters_of_a_second_winner() -> None:
    """EMA 2008 §4.1: each winner receives the counters; Tenhou pays them to the first alone."""
    second = win("ron honba=1 ron_index=1 loser_offset=1")
    assert deltas(second, 1000, 0, EMA) == (4300, -4300, 0, 0)
    assert deltas(second, 1000, 0, TENHOU) == (4000, -4000, 0, 0)


def test_unknown_discarder_pays_nobody_knows_from_where() -> None:
    assert deltas(win("ron"), 1000, 0, EMA) is None


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
    """Where yakuman add up the feeder is liable for all of them, or for his own alone."""
    hand = "1z222z 1z pon:555z pon:666z pon:777z"
    assert scored(hand, "tsumo pao=1", TENHOU).deltas == (64000, -64000, 0, 0)
    assert scored(hand, "ron pao=1 loser_offset=2", TENHOU).deltas == (64000, -32000, -32000, 0)
    assert scored(hand, "tsumo pao=1", MAJSOUL).deltas == (64000, -40000, -8000, -16000)
    assert scored(hand, "ron pao=1 loser_offset=2", MAJSOUL).deltas == (64000, -16000, -48000, 0)
    assert scored(hand, "tsumo pao=1", EMA).deltas == (32000, -32000, 0, 0)


def test_liability_for_a_double_yakuman_beside_another() -> None:
    """Two yakuman of big four winds are the feeder's, the one of all honours everybody's."""
    hand = "5z 5z pon:111z pon:222z pon:333z pon:444z"
    assert scored(hand, "tsumo pao=1", MAJSOUL).deltas == (96000, -64000 - 8000, -8000, -16000)
    assert scored(hand, "tsumo pao=3", MAJSOUL).deltas == (96000, -8000, -8000, -64000 - 16000)
    assert scored(hand, "ron pao=1 loser_offset=2", MAJSOUL).deltas == (96000, -32000, -64000, 0)
    assert scored(hand, "ron pao=2 loser_offset=2", MAJSOUL).deltas == (96000, 0, -96000, 0)
    dealt = scored(hand, "ron pao=1 loser_offset=2 seat_wind=E", MAJSOUL)
    assert dealt.deltas == (144000, -48000, -96000, 0)


def test_what_the_liable_player_pays_is_a_rule() -> None:
    """Counters by him or by the discarder; some rules know liability for a self-draw or a discard alone."""
    ron = win("ron pao=2 loser_offset=1 honba=1")
    by_discarder = replace(EMA, liability_counters="discarder")
    assert deltas(ron, 8000, 8000, by_discarder) == (32300, -16300, -16000, 0)
    assert deltas(ron, 8000, 8000, replace(EMA, liability_ron=False)) == (32300, -32300, 0, 0)
    tsumo = win("tsumo pao=2 honba=1")
    assert deltas(tsumo, 8000, 8000, by_discarder) == (32300, 0, -32300, 0)
    shared = (32300, -8100, -8100, -16100)
    assert deltas(tsumo, 8000, 8000, replace(EMA, liability_tsumo=False)) == shared


def test_liability_for_little_four_winds() -> None:
    """Toudai §4.1.6: its third open set makes liable too; other rules know nobody liable for it."""
    rules = replace(EMA, liability=(*EMA.liability, "shousuushii"))
    hand = "44z56s 7s pon:111z pon:222z pon:333z"
    assert scored(hand, "tsumo pao=3", rules).deltas == (32000, 0, 0, -32000)
    assert scored(hand, "ron pao=3 loser_offset=1", rules).deltas == (32000, -16000, 0, -16000)
    assert refused(hand, "tsumo pao=3", EMA).startswith("In EMA Riichi 2008 nobody is liable but where")


def refused(hand: str, how: str, rules: RuleSet) -> str:
    """Why nobody is liable."""
    with pytest.raises(HandError) as caught:
        scored(hand, how, rules)
    (fault,) = caught.value.faults
    assert fault.id == "nobody_liable"
    return fault.message


def test_nobody_is_liable_for_other_hands() -> None:
    assert "Big Three Dragons" in refused("123m456p78s22z444z 9s", "tsumo pao=1", EMA)
    for rules in map(load_rules, FOUR):
        refused("123m456p78s22z444z 9s", "tsumo pao=1", rules)
        refused("555666777z11s44m 4m", "tsumo pao=1", rules)
    assert scored("23m44s 1m pon:555z pon:666z ankan:7777z", "tsumo pao=2").deltas == (32000, 0, -32000, 0)


@pytest.mark.parametrize(
    ("hand", "liable"),
    [
        ("23m44s 1m pon:555z pon:666z pon:777z", "ema2008 toudai jpml"),
        ("23m44s 1m pon:555z minkan:6666z kakan:7777z", "ema2008 toudai jpml"),
        ("23m44s 1m pon:555z pon:666z ankan:7777z", "ema2008 jpml"),
        ("23m44s 1m ankan:5555z ankan:6666z ankan:7777z", ""),
        ("23m44s777z 1m pon:555z pon:666z", ""),
        ("5s 5s pon:111z pon:222z pon:333z pon:444z", "ema2008 toudai jpml"),
        ("5s 5s pon:111z pon:222z ankan:3333z pon:444z", "ema2008 jpml"),
        ("444z5s 5s pon:111z pon:222z pon:333z", ""),
        ("44z56s 7s pon:111z pon:222z pon:333z", "toudai"),
        ("44z56s 7s pon:111z ankan:2222z pon:333z", ""),
        ("5s 5s minkan:1111m ankan:2222p kakan:3333s ankan:7777z", "jpml"),
        ("5s 5s ankan:1111m ankan:2222p kakan:3333s ankan:7777z", ""),
    ],
)
def test_the_melds_that_make_liable(hand: str, liable: str) -> None:
    """EMA 2008 §3.3.6: the third dragon, the fourth wind; Toudai §4.1.6: if all of them are open."""
    for name in ("ema2008", "toudai", "jpml"):
        rules = load_rules(name)
        if name in liable.split():
            paid = scored(hand, "tsumo pao=3", rules).deltas
            assert paid is not None and paid[1:3] == (0, 0) and paid[3] < 0, name
        else:
            refused(hand, "tsumo pao=3", rules)


def test_only_who_fed_a_set_is_liable() -> None:
    """Where the melds say from whom they are."""
    melds = [Meld("pon", "555z", 1), Meld("pon", "666z", 2), Meld("ankan", "7777z")]
    hand = Hand("23m44s", "1m", melds)
    assert score(hand, Win(tsumo=True, seat_wind="E", pao=2), EMA).deltas == (48000, 0, -48000, 0)
    with pytest.raises(HandError, match="That player fed none of the melds"):
        score(hand, Win(tsumo=True, pao=3), EMA)


def test_each_is_liable_for_what_its_melds_show() -> None:
    """Four kongs of winds, none of them called as one: the winds were fed, the kongs were not."""
    hand = "5s 5s kakan:1111z kakan:2222z kakan:3333z ankan:4444z"
    assert scored(hand, "tsumo pao=1", load_rules("jpml")).deltas == (64000, -40000, -8000, -16000)


def test_the_feeder_of_the_kong_pays_rinshan() -> None:
    """Toudai §4.1.1, a variant: all is paid by who discarded the tile of the quad."""
    rules = replace(load_rules("toudai"), liability=("daisangen", "rinshan"))
    hand = "123m45p22z 6p pon:777z minkan:4444z"
    plain = scored(hand, "tsumo rinshan", rules)
    paid = scored(hand, "tsumo rinshan pao=2 honba=1 seat_wind=E", rules)
    assert plain.deltas is not None and min(plain.deltas[1:]) < 0 and 0 not in plain.deltas
    assert paid.deltas == (paid.points + 300, 0, -paid.points - 300, 0)
    assert refused(hand, "tsumo pao=2", rules).startswith("Who fed the kan is liable for")
    refused(hand.replace("minkan", "kakan"), "tsumo rinshan pao=2", rules)
    refused(hand, "tsumo rinshan pao=2", load_rules("toudai"))


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seat", ["E", "S"])
@pytest.mark.parametrize("fu", [20, 25, 30, 40, 50, 60, 70, 110])
@pytest.mark.parametrize("han", [1, 2, 3, 4])
def test_who_feeds_rinshan_pays_what_the_self_draw_is_worth(
    han: int, fu: int, seat: str, players: int
) -> None:
    """Toudai §4.1.1: the payment, which is that of a self-draw, "is all paid by the discarding player"."""
    rules = EMA if players == 4 else load_rules("tenhou3")
    base, _ = base_points(han, fu, rules)
    how = win(f"tsumo rinshan pao=3 honba=2 seat_wind={seat}")
    worth = hand_points(base, True, how.is_dealer, rules) + 2 * rules.honba_points
    assert deltas(how, base, base, rules, fed_draw=True) == (worth, 0, 0, -worth)


def test_liability_that_a_rule_has_not_is_refused() -> None:
    never = replace(EMA, liability_tsumo=False)
    assert "nobody is liable on a tsumo" in refused(DAISANGEN, "tsumo pao=2", never)
    assert scored(DAISANGEN, "ron pao=2 loser_offset=1", never).deltas == (32000, -16000, -16000, 0)
    refused(DAISANGEN, "tsumo pao=2", replace(EMA, liability=()))


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
    won, *paid = deltas(how, base, min(base, YAKUMAN_BASE * share), EMA) or (0, 0, 0, 0)
    assert won + sum(paid) == 1000 * sticks
    assert won == hand_points(base, tsumo, how.is_dealer, EMA) + 300 * honba + 1000 * sticks
    assert all(points <= 0 for points in paid)


def test_every_seat_pays_its_share() -> None:
    """The dealer pays twice wherever he sits."""
    for seat, dealer in product("SWN", (1, 2, 3)):
        _, *paid = deltas(win(f"tsumo seat_wind={seat}"), 2000, 0, EMA) or (0, 0, 0, 0)
        assert (paid[dealer - 1] == -4000) == ((seat, dealer) in (("S", 3), ("W", 2), ("N", 1)))


PRESETS = [load_rules(id_) for id_ in FOUR]
FU = (20, 25, *range(30, 131, 10))


def earned(han: int, fu: int, tsumo: bool, dealer: bool, rules: RuleSet) -> int:
    return hand_points(base_points(han, fu, rules)[0], tsumo, dealer, rules)


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.id)
@pytest.mark.parametrize(("tsumo", "dealer"), [*product((False, True), repeat=2)])
def test_more_han_or_fu_never_pay_less(rules: RuleSet, tsumo: bool, dealer: bool) -> None:
    """Nor does a dealer ever get less than another."""
    for han, fu in product(range(1, 30), FU):
        here = earned(han, fu, tsumo, dealer, rules)
        assert here <= earned(han + 1, fu, tsumo, dealer, rules)
        assert all(here <= earned(han, more, tsumo, dealer, rules) for more in FU if more >= fu)
        assert here <= earned(han, fu, tsumo, True, rules)


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.id)
def test_kiriage_never_pays_less_and_only_changes_two_hands(rules: RuleSet) -> None:
    rounded, exact = (replace(rules, kiriage_mangan=kiriage) for kiriage in (True, False))
    changed = {
        (han, fu)
        for han, fu in product(range(1, 30), FU)
        if base_points(han, fu, rounded) != base_points(han, fu, exact)
    }
    assert changed == {(4, 30), (3, 60), (2, 120)}
    for han, fu in changed:
        for tsumo, dealer in product((False, True), repeat=2):
            more, less = (earned(han, fu, tsumo, dealer, kind) for kind in (rounded, exact))
            assert less <= more <= less + 700


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.id)
def test_each_counter_adds_the_same(rules: RuleSet) -> None:
    """On a discard the discarder alone pays it, on a self-draw each a third; the hand's own pay stays."""
    for tsumo, seat in product((False, True), "ESWN"):
        how = win(f"{'tsumo' if tsumo else 'ron loser_offset=2'} seat_wind={seat}")
        plain = deltas(how, 1000, 0, rules)
        assert plain is not None
        for honba in range(1, 10):
            more = deltas(replace(how, honba=honba), 1000, 0, rules)
            assert more is not None
            added = [a - b for a, b in zip(more, plain, strict=True)]
            each = added[0] // honba
            assert added[0] in (0, honba * rules.honba_points)
            assert added[1:] == ([-honba * each // 3] * 3 if tsumo else [0, -honba * each, 0])
