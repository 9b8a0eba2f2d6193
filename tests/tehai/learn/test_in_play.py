"""Hands that are not won yet: how far, what to discard, waits of one suit, furiten, safe tiles.

What is right is found again from what is shown alone, in another way than the scorer finds it: distances by
the counting of blocks that books teach, waits by cutting hands, safety by putting a player's hand together.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from scorer import Tile
from scorer.tiles import COPIES, KINDS, TILES, YAOCHUU
from tehai.learn.answers import ChosenAnswer, DiscardAnswer, NumberAnswer, WaitAnswer
from tehai.learn.exercise import Exercise, Shown
from tests.tehai.learn.learning import facts, some
from tests.tehai.learn.test_exercises import partitions

MANY = 60
FEWER = 30
"""Of those that take long to make."""
TOPICS = {"shanten": 4, "discard": 3, "blocks": 3, "furiten": 3, "safe": 5}

Counts = tuple[int, ...]


# --- as books count -----------------------------------------------------------------------------------------


@cache
def blocks(counts: Counts, runs: bool) -> frozenset[tuple[int, int, int]]:
    """Every number of sets, of two thirds of a set and of pairs set apart that a suit can be cut into."""
    first = next((at for at, count in enumerate(counts) if count), None)
    if first is None:
        return frozenset({(0, 0, 0)})
    pieces: list[tuple[tuple[int, ...], tuple[int, int, int]]] = [
        ((0,), (0, 0, 0)), ((0, 0, 0), (1, 0, 0)), ((0, 0), (0, 1, 0)), ((0, 0), (0, 0, 1))
    ]  # fmt: skip
    if runs:
        pieces += [((0, 1, 2), (1, 0, 0)), ((0, 1), (0, 1, 0)), ((0, 2), (0, 1, 0))]
    found = set()
    for steps, (sets, parts, pairs) in pieces:
        left = list(counts)
        if first + max(steps) >= len(left):
            continue
        for step in steps:
            left[first + step] -= 1
        if min(left) >= 0:
            for more, some_parts, some_pairs in blocks(tuple(left), runs):
                if pairs + some_pairs <= 1:
                    found.add((sets + more, parts + some_parts, pairs + some_pairs))
    return frozenset(
        one
        for one in found
        if not any(one != two and all(a <= b for a, b in zip(one, two, strict=True)) for two in found)
    )


@cache
def away(counts: Counts, melds: int) -> int:
    """How far: eight less two for each set and one for each block, of which there is room for four."""
    whole = {(melds, 0, 0)}
    for first in (0, 9, 18, 27):
        suit = counts[first : first + 9]
        whole = {
            (a + d, b + e, c + f) for a, b, c in whole for d, e, f in blocks(suit, first < 27) if c + f <= 1
        }
    far = min(8 - 2 * sets - min(parts, 4 - sets) - pair for sets, parts, pair in whole if sets <= 4)
    if melds:
        return far
    kinds, pairs = sum(map(bool, counts)), sum(count > 1 for count in counts)
    orphans = [counts[kind] for kind in YAOCHUU]
    thirteen = 13 - sum(map(bool, orphans)) - any(count > 1 for count in orphans)
    return min(far, 6 - pairs + max(0, 7 - kinds), thirteen)


def counts_of(tiles: tuple[Tile, ...]) -> Counts:
    held = Counter(tile.kind for tile in tiles)
    return tuple(held[kind] for kind in range(KINDS))


def changed(counts: Counts, kind: int, by: int) -> Counts:
    return (*counts[:kind], counts[kind] + by, *counts[kind + 1 :])


def nearer(counts: Counts, shown: Shown) -> int:
    """How many tiles bring the hand nearer, of those that do not lie in it."""
    held = Counter(tile.kind for meld in shown.melds for tile in meld.tiles)
    now, melds = away(counts, len(shown.melds)), len(shown.melds)
    return sum(
        COPIES - counts[kind] - held[kind]
        for kind in range(KINDS)
        if counts[kind] + held[kind] < COPIES and away(changed(counts, kind, 1), melds) < now
    )


@pytest.mark.parametrize("preset", ["ema2008", "tenhou"])
def test_how_far_a_hand_is_as_books_count_it(preset: str) -> None:
    seen = set()
    for exercise in some("shanten", FEWER, preset, 1):
        answer = exercise.parts[0].answer
        assert isinstance(answer, NumberAnswer)
        shown = exercise.shown
        assert answer.number == away(counts_of(shown.concealed), len(shown.melds))
        seen.add((exercise.topic, answer.number))
    assert len(seen) >= 5 and {number for _, number in seen} >= {0, 1, 2, 3}


def test_how_far_is_counted_as_the_lesson_teaches_it() -> None:
    """Eight less sets, blocks and pair, or six less pairs: told of all but thirteen orphans, and right."""
    forms: Counter[str] = Counter()
    for exercise in some("shanten", FEWER, "ema2008", 1):
        shown, told = exercise.shown, exercise.explanation[0].lines
        sums = [line.sentence for line in told if line.sentence.kind in ("counted.sum", "counted.pairs")]
        for one in sums:
            values = {name: value for name, value in one.values.items() if isinstance(value, int)}
            if one.kind == "counted.pairs":
                assert values["away"] == 6 - values["many"]
            else:
                assert values["away"] == 8 - 2 * values["sets"] - values["blocks"] - values["pair"]
                groups = [group for line in told for group in line.groups]
                used = Counter(tile.kind for group in groups for tile in group)
                assert not used - Counter(tile.kind for tile in shown.concealed)
                assert len(groups) + len(shown.melds) == values["sets"] + values["blocks"] + values["pair"]
            assert values["away"] == away(counts_of(shown.concealed), len(shown.melds))
            forms[one.kind] += 1
    assert forms["counted.sum"] > FEWER / 2 and forms["counted.pairs"]


def test_the_best_discard_is_found_by_trying_all_of_them() -> None:
    for exercise in some("discard", 18, "ema2008", 1):
        answer, shown = exercise.parts[0].answer, exercise.shown
        assert isinstance(answer, DiscardAnswer)
        counts = counts_of(shown.concealed)
        kept = {}
        for kind in sorted({tile.kind for tile in shown.concealed}):
            left = changed(counts, kind, -1)
            # what was thrown away lies in sight: it can be drawn once less
            back = away(changed(left, kind, 1), len(shown.melds)) < away(left, len(shown.melds))
            kept[kind] = (away(left, len(shown.melds)), -(nearer(left, shown) - back))
        best = min(kept.values())
        assert set(answer.best) == {kind for kind, worth in kept.items() if worth == best}
        for kind, (far, many) in kept.items():
            share = many / best[1] if far == best[0] else 0
            assert answer.credit(str(TILES[kind])) == pytest.approx(share)
        others = [worth for worth in kept.values() if worth != best]
        assert min(others)[0] > best[0] or min(others)[1] - best[1] >= 2  # nothing hangs on one tile
        assert min(others)[0] == best[0]


# --- waits --------------------------------------------------------------------------------------------------


def finishing(shown: Shown) -> set[int]:
    """The kinds with which the concealed tiles can be cut into a finished hand of any form."""
    kinds = [tile.kind for tile in shown.concealed]
    held = Counter([*kinds, *(tile.kind for meld in shown.melds for tile in meld.tiles)])
    return {
        kind for kind in range(KINDS) if held[kind] < COPIES and partitions(tuple(sorted([*kinds, kind])))
    }


def test_waits_of_one_suit_are_all_that_can_be_cut() -> None:
    for exercise in some("blocks", MANY, "ema2008", 1):
        answer, shown = exercise.parts[0].answer, exercise.shown
        assert isinstance(answer, WaitAnswer)
        assert len({tile.suit for tile in shown.concealed}) == 1
        assert set(answer.kinds) == finishing(shown) and len(answer.kinds) >= 3
        (passage,) = exercise.explanation
        # every way to read the hand with each of them is told, with that tile apart
        told = {
            (
                line.groups[-1][0].kind,
                tuple(sorted(tuple(tile.kind for tile in group) for group in line.groups[:-1])),
            )
            for line in passage.lines
        }
        assert {kind for kind, _ in told} == set(answer.kinds) and len(told) == len(passage.lines)


def test_furiten_is_a_tile_of_the_wait_discarded_or_let_pass() -> None:
    seen: Counter[tuple[str, bool]] = Counter()
    for exercise in some("furiten", MANY, "ema2008", 1):
        answer, shown = exercise.parts[0].answer, exercise.shown
        assert isinstance(answer, WaitAnswer)
        waited = finishing(shown)
        (pond,) = facts(shown, "fact.discards")
        gone = {tile.kind for tile in pond.values["tiles"]}  # type: ignore[union-attr]
        let_pass = {
            tile.kind
            for fact in facts(shown, "fact.passed")
            for tile in fact.values["tile"]  # type: ignore[union-attr]
        }
        assert set(answer.kinds) == waited & (gone | let_pass)
        seen[exercise.topic, bool(answer.kinds)] += 1
    assert len(seen) == 6 and min(seen.values()) >= 4


# --- safe tiles ---------------------------------------------------------------------------------------------


def rivers(shown: Shown) -> tuple[list[set[int]], int, Counter[int]]:
    """What each of the three cannot win on, who declared riichi, and all that lies in sight."""
    found, declared = [], -1
    seen = Counter(tile.kind for tile in shown.concealed)
    seen.update(tile.kind for meld in shown.melds for tile in meld.tiles)
    for fact in facts(shown, "fact.river"):
        tiles = [tile.kind for tile in fact.values["tiles"]]  # type: ignore[union-attr]
        if fact.kind == "fact.river_riichi":
            declared = len(found)
        found.append(set(tiles))
        seen.update(tiles)
    for fact in facts(shown, "fact.since"):
        found[declared] |= {tile.kind for tile in fact.values["tiles"]}  # type: ignore[union-attr]
    assert max(seen.values()) <= COPIES
    return found, declared, seen


def rank(kind: int, passed: set[int], seen: Counter[int]) -> int:
    """0 for a tile on which nobody can win, up to 4 for one that two two-sided waits can wait for."""
    if kind in passed:
        return 0
    sides = closed = 0
    if kind < 27:
        for low, high in ((kind - 2, kind - 1), (kind - 1, kind + 1), (kind + 1, kind + 2)):
            same = low // 9 == high // 9 == kind // 9 and low >= 0
            if not same or seen[low] == COPIES or seen[high] == COPIES:
                continue
            ends = {end for end in range(low - 1, high + 2) if end // 9 == kind // 9}
            waited = {end for end in ends if sorted((low, high, end)) in runs(kind)}
            if not waited & passed:
                sides += len(waited) == 2
                closed += len(waited) == 1
    if sides or closed:
        return 2 + sides
    single = seen[kind] < COPIES
    orphans = kind in YAOCHUU and all(seen[other] < COPIES for other in YAOCHUU if other != kind)
    return int(single or orphans)


def runs(kind: int) -> list[list[int]]:
    return [[first, first + 1, first + 2] for first in range(27) if first % 9 < 7 and first // 9 == kind // 9]


def asked(exercise: Exercise) -> list[int]:
    tiles = exercise.question.values["tiles"]
    assert isinstance(tiles, tuple)
    return [tile.kind for tile in tiles]  # type: ignore[union-attr]


def test_safe_is_what_no_hand_can_win_on() -> None:
    seen_topics: Counter[str] = Counter()
    for exercise in some("safe", 100, "ema2008", 1):
        shown, answer = exercise.shown, exercise.parts[0].answer
        passed, declared, seen = rivers(shown)
        hand = {tile.kind for tile in shown.concealed}
        what = exercise.topic.removeprefix("safe.")
        seen_topics[what] += 1
        if what == "whom":
            assert isinstance(answer, ChosenAnswer)
            (tile,) = exercise.question.values["tile"]  # type: ignore[misc]
            assert list(answer.options.values()) == [rank(tile.kind, one, seen) == 0 for one in passed]
            rows = [fact.values["tiles"] for fact in shown.facts if fact.kind.startswith("fact.river")]
            # whoever sits before these let them pass, and has not discarded since
            assert tile.kind not in {row[-1].kind for row in rows[1:]}  # type: ignore[union-attr,index]
            continue
        assert isinstance(answer, WaitAnswer)
        ranks = {kind: rank(kind, passed[declared], seen) for kind in hand}
        if what == "genbutsu":
            assert set(answer.kinds) == {kind for kind in hand if ranks[kind] == 0}
            continue
        among = asked(exercise)
        (best,) = answer.kinds
        assert set(among) <= hand and all(ranks[best] < ranks[kind] for kind in among if kind != best)
        if what == "suji":
            assert ranks[best] <= 2 and rank(best, set(), seen) >= 3
        if what == "walls":
            assert ranks[best] <= 2 and rank(best, passed[declared], Counter({best: 1})) >= 3
    assert len(seen_topics) == TOPICS["safe"]


def test_nobody_discards_from_a_finished_hand() -> None:
    for level, count in (("discard", 6), ("safe", 40)):
        for exercise in some(level, count, "ema2008", 2):
            assert not partitions(tuple(sorted(tile.kind for tile in exercise.shown.concealed)))
