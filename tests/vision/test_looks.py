"""What was looked for because a hand lacked it, and is of use to none; and the indicators beside a hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.layouts import BACK, H, Laid, W, hand_of, line

ROW = "1m 2m 3m 6m 7m 8m 6p 7p 3s 7s 1z 1z 2z 3z"
FIRST = len(ROW.split())
"""The number of the first tile beside the row."""

END = 13 * (W + 0.3)
WON = [*line("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s"), Laid("3s", END + 8, 0, 0, "win")]
SHADE, DIM, CLOTH = (-0.3, 0.1, 0.0), (-0.6, 0.1, 0.0), (-1.0, 0.4, 0.3)


@pytest.mark.parametrize(
    ("label", "chance", "colour", "vain"),
    [
        ("8p", 0.95, SHADE, False),
        ("8p", 0.95, CLOTH, True),
        ("8p", 0.7, SHADE, True),
        ("5z", 0.95, SHADE, True),
        ("back", 0.95, SHADE, True),
    ],
    ids=["a tile", "printed on cloth", "hardly seen", "nothing but white", "a back"],
)
def test_a_tile_that_was_sought_and_serves_no_hand_has_to_be_surely_one(
    label: str, chance: float, colour: tuple[float, float, float], vain: bool
) -> None:
    tiles = [*WON, Laid(label, 0, 4 * H)]
    seen = {14: {label: chance, "2p": 1 - chance}}
    hand = hand_of(tiles, seen, sought={14}, ground={14: colour})
    assert hand.layout.roles[14] == "other"
    assert hand.in_vain.tolist() == [False] * 14 + [vain]
    assert not hand_of(tiles, seen, ground={14: colour}).in_vain.any(), "it was found"


def test_what_serves_the_hand_is_not_sought_in_vain() -> None:
    hand = hand_of(WON, {3: {"4p": 0.7, "7p": 0.3}}, sought={3, 13}, ground={3: DIM})
    assert hand.finished and not hand.in_vain.any()


def test_beside_the_colours_that_nobody_knows_none_is_another() -> None:
    tiles = [*WON, Laid("8p", 0, 4 * H)]
    assert not hand_of(tiles, sought={14}).in_vain.any()


@pytest.mark.parametrize(
    ("label", "narrow", "sliver"), [("5z", 0.6, True), ("5z", 0.9, False), ("8p", 0.6, False)]
)
def test_a_white_dragon_of_no_hand_is_no_sliver(label: str, narrow: float, sliver: bool) -> None:
    """The side of a tile is as white, but narrower than the tile."""
    hand = hand_of([*WON, Laid(label, 0, 4 * H)])
    quads = hand.seen.quads.copy()
    quads[14, [1, 2]] = quads[14, [0, 3]] + narrow * (quads[14, [1, 2]] - quads[14, [0, 3]])
    assert replace(hand, seen=replace(hand.seen, quads=quads)).slivers.tolist() == [False] * 14 + [sliver]
    quads[0] = quads[14]
    assert not replace(hand, seen=replace(hand.seen, quads=quads)).slivers[0], "it is the hand's"


def test_a_white_dragon_alone_is_no_sliver() -> None:
    hand = hand_of([*WON, Laid("5z", 0, 4 * H)])
    alone = replace(hand, seen=hand.seen.where(np.array([14])))
    best, *_ = hand.answers
    layout = replace(best.candidate.layout, closed=(), win=None, melds=(), turns=(0,))
    decoded = replace(best.candidate.decoded, labels=("5z",))
    answer = replace(best, candidate=replace(best.candidate, layout=layout, decoded=decoded))
    assert replace(alone, answers=(answer,)).slivers.tolist() == [False]


# --- indicators ---------------------------------------------------------------------------------------------


def test_indicators_come_as_they_lie_in_whatever_order_they_were_found() -> None:
    hand = hand_of([*line(ROW), *line(f"{BACK} 9s 4p {BACK}", y=4 * H, role="other")])
    shown = hand.with_indicators([FIRST + 2, FIRST + 1], [])
    assert [shown.decoded.labels[i] for i in shown.layout.dora] == ["9s", "4p"]
    assert replace(shown, answers=hand.answers) == hand, "nothing else has changed"


def test_no_more_indicators_are_listed_than_can_lie_open() -> None:
    hand = hand_of([*line(ROW), *line("2p 3p 4p 5p 8p 9p", y=4 * H, role="other")])
    assert len(hand.with_indicators(range(FIRST, FIRST + 6), []).layout.dora) == 5
    shown = hand.with_indicators([FIRST], range(FIRST + 1, FIRST + 6))
    assert (shown.layout.dora, len(shown.unsure_dora)) == ((FIRST,), 4)


def test_a_fifth_of_a_kind_is_no_indicator() -> None:
    tiles = [*line("1m 1m 1m 1m 2m 3m 6p 7p 8p 3s 4s 5s 9s 9s"), *line("1m 9s 9s 9s", y=4 * H, role="other")]
    shown = hand_of(tiles).with_indicators([FIRST, FIRST + 1], [FIRST + 2, FIRST + 3])
    assert (shown.layout.dora, shown.unsure_dora) == ((FIRST + 1,), (FIRST + 2,))
    assert not hand_of([*line(ROW), Laid(BACK, 0, 4 * H)]).with_indicators([FIRST], []).layout.dora
