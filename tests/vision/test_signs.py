"""The signs of a hand that was read say what their names say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.layouts import H, Laid, W, hand_of, line
from vision.habits import HABITS
from vision.looks import HandSeen
from vision.signs import signs
from vision.weights import SIGNS, Side, Steps, features

FOURTEEN = "4m 5m 6m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s 3s"


def shown_by(hand: HandSeen) -> Mapping[str, float]:
    """Those of the hand of the first fourteen tiles, by its likeliest labels."""
    found = [each for each in hand.candidates if set(each.layout.hand) == set(range(14))]
    best = min(found, key=lambda each: (not each.decoded.legal, each.decoded.loss, bool(each.layout.win)))
    return dict(zip(SIGNS, signs(hand.table, hand.seen.probabilities, best).tolist(), strict=True))


def test_the_least_sure_of_several_fives_counts() -> None:
    sure = shown_by(hand_of(line(FOURTEEN)))
    one = shown_by(hand_of(line(FOURTEEN), {1: {"5m": 0.7, "0m": 0.2}}))
    both = shown_by(hand_of(line(FOURTEEN), {1: {"5m": 0.7, "0m": 0.2}, 4: {"5p": 0.9, "0p": 0.02}}))
    assert sure["five"] < 0.05 < one["five"] == pytest.approx(2 / 9, abs=0.02) == both["five"]
    assert shown_by(hand_of(line(FOURTEEN.replace("5", "4"))))["five"] == 0, (
        "without a five nothing is in doubt"
    )


def test_a_row_gapes_as_wide_as_its_widest_gap() -> None:
    whole, torn = line(FOURTEEN), [*line(" ".join(FOURTEEN.split()[:7]))]
    torn += line(" ".join(FOURTEEN.split()[7:]), x=7 * (W + 0.3) + 0.5 * W)
    assert shown_by(hand_of(whole))["gape"] == pytest.approx(0, abs=0.15)
    assert shown_by(hand_of(torn))["gape"] == pytest.approx(0.5, abs=0.15)


def test_a_tile_that_may_be_a_back_is_less_shown() -> None:
    sure, dark = (shown_by(hand_of(line(FOURTEEN), doubts)) for doubts in ({}, {3: {"4p": 0.6, "back": 0.3}}))
    assert sure["shown"] > -0.1 > dark["shown"] == pytest.approx(np.log(2 / 3), abs=0.15)


def test_a_closed_tile_that_seems_to_lie_on_its_side_costs() -> None:
    seen = hand_of(line(FOURTEEN)).seen
    rotation = seen.rotation.copy()
    rotation[5] = 0.1, 0.9, 0.0, 0.0
    upright, lying = (shown_by(HandSeen.of(each)) for each in (seen, replace(seen, rotation=rotation)))
    assert lying["lean"] > upright["lean"] + 0.05


def test_faces_near_the_hand_crowd_it_and_all_tiles_are_counted() -> None:
    row = line(FOURTEEN)
    near = [Laid(label, x, 2 * H, 0, "other") for label, x in (("1z", 0.0), ("9p", 5 * W), ("1m", 8 * W))]
    far = [Laid("3z", 0, 9 * H, 0, "other")]
    alone, beside = shown_by(hand_of(row)), shown_by(hand_of([*row, *near, *far]))
    assert (alone["around"], beside["around"]) == (0, 3)
    assert (alone["tiles"], beside["tiles"]) == (14, 18)


def test_a_hand_is_as_sure_as_its_signs_let_it_be() -> None:
    hand = hand_of(line(FOURTEEN))
    best = hand.answers[0]
    seen = signs(hand.table, hand.seen.probabilities, best.candidate)
    heard: list[np.ndarray] = []

    class Listener(Steps):
        def odds(self, seen: np.ndarray) -> np.ndarray:
            heard.append(seen)
            return super().odds(seen)

    side = Side(Listener(), ((0.0, 0.0), (1.0, 1.0)))
    weights = replace(HABITS.weights, finished=side, unfinished=side)
    hand = hand_of(line(FOURTEEN), habits=replace(HABITS, weights=weights))
    assert hand.sureness == pytest.approx(0.5)
    assert np.allclose(heard[0], features(best.share, best.terms, seen))
