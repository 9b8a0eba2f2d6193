"""Other finished hands that lie beside the one that is taken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.layouts import Laid, W, across, hand_of, line
from vision.doubts import doubts
from vision.groups import MeldSeen
from vision.habits import HABITS
from vision.looks import HandSeen
from vision.reckoning import Weighed
from vision.rivals import believed, matched, nearness, rival_features, rivals, shared
from vision.weights import RIVAL, SIDES, Side, Steps, Weights

SIZE = (4000, 4000)
END = 13 * (W + 0.3)
MINE = [*line("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s"), Laid("3s", END + 8, 0, 0, "win")]
THEIRS = across([*line("1p 2p 3p 5s 6s 7s 7m 8m 9m 4z 4z 1s 1s"), Laid("1s", END + 8, 0)], 260)


def there(hand: HandSeen) -> list[list[int]]:
    """The rivals of the likeliest answer, by their tiles."""
    return [sorted(other.candidate.layout.hand) for other in rivals(hand.answers, HABITS.doubts)]


def test_another_finished_hand_is_a_rival_and_one_of_the_same_tiles_is_none() -> None:
    assert there(hand_of(MINE)) == []
    assert there(hand_of([*MINE, *THEIRS])) == [[*range(14, 28)]]


@pytest.mark.parametrize("behind", [1.0, 20.0, 500.0])
def test_another_finished_hand_is_a_rival_however_unlikely_it_is(behind: float) -> None:
    """How likely it is to lie there is told by more than its share."""
    hand = hand_of([*MINE, *THEIRS])
    best, *others = hand.answers
    theirs = [each for each in others if min(each.candidate.layout.hand, default=0) >= 14]
    won = next(each for each in theirs if each.answer.finished)
    short = next(each for each in theirs if not each.answer.finished and each.candidate.layout.size == 13)
    behindhand = replace(won, score=best.score - behind, share=float(np.exp(-behind)))
    hand = replace(hand, answers=(best, replace(short, score=best.score - 1, share=0.0), behindhand))
    assert there(hand) == [[*range(14, 28)]]


def told(hand: HandSeen, name: str) -> float:
    """A feature of the only rival."""
    (rival,) = rivals(hand.answers, HABITS.doubts)
    return float(rival_features(hand.answers, rival)[[*RIVAL].index(name)])


def test_a_rival_is_told_by_its_tiles_by_where_it_lies_and_by_the_hand_beside_it() -> None:
    hand = hand_of([*MINE, *THEIRS])
    best, *others = hand.answers
    theirs = [each for each in others if min(each.candidate.layout.hand, default=0) >= 14]
    shares = np.array([each.share for each in theirs])
    won = next(each for each in theirs if each.answer.finished)
    assert told(hand, "own") == pytest.approx(np.log(won.share / shares.sum()), rel=0.05)
    assert told(hand, "its_tiles") == pytest.approx(np.log(shares.sum()), rel=0.05)
    assert told(hand, "rest") == pytest.approx(np.log(1 - best.share)) and told(hand, "shared") == 0
    farther = hand_of([*MINE, *(replace(each, y=each.y + 130) for each in THEIRS)])
    assert told(farther, "away") > told(hand, "away") > 0
    assert told(hand, "finished") == 1, "its terms follow"


@pytest.mark.parametrize(("chance", "is_asked"), [(0.0, False), (0.01, False), (0.06, True), (1.0, True)])
def test_a_rival_is_asked_about_where_it_may_have_been_finished(chance: float, is_asked: bool) -> None:
    won = Steps(-9.0, (([*RIVAL].index("finished"), 0.5, 18.0),))
    rival = Side(won, ((0.0, 1.0), (0.5, 1.0), (0.9, chance)))
    habits = replace(HABITS, weights=replace(HABITS.weights, rival=rival))
    hand = hand_of([*MINE, *THEIRS], habits=habits)
    unasked = 0 if is_asked else chance
    left = (1 - habits.weights.unnoticed) * (1 - unasked)
    assert hand.confidence == pytest.approx(hand.sureness * left), "it is less sure"
    asked = [doubt.tiles for doubt in doubts(hand, SIZE) if doubt.kind == "hand"]
    assert asked == ([tuple(range(14, 28))] if is_asked else [])


@pytest.mark.parametrize(
    ("row", "chance"),
    [("1p 2p 3p 5s 6s 7s 7m 8m 9m 4z 4z 1s 2z", 1.0), ("1p 9p 3p 5s 6s 7s 1m 8m 9m 4z 5z", 0.0)],
)
def test_a_row_that_is_far_from_finished_was_not_misread(row: str, chance: float) -> None:
    all_are = Side(Steps(), ((0.0, 1.0), (1.0, 1.0)))
    habits = replace(HABITS, weights=replace(HABITS.weights, rival=all_are))
    hand = hand_of([*MINE, *across(line(row), 260)], habits=habits)
    assert [found for _, found in hand.rivals] == [chance]


def test_without_what_was_fitted_every_rival_is_asked_about() -> None:
    trust = {side: {"start": 0, "steps": []} for side in SIDES}
    curves = {side: [[0, 0], [1, 1]] for side in SIDES}
    bare = Weights.of({"weights": {}, "trust": trust, "curves": curves})
    hand = hand_of([*MINE, *THEIRS])
    habits = replace(HABITS, weights=bare)
    others = [*rivals(hand.answers, HABITS.doubts)]
    assert [*believed(hand.answers, habits)] == [(rival, 1.0) for rival in others] != []


def test_a_hand_is_less_sure_where_another_may_go_unnoticed() -> None:
    none = Side(Steps(), ((0.0, 0.0), (1.0, 0.0)))
    habits = replace(HABITS, weights=replace(HABITS.weights, unnoticed=0.1, rival=none))
    for tiles, unnoticed in ((MINE, 0.1), ([*MINE, *THEIRS], 0.1), (MINE[:13], 0.0)):
        hand = hand_of(tiles, habits=habits)
        assert hand.confidence == pytest.approx(hand.sureness * (1 - unnoticed))


@pytest.mark.parametrize(("sets", "rival"), [(1, True), (2, False)])
def test_who_has_more_than_a_set_of_the_hand_is_that_hand_otherwise_seen(sets: int, rival: bool) -> None:
    """A pair that lies elsewhere finishes the sets that it has called, too."""
    hand = hand_of([*MINE, *THEIRS])
    best, *others = hand.answers
    other = next(each for each in others if min(each.candidate.layout.hand, default=0) >= 14)

    def called(each: Weighed, first: int) -> Weighed:
        """With three tiles of the first hand as a chi, so often, and the last tiles of its own."""
        melds = tuple(MeldSeen("chi", (k, k + 1, k + 2), 3) for k in range(0, 3 * sets, 3))
        closed = tuple(range(first + 3 * sets, first + 13))
        layout = replace(each.candidate.layout, melds=melds, closed=closed)
        return replace(each, candidate=replace(each.candidate, layout=layout))

    others = [*rivals((called(best, 0), called(other, 14)), HABITS.doubts)]
    assert bool(others) is rival


def test_a_hand_that_is_not_finished_has_no_rivals() -> None:
    assert there(hand_of(MINE[:13])) == []


def test_a_finished_hand_of_which_a_set_was_not_seen_is_a_rival() -> None:
    row = across([*line("1p 2p 3p 5s 6s 7s 7m 8m 9m 1s"), Laid("1s", 10 * (W + 0.3) + 8, 0)], 260)
    hand = hand_of([*MINE, *row])
    assert there(hand) == [[*range(14, 25)]] and told(hand, "unseen") == 1 and told(hand, "finished") == 0
    strict = replace(HABITS.doubts, torn=0, whole=12)
    assert not [*rivals(hand.answers, strict)]


@pytest.mark.parametrize("tiles", range(9, 14))
def test_a_row_of_so_many_tiles_is_a_rival_though_none_finishes_it(tiles: int) -> None:
    """Some may have been overlooked, or misread."""
    hand = hand_of([*MINE, *across(line("1p 2p 3p 5s 6s 8s 7m 8m 9m 4z 5z 1s 1s")[:tiles], 260)])
    whole = tiles >= HABITS.doubts.whole
    assert there(hand) == ([[*range(14, 14 + tiles)]] if whole else [])
    if whole:
        assert told(hand, "unseen") == told(hand, "finished") == 0


def test_who_is_finished_by_a_tile_of_a_third_row_hides_that_row_as_little() -> None:
    """Any of a row that waits may be the tile that finishes another."""
    row, third = (across(line(f"1p 2p 3p 5s 6s 7s 7m 8m 9m 4z 4z 1s {end}"), 260) for end in ("1s", "5z"))
    hand = hand_of([*MINE, *row, *(replace(each, x=each.x + 800) for each in third)])
    best, *others = hand.answers
    theirs, waiting = (
        next(each for each in others if [*each.candidate.layout.hand] == [*range(first, first + 13)])
        for first in (14, 27)
    )
    won = replace(theirs.candidate, layout=replace(theirs.candidate.layout, win=30))
    finished = replace(theirs, candidate=won, answer=theirs.answer._replace(finished=True))
    found = [*rivals((best, finished, waiting), HABITS.doubts)]
    assert found == [finished, waiting]
    assert [*rivals((best, finished, theirs), HABITS.doubts)] == [finished], "of its own tiles it is one"


def test_points_of_two_looks_are_matched_where_they_lie_near() -> None:
    some, others = np.array([[0.0, 0.0], [10.0, 0.0], [50.0, 0.0]]), np.array([[11.0, 1.0], [1.0, 0.0]])
    assert matched(some, others, 3.0).tolist() == [1, 0, -1]
    assert matched(some, others[:0], 3.0).tolist() == [-1, -1, -1]
    assert shared(some, others, 3.0) == 2 and shared(some, others, 1.2) == 1


def test_a_tile_is_as_near_as_half_its_width() -> None:
    hand = hand_of(MINE)
    best = hand.answers[0].candidate
    quads = hand.seen.quads[:14]
    assert nearness(best) == pytest.approx(np.linalg.norm(quads[:, 0] - quads[:, 1], axis=1).mean() / 2)
    assert len(best.middles) == len(best.closed_middles) == 14
