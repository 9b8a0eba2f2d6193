"""What is said to be in question."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.detections import Detections
from vision.labels import FACES, WITH_FOREIGN
from vision.scene.decode import CalledSet, HandReading, PlayerReadings, Scene
from vision.scene.judge import confidence_features, doubts, other_hand_doubts

SIX, NINE = FACES.index("6s"), FACES.index("9s")


def found(*shares: dict[int, float]) -> Detections:
    faces = np.full((len(shares), len(WITH_FOREIGN)), -12.0, np.float32)
    for row, each in zip(faces, shares, strict=True):
        for face, share in each.items():
            row[face] = np.log(share)
    quads = np.zeros((len(shares), 4, 2), np.float32)
    return Detections(quads, np.ones(len(shares), np.float32), faces=faces)


def scene(reading: HandReading) -> Scene:
    return Scene((PlayerReadings((reading,), 6.0),), (), ())


def test_a_tile_that_hardly_shows_its_face_is_in_question() -> None:
    seen = found({NINE: 0.99}, {NINE: 0.55, SIX: 0.44}, {SIX: 0.7, NINE: 0.29})
    hand = HandReading(((0, NINE), (1, NINE), (2, NINE)), (), 0, True, 0.0)
    said = doubts(scene(hand), seen, (100, 100))
    assert [(each.kind, each.tiles, each.instead) for each in said] == [
        ("face", (2,), {"label": "6s"}), ("face", (1,), {"label": "6s"}),
    ]  # fmt: skip


def test_what_lies_face_down_in_a_closed_kan_is_not() -> None:
    seen = found({NINE: 0.01}, {NINE: 0.99}, {NINE: 0.99}, {NINE: 0.01})
    kan = CalledSet((0, 1, 2, 3), (NINE,) * 4, 0.0, face_down=(0, 3))
    assert doubts(scene(HandReading((), (kan,), None, True, 0.0)), seen, (100, 100)) == ()


def test_another_hand_is_asked_about_whichever_of_its_tiles_won() -> None:
    """Each of its readings is too unlikely by itself, all of them together are not."""
    best = HandReading(((0, NINE), (1, NINE)), (), 0, True, 0.0)
    other = replace(best, concealed=((0, NINE), (2, NINE)))
    others = tuple(replace(other, win=win, score=float(np.log(0.06))) for win in (0, 2))
    seen = found(*[{NINE: 0.99}] * 3)
    for some, said in ((others[:1], []), (others, [("left_out", (1, 2))])):
        weighed = Scene((PlayerReadings((best, *some), 6.0),), (), ())
        assert [(each.kind, each.tiles) for each in doubts(weighed, seen, (100, 100))] == said


def test_tiles_that_may_be_indicators_are_asked_about() -> None:
    hand = HandReading(((0, NINE), (1, NINE), (2, NINE)), (), 0, True, 0.0)
    unsure = replace(scene(hand), dora=((3, SIX),), possible_indicators=((4, NINE),))
    (doubt,) = doubts(unsure, found(*[{NINE: 0.99}] * 3, {SIX: 0.99}, {NINE: 0.99}), (100, 100))
    assert (doubt.kind, doubt.tiles) == ("indicator", (4,))
    assert doubt.instead is not None and doubt.instead["hand"]["dora_indicators"] == ["6s", "9s"]
    assert doubt.text == "The 9s may be a dora indicator, too."
    (doubt,) = doubts(
        replace(unsure, possible_indicators=((4, NINE), (3, SIX))), found(*[{NINE: 0.99}] * 5), (100, 100)
    )
    assert doubt.text == "The 9s 6s may be dora indicators, too."


def two_hands() -> tuple[Scene, Detections]:
    """Two players who have each finished with a pair of tiles."""
    first, second = (HandReading(((at, SIX), (at + 1, SIX)), (), at, True, 5.0) for at in (0, 2))
    players = tuple(PlayerReadings((hand,), 6.0) for hand in (first, second))
    seen = found(*[{SIX: 0.99}] * 4)
    quads = np.array([[(x, 40), (x + 10, 40), (x + 10, 60), (x, 60)] for x in (0, 10, 50, 90)], np.float32)
    return Scene(players, (), ()), replace(seen, quads=quads)


def test_features_are_the_odds_and_the_least_sure_face() -> None:
    hand = HandReading(((0, NINE), (1, NINE)), (), None, True, 0.0)
    seen = found({NINE: 0.9}, {NINE: 0.6, SIX: 0.4})
    assert confidence_features(scene(hand), seen) == pytest.approx((6.0, np.log(0.6 / 0.4)), abs=0.01)


def test_a_hand_that_is_not_finished_is_as_likely_as_not_at_most() -> None:
    open_ = HandReading(((0, NINE),), (), None, False, 0.0)
    whole = replace(open_, concealed=tuple((tile, NINE) for tile in range(13)))
    seen = found(*[{NINE: 0.9}] * 13)
    assert confidence_features(scene(whole), seen) == (0.0, 0.0)
    assert confidence_features(scene(open_), seen) == (-5.0, 0.0), "tiles are missing"


def test_another_hand_is_offered_where_it_lies() -> None:
    (doubt,) = doubts(*two_hands(), (100, 100))
    assert (doubt.kind, doubt.tiles) == ("hand", (2, 3))
    assert doubt.text == "Another hand lies there, 6s6s: frame the one that you mean."
    assert doubt.instead is not None and doubt.instead["region"] == [0.5, 0.4, 1.0, 0.6]


def test_a_hand_of_the_same_tiles_is_no_other_one() -> None:
    scene, seen = two_hands()
    assert [each.tiles for each in other_hand_doubts(scene, (0, 1), seen.quads, (100, 100))] == [(2, 3)]
    assert not list(other_hand_doubts(scene, (1, 2), seen.quads, (100, 100)))
