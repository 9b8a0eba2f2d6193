"""Which tiles beside a hand are listed as indicators of the dora: what lies by a wall, by a layer that is
fitted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.layouts import BACK, H, Laid, W, hand_of, line
from vision.dora import FACTS, LAYER, evidence, indicators
from vision.layer import Layer
from vision.looks import HandSeen

ROW = "1m 2m 3m 6m 7m 8m 6p 7p 3s 7s 1z 1z 2z 3z"
FIRST = len(ROW.split())
"""The number of the first tile beside the row."""


def beside(*tiles: Laid) -> HandSeen:
    """What is seen of a row and of tiles beside it."""
    return hand_of([*line(ROW), *tiles])


def wall(*labels: str, up: float = 4 * H) -> list[Laid]:
    return [Laid(label, k * (W + 0.3), up, 0, "other") for k, label in enumerate(labels)]


def believing(*, all_alike: float) -> Layer:
    """A layer that says the same of every tile: so much in logs of odds."""
    nothing = np.zeros((FACTS, 1), np.float32), np.zeros(1, np.float32), np.zeros(1, np.float32)
    return Layer(*nothing, np.float32(all_alike) + np.zeros((), np.float32), np.zeros((), np.float32))


def listed(hand: HandSeen, layer: Layer = LAYER) -> list[str]:
    labels = hand.decoded.labels
    return [labels[i] for i in indicators(hand.table.tiles, hand.layout, labels, layer)[0]]


def test_a_face_in_a_wall_is_listed_and_one_on_bare_cloth_is_not() -> None:
    assert listed(beside(*wall(BACK, BACK, "4p", BACK, BACK, BACK))) == ["4p"]
    assert listed(beside(Laid("4p", 2 * W, 4 * H))) == []


def test_what_a_reading_lists_is_in_the_order_in_which_it_is_read() -> None:
    hand = beside(*wall(BACK, BACK, "9s", "4p", BACK, BACK, BACK))
    shown = hand.with_indicators()
    assert [shown.decoded.labels[i] for i in shown.layout.dora] == ["9s", "4p"]
    assert replace(shown, answers=hand.answers) == hand, "nothing else has changed"


def test_far_from_any_back_nothing_is_listed_however_sure_the_layer_is() -> None:
    near, far = (beside(*wall(BACK, BACK), Laid("4p", 10, 4 * H + away)) for away in (1.5 * H, 4 * H))
    assert listed(near, believing(all_alike=9.0)) == ["4p"]
    assert listed(far, believing(all_alike=9.0)) == []
    assert listed(near, believing(all_alike=-9.0)) == []


def test_no_more_are_listed_than_can_lie_open() -> None:
    """Five at most, and none of a kind of which the hand has all four."""
    faces = ["2p", "3p", "4p", "5p", "8p", "9p"]
    assert len(listed(beside(*wall(BACK, BACK, *faces, BACK)), believing(all_alike=9.0))) == 5
    four = hand_of([*line("1m 1m 1m 1m 2m 3m 6p 7p 8p 3s 4s 5s 9s 9s"), *wall(BACK, "1m", BACK, BACK)])
    assert listed(four, believing(all_alike=9.0)) == []


def test_what_may_be_one_is_told_from_what_surely_is() -> None:
    hand = beside(*wall(BACK, "4p", BACK, BACK))
    odds = {sure: np.log(sure / (1 - sure)) for sure in (0.5, 0.7)}
    for sure, found in ((0.7, ([FIRST + 1], [])), (0.5, ([], [FIRST + 1]))):
        layer = believing(all_alike=float(odds[sure]))
        assert indicators(hand.table.tiles, hand.layout, hand.decoded.labels, layer) == found


def test_facts_are_of_what_lies_around_each_face() -> None:
    hand = beside(*wall(BACK, "4p", BACK), Laid("9s", 9 * W, 4 * H))
    seen = evidence(hand.table.tiles, hand.layout)
    assert seen.facts.shape == (2, FACTS)
    assert [hand.decoded.labels[i] for i in seen.tiles] == ["4p", "9s"]
    assert seen.from_back == pytest.approx([1.0, 7.1], abs=0.4)


def test_where_there_is_no_hand_nothing_is_an_indicator() -> None:
    hand = beside(*wall(BACK, "4p", BACK, BACK))
    layout = replace(hand.layout, closed=(), win=None, melds=())
    found = indicators(hand.table.tiles, layout, hand.decoded.labels, believing(all_alike=9.0))
    assert found == ([], [])
