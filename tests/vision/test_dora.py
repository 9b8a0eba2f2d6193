"""Which tiles beside a hand are listed as indicators of the dora: what lies by a wall, by a layer that is
fitted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.layouts import BACK, H, Laid, W, across, hand_of, line
from vision.dora import FACTS, LAYER, MARKS, NEIGHBOURS, Dora, evidence, indicators
from vision.looks import HandSeen

ROW = "1m 2m 3m 6m 7m 8m 6p 7p 3s 7s 1z 1z 2z 3z"
FIRST = len(ROW.split())
"""The number of the first tile beside the row."""


def beside(*tiles: Laid) -> HandSeen:
    """What is seen of a row and of tiles beside it."""
    return hand_of([*line(ROW), *tiles])


def wall(*labels: str, up: float = 4 * H) -> list[Laid]:
    return [Laid(label, k * (W + 0.3), up, 0, "other") for k, label in enumerate(labels)]


NONE = np.zeros((0, 4, 2), np.float32)


def believing(*, all_alike: float) -> Dora:
    """A layer that says the same of every tile: so much in logs of odds."""
    shapes = (2 + FACTS, 1), 1, 1, (), (), (MARKS, 1), 1, (1, 1), 1
    weights = [np.zeros(shape, np.float32) for shape in shapes]
    weights[3] = np.array(all_alike, np.float32)
    return Dora(*weights)


def listed(hand: HandSeen, layer: Dora = LAYER) -> list[str]:
    labels = hand.decoded.labels
    return [labels[i] for i in indicators(hand.table.tiles, hand.layout, labels, NONE, layer)[0]]


def test_a_face_in_a_wall_is_listed_and_one_on_bare_cloth_is_not() -> None:
    assert listed(beside(*wall(BACK, BACK, "4p", BACK, BACK, BACK))) == ["4p"]
    assert listed(beside(Laid("4p", 2 * W, 4 * H))) == []


def test_what_a_reading_lists_is_in_the_order_in_which_it_is_read() -> None:
    hand = beside(*wall(BACK, BACK, "9s", "4p", BACK, BACK, BACK))
    shown = hand.with_indicators()
    assert [shown.decoded.labels[i] for i in shown.layout.dora] == ["9s", "4p"]
    assert replace(shown, answers=hand.answers) == hand, "nothing else has changed"


def test_one_that_lies_alone_is_not_listed_however_sure_the_layer_is() -> None:
    in_wall, among, alone = (
        beside(Laid("4p", 0, 4 * H), *([Laid(other, W + 0.3, 4 * H)] if other else []))
        for other in (BACK, "9s", "")
    )
    assert listed(in_wall, believing(all_alike=9.0)) == ["4p"]
    assert sorted(listed(among, believing(all_alike=9.0))) == ["4p", "9s"]
    assert listed(alone, believing(all_alike=9.0)) == []
    assert listed(in_wall, believing(all_alike=-9.0)) == []


def test_no_more_are_listed_than_can_lie_open() -> None:
    """Five at most, and none of a kind of which the hand has all four."""
    faces = ["2p", "3p", "4p", "5p", "8p", "9p"]
    assert len(listed(beside(*wall(BACK, BACK, *faces, BACK)), believing(all_alike=9.0))) == 5
    four = hand_of([*line("1m 1m 1m 1m 2m 3m 6p 7p 8p 3s 4s 5s 9s 9s"), *wall(BACK, "1m", BACK, BACK)])
    assert listed(four, believing(all_alike=9.0)) == []


def test_what_may_be_one_is_told_from_what_surely_is() -> None:
    hand = beside(*wall(BACK, "4p", BACK, BACK))
    for chance, found in ((0.95, ([FIRST + 1], [])), (0.5, ([], [FIRST + 1]))):
        layer = believing(all_alike=float(np.log(chance / (1 - chance))))
        assert indicators(hand.table.tiles, hand.layout, hand.decoded.labels, NONE, layer) == found


def test_facts_are_of_what_lies_around_each_face() -> None:
    hand = beside(*wall(BACK, "4p", BACK), Laid("9s", 9 * W, 4 * H))
    seen = evidence(hand.table.tiles, hand.layout, NONE)
    assert seen.facts.shape == (2, FACTS)
    assert [hand.decoded.labels[i] for i in seen.tiles] == ["4p", "9s"]


def test_each_face_hears_of_its_neighbours_as_it_sees_them() -> None:
    """Of a back beside it, and of what seems to be a tile above it; however all of it lies."""
    laid = [*line(ROW), Laid("4p", 4 * W, 4 * H), Laid(BACK, 5 * W, 4 * H)]
    for tiles in (laid, [replace(each, role="hand") for each in across(laid, 30)]):
        hand = hand_of(tiles)
        seen, face = hand.table.tiles, len(tiles) - 2
        up = seen.up[face]
        above, right = seen.centre[face] + H * up, np.array([-up[1], up[0]])
        corners = [
            above + y * H / 2 * up - x * W / 2 * right for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))
        ]
        nothing = seen.plane.invert(np.array([corners])).astype(np.float32)
        (around,) = evidence(seen, replace(hand.layout, win=None), nothing).around
        there, away, beside_it, ahead, along, across_it, size, _, back, *_, unknown = around.T
        assert around.shape == (NEIGHBOURS, MARKS) and there.sum() == len(tiles)
        assert not around[there == 0].any(), "there are no more"
        by_it, over = int(back.argmax()), int(unknown.argmax())
        assert {by_it, over} == {*np.argsort(np.where(there, away, np.inf))[:2].tolist()}
        assert (abs(beside_it[by_it]) * 4, ahead[by_it]) == pytest.approx((1, 0), abs=0.1)
        assert (beside_it[over], ahead[over] * 3) == pytest.approx((0, 1), abs=0.1)
        assert (along[over], across_it[over], size[over]) == pytest.approx((1, 0, 0), abs=0.1)
        assert not evidence(seen, hand.layout, NONE).around[..., -1].any()


def test_where_there_is_no_hand_nothing_is_an_indicator() -> None:
    hand = beside(*wall(BACK, "4p", BACK, BACK))
    layout = replace(hand.layout, closed=(), win=None, melds=())
    found = indicators(hand.table.tiles, layout, hand.decoded.labels, NONE, believing(all_alike=9.0))
    assert found == ([], [])
