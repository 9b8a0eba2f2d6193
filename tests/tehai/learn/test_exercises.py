"""Every exercise has one right answer: that which the scorer gives to what the exercise shows, and no other.

The hand and the win are put together again from what is shown and told alone: nothing is left to guess.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from scorer import Hand, HandStatus, Meld, RuleSet, Tile, Win, Wind, check, load_rules
from scorer.payment import base_points
from scorer.score import Score
from scorer.telling.lesson import with_reds_of
from scorer.tiles import COPIES, KINDS, TILES, YAOCHUU, count_kinds
from scorer.wait_values import scored
from scorer.yaku import DORA, TABLE
from tehai.learn.answers import (
    ChosenAnswer,
    DiscardAnswer,
    GroupsAnswer,
    NumberAnswer,
    PaymentAnswer,
    TileAnswer,
    WaitAnswer,
    YakuAnswer,
    YesNoAnswer,
)
from tehai.learn.bench import Bench
from tehai.learn.deal import as_played
from tehai.learn.exercise import Exercise, Shown
from tehai.learn.hands import WRITTEN, written
from tehai.learn.levels import LADDER, topics
from tests.scorer.short_hands import FOUR
from tests.tehai.learn.learning import LOCAL, PRESETS, facts, setting, shown_hand, shown_win, some, texts

MANY = 40
FEWER = {"discard": 18, "shanten": 30, "yaku": 30}
"""Of exercises that take long to make, as many as the tests of hands in play need, too."""


def won_of(exercise: Exercise, rules: RuleSet) -> Score:
    won = scored(shown_hand(exercise.shown), shown_win(exercise.shown), rules)
    assert won is not None
    return won


def readings_agree(won: Score) -> bool:
    """Whether every reading that pays as much says the same."""
    best = [one for one in won.other_readings if one.points == won.points]
    return all(
        (one.yaku, one.han) == (won.yaku, won.han) and (one.fu == won.fu or won.yakuman) for one in best
    )


def others(answer: object) -> list[str]:
    """Answers near to the right one and all others that there are few of."""
    match answer:
        case TileAnswer(tile):
            return [str(one) for one in TILES if one != tile]
        case WaitAnswer(kinds, _, among):
            toggled = [set(kinds) ^ {kind} for kind in among or range(KINDS)]
            return ["".join(str(TILES[kind]) for kind in sorted(one)) or "none" for one in toggled]
        case YakuAnswer(ids):
            toggled = [set(ids) ^ {yaku.id} for yaku in TABLE]
            return [", ".join(sorted(one)) or "none" for one in toggled]
        case NumberAnswer(number, _, _):
            near = (*range(141), number + 100, max(0, number - 100))
            return [str(one) for one in near if one != number]
        case DiscardAnswer(best, _, held):
            return [str(TILES[kind]) for kind in held if kind not in best]
        case PaymentAnswer(paid, _):
            return ["/".join(str(one + step) for one in paid) for step in (-100, 100, 1000)]
        case YesNoAnswer(yes):
            return ["n" if yes else "y"]
        case ChosenAnswer(options):
            every = product((False, True), repeat=len(options))
            right = tuple(options.values())
            return [
                " ".join(str(n) for n, on in zip(options, one, strict=True) if on) or "none"
                for one in every
                if one != right
            ]
        case GroupsAnswer(groups):
            swapped = [list(group) for group in groups]
            swapped[0][0], swapped[-1][0] = swapped[-1][0], swapped[0][0]
            changed = " ".join("".join(map(str, group)) for group in swapped)
            same = Counter(tuple(sorted(t.kind for t in g)) for g in swapped)
            return [changed] if same != Counter(tuple(sorted(t.kind for t in g)) for g in groups) else []
    raise AssertionError(answer)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("level", [level.id for level in LADDER])
def test_the_right_answer_as_it_is_told_is_accepted_and_no_other_is(level: str, language: str) -> None:
    words = texts(setting(language=language))
    count, changes = (MANY, {}) if language == "en" else (10, {"language": language})
    for exercise in some(level, min(count, FEWER.get(level, count)), "ema2008", 1, **changes):
        for part in exercise.parts:
            assert part.answer.credit(words.text(part.answer.right)) == 1, words.text(part.answer.right)
            for other in others(part.answer):
                assert part.answer.credit(other) < 1, (other, words.text(part.answer.right))


@pytest.mark.parametrize("preset", [*FOUR, pytest.param(LOCAL, id="local")])
def test_every_yaku_of_the_rules_is_a_topic(preset: str) -> None:
    how = setting(preset)
    played = {yaku.id for yaku in TABLE if any(how.rules.yaku[yaku.id]) or yaku.id in how.rules.limit_hands}
    assert {topic.removeprefix("yaku.") for topic in topics(how, "yaku")} == {*played, "none"}
    assert preset != LOCAL or len(played) == len(TABLE)


@pytest.mark.parametrize("preset", ["tenhou", pytest.param(LOCAL, id="local")])
def test_every_topic_can_be_posed(preset: str) -> None:
    bench = Bench(how := setting(preset), Random(3))
    for at, topic in enumerate(topics(how)):
        assert bench.exercise(topic, fresh=at % 2 == 1).topic == topic


# --- shapes -------------------------------------------------------------------------------------------------


def partitions(kinds: tuple[int, ...]) -> set[tuple[tuple[int, ...], ...]]:
    """Every way to cut the kinds into sets and one pair, seven different pairs, or thirteen orphans of which
    one is a pair; found by trying."""

    def cut(rest: tuple[int, ...], pair: bool) -> set[tuple[tuple[int, ...], ...]]:
        if not rest:
            return {()} if pair else set()
        first, found = rest[0], set()
        groups = [(first,) * 3, (first, first + 1, first + 2)] + ([] if pair else [(first,) * 2])
        for group in groups:
            chow = len(set(group)) == 3
            if chow and (first >= 27 or first % 9 > 6):
                continue
            left = Counter(rest)
            left.subtract(group)
            if min(left.values()) >= 0:
                remaining = tuple(sorted(left.elements()))
                for others in cut(remaining, pair or len(group) == 2):
                    found.add(tuple(sorted((group, *others))))
        return found

    found = cut(tuple(sorted(kinds)), False)
    counts = Counter(kinds)
    if len(kinds) == 14 and set(counts.values()) == {2}:
        found.add(tuple((kind, kind) for kind in sorted(counts)))
    if len(kinds) == 14 and set(counts) == YAOCHUU:
        found.add(tuple((kind,) * count for kind, count in sorted(counts.items())))
    return found


def test_a_hand_to_be_cut_can_be_cut_in_one_way() -> None:
    for exercise in some("groups", MANY, "ema2008", 1):
        (part,) = exercise.parts
        assert isinstance(part.answer, GroupsAnswer)
        ways = partitions(tuple(tile.kind for tile in exercise.shown.concealed))
        groups = tuple(sorted(tuple(sorted(tile.kind for tile in group)) for group in part.answer.groups))
        assert ways == {groups}


def finishing(concealed: tuple[Tile, ...], melds: tuple[Meld, ...]) -> list[int]:
    """The kinds that the scorer takes for the end of the hand, each tried."""
    rules = load_rules("ema2008")
    held = count_kinds((*concealed, *(tile for meld in melds for tile in meld.tiles)))
    return [
        kind
        for kind in range(KINDS)
        if held[kind] < COPIES
        and HandStatus.NOT_A_WIN not in check(Hand(concealed, TILES[kind], melds), Win(tsumo=True), rules)
    ]


def test_waits_are_the_tiles_that_the_scorer_takes_for_wins() -> None:
    seen = set()
    for exercise in some("tenpai", MANY, "ema2008", 1):
        answer = exercise.parts[0].answer
        assert isinstance(answer, WaitAnswer)
        assert list(answer.kinds) == finishing(exercise.shown.concealed, exercise.shown.melds)
        seen.add((exercise.topic, bool(answer.kinds)))
    assert ("tenpai.noten", False) in seen and ("tenpai.noten", True) not in seen


# --- value --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", [*PRESETS, pytest.param(LOCAL, id="local")])
def test_yaku_are_those_that_the_scorer_counts_for_what_is_told(preset: str) -> None:
    how = setting(preset)
    for exercise in some("yaku", 20, preset, 2):
        (part,) = exercise.parts
        assert isinstance(part.answer, YakuAnswer)
        what = exercise.topic.removeprefix("yaku.")
        if what == "none":
            hand, win = shown_hand(exercise.shown), shown_win(exercise.shown)
            assert check(hand, win, how.rules) is HandStatus.NO_YAKU and part.answer.ids == ()
            continue
        won = won_of(exercise, how.rules)
        assert readings_agree(won)
        assert (
            part.answer.ids == tuple(id_ for id_, _ in won.yaku if id_ not in DORA)
            and what in part.answer.ids
        )


@pytest.mark.parametrize("preset", PRESETS)
def test_han_are_counted_as_the_scorer_counts_them(preset: str) -> None:
    for exercise in some("han", 30, preset, 3):
        won = won_of(exercise, setting(preset).rules)
        assert readings_agree(won) and not won.yakuman
        assert exercise.parts[0].answer.credit(str(won.han)) == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_minipoints_are_the_items_of_the_score(preset: str) -> None:
    how = setting(preset)
    for exercise in some("fu", 40, preset, 4):
        won = won_of(exercise, how.rules)
        assert readings_agree(won)
        assert base_points(won.han, 20, how.rules) != base_points(won.han, 110, how.rules), "fu do not matter"
        by_tiles = Counter({tuple(sorted(item.tiles)): item.fu for item in won.fu_items if item.tiles})
        what = exercise.topic.removeprefix("fu.")
        if what == "total":
            assert exercise.parts[0].answer.credit(str(won.fu)) == 1
            continue
        assert not won.other_readings
        if what == "sets":
            for part in exercise.parts:
                assert part.label is not None
                tiles = part.label.values["tiles"]
                assert isinstance(tiles, tuple)
                assert part.answer.credit(str(by_tiles[tuple(sorted(tiles))])) == 1
        else:
            pair = next(group for group in won.reading.groups if group.type == "pair")
            waited = won.reading.groups[won.reading.win_group].tiles
            reasons = how.rules.vocabulary.waits.values()
            of_wait = sum(item.fu for item in won.fu_items if item.reason in reasons and item.tiles == waited)
            of_pair = sum(
                item.fu for item in won.fu_items if item.tiles == pair.tiles and item.reason not in reasons
            )
            assert exercise.parts[0].answer.credit(str(of_wait if what == "wait" else of_pair)) == 1


def payments(won: Score) -> str:
    assert won.deltas is not None
    return "/".join(
        str(-points) for points in sorted({points for points in won.deltas[1:] if points}, reverse=True)
    )


@pytest.mark.parametrize("counters", [False, True])
def test_the_table_is_the_scorers(counters: bool) -> None:
    how = setting(counters=counters)
    for exercise in some("table", 40, "ema2008", 5, counters=counters):
        win, rules = shown_win(exercise.shown), how.rules
        (given,) = facts(exercise.shown, "fact.han") or facts(exercise.shown, "fact.yakuman")
        if given.kind == "fact.yakuman":
            base = 8000
        else:
            han, fu = given.values["han"], given.values.get("fu", 30)
            assert isinstance(han, int) and isinstance(fu, int)
            base, _ = base_points(han, fu, rules)
            if "fu" not in given.values:
                assert base == base_points(han, 20, rules)[0] == base_points(han, 110, rules)[0]
        counted = rules.honba_points * win.honba

        def rounded(points: int) -> int:
            return -(-points // 100) * 100

        if not win.tsumo:
            paid = [rounded(base * (6 if win.is_dealer else 4)) + counted]
        elif win.is_dealer:
            paid = [rounded(base * 2) + counted // 3]
        else:
            paid = [rounded(base) + counted // 3, rounded(base * 2) + counted // 3]
        assert exercise.parts[0].answer.credit("/".join(map(str, paid))) == 1


@pytest.mark.parametrize(("counters", "fu_for_limits"), [(False, False), (True, False), (False, True)])
def test_the_whole_score_is_the_scorers(counters: bool, fu_for_limits: bool) -> None:
    how = setting(counters=counters, fu_for_limits=fu_for_limits)
    for exercise in some("score", 30, "ema2008", 6, counters=counters, fu_for_limits=fu_for_limits):
        won = won_of(exercise, how.rules)
        assert readings_agree(won) and won.deltas is not None
        labels = [part.label.kind for part in exercise.parts if part.label]
        matters = base_points(won.han, 20, how.rules) != base_points(won.han, 110, how.rules)
        asked = not won.yakuman and won.fu is not None and (matters or fu_for_limits)
        assert ("part.han" in labels) == (not won.yakuman) and ("part.fu" in labels) == asked
        win = shown_win(exercise.shown)
        assert ("part.gets" in labels) == bool(counters and (win.honba or win.riichi_sticks))
        right = {"part.han": str(won.han), "part.fu": str(won.fu), "part.gets": str(won.deltas[0])}
        for part in exercise.parts:
            assert part.label is not None
            assert part.answer.credit(right.get(part.label.kind, payments(won))) == 1


# --- what to ask --------------------------------------------------------------------------------------------


def test_a_ron_is_allowed_where_nothing_was_discarded_or_let_pass() -> None:
    seen = Counter()
    for exercise in some("ask", 80, "ema2008", 7):
        shown = exercise.shown
        if exercise.topic not in ("ask.furiten", "ask.passed"):
            continue
        waited = finishing(shown.concealed, shown.melds)
        gone = {tile.kind for fact in facts(shown, "fact.discards") for tile in fact.values["tiles"]}
        let_pass = bool(facts(shown, "fact.passed_now") or facts(shown, "fact.passed_riichi"))
        riichi = bool(facts(shown, "fact.declared"))
        assert riichi or not facts(shown, "fact.passed_riichi")
        free = not let_pass and gone.isdisjoint(waited)
        expected = waited if free else []
        answer = exercise.parts[0].answer
        assert isinstance(answer, WaitAnswer) and list(answer.kinds) == expected
        for kind in waited:
            assert scored(Hand(shown.concealed, TILES[kind], shown.melds), _ron(shown), load_rules("ema2008"))
        seen[exercise.topic, free] += 1
    assert len(seen) == 4 and min(seen.values()) >= 5


def _ron(shown: Shown) -> Win:
    (winds,) = facts(shown, "fact.winds")
    seat, round_ = (Wind(winds.values[name].kind.removeprefix("wind.")) for name in ("seat", "round"))  # type: ignore[union-attr]
    return Win(tsumo=False, seat_wind=seat, round_wind=round_, riichi=bool(facts(shown, "fact.declared")))


def test_riichi_is_allowed_to_concealed_tenpai_with_tiles_left() -> None:
    seen = Counter()
    for exercise in some("ask", 80, "ema2008", 7):
        if exercise.topic == "ask.riichi":
            shown = exercise.shown
            (wall,) = facts(shown, "fact.wall")
            closed = all(meld.type == "ankan" for meld in shown.melds)
            waited = bool(finishing(shown.concealed, shown.melds))
            allowed = closed and waited and wall.values["left"] >= 4  # EMA 2008 §3.3.14
            assert exercise.parts[0].answer.credit("y" if allowed else "n") == 1
            seen[closed, waited, allowed] += 1
    assert len(seen) >= 4


@pytest.mark.parametrize("preset", ["ema2008", "tenhou"])
def test_a_kong_is_robbed_where_the_scorer_counts_the_win(preset: str) -> None:
    seen = Counter()
    rules = load_rules(preset)
    for exercise in some("ask", 80, preset, 7):
        if exercise.topic == "ask.chankan":
            shown = exercise.shown
            (kong,) = facts(shown, "fact.kakan") or facts(shown, "fact.ankan")
            (tile,) = kong.values["tile"]  # type: ignore[misc]
            ankan = kong.kind == "fact.ankan"
            win = replace(_ron(shown), chankan=True, robbed_ankan=ankan)
            won = scored(Hand(shown.concealed, tile, shown.melds), win, rules)
            assert exercise.parts[0].answer.credit("n" if won is None else "y") == 1
            seen[ankan, won is not None] += 1
    assert seen[False, True] and seen[False, False] and seen[True, False]


def test_what_to_ask_is_what_can_change_points_or_payers() -> None:
    rules = load_rules("ema2008")
    posed = 0
    for exercise in some("ask", 80, "ema2008", 7):
        if exercise.topic != "ask.facts":
            continue
        hand = shown_hand(exercise.shown)
        outcomes = {}
        for tsumo, seat, round_, riichi in product((0, 1), tuple(Wind), tuple(Wind), (0, 1)):
            win = Win(bool(tsumo), seat, round_, riichi=bool(riichi), loser_offset=None if tsumo else 1)
            if riichi and not hand.is_closed:
                continue
            won = scored(hand, win, rules)
            # who pays is told by the dealer's place and the discarder, how much by the points
            outcomes[tsumo, seat, round_, riichi] = None if won is None else (won.points, tsumo)
        matters = []
        for at in range(4):
            # what it comes to, by what is known of everything else
            groups: dict[object, set[object]] = {}
            for known, outcome in outcomes.items():
                groups.setdefault(known[:at] + known[at + 1 :], set()).add(outcome)
            matters.append(any(len(group) > 1 for group in groups.values()))
        answer = exercise.parts[0].answer
        assert isinstance(answer, ChosenAnswer)
        assert list(answer.options.values()) == matters
        posed += 1
    assert posed >= 15


# --- tiles, seeds -------------------------------------------------------------------------------------------


def test_tiles_are_shown_drawn_and_in_rendered_photos_and_reds_in_colour_only() -> None:
    shown = [(e.shown.drawn, e.parts[0].answer) for e in some("tiles", MANY, "ema2008", 1)]
    drawn = [tile for tile, _ in shown if tile is not None]
    assert 0.1 < len(drawn) / len(shown) < 0.5
    assert all(isinstance(answer, TileAnswer) and tile in (None, answer.tile) for tile, answer in shown)
    for exercise in some("tiles", 30, "ema2008", 1, colours=False):
        answer = exercise.parts[0].answer
        assert isinstance(answer, TileAnswer) and exercise.shown.picture is not None
        assert exercise.shown.picture.size == (72, 96)
        assert exercise.shown.drawn is not None or answer.tile.kind not in (4, 13, 22)


def test_a_seed_makes_the_same_exercises_whatever_the_language_or_the_colours() -> None:
    def answers(**changes: object) -> list[object]:
        how = setting(**changes)  # type: ignore[arg-type]
        bench = Bench(how, Random(9))
        return [[part.answer for part in bench.exercise(topic).parts] for topic in topics(how)[6:40]]

    assert answers() == answers(language="ja") == answers(colours=False)


def test_explanations_speak_the_words_of_the_rules() -> None:
    exercise = some("score", 4, "tenhou", 1)[0]
    words = texts(setting("tenhou"))
    lines = [line for passage in exercise.explanation for line in passage.lines]
    text = " ".join(words.text(line.sentence) for line in lines)
    assert re.search(r"\d han\b", text) and "minipoints" not in text


def test_the_hands_that_travel_are_finished_each_another_and_say_what_they_teach() -> None:
    lines = [json.loads(line) for line in WRITTEN.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == len(written()) > 80 and all(line["note"] for line in lines)
    assert len({json.dumps({**line, "note": ""}, sort_keys=True) for line in lines}) == len(lines)
    plays = load_rules(LOCAL)
    for deal in written():
        hand = with_reds_of(deal.hand, plays)
        assert check(hand, deal.win, plays) in (HandStatus.VALID, HandStatus.NO_YAKU), deal


def test_nothing_is_told_that_the_rules_do_not_play() -> None:
    (shown, *_) = [deal for deal in written() if deal.win.open_riichi]
    (wins, *_) = [deal for deal in written() if deal.win.dealer_wins]
    for deal in (shown, wins):
        assert as_played(deal, load_rules(LOCAL)) == deal
    plain = as_played(shown, load_rules("tenhou")).win
    assert plain.riichi and not plain.open_riichi
    assert as_played(wins, load_rules("tenhou")).win == replace(wins.win, dealer_wins=0)


@pytest.mark.parametrize("topic", ["safe.genbutsu", "safe.suji", "safe.walls", "safe.rank"])
def test_only_tiles_that_are_there_can_be_safe(topic: str) -> None:
    exercise = Bench(setting(), Random(8)).exercise(topic)
    answer = exercise.parts[0].answer
    assert isinstance(answer, WaitAnswer) and set(answer.kinds) < set(answer.among)
    assert set(answer.among) <= {tile.kind for tile in exercise.shown.concealed}
