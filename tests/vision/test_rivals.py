"""Other finished hands that lie beside the one that is taken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.layouts import Laid, W, across, hand_of, line
from vision.groups import MeldSeen
from vision.habits import HABITS
from vision.looks import HandSeen
from vision.reckoning import Weighed
from vision.rivals import matched, nearness, rivals, shared

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


def test_a_hand_is_less_sure_where_another_may_go_unnoticed() -> None:
    habits = replace(HABITS, weights=replace(HABITS.weights, unnoticed=0.1))
    for tiles, unnoticed in ((MINE, 0.1), ([*MINE, *THEIRS], 0.1), (MINE[:13], 0.0)):
        hand = hand_of(tiles, habits=habits)
        assert hand.confidence == pytest.approx(hand.sureness * (1 - unnoticed))


def test_the_scene_model_is_asked_where_there_is_a_rival() -> None:
    habits = replace(HABITS, looks=replace(HABITS.looks, sure=0.0))
    assert hand_of(MINE, habits=habits).sure
    assert not hand_of([*MINE, *THEIRS], habits=habits).sure


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
    assert there(hand) == [[*range(14, 25)]]
    strict = replace(HABITS.doubts, torn=0, whole=12)
    assert not [*rivals(hand.answers, strict)]


@pytest.mark.parametrize("tiles", range(9, 14))
def test_a_row_of_so_many_tiles_is_a_rival_though_none_finishes_it(tiles: int) -> None:
    """Some may have been overlooked, or misread."""
    hand = hand_of([*MINE, *across(line("1p 2p 3p 5s 6s 8s 7m 8m 9m 4z 5z 1s 1s")[:tiles], 260)])
    assert there(hand) == ([[*range(14, 14 + tiles)]] if tiles >= HABITS.doubts.whole else [])


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
