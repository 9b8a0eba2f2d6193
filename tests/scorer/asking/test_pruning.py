"""A question that is not asked never changes a result: the planner against every way to have won.

``TEHAI_PLANS=3000 python -m pytest tests/scorer/asking/test_pruning.py`` tries that many hands under all
presets.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.questions import Player
from scorer import Hand, Meld, MeldType, RuleSet, Win, format_tiles, load_rules
from scorer.asking.plan import TILE, Doubt, plan
from scorer.hand_tiles import HandTiles
from scorer.readings import is_win
from scorer.tiles import DRAGONS, KINDS, TILES, WINDS
from tests.scorer.asking.branching import Facts, LeftOpen, Outcome, all_facts, outcome
from tests.scorer.random_wins import RandomWin, random_wins
from tests.scorer.short_hands import FOUR

HANDS = int(os.environ.get("TEHAI_PLANS", "9"))
TILE_FIELDS = ("rules", "concealed", "win_tile", "melds")

INDICATORS = st.lists(st.sampled_from([str(tile) for tile in TILES[:KINDS]]), max_size=3)


Truth = tuple[Facts, Outcome]


def check_talk(
    record: dict[str, Any], truths: list[Truth], truth: Truth, doubt: Doubt | None = None
) -> dict[str, Any]:
    """The record at the end of a talk with a player who knows the truth. Before each question all truths that
    agree in the answers to what is asked must pay the same, and lie in the range that is said."""
    known: set[str] = set()
    asked: list[str] = []
    while True:
        found = plan(record, known, [doubt] if doubt and TILE not in asked else [])
        assert found.reach is not None
        left_open = LeftOpen(found)
        seen: dict[tuple[str, ...], Truth] = {}
        for facts, result in truths:
            assert found.reach.low <= result[0] <= found.reach.high
            other, pays = seen.setdefault(left_open.of(facts), (facts, result))
            differ = {name: (other[name], facts[name]) for name in facts if other[name] != facts[name]}
            assert pays == result, (differ, [question.field for question in found.questions])
        if not found.questions:
            assert len(asked) == len(set(asked))
            return found.record
        question = found.questions[0]
        player = Player(question)
        text = player.answer(truth[0])
        answer = question.answer(text)
        truths = [one for one in truths if player.answer(one[0]) == text]
        record = record | answer
        known |= answer.keys()
        asked.append(question.field)


def record_of(won: RandomWin, rules: RuleSet) -> dict[str, Any]:
    """What a photo shows of it."""
    return {name: value for name, value in won.to_record(rules).items() if name in TILE_FIELDS}


@settings(max_examples=HANDS)
@given(st.data(), random_wins(reds=True), st.sampled_from(FOUR), INDICATORS, INDICATORS)
def test_what_is_not_asked_never_changes_a_result(
    data: st.DataObject, won: RandomWin, preset: str, dora: list[str], ura: list[str]
) -> None:
    rules = load_rules(preset)
    truths = [
        (facts, result)
        for facts in all_facts(([], dora), ([], ura), rules, won.hand)
        if (result := outcome(won.hand, rules, facts)) is not None
    ]
    if truths:  # not so with five of a kind or two red fives too many
        truth = data.draw(st.sampled_from(truths))
        assert outcome(won.hand, rules, check_talk(record_of(won, rules), truths, truth)) == truth[1]


@settings(max_examples=HANDS // 3)
@given(
    st.data(), random_wins(players=3), st.sampled_from(("tenhou3", "majsoul3")), st.integers(1, 4), INDICATORS
)
def test_three_players_are_asked_what_decides(
    data: st.DataObject, won: RandomWin, preset: str, norths: int, dora: list[str]
) -> None:
    """Norths set aside among it, and nobody north or across."""
    rules = load_rules(preset)
    truths = [
        (facts, result)
        for facts in all_facts(([], dora), ([],), rules, won.hand, "ESW", "ES", norths=(0, norths))
        if (result := outcome(won.hand, rules, facts)) is not None
    ]
    if truths:
        truth = data.draw(st.sampled_from(truths))
        record = check_talk(record_of(won, rules), truths, truth)
        assert record["seat_wind"] != "N" and outcome(won.hand, rules, truth[0]) == truth[1]


@settings(max_examples=HANDS // 3)
@given(st.data(), random_wins(), st.sampled_from(FOUR), st.sampled_from("SWN"), st.sampled_from("ESW"))
def test_nor_where_any_tile_may_have_won(
    data: st.DataObject, won: RandomWin, preset: str, seat: str, wind: str
) -> None:
    """The same of a full row, for every tile of it."""
    rules, melds = load_rules(preset), won.hand.melds
    row = (*won.hand.concealed, won.hand.win_tile)
    record = {"rules": preset, "melds": record_of(won, rules)["melds"]}
    hands = {
        str(hand_tiles.win_tile): hand
        for hand_tiles in HandTiles(row, melds).winning_tiles()
        if (hand := hand_tiles.hand) is not None
    }
    truths = [
        (facts | {"win_tile": tile, "concealed": format_tiles(hand.concealed)}, result)
        for tile, hand in hands.items()
        for facts in all_facts(([],), ([],), rules, hand, f"E{seat}", wind)
        if (result := outcome(hand, rules, facts)) is not None
    ]
    if truths:
        truth = data.draw(st.sampled_from(truths))
        found = check_talk(record | {"concealed": format_tiles(row)}, truths, truth)
        assert outcome(hands[found["win_tile"]], rules, found) == truth[1]


@st.composite
def doubtful_wins(draw: st.DrawFn) -> tuple[RandomWin, Hand]:
    """A win and the same with one concealed tile for another, which is a hand as well."""
    won = draw(random_wins())
    at = draw(st.integers(0, len(won.hand.concealed) - 1))
    rest = won.hand.concealed[:at] + won.hand.concealed[at + 1 :]
    others = [
        Hand((*rest[:at], tile, *rest[at:]), won.hand.win_tile, won.hand.melds)
        for tile in TILES
        if tile != won.hand.concealed[at]
    ]
    return won, draw(st.sampled_from([other for other in others if is_win(other)] or [won.hand]))


@settings(max_examples=HANDS // 3)
@given(st.data(), doubtful_wins(), st.sampled_from(FOUR), st.sampled_from("SWN"), INDICATORS)
def test_nor_where_a_tile_is_in_doubt(
    data: st.DataObject, wins: tuple[RandomWin, Hand], preset: str, seat: str, dora: list[str]
) -> None:
    """The same of two hands that the photo leaves, whichever it was."""
    (won, other), rules = wins, load_rules(preset)
    record = record_of(won, rules)
    hands = {format_tiles(hand.concealed): hand for hand in (won.hand, other)}
    tiles = {"win_tile": record["win_tile"], "melds": record["melds"]}
    truths = [
        (facts | tiles | {"concealed": concealed}, result)
        for concealed, hand in hands.items()
        for facts in all_facts(([], dora), ([],), rules, hand, f"E{seat}", "ES")
        if (result := outcome(hand, rules, facts)) is not None
    ]
    if truths:
        truth = data.draw(st.sampled_from(truths))
        doubt = Doubt("1m", "2m", "tile 1", HandTiles(other.concealed, other.melds, other.win_tile))
        found = check_talk(record, truths, truth, doubt)
        assert outcome(hands[found["concealed"]], rules, found) == truth[1]


@st.composite
def fed_hands(draw: st.DrawFn) -> Hand:
    """Dragons or winds that were all called, or four kongs, for the last of which somebody may be liable."""
    kinds, sets = draw(st.sampled_from([(DRAGONS, 3), (WINDS, 3), (WINDS, 4), (range(27), 4)]))
    of_sets = draw(st.lists(st.sampled_from(sorted(kinds)), min_size=sets, max_size=sets, unique=True))
    called = [MeldType.MINKAN, MeldType.KAKAN, MeldType.PON]
    types = draw(st.lists(st.sampled_from(called), min_size=sets, max_size=sets))
    if len(kinds) == 27:
        kans = [MeldType.MINKAN, MeldType.KAKAN, MeldType.ANKAN]
        types = [MeldType.MINKAN, *draw(st.lists(st.sampled_from(kans), min_size=3, max_size=3))]
    melds = tuple(
        Meld(type_, (TILES[kind],) * (4 if type_.is_kan else 3))
        for kind, type_ in zip(of_sets, types, strict=True)
    )
    pair = TILES[draw(st.sampled_from([kind for kind in range(KINDS) if kind not in of_sets]))]
    if sets == 4:
        return Hand((pair,), pair, melds)
    two, three, four = (TILES[kind] for kind in draw(st.sampled_from([(1, 2, 3), (9, 10, 11), (24, 25, 26)])))
    return Hand((pair, pair, two, three), four, melds)


@settings(max_examples=HANDS // 3)
@given(st.data(), fed_hands(), st.sampled_from(FOUR))
def test_nor_where_somebody_may_be_liable(data: st.DataObject, hand: Hand, preset: str) -> None:
    rules = load_rules(preset)
    truths = [
        (facts, result)
        for facts in all_facts(([],), ([],), rules, hand, "ES", "EW", liable=(None, 1, 2, 3))
        if (result := outcome(hand, rules, facts)) is not None
    ]
    truth = data.draw(st.sampled_from(truths))
    record = record_of(RandomWin(hand, Win(tsumo=True)), rules)
    assert outcome(hand, rules, check_talk(record, truths, truth)) == truth[1]
