"""What is counted of a hand, and of its winning tile, is what its name says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from tests.vision.layouts import H, Laid, W, hand_of, line
from vision.candidates import Candidate
from vision.looks import HandSeen
from vision.terms import breaks
from vision.weights import TERMS

THIRTEEN = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s"
END = 13 * (W + 0.3)
KINDS_OF_HAND = ("finished", "illegal", "waiting", "dead", "odd")


def terms(candidate: Candidate) -> Mapping[str, float]:
    return dict(zip(TERMS, candidate.terms.tolist(), strict=True))


def weighed(hand: HandSeen, closed: Sequence[int], win: int | None = None) -> Mapping[str, float]:
    """The terms of the hand of these tiles, by its likeliest labels that obey the rules."""
    found = [
        each
        for each in hand.candidates
        if set(each.layout.closed) == set(closed) and each.layout.win == win and not each.layout.melds
    ]
    assert found, "no such hand was weighed"
    return terms(min(found, key=lambda each: (not each.decoded.legal, each.decoded.loss)))


def with_win(tile: Laid, *others: Laid) -> Mapping[str, float]:
    return weighed(hand_of([*line(THIRTEEN), tile, *others]), range(13), 13)


# --- the hand -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (THIRTEEN + " 3s", "finished"),
        (THIRTEEN.replace("1m", "9p") + " 3s", "illegal"),
        (THIRTEEN, "waiting"),
        ("1m 4m 7m 1p 4p 7p 1s 4s 7s 1z 2z 3z 4z", "dead"),
        (THIRTEEN[:-6], "odd"),
    ],
)
def test_a_hand_is_one_of_five_kinds(labels: str, kind: str) -> None:
    hand = hand_of(line(labels))
    whole = weighed(hand, range(len(labels.split())))
    assert {name for name in KINDS_OF_HAND if whole[name]} == {kind}
    assert whole["odd_by"] == (14 - len(labels.split()) if kind == "odd" else 0)


@pytest.mark.parametrize(("elsewhere", "fifth"), [("7s 7s 7s", 0), ("7s 7s 7s 7s", 1), ("1z 1z 1z 1z 1z", 0)])
def test_a_fifth_tile_of_a_kind_is_counted(elsewhere: str, fifth: int) -> None:
    row = line(THIRTEEN + " 3s")
    assert weighed(hand_of([*row, *line(elsewhere, y=200, role="other")]), range(14))["fifth"] == fifth


def test_what_the_network_says_of_the_tiles_is_counted() -> None:
    row = line(THIRTEEN + " 3s")
    sure = weighed(hand_of(row), range(14))
    assert (sure["overruled"], sure["loss"], sure["reds"], sure["backs"]) == (0, 0, 0, 0)
    unsure = weighed(hand_of(row, {4: {"8p": 0.6, "5p": 0.3}}), range(14))
    assert unsure["overruled"] == 1
    assert unsure["loss"] == pytest.approx(np.log(2), abs=0.02)
    assert unsure["least"] == pytest.approx(np.log(0.3), abs=0.03)
    assert unsure["labels"] - sure["labels"] == pytest.approx(np.log(0.3), abs=0.05)
    assert sure["whites"] == 0
    assert weighed(hand_of(line(THIRTEEN.replace("2z 2z", "5z 5z") + " 3s")), range(14))["whites"] == 2
    for five, place in (("5m", 1), ("5p", 4)):
        fives = line("4m 5m 6m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s 3s")
        red = weighed(hand_of(fives, {place: {f"0{five[1]}": 0.7, five: 0.25}}), range(14))
        assert red["reds"] == 1 and red["overruled"] == 0
        assert red["colours"] == pytest.approx(np.log(0.7 / 0.95), abs=0.02)
    back = weighed(hand_of(row, {0: {"back": 0.5, "1m": 0.45}}), range(14))
    assert back["backs"] == 1


def test_a_tile_of_another_colour_than_the_others_is_unlike_them() -> None:
    """What is printed on the cloth looks like a tile, but for its colour."""
    tiles = [*line(THIRTEEN), Laid("3s", END + 8, 0)]
    for colour, far in (((0.2, 0.1, 0.0), 0.0), ((-0.9, 0.0, 0.0), 0.6), ((-3.0, 4.0, 0.0), 1.5)):
        won = weighed(hand_of(tiles, ground={13: colour}), range(13), 13)
        assert won["unlike"] == won["unlike_won"] == pytest.approx(far, abs=1e-6)
        inside = weighed(hand_of(tiles, ground={4: colour}), range(13), 13)
        assert (inside["unlike"], inside["unlike_won"]) == (pytest.approx(far, abs=1e-6), 0)
    dark = dict.fromkeys(range(14), (-2.0, 0.3, 0.1))
    assert weighed(hand_of(tiles, ground=dark), range(13), 13)["unlike"] == 0, "all are in the same shadow"


def test_no_back_is_unlike_the_faces() -> None:
    """Those of an ankan have a colour of their own."""
    ankan = [Laid("back", END, 0), Laid("6z", END + W, 0), Laid("6z", END + 2 * W, 0)]
    ankan.append(Laid("back", END + 3 * W, 0))
    row = line("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z")
    hand = hand_of([*row, *ankan], ground={11: (-2, 3, 0), 14: (-2, 3, 0)})
    found = [terms(each) for each in hand.candidates if each.layout.melds and each.layout.size == 14]
    assert found and all(each["unlike"] == 0 for each in found)


def test_tiles_that_were_sought_are_counted() -> None:
    row = line(THIRTEEN)
    seen, sought = (weighed(hand, range(13)) for hand in (hand_of(row), hand_of(row, sought=[0, 3])))
    assert (seen["sought"], sought["sought"]) == (0, 2)


def test_runs_and_what_they_leave_out_are_counted() -> None:
    one = weighed(hand_of(line(THIRTEEN + " 3s")), range(14))
    assert (one["split"], one["spare"], one["melds"]) == (0, 0, 0)
    parted = [*line("1m 2m 3m 4p 5p 6p 7s"), *line("8s 9s 2z 2z 3s 3s 3s", x=8 * W)]
    assert weighed(hand_of(parted), range(14))["split"] == 1
    more = [*line(THIRTEEN + " 3s"), Laid("7z", 14 * (W + 0.3) + 8, 0)]
    assert weighed(hand_of(more), range(14))["spare"] == 1
    away = [*line(THIRTEEN + " 3s"), Laid("7z", 14 * (W + 0.3) + 60, 0)]
    assert weighed(hand_of(away), range(14))["spare"] == 0


def test_closed_tiles_that_lie_by_themselves_are_apart() -> None:
    aside = hand_of([*line(THIRTEEN), Laid("3s", END + 40, 0)])
    assert weighed(aside, range(14))["apart"] == 1, "if it did not win it has no place there"
    assert weighed(aside, range(13), 13)["apart"] == 0
    assert weighed(aside, [*range(12), 13], 12)["apart"] == 1
    parted = [*line("1m 2m 3m 4p 5p 6p 7s"), *line("8s 9s 2z 2z 3s 3s 3s", x=8 * W)]
    assert weighed(hand_of(parted), range(14))["apart"] == 0
    turned = Laid("3s", END + (H - W) / 2, (W - H) / 2, np.pi / 2)
    assert weighed(hand_of([*line(THIRTEEN), turned]), range(14))["apart"] < 0.1, "it touches the row"


@pytest.mark.parametrize(
    ("tile", "odd"),
    [
        (Laid("3s", 6 * W, H + 3), {"odd_off": 1.0}),
        (Laid("3s", END + 0.35 * W, 0), {"odd_gap": 1.0}),
        (Laid("3s", END + (H - W) / 2 + 0.3, (W - H) / 2, np.pi / 2, "win", True), {"odd_turn": 1.0}),
        (Laid("3s", END, 0), {}),
        (Laid("3s", END + 1, 2), {}),
    ],
)
def test_who_sees_one_tile_that_is_not_as_the_others_knows_which_one_won(
    tile: Laid, odd: Mapping[str, float]
) -> None:
    hand = hand_of([*line(THIRTEEN), tile])
    names = ("odd_off", "odd_gap", "odd_turn")
    for found, expected in ((weighed(hand, range(14)), odd), (weighed(hand, range(13), 13), {})):
        assert {name: found[name] for name in names} == pytest.approx(
            {name: expected.get(name, 0.0) for name in names}, abs=0.1
        )


def test_of_tiles_that_are_all_as_odd_none_is() -> None:
    rows = [*line("1m 2m 3m 4p 5p 6p 7s"), *line("8s 9s 2z 2z 3s 3s 3s", y=-H - 2)]
    parted = [*line("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z"), *line("2z 3s 3s 3s", x=11 * W)]
    careless = [
        Laid(tile.label, tile.x + k * k % 5, k * 7 % 11, 0, "hand")
        for k, tile in enumerate(line(THIRTEEN + " 3s"))
    ]
    for tiles in (rows, parted, careless):
        found = weighed(hand_of(tiles), range(14))
        assert max(found["odd_off"], found["odd_gap"]) == pytest.approx(0, abs=0.1)


def test_three_tiles_one_of_them_turned_are_rather_called() -> None:
    x = 11 * W + 60
    pon = [Laid("7z", x, -3.5, np.pi / 2, "meld:0", True), *line("7z 7z", x=x + (H + W) / 2 + 1)]
    hand = hand_of([*line("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z"), *pon])
    called = [terms(each) for each in hand.candidates if each.layout.melds]
    assert called and all(each["melds"] == 1 and each["denied"] == 0 for each in called)
    closed = [terms(e) for e in hand.candidates if {11, 12, 13} <= {*e.layout.closed, e.layout.win}]
    assert all(each["melds"] == 0 and each["denied"] == 1 for each in closed)


# --- the winning tile ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile", "where"),
    [
        (Laid("3s", END + 8, 0), "right"),
        (Laid("3s", -W - 8, 0), "left"),
        (Laid("3s", END - W - 4, H + 3), "above_row"),
        (Laid("3s", END - W - 4, -H - 3), "below_row"),
    ],
)
def test_a_winning_tile_lies_at_one_place(tile: Laid, where: str) -> None:
    found = with_win(tile)
    places = ("right", "left", "above_row", "below_row", "inside")
    assert {name for name in places if found[name]} == {where}
    assert found["open"] == 0 == found["turned"]
    in_line = where in ("right", "left")
    assert (found["gap"] > 0.2) == in_line and (found["off"] < 0.3) == in_line


def test_a_tile_of_the_row_that_may_have_won_lies_inside_or_at_its_end() -> None:
    hand = hand_of(line(THIRTEEN + " 3s"))
    for win in range(14):
        found = weighed(hand, sorted({*range(14)} - {win}), win)
        assert found["inside"] == (0 < win < 13)
        assert found["left"] == (win == 0) and found["right"] == (win == 13)
        assert found["gap"] == pytest.approx(0, abs=0.1)


def test_how_far_a_winning_tile_lies_is_counted_in_widths() -> None:
    near, far = with_win(Laid("3s", END + 8, 0)), with_win(Laid("3s", END + 40, 0))
    assert near["far"] == 0 and far["far"] == pytest.approx((40 - 20) / W, abs=0.2)
    assert near["gap"] == pytest.approx(8 / W, abs=0.1)
    assert far["gap"] == pytest.approx(20 / W, abs=0.1), "beyond that a gap is a gap"


def test_a_gap_tells_the_winning_tile_where_no_other_is_as_wide() -> None:
    assert with_win(Laid("3s", END + 0.35 * W, 0))["gap_most"] == 1
    wide = [Laid(tile.label, tile.x * 1.2, 0, 0, "hand") for tile in line(THIRTEEN)]
    careless = weighed(hand_of([*wide, Laid("3s", wide[-1].x + 1.3 * W, 0)]), range(13), 13)
    assert careless["gap_most"] < 0.7
    narrower = weighed(hand_of([*wide, Laid("3s", wide[-1].x + W, 0)]), range(13), 13)
    assert narrower["gap_most"] < -0.5


@pytest.mark.parametrize(
    ("angle", "turned", "askew"), [(0, 0, 0), (10, 0, 0.5), (-20, 0, 1), (90, 1, 0), (80, 1, 0.5)]
)
def test_how_a_winning_tile_is_turned(angle: float, turned: float, askew: float) -> None:
    found = with_win(Laid("3s", END + 14, 0, np.radians(angle), "win", angle > 45))
    assert found["turned"] == turned
    assert found["askew"] == pytest.approx(askew, abs=0.15)


@pytest.mark.parametrize(("label", "unsorted"), [("3s", 1), ("5z", -0.5)])
def test_a_tile_out_of_order_was_rather_put_there(label: str, unsorted: float) -> None:
    row = [*line("1m 2m 3m 4p 5p 6p 3s 4s 7s 8s 9s 5z 5z"), Laid("2s", END + 8, 0)]
    if label == "5z":
        row = [*line("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 5z 5z"), Laid("5z", END + 8, 0)]
    assert weighed(hand_of(row), range(13), 13)["unsorted"] == unsorted


def test_tiles_around_the_winning_one_are_company() -> None:
    loose = Laid("3s", END - W, 75, 0.0)
    alone, row = with_win(loose), line("1z 4m 8p 9p", x=END, y=75, role="other")
    amid = with_win(loose, *row)
    assert (alone["company"], alone["theirs"]) == (0, 0)
    assert amid["company"] > 1 and amid["theirs"] == 1


def test_what_lies_nearer_than_a_winning_tile_was_passed() -> None:
    loose = Laid("3s", END - W, 75, 0.0)
    assert with_win(loose)["passed"] == 0
    nearer = [Laid("1z", 2 * W, 50, 0, "other"), Laid("9p", 5 * W, 60, 0, "other")]
    farther = Laid("8p", 2 * W, 120, 0, "other")
    assert with_win(loose, *nearer, farther)["passed"] == 2
    assert with_win(loose, *nearer, *line("4z 5z 6z 7z", y=-60, role="other"))["passed"] == 4, "at most"


def test_the_backs_of_an_ankan_are_mistaken_together() -> None:
    tiles = [*line("1m 2m 3m 4p 5p 6p 8s 9s 2z 2z"), Laid("7s", 10 * W + 12, 0)]
    ankan = line("back 7z 7z back", x=11 * W + 60, role="meld:0")
    for doubtful in ([11], [11, 14]):
        hand = hand_of([*tiles, *ankan], {number: {"back": 0.1, "5z": 0.9} for number in doubtful})
        (found,) = {terms(e)["labels"] for e in hand.candidates if e.layout.win == 10 and e.layout.melds}
        assert found == pytest.approx(np.log(0.1), abs=0.2)


def test_the_fourth_of_a_called_set_is_rather_added_to_it() -> None:
    x = 11 * W + 60
    pon = [Laid("7s", x, -3.5, np.pi / 2, "meld:0", True), *line("7s 7s", x=x + (H + W) / 2 + 1)]
    tiles = [*line("1m 2m 3m 4p 5p 6p 8s 9s 2z 2z"), Laid("7s", 10 * W + 12, 0), *pon]
    hand = hand_of(tiles)
    fourth = {e.layout.win: terms(e)["fourth"] for e in hand.candidates if e.finished and e.layout.melds}
    assert fourth[10] == 1 and fourth[0] == 0


@pytest.mark.parametrize(
    ("labels", "count"),
    [
        ("1m 2m 9m 1p 1z 7z", 0), ("", 0), ("3s", 0), ("4m 0m 6m", 0),
        ("2m 1m", 1), ("1m 1p 2m", 1), ("9m 1p 3m 2m", 2),
    ],
)  # fmt: skip
def test_a_row_is_out_of_order_so_often(labels: str, count: int) -> None:
    assert breaks(labels.split()) == count
