"""Three players: tiles, norths set aside, dora, who pays whom, draws, and the game around them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.wins import random_win
from scorer import (
    GameRecordError,
    HandError,
    RulesError,
    RuleSet,
    SettleError,
    Wind,
    load_rules,
    parse_rules,
    replay,
    score,
    score_record,
    settle,
    settle_chombo,
    settle_draw,
    settle_nagashi,
)
from scorer.asking.plan import plan
from scorer.game import Game
from scorer.payment import shares
from scorer.settlement import settle_abort
from scorer.telling.lesson import explain
from scorer.telling.sentence import StepKind
from scorer.tiles import dora_of
from tests.scorer.short_hands import FOUR, hand, scored, win

TENHOU3, MAJSOUL3 = load_rules("tenhou3"), load_rules("majsoul3")
SPLIT = replace(TENHOU3, fourth_share="split")
THREE = (TENHOU3, MAJSOUL3, SPLIT)

PLAIN = "111m456p78s22z456s 9s"
"""A concealed hand without a yaku of its own."""

RECORD: dict[str, Any] = {
    "concealed": "111m456p78s22z456s", "win_tile": "9s", "tsumo": False, "riichi": True, "rules": "tenhou3",
}  # fmt: skip


def record(seat: str, offset: int | None = None, **fields: Any) -> dict[str, Any]:
    return {**RECORD, "seat_wind": seat, "loser_offset": offset, "tsumo": offset is None, **fields}


def error_of(**fields: Any) -> tuple[str, str]:
    result = score_record({**RECORD, **fields})
    return result["error"], result["message"]


# --- what is in play ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {"concealed": "123m456p78s22z456s"},
        {"concealed": "111m456p78s22z456s", "dora_indicators": ["5m"]},
        {"concealed": "456p78s22z456s", "melds": [{"type": "pon", "tiles": "222m"}]},
        {"concealed": "111m456p78s22z406m"},
        {"concealed": "111m456p78s22z456s", "win_tile": "8m"},
    ],
)
def test_two_to_eight_of_characters_are_refused_in_one_clear_sentence(fields: dict[str, Any]) -> None:
    error, message = error_of(**fields)
    assert error == "not_in_play"
    assert "not in play: three players leave out 2m to 8m" in message and message.count(". ") == 0


def test_terminals_of_characters_are_in_play() -> None:
    assert scored("19m19p19s1234567z 1m", "ron", TENHOU3).yakuman == 1
    assert scored("111999m111p99s11s 1s", "tsumo", TENHOU3).yakuman == 2


def test_no_run_is_called() -> None:
    melds = [{"type": "chi", "tiles": "456p"}]
    error, message = error_of(concealed="111m78s22z456s", melds=melds, riichi=False, houtei=True)
    assert error == "bad_meld" and "three players call no chi" in message
    assert score_record({**RECORD, "rules": "tenhou", "concealed": "111m78s22z456s", "melds": melds,
                         "riichi": False, "houtei": True})["status"] == "ok"  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"seat_wind": "N"}, "no North seat"),
        ({"round_wind": "N"}, "no North seat and no North round"),
        ({"loser_offset": 2}, "nobody sits across"),
        ({"pao": 2}, "nobody sits across"),
        ({"ron_index": 2}, "two can win"),
    ],
)
def test_nobody_sits_north_or_across(fields: dict[str, Any], said: str) -> None:
    error, message = error_of(**fields)
    assert error == "no_such_player" and said in message
    assert score_record({**RECORD, "rules": "tenhou", **fields}).get("error") in (None, "nobody_liable")


# --- norths and dora ----------------------------------------------------------------------------------------


def test_norths_set_aside_are_a_han_each_and_no_yaku() -> None:
    assert scored(PLAIN, "ron riichi nukidora=3", TENHOU3).yaku == (("riichi", 1), ("nukidora", 3))
    with pytest.raises(HandError, match="no yaku"):
        scored(PLAIN, "ron nukidora=3", TENHOU3)


def test_norths_set_aside_are_dora_after_west() -> None:
    """riichi.wiki, Sanma: if west is the dora indicator, then kita is counted as two dora."""
    won = scored(PLAIN, "ron riichi nukidora=2 dora_indicators=3z3z ura_indicators=3z", TENHOU3)
    assert dict(won.yaku) == {"riichi": 1, "dora": 4, "ura": 2, "nukidora": 2}


def test_norths_in_the_hand_are_a_guest_wind_and_no_dora() -> None:
    assert scored("111m456p78s22z444z 9s", "ron riichi", TENHOU3).yaku == (("riichi", 1),)


def test_a_north_lies_once() -> None:
    assert error_of(concealed="111m456p78s22z444z", nukidora=2)[0] == "too_many_of_a_tile"
    assert error_of(nukidora=4, dora_indicators=["4z"])[0] == "too_many_of_a_tile"


def test_the_tile_drawn_for_a_north_is_rinshan() -> None:
    assert dict(scored(PLAIN, "tsumo nukidora=1 rinshan", TENHOU3).yaku)["rinshan"] == 1
    with pytest.raises(HandError, match="needs a kan"):
        scored(PLAIN, "tsumo rinshan", TENHOU3)


@pytest.mark.parametrize("first", ["tsumo chiihou", "tsumo seat_wind=E tenhou"])
def test_a_north_set_aside_ends_the_first_turn(first: str) -> None:
    assert scored(PLAIN, first, TENHOU3).yakuman == 1
    with pytest.raises(HandError, match="A win on the first turn has no nukidora"):
        scored(PLAIN, f"{first} nukidora=1", TENHOU3)


def test_dora_wrap_from_one_to_nine() -> None:
    assert (dora_of(0, 3), dora_of(8, 3), dora_of(0), dora_of(8)) == (8, 0, 1, 0)
    won = scored("111m999m78s22z456s 9s", "ron riichi dora_indicators=1m ura_indicators=9m", TENHOU3)
    assert dict(won.yaku) == {"riichi": 1, "dora": 3, "ura": 3}


# --- who pays -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "how", "points", "deltas"),
    [
        # mangan: the fourth share is lost
        (TENHOU3, "tsumo seat_wind=S", 6000, (6000, -2000, 0, -4000)),
        (TENHOU3, "tsumo seat_wind=W", 6000, (6000, -4000, 0, -2000)),
        (TENHOU3, "tsumo seat_wind=E", 8000, (8000, -4000, 0, -4000)),
        # or split between the two others
        (SPLIT, "tsumo seat_wind=S", 8000, (8000, -3000, 0, -5000)),
        (SPLIT, "tsumo seat_wind=W", 8000, (8000, -5000, 0, -3000)),
        (SPLIT, "tsumo seat_wind=E", 12000, (12000, -6000, 0, -6000)),
        # counters: 100 from each, 200 from a discarder; bets
        (TENHOU3, "tsumo seat_wind=S honba=2 riichi_sticks=1", 6000, (7400, -2200, 0, -4200)),
        (TENHOU3, "ron seat_wind=S loser_offset=3 honba=2", 8000, (8400, 0, 0, -8400)),
        (TENHOU3, "ron seat_wind=E loser_offset=1 honba=1", 12000, (12200, -12200, 0, 0)),
    ],
)
def test_payments(rules: RuleSet, how: str, points: int, deltas: tuple[int, ...]) -> None:
    five = "riichi nukidora=3" if "tsumo" in how else "riichi nukidora=4"
    won = scored(PLAIN, f"{how} {five}", rules)
    assert (won.han, won.limit, won.points, won.deltas) == (5, "mangan", points, deltas)


def test_each_half_is_rounded_up_too() -> None:
    """North bisection: half of what the fourth would pay, as rounded, up to the next hundred."""
    assert shares(240, False, SPLIT) == (500 + 200, 300 + 200)
    assert shares(960, False, SPLIT) == (2000 + 500, 1000 + 500)
    assert shares(960, True, SPLIT) == (2000 + 1000, 2000 + 1000)
    assert shares(960, False, TENHOU3) == (2000, 1000) and shares(960, True, TENHOU3) == (2000, 2000)


def test_who_is_liable_pays_the_whole_self_draw() -> None:
    """Equim-chan/tensoul, of Mahjong Soul's logs: as if by ron, with the share that others would lose."""
    dragons = "11m99s 1m pon:555z pon:666z pon:777z"
    assert scored(dragons, "tsumo seat_wind=S pao=1", TENHOU3).deltas == (32000, -32000, 0, 0)
    assert scored(dragons, "tsumo seat_wind=E pao=3 honba=1", TENHOU3).deltas == (48200, 0, 0, -48200)
    ron = scored(dragons, "ron seat_wind=S loser_offset=3 pao=1 honba=1", TENHOU3)
    assert ron.deltas == (32200, -16200, 0, -16000)


@given(st.integers(0, 2**32), st.sampled_from(THREE))
def test_no_point_comes_from_nowhere(seed: int, rules: RuleSet) -> None:
    drawn = random_win(Random(seed), players=3)
    try:
        found = score(drawn.hand, drawn.win, rules)
    except HandError as error:
        assert error.faults[0].id == "no_yaku"
        return
    assert found.deltas is not None
    won, *paid = found.deltas
    assert won + sum(paid) == 1000 * drawn.win.riichi_sticks
    assert all(points <= 0 for points in paid) and paid[1] == 0


# --- the whole hand -----------------------------------------------------------------------------------------


def test_settle_by_seat() -> None:
    settled = settle([record("W", 1, honba=1)])
    points = settled.winners[0].score.points
    assert settled.changes == (-points - 200, 0, points + 200, 0) and settled.players == 3
    assert settled.to_record()["changes"].keys() == {"E", "S", "W"}
    for seat in (Wind.EAST, Wind.SOUTH, Wind.WEST):
        assert sorted(settled.seen_from(seat)) == sorted(settled.changes)
    assert settled.seen_from(Wind.WEST) == settled.winners[0].score.deltas


def test_two_winners() -> None:
    both = [record("S", 3, riichi_sticks=1, honba=1), record("W", 1, honba=1)]
    settled = settle(both)
    assert [winner.seat for winner in settled.winners] == [Wind.SOUTH, Wind.WEST]
    first, second = (winner.score.points for winner in settled.winners)
    assert settled.changes == (-first - second - 200, first + 200 + 1000, second, 0)
    assert settle(both[::-1]).changes == settled.changes
    with pytest.raises(SettleError, match="different discarders"):
        settle([record("S", 3), record("W", 3)])
    with pytest.raises(HandError, match="nobody sits across"):
        settle([record("S", 2)])


@pytest.mark.parametrize(
    ("fields", "said"),
    [({"pao": 2}, "nobody sits across"), ({"seat_wind": "N"}, "no North seat")],
)
def test_a_self_draw_names_nobody_north_or_across(fields: dict[str, Any], said: str) -> None:
    """What a fourth player would pay is paid by nobody, and would come from nowhere."""
    told = {"value": {"yakuman": 1}, "tsumo": True, "seat_wind": "S", **fields}
    with pytest.raises(GameRecordError, match=f"Event 2: .*{said}"):
        replay([{"event": "start", "rules": "majsoul3"}, {"event": "win", "hands": [told]}])


def test_noten_of_three() -> None:
    """RiichiEnv, state_3p: 2000 after an exhaustive draw."""
    assert settle_draw([Wind.EAST], TENHOU3).changes == (2000, -1000, -1000, 0)
    assert settle_draw([Wind.EAST, Wind.WEST], TENHOU3).changes == (1000, -2000, 1000, 0)
    assert settle_draw([], TENHOU3).changes == settle_draw(tuple(Wind)[:3], TENHOU3).changes == (0, 0, 0, 0)
    with pytest.raises(SettleError, match="no North seat"):
        settle_draw([Wind.NORTH], TENHOU3)


def test_three_play_no_north_round() -> None:
    """Nobody could win in it: three players have no North wind."""
    north = replace(TENHOU3, extra_rounds=2, extra_rounds_above=100000)
    game = Game.start(north)
    while not game.is_over:
        last, game = game, game.after(settle_draw([], north))
    assert (str(last.round_wind), game.deal) == ("W", 9)
    assert not replace(last, repeats=True).is_over, "the dealer stays in the last hand"


def test_nagashi_and_aborts_of_three() -> None:
    assert settle_nagashi([Wind.SOUTH], TENHOU3).changes == (-4000, 6000, -2000, 0)
    assert settle_nagashi([Wind.SOUTH], SPLIT).changes == (-5000, 8000, -3000, 0)
    assert settle_abort("four_kongs", TENHOU3).changes == (0, 0, 0, 0)
    with pytest.raises(SettleError, match="no abortive draw"):
        settle_abort("four_winds", TENHOU3)


def test_chombo_of_three() -> None:
    rules = replace(TENHOU3, chombo="reverse_mangan")
    assert settle_chombo(Wind.SOUTH, rules).changes == (4000, -6000, 2000, 0)
    assert settle_chombo(Wind.EAST, rules, declared=[Wind.WEST]).changes == (-8000, 4000, 5000, 0)


# --- the game -----------------------------------------------------------------------------------------------


def test_start_and_ranking() -> None:
    game = Game.start(TENHOU3)
    assert game.points == (35000,) * 3
    assert replace(game, points=(50000, 35000, 20000)).scores() == (45000, -5000, -40000)
    assert sum(replace(game, points=(49000, 35000, 20000), sticks=1).scores()) == 0
    soul = replace(Game.start(MAJSOUL3), points=(50000, 35000, 20000))
    assert soul.scores() == (30000, 0, -30000)
    assert replace(soul, points=(35000, 35000, 35000)).scores() == (15000, 0, -15000), "seats break ties"


def test_a_hand_of_four_is_none_of_three() -> None:
    with pytest.raises(SettleError, match="settled for 4 players, and 3 play"):
        Game.start(TENHOU3).after(settle_draw([], load_rules("tenhou")))


def test_two_rounds_of_three_deals() -> None:
    game, winds = Game.start(TENHOU3), []
    while not game.is_over:
        winds.append((game.round_wind, game.seat(0)))
        game = game.after(settle_draw([], TENHOU3))
    seats = [Wind.EAST, Wind.WEST, Wind.SOUTH]
    rounds = (Wind.EAST, Wind.SOUTH, Wind.WEST)
    assert winds == [(wind, seat) for wind in rounds for seat in seats], "nobody has 40,000"


@given(st.lists(st.integers(0, 2**32), max_size=6))
def test_points_are_kept_through_a_game(seeds: list[int]) -> None:
    """What the three have, and what lies on the table, is what they began with; the scores come to 0."""
    game = Game.start(TENHOU3)
    for seed in seeds:
        if game.is_over:
            break
        random = Random(seed)
        drawn = random_win(random, players=3)
        fields = {**drawn.to_record(TENHOU3), "honba": game.honba, "riichi_sticks": game.sticks,
                  "round_wind": "E"}  # fmt: skip
        if score_record(fields)["status"] == "ok":
            settled = settle([fields])
            game = game.after(settled)
        else:
            ready = [seat for seat in tuple(Wind)[:3] if random.random() < 0.5]
            declared = ready[:1]
            drawn_hand = settle_draw(ready, TENHOU3, riichi_sticks=game.sticks + len(declared))
            game = game.after(drawn_hand, tenpai=ready, declared=declared)
        assert sum(game.points) + 1000 * game.sticks == 3 * 35000
    assert sum(game.scores()) == 0


# --- rules --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", FOUR)
def test_any_rules_of_four_become_those_of_three(base: str) -> None:
    """``players = 3`` is enough: what takes four players follows, and says from where."""
    rules = parse_rules(f'base = "{base}"\nplayers = 3')
    assert (rules.players, len(rules.uma), sum(rules.uma), rules.red_fives[0]) == (3, 3, 0, 0)
    assert rules.nukidora and rules.honba_points == 200 and rules.noten_points == 2000
    assert rules.oka == 3 * (rules.target_points - rules.start_points)
    assert rules.cite["uma"] == "house.toml: players = 3"
    assert scored(PLAIN, "ron riichi nukidora=1", rules).points > 0
    assert sum(Game.start(rules).scores()) == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("players = 3\numa = [20000, 10000, -10000, -20000]", "uma must be 3 numbers"),
        ("uma = [15000, 0, -15000]", "uma must be 4 numbers"),
        ("players = 3\nhonba_points = 300", "honba_points must be a multiple of 200"),
        ("honba_points = 400", "honba_points must be a multiple of 300"),
        ("noten_points = 2000", "noten_points must be a multiple of 600"),
        ("players = 3\nred_fives = [1, 1, 1]", "three players have no 5m"),
        ('players = 3\nabortive_draws = ["four_winds"]', "four_winds is none of abortive_draws"),
        ("players = 3\noka = 20000", "oka must be 15000"),
        ("players = 5", "players must be 3 or 4"),
        ('fourth_share = "halved"', "choose one of"),
    ],
)
def test_what_three_players_cannot_play_is_named(text: str, said: str) -> None:
    with pytest.raises(RulesError, match=said):
        parse_rules(f'base = "tenhou"\n{text}')


# --- what is asked and told ---------------------------------------------------------------------------------


def test_the_plan_asks_for_norths_and_knows_three_players() -> None:
    asked = {one.field: one for one in plan({"concealed": "111m456p78s22z456s", "win_tile": "9s",
                                             "rules": "tenhou3"}).questions}  # fmt: skip
    assert asked["nukidora"].text == "How many norths were set aside?"
    assert [one.changes["nukidora"] for one in asked["nukidora"].choices] == [0, 1, 2, 3, 4]
    with_norths = plan({"concealed": "111m456p78s44z456s", "win_tile": "9s", "rules": "tenhou3"}).questions
    (norths,) = (one for one in with_norths if one.field == "nukidora")
    assert [one.changes["nukidora"] for one in norths.choices] == [0, 1, 2]
    winds = plan({"concealed": "111m456p78s22z333z", "win_tile": "9s", "rules": "tenhou3"}).questions
    (seat,) = (one for one in winds if one.field == "seat_wind")
    assert {choice.id for choice in seat.choices} == {"no", "E", "S", "W"}
    assert not any(one.field == "nukidora" for one in plan({**RECORD, "rules": "tenhou"}).questions)


def test_the_plan_names_nobody_across() -> None:
    dragons = [{"type": "pon", "tiles": tiles} for tiles in ("555z", "666z", "777z")]
    known = {"concealed": "11m99s", "win_tile": "1m", "melds": dragons, "rules": "tenhou3", "tsumo": True}
    questions = plan(known, ["tsumo"]).questions
    (liable,) = (one for one in questions if one.field == "pao")
    assert [one.id for one in liable.choices] == ["nobody", "right", "left"]


def test_what_the_plan_says_of_an_answer_is_what_is_scored() -> None:
    """Norths are dora after west, whether they or the indicator are told first."""
    known = {**RECORD, "seat_wind": "S", "round_wind": "E", "riichi": True, "dora_indicators": ["3z"]}
    (norths,) = (one for one in plan(known, tuple(known)).questions if one.field == "nukidora")
    for choice in norths.choices:
        assert choice.points == score_record({**known, **choice.fields})["points"]


def test_no_indicator_is_offered_that_is_not_in_play() -> None:
    (dora,) = (one for one in plan(RECORD, ["riichi"]).questions if one.field == "dora_indicators")
    offered = "".join(choice.id for choice in dora.choices)
    assert not {f"{rank}m" for rank in range(2, 9)} & {offered[at : at + 2] for at in range(len(offered))}


def test_the_lesson_tells_three_players() -> None:
    how = "tsumo riichi nukidora=2 dora_indicators=3z"
    lesson = explain(hand(PLAIN), win(how), SPLIT)
    (dora,) = (step for step in lesson.steps if step.kind is StepKind.DORA)
    assert [line.amount for line in dora.lines] == [2, 2]
    said = [lesson.text(line.sentence) for step in lesson.steps for line in step.lines]
    assert any("half of what a fourth player would pay" in text for text in said)
    assert not any("across" in text for text in said)
    paid = [line.amount for step in lesson.steps if step.kind is StepKind.PAYMENT for line in step.lines]
    assert lesson.score is not None and lesson.score.deltas is not None
    assert sorted(filter(None, paid)) == sorted(-one for one in lesson.score.deltas[1:] if one)


@given(st.integers(0, 2**32), st.sampled_from(THREE))
def test_every_win_is_explained(seed: int, rules: RuleSet) -> None:
    """No near miss asks for a tile that is not in play, and the yaku, dora and payments add up."""
    drawn = random_win(Random(seed), players=3)
    lesson = explain(drawn.hand, drawn.win, rules)
    for miss in lesson.misses:
        assert not any(0 < tile.kind < 8 for tile in miss.change.hand.tiles)
    if lesson.score is None:
        return
    kinds = (StepKind.YAKU, StepKind.DORA)
    told = sum(line.amount or 0 for step in lesson.steps if step.kind in kinds for line in step.lines)
    assert told == lesson.score.han
