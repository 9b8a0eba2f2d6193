"""Every hand that tiles may be is weighed, and none that they cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.layouts import H, Laid, W, hand_of, line
from vision.candidates import Answer, Candidate
from vision.decode import Decoded
from vision.habits import HABITS
from vision.labels import BACK
from vision.looks import HandSeen
from vision.table import Layout, MeldSeen, Terms
from vision.weights import TERMS

THIRTEEN = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s"
END = 13 * (W + 0.3)


def term(candidate: Candidate, name: str) -> float:
    return float(candidate.terms[list(TERMS).index(name)])


def winners(hand: HandSeen, size: int = 14) -> set[int | None]:
    """The winning tiles of the finished hands that are weighed."""
    return {each.layout.win for each in hand.candidates if each.finished and each.layout.size == size}


def test_each_tile_of_a_finished_row_may_have_won_or_none_be_told() -> None:
    hand = hand_of(line(THIRTEEN + " 3s"))
    assert winners(hand) == {None, *range(14)}
    for each in hand.candidates:
        assert term(each, "open") == (each.finished and each.layout.win is None)


def test_a_called_tile_has_not_won() -> None:
    x = 11 * W + 60
    pon = [Laid("7z", x, -3.5, np.pi / 2, "meld:0", True), *line("7z 7z", x=x + (H + W) / 2 + 1)]
    hand = hand_of([*line("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z"), Laid("2z", 10 * W + 25, 0, 0, "win"), *pon])
    called = [each for each in hand.candidates if each.finished and each.layout.melds]
    assert {each.layout.win for each in called} == {None, *range(11)}


def test_the_nearest_loose_tiles_that_finish_a_row_are_weighed() -> None:
    loose = [Laid(label, 40.0 * k, 90.0 + 45 * k, 0.6) for k, label in enumerate(["2z", "3s", "2z", "3s"])]
    hand = hand_of([*line(THIRTEEN), *loose])
    taken = {each.layout.win: term(each, "nearer") for each in hand.candidates if (each.layout.win or 0) > 12}
    assert taken == {13: 0, 14: 1, 15: 2}
    fewer = replace(HABITS, decode=replace(HABITS.decode, most_loose=1))
    assert winners(hand_of([*line(THIRTEEN), *loose], habits=fewer)) == {13}


@pytest.mark.parametrize(
    ("label", "chance", "taken"), [("3s", 0.95, True), ("1z", 0.95, False), ("3s", 0.4, False)]
)
def test_a_loose_tile_wins_that_is_waited_on_and_seen_well(label: str, chance: float, taken: bool) -> None:
    hand = hand_of([*line(THIRTEEN), Laid("3s", 100, 90, 0.6)], {13: {label: chance}})
    assert (13 in winners(hand)) == taken


def test_a_white_patch_between_a_row_and_its_winning_tile_may_be_none() -> None:
    """Nothing marks a white dragon, however surely one is seen."""
    row, patch, won = line(THIRTEEN), Laid("5z", END, 0, 0, "other"), Laid("3s", END + W + 0.3, 0, 0)
    assert 14 in winners(hand_of([*row, patch, won], {13: {"5z": 0.97}}))
    assert 14 not in winners(hand_of([*row, Laid("6z", END, 0, 0, "other"), won], {13: {"6z": 0.97}}))


def test_a_loose_red_five_is_a_five() -> None:
    hand = hand_of([*line("1m 2m 3m 4p 6p 7s 8s 9s 2z 2z 3s 3s 3s"), Laid("0p", 100, 90, 0.6)])
    assert 13 in winners(hand)


def test_that_nothing_is_taken_says_how_loosely_a_tile_of_the_wait_lies() -> None:
    def lying(*others: Laid) -> float:
        hand = hand_of([*line(THIRTEEN), *others])
        open_rows = [e for e in hand.candidates if e.layout.win is None and e.layout.hand == tuple(range(13))]
        (found,) = {term(each, "lying") for each in open_rows if each.decoded.legal}
        return found

    beside = END + 8
    assert lying(Laid("3s", beside, 28, 0.3)) == 1
    assert lying(Laid("9p", beside, 28, 0.3)) == 0
    assert 0 < lying(Laid("3s", beside, 90, 0.3)) < 0.5, "far away it may be anybody's"
    assert 0 < lying(*line("1p 3s 1z", x=beside, y=33, role="other")) < 0.5, "in a row it may be somebody's"


def test_an_unfinished_hand_is_bested_by_one_of_other_tiles() -> None:
    row, across = line(THIRTEEN), line("2m 3m 4m 5p 6p 7p 3p 4p 5p 1z 1z 9s 9s", y=300)
    won = Laid("9s", END + 10, 300, 0)

    def bested(tiles: list[Laid], slots: Mapping[int, Mapping[str, float]] | None = None) -> dict[str, float]:
        hand = hand_of(tiles, slots)
        return {
            "row": max(term(e, "bested") for e in hand.candidates if e.layout.hand == tuple(range(13))),
            "won": max((term(e, "bested") for e in hand.candidates if e.finished), default=0.0),
        }

    sure = bested([*row, *across, won])
    assert sure["row"] > 0.5 and sure["won"] == 0
    doubtful = bested([*row, *across, won], {20: {"4p": 0.6, "7s": 0.3}})
    assert 0 < doubtful["row"] < sure["row"]
    assert bested([*row, *across])["row"] == 0, "nothing of it is finished"


@pytest.mark.parametrize("count", [9, 12, 15])
def test_of_another_number_of_tiles_none_has_won(count: int) -> None:
    labels = (THIRTEEN + " 3s 7z").split()[:count]
    hand = hand_of([*line(" ".join(labels[:-1])), Laid(labels[-1], (count - 1) * (W + 0.3) + 14, 0, 0)])
    sizes = {each.layout.size for each in hand.candidates}
    assert sizes - {13, 14}
    assert all(each.layout.win is None for each in hand.candidates if each.layout.size not in (13, 14))


def test_a_place_that_was_sought_is_given_no_face_by_the_rules() -> None:
    """Thirteen tiles, and beside them something that is rather a back."""
    row = line(THIRTEEN + " 3s")
    slot = {13: {BACK: 0.8, "3s": 0.19}}
    assert winners(hand_of(row, slot)), "of a tile that lies there the rules may choose the face"
    sought = hand_of(row, slot, sought=[13])
    assert sought.candidates and not winners(sought)
    assert winners(hand_of(row, {13: {"3s": 0.8}}, sought=[13]))


@pytest.mark.parametrize("place", [(END + 8, 0.0), (END + 45, 40.0)], ids=["beside the row", "loose"])
def test_what_was_sought_and_has_the_colour_of_the_cloth_finishes_no_hand(place: tuple[float, float]) -> None:
    tiles, cloth = [*line(THIRTEEN), Laid("3s", *place)], {13: (-1.0, 0.5, 0.2)}
    assert winners(hand_of(tiles, sought=[13])) and winners(hand_of(tiles, ground=cloth))
    assert not winners(hand_of(tiles, sought=[13], ground=cloth))


@pytest.mark.parametrize("back", [0.4, 0.9], ids=["that looks like a white dragon", "that looks like one"])
def test_a_back_that_was_sought_has_not_the_colour_of_faces(back: float) -> None:
    row = [*line("1m 2m 3m 4p 5p 6p 7s 8s 9s 3s"), Laid("3s", 10 * W + 25, 0, 0, "win")]
    ankan = line("back 4z 4z back", x=14 * W)
    seen = {14: {"5z": 0.95 - back, BACK: back}}
    hand = hand_of([*row, *ankan], seen, sought=[14], ground={14: (-1.0, 0.5, 0.2)})
    assert hand.finished and [meld.kind for meld in hand.layout.melds] == ["ankan"]


def test_backs_alone_are_one_candidate_that_is_no_hand() -> None:
    (only,) = hand_of([Laid(BACK, k * W, 0, 0, "wall") for k in range(14)]).candidates
    assert only.layout.size == 0 and not only.finished and only.answer == Answer(False, (), None, frozenset())


# --- answers ------------------------------------------------------------------------------------------------


def candidate(labels: str, closed: tuple[int, ...], *melds: MeldSeen, win: int | None = None) -> Candidate:
    names = tuple(labels.split())
    flat = (False,) * len(names)
    layout = Layout(closed, win, melds, (), (0,) * len(names), flat, flat, Terms())
    return Candidate(layout, Decoded(names, (), (), True, 0.0), np.zeros(len(TERMS)), np.zeros((0, 4, 2)))


def test_an_answer_is_what_is_said_whichever_tiles_say_it() -> None:
    first = candidate("1m 2m 3m 3m 9s", (0, 1, 2), win=4)
    assert first.answer == candidate("1m 2m 3m 3m 9s", (3, 1, 0), win=4).answer
    assert first.answer != candidate("1m 2m 3m 3m 9s", (0, 1, 2)).answer
    assert first.answer != candidate("1m 2m 3m 3m 9s", (0, 1, 4), win=2).answer
    assert first.answer != candidate("1m 2m 0m 3m 9s", (0, 1, 2), win=4).answer


def test_what_an_ankan_hides_is_no_other_answer() -> None:
    shown, hidden = (candidate(f"back {five} 5p back", (), MeldSeen("ankan", (0, 1, 2, 3), None))
                     for five in ("5p", "0p"))  # fmt: skip
    assert shown.answer == hidden.answer
    pon = candidate("5p 5p 5p", (), MeldSeen("pon", (0, 1, 2), 3)).answer
    assert pon != candidate("5p 0p 5p", (), MeldSeen("pon", (0, 1, 2), 3)).answer


def test_two_melds_alike_are_two() -> None:
    chi = [MeldSeen("chi", (k, k + 1, k + 2), 3) for k in (0, 3)]
    one, two = (candidate("1m 2m 3m 1m 2m 3m", (), *chi[:count]).answer for count in (1, 2))
    assert one != two


@pytest.mark.parametrize(
    ("whites", "kind"),
    [((0.6, 0.4, 0.45, 0.6), "minkan"), ((0.8, 0.1, 0.1, 0.8), "ankan"), ((0.1, 0.8, 0.8, 0.1), "ankan")],
    ids=["all half white", "inner backs", "outer backs"],
)
@pytest.mark.parametrize("turned", [0, 3])
def test_four_blanks_of_which_one_lies_on_its_side_are_no_ankan(
    whites: tuple[float, ...], kind: str, turned: int
) -> None:
    """Nobody turns one of an ankan; of its backs, where they surely are some, the turn is hardly seen."""
    closed = line("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z")
    win = Laid("2z", closed[-1].x + 2 * W, 0, 0, "win")
    called = line("5z 5z 5z 5z", x=win.x + 4 * W)
    if kind == "minkan":
        called[turned].angle, called[turned].y = np.pi / 2, -(H - W) / 2
        for k, tile in enumerate(called):
            tile.x += (H - W) * ((k > turned) + (k == turned) / 2)
    seen = {11 + k: {"5z": white, "back": 0.97 - white} for k, white in enumerate(whites)}
    hand = hand_of([*closed, win, *called], seen)
    assert hand.finished and [meld.kind for meld in hand.layout.melds] == [kind]
