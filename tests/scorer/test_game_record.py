"""The game record: every event replayed, what is wrong named, and no point lost in any game of any preset."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.wins import random_win
from scorer import Game, GameRecordError, RuleSet, Wind, load_rules, preset_ids, replay, score_record
from scorer.hand import seats_of
from tests.scorer.short_games import DRAW, RON, start, win

START = start()
POOR = {"event": "correction", "changes": [0, -24100, 24100, 0]}


def test_every_event_is_replayed() -> None:
    events = [
        START,
        DRAW,
        win(RON, declared=["N"]),
        {"event": "abort", "kind": "nine_terminals", "declared": ["E"]},
        {"event": "correction", "changes": [100, -100, 0, 0], "penalties": [0, 0, -2000, 0], "note": "late"},
    ]
    played = replay(events)
    assert [turn.changes for turn in played.turns] == [
        (1500, 500, -1500, -1500),
        (-1600, 0, 3600, -1000),
        (0, -1000, 0, 0),
        (100, -100, 0, 0),
    ]
    game = played.game
    assert (game.deal, game.honba, game.sticks, game.penalties) == (1, 1, 1, (0, 0, -2000, 0))
    assert game.points == (25000, 24400, 27100, 22500)
    won = played.turns[1]
    assert (won.discarder, won.player(Wind.WEST), won.declared) == (Wind.EAST, 2, {Wind.WEST, Wind.NORTH})


def test_a_record_for_other_programs() -> None:
    played = replay([START, win({**RON, "honba": 0}), win({**RON, "loser_offset": 1})])
    found = played.to_record()
    assert found["hands"][1] == {
        "event": "win", "round": "E", "deal": 2, "honba": 0, "riichi_sticks": 0,
        "winners": [{"player": 3, "points": 1300, "han": 1, "fu": 40, "limit": None}],
        "discarder": 0, "declared": [3], "changes": [-1300, 0, 0, 1300],
        "points": [22400, 25000, 26300, 26300],
    }  # fmt: skip
    assert found["next"] == {"round": "E", "deal": 3, "honba": 0, "riichi_sticks": 0} and not found["over"]
    assert [(one["place"], one["name"]) for one in found["ranking"]] == [
        (1, "Chie"), (2, "Dan"), (3, "Ben"), (4, "Aki")
    ]  # fmt: skip
    assert sum(one["score"] for one in found["ranking"]) == 0


def test_what_the_game_knows_is_filled_in() -> None:
    """Counters, bets, round, the dealer's wins and the rules: the hands say them in no event, or rightly."""
    dealer = {**RON, "seat_wind": "E", "loser_offset": 1, "rules": "toudai"}
    plain = replay([START, DRAW, win(dealer)])
    assert plain.turns[1].changes == (2000 + 300 + 1000, -2300, 0, 0)
    said = replay([START, DRAW, win({**dealer, "honba": 1, "riichi_sticks": 2, "round_wind": "E"})])
    assert said == plain
    assert replay([START, win(dealer), win(dealer)]).game.dealer_wins == 2


def test_two_winners_and_a_chombo() -> None:
    start = {"event": "start", "rules": "ema2008"}
    second = {**RON, "seat_wind": "S", "loser_offset": 3}
    played = replay([start, win(RON, second), {"event": "chombo", "seat": "S", "declared": ["E"]}])
    assert played.names[0] == "Player 1" and played.turns[0].changes == (-2600, 1300, 1300, 0)
    assert played.turns[1].changes == (2000, 4000, -8000, 2000) and played.turns[1].offender == "S"
    assert played.game.deal == 1


def test_nagashi() -> None:
    nagashi = {"event": "draw", "nagashi": ["W"], "tenpai": ["E"]}
    assert replay([START, nagashi]).game.points == (21000, 23000, 33000, 23000)


def test_the_players_may_end_a_game() -> None:
    """What stands is ranked with uma and oka, and the bets left go to the first; no hand follows."""
    played = replay([START, DRAW, {"event": "end", "note": "time is up"}])
    turn, game = played.turns[-1], played.game
    assert (turn.kind, turn.about, turn.changes) == ("end", "time is up", (0, 0, 0, 0))
    assert game.is_over and played.to_record()["next"] is None
    assert sum(game.scores()) == 0 and game.scores()[0] == 26500 + 1000 - 30000 + 20000 + 20000
    assert replay([START, DRAW, {"event": "end"}, {"event": "correction", "changes": [-100, 100, 0, 0]}])
    for late, message in ((DRAW, "no hand follows"), ({"event": "end"}, "over already")):
        with pytest.raises(GameRecordError, match=f"Event 4: .*{message}"):
            replay([START, DRAW, {"event": "end"}, late])


def test_after_the_end_only_a_correction() -> None:
    bust = {**RON, "concealed": "19m19p19s1234567z", "win_tile": "1m"}
    ended = [START, win(bust)]
    assert replay(ended).game.is_over and replay(ended).to_record()["next"] is None
    with pytest.raises(GameRecordError, match=r"Event 3: The game is over: no hand follows\."):
        replay([*ended, {"event": "draw"}])
    mended = replay([*ended, {"event": "correction", "changes": [10000, 0, -10000, 0]}, {"event": "draw"}])
    assert not mended.game.is_over


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ([], "A game record has no event"),
        ({"event": "start"}, "A game record is a list of events"),
        ([{"event": "draw"}], 'Event 1: a game begins with {"event": "start"}, not \'draw\''),
        ([{"concealed": ""}], 'Event 1: a game begins with {"event": "start"}, and this names no event'),
        ([7], "Event 1: an event must be an object"),
        ([{"event": "start", "rules": "tenho"}], "Event 1: There are no rules called 'tenho'"),
        ([{"event": "start", "rules": 7}], "Event 1: rules must be the name"),
        ([{"event": "start", "players": ["A", "A", "B", "C"]}], "Event 1: players must be 4 names"),
        (
            [START, START],
            "Event 2: after the start event must be one of win, draw, abort, chombo, correction",
        ),
        ([START, {"event": "win"}], "Event 2: hands must be a list of hand records"),
        ([START, win(7)], "Event 2: hands must be hand records, not 7"),  # type: ignore[arg-type]
        ([START, win({**RON, "win_tile": "9x"})], "Event 2: win_tile"),
        ([START, win({**RON, "riichi": False})], "Event 2: This hand has no yaku"),
        ([START, win({**RON, "loser_offset": None})], "Event 2: Who discarded is not known"),
        (
            [START, win({**RON, "honba": 3})],
            "Event 2: honba is 0 in this hand of the game, and the hand says 3",
        ),
        ([START, win({**RON, "round_wind": "S"})], "Event 2: round_wind is E in this hand"),
        ([START, {"event": "draw", "tenpai": ["X"]}], 'Event 2: tenpai must be winds, of "E"'),
        ([START, {"event": "draw", "declared": ["S"]}], "Event 2: S declared riichi and is not tenpai"),
        ([START, {"event": "draw", "tenpai": ["S"], "dead": ["S"]}], "Event 2: S has a dead hand"),
        ([START, {"event": "abort"}], "Event 2: kind must be one of nine_terminals"),
        ([START, {"event": "abort", "kind": "rain"}], "Event 2: In Tenhou “rain” is no"),
        (
            [START, win(RON, declared=[*"ESWN"])],
            "Event 2: All have declared riichi, which ends the hand in Tenhou",
        ),
        (
            [
                {"event": "start", "rules": "tenhou3"},
                {"event": "abort", "kind": "nine_terminals", "declared": [*"ESW"]},
            ],
            "Event 2: Whoever has nine terminals has not discarded yet, and so has no riichi",
        ),
        ([START, {"event": "draw", "nagashi": ["S"], "dead": ["S"]}], "Event 2: S has a dead hand, which"),
        ([START, {"event": "chombo", "seat": "E"}], "Event 2: Tenhou names no penalty"),
        ([{"event": "start"}, {"event": "chombo"}], "Event 2: seat must be the wind of who committed"),
        (
            [START, {"event": "chombo", "seat": "E", "penalty": "none"}],
            "Event 2: penalty must be reverse_mangan",
        ),
        ([START, {"event": "chombo", "seat": "E", "penalty": "points"}], "Event 2: points must be hundreds"),
        (
            [{"event": "start"}, {"event": "chombo", "seat": "E", "penalty": "points", "points": 100}],
            "Event 2: penalty is for rules that name none",
        ),
        ([START, POOR, DRAW], "Event 3: In Tenhou a riichi takes 1,000 points, and S has 900: take it back."),
        ([START, {"event": "correction"}], "Event 2: changes or penalties must say"),
        ([START, {"event": "correction", "changes": [1.5, 0, 0, 0]}], "Event 2: changes must be a list"),
        ([START, {"event": "correction", "changes": [100, 0, 0, 0]}], "Event 2: changes must come to 0"),
        (
            [{"event": "start", "rules": "tenhou3"}, {"event": "draw", "tenpai": ["N"]}],
            "Event 2: Three players have no North seat: correct tenpai",
        ),
    ],
)
def test_what_is_wrong_is_named(events: Any, message: str) -> None:
    with pytest.raises(GameRecordError) as caught:
        replay(events)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_the_table_says_the_penalty_that_its_rules_do_not_name() -> None:
    chombo = {"event": "chombo", "seat": "S"}
    paid = replay([START, {**chombo, "penalty": "reverse_mangan"}]).game
    assert paid.points == (29000, 17000, 27000, 27000) and paid.deal == paid.honba == 0
    off = replay([START, {**chombo, "penalty": "points", "points": 20000}]).game
    assert off.points == (25000,) * 4 and off.penalties == (0, -20000, 0, 0)


@pytest.mark.parametrize("rules", [id_ for id_ in preset_ids() if not load_rules(id_).bust])
def test_riichi_without_its_1000_points_where_the_game_goes_on_below_zero(rules: str) -> None:
    """RMU (rmu.jp/rule): nobody is bust, and points are lent to who has none."""
    poor = {
        **POOR,
        "changes": [0, 900 - load_rules(rules).start_points, load_rules(rules).start_points - 900, 0],
    }
    assert replay([start(rules), poor, DRAW]).game.sticks == 1


# --- whole games ------------------------------------------------------------------------------------


def some_event(random: Random, game: Game) -> dict[str, Any]:
    """Something that can happen in the next hand of a game."""
    rules, seats = game.rules, seats_of(game.rules.players)
    tenpai = [str(seat) for seat in seats if random.random() < 0.5]
    able = [str(game.seat(player)) for player in range(rules.players) if game.can_pay_riichi(player)]
    declared = [seat for seat in tenpai if seat in able and random.random() < 0.4][: rules.players - 1]
    kind = random.choice(["win", "win", "win", "win", "draw", "draw", "abort", "chombo", "correction"])
    if kind == "win":
        hand = random_win(random, players=rules.players).to_record(rules)
        known = {"rules": rules.id, "honba": 0, "riichi_sticks": 0, "round_wind": "E", "dealer_wins": 0}
        there = {"honba": game.honba, "round_wind": str(game.round_wind)}
        scored = score_record({**hand, **known, **there})
        may = hand["seat_wind"] in able  # it may be a riichi
        if may and scored["status"] == "ok" and scored["deltas"] is not None:
            others = [seat for seat in declared if seat != hand["seat_wind"]][: rules.players - 2]
            return {"event": "win", "hands": [{**hand, **known}], "declared": others}
    if kind == "abort" and rules.abortive_draws:
        abort = random.choice([one for one in rules.abortive_draws if one != "four_riichi" or seats == able])
        declared = able if abort == "four_riichi" else declared
        return {"event": "abort", "kind": abort, "declared": declared, "tenpai": tenpai}
    if kind == "chombo":
        agreed = random.choice([{"penalty": "reverse_mangan"}, {"penalty": "points", "points": 20000}])
        penalty = agreed if rules.chombo == "none" else {}
        return {"event": "chombo", "seat": str(random.choice(seats)), "declared": declared, **penalty}
    if kind == "correction":
        changes = [0] * rules.players
        changes[0], changes[-1] = 300, -300
        return {"event": "correction", "changes": changes}
    nagashi = [str(random.choice(seats))] if rules.nagashi_mangan and random.random() < 0.2 else []
    return {"event": "draw", "tenpai": tenpai, "declared": declared, "nagashi": nagashi}


@pytest.mark.parametrize("rules", [load_rules(id_) for id_ in preset_ids()], ids=lambda rules: rules.id)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_point_is_lost_in_a_game(rules: RuleSet, seed: int) -> None:
    """What the players have, and what lies on the table, is what they began with; the scores come to the
    penalties, and a finished game to a place for each."""
    random = Random(seed)
    events: list[dict[str, Any]] = [{"event": "start", "rules": rules.id}]
    played = replay(events)
    while not played.game.is_over and len(events) < 60:
        events.append(some_event(random, played.game))
        before, played = played.game, replay(events)
        game = played.game
        assert sum(game.points) + 1000 * game.sticks == rules.players * rules.start_points, events[-1]
        assert sum(played.turns[-1].changes) == 1000 * (before.sticks - game.sticks)
        lost = 0 if rules.bets_left == "first" else 1000 * game.sticks
        assert sum(game.scores()) == sum(game.penalties) - lost
        ranked = played.to_record()["ranking"]
        assert sum(one["points"] for one in ranked) == sum(game.points) + 1000 * game.sticks - lost
        assert game.deal - before.deal in (0, 1) and game.sticks >= 0
    assert [player for _, player in sorted(played.ranking(), key=lambda one: one[1])] == [
        *range(rules.players)
    ]


def test_a_dead_hand_is_never_tenpai() -> None:
    """EMA 2008 §3.4.7: its bet stays on the table, and it pays those who are tenpai."""
    dead = replay([START, {"event": "draw", "tenpai": ["E"], "declared": ["S"], "dead": ["S"]}])
    assert dead.game.points == (28000, 23000, 24000, 24000) and dead.game.sticks == 1
    assert dead.to_record()["hands"][0]["dead"] == [1]


def test_whoever_won_or_declared_riichi_was_tenpai_where_the_hand_was_broken_off() -> None:
    """Toudai §3.5.1, §3.6: of three winners the hand is a draw, after which a dealer who is ready stays. EMA
    2008 §3.4.3: after four riichi all show their tenpai hands."""
    south, west, north = (
        {**RON, "seat_wind": seat, "loser_offset": by} for seat, by in zip("SWN", (3, 2, 1), strict=True)
    )
    east = {**RON, "seat_wind": "E", "loser_offset": 1}
    three = win(east, {**west, "loser_offset": 3}, {**north, "loser_offset": 2})
    played = replay([start("toudai"), three])
    assert (played.game.deal, played.game.honba, played.turns[0].tenpai) == (0, 1, {"E", "W", "N"})
    silent = told({"han": 1, "fu": 40}, seat_wind="N", loser_offset=1)
    by_the_dealer = [win(south, west, silent, **fields) for fields in ({}, {"declared": ["E"]})]
    assert [replay([start("toudai"), one]).game.deal for one in by_the_dealer] == [1, 0]
    for named in ([*"ESWN"], ["W", "E"], []):
        riichi = {"event": "abort", "kind": "four_riichi", "declared": named}
        assert (game := replay([start("ema2008"), riichi]).game).deal == 0
        assert game.sticks == 4 and len({*game.points}) == 1, "all have bet, whoever is named"


def told(value: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"value": value, "tsumo": False, "seat_wind": "W", "loser_offset": 2, **fields}


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        ({"han": 1, "fu": 40}, (-1300, 0, 1300, 0)),
        ({"han": 4, "fu": 30}, (-7700, 0, 7700, 0)),
        ({"han": 6}, (-12000, 0, 12000, 0)),
        ({"limit": "mangan"}, (-8000, 0, 8000, 0)),
        ({"limit": "counted_yakuman"}, (-32000, 0, 32000, 0)),
        ({"yakuman": 2}, (-64000, 0, 64000, 0)),
    ],
)
def test_a_win_whose_worth_alone_is_told(value: dict[str, Any], changes: tuple[int, ...]) -> None:
    assert replay([START, win(told(value))]).turns[0].changes == changes


def test_told_wins_and_hands_of_tiles_on_one_discard_are_paid_as_any() -> None:
    both = [{**RON, "honba": 1}, told({"han": 2, "fu": 30}, seat_wind="N", loser_offset=1, riichi=True)]
    played = replay([START, {"event": "abort", "kind": "nine_terminals"}, win(*both)])
    # West, nearer in turn, takes the counter and both bets; North is paid his 2,000
    assert played.turns[1].changes == (-1600 - 2000, 0, 1600 + 1000, 2000 - 1000)
    assert played.to_record()["hands"][1]["winners"][1] == {
        "player": 3, "points": 2000, "han": 2, "fu": 30, "limit": None
    }  # fmt: skip
    tsumo = {"value": {"yakuman": 1}, "tsumo": True, "seat_wind": "E"}
    assert replay([START, win(tsumo)]).turns[0].changes == (48000, -16000, -16000, -16000)


def test_a_winner_who_declared_riichi_won_with_it() -> None:
    """EMA 2008 §4.1: declarers that win get their own bet back, and riichi is a yaku (§3.3.12)."""
    south = told({"han": 3, "fu": 40}, seat_wind="S", loser_offset=3)
    west = told({"han": 3, "fu": 40})
    silent = replay([start("ema2008"), win(west, south, declared=["W", "N"])])
    assert silent.turns[0].changes == (-10400, 5200 + 1000, 5200, -1000)
    assert silent == replay([start("ema2008"), win({**west, "riichi": True}, south, declared=["N"])])
    unsaid = {name: value for name, value in RON.items() if name != "riichi"}
    assert replay([START, win(unsaid, declared=["W"])]) == replay([START, win(RON)])
    with pytest.raises(
        GameRecordError, match="Event 2: W declared riichi, and the hand says that it has none"
    ):
        replay([START, win({**RON, "riichi": False, "houtei": True}, declared=["W"])])
    double = {**unsaid, "double_riichi": True}
    assert replay([START, win(double, declared=["W"])]) == replay([START, win(double)])


@pytest.mark.parametrize(
    ("rules", "value", "fields", "message"),
    [
        ("tenhou", {"han": 3, "fu": 40}, {}, "liable for a yakuman alone"),
        ("rmu_a", {"yakuman": 1}, {}, "nobody is liable on a ron"),
        ("rmu_a", {"yakuman": 1}, {"tsumo": True, "loser_offset": None}, "nobody is liable on a tsumo"),
    ],
)
def test_nobody_is_liable_for_what_the_rules_have_nobody_pay(
    rules: str, value: dict[str, Any], fields: dict[str, Any], message: str
) -> None:
    """RMU (rmu.jp/rule): nobody is liable; elsewhere whoever fed a yakuman (EMA 2008 §3.3.6)."""
    with pytest.raises(GameRecordError, match=f"Event 2: .*{message}"):
        replay([start(rules), win(told(value, pao=1, **fields))])


@pytest.mark.parametrize(
    ("rules", "value", "fields", "words"),
    [
        # riichi and self-draw are two, of seven pairs four, of pinfu three
        ("tenhou", {"han": 1, "fu": 30}, {"tsumo": True, "riichi": True}, "has 2 han or more"),
        ("tenhou", {"han": 3, "fu": 25}, {"tsumo": True, "riichi": True}, "has 4 han or more"),
        ("tenhou", {"han": 2, "fu": 20}, {"tsumo": True, "riichi": True}, "has 3 han or more"),
        ("tenhou", {"han": 2, "fu": 25}, {"riichi": True}, "has 3 han or more"),
        ("tenhou", {"han": 1, "fu": 40}, {"double_riichi": True}, "has 2 han or more"),
        ("tenhou", {"han": 1, "fu": 40}, {"riichi": True, "ippatsu": True}, "has 2 han or more"),
        ("toudai", {"han": 2, "fu": 20}, {"riichi": True}, "no hand has 20 fu by ron with riichi"),
    ],
)
def test_what_is_told_has_the_yaku_of_how_it_was_won(
    rules: str, value: dict[str, Any], fields: dict[str, Any], words: str
) -> None:
    how = {"loser_offset": None if "tsumo" in fields else 2, **fields}
    with pytest.raises(GameRecordError, match=f"Event 2: value: .*{words}"):
        replay([start(rules), win(told(value, **how))])
    enough = {"han": value["han"] + 1, "fu": 30 if rules == "toudai" else value["fu"]}
    assert replay([start(rules), win(told(enough, **how))]).turns


def test_what_is_told_needs_two_han_from_five_counters() -> None:
    """EMA 2008 §3.4.11."""
    counters = [start("ema2008"), *[{"event": "draw", "tenpai": ["E"]}] * 5]
    with pytest.raises(GameRecordError, match=r"Event 7: With this many counters a win needs 2 han"):
        replay([*counters, win(told({"han": 1, "fu": 40}))])
    assert replay([*counters, win(told({"han": 2, "fu": 40}))]).game.honba == 0


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (7, "value must be such as"),
        ({}, "value says one thing"),
        ({"han": 3, "yakuman": 1}, "value says one thing"),
        ({"han": 3}, "value.fu is one of 20, 25, 30"),
        ({"han": 3, "fu": 31}, "value.fu is one of"),
        ({"han": 2, "fu": 25}, "a hand of 25 fu by tsumo has 3 han or more"),
        ({"han": 1, "fu": 20}, "a hand of 20 fu by tsumo has 2 han or more"),
        ({"han": 0, "fu": 30}, "value.han is a whole number from 1"),
        ({"yakuman": True}, "value.yakuman is a whole number"),
        ({"limit": "sextuple"}, "value.limit is one of mangan"),
        ({"yakuman": 2, "liable": 1}, "value.liable goes with pao"),
    ],
)
def test_what_cannot_be_told(value: object, words: str) -> None:
    with pytest.raises(GameRecordError, match=words) as caught:
        replay([START, win({"value": value, "tsumo": True, "seat_wind": "S"})])
    assert caught.value.event == 2


@pytest.mark.parametrize(
    ("value", "words"),
    [({"limit": "mangan"}, "no limits"), ({"yakuman": 1}, "no limits"), ({"han": 6}, "value.fu is one of")],
)
def test_without_limits_a_win_is_told_by_han_and_fu(value: dict[str, Any], words: str) -> None:
    rules = start('base = "tenhou"\naotenjou = true')
    assert replay([rules, win(told({"han": 6, "fu": 40}))]).turns[0].changes == (-41000, 0, 41000, 0)
    with pytest.raises(GameRecordError, match=words):
        replay([rules, win(told(value))])


@pytest.mark.parametrize(("rules", "most"), [("ema2016", 1), ("toudai", 1), ("ema2008", 2), ("tenhou", 7)])
def test_no_more_yakuman_are_told_than_the_rules_pay(rules: str, most: int) -> None:
    """EMA 2008 §4.2: not cumulative, but some are worth two (§4.2.5); Toudai §4.1.6: doubly-special hands are
    meaningless. Tenhou adds up different ones."""
    replay([start(rules), win(told({"yakuman": most}))])
    with pytest.raises(GameRecordError, match=f"Event 2: value.yakuman is .*{most}"):
        replay([start(rules), win(told({"yakuman": most + 1}))])


DRAGONS = [
    {"type": "pon", "tiles": "555z", "from": 2},
    {"type": "pon", "tiles": "666z", "from": 2},
    {"type": "pon", "tiles": "777z", "from": 1},
]
WINDS = [{"type": "pon", "tiles": 3 * str(wind) + "z", "from": 1} for wind in range(1, 5)]
ALL_HONOURS = {"concealed": "111z4z", "win_tile": "4z", "melds": DRAGONS}


@pytest.mark.parametrize("way", [{"tsumo": True}, {"tsumo": False, "loser_offset": 2}])
@pytest.mark.parametrize("rules", ["majsoul", "wrc2025", "mleague", "tenhou", "ema2008"])
@pytest.mark.parametrize("hand", [ALL_HONOURS, {"concealed": "5m", "win_tile": "5m", "melds": WINDS}])
def test_of_told_yakuman_one_is_liable_for_those_that_he_fed(
    rules: str, way: dict[str, Any], hand: dict[str, Any]
) -> None:
    """RiichiEnv, game rules, of Mahjong Soul: for the yakuman that he fed alone. EMA 2008 §3.3.6: the full
    value of the hand. Told and with tiles a hand is paid alike."""
    seat = {"seat_wind": "W", "pao": 1, **way}
    dora = {"dora_indicators": ["1m"]}
    tiles = replay([start(rules), win({**hand, **seat, **dora})]).turns[0]
    assert tiles.settled is not None
    many = tiles.settled.winners[0].score.yakuman
    value = {"yakuman": many}
    if many > 1 and not load_rules(rules).liability_whole_hand:
        value["liable"] = 1 if hand is ALL_HONOURS else many  # big four winds by themselves
    assert replay([start(rules), win({"value": value, **seat})]).turns[0].changes == tiles.changes
    if "liable" in value:
        with pytest.raises(GameRecordError, match=r"Event 2: value\.liable must say of how many"):
            replay([start(rules), win({"value": {"yakuman": many}, **seat})])


def test_nobody_has_20_fu_by_ron_but_where_an_open_hand_has() -> None:
    told = {"value": {"han": 1, "fu": 20}, "tsumo": False, "seat_wind": "W", "loser_offset": 2}
    with pytest.raises(GameRecordError, match="no hand has 20 fu by ron"):
        replay([START, win(told)])
    assert replay([start("toudai"), win(told)]).turns[0].changes[2] == 700
    robbed = {**told, "chankan": True}
    assert replay([start("toudai"), win(robbed)]).turns[0].changes[2] == 700, "which is its one han"


def test_the_length_of_a_game_is_its_own() -> None:
    ready = {"event": "draw", "tenpai": []}
    east = replay([{**START, "rules": "ema2008", "rounds": 1}, *[ready] * 4])
    assert east.game.is_over and not replay([{**START, "rules": "ema2008"}, *[ready] * 4]).game.is_over
    with pytest.raises(GameRecordError, match="rounds must be 1"):
        replay([{**START, "rounds": 3}])


def test_the_rules_given_are_played_whatever_the_record_calls_them() -> None:
    assert replay([{**START, "rules": "/etc/passwd"}], load_rules("toudai")).rules.id == "toudai"


def test_house_rules_may_stand_in_the_record() -> None:
    game = replay([{**START, "rules": 'base = "tenhou"\nname = "Ours"\nstart_points = 30000\noka = 0'}])
    assert game.game.points == (30000,) * 4 and game.rules.name == "Ours"
    with pytest.raises(GameRecordError, match=r"Event 1: .*line 1: oka must be"):
        replay([{**START, "rules": "oka = -1"}])
    with pytest.raises(GameRecordError, match=r"Event 1: .*brackets"):
        replay([{**START, "rules": "uma = " + "[" * 9999}])
