"""The money of a whole hand by seat: several winners, liability, draws, nagashi mangan, chombo."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.oracle import HANDS, read_hands
from scorer import (
    HandError,
    RecordError,
    RuleSet,
    SettleError,
    Settlement,
    Wind,
    load_rules,
    settle,
    settle_chombo,
    settle_draw,
    settle_nagashi,
)
from tests.scorer.short_hands import EMA, FOUR, TENHOU

CHEAP: dict[str, Any] = {"concealed": "234567m34599p78s", "win_tile": "9s", "tsumo": False, "riichi": True}
"""Riichi and pinfu: 2000, of the dealer 2900."""

PUNG: dict[str, Any] = {
    "concealed": "456m456p78s44z",
    "win_tile": "9s",
    "melds": [{"type": "pon", "tiles": "555z"}],
    "tsumo": False,
}
"""A dragon pung: 1000, of the dealer 1500."""


def house(folder: Path, base: str, lines: str) -> str:
    """The path of house rules over a preset."""
    path = folder / "house.toml"
    path.write_text(f'base = "{base}"\n{lines}\n', encoding="utf-8")
    return str(path)


def discard(seat: str, offset: int, hand: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**hand, "seat_wind": seat, "loser_offset": offset, **fields}


def scores(settlement: Settlement) -> dict[str, int]:
    return {str(winner.seat): winner.score.points for winner in settlement.winners}


# --- one winner ---------------------------------------------------------------------------------------------


def test_one_winner_is_the_score_by_seat() -> None:
    settled = settle([discard("W", 2, CHEAP, honba=1, riichi_sticks=2)])
    assert settled.changes == (-2300, 0, 4300, 0)
    assert settled.seen_from(Wind.WEST) == (4300, 0, -2300, 0) == settled.winners[0].score.deltas
    assert settled.seen_from(Wind.EAST) == settled.changes and settled.unpaid == ()


def test_a_self_draw_needs_no_discarder() -> None:
    drawn = {**CHEAP, "tsumo": True, "seat_wind": "N"}
    assert settle([drawn]).changes == (-1300, -700, -700, 2700)
    assert settle([{**drawn, "seat_wind": "E"}]).changes == (3900, -1300, -1300, -1300)


# --- several winners ----------------------------------------------------------------------------------------


def test_all_win_and_each_gets_the_counters() -> None:
    """EMA 2008 §3.3.1, §4.1: each winner receives the value of the hand including counters."""
    settled = settle([discard("S", 3, PUNG, honba=2), discard("W", 2, CHEAP, honba=2)])
    assert scores(settled) == {"S": 1000, "W": 2000}
    assert settled.changes == (-4200, 1600, 2600, 0)


def test_counters_for_the_first_alone() -> None:
    """Tenhou: the next in turn after the discarder gets counters and bets, in any order of records."""
    first = discard("S", 3, PUNG, honba=2, rules="tenhou")
    second = discard("W", 2, CHEAP, honba=2, riichi_sticks=2, rules="tenhou")
    settled = settle([first, second])
    assert settled.changes == (-3600, 3600, 2000, 0)
    assert settle([second, first]) == settled


def test_bets_of_winners_go_back_to_them() -> None:
    """EMA 2008 §4.1: a winner who declared keeps his bet, the others' go to the discarder's right."""
    first, second = discard("S", 3, PUNG), discard("W", 2, CHEAP, riichi_sticks=3)
    assert settle([first, second]).changes == (-3000, 1000 + 2000, 2000 + 1000, 0)
    both = [discard("S", 3, CHEAP), discard("W", 2, CHEAP, riichi_sticks=3)]
    assert settle(both).changes == (-4000, 2000 + 2000, 2000 + 1000, 0)
    for record in both:
        record["rules"] = "tenhou"
    assert settle(both).changes == (-4000, 2000 + 3000, 2000, 0)


def test_bets_are_split_in_some_rules(tmp_path: Path) -> None:
    """The rest of them among all who are paid, what cannot be shared to the first."""
    for returned, shared in (("true", (0, 2000, 3000, 0)), ("false", (0, 3000, 2000, 0))):
        house = tmp_path / f"{returned}.toml"
        house.write_text(f'base = "ema2008"\nbets_split = true\nbets_returned = {returned}\n', "utf-8")
        first, second = discard("S", 3, PUNG, riichi_sticks=5), discard("W", 2, CHEAP)
        for record in (first, second):
            record["rules"] = str(house)
        alone = settle([{**first, "riichi_sticks": 0}, second]).changes
        both = settle([first, second]).changes
        assert tuple(one - other for one, other in zip(both, alone, strict=True)) == shared


def test_bets_that_are_not_there_go_to_nobody() -> None:
    assert sum(settle([discard("S", 3, CHEAP), discard("W", 2, CHEAP)]).changes) == 0


def test_three_winners() -> None:
    """EMA 2008 lists no abortive draw for it; in Tenhou nobody is paid and the bets stay."""
    three = [discard("E", 1, PUNG, riichi_sticks=2), discard("W", 3, CHEAP), discard("N", 2, CHEAP)]
    assert settle(three).changes == (1500, -5500, 2000 + 1000, 2000 + 1000)
    for record in three:
        record["rules"] = "tenhou"
    drawn = settle(three)
    assert drawn.changes == (0, 0, 0, 0) and drawn.winners == ()
    assert drawn.unpaid == (Wind.WEST, Wind.NORTH, Wind.EAST) and drawn.sticks_left == 2


NO_YAKU: dict[str, Any] = {
    "concealed": "234567m99p78s",
    "win_tile": "9s",
    "melds": [{"type": "pon", "tiles": "222p"}],
    "tsumo": False,
}


@pytest.mark.parametrize("rules", ["toudai", "ema2008", "wrc2025"])  # nobody is paid, all, the first
def test_whoever_says_to_win_has_a_hand_that_wins(rules: str) -> None:
    """Toudai §3.5.1: three who can all win make the hand a draw; §4: without a multiplier nobody can."""
    two = [discard("E", 3, PUNG, rules=rules), discard("S", 2, CHEAP, rules=rules)]
    assert settle([*two, discard("W", 1, CHEAP, rules=rules)])
    with pytest.raises(HandError, match="no yaku"):
        settle([*two, discard("W", 1, NO_YAKU, rules=rules)])


@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        ({"houtei": True}, {}, "Under the Sea, discard"),
        ({"houtei": True}, {"houtei": False}, "Under the Sea, discard"),
        ({"chankan": True}, {}, "Robbing a Kan"),
        ({"ura_indicators": ["1m"]}, {"ura_indicators": ["2m"]}, "the ura dora indicators"),
    ],
)
def test_what_winners_on_one_discard_have_in_common(
    one: dict[str, Any], other: dict[str, Any], what: str
) -> None:
    for first, second in ((one, other), (other, one)):
        records = [discard("S", 3, CHEAP, **first), discard("W", 2, CHEAP, **second)]
        with pytest.raises(SettleError, match=f"Winners on one discard have {what}.* in common"):
            settle(records)
    assert settle([discard("S", 3, CHEAP, **one), discard("W", 2, CHEAP, **one)]).winners
    assert settle([discard("S", 3, CHEAP, ura_indicators=["1m"]), discard("W", 2, PUNG)]).winners


def test_a_winner_whose_worth_does_not_depend_on_the_last_discard_need_not_name_it() -> None:
    orphans = {"concealed": "19m19p19s1234567z", "win_tile": "9s", "tsumo": False}
    assert settle([discard("S", 3, orphans), discard("W", 2, CHEAP, houtei=True)]).changes[1] == 64000


def test_head_bump(tmp_path: Path) -> None:
    """One winner a discard: the next in turn after the discarder, bets and counters his."""
    rules = house(tmp_path, "tenhou", "winners_per_discard = 1")
    two = [
        discard("S", 2, CHEAP, rules=rules, riichi_sticks=2, honba=1),
        discard("W", 1, PUNG, rules=rules, honba=1),
    ]
    settled = settle(two)
    assert settled.changes == (0, 2000 + 2000 + 300, 0, -2300)
    assert settled.unpaid == (Wind.WEST,) and scores(settled) == {"S": 2000}


def test_two_of_three(tmp_path: Path) -> None:
    rules = house(tmp_path, "tenhou", "triple_ron_draw = false")
    three = [discard(seat, offset, PUNG, rules=rules) for seat, offset in (("E", 3), ("S", 2), ("W", 1))]
    settled = settle(three)
    assert settled.changes == (1500, 1000, 0, -2500) and settled.unpaid == (Wind.WEST,)


def test_counters_for_the_dealer_alone(tmp_path: Path) -> None:
    """Toudai §3.6: the dealer collects 300 a counter when he wins; nobody else does."""
    rules = house(tmp_path, "ema2008", "honba_dealer_only = true")
    two = [discard("E", 3, PUNG, rules=rules, honba=2), discard("S", 2, PUNG, rules=rules, honba=2)]
    assert settle(two).changes == (1500 + 600, 1000, 0, -3100)
    drawn = {**CHEAP, "tsumo": True, "rules": rules, "honba": 2}
    assert settle([{**drawn, "seat_wind": "S"}]).changes == (-1300, 2700, -700, -700)
    assert settle([{**drawn, "seat_wind": "E"}]).changes == (4500, -1500, -1500, -1500)


def test_liability_beside_a_second_winner() -> None:
    """The feeder of the third dragon set pays his half to that winner alone."""
    dragons = {
        "concealed": "23m44s",
        "win_tile": "1m",
        "melds": [{"type": "pon", "tiles": tiles} for tiles in ("555z", "666z", "777z")],
        "tsumo": False,
    }
    other = {"concealed": "23m456p789p33z456s", "win_tile": "1m", "tsumo": False, "riichi": True}
    settled = settle([discard("S", 3, dragons, pao=1), discard("N", 1, other)])
    assert settled.winners[1].score.points == 2000
    assert settled.changes == (-16000 - 2000, 32000, -16000, 2000)


DRAGONS: dict[str, Any] = {
    "concealed": "23m44s",
    "win_tile": "1m",
    "melds": [{"type": "pon", "tiles": tiles} for tiles in ("555z", "666z", "777z")],
}
"""Big three dragons, all open: one yakuman."""

HONOURS: dict[str, Any] = {**DRAGONS, "concealed": "1122z", "win_tile": "2z"}
"""The same with honours alone: two yakuman where they add up."""


@pytest.mark.parametrize(
    ("rules", "record", "changes"),
    [
        # a self-draw: the feeder pays all of it and the counters (EMA 2008 §3.3.6, §4.2.5)
        ("ema2008", {**DRAGONS, "tsumo": True, "seat_wind": "W", "pao": 1}, (0, 0, 32600, -32600)),
        ("ema2008", {**DRAGONS, "tsumo": True, "seat_wind": "E", "pao": 3}, (48600, 0, 0, -48600)),
        # another's discard: halves; the feeder's own discard: all
        ("ema2008", {**DRAGONS, "seat_wind": "W", "pao": 1, "loser_offset": 2}, (-16000, 0, 32600, -16600)),
        ("ema2008", {**DRAGONS, "seat_wind": "W", "pao": 1, "loser_offset": 1}, (0, 0, 32600, -32600)),
        # EMA: yakuman are not cumulative, one is paid
        ("ema2008", {**HONOURS, "seat_wind": "W", "pao": 1, "loser_offset": 2}, (-16000, 0, 32600, -16600)),
        # Toudai: the discarder pays the sticks, and only to a dealer (§3.6)
        ("toudai", {**DRAGONS, "seat_wind": "W", "pao": 1, "loser_offset": 2}, (-16000, 0, 32000, -16000)),
        ("toudai", {**DRAGONS, "seat_wind": "E", "pao": 1, "loser_offset": 2}, (48600, -24000, -24600, 0)),
        # Tenhou: liable for the whole hand, the other yakuman too
        ("tenhou", {**HONOURS, "tsumo": True, "seat_wind": "S", "pao": 2}, (0, 64600, 0, -64600)),
        ("tenhou", {**HONOURS, "seat_wind": "E", "pao": 1, "loser_offset": 3}, (96600, -48600, 0, -48000)),
        # Mahjong Soul: for his own yakuman alone; the other is settled as usual
        ("majsoul", {**HONOURS, "tsumo": True, "seat_wind": "S", "pao": 2}, (-16000, 64600, -8000, -40600)),
        ("majsoul", {**HONOURS, "seat_wind": "E", "pao": 1, "loser_offset": 3}, (96600, -24600, 0, -72000)),
        # the league: likewise, but the discarder pays the counters
        ("jpml", {**HONOURS, "seat_wind": "E", "pao": 1, "loser_offset": 3}, (96600, -24000, 0, -72600)),
    ],
)
def test_liability_by_hand(rules: str, record: dict[str, Any], changes: tuple[int, ...]) -> None:
    """Two counters on the table; each case worked out from the text of its rules."""
    settled = settle([{"tsumo": False, "honba": 2, **record, "rules": rules}])
    assert settled.changes == changes


def test_who_is_liable_may_win_himself() -> None:
    """He pays half of the other's hand and is paid his own by the discarder (EMA 2008 §3.3.6, §4.1)."""
    dragons = discard("S", 3, {**DRAGONS, "tsumo": False}, pao=2)
    own = {"concealed": "23m456p789p33z456s", "win_tile": "1m", "tsumo": False, "riichi": True}
    settled = settle([dragons, discard("N", 1, own, riichi_sticks=1)])
    assert settled.changes == (-16000 - 2000, 32000, 0, -16000 + 2000 + 1000)


# --- real hands ---------------------------------------------------------------------------------------------


def test_real_double_rons() -> None:
    """The two winners of a log together, by seat, in either order; bets in either record."""
    path = HANDS / "agari.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"no scored hands at {path}; TEHAI_DATA names another data folder")
    by_ref = {record["ref"]: record for record in read_hands(path)}
    pairs = [
        (by_ref[ref[:-2]], second)
        for ref, second in by_ref.items()
        if second["ron_index"] and ref[:-2] in by_ref
    ]
    assert len(pairs) >= 10
    for first, second in pairs:
        changes = [0, 0, 0, 0]
        for record in (first, second):
            for offset, points in enumerate(record["expected"]["deltas"]):
                changes["ESWN".index(record["seat_wind"]) + offset - 4] += points
        both = [{**record, "rules": "tenhou"} for record in (first, second)]
        moved = [{**both[0], "riichi_sticks": 0}, {**both[1], "riichi_sticks": first["riichi_sticks"]}]
        for records in (both, both[::-1], moved):
            assert list(settle(records).changes) == changes


# --- what holds for all -------------------------------------------------------------------------------------

PRESETS = [load_rules(id_) for id_ in FOUR]

winners = st.lists(st.sampled_from([CHEAP, PUNG]), min_size=1, max_size=3)


@given(
    rules=st.sampled_from(FOUR),
    hands=winners,
    loser=st.integers(0, 3),
    honba=st.integers(0, 4),
    sticks=st.lists(st.integers(0, 2), min_size=3, max_size=3),
    data=st.data(),
)
def test_changes_sum_to_the_bets_taken(
    rules: str, hands: list[dict[str, Any]], loser: int, honba: int, sticks: list[int], data: st.DataObject
) -> None:
    """Nobody but winners gains, the discarder alone pays, and no point comes from nowhere or is lost."""
    seats = data.draw(st.permutations([seat for seat in range(4) if seat != loser]))[: len(hands)]
    records = [
        discard("ESWN"[seat], (loser - seat) % 4, hand, rules=rules, honba=honba, riichi_sticks=bets)
        for seat, hand, bets in zip(seats, hands, sticks, strict=False)
    ]
    settled = settle(records)
    assert sum(settled.changes) == 1000 * (sum(sticks[: len(hands)]) - settled.sticks_left)
    paid = {"ESWN".index(winner.seat) for winner in settled.winners}
    assert {seat for seat in range(4) if settled.changes[seat] > 0} == paid
    assert {seat for seat in range(4) if settled.changes[seat] < 0} == ({loser} if paid else set())
    assert paid | {"ESWN".index(seat) for seat in settled.unpaid} == set(seats)
    assert settle(records[::-1]) == settled


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.id)
@pytest.mark.parametrize("tenpai", ["", "E", "W", "SN", "EW", "ESW", "SWN", "ESWN"])
def test_exhaustive_draw(rules: RuleSet, tenpai: str) -> None:
    """EMA 2008 §3.4.2, Toudai §3.5: 3000 in all, 1000 to each of three, 1500 to each of two."""
    settled = settle_draw([Wind(seat) for seat in tenpai], rules, riichi_sticks=2)
    each = {0: (0, 0), 1: (3000, -1000), 2: (1500, -1500), 3: (1000, -3000), 4: (0, 0)}[len(tenpai)]
    assert settled.changes == tuple(each[0] if seat in tenpai else each[1] for seat in "ESWN")
    assert settled.sticks_left == 2


def test_nagashi_mangan() -> None:
    """EMA 2008 §4.2.4: a self-drawn mangan, plus counters and bets; after Tenhou's draw both stay."""
    assert settle_nagashi([Wind.WEST], EMA, honba=1, riichi_sticks=2).changes == (-4100, -2100, 10300, -2100)
    assert settle_nagashi([Wind.EAST], EMA).changes == (12000, -4000, -4000, -4000)
    drawn = settle_nagashi([Wind.WEST], TENHOU, honba=1, riichi_sticks=2)
    assert drawn.changes == (-4000, -2000, 8000, -2000) and drawn.sticks_left == 2
    both = settle_nagashi([Wind.SOUTH, Wind.EAST], EMA, riichi_sticks=1)
    assert both.changes == (12000 + 1000 - 4000, 8000 - 4000, -6000, -6000)
    with pytest.raises(SettleError, match="does not play nagashi mangan"):
        settle_nagashi([Wind.EAST], replace(EMA, nagashi_mangan=False))


@pytest.mark.parametrize(
    "rules", [rules for rules in PRESETS if rules.nagashi_mangan], ids=lambda rules: rules.id
)
def test_nagashi_mangan_is_a_drawn_mangan_everywhere(rules: RuleSet) -> None:
    """WRC 2017, Win: 5 han; EMA 2008 §4.2.4; the reference, Limit Hands."""
    assert settle_nagashi([Wind.NORTH], rules).changes == (-4000, -2000, -2000, 8000)


def test_chombo() -> None:
    """EMA 2008 §3.4.6: 4000 to East, 2000 to the others; East pays 4000 to each; bets are returned."""
    assert settle_chombo(Wind.SOUTH, EMA).changes == (4000, -8000, 2000, 2000)
    assert settle_chombo(Wind.EAST, EMA).changes == (-12000, 4000, 4000, 4000)
    returned = settle_chombo(Wind.EAST, EMA, declared=[Wind.EAST, Wind.NORTH])
    assert returned.changes == (-11000, 4000, 4000, 5000)
    with pytest.raises(SettleError, match="no penalty"):
        settle_chombo(Wind.EAST, TENHOU)


def test_chombo_off_the_final_score() -> None:
    """EMA 2016, list of changes: 20,000 off after uma; nobody at the table is paid, bets are returned."""
    settled = settle_chombo(Wind.WEST, load_rules("ema2016"), declared=[Wind.WEST])
    assert settled.changes == (0, 0, 1000, 0) and settled.penalties == (0, 0, -20000, 0)
    assert settled.to_record()["penalties"] == {"W": -20000}


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.id)
def test_chombo_of_every_preset(rules: RuleSet) -> None:
    """What the others get the offender pays; a penalty off the final score goes to nobody."""
    if rules.chombo == "none":
        with pytest.raises(SettleError):
            settle_chombo(Wind.NORTH, rules)
        return
    settled = settle_chombo(Wind.NORTH, rules)
    assert sum(settled.changes) == 0
    assert (settled.changes[3] < 0) != (settled.penalties[3] < 0)


def test_settlement_as_json() -> None:
    settled = settle([discard("S", 3, PUNG), discard("W", 2, CHEAP)])
    assert settled.to_record() == {
        "changes": {"E": -3000, "S": 1000, "W": 2000, "N": 0},
        "winners": {"S": 1000, "W": 2000},
        "unpaid": [],
        "sticks_left": 0,
        "penalties": {},
    }


# --- what is wrong ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "Nobody won"),
        ([discard("S", 3, PUNG), {**CHEAP, "tsumo": True}], "one winner"),
        ([discard("S", 3, PUNG), discard("S", 3, CHEAP)], "the same seat wind"),
        ([{**PUNG, "seat_wind": "S"}], "loser_offset"),
        ([discard("S", 3, PUNG), {**CHEAP, "seat_wind": "W"}], "loser_offset"),
        ([discard("S", 3, PUNG), discard("W", 3, CHEAP)], "different discarders"),
        ([discard("S", 3, PUNG), discard("W", 2, CHEAP, rules="tenhou")], "the rules"),
        ([discard("S", 3, PUNG), discard("W", 2, CHEAP, honba=1)], "counters"),
        ([discard("S", 3, PUNG), discard("W", 2, CHEAP, round_wind="S")], "the round wind"),
        ([discard("S", 3, PUNG), discard("W", 2, CHEAP, win_tile="6s")], "the winning tile"),
        ([discard("S", 3, PUNG), discard("W", 2, CHEAP, dora_indicators=["1m"])], "the dora indicators"),
    ],
)
def test_records_of_different_hands(records: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(SettleError, match=message) as caught:
        settle(records)
    assert str(caught.value).endswith(".") and "\n" not in str(caught.value)


def test_rules_of_one_name_are_not_one(tmp_path: Path) -> None:
    """Two files may be called alike and say otherwise."""
    (tmp_path / "other").mkdir()
    paths = [house(tmp_path, "ema2008", ""), house(tmp_path / "other", "ema2008", "honba_points = 1500")]
    records = [discard("S", 3, PUNG, rules=paths[0]), discard("W", 2, PUNG, rules=paths[1])]
    with pytest.raises(SettleError, match="the rules"):
        settle(records)


def test_a_wrong_record_says_so_itself() -> None:
    with pytest.raises(RecordError):
        settle([discard("X", 3, PUNG)])
    with pytest.raises(HandError):
        settle([discard("S", 3, PUNG, riichi=True)])
