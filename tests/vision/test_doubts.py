"""What is in question in a hand is said, with its tiles and the other way to see it; and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scorer.record import parse_open
from scorer.tiles import parse_tiles
from tests.vision.layouts import Laid, W, across, hand_of, line
from vision.doubts import confidence, doubts
from vision.habits import HABITS, Habits
from vision.looks import HandSeen
from vision.reading import DOUBTS, SURE, Doubt
from vision.weights import TERMS, Side, Steps, Weights

THIRTEEN = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s"
END = 13 * (W + 0.3)
WON = [*line(THIRTEEN), Laid("3s", END + 8, 0, 0, "win")]
LOOSE = Laid("3s", END + 12, 30, 0.3)
SIZE = (4000, 4000)


def trusting(chance: float = 1.0, **terms: float) -> Habits:
    """The habits, under weights whose likeliest answer is right with this chance; some ``terms`` weigh so."""
    fitted = zip(TERMS, HABITS.weights.terms, strict=True)
    side = Side(Steps(), ((0.0, chance), (1.0, chance)))
    weights = Weights(tuple(terms.get(name, weight) for name, weight in fitted), side, side, SURE)
    return replace(HABITS, weights=weights)


def telling(chance: float) -> Habits:
    """The same, of which every other answer is told."""
    return replace(trusting(chance), doubts=replace(HABITS.doubts, least=0.0, most=100))


def said(hand: HandSeen, *kinds: str) -> list[Doubt]:
    return [doubt for doubt in doubts(hand, SIZE) if not kinds or doubt.kind in kinds]


def instead(doubt: Doubt) -> dict[str, Any]:
    assert doubt.instead is not None
    return doubt.instead


def test_a_hand_that_is_not_sure_names_what_else_it_may_be() -> None:
    """Where all others are too unlikely to be told, the face that is least sure, whichever wins."""
    habits = replace(trusting(0.97), doubts=replace(HABITS.doubts, least=1.0))
    hand = hand_of(WON, {6: {"7s": 0.8, "8s": 0.15}}, habits=habits)
    (doubt,) = said(hand)
    assert (doubt.kind, doubt.tiles, instead(doubt)) == ("face", (6,), {"label": "8s"})
    assert doubt.text == "The 7s may be a 8s."


# --- another hand -------------------------------------------------------------------------------------------

THEIRS = across([*line("1p 2p 3p 5s 6s 7s 7m 8m 9m 4z 4z 1s 1s"), Laid("1s", END + 8, 0)], 260)


def test_a_second_finished_hand_is_asked_about() -> None:
    hand = hand_of([*WON, *THEIRS], habits=trusting())
    assert hand.finished and hand.layout.win == 13
    (doubt,) = said(hand, "hand")
    assert sorted(doubt.tiles) == list(range(14, 28))
    other = instead(doubt)
    assert (other["hand"]["concealed"], other["hand"]["win_tile"]) == ("123p567s789m44z11s", "1s")
    assert doubt.text == "Another hand lies there, 123p567s789m44z11s1s: say which one is meant."
    x0, y0, x1, y1 = other["region"]
    middles = hand.seen.quads.mean(axis=1) / SIZE
    inside = (middles > (x0, y0)).all(axis=1) & (middles < (x1, y1)).all(axis=1)
    assert inside[14:].all() and not inside[:14].any()
    corners = hand.seen.quads[14:].reshape(-1, 2) / SIZE
    assert np.allclose([(x0, y0), (x1, y1)], [corners.min(axis=0), corners.max(axis=0)], atol=1e-3)


def test_a_second_finished_hand_is_asked_about_however_sure_the_first_is() -> None:
    hand = hand_of([*WON, *THEIRS], habits=trusting(place=500.0))
    other = next(each for each in hand.answers if 14 in each.candidate.layout.hand)
    assert other.answer.finished and other.share < 1e-12
    assert [sorted(doubt.tiles) for doubt in said(hand, "hand")] == [list(range(14, 28))]


def test_a_second_finished_hand_is_asked_about_where_both_take_one_meld() -> None:
    ten, end = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z", 10 * (W + 0.3)
    mine = [*line(ten), Laid("2z", end + 8, 0, 0, "win")]
    theirs = across([*line("1p 2p 3p 5s 6s 7s 7m 8m 9m 4z"), Laid("4z", end + 8, 0)], 130)
    meld = [Laid("6z", end + 60, 50, np.pi / 2), Laid("6z", end + 83, 47), Laid("6z", end + 103, 47)]
    (doubt,) = said(hand_of([*mine, *theirs, *meld], habits=trusting()), "hand")
    other = instead(doubt)["hand"]
    assert (other["concealed"], other["win_tile"]) == ("123p567s789m4z", "4z")
    assert other["melds"] == [{"type": "pon", "tiles": "666z", "from": 1}]


def test_another_row_is_named_where_this_one_is_not_sure() -> None:
    found = said(hand_of([*WON, *THEIRS[:-1]], habits=telling(0.5)), "hand")
    assert list(range(14, 27)) in [sorted(doubt.tiles) for doubt in found]


# --- the winning tile ---------------------------------------------------------------------------------------


def test_a_winning_tile_taken_from_afar_is_said() -> None:
    far = Laid("3s", END + 60, 60, 0.3)
    habits = trusting(far=0.0)
    hand = hand_of([*line(THIRTEEN), far], habits=habits)
    assert hand.finished and hand.layout.win == 13
    (doubt,) = said(hand)
    assert (doubt.kind, doubt.tiles) == ("win", (13,))
    assert doubt.text == "The 3s that lies apart was taken as the winning tile."
    assert instead(doubt)["hand"] == {"concealed": "123m456p789s22z33s", "melds": []}
    bold = replace(habits, doubts=replace(HABITS.doubts, fetched=3 * HABITS.doubts.fetched))
    assert said(hand_of([*line(THIRTEEN), far], habits=bold)) == []


def test_a_white_winning_tile_is_said_to_be_one_that_nothing_marks() -> None:
    row = line(THIRTEEN.replace("3s", "5z"))
    hand = hand_of([*row, Laid("5z", END + 8, 0)], habits=trusting())
    assert hand.finished and hand.layout.win == 13
    (doubt,) = said(hand)
    assert (doubt.kind, doubt.tiles) == ("win", (13,))
    assert doubt.text == "The 5z was taken as the winning tile; something white that is no tile looks alike."
    assert instead(doubt)["hand"] == {"concealed": "123m456p789s2255z", "melds": []}


def test_a_winning_tile_that_looks_like_another_face_is_said() -> None:
    """It is what the row waits on, and whatever lies there may be taken for it."""
    hand = hand_of(WON, {13: {"3s": 0.2, "8m": 0.4}}, habits=trusting())
    assert hand.finished and hand.decoded.labels[13] == "3s"
    (doubt,) = said(hand)
    assert doubt == Doubt("face", (13,), "The 3s may be a 8m.", {"label": "8m"})
    inside = hand_of(WON, {12: {"3s": 0.2, "8m": 0.4}}, habits=trusting())
    assert inside.finished and inside.decoded.labels[12] == "3s" and said(inside) == []


@pytest.mark.parametrize(("chance", "count"), [(0.6, 1), (0.8, 0)])
def test_a_winning_tile_that_hardly_looks_like_its_own_face_is_said(chance: float, count: int) -> None:
    hand = hand_of(WON, {13: {"3s": chance, "8m": 0.1}}, habits=trusting())
    assert hand.finished and hand.decoded.labels[13] == "3s"
    assert said(hand) == [Doubt("face", (13,), "The 3s may be a 8m.", {"label": "8m"})] * count


def test_a_winning_tile_that_may_be_another_is_said() -> None:
    """One at each end of the row lies as far from it."""
    row = line("2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s")
    ends = [Laid("1m", -W - 10, 0), Laid("3s", 12 * (W + 0.3) + 10, 0)]
    hand = hand_of([*row, *ends], habits=trusting(0.5))
    assert hand.finished and hand.layout.win in (12, 13)
    other = ({12, 13} - {hand.layout.win}).pop()
    named = [doubt for doubt in said(hand, "win") if set(doubt.tiles) == {12, 13}]
    assert [instead(doubt)["hand"]["win_tile"] for doubt in named] == [hand.decoded.labels[other]]
    assert named[0].text.startswith(f"The winning tile may be the {hand.decoded.labels[other]}")


def test_an_open_winning_tile_is_asked_for_and_no_doubt() -> None:
    hand = hand_of(line(THIRTEEN + " 3s"), habits=trusting(0.5))
    assert hand.layout.win is None and said(hand, "win") == []


# --- tiles --------------------------------------------------------------------------------------------------


def test_a_tile_that_may_be_another_is_said() -> None:
    hand = hand_of(WON, {3: {"4p": 0.5, "7p": 0.45}}, habits=trusting(0.5))
    assert hand.finished
    doubt = said(hand, "face")[0]
    mine, other = hand.decoded.labels[3], {"4p": "7p", "7p": "4p"}[hand.decoded.labels[3]]
    assert doubt == Doubt("face", (3,), f"The {mine} may be a {other}.", {"label": other})


@pytest.mark.parametrize(("label", "off", "told"), [("6z", 40, True), ("6z", 120, False), ("7z", 40, False)])
def test_a_fourth_of_a_called_three_may_lie_beside_it(label: str, off: float, told: bool) -> None:
    """Seen askew it seems to lie too far away to be part of it."""
    end = 11 * (W + 0.3) + 40
    meld = [Laid("6z", end, -3, np.pi / 2), Laid("6z", end + 23, 0), Laid("6z", end + 43, 0)]
    row = [*line("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z"), Laid("2z", 10 * (W + 0.3) + 8, 0, 0, "win")]
    hand = hand_of([*row, *meld, Laid(label, end + 23, off)], habits=trusting())
    assert hand.finished and [each.kind for each in hand.layout.melds] == ["pon"]
    found = said(hand, "left_out")
    assert [(each.tiles, each.text) for each in found] == (
        [((14,), "The 6z beside the 666z may be the fourth of a kan.")] if told else []
    )
    for each in found:
        assert instead(each)["hand"]["melds"] == [{"type": "minkan", "tiles": "6666z", "from": 3}]
        assert parse_open(instead(each)["hand"])


@pytest.mark.parametrize(
    ("called", "kind", "room", "told"),
    [("6z 6z 6z", "pon", 0.2, True), ("6z 6z 6z", "pon", 1.0, False), ("6s 7s 8s", "chi", 0.2, False)],
)
def test_a_fourth_of_a_called_three_may_lie_beyond_the_photo(
    called: str, kind: str, room: float, told: bool
) -> None:
    """It would make a kan of it: other fu, and one more indicator."""
    turned, *upright = called.split()
    end = 11 * (W + 0.3) + 40
    meld = [
        Laid(turned, end, -3, np.pi / 2),
        *(Laid(face, end + 23 + 20 * k, 0) for k, face in enumerate(upright)),
    ]
    row = [*line("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z"), Laid("2z", 10 * (W + 0.3) + 8, 0, 0, "win")]
    hand = hand_of([*row, *meld], habits=trusting())
    assert hand.finished and [each.kind for each in hand.layout.melds] == [kind]
    last = hand.seen.quads[-1][:, 0]
    found = [
        each
        for each in doubts(hand, (int(last.max() + room * np.ptp(last)), 4000))
        if each.kind == "left_out"
    ]
    assert [each.tiles for each in found] == ([hand.layout.melds[0].tiles] if told else [])
    elsewhere = hand_of([*row, *meld, Laid(turned, 100, 200)], habits=trusting())
    assert "left_out" not in [each.kind for each in doubts(elsewhere, (int(last.max()) + 1, 4000))]
    for each in found:
        assert each.text == "The 666z lie at the photo's edge: a fourth 6z may be cut off."
        assert instead(each)["hand"]["melds"] == [{"type": "minkan", "tiles": "6666z", "from": 3}]
        assert parse_open(instead(each)["hand"])
    whole, at_edge = (
        confidence(hand, (width, 4000)) for width in (9999, int(last.max() + room * np.ptp(last)))
    )
    less = hand.habits.doubts.fourth if told else 0.0
    assert whole == hand.confidence and at_edge == pytest.approx(whole * (1 - less))


@pytest.mark.parametrize(("x", "taken"), [(END + 12, True), (END + 230, False)])
def test_a_tile_that_may_be_none_of_the_hand_or_one_of_it_is_said(x: float, taken: bool) -> None:
    hand = hand_of([*line(THIRTEEN), Laid("3s", x, 30, 0.3)], habits=telling(0.5))
    assert hand.finished == taken
    doubt = next(doubt for doubt in said(hand, "left_out") if doubt.tiles == (13,))
    assert doubt.text == f"The 3s may {'be no part of' if taken else 'belong to'} the hand."
    other = instead(doubt)["hand"]
    assert len(parse_tiles(other["concealed"] + other.get("win_tile", ""))) == (13 if taken else 14)


def test_a_tile_beside_the_row_that_would_be_one_too_many_is_said() -> None:
    hand = hand_of([*WON, Laid("8p", END + 40, 0)], habits=trusting())
    assert hand.finished and hand.layout.win == 13
    (doubt,) = said(hand)
    assert (doubt.kind, doubt.tiles) == ("left_out", (14,))
    assert doubt.text == "The 8p beside the row was left out: it would be a tile too many."
    assert instead(doubt)["hand"] == {"concealed": "123m456p789s22z33s", "win_tile": "8p", "melds": []}
    assert said(hand_of([*WON, Laid("8p", END + 320, 200)], habits=trusting())) == []
    open_hand = hand_of([*line(f"{THIRTEEN} 3s"), Laid("8p", END + 40, 0)], habits=trusting())
    assert open_hand.layout.win is None and said(open_hand, "left_out") == []


# --- indicators ---------------------------------------------------------------------------------------------


def wall(*labels: str) -> list[Laid]:
    return [Laid(label, 20 + k * (W + 0.2), 130, 0, "other") for k, label in enumerate(labels)]


@pytest.mark.parametrize(
    ("labels", "asked"),
    [(["back"] * 8, True), ([*["back"] * 3, "9m", *["back"] * 5], False), (["back"] * 3, False)],
)
def test_a_wall_without_an_indicator_is_said(labels: list[str], asked: bool) -> None:
    seen = hand_of([*WON, *wall(*labels)], habits=trusting())
    hand = seen.with_indicators([len(WON) + labels.index("9m")] if "9m" in labels else [], [])
    assert hand.finished
    found = said(hand)
    assert [doubt.kind for doubt in found] == ["indicator"] * asked
    if asked:
        assert sorted(found[0].tiles) == list(range(14, 22)) and found[0].instead is None


def test_an_indicator_that_may_be_another_tile_is_said() -> None:
    tiles = [*WON, *wall("back", "back", "3m", "back", "back", "back")]
    place = next(i for i, tile in enumerate(tiles) if i >= len(WON) and tile.label == "3m")
    hands = (hand_of(tiles, seen, habits=trusting()) for seen in ({}, {place: {"3m": 0.7, "2m": 0.25}}))
    sure, unsure = (said(hand.with_indicators([place], [])) for hand in hands)
    assert sure == []
    (doubt,) = unsure
    assert doubt == Doubt("face", (place,), "The 3m may be a 2m.", {"label": "2m"})


def test_a_tile_that_may_be_an_indicator_beside_others_is_said() -> None:
    tiles = [*WON, *wall("back", "back", "3m", "back", "back", "7p")]
    seen = hand_of(tiles, habits=trusting())
    hand = seen.with_indicators([len(WON) + 2], [len(tiles) - 1])
    assert [tiles[i].label for i in hand.layout.dora] == ["3m"]
    (doubt,) = said(hand)
    assert (doubt.kind, doubt.tiles) == ("indicator", (len(tiles) - 1,))
    assert doubt.text == "The 7p may be a dora indicator, too."
    assert doubt.instead and doubt.instead["hand"]["dora_indicators"] == ["3m", "7p"]
    assert doubt.instead["hand"]["concealed"] == "123m456p789s22z33s"


# --- no doubt -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "chance", "kinds"),
    [
        pytest.param(WON, 1.0, (), id="a finished hand that is sure"),
        pytest.param(line(THIRTEEN), 1.0, (), id="one that waits"),
        pytest.param([Laid("back", k * W, 0, 0, "wall") for k in range(14)], 0.5, (), id="no hand"),
        pytest.param([*WON, *THEIRS[:-1]], 1.0, ("hand",), id="a second row that waits is no second hand"),
        pytest.param(
            [*line(THIRTEEN), *wall(*["back"] * 8)], 1.0, (), id="no indicator of a hand that is not finished"
        ),
    ],
)
def test_what_is_no_doubt(tiles: list[Laid], chance: float, kinds: tuple[str, ...]) -> None:
    assert said(hand_of(tiles, habits=trusting(chance)), *kinds) == []


# --- all together -------------------------------------------------------------------------------------------


def test_the_gravest_doubt_comes_first_and_each_once() -> None:
    tiles = [*WON, *THEIRS, *wall(*["back"] * 8)]
    found = doubts(hand_of(tiles, {3: {"4p": 0.5, "7p": 0.45}}, habits=trusting(0.5)), SIZE)
    kinds = [doubt.kind for doubt in found]
    assert {"hand", "face", "indicator"} <= set(kinds)
    assert kinds == sorted(kinds, key=DOUBTS.index)
    assert len({(doubt.kind, doubt.tiles) for doubt in found}) == len(found)
    told = telling(0.5)
    strict = replace(told, doubts=replace(told.doubts, fetched=10.0))
    kinds = [doubt.kind for doubt in said(hand_of([*line(THIRTEEN), LOOSE], habits=strict))]
    assert {"win", "left_out"} <= set(kinds) and kinds == sorted(kinds, key=DOUBTS.index)
