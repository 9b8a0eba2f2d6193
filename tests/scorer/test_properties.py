"""What holds for every hand under every rule set."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import (
    Hand,
    HandError,
    Meld,
    RuleSet,
    Score,
    Win,
    Wind,
    load_rules,
    score,
    score_record,
    settle,
)
from scorer.rules import LIMITS
from scorer.tiles import COPIES, KINDS, TILES, Tile, count_kinds, format_tiles, parse_tiles
from tests.scorer.random_wins import RandomWin, random_wins, with_red
from tests.scorer.short_hands import FOUR

PRESETS = [load_rules(id_) for id_ in FOUR]
some_rules = st.sampled_from(PRESETS)


def scored(hand: Hand, win: Win, rules: RuleSet) -> Score | None:
    """The score, or None where the hand has too few yaku; any other fault is the test's."""
    try:
        return score(hand, win, rules)
    except HandError as error:
        assert {fault.id for fault in error.faults} <= {"no_yaku", "below_minimum"}, error.faults
        return None


def essence(one: Score | None) -> object:
    return one and (one.han, one.fu, one.points, one.limit, one.yakuman, one.yaku, one.deltas)


@given(random_wins(), some_rules, st.data())
def test_the_order_of_tiles_does_not_matter(won: RandomWin, rules: RuleSet, data: st.DataObject) -> None:
    hand = won.hand
    turned = Hand(
        tuple(data.draw(st.permutations(hand.concealed))),
        hand.win_tile,
        tuple(
            Meld(meld.type, tuple(data.draw(st.permutations(meld.tiles))), meld.source)
            for meld in data.draw(st.permutations(hand.melds))
        ),
    )
    assert essence(scored(turned, won.win, rules)) == essence(scored(hand, won.win, rules))


@given(random_wins(), some_rules, st.integers(0, KINDS - 1))
def test_more_dora_never_pays_less(won: RandomWin, rules: RuleSet, indicator: int) -> None:
    held = count_kinds((*won.hand.tiles, *won.win.dora_indicators, *won.win.ura_indicators))
    if held[indicator] == COPIES or (won.win.chankan and indicator == won.hand.win_tile.kind):
        return
    less = scored(won.hand, won.win, rules)
    more = scored(
        won.hand,
        replace(won.win, dora_indicators=(*won.win.dora_indicators, TILES[indicator])),
        rules,
    )
    assert (less is None) == (more is None), "dora are no yaku"
    if less and more:
        assert more.points >= less.points


@given(random_wins(), some_rules, st.sampled_from([4, 13, 22]))
def test_a_red_five_never_pays_less(won: RandomWin, rules: RuleSet, five: int) -> None:
    if not rules.red_fives[five // 9]:
        return
    plain, red = scored(won.hand, won.win, rules), scored(with_red(won.hand, five), won.win, rules)
    assert (plain is None) == (red is None)
    assert plain is None or red is None or red.points >= plain.points


@given(random_wins(), some_rules)
def test_payments_sum_to_the_bets(won: RandomWin, rules: RuleSet) -> None:
    one = scored(won.hand, won.win, rules)
    if one is None:
        return
    assert one.deltas is not None and sum(one.deltas) == 1000 * won.win.riichi_sticks
    assert all(change % 100 == 0 for change in one.deltas)
    counters = one.deltas[0] - one.points - 1000 * won.win.riichi_sticks
    assert counters in (0, won.win.honba * rules.honba_points)
    settled = settle([won.to_record(rules)])
    assert settled.seen_from(won.win.seat_wind) == one.deltas and settled.sticks_left == 0


@given(random_wins(), some_rules)
def test_kiriage_never_pays_less(won: RandomWin, rules: RuleSet) -> None:
    exact = scored(won.hand, won.win, replace(rules, kiriage_mangan=False))
    rounded = scored(won.hand, won.win, replace(rules, kiriage_mangan=True))
    if exact and rounded:
        assert exact.points <= rounded.points
        assert exact.limit is None or exact.points == rounded.points


@given(random_wins(), some_rules)
def test_riichi_never_pays_less(won: RandomWin, rules: RuleSet) -> None:
    silent = replace(won.win, riichi=False, double_riichi=False, ippatsu=False, ura_indicators=())
    if not won.hand.is_closed or won.win.tenhou or won.win.chiihou or won.win.renhou:
        return
    without, declared = scored(won.hand, silent, rules), scored(won.hand, replace(silent, riichi=True), rules)
    assert without is None or (declared is not None and declared.points >= without.points)


@given(random_wins(reds=True), st.sampled_from([rules for rules in PRESETS if all(rules.red_fives)]))
def test_readings_and_record(won: RandomWin, rules: RuleSet) -> None:
    """The record scores as the hand does, the best reading leads, each holds exactly the hand's tiles."""
    one = scored(won.hand, won.win, rules)
    result = score_record(won.to_record(rules))
    if one is None:
        assert result["error"] in ("no_yaku", "below_minimum")
        return
    assert result["in_words"].endswith("points")
    assert result == one.result()
    for other in one.other_readings:
        assert (one.points, one.han, one.fu or 0) >= (other.points, other.han, other.fu or 0)
    for reading in (one.reading, *(other.reading for other in one.other_readings)):
        tiles = sorted(tile for group in reading.groups for tile in group.tiles)
        assert tiles == sorted(won.hand.tiles)
        assert won.hand.win_tile in reading.groups[reading.win_group].tiles
    assert one.fu is None or sum(item.fu for item in one.fu_items) == one.fu
    earning = [tile for item in one.fu_items for tile in item.tiles]
    assert set(earning) <= set(won.hand.tiles)


FLAGS = (
    "riichi",
    "double_riichi",
    "open_riichi",
    "ippatsu",
    "rinshan",
    "chankan",
    "haitei",
    "houtei",
    "tenhou",
    "chiihou",
    "renhou",
)


@given(random_wins(), some_rules, st.sets(st.sampled_from(FLAGS), max_size=3), st.integers(0, 10))
def test_any_claim_scores_or_says_what_is_wrong(
    won: RandomWin, rules: RuleSet, claimed: set[str], dealer_wins: int
) -> None:
    """No record raises, whatever is claimed of the win; each fault has its own sentence."""
    flags = {flag: flag in claimed for flag in FLAGS}
    result = score_record({**won.to_record(rules), **flags, "dealer_wins": dealer_wins})
    assert json.loads(json.dumps(result)) == result
    if result["status"] == "ok":
        assert sum(result["deltas"]) == 1000 * won.win.riichi_sticks
        assert result["points"] > 0 and result["in_words"]
        assert sum(han for _, han in result["yaku"]) == result["han"]
    else:
        assert result["error"] == result["faults"][0]["error"]
        messages = [fault["message"] for fault in result["faults"]]
        assert len(set(messages)) == len(messages) and all(one.endswith(".") for one in messages)


@given(st.lists(st.sampled_from(TILES), max_size=18))
def test_notation_round_trips(tiles: list[Tile]) -> None:
    written = format_tiles(tiles)
    assert list(parse_tiles(written)) == tiles
    assert list(parse_tiles(" ".join(str(tile) for tile in tiles))) == tiles


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.id)
def test_the_limits_end_where_the_rules_say(rules: RuleSet) -> None:
    """A full flush with ever more dora climbs to the highest limit that is played, and stops there."""
    hand = Hand(parse_tiles("2233445566778p"), TILES[16])
    rules = replace(rules, yaku={**rules.yaku, "daisharin": (0, 0)})
    won = [
        score(
            hand,
            Win(False, seat_wind=Wind.SOUTH, dora_indicators=parse_tiles("1p2p3p4p5p"[: 2 * count])),
            rules,
        )
        for count in range(6)
    ]
    points = [one.points for one in won]
    assert points == sorted(points)
    highest = max(rules.limits, key=lambda limit: rules.limits[limit])
    assert (won[-1].limit, won[-1].points) == (highest, 4 * LIMITS[highest])
