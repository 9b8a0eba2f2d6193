"""All that a photo may show is weighed together: which answer is taken, and how sure it is."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

from tests.vision.layouts import H, Laid, W, hand_of, line
from vision.arrays import Array
from vision.candidates import Candidate
from vision.decode import Decoded
from vision.groups import ways_of
from vision.habits import HABITS
from vision.labels import BACK
from vision.looks import HandSeen
from vision.mend import Mend
from vision.reckoning import reckon
from vision.table import Layout, Terms
from vision.weights import ASIDE, SIGNS, TERMS, TRUSTED, Weights, features

THIRTEEN = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s"
END = 13 * (W + 0.3)


def weighing(**weights: float) -> Weights:
    """Weights by which trust is a quarter, half or three quarters of a share, and surer above what a share is
    at most; of no finished hand less where rules chose a tile."""
    curves = {"finished": [[0, 0], [0.5, 0.4], [1, 0.9]], "unfinished": [[0, 0], [1, 0.5]]}
    steps = [("share", -0.5, np.log(3)), ("share", 0.5, np.log(3)), ("share", 7.5, 50.0)]
    trust = {
        "finished": {"start": -np.log(3), "steps": steps},
        "unfinished": {"start": -np.log(3), "steps": [*steps, ("overruled", 0.5, -1.0)]},
    }
    return Weights.of({"weights": weights, "trust": trust, "curves": curves, "told": 0.98})


def candidate(label: str, **terms: float) -> Candidate:
    """A hand of one tile, by its terms."""
    layout = Layout((0,), None, (), (), (0,), (False,), (False,), Terms())
    values = np.array([terms.get(name, 0.0) for name in TERMS])
    return Candidate(layout, Decoded((label,), (), (), False, 0.0), values, np.zeros((1, 4, 2)))


def trusted(share: float, **terms: float) -> Array:
    """What is trusted in an answer with this share and these terms."""
    return features(share, candidate("1m", **terms).terms, np.zeros(len(SIGNS)))


# --- weighing -----------------------------------------------------------------------------------------------


def test_the_share_of_an_answer_is_that_of_its_likeliest_candidate() -> None:
    weak, strong = candidate("1m", runs=0.0), candidate("1m", runs=np.log(3) / 2)
    other = candidate("2m")
    first, second = reckon([other, weak, strong], weighing(runs=2.0))
    assert first.candidate is strong and second.candidate is other
    assert (first.share, second.share) == (pytest.approx(0.75), pytest.approx(0.25))
    assert first.score - second.score == pytest.approx(np.log(3))


@pytest.mark.parametrize("term", ASIDE)
def test_what_one_look_has_seen_beside_a_hand_counts_in_all_of_them(term: str) -> None:
    """A hand that waits on a tile is no likelier in the look that missed that tile."""
    missed, known, other = candidate("1m", runs=0.5), candidate("1m", **{term: 0.6}), candidate("2m")
    weights = weighing(runs=1.0, **{term: -2.0})
    first, second = reckon([missed, known, other], weights)
    assert first.candidate is other and second.candidate is missed
    assert second.score == pytest.approx(0.5 - 1.2)
    assert second.terms[list(TERMS).index(term)] == 0.6
    assert reckon([missed, other], weights)[0].candidate is missed


def test_answers_as_likely_stay_in_their_order() -> None:
    answers = reckon([candidate(f"{k}m") for k in range(1, 6)], weighing(runs=1.0))
    assert [each.answer.concealed for each in answers] == [(f"{k}m",) for k in range(1, 6)]
    assert sum(each.share for each in answers) == pytest.approx(1)


def test_a_term_that_was_not_fitted_yet_counts_for_nothing() -> None:
    weights = weighing(melds=1.0)
    assert len(weights.terms) == len(TERMS) and sum(weights.terms) == 1
    first, _ = reckon([candidate("1m", runs=100.0), candidate("2m", melds=0.1)], weights)
    assert first.answer.concealed == ("2m",)


@pytest.mark.parametrize(("share", "chance"), [(0.25, 0.2), (0.5, 0.4), (0.75, 0.65)])
def test_a_trust_is_as_sure_as_its_curve_says(share: float, chance: float) -> None:
    assert weighing().confidence(trusted(share), finished=True) == pytest.approx(chance)
    assert weighing().confidence(trusted(share), finished=False) == pytest.approx(share / 2)


def test_no_share_makes_an_answer_sure_whatever_its_terms_are() -> None:
    sure, most = (weighing().confidence(trusted(share), finished=True) for share in (1.0, 1 - 1e-9))
    assert sure == most < 0.9, "as sure as a share may be, not as 1"


def test_the_terms_of_an_answer_count_beside_its_share() -> None:
    plain, ruled = (trusted(0.5, overruled=tiles) for tiles in (0.0, 1.0))
    assert weighing().confidence(plain, finished=False) == pytest.approx(0.25)
    assert weighing().confidence(ruled, finished=False) == pytest.approx(0.5 / (1 + np.e))


@pytest.mark.parametrize(("name", "term"), [("face", "least"), ("colour", "colours")])
def test_a_doubtful_face_or_colour_counts_by_how_doubtful_it_is(name: str, term: str) -> None:
    at = list(TRUSTED).index(name)
    sure, half, never = (trusted(0.5, **{term: float(np.log(chance))})[at] for chance in (1.0, 0.5, 1e-9))
    assert (half, never) == (pytest.approx(np.log(0.5)), pytest.approx(0.0, abs=1e-6))
    assert np.isfinite(sure) and sure < half


def test_a_photo_is_read_with_other_weights() -> None:
    row = line(THIRTEEN + " 3s")
    won = replace(HABITS, weights=weighing(left=1.0, labels=0.1))
    assert hand_of(row).layout.win is None
    assert hand_of(row, habits=won).layout.win == 0


# --- hands as players lay them -----------------------------------------------------------------------------

PLACES = {
    "right": Laid("3s", END + 8, 0, 0, "win"),
    "far right": Laid("3s", END + 25, 3, 0, "win"),
    "left": Laid("3s", -W - 12, 0, 0, "win"),
    "above": Laid("3s", END - W - 4, H + 3, 0, "win"),
    "below": Laid("3s", END - W - 4, -H - 3, 0, "win"),
    "askew": Laid("3s", END + 14, 4, 0.35, "win"),
    "turned": Laid("3s", END + 6, -3.5, np.pi / 2, "win", True),
    "turned above": Laid("3s", END - W - 4, H + 1, np.pi / 2, "win", True),
}


def test_another_finished_hand_that_a_mend_tore_stays_an_answer() -> None:
    mine = [*line("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s"), Laid("3s", 13 * W + 20, 0, 0, "win")]
    theirs = [*line("2m 3m 4m 6p 7p 8p 2s 3s 4s 6z 6z 8s 8s", y=250), Laid("8s", 13 * W + 20, 250)]
    both = hand_of([*mine, *theirs])
    assert len({each.answer.concealed[:3] for each in both.answers if each.answer.finished}) > 1
    torn = HandSeen.of(both.seen.where(np.arange(22)))
    assert torn.finished and not any(
        each.candidate.layout.hand[0] > 13 for each in torn.answers if each.answer.finished
    )
    after = torn.after(both)
    assert after.layout is torn.layout
    others = [each for each in after.answers if each.answer.finished and each.answer.win == "8s"]
    assert others and others[0].candidate in after.earlier
    assert not torn.after(torn).earlier, "its own"
    assert others[0].share > HABITS.mends.likely
    for tiles in (22, 14):
        fewer = HandSeen.of(both.seen.where(np.arange(tiles))).after(both)
        assert fewer.earlier and all(max(layout.hand) < tiles for layout in fewer.likely), "its numbers"
        mends = fewer.table.mends(fewer.likely, fewer.seen.quads[:1].astype(float))
        assert any(fewer.may_have([*mends, Mend((), fewer.seen.quads[:1].astype(float))]))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_winning_tile_is_the_one_that_is_set_apart(place: str, seed: int) -> None:
    hand = hand_of([*line(THIRTEEN), PLACES[place]], seed=seed)
    assert hand.finished and hand.layout.win == 13 and hand.layout.closed == tuple(range(13))
    assert hand.answers[0].share > 0.6


@pytest.mark.parametrize("away", [[], [Laid("1z", END + 40, 5)], line("1p 9m 4z 4z 7p 1s", x=20, y=160)])
def test_a_row_that_waits_is_no_finished_hand(away: list[Laid]) -> None:
    hand = hand_of([*line(THIRTEEN), *away])
    assert not hand.finished and hand.layout.hand == tuple(range(13)) and hand.decoded.legal
    assert hand.answers[0].share > 0.6


def test_fourteen_tiles_in_a_row_leave_the_winning_one_open() -> None:
    hand = hand_of(line(THIRTEEN + " 3s"))
    assert hand.finished and hand.layout.win is None and hand.layout.size == 14


def test_a_row_that_waits_takes_the_nearest_loose_tile_of_its_wait() -> None:
    near, far = Laid("3s", END + 12, 30, 0.3), Laid("2z", END + 100, 90, 0.3)
    for tiles, win in (([near, far], 13), ([far, near], 14)):
        hand = hand_of([*line(THIRTEEN), *tiles])
        assert hand.finished and hand.layout.win == win


def test_tiles_of_the_wait_in_another_row_are_not_taken() -> None:
    hand = hand_of([*line(THIRTEEN), *line("1p 3s 9m 7z 7z 4m 1s", x=40, y=150, role="other")])
    assert not hand.finished and hand.layout.win is None


def test_what_is_seen_surely_is_not_overruled_to_finish_a_hand() -> None:
    row = [*line(THIRTEEN), PLACES["right"]]
    doubtful, sure = (hand_of(row, {4: {"8p": chance, "5p": 0.99 - chance}}) for chance in (0.6, 0.935))
    assert doubtful.finished and doubtful.decoded.labels[4] == "5p"
    assert not sure.finished and sure.decoded.labels[4] == "8p"


def test_a_place_that_was_sought_and_shows_a_back_finishes_no_hand() -> None:
    hand = hand_of(line(THIRTEEN + " 3s"), {13: {"back": 0.8, "3s": 0.19}}, sought=[13])
    assert not hand.finished


def test_a_back_beside_it_is_no_part_of_a_row() -> None:
    hand = hand_of([*line(THIRTEEN), Laid("back", END, 0)])
    assert not hand.finished and hand.layout.hand == tuple(range(13))


# --- melds --------------------------------------------------------------------------------------------------


def called(labels: str, x: float) -> list[Laid]:
    """Three tiles of which the first, called one lies on its side, from ``x`` on."""
    first, *others = labels.split()
    stand = [Laid(label, x + H + W * (k + 0.5), 0) for k, label in enumerate(others)]
    return [Laid(first, x + H / 2, (W - H) / 2, np.pi / 2), *stand]


def test_a_back_beside_a_meld_makes_no_kan_of_it() -> None:
    """Of the cloth, say, between the closed tiles and three alike."""
    table = hand_of([*line("8s back"), *called("6m 6m 6m", 1.5 * W)]).table
    (run,) = (run for run in table.frames[0].runs if len(run.columns) == 5)
    (way,) = (way for way in ways_of(table.frames[0], run) if way.key == (1, 1, False))
    assert (way.closed, way.melds[0].kind, set(way.melds[0].tiles)) == ((0,), "pon", {2, 3, 4})


@pytest.mark.parametrize(("sure", "kinds"), [(0.967, set()), (0.6, {"ankan"})])
def test_what_surely_shows_a_face_is_no_back_of_an_ankan(sure: float, kinds: set[str]) -> None:
    """Though cloth beside three alike looks like its other one."""
    tiles = [*line("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z"), *line("3z 3z 3z back", x=12 * W + 15)]
    hand = hand_of(tiles, {11: {"3z": sure, BACK: 0.002 if sure > 0.9 else 0.3}})
    found = {meld.kind for each in hand.candidates for meld in each.layout.melds if 11 in meld.tiles}
    assert found & {"ankan"} == kinds


def test_a_lonely_tile_is_the_core_of_a_hand_that_was_called_nearly_whole() -> None:
    """Among longer rows of others."""
    tiles = [Laid("8s", -3 * W, 0, role="hand"), Laid("8s", -6 * W, 0, np.pi / 2, role="win")]
    for k, labels in enumerate(("4m 5m 6m", "6m 6m 6m", "1m 1m 1m", "3s 4s 5s")):
        tiles += called(labels, k * (H + 2 * W + 4))
    rows = ["1p 7z 4s 9p 2m 7m", "3z 2p 8m 9s 6p 1s", "2z 7p 9m 4p 1z 3p", "5z 8p 2s 9s 1p 4z"] * 2
    for k, labels in enumerate(rows):
        tiles += line(labels, x=-40 + 140 * (k % 2), y=110 + 45 * (k // 2), role="other")
    closed = [{*each.layout.closed, each.layout.win} for each in hand_of(tiles).candidates if each.finished]
    assert {0, 1} in closed


def test_a_row_of_15_tiles_is_none_of_14_with_one_to_spare() -> None:
    rng, sizes = np.random.default_rng(5), []
    while len(sizes) < 60:
        sets = [
            [f"{low + step * k}{suit}" for k in range(3)]
            for low, step, suit in zip(
                rng.integers(1, 8, 4), rng.integers(0, 2, 4), rng.choice([*"mps"], 4), strict=True
            )
        ]
        pair, spare = (f"{number}z" for number in rng.integers(1, 8, 2))
        hand = sorted([*chain(*sets), pair, pair], key=lambda tile: (tile[1], tile[0]))
        row = [*hand, spare] if rng.random() < 0.5 else [spare, *hand]
        if max(map(row.count, row)) > 4 or pair == spare:
            continue
        sizes.append(hand_of(line(" ".join(row))).layout.size)
    assert sizes == [15] * 60
