"""A game around its hands: deal, counters, bets, and the final scores of the sources' examples."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer import RuleSet, SettleError, Settlement, Wind, load_rules, preset_ids, settle_chombo, settle_draw
from scorer.game import Game
from scorer.referee import may_declare_riichi
from scorer.settlement import Winner, settle_abort
from tests.scorer.short_hands import EMA, FOUR, TENHOU, scored

TOUDAI = load_rules("toudai")
PRESETS = [load_rules(id_) for id_ in FOUR]


def won_by(*seats: Wind, sticks_left: int = 0) -> Settlement:
    score = scored("123m456p78s22z444z 9s", "ron riichi")
    return Settlement((0, 0, 0, 0), tuple(Winner(seat, score) for seat in seats), sticks_left=sticks_left)


def test_the_dealer_stays_and_counters_grow() -> None:
    """EMA 2008 §3.4.10, §3.4.12."""
    game = Game.start(EMA).after(won_by(Wind.EAST))
    assert (game.deal, game.honba) == (0, 1)
    game = game.after(won_by(Wind.WEST, Wind.EAST))
    assert (game.deal, game.honba) == (0, 2), "East stays and counters too where he is one of two"
    game = game.after(settle_draw([Wind.EAST], EMA), tenpai=[Wind.EAST])
    assert (game.deal, game.honba) == (0, 3)
    game = game.after(settle_draw([], EMA))
    assert (game.deal, game.honba, game.seat(1)) == (1, 4, Wind.EAST)
    game = game.after(won_by(Wind.NORTH))
    assert (game.deal, game.honba) == (2, 0)
    only_wins = replace(EMA, dealer_stays="win")
    assert Game.start(only_wins).after(settle_draw([Wind.EAST], EMA), tenpai=[Wind.EAST]).deal == 1


def test_the_deal_passes_on_after_a_draw_in_some_rules() -> None:
    """WRC 2017: if East wins they remain as East, otherwise next player becomes East."""
    rules = load_rules("wrc2017")
    drawn = settle_draw([Wind.EAST], rules)
    assert Game.start(rules).after(drawn, tenpai=[Wind.EAST]).deal == 1
    assert Game.start(rules).after(won_by(Wind.EAST)).deal == 0


def test_two_rounds() -> None:
    """EMA 2008 §3.5: each player deals twice at least."""
    game, winds = Game.start(EMA), []
    while not game.is_over:
        winds.append(game.round_wind)
        game = game.after(won_by(Wind.SOUTH))
    assert winds == [Wind.EAST] * 4 + [Wind.SOUTH] * 4


def test_bets_lie_until_a_win() -> None:
    """EMA 2008 §3.4.4: a bet stays on the table after a draw; no point is lost."""
    drawn = settle_draw([Wind.SOUTH], EMA, riichi_sticks=1)
    game = Game.start(EMA).after(drawn, declared=[Wind.SOUTH], tenpai=[Wind.SOUTH])
    assert game.points == (29000, 32000, 29000, 29000) and game.sticks == 1
    assert sum(game.points) + 1000 * game.sticks == 120000


def test_uma_of_ema() -> None:
    """EMA 2008 §3.6.1: 9, 3, -3, -9 thousand; two tied at first get 6,000 each; §3.6: the bets."""
    assert Game(EMA, (40000, 35000, 25000, 20000)).scores() == (19000, 8000, -8000, -19000)
    assert Game(EMA, (25000, 35000, 35000, 25000)).scores() == (-11000, 11000, 11000, -11000)
    assert Game(EMA, (39000, 35000, 25000, 20000), sticks=1).scores() == (19000, 8000, -8000, -19000)
    assert Game(EMA, (30000, 30000, 30000, 30000)).scores() == (0, 0, 0, 0)


def test_cashing_out_of_toudai() -> None:
    """Toudai §3.7, §7.10: less 30,000, and 12,000 to the first: +9, -3, -3, -3."""
    assert Game.start(TOUDAI).points == (27000,) * 4
    assert Game(TOUDAI, (30000, 29000, 26000, 23000)).scores() == (12000, -1000, -4000, -7000)


def test_equal_scores_rank_by_seat_in_some_rules() -> None:
    """Tenhou: the earlier seat of the first hand is ahead."""
    assert Game(TENHOU, (20000, 30000, 30000, 20000)).scores() == (-20000, 40000, 10000, -30000)


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.id)
def test_scores_sum_to_nothing(rules: RuleSet) -> None:
    start = rules.start_points
    for points in ((3100, -1200, 700, -2600), (1, -1, 1, -1), (0, 0, 0, 0), (2, 2, 2, -6)):
        first, second, third, fourth = (start + change for change in points)
        assert sum(Game(rules, (first, second, third, fourth)).scores()) == 0
        lost = 0 if rules.bets_left == "first" else -1000
        assert sum(Game(rules, (first - 1000, second, third, fourth), sticks=1).scores()) == lost


def test_chombo_repeats_the_hand() -> None:
    """EMA 2008 §3.4.6: bets back, no counter, no rotation; EMA 2016: 20,000 off after the uma."""
    declared = [Wind.SOUTH, Wind.WEST]
    game = Game.start(EMA).after_chombo(settle_chombo(Wind.EAST, EMA, declared=declared), declared=declared)
    assert game.points == (18000, 34000, 34000, 34000) and (game.deal, game.honba, game.sticks) == (0, 0, 0)
    rules = load_rules("ema2016")
    game = replace(Game.start(rules), deal=1).after_chombo(settle_chombo(Wind.EAST, rules))
    assert game.points == (30000,) * 4 and game.scores() == (0, -20000, 0, 0)


def test_abortive_draws() -> None:
    """EMA 2008 §3.4.3 has four of them, the edition of 2016 none."""
    assert settle_abort("nine_terminals", EMA, riichi_sticks=2).sticks_left == 2
    with pytest.raises(SettleError, match=r"In EMA Riichi 2016 four kans is no abortive draw; .* none\."):
        settle_abort("four_kongs", load_rules("ema2016"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("english", "In House four kans is no abortive draw; those that are: four riichi, four same winds."),
        (
            "japanese",
            "In House suukaikan is no tochuu ryuukyoku; those that are: suucha riichi, suufon renda.",
        ),
        ("kanji", "In House 四開槓 is no 途中流局; those that are: 四家立直, 四風連打."),
    ],
)
def test_abortive_draws_are_called_as_in_the_rules(words: str, message: str) -> None:
    rules = replace(EMA, name="House", words=words, abortive_draws=("four_riichi", "four_winds"))
    with pytest.raises(SettleError) as caught:
        settle_abort("four_kongs", rules)
    assert str(caught.value) == message
    with pytest.raises(SettleError, match="“nine” is no"):
        settle_abort("nine", rules)


def test_riichi_needs_tiles_in_the_wall() -> None:
    """EMA 2008 §3.3.12: not with less than four; Toudai names no least number."""
    assert may_declare_riichi(4, EMA) and not may_declare_riichi(3, EMA) and may_declare_riichi(0, TOUDAI)


def test_south_side_not_ready() -> None:
    """Toudai §7.4: the dealer keeps the deal unless South is ready while he is not."""
    rules = replace(TOUDAI, dealer_stays="unless_south_tenpai")
    for tenpai, deal in (("", 0), ("W", 0), ("S", 1), ("SN", 1), ("ES", 0), ("E", 0)):
        drawn = settle_draw([Wind(seat) for seat in tenpai], rules)
        game = Game.start(rules).after(drawn, tenpai=[Wind(seat) for seat in tenpai])
        assert (game.deal, game.honba) == (deal, 1), tenpai
    assert Game.start(rules).after(won_by(Wind.WEST)).deal == 1


@pytest.mark.parametrize(("further", "last"), [(0, 8), (1, 12), (2, 16)])
def test_go_west_go_north(further: int, last: int) -> None:
    """Toudai §7.6, §7.7: another round of four hands if no one has more than 30000 after the last."""
    rules = replace(TOUDAI, extra_rounds=further)
    game, winds = Game.start(rules), ""
    while not game.is_over:
        winds += game.round_wind
        game = game.after(won_by(Wind.SOUTH))
    assert (winds, game.deal) == (("EEEESSSSWWWWNNNN")[:last], last)
    ahead = replace(game, points=(30100, 27000, 26000, 24900))
    assert replace(ahead, deal=8).is_over and not replace(ahead, deal=7).is_over
    assert replace(ahead, deal=9).is_over is (further == 0), "a round is played to its end"
    assert replace(game, points=(30000, 27000, 26000, 25000), deal=8).is_over is (further == 0)


def test_yakitori() -> None:
    """Toudai §7.8: a penalty for who has not won; it goes to those who have."""
    rules = replace(TOUDAI, yakitori=3000)
    game = Game.start(rules).after(won_by(Wind.SOUTH)).after(won_by(Wind.EAST))
    assert game.winners == {1}
    plain = replace(game, rules=TOUDAI).scores()
    changes = [one - other for one, other in zip(game.scores(), plain, strict=True)]
    assert changes == [-3000, 9000, -3000, -3000]
    three = replace(game, winners=frozenset({0, 1, 3}))
    changes = [one - other for one, other in zip(three.scores(), plain, strict=True)]
    assert changes == [1000, 1000, -3000, 1000]
    for winners in (frozenset[int](), frozenset(range(4))):
        assert replace(game, winners=winners).scores() == plain


def test_paarenchan_counts_wins_or_hands() -> None:
    """Scoring Reference: "the ninth hand in a row as East which does not result in the winds changing"."""
    reference = load_rules("reference")
    for rules, counted in ((reference, 2), (replace(reference, paarenchan_counts="wins"), 0)):
        game = Game.start(rules).after(won_by(Wind.EAST))
        game = game.after(settle_draw([Wind.EAST], rules), tenpai=[Wind.EAST])
        assert (game.deal, game.honba, game.dealer_wins) == (0, 2, counted)
        assert game.after(settle_draw([], rules)).dealer_wins == 0


def test_the_dealer_retires_after_paarenchan() -> None:
    """Toudai §4.1.7: some force the dealer to retire after his eighth win, others allow him to continue."""
    plays = replace(TOUDAI, yaku={**TOUDAI.yaku, "paarenchan": (13, 13)})
    retiring = replace(plays, paarenchan_retires=True)
    not_played = replace(TOUDAI, paarenchan_retires=True)
    for rules, deal, in_a_row in ((plays, 0, 9), (retiring, 1, 1), (not_played, 0, 9)):
        game = Game.start(rules)
        for number in range(8):
            assert (game.deal, game.dealer_wins, game.honba) == (0, number, number)
            game = game.after(won_by(Wind.EAST))
        game = game.after(won_by(Wind.EAST))
        assert (game.deal, game.dealer_wins, game.honba) == (deal, in_a_row, in_a_row)
        assert game.after(won_by(Wind.SOUTH)).dealer_wins == 0


# --- how a game ends ----------------------------------------------------------------------------------------


def last_hand(rules: RuleSet, *points: int, deal: int | None = None) -> Game:
    """The first hand of the last deal of the last round."""
    return replace(
        Game.start(rules), points=points, deal=rules.rounds * rules.players - 1 if deal is None else deal
    )


def test_no_hand_follows_the_last() -> None:
    over = replace(Game.start(EMA), deal=8)
    for follow in (
        lambda: over.after(won_by(Wind.EAST)),
        lambda: over.after_chombo(settle_chombo(Wind.EAST, EMA)),
        lambda: over.round_wind,
    ):
        with pytest.raises(SettleError, match=r"The game is over: no hand follows\."):
            follow()
    assert over.corrected((100, -100, 0, 0)).points == (30100, 29900, 30000, 30000)


@pytest.mark.parametrize("rules", [load_rules(id_) for id_ in preset_ids()], ids=lambda rules: rules.id)
def test_bust(rules: RuleSet) -> None:
    """Below 0 on the net; 0 is enough to go on. The tables of EMA, WRC, JPML and M.League play on."""
    others = (rules.players - 2) * (0,)
    for points, over in ((0, False), (-100, rules.bust)):
        assert replace(Game.start(rules), points=(40000, points, *others)).is_over is over
    assert rules.bust is (rules.id in {"tenhou", "tenhou3", "majsoul", "majsoul3"})


@pytest.mark.parametrize(("id_", "goal"), [("tenhou", 30000), ("majsoul", 30000), ("tenhou3", 40000)])
def test_sudden_death(id_: str, goal: int) -> None:
    """Another wind while nobody has the goal; it ends once somebody has and the deal passes on."""
    rules = load_rules(id_)
    players, rest = rules.players, (0,) * (rules.players - 2)
    low, high = (goal - 100, goal - 100, *rest), (goal, 1000, *rest)
    drawn, rises = settle_draw([], rules), Settlement((100, 0, 0, 0), players=players)
    south = last_hand(rules, *high)
    assert south.after(drawn).is_over
    west = last_hand(rules, *low).after(drawn)
    assert not west.is_over and west.round_wind is Wind.WEST
    for deal in range(2 * players, 3 * players - 1):
        game = replace(west, deal=deal, points=(goal - 100,) * players)
        assert not game.after(drawn).is_over
        assert game.after(rises).is_over
        stays = game.after(replace(rises, changes=(0, 100, 0, 0)), tenpai=[Wind.EAST])
        assert not stays.is_over, "the dealer, who is not the first, stays"
    assert replace(west, deal=3 * players - 1).after(drawn).is_over, "no round follows the further one"


@pytest.mark.parametrize("sudden_death", [True, False])
def test_a_chombo_ends_no_further_round(sudden_death: bool) -> None:
    """EMA 2008 §3.4.6: the same hand again, so that no hand is over by which a further round may end."""
    rules = replace(TENHOU, chombo="reverse_mangan", sudden_death=sudden_death)
    west = last_hand(rules, 25000, 29000, 25000, 21000).after(settle_draw([], rules))
    again = west.after_chombo(settle_chombo(Wind.WEST, rules))
    assert again.points == (29000, 31000, 17000, 23000) and not again.is_over
    assert again.after(settle_draw([], rules)).is_over is sudden_death


def test_a_round_that_is_played_to_its_end_is_not_over_while_the_deal_stays() -> None:
    """Toudai §7.6: another round of four hands, also where the first dealer stays in it."""
    rules = replace(TOUDAI, extra_rounds=1)
    west = last_hand(rules, 27000, 27000, 27000, 27000).after(won_by(Wind.SOUTH))
    ahead = west.after(replace(won_by(Wind.EAST), changes=(6000, -2000, -2000, -2000)))
    assert (ahead.deal, ahead.is_over) == (8, False)


@pytest.mark.parametrize(
    ("points", "result", "over"),
    [
        ((20000, 20000, 20000, 40000), "won", True),
        ((20000, 20000, 20000, 40000), "tenpai", True),
        ((20000, 20000, 20000, 40000), "abort", False),
        ((40000, 20000, 20000, 20000), "won", False),
        ((40000, 10000, 10000, 40000), "won", False),
        ((25000, 25000, 25000, 25000), "won", False),
    ],
)
def test_the_last_dealer_stops_as_the_first(points: tuple[int, ...], result: str, over: bool) -> None:
    """Agariyame and tenpaiyame; equal scores rank by seat; with less than the goal the game goes on."""
    game = last_hand(TENHOU, *points)
    everybody = tuple(Wind)
    after = {
        "won": game.after(won_by(Wind.EAST)),
        "tenpai": game.after(settle_draw(everybody, TENHOU), tenpai=everybody),
        "abort": game.after(settle_abort("four_kongs", TENHOU)),
    }[result]
    assert (after.is_over, after.deal) == (over, 7)
    behind = last_hand(TENHOU, 31000, 20000, 20000, 29000)
    ahead = replace(won_by(Wind.EAST), changes=(6000, -2000, -2000, -2000))
    assert behind.after(ahead).is_over and not behind.after(won_by(Wind.EAST)).is_over, "first by this win"
    plays_on = replace(TENHOU, last_dealer_stops="never")
    assert not replace(game, rules=plays_on).after(won_by(Wind.EAST)).is_over
    only_wins = replace(game, rules=replace(TENHOU, last_dealer_stops="win"))
    assert not only_wins.after(settle_draw(everybody, TENHOU), tenpai=everybody).is_over
    assert not replace(game, deal=6, points=points[::-1]).after(won_by(Wind.EAST)).is_over, (
        "not the last hand"
    )


def test_east_alone() -> None:
    """A game of one round; under sudden death the south round follows while nobody has 30,000."""
    rules = replace(TENHOU, rounds=1)
    assert last_hand(rules, 30000, 25000, 25000, 20000).after(settle_draw([], rules)).is_over
    south = last_hand(rules, 25000, 25000, 25000, 25000).after(settle_draw([], rules))
    assert not south.is_over and south.round_wind is Wind.SOUTH
    assert replace(south, deal=7).after(settle_draw([], rules)).is_over


def test_the_dealer_stays_after_an_abortive_draw_in_some_rules() -> None:
    """Tenhou: renchan; EMA 2008 §3.4.12: he stays where he is tenpai."""
    for rules, deal in ((TENHOU, 0), (EMA, 1)):
        game = Game.start(rules).after(settle_abort("nine_terminals", rules))
        assert (game.deal, game.honba) == (deal, 1)
    assert Game.start(EMA).after(settle_abort("four_riichi", EMA), tenpai=[Wind.EAST]).deal == 0
    three = replace(settle_draw([], TENHOU), aborted=True, unpaid=(Wind.SOUTH, Wind.WEST, Wind.NORTH))
    assert Game.start(TENHOU).after(three).deal == 0


@pytest.mark.parametrize(
    ("points", "sticks", "scores"),
    [
        ((60000, 25000, 20000, 15000), 0, (42000, -6000, -13000, -23000)),
        ((50000, 30000, 25000, 15000), 0, (28000, 4000, -9000, -23000)),
        ((40000, 35000, 30000, 15000), 0, (18000, 8000, 1000, -27000)),
        ((30000, 30000, 30000, 30000), 0, (0, 0, 0, 0)),
        ((35000, 35000, 30000, 20000), 0, (10500, 10500, 1000, -22000)),
        ((29900, 29800, 29700, 29600), 1, (12900, -1200, -3300, -8400)),
    ],
)
def test_floating_uma(points: tuple[int, ...], sticks: int, scores: tuple[int, ...]) -> None:
    """JPML: by how many end with 30,000 or more, the bets that are left counted where the first has them."""
    rules = replace(load_rules("jpml"), bets_left="first")
    assert Game(rules, points, sticks=sticks).scores() == scores


def test_bets_that_are_left_at_the_end() -> None:
    """The first has them, equals share them where they share; or nobody has them (JPML, WRC 2015)."""
    ahead, equal = (40000, 30000, 25000, 23000), (34500, 34500, 25000, 24000)
    for rules, points, expected in (
        (EMA, ahead, (42000, 30000, 25000, 23000)),
        (EMA, equal, (35500, 35500, 25000, 24000)),
        (TENHOU, equal, (36500, 34500, 25000, 24000)),
        (load_rules("jpml"), ahead, ahead),
    ):
        game = Game(rules, points, sticks=2)
        assert game.points_at_end() == expected
        without = replace(game, sticks=0).scores()
        bets = [have - had for have, had in zip(expected, points, strict=True)]
        assert game.scores() == tuple(map(sum, zip(without, bets, strict=True)))


def test_places() -> None:
    """Equal points share a place where they share the uma; otherwise the earlier dealer is ahead."""
    assert Game(EMA, (20000, 35000, 35000, 30000)).places() == (4, 1, 1, 3)
    assert Game(TENHOU, (20000, 35000, 35000, 10000)).places() == (3, 1, 2, 4)


def test_a_correction_moves_points() -> None:
    game = Game.start(EMA).corrected((300, -300, 0, 0), (0, 0, -5000, 0))
    assert game.points == (30300, 29700, 30000, 30000) and sum(game.scores()) == -5000
    for changes, penalties, message in (
        ((100, 0, 0, 0), (), "changes must come to 0, as points pass between players, not 100"),
        ((100, -100), (), "changes must be 4 numbers"),
        ((), (1, 0, 0, 0), "below 0"),
    ):
        with pytest.raises(SettleError, match=message):
            game.corrected(changes, penalties)
